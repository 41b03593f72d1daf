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

const noticeSentence = ({ column, rule }: Notice) =>
  column === undefined ? `${capital(rule)}${/[?]$/.test(rule) ? "" : "."}` : `“${column}” ${rule}.`;

export interface Findings {
  readonly problems: readonly string[];
  readonly notices: readonly string[];
}

const MOST_SHOWN = 40;

function shown(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - MOST_SHOWN;
  return more > 0 ? [...sentences.slice(0, MOST_SHOWN), `And ${more} more of these.`] : sentences;
}

export function findings({ problems, capped, notices }: Survey): Findings {
  const more = capped.map((kind) => `There are more ${KINDS[kind]} than are listed.`);
  return {
    problems: [...shown(problems.map((one) => `${place(one)} ${one.rule}.`)), ...more],
    notices: shown(notices.map(noticeSentence)),
  };
}
