import { expect, test } from "vitest";
import { POLICY } from "../../web/policy.ts";

const directives = new Map(
  POLICY.split("; ").map((line) => [line.split(" ")[0], line.split(" ").slice(1).join(" ")]),
);

test("the policy allows no connection, nothing from elsewhere, no evaluated code", () => {
  expect(directives.get("default-src")).toBe("'none'");
  expect(directives.get("connect-src")).toBe("'none'");
  expect(directives.get("script-src")).toBe("'self' 'wasm-unsafe-eval'");
  expect(directives.get("worker-src")).toBe("blob:");
  expect(POLICY).not.toMatch(/'unsafe-(inline|eval)'|https?:|\*/);
});
