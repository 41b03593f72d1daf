import { describe, expect, test } from "vitest";
import { decode, encode } from "../../web/src/question/fragment.ts";
import { KEYS, SENTENCE_KINDS, solvable, withKind, withText } from "../../web/src/question/question.ts";

describe("the question in the address", () => {
  test("is readable", () => {
    expect(encode(withKind("gaussian"))).toBe(
      "#v1;ask=epsilon;kind=gaussian;sigma=1;sensitivity=1;delta=1e-5;neighbours=add-remove",
    );
  });

  test("keeps expressions as they were written", () => {
    const question = withText(withText(withKind("gaussian"), "delta", "1/n^1.1"), "n", "5000");
    expect(encode(question)).toContain("delta=1/n^1.1;n=5000");
    expect(decode(encode(question)).question).toEqual(question);
  });

  test.each(SENTENCE_KINDS.flatMap((kind) => solvable(kind).map((ask) => [kind, ask] as const)))(
    "round trip: %s, %s unknown",
    (kind, ask) => {
      const question = withText({ ...withKind(kind), ask }, "count", "3");
      const { question: back, skipped } = decode(encode(question));
      expect(skipped).toEqual([]);
      expect(encode(back)).toBe(encode(question));
      expect(back.ask).toBe(ask);
    },
  );

  test("a mechanism's own epsilon is not the level's", () => {
    const fragment = encode({ ...withText(withKind("approximate"), "mechanism-epsilon", "7"), ask: "delta" });
    expect(fragment).toContain("mechanism-epsilon=7");
    expect(fragment).toContain(";epsilon=1;");
  });

  test("half a character is dropped, never an error", () => {
    expect(encode(withText(withKind("gaussian"), "sigma", "1\ud800"))).toContain("sigma=1;");
  });

  test("awkward texts survive", () => {
    const awkward = "1; 2=%#<script>\u{1F600} é";
    expect(decode(encode(withText(withKind("gaussian"), "sigma", awkward))).question.texts.sigma).toBe(
      awkward,
    );
  });
});

describe("a fragment from outside", () => {
  test("unknown keys are named and skipped", () => {
    const { question, skipped } = decode("#v1;kind=laplace;scale=2;colour=red;sigma=4;neighbours=cousins");
    expect(question.texts.scale).toBe("2");
    expect(question.neighbours).toBe("add-remove");
    expect(skipped).toEqual(expect.arrayContaining(["colour", "sigma", "neighbours=cousins"]));
  });

  test.each([
    "#v2;kind=gaussian",
    "#garbage",
    "#v1;__proto__=1;constructor=2;toString=3;hasOwnProperty=4",
    "#v1;kind=__proto__;ask=constructor",
    "#v1;sigma=%E0%A4%A;delta",
    "#v1;kind=composition;of=[]",
    "#v1;sigma=1;sigma=2",
    `#v1;sigma=${"9".repeat(100000)}`,
    `#${";".repeat(3000)}`,
    "#v1;=;=;==",
  ])("%.60s does no harm and is reported", (fragment) => {
    const { question, skipped } = decode(fragment);
    expect(skipped.length).toBeGreaterThan(0);
    expect(question.kind).toBe("gaussian");
    expect(Object.keys(question.texts).every((key) => KEYS.includes(key))).toBe(true);
    expect(({} as Record<string, unknown>).sigma).toBeUndefined();
  });

  test("no fragment is the worked example", () => {
    expect(decode("")).toEqual({ question: withKind("gaussian"), skipped: [] });
  });
});
