/**
 * What both widgets share: attributes that spell a question, the reading of it, and one question to the
 * engine at a time. The attributes are those of the catalogue, so a new parameter needs no line here.
 */
import { LitElement, type PropertyValues } from "lit";
import { Refusal } from "../../../wasm/refusal.ts";
import { engineFor, type RemoteEngine, Superseded, supersede } from "../engine/client.ts";
import { fromRecord, KEYS, type Question } from "../question/question.ts";
import { fieldOf, type Reading, read } from "../question/read.ts";

/** `mechanism-epsilon` in HTML is `mechanismEpsilon` in JavaScript. */
const camel = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Starts a little before the reader gets there. */
const NEAR = "300px";

/** Why there is no answer, and beside which field that belongs. */
export interface Refused {
  readonly field: string;
  readonly refusal: Refusal;
  readonly question: Question;
}

export abstract class QuestionElement<Result> extends LitElement {
  static override properties = {
    question: { attribute: false },
    loading: {},
    ...Object.fromEntries(KEYS.map((key) => [camel(key), { attribute: key }])),
  };

  /** A whole question, which then counts instead of the attributes. */
  declare question: Question | undefined;
  /** `eager` asks at once instead of when the reader comes near. */
  declare loading: "eager" | "lazy" | undefined;

  protected readonly engine: RemoteEngine = engineFor(this);
  private near = false;
  private asked = "";
  private observer: IntersectionObserver | undefined;

  /** Works on a question without errors; a refusal that it throws goes to `refused`. */
  protected abstract work(question: Question, reading: Reading): Promise<Result>;
  protected abstract settled(result: Result): void;
  protected abstract refused(refused: Refused): void;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.loading === "eager") this.near = true;
    if (this.near) return;
    this.observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.near = true;
        this.observer?.disconnect();
        this.start();
      },
      { rootMargin: NEAR },
    );
    this.observer.observe(this);
  }

  /** Moving an element is not removing it: what was found stays, only the watching stops. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  /** The question in force and the attributes that could not be used. */
  protected current(): { question: Question; skipped: string[] } {
    if (this.question) return { question: this.question, skipped: [] };
    const record = new Map<string, string>();
    for (const key of KEYS) {
      const value: unknown = Reflect.get(this, camel(key));
      if (value !== undefined && value !== null) record.set(key, String(value));
    }
    return fromRecord(record);
  }

  protected override updated(_: PropertyValues): void {
    this.start();
  }

  private start(): void {
    if (!this.near) return;
    const { question, skipped } = this.current();
    const asked = JSON.stringify([question, skipped]);
    if (asked === this.asked) return;
    this.asked = asked;
    supersede(this);
    const reading = read(question);
    const refused = unusable(skipped, question) ?? firstOf(reading, question);
    if (refused) {
      this.refused(refused);
      return;
    }
    this.work(question, reading).then(
      (result) => asked === this.asked && this.settled(result),
      (error: unknown) => {
        if (asked === this.asked && !(error instanceof Superseded)) this.refused(fromEngine(error, question));
      },
    );
  }
}

function firstOf({ refusals }: Reading, question: Question): Refused | undefined {
  const [first] = refusals;
  return first && { field: first[0], refusal: first[1], question };
}

/** An attribute that means nothing must not leave a default in its place unnoticed. */
function unusable([first]: string[], question: Question): Refused | undefined {
  if (first === undefined) return undefined;
  const [field = "", value] = first.split("=");
  const rule = value === undefined ? `no parameter of ${question.kind}` : "not in the catalogue";
  return { field, refusal: new Refusal("unknown", field, value ?? "", rule, { shown: true }), question };
}

function fromEngine(error: unknown, question: Question): Refused {
  if (error instanceof Refusal) return { field: fieldOf(error, question), refusal: error, question };
  const reason = error instanceof Error ? error.message : String(error);
  return {
    field: "engine",
    refusal: new Refusal("unsupported", "engine", "", `stopped (${reason})`),
    question,
  };
}
