import { describe, expect, test } from "vitest";
import { SENTENCE_KINDS, withKind, withText } from "../../web/src/question/question.ts";
import { fieldAt, read } from "../../web/src/question/read.ts";

describe("from texts to a description", () => {
  test.each(SENTENCE_KINDS)("the defaults of %s are a question", (kind) => {
    const { description, refusals } = read(withKind(kind));
    expect([...refusals]).toEqual([]);
    expect(description?.kind).toBe(kind);
  });
  test("expressions and n", () => {
    const question = withText(withText(withKind("gaussian"), "sigma", "sqrt(n)"), "n", "100");
    expect(read(question).description).toMatchObject({ kind: "gaussian", sigma: 10 });
  });
  test("a count above one is a composition, and the unknown lies inside it", () => {
    const { description, parameter } = read({
      ...withText(withKind("gaussian"), "count", "10"),
      ask: "sigma",
    });
    expect(description).toMatchObject({ kind: "composition", of: [{ count: 10 }] });
    expect(parameter).toBe("of.0.mechanism.sigma");
  });
  test.each([
    ["sigma", "abc"],
    ["sigma", "-1"],
    ["sigma", "0"],
    ["sensitivity", "1e999"],
    ["count", "1.5"],
    ["count", "0"],
    ["delta", ""],
    ["prior", "0"],
    ["prior", "100"],
  ])("%s = %j is refused beside its field", (field, text) => {
    const { refusals, description } = read(withText(withKind("gaussian"), field, text));
    expect([...refusals.keys()]).toEqual([field]);
    expect(description).toBeNull();
  });
  test("n is asked for only where it is used", () => {
    expect(read(withText(withKind("gaussian"), "n", "-5")).refusals.size).toBe(0);
    const used = withText(withText(withKind("gaussian"), "n", "-5"), "delta", "1/n");
    expect(read(used).refusals.has("n")).toBe(true);
  });
  test("the mechanism's own epsilon", () => {
    const { refusals } = read(withText(withKind("pure"), "mechanism-epsilon", "-1"));
    expect([...refusals.keys()]).toEqual(["mechanism-epsilon"]);
    expect(fieldAt("of.0.mechanism.epsilon", withKind("pure"))).toBe("mechanism-epsilon");
    expect(fieldAt("of.0.count", withKind("pure"))).toBe("count");
  });
});
