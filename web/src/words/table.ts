/** What is wrong with a file, in sentences. */
import type { Refusal } from "../../../wasm/engine/refusal.ts";
import type { Notice, Survey } from "../../../wasm/table/inspect.ts";
import type { Problem } from "../../../wasm/table/problems.ts";
import { capital } from "./sentences.ts";

/** A refusal of the whole file. Its value says which part of it, or how large it is. */
export function fileSentence({ field, value, rule }: Pick<Refusal, "field" | "value" | "rule">): string {
  if (field !== "file") return `${value} ${rule}.`;
  if (/^row /.test(value)) return `${capital(value)} ${rule}.`;
  if (/columns$/.test(value)) return `The file has ${value}: ${rule}${/[?]$/.test(rule) ? "" : "."}`;
  return value === "of this size" ? `A file ${value} ${rule}.` : `The file ${rule}.`;
}

/** Of a table that was wanted no more before all of it was read. */
export const UNREAD = "The reading was cancelled. Choose a table again, or another one.";

const place = ({ row, column }: Problem) => `Row ${row}${column === undefined ? "" : `, column ${column}`}`;

const KINDS: Readonly<Record<Problem["kind"], string>> = {
  "header-empty": "columns without a name",
  "header-repeated": "repeated names",
  ragged: "rows of another length",
  quotes: "misplaced quotation marks",
  encoding: "undecodable bytes",
  text: "texts where numbers belong",
  missing: "missing values",
};

const MOST_SHOWN = 40;
/** From so many on they are one sentence. */
const MANY = 4;

/** The same of many columns is said once. */
function noticeSentences(notices: readonly Notice[]): readonly string[] {
  const rules = [...new Set(notices.map(({ rule }) => rule))];
  return rules.flatMap((rule) => {
    const columns = notices.filter((one) => one.rule === rule).flatMap(({ column }) => column ?? []);
    if (columns.length === 0) return [`${capital(rule)}${/[?]$/.test(rule) ? "" : "."}`];
    const names = columns.map((column) => `“${column}”`);
    if (names.length < MANY) return names.map((name) => `${name} ${rule}.`);
    const more = names.length > MOST_SHOWN ? [`${names.length - MOST_SHOWN} more`] : [];
    const said = [...names.slice(0, MOST_SHOWN), ...more];
    return [`Each of ${said.slice(0, -1).join(", ")} and ${said.at(-1)} ${rule}.`];
  });
}

export interface Findings {
  readonly problems: readonly string[];
  readonly notices: readonly string[];
}

function shown(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - MOST_SHOWN;
  return more > 0 ? [...sentences.slice(0, MOST_SHOWN), `And ${more} more of these.`] : sentences;
}

export function findings({ problems, capped, notices }: Survey): Findings {
  const more = capped.map((kind) => `There are more ${KINDS[kind]} than are listed.`);
  return {
    problems: [...shown(problems.map((one) => `${place(one)} ${one.rule}.`)), ...more],
    notices: noticeSentences(notices),
  };
}
