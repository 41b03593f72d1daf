/** A request as other programs take it: JSON, Python, a command line. */
import type { FitRequest } from "../../../wasm/contract.ts";

export const requestJson = (request: FitRequest) => `${JSON.stringify(request, undefined, 2)}\n`;

/** A shell's word: in quotes unless it is harmless, each quote inside taken out of them. */
export const shellWord = (text: string) =>
  /^[\w.,/+-]+$/.test(text) && !text.startsWith("-") ? text : `'${text.replaceAll("'", `'\\''`)}'`;

export const command = (file: string) =>
  `npx epsilometer fit ${shellWord(file)} --request request.json --release release.json`;

/** JSON's texts and numbers are Python's as well; its other literals are not. */
function python(value: unknown, indent = ""): string {
  const deeper = `${indent}    `;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const plain = Array.isArray(value) && value.every((item) => typeof item !== "object");
  if (plain) return `[${value.map((item) => python(item)).join(", ")}]`;
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => `${deeper}${python(item, deeper)},\n`).join("")}${indent}]`;
  }
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const lines = entries.map(([key, one]) => `${deeper}${JSON.stringify(key)}: ${python(one, deeper)},\n`);
  return `{\n${lines.join("")}${indent}}`;
}

/** The engine is the same one, run by Node; Python asks it. */
export function requestPython(request: FitRequest, file: string): string {
  return `import json
import pathlib
import subprocess

request = ${python(request)}

pathlib.Path("request.json").write_text(json.dumps(request), encoding="utf-8")
command = ["npx", "epsilometer", "fit", ${JSON.stringify(file)}, "--request", "request.json"]
release = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)

for term in release["coefficients"]["terms"]:
    print(term["column"], term.get("level", ""), term["coefficient"])
print("epsilon", release["epsilon"]["upper"], "at delta", release["delta"])
`;
}
