/** A request as other programs take it: JSON, Python, a command line. */
import type { EverydayRequest, FitRequest } from "../../../wasm/contract.ts";

interface Spelling {
  readonly indent: string;
  readonly yes: string;
  readonly no: string;
}

/** The texts and numbers of JSON are Python's as well. */
const JSON_SPELLING: Spelling = { indent: "  ", yes: "true", no: "false" };
const PYTHON: Spelling = { indent: "    ", yes: "True", no: "False" };

const isPlain = (value: unknown) => typeof value !== "object";

/** Lists of plain values stand on one line. */
function spelled(value: unknown, spelling: Spelling, margin = ""): string {
  if (typeof value === "boolean") return value ? spelling.yes : spelling.no;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = margin + spelling.indent;
  const block = (open: string, items: readonly string[], close: string) =>
    items.length === 0
      ? open + close
      : `${open}\n${items.map((item) => inner + item).join(",\n")}\n${margin}${close}`;
  if (Array.isArray(value)) {
    const items = value.map((item) => spelled(item, spelling, inner));
    return value.every(isPlain) ? `[${items.join(", ")}]` : block("[", items, "]");
  }
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return block(
    "{",
    entries.map(([key, one]) => `${JSON.stringify(key)}: ${spelled(one, spelling, inner)}`),
    "}",
  );
}

export const requestJson = (request: FitRequest | EverydayRequest) => `${spelled(request, JSON_SPELLING)}\n`;

/** A shell's word: in quotes unless it is harmless, each quote inside taken out of them. */
export const shellWord = (text: string) =>
  /^[\w.,/+][\w.,/+-]*$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export const command = (file: string) =>
  `npx epsilometer fit ${shellWord(file)} --request request.json --release release.json`;

const TERMS = `for term in release["coefficients"]["terms"]:
    print(term["column"], term.get("level", ""), term["coefficient"])
`;
const RESULTS = `for result in release["results"]:
    print(json.dumps(result, indent=2))
`;

/** The engine is the same one, run by Node; Python asks it. */
export const requestPython = (request: FitRequest | EverydayRequest, file: string) => `import json
import pathlib
import subprocess

request = ${spelled(request, PYTHON)}

pathlib.Path("request.json").write_text(json.dumps(request), encoding="utf-8")
command = ["npx", "epsilometer", "fit", ${JSON.stringify(file)}, "--request", "request.json"]
release = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

${"releases" in request ? RESULTS : TERMS}print("epsilon", release["epsilon"]["upper"], "at delta", release["delta"])
`;
