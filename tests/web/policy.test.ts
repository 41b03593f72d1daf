import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { HEADERS, HEADERS_FILE, POLICY } from "../../web/policy.ts";

const directives = new Map(
  POLICY.split("; ").map((line) => [line.split(" ")[0], line.split(" ").slice(1).join(" ")]),
);

test("the policy allows no connection, nothing from elsewhere, no evaluated code", () => {
  expect(directives.get("default-src")).toBe("'none'");
  expect(directives.get("connect-src")).toBe("'none'");
  expect(directives.get("script-src")).toBe("'self' 'wasm-unsafe-eval'");
  expect(directives.get("worker-src")).toBe("blob:");
  expect(directives.get("img-src")).toBe("data:");
  expect(POLICY).not.toMatch(/'unsafe-(inline|eval)'|https?:|\*/);
});

test("the document about hosting has every header for every server", () => {
  const text = readFileSync(new URL("../../docs/locality.md", import.meta.url), "utf8");
  for (const [name, value] of Object.entries(HEADERS)) {
    expect(text).toContain(`\nadd_header ${name} "${value}" always;\n`);
    expect(text).toContain(`\nHeader always set ${name} "${value}"\n`);
    expect(HEADERS_FILE).toContain(`\n  ${name}: ${value}\n`);
  }
});

test("our own server sends the headers with every answer, those about missing files included", async () => {
  // A script without types.
  const { serve } = await import(new URL("../../scripts/serve.mjs", import.meta.url).href);
  const { address, close } = await serve();
  const paths = [
    "/",
    "/fit.html",
    "/epsilometer.js",
    "/LICENSE.txt",
    "/there-is-no-such-page",
    "/%E0%A4%A",
    "/..%2f..%2fpackage.json",
  ];
  for (const path of paths) {
    const answer = await fetch(address + path);
    await answer.arrayBuffer();
    expect(answer.status, path).toBe(paths.indexOf(path) < 4 ? 200 : 404);
    for (const [name, value] of Object.entries(HEADERS)) expect(answer.headers.get(name), path).toBe(value);
    expect(answer.headers.get("content-type"), path).toMatch(/^text\//);
  }
  close();
});
