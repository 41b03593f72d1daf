import { describe, expect, test } from "vitest";
import type { Description } from "../../wasm/contract.ts";
import { csv, figure, hasBand, PAPER } from "../../web/src/charts/figure.ts";
import type { Outcome } from "../../web/src/question/outcome.ts";
import { withKind, withText } from "../../web/src/question/question.ts";
import { json } from "../../web/src/share/json.ts";
import { latex, latexNumber } from "../../web/src/share/latex.ts";
import { dpAccounting, openDp } from "../../web/src/share/python.ts";
import { tag } from "../../web/src/share/tag.ts";
import { escapeMarkup } from "../../web/src/words/markup.ts";

const gaussian: Description = { kind: "gaussian", sigma: 2, sensitivity: 1 };
const asked = (description: Description) =>
  ({ description, epsilon: 1, delta: 1e-5, ask: "epsilon" }) as const;
const answer = {
  lower: 1.99,
  upper: 1.9931,
  kind: "exact",
  neighbours: "add-remove",
  source: "Balle and Wang 2018, Theorem 8",
} as const;
const outcome: Outcome = {
  question: withText(withKind("gaussian"), "sigma", "2"),
  description: gaussian,
  found: { ask: "epsilon", answer },
  epsilon: 1.9931,
  delta: 1e-5,
  prior: 0.5,
  belief: 0.2,
};

describe("Python", () => {
  test("dp_accounting", () => {
    const { text, supported } = dpAccounting(asked(gaussian));
    expect(supported).toBe(true);
    expect(text).toContain("loss = pld.from_gaussian_mechanism(2, sensitivity=1)");
    expect(text).toContain("print(loss.get_epsilon_for_delta(0.00001))");
  });
  test("the discrete Laplace parameter is the inverse of the scale there", () => {
    expect(dpAccounting(asked({ kind: "discrete-laplace", scale: 4, sensitivity: 3 })).text).toContain(
      "from_discrete_laplace_mechanism(1 / 4, sensitivity=3)",
    );
  });
  test("repeated releases", () => {
    const composed: Description = { kind: "composition", of: [{ mechanism: gaussian, count: 12 }] };
    expect(dpAccounting(asked(composed)).text).toContain("loss = loss.self_compose(12)");
    expect(openDp(asked(composed)).text).toContain("[release] * 12");
  });
  test("OpenDP: reals are written as reals", () => {
    const { text } = openDp(asked(gaussian));
    expect(text).toContain("scale=2.0)");
    expect(text).toContain("make_zCDP_to_approxDP(release).map(d_in=1.0)");
    expect(text).toContain("profile.epsilon(delta=0.00001)");
  });
  test("what a library cannot do is said and not invented", () => {
    for (const snippet of [
      openDp(asked({ kind: "gdp", mu: 1 })),
      dpAccounting(asked({ kind: "tcdp", rho: 1, omega: 3 })),
      dpAccounting(asked({ kind: "exponential", epsilon: 1 })),
    ]) {
      expect(snippet.supported).toBe(false);
      expect(snippet.text).toMatch(/has no accountant for/);
    }
  });
});

describe("LaTeX, JSON, HTML", () => {
  test("numbers", () => {
    expect(latexNumber(1e-5)).toBe("10^{-5}");
    expect(latexNumber(2.5e-7)).toBe("2.5 \\times 10^{-7}");
    expect(latexNumber(Number.POSITIVE_INFINITY)).toBe("\\infty");
  });
  test("the sentence states level and relation", () => {
    const text = latex(outcome);
    expect(text).toContain("$\\sigma = 2$");
    expect(text).toContain("$\\varepsilon = 1.9931$ and $\\delta = 10^{-5}$");
    expect(text).toContain("adding or removing one row");
  });
  test("JSON reads back, with the question as the command line takes it", () => {
    const back = JSON.parse(json(outcome, "1.2.3"));
    expect(back).toMatchObject({
      question: { ask: "epsilon", description: gaussian, delta: 1e-5 },
      answer,
      version: "1.2.3",
    });
    expect(
      json(
        { ...outcome, found: { ask: "epsilon", answer: { ...answer, upper: Number.POSITIVE_INFINITY } } },
        "",
      ),
    ).toContain('"Infinity"');
  });
  test("a tag spells the question and escapes", () => {
    expect(tag("epsilon-answer", outcome.question)).toBe(
      '<epsilon-answer kind="gaussian" sigma="2" sensitivity="1" delta="1e-5" neighbours="add-remove"></epsilon-answer>',
    );
    expect(tag("epsilon-answer", withText(outcome.question, "sigma", '"><script>'))).not.toContain("<script");
  });
});

describe("the figure", () => {
  const epsilons = Float64Array.of(0, 1, 2);
  const curve = { ...answer, lower: Float64Array.of(0.5, 0.1, 0), upper: Float64Array.of(0.6, 0.2, 0) };
  const profile = { epsilons, curve, floor: 1e-7, mark: { epsilon: 1, delta: 0.2 } };
  test("draws numbers only, and a zero leaves through the lower edge", () => {
    const text = figure(profile, { width: 600, height: 300 }, PAPER, "a < b");
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
    expect(text).toContain("<desc>a &lt; b</desc>");
    expect(text).toContain("ε = 1, δ = 0.2");
    expect(hasBand(profile)).toBe(true);
  });
  test("a constant profile and no mark", () => {
    const flat = { ...curve, lower: Float64Array.of(0.1, 0.1, 0.1), upper: Float64Array.of(0.1, 0.1, 0.1) };
    expect(figure({ ...profile, curve: flat, mark: null }, { width: 300, height: 200 }, PAPER)).not.toMatch(
      /NaN/,
    );
  });
  test("points as CSV", () =>
    expect(csv(profile).split("\n").slice(0, 2)).toEqual(["epsilon,delta_lower,delta_upper", "0,0.5,0.6"]));
  test("escaping", () => expect(escapeMarkup(`<&>"`)).toBe("&lt;&amp;&gt;&quot;"));
});
