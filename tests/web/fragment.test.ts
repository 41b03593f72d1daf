import { describe, expect, test } from "vitest";
import { withRelease, withReleaseKind, withText } from "../../web/src/question/edit.ts";
import { decode, encode } from "../../web/src/question/fragment.ts";
import {
  fieldsOf,
  LEVEL_DEFAULTS,
  MOST_RELEASES,
  SENTENCE_KINDS,
  solvable,
  withKind,
} from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";
import { withAny } from "./changed.ts";

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

  test.each(SENTENCE_KINDS.flatMap((kind) => solvable(withKind(kind)).map((ask) => [kind, ask] as const)))(
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

  test("a group, its attacker and a sample of fixed size", () => {
    const sampled = withAny({ ...withKind("gaussian"), neighbours: "replace" }, "rate", "0.01");
    const question = withText(withText(sampled, "group", "3"), "false-positives", "0.1");
    expect(encode(question)).toBe(
      "#v1;ask=epsilon;kind=gaussian;sigma=1;sensitivity=1;rate=0.01;delta=1e-5;group=3;false-positives=0.1;neighbours=replace",
    );
    expect(decode(encode(question))).toEqual({ question, skipped: [] });
  });

  test("what the way of sampling has, and nothing that another one has", () => {
    const link =
      "#v1;ask=epsilon;kind=gaussian;sigma=1;sensitivity=1;sampling=fixed-order;epochs=20;delta=1e-5";
    const { question, skipped } = decode(`${link};neighbours=zero-out`);
    expect(skipped).toEqual([]);
    expect(encode(question)).toBe(`${link};neighbours=zero-out`);
    expect(read(question).description).toMatchObject({ sampling: "fixed-order", epochs: 20 });
    expect(decode(`${link};rate=0.1;neighbours=zero-out`).skipped).toEqual(["rate"]);
  });

  test("the shape of a stopping law, where it has one", () => {
    const link = (law: string) =>
      `#v1;ask=epsilon;kind=gdp;mu=0.3;runs=600;stopping=${law};delta=1e-5;neighbours=replace`;
    const { question, skipped } = decode(link("negative-binomial;shape=-0.5"));
    expect(skipped).toEqual([]);
    expect(encode(question)).toBe(link("negative-binomial;shape=-0.5"));
    expect(read(question).description).toMatchObject({ stopping: "negative-binomial", shape: -0.5 });
    expect(decode(link("geometric;shape=-0.5")).skipped).toEqual(["shape"]);
  });

  test("half a character is dropped, never an error", () => {
    expect(encode(withText(withKind("gaussian"), "sigma", "1\ud800"))).toContain("sigma=1;");
  });

  const longest = Array(1000).fill("-1.2345678901234567e-300").join(",");
  const lists = SENTENCE_KINDS.flatMap((kind) => {
    const fields = fieldsOf(kind).filter(({ entry }) => entry.type === "reals");
    // With the options without which there is no such list.
    const texts = fields.flatMap(({ key, entry }) => [
      ...Object.entries(entry.when ?? {}).map(([choice, [option = ""]]) => [choice, option] as const),
      [key, longest] as const,
    ]);
    return texts.length > 0 ? [[kind, texts] as const] : [];
  });

  test.each(lists)("the longest lists of %s survive, in as many releases as there may be", (kind, texts) => {
    const one = texts.reduce((question, [name, text]) => withText(question, name, text), withKind(kind));
    const [release] = one.releases;
    const many = { ...one, releases: [release, ...Array(MOST_RELEASES - 1).fill(release)] as const };
    for (const question of [one, many]) {
      const { question: back, skipped } = decode(encode(question));
      expect(skipped).toEqual([]);
      expect(back.releases).toHaveLength(question.releases.length);
      expect(back.releases.every((line) => JSON.stringify(line) === JSON.stringify(release))).toBe(true);
    }
  });

  test("awkward texts survive", () => {
    const awkward = "1; 2=%#<script>\u{1F600} é";
    expect(
      decode(encode(withText(withKind("gaussian"), "sigma", awkward))).question.releases[0].texts.sigma,
    ).toBe(awkward);
  });
});

describe("several releases in the address", () => {
  const two = withReleaseKind(withRelease(withKind("gaussian")), 1, "laplace");
  const question = withText(withAny(withText(two, "2.count", "200"), "rate", "0.01"), "2.scale", "4");

  test("are numbered, and the rate belongs to its release", () => {
    expect(encode(question)).toBe(
      "#v1;ask=epsilon;kind=gaussian;sigma=1;sensitivity=1;rate=0.01;2.kind=laplace;2.scale=4;2.sensitivity=1;2.count=200;delta=1e-5;neighbours=add-remove",
    );
  });

  test.each(solvable(question))("round trip, %s unknown", (ask) => {
    const fragment = encode({ ...question, ask });
    const { question: back, skipped } = decode(fragment);
    expect(skipped).toEqual([]);
    expect(back.ask).toBe(ask);
    expect(encode(back)).toBe(fragment);
  });

  test("an old link means what it always meant", () => {
    const old = "#v1;ask=sigma;kind=gaussian;sensitivity=1;count=10;epsilon=1;delta=1e-6;neighbours=replace";
    const { question: read, skipped } = decode(old);
    expect(skipped).toEqual([]);
    expect(read.releases).toEqual([
      { kind: "gaussian", around: [], texts: { sigma: "1", sensitivity: "1", count: "10" } },
    ]);
    expect(encode(read)).toBe(old);
  });

  test("a gap in the numbers, a zeroth release and a rate of nobody are named", () => {
    const { question: read, skipped } = decode(
      "#v1;kind=gaussian;3.kind=laplace;0.sigma=1;1.sigma=2;2.rate=0.1",
    );
    expect(read.releases).toHaveLength(1);
    expect(skipped).toEqual(expect.arrayContaining(["3.kind", "0.sigma", "1.sigma", "2.rate"]));
  });
});

describe("a fragment from outside", () => {
  test("unknown keys are named and skipped", () => {
    const { question, skipped } = decode("#v1;kind=laplace;scale=2;colour=red;sigma=4;neighbours=cousins");
    expect(question.releases[0].texts.scale).toBe("2");
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
    `#v1;sigma=${"9".repeat(1 << 22)}`,
    `#${";".repeat(3000)}`,
    "#v1;=;=;==",
  ])("%.60s does no harm and is reported", (fragment) => {
    const { question, skipped } = decode(fragment);
    expect(skipped.length).toBeGreaterThan(0);
    expect(question.releases.map(({ kind }) => kind)).toEqual(["gaussian"]);
    expect(Object.keys(question.releases[0].texts)).toEqual(["sigma", "sensitivity", "count"]);
    expect(Object.keys(question.texts)).toEqual(Object.keys(LEVEL_DEFAULTS));
    expect(({} as Record<string, unknown>).sigma).toBeUndefined();
  });

  test("no fragment is the worked example", () => {
    expect(decode("")).toEqual({ question: withKind("gaussian"), skipped: [] });
  });
});
