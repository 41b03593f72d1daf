/** Where a report comes from: an address, which is asked for once, or a script of data between the tags. */
import { json } from "../../../wasm/engine/json.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";

const DATA = 'script[type="application/json"]';

/** The text of the report between the tags, if there is one. */
export const inlineReport = (element: Element): string | undefined =>
  element.querySelector(`:scope > ${DATA}`)?.textContent ?? undefined;

/** The words of the author, without the data. */
export const ownWords = (element: Element): string =>
  [...element.childNodes]
    .filter((node) => !(node instanceof Element && node.matches(DATA)))
    .map((node) => node.textContent ?? "")
    .join("")
    .trim();

const UNREACHABLE =
  "could not be loaded. Another server must send Access-Control-Allow-Origin, and the policy of this page must allow it in connect-src";

async function loaded(src: string): Promise<string> {
  let response: Response;
  try {
    // Neither who asks nor from where: a report is public.
    response = await fetch(src, { credentials: "omit", referrerPolicy: "no-referrer" });
  } catch {
    throw new Refusal("unsupported", "src", src, `${src.slice(0, 200)} ${UNREACHABLE}`);
  }
  if (!response.ok)
    throw new Refusal("unsupported", "src", src, `${src.slice(0, 200)} was answered by ${response.status}`);
  return response.text();
}

/** What the element was given, whatever it is; refused where that is nothing, two things or no JSON. */
export async function reportOf(src: string | null | undefined, inline: string | undefined): Promise<unknown> {
  const hasAddress = src !== undefined && src !== null;
  if (hasAddress && inline !== undefined)
    throw new Refusal("unsupported", "src", src, "must be left out where the report stands between the tags");
  if (inline !== undefined) return json("report", inline);
  if (!hasAddress || src === "")
    throw new Refusal(
      "missing",
      "src",
      undefined,
      "must be given, or the report must stand between the tags",
    );
  return json("report", await loaded(src));
}
