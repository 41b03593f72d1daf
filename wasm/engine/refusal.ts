/** Why there is no number: the field at fault, the value it had, the rule it broke. */
export type RefusalKind =
  /** not readable as a question at all */
  | "malformed"
  /** a kind or key that does not exist */
  | "unknown"
  /** a key that must be there */
  | "missing"
  /** a text where a number belongs, and the like */
  | "type"
  /** a number outside its range */
  | "range"
  /** a question that this mechanism cannot answer */
  | "unsupported"
  /** a target that no value in range can meet */
  | "unreachable";

const LONGEST_VALUE = 80;

/** A value as text, short enough to print: hostile input may be a megabyte long. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? JSON.stringify(shorten(value)) : shorten(String(value));
}

const shorten = (text: string) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text);

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: RefusalKind;
  readonly field: string;
  /** The value as text; `shown` when it is text already. */
  readonly value: string;
  readonly rule: string;
  /** It tells something about a table, so that the budget of a fit is spent all the same. */
  readonly spent: boolean;

  constructor(
    kind: RefusalKind,
    field: string,
    value: unknown,
    rule: string,
    { shown = false, spent = false }: { shown?: boolean; spent?: boolean | undefined } = {},
  ) {
    const text = shown ? shorten(String(value)) : show(value);
    super(`${field} = ${text}: ${rule}`);
    this.kind = kind;
    this.field = field;
    this.value = text;
    this.rule = rule;
    this.spent = spent;
  }

  toJSON() {
    const { kind, field, value, rule, spent } = this;
    return { kind, field, value, rule, ...(spent && { spent }) };
  }
}
