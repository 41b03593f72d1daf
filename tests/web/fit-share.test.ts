/** A request in other languages is the same request, whatever its texts hold. */
import { execFileSync, spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import type { FitRequest } from "../../wasm/contract.ts";
import { checkRequest } from "../../wasm/release/fit-request.ts";
import { command, requestJson, requestPython, shellWord } from "../../web/src/share/fit-request.ts";

const HOSTILE = `a'b"c\\d\n\u2028$(touch x)\`e\` """ é 😀`;

const request: FitRequest = checkRequest({
  table: {
    unit: { protects: HOSTILE, rows: 1 },
    columns: [
      { name: HOSTILE, use: "numeric", range: [-1e-9, 1e100], missing: { constant: 0.1 } },
      { name: "g", use: "categorical", levels: ["x", "'"], missing: "drop" },
    ],
    label: { name: "y", use: "numeric", range: [0, 1], missing: "drop" },
    rowNorm: 1,
  },
  algorithm: { name: "ada-ssp" },
  budget: { epsilon: 1, delta: 1e-6 },
});

/** Without the keys that were left out. */
const plain = JSON.parse(JSON.stringify(request));

test("JSON reads back", () => {
  expect(JSON.parse(requestJson(request))).toEqual(plain);
});

const hasPython = spawnSync("python3", ["--version"]).status === 0;

test.skipIf(!hasPython)("Python reads the same", () => {
  const program = requestPython(request, HOSTILE);
  const start = program.indexOf("request = ");
  const end = program.indexOf("\n\npathlib");
  const script = `import json\n${program.slice(start, end)}\nprint(json.dumps(request))`;
  expect(JSON.parse(execFileSync("python3", ["-c", script], { encoding: "utf8" }))).toEqual(plain);
  const words = program.slice(program.indexOf("command = "), program.indexOf("\nrelease"));
  const spoken = execFileSync("python3", ["-c", `import json\n${words}\nprint(json.dumps(command))`], {
    encoding: "utf8",
  });
  expect(JSON.parse(spoken)[3]).toBe(HOSTILE);
  execFileSync("python3", ["-c", "import ast,sys; ast.parse(sys.stdin.read())"], { input: program });
});

test.each(["data.csv", HOSTILE, "-rf", "~", "a b", "'"])("the shell reads %j as one word", (file) => {
  const said = execFileSync("sh", ["-c", `printf %s ${shellWord(file)}`], { encoding: "utf8" });
  expect(said).toBe(file);
  expect(command(file).startsWith("npx epsilometer fit ")).toBe(true);
});
