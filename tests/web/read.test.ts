import { describe, expect, test } from "vitest";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { withoutRelease, withRelease, withReleaseKind, withText } from "../../web/src/question/edit.ts";
import { withDescription } from "../../web/src/question/from-description.ts";
import { fieldAt } from "../../web/src/question/path.ts";
import { SENTENCE_KINDS, withKind } from "../../web/src/question/question.ts";
import { fieldOf, read } from "../../web/src/question/read.ts";
import { withAny } from "./changed.ts";

describe("from texts to a description", () => {
  test.each(SENTENCE_KINDS)("the defaults of %s are a question", (kind) => {
    const { description, refusals } = read(withKind(kind));
    expect([...refusals]).toEqual([]);
    expect(description?.kind).toBe(kind);
  });
  test("small defaults are written as people write them", () => {
    expect(withKind("partition-selection").releases[0]?.texts).toMatchObject({ "mechanism-delta": "1e-6" });
    expect(withKind("gaussian-mixture").releases[0]?.texts).toMatchObject({
      probabilities: "0.98, 0.0199, 0.0001",
    });
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
    ["group", "0"],
    ["group", "2.5"],
    ["group", "1001"],
  ])("%s = %j is refused beside its field", (field, text) => {
    const { refusals, description } = read(withText(withKind("gaussian"), field, text));
    expect([...refusals.keys()]).toEqual([field]);
    expect(description).toBeNull();
  });
  test.each([
    ["prior", "0"],
    ["prior", "100"],
    ["prior", "abc"],
    ["exceptions", "0"],
    ["exceptions", "1.5"],
    ["false-positives", "100"],
    ["false-positives", ""],
  ])("%s = %j is refused beside its field, and hides no answer that does not depend on it", (field, text) => {
    const { refusals, beside, description, values } = read(withText(withKind("gaussian"), field, text));
    expect([...refusals]).toEqual([]);
    expect([...beside.keys()]).toEqual([field]);
    expect(values.has(field)).toBe(false);
    expect(description).not.toBeNull();
    // A parameter that keeps a suspicion within a limit depends on both.
    const limited = { ...withText(withText(withKind("gaussian"), "limit", "5"), field, text), ask: "sigma" };
    const found = read(limited);
    const isBeside = field === "false-positives";
    expect(found.refusals.has(field)).toBe(!isBeside);
    expect(found.beside.has(field)).toBe(isBeside);
    expect(found.description === null).toBe(!isBeside);
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

describe("groups and samples", () => {
  const group = withText(withKind("gaussian"), "group", "3");
  test("a group is part of the question, and may be asked about ε and δ", () => {
    for (const ask of ["epsilon", "delta"]) {
      const { values, refusals } = read({ ...group, ask });
      expect(refusals.size).toBe(0);
      expect(values.get("group")?.value).toBe(3);
    }
  });
  test("a parameter is found for one row only, and that is said at the group", () => {
    const { refusals, description } = read({ ...group, ask: "sigma" });
    expect(refusals.get("group")?.rule).toContain("one row only");
    expect(description).toBeNull();
  });
  test.each([
    ["add-remove", "poisson"],
    ["zero-out", "poisson"],
    ["replace", "without-replacement"],
  ] as const)("between tables of %s the sample is %s", (neighbours, sampling) => {
    const { description, refusals } = read(withAny({ ...withKind("gaussian"), neighbours }, "rate", "0.01"));
    expect([...refusals]).toEqual([]);
    expect(description).toMatchObject({ kind: "subsampled", sampling, neighbours, of: { neighbours } });
  });
});

test("the page says what a sensitivity is about where that is not what the question is about", () => {
  const asked = withAny({ ...withKind("gaussian"), neighbours: "replace" }, "rate", "0.01");
  const { description, refusals } = read(withText(asked, "sampling", "poisson"));
  expect([...refusals]).toEqual([]);
  expect(description).toMatchObject({
    sampling: "poisson",
    neighbours: "replace",
    of: { neighbours: "add-remove" },
  });
});

describe("several releases", () => {
  const sgd = withAny(withText(withKind("gaussian"), "count", "1000"), "rate", "0.01");
  const mixed = withReleaseKind(withRelease(sgd), 1, "laplace");

  test("one release on a sample is subsampled, without a composition around it", () => {
    const { description, parameter } = read({
      ...withAny(withKind("gaussian"), "rate", "1/4"),
      ask: "sigma",
    });
    expect(description).toMatchObject({
      kind: "subsampled",
      sampling: "poisson",
      rate: 0.25,
      of: { sigma: 1 },
    });
    expect(parameter).toBe("of.sigma");
  });
  test("repeated sampling and a second release", () => {
    expect(read(mixed).description).toMatchObject({
      kind: "composition",
      of: [
        { mechanism: { kind: "subsampled", rate: 0.01, of: { kind: "gaussian" } }, count: 1000 },
        { mechanism: { kind: "laplace" }, count: 1 },
      ],
    });
  });
  test.each([
    ["sigma", "of.0.mechanism.of.sigma"],
    ["rate", "of.0.mechanism.rate"],
    ["count", "of.0.count"],
    ["2.scale", "of.1.mechanism.scale"],
    ["2.count", "of.1.count"],
  ])("%s is sought at %s, and a refusal there stands beside it", (ask, path) => {
    const { parameter, refusals } = read({ ...mixed, ask });
    expect([...refusals]).toEqual([]);
    expect(parameter).toBe(path);
    expect(fieldAt(path, mixed)).toBe(ask);
  });
  test("the count of a single release is sought inside a composition", () => {
    const { description, parameter } = read({ ...withKind("gaussian"), ask: "count" });
    expect(description?.kind).toBe("composition");
    expect(parameter).toBe("of.0.count");
  });
  test("a clash of relations stands beside the kind", () => {
    expect([...read(withReleaseKind(mixed, 1, "matrix")).refusals.keys()]).toEqual(["2.kind"]);
    const rows = withReleaseKind(mixed, 1, "gaussian-mixing");
    expect([...read({ ...rows, neighbours: "replace" }).refusals.keys()]).toEqual(["2.kind"]);
  });
  test("a bad number stands beside its own field", () => {
    expect([...read(withText(mixed, "2.scale", "-1")).refusals.keys()]).toEqual(["2.scale"]);
    expect([...read(withText(mixed, "rate", "2")).refusals.keys()]).toEqual(["rate"]);
    expect([...read(withText(mixed, "2.count", "1.5")).refusals.keys()]).toEqual(["2.count"]);
  });
  test("every fault stands beside its own field, whatever else is wrong", () => {
    const wrong = withText(withText(withText(mixed, "sigma", "abc"), "2.scale", "-1"), "rate", "2");
    const several = withText(withText(wrong, "2.count", "0"), "delta", "");
    expect(new Set(read(several).refusals.keys())).toEqual(
      new Set(["sigma", "rate", "2.scale", "2.count", "delta"]),
    );
    expect(read(withText(withText(mixed, "2.scale", "-1"), "rate", "2")).refusals.size).toBe(2);
  });
  test("a sample that cannot be taken stands beside what cannot be sampled", () => {
    const question = withAny(withReleaseKind(mixed, 1, "rdp"), "2.rate", "0.1");
    const refusal = new Refusal("unsupported", "of", "rdp", "has no density pair", { shown: true });
    expect(fieldOf(refusal, question)).toBe("2.kind");
  });
  test("removing a release moves the later ones and the unknown up", () => {
    expect(withoutRelease({ ...mixed, ask: "2.scale" }, 0)).toMatchObject({
      ask: "scale",
      releases: [{ kind: "laplace" }],
    });
    expect(withoutRelease({ ...mixed, ask: "2.scale" }, 1).ask).toBe("epsilon");
    expect(withoutRelease({ ...mixed, ask: "delta" }, 0).ask).toBe("delta");
  });
});

describe("a whole mechanism as JSON", () => {
  const text = JSON.stringify({
    kind: "composition",
    of: [{ mechanism: { kind: "pure", epsilon: 1 }, count: 3 }],
  });
  test("is the question, at the level of the attributes", () => {
    const { question, skipped } = withDescription(
      text,
      new Map([
        ["delta", "1/n"],
        ["n", "100"],
      ]),
    );
    expect(skipped).toEqual([]);
    expect(read(question)).toMatchObject({ description: { kind: "composition" }, parameter: null });
    expect(read(question).values.get("delta")?.value).toBe(0.01);
  });
  test("its unknown is a path", () => {
    const asked = withDescription(text, new Map([["ask", "of.0.count"]]));
    expect(read(asked.question).parameter).toBe("of.0.count");
    expect(withDescription(text, new Map([["ask", "of.9.count"]])).skipped).toEqual(["ask=of.9.count"]);
  });
  test("malformed, unknown and contradicting ones are refused by name", () => {
    expect(() => withDescription("{", new Map())).toThrow(/^description = .*must be JSON/);
    expect(() => withDescription('{"kind":"magic"}', new Map())).toThrow(/^kind = /);
    expect(withDescription(text, new Map([["sigma", "1"]])).skipped).toEqual(["sigma"]);
  });
});
