/** The command line between other programs: what stands at either end of it may fail. */
import { expect, test } from "vitest";
import { PROGRAM, run } from "./run.ts";

const shell = (line: string) =>
  run("sh", ["-c", line.replaceAll("epsilometer", `"${process.execPath}" ${PROGRAM}`)]);

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
