import { describe, expect, test } from "vitest";
import type { Calibration } from "../../wasm/contract.ts";
import { Refusal } from "../../wasm/engine/refusal.ts";
import { withKind } from "../../web/src/question/question.ts";
import { percent, spread } from "../../web/src/words/attack.ts";
import type { Side } from "../../web/src/words/numbers.ts";
import { atMost, eventSentence, odds, suspicion } from "../../web/src/words/odds.ts";
import {
  answerLine,
  calibrated,
  lastingNote,
  likelihoodSentence,
  refusalSentence,
  safeSide,
  verdict,
} from "../../web/src/words/sentences.ts";

describe("odds", () => {
  test("shares are rounded up, and never to certainty", () => {
    expect(atMost(0.69788765)).toBe("at most 69.79 %");
    expect(atMost(0.999999999)).toMatch(/^at most 99\.9999999\d+ %$/);
    expect(atMost(1 - 2 ** -53)).not.toBe("at most 100 %");
    expect(atMost(1)).toBe("certainty");
    let shares = 0;
    for (let i = 0; i < 2000; i++) {
      const share = i % 2 === 0 ? i / 2000 : 1 - 10 ** (-i / 140);
      const shown = /^at most ([\d.e-]+) %$/.exec(atMost(share));
      if (shown) {
        shares += 1;
        expect(Number(shown[1])).toBeGreaterThanOrEqual(100 * share);
        // Four digits, or so many more that what is missing to certainty has one.
        expect(Number(shown[1]) - 100 * share).toBeLessThanOrEqual(0.01 * (1 + 1e-9));
        if (share < 1 - 1e-12) expect(100 - Number(shown[1])).toBeGreaterThan(0);
      } else expect(share).toBeGreaterThan(1 - 1e-14);
    }
    expect(shares).toBeGreaterThan(1990);
  });
  test("certainty is said honestly", () => {
    const answer = { kind: "exact", neighbours: "replace", source: "" } as const;
    const sure = { lower: 0.9, upper: 1 };
    const said = odds({ ...answer, right: sure, wrong: { lower: 0.1, upper: 0.2 }, event: sure });
    expect(said).toMatchObject({ right: "certainty", event: "certainty" });
    expect(said.wrong).toMatch(/^at most 20/);
    expect(eventSentence(said)).toContain("may leave no doubt");
    expect(eventSentence({ ...said, event: "at most 3 %" })).toContain("makes it more than 3 %.");
  });
});

describe("the attacker", () => {
  const answer = {
    lower: 0.0926461,
    upper: 0.0926469,
    kind: "certified",
    neighbours: "replace",
    source: "",
  } as const;
  const shown = (end: number, side: Side) => `${percent(end, 4, side)} %`;
  test("shares are rounded against us and never above all", () => {
    expect(percent(0.0926469, 4, "up")).toBe("9.265");
    expect(percent(0.07, 2, "up")).toBe("7.1");
    expect(percent(1, 4, "up")).toBe("100");
  });
  test("a bound says no lower end", () => {
    expect(spread(answer, shown)).toBe("between 9.264 % and 9.265 %");
    expect(spread({ ...answer, kind: "bound" }, shown)).toBe("guaranteed to be at most 9.265 %");
  });
});

describe("sentences", () => {
  const answer = { lower: 4.37, upper: 4.3768, kind: "exact", neighbours: "add-remove", source: "" } as const;
  test("the relation is always in the answer line", () => {
    expect(answerLine("ε", answer, 1e-5, 4)).toBe("ε = 4.377 at δ = 1e-5, add or remove one row");
    expect(answerLine("ε", { ...answer, kind: "bound", neighbours: "replace" }, 1e-5, 4)).toBe(
      "ε ≤ 4.377 at δ = 1e-5, replace one row",
    );
    expect(answerLine("ε", { ...answer, upper: Number.POSITIVE_INFINITY }, 0, 4)).toContain("∞");
  });
  test("a group is named wherever the relation is", () => {
    expect(answerLine("δ", answer, 1, 4, 3)).toBe("δ = 4.377 at ε = 1, add or remove up to 3 rows");
    expect(likelihoodSentence(1, 0, 3)).toContain("another that differs in 3 rows");
    expect(suspicion("add-remove", 1)).toBe("a given person’s row is in the table");
    expect(suspicion("replace", 3)).toBe("the rows of a given group of 3 are these and not those");
  });
  test("the likelihood factor is rounded up", () => {
    expect(likelihoodSentence(Math.log(3), 0)).toContain("factor of 3.001.");
    expect(likelihoodSentence(5000, 0)).toContain("factor of e^5000.");
    expect(likelihoodSentence(0, 1e-5)).toContain("plus at most δ = 1e-5");
    expect(likelihoodSentence(Number.POSITIVE_INFINITY, 1e-5)).toContain(
      "No finite ε is known to have this δ",
    );
  });
  test("a refusal names field, value and rule", () => {
    expect(
      refusalSentence(
        new Refusal("range", "sigma", -1, "between 1e-100 and 1e100"),
        "noise standard deviation",
      ),
    ).toBe("Noise standard deviation “-1”: between 1e-100 and 1e100.");
    const asks = {
      kind: "unknown",
      value: "gausian",
      rule: "not in the catalogue; did you mean gaussian?",
    } as const;
    expect(refusalSentence(asks, "kind")).toBe(`Kind “gausian”: ${asks.rule}`);
    // Δ is another quantity.
    expect(refusalSentence({ ...asks, value: "2", rule: "must be less" }, "δ")).toBe("δ “2”: must be less.");
    const long = new Refusal("malformed", "sigma", "9".repeat(201), "at most 200 characters");
    expect(refusalSentence(long, "sigma")).toBe(`Sigma “${"9".repeat(80)}…”: at most 200 characters.`);
  });
  test("a found parameter is rounded to where the promise holds", () => {
    expect(safeSide(withKind("gaussian"), "sigma")).toBe("up");
    expect(safeSide(withKind("gaussian"), "sensitivity")).toBe("down");
    expect(safeSide(withKind("discrete-laplace"), "sensitivity")).toBe("nearest");
  });
  test("a value that must not be rounded keeps every digit, and says from where on it may be", () => {
    const found = { value: 0.612335670768186, insufficient: 0.61233567, epsilon: { lower: 16, upper: 16 } };
    const steady = { ...found, lasting: found.value } as Calibration;
    const later = { ...found, lasting: 0.703379579724 } as Calibration;
    const never = { ...found, lasting: null } as Calibration;
    expect(calibrated(steady, 4, "up")).toBe("0.6124");
    expect(lastingNote("σ", steady, 4, "up")).toBe("");
    for (const risky of [later, never]) expect(calibrated(risky, 4, "up")).toBe("0.612335670768186");
    expect(lastingNote("σ", later, 4, "up")).toBe(
      "A larger σ may break the promise: use every digit. From σ = 0.7034 on, every larger one keeps it.",
    );
    expect(lastingNote("σ", never, 4, "up")).toContain("No value is known");
  });
  test("a broken promise is said in words", () => {
    const row = {
      accountant: "textbook",
      source: "",
      claimed: 10,
      value: 0.48,
      actual: { lower: 10.3934, upper: 10.3935 },
      broken: true,
    } as const;
    expect(verdict(row)).toBe("promise broken: really ε ≥ 10.39");
    expect(verdict({ ...row, claimed: 10.3935, broken: false })).toBe("kept");
  });
});
