/**
 * The question in the address: `#v1;ask=epsilon;kind=gaussian;sigma=1;…`. Readable, versioned, never sent to
 * a server. What a fragment holds that we do not know is named and skipped.
 */

import { fromKeyValues, toKeyValues } from "./key-values.ts";
import type { Question } from "./question.ts";

const VERSION = "v1";
/** No address is longer in Chromium; forty releases with two lists of a thousand numbers of all their digits are shorter. */
const LONGEST = 2 ** 21;
const LONGEST_SHOWN = 40;

export interface Decoded {
  readonly question: Question;
  /** In words, what could not be used. */
  readonly skipped: readonly string[];
}

export const encode = (question: Question): string =>
  `#${VERSION};${toKeyValues(question)
    .map(([key, text]) => `${key}=${spell(text)}`)
    .join(";")}`;

/** Only what would end the value, the fragment or a link in a chat is escaped, so that the rest stays readable. */
const spell = (text: string) =>
  text
    .replaceAll(/\p{Surrogate}/gu, "")
    .replaceAll(/, +/g, ",")
    .replaceAll(/[^\w.,:^*/()+-]/gu, encodeURIComponent);

export function decode(fragment: string): Decoded {
  const body = fragment.replace(/^#/, "");
  if (body === "") return fromKeyValues(new Map());
  const [version = "", ...pairs] = body.split(";");
  if (body.length > LONGEST) return worked("it is too long");
  if (version !== VERSION) return worked(`version ${version.slice(0, LONGEST_SHOWN)} is unknown`);
  const record = new Map<string, string>();
  const broken: string[] = [];
  for (const pair of pairs.filter(Boolean)) {
    const cut = pair.indexOf("=");
    const key = pair.slice(0, cut);
    const text = unspell(pair.slice(cut + 1));
    if (cut < 1 || text === undefined || record.has(key)) broken.push(pair.slice(0, LONGEST_SHOWN));
    else record.set(key, text);
  }
  const { question, skipped } = fromKeyValues(record);
  return { question, skipped: [...skipped, ...broken] };
}

/** The worked example, because nothing of the address can be used. */
const worked = (reason: string): Decoded => ({
  ...fromKeyValues(new Map()),
  skipped: [`the whole address: ${reason}`],
});

/** Undefined where an escape is broken. */
export function unspell(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
