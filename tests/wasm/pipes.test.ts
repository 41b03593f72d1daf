/** The command line between other programs: what stands at either end of it may fail. */
import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const program = "dist/node/command-line.js";

const shell = (line: string) =>
  spawnSync("sh", ["-c", line.replaceAll("epsilometer", `"${process.execPath}" ${program}`)], {
    encoding: "utf8",
  });

test("the reader may stop reading", () => {
  const line = '{"ask":"delta","description":{"kind":"gdp","mu":1},"epsilon":1}';
  const { stdout, stderr } = shell(`yes '${line}' | head -20000 | epsilometer batch | head -1`);
  expect(JSON.parse(stdout).kind).toBe("exact");
  expect(stderr).toBe("");
});

test.each([
  ["description", "epsilometer epsilon - --delta 1e-5 < /"],
  ["question", "epsilometer batch < /"],
])("standard input may be a directory: %s", (field, line) => {
  const { status, stderr } = shell(line);
  expect(status).toBe(2);
  expect(JSON.parse(stderr).refusal).toMatchObject({ kind: "malformed", field });
});
