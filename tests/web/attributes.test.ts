/** What the attributes of a widget spell, as HTML hands them over: names in small letters, texts as they are. */

import { describe, expect, test } from "vitest";
import { WRAPPER_KINDS } from "../../wasm/engine/kinds.ts";
import { isForeign } from "../../web/src/elements/foreign.ts";
import { questionOf } from "../../web/src/question/attributes.ts";
import { withRelease, withReleaseKind, withText } from "../../web/src/question/edit.ts";
import { QUANTITIES } from "../../web/src/question/expression.ts";
import { decode, encode } from "../../web/src/question/fragment.ts";
import { KEYS, SUSPICION_KEYS } from "../../web/src/question/key-values.ts";
import {
  fieldsAround,
  fieldsOf,
  isLimited,
  type Question,
  SENTENCE_KINDS,
} from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";
import { didYouMean, meant } from "../../web/src/question/suggestion.ts";
import { tag } from "../../web/src/share/tag.ts";
import { changed, EVERY } from "./changed.ts";

/** A tag as an HTML parser reads it. */
function attributesOf(text: string): Map<string, string> {
  const opening = text.slice(0, text.indexOf(">"));
  const pairs = [...opening.matchAll(/ ([^\s=]+)="([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [
      name.toLowerCase(),
      value
        .replaceAll("&quot;", '"')
        .replaceAll("&lt;", "<")
        .replaceAll("&gt;", ">")
        .replaceAll("&amp;", "&"),
    ],
  );
  return new Map(pairs);
}

function back(text: string): Question {
  const record = attributesOf(text);
  const description = record.get("description");
  record.delete("description");
  return questionOf(record, description);
}

describe("the copied tag computes what the page shows", () => {
  test("for every kind, parameter, relation, repetition, sample, group and unknown", () => {
    let told = 0;
    for (const question of EVERY) {
      const { description, parameter, values } = read(question);
      // What the page itself refuses is never copied.
      if (!description) continue;
      told++;
      const pasted = read(back(tag("epsilon-answer", question, description)));
      expect(pasted.description).toEqual(description);
      expect(pasted.parameter).toBe(parameter);
      for (const name of ["epsilon", "delta", "group"])
        if (name !== question.ask) expect(pasted.values.get(name)?.value).toBe(values.get(name)?.value);
    }
    console.log(`${told} of ${EVERY.length} questions`);
    expect(told).toBeGreaterThan(1000);
  });

  test("for two releases, whichever part is the unknown", () => {
    for (const kind of SENTENCE_KINDS) {
      const first = withText(changed("gaussian", { rate: "0.02", count: "40" }), "prior", "10");
      const both = withReleaseKind(withRelease(first), 1, kind);
      for (const ask of ["epsilon", "delta", "sigma", "rate", "count", "2.count"]) {
        const question = { ...both, ask };
        const { description, parameter } = read(question);
        if (!description) continue;
        const text = tag("epsilon-answer", question, description);
        expect(text).not.toContain("prior");
        const pasted = read(back(text));
        expect(pasted.description).toEqual(description);
        expect(pasted.parameter).toBe(parameter);
      }
    }
  });

  test("attributes have no capital letters, which HTML would lose", () =>
    expect(KEYS.filter((key) => key !== key.toLowerCase())).toEqual([]));
});

const record = (kind: string, texts: Readonly<Record<string, string>>) =>
  new Map(Object.entries({ kind, delta: "1e-5", ...texts }));
const whole = (question: Question) =>
  attributesOf(tag("epsilon-answer", question, { kind: "pure", epsilon: 1 }));

describe("a limit on a suspicion", () => {
  const limited = { ...withText(changed("gaussian"), "limit", "5"), ask: "sigma" };
  const full = attributesOf(tag("epsilon-answer", limited, { kind: "pure", epsilon: 1 }));

  test("is spelled whole, without the ε that it stands for", () => {
    expect([...full.keys()]).toEqual(expect.arrayContaining(["prior", "limit", "exceptions"]));
    expect(full.has("epsilon")).toBe(false);
    const back = questionOf(full, undefined);
    expect(isLimited(back)).toBe(true);
    expect(read(back).values.get("limit")?.value).toBe(5);
  });
  test("lacks no number of the suspicion", () => {
    for (const name of ["prior", "exceptions"]) {
      const lacking = new Map([...full].filter(([one]) => one !== name));
      expect(() => questionOf(lacking, undefined)).toThrow(new RegExp(`^${name} = .*must be given`));
    }
  });
  test("stands beside no ε, and its numbers nowhere else", () => {
    expect(() => questionOf(new Map([...full, ["epsilon", "1"]]), undefined)).toThrow("epsilon");
    const asked = new Map([...full, ["ask", "epsilon"], ["sigma", "1"]]);
    expect(() => questionOf(asked, undefined)).toThrow("means nothing without limit");
    const without = new Map([...full].filter(([name]) => name !== "limit"));
    expect(() => questionOf(new Map([...without, ["epsilon", "1"]]), undefined)).toThrow("prior");
  });
  test("is more than the suspicion, and less than certainty", () => {
    for (const limit of ["1", "0.5", "100", "x"])
      expect([...read(withText(limited, "limit", limit)).refusals.keys()]).toEqual(["limit"]);
  });
  test("is in the link, where a parameter is asked for", () => {
    const { question, skipped } = decode(encode(limited));
    expect(skipped).toEqual([]);
    expect(isLimited(question)).toBe(true);
    expect(question.texts).toMatchObject({ prior: "1", limit: "5", exceptions: "1e-6" });
    expect(encode({ ...limited, ask: "epsilon" })).not.toContain("limit");
  });
});

describe("what is missing is refused by name", () => {
  test.each(SENTENCE_KINDS)("each attribute of %s", (kind) => {
    const full = whole(changed(kind));
    expect(() => questionOf(full, undefined)).not.toThrow();
    for (const name of full.keys()) {
      const field = fieldsOf(kind).find(({ key }) => key === name);
      if (name === "neighbours" || (field?.entry.type === "choice" && field.entry.optional)) continue;
      const lacking = new Map([...full].filter(([one]) => one !== name));
      expect(() => questionOf(lacking, undefined), name).toThrow(new RegExp(`^${name} = .*must be given`));
    }
  });
  test("n, where an expression uses it", () => {
    expect(() =>
      questionOf(record("gaussian", { sigma: "1", sensitivity: "1", delta: "1/n" }), undefined),
    ).toThrow("the attribute n must be given, because an expression uses it");
    expect(() => questionOf(new Map([["delta", "1/n"]]), '{"kind":"pure","epsilon":1}')).toThrow(
      "attribute n must",
    );
  });
  test("the level, where the drawing depends on it", () => {
    const own = new Map([
      ["kind", "pure"],
      ["mechanism-epsilon", "1"],
    ]);
    expect(() => questionOf(own, undefined, true)).toThrow("attribute delta must be given");
    expect(questionOf(own, undefined, false).ask).toBe("epsilon");
    own.set("ask", "mechanism-epsilon").delete("mechanism-epsilon");
    expect(() => questionOf(own, undefined, false)).toThrow("attribute epsilon must be given");
  });
});

/** Of what may be around every kind. */
const AROUND_KEYS = WRAPPER_KINDS.flatMap(fieldsAround).map(({ key }) => key);

describe("what means nothing is refused by name, with the name that was meant", () => {
  test.each(SENTENCE_KINDS)("an attribute of another kind beside %s", (kind) => {
    const own = new Set([
      ...whole(changed(kind)).keys(),
      "count",
      ...AROUND_KEYS,
      // Of other options than those chosen: refused by what they belong to.
      ...fieldsOf(kind).map(({ key }) => key),
      "group",
      "n",
      "ask",
      "epsilon",
      "delta",
      ...Object.keys(QUANTITIES),
      ...SUSPICION_KEYS,
    ]);
    for (const name of KEYS.filter((key) => !own.has(key)))
      expect(() => questionOf(new Map([...whole(changed(kind)), [name, "1"]]), undefined), name).toThrow(
        `no parameter of ${kind}`,
      );
  });
  test.each([
    ["sigm", "sigma"],
    ["sigmaa", "sigma"],
    ["sgima", "sigma"],
    ["sketchSize", "sketch-size"],
    ["sketchsize", "sketch-size"],
    ["outputsigma", "output-sigma"],
    ["gradienttolerance", "gradient-tolerance"],
    ["mechanismepsilon", "mechanism-epsilon"],
    ["sens", "sensitivity"],
    ["neighbors", "neighbours"],
    ["eps", "epsilon"],
    ["colour", undefined],
  ])("%s: %s", (name, right) => expect(meant(name, [...KEYS, "description"])).toBe(right));
  test("every name is understood in the spelling of JavaScript, in small letters and with one slip", () => {
    for (const { key } of SENTENCE_KINDS.flatMap(fieldsOf)) {
      const camel = key.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
      expect(meant(camel, KEYS)).toBe(key);
      expect(meant(camel.toLowerCase(), KEYS)).toBe(key);
      if (key.length > 3) expect(didYouMean(`${key.slice(0, -1)}x`, KEYS)).toMatch(/did you mean/);
    }
  });
  test.each([
    [{ kind: "gausian" }, undefined, "did you mean gaussian?"],
    [{ kind: "composition" }, undefined, "description"],
    [{ kind: "gaussian", neighbours: "add-remov" }, undefined, "did you mean add-remove?"],
    [
      { kind: "objective-perturbation", neighbours: "replace" },
      undefined,
      "must be one of add-remove, zero-out",
    ],
    [{ kind: "gaussian", ask: "sigm" }, undefined, "did you mean sigma?"],
    [{ kind: "gaussian" }, '{"kind":"pure","epsilon":1}', "means nothing beside description"],
    [{ ask: "epsilom" }, '{"kind":"pure","epsilon":1}', "did you mean epsilon?"],
    [
      { ask: "of.0.mechanism.sigm" },
      '[{"kind":"gaussian","sigma":1,"sensitivity":1}]',
      "did you mean of.0.mechanism.sigma?",
    ],
    [{}, "{", "must be JSON"],
    [{}, "", "must be JSON"],
  ])("%j beside %s", (texts, description, words) =>
    expect(() => questionOf(new Map(Object.entries({ delta: "1e-5", ...texts })), description)).toThrow(
      words,
    ),
  );
});

test("what every element may carry is none of ours, and what may be a slip is", () => {
  const ordinary =
    "class id style title lang dir hidden slot part role tabindex nonce is popover inert translate itemprop data-x " +
    "data-v-1a2b aria-label onclick onpointerdown @click :sigma v-on:click x-data _ngcontent-abc-c12 ng-version xml:lang";
  for (const name of ordinary.split(" ")) expect(isForeign(name), name).toBe(true);
  for (const name of ["sigm", "sketchsize", "sketchSize", "eps", "delt", "curve", "digit", "no", "n"])
    expect(isForeign(name), name).toBe(false);
  expect(KEYS.filter(isForeign)).toEqual([]);
});
