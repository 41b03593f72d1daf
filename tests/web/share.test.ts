import { describe, expect, test } from "vitest";
import type { Description } from "../../wasm/contract.ts";
import { KINDS, type KindEntry } from "../../wasm/engine/catalogue.ts";
import { csv, hasBand, legend, spoken } from "../../web/src/charts/axes.ts";
import { figure, PAPER } from "../../web/src/charts/figure.ts";
import { withRelease, withReleaseKind, withText } from "../../web/src/question/edit.ts";
import type { Outcome, Plot } from "../../web/src/question/outcome.ts";
import { type Question, SENTENCE_KINDS, solvable, withKind } from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";
import { json } from "../../web/src/share/json.ts";
import { latex, latexNumber, latexSymbol } from "../../web/src/share/latex.ts";
import { dpAccounting, openDp } from "../../web/src/share/python.ts";
import { tag } from "../../web/src/share/tag.ts";
import { escapeMarkup } from "../../web/src/words/markup.ts";

const gaussian: Description = { kind: "gaussian", sigma: 2, sensitivity: 1 };
const asked = (description: Description) =>
  ({ description, epsilon: 1, delta: 1e-5, ask: "epsilon", group: 1 }) as const;
const answer = {
  lower: 1.99,
  upper: 1.9931,
  kind: "exact",
  neighbours: "add-remove",
  source: "Balle and Wang 2018, Theorem 8",
} as const;
const question = withText(withKind("gaussian"), "sigma", "2");
const outcome: Outcome = {
  question,
  reading: read(question),
  description: gaussian,
  found: { ask: "epsilon", answer },
  epsilon: 1.9931,
  delta: 1e-5,
  group: 1,
  prior: 0.5,
  falsePositives: 0.01,
  exceptions: 1e-6,
  posterior: null,
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
  test("partition selection is told by the pair that it was made for, and said to be", () => {
    const { text, supported } = dpAccounting(asked({ kind: "partition-selection", epsilon: 1, delta: 1e-5 }));
    expect(supported).toBe(true);
    expect(text).toContain("from_privacy_parameters(common.DifferentialPrivacyParameters(1, 0.00001))");
    expect(text).toMatch(/^# No partition selection there: .* an upper bound\.$/m);
    expect(openDp(asked({ kind: "partition-selection", epsilon: 1, delta: 1e-5 })).text).toContain(
      "kind partition-selection",
    );
  });
  test("a constant beside ρ stands in every divergence, as often as it runs", () => {
    const composed: Description = {
      kind: "composition",
      of: [{ mechanism: { kind: "xi-zcdp", xi: 0.5, rho: 0.25 }, count: 4 }],
    };
    expect(dpAccounting(asked(composed)).text).toContain("divergences = [2 + 1 * order for order in orders]");
    expect(openDp(asked(composed)).text).toContain("kind xi-zcdp");
  });
  test("a random answer in place of one's own is another question than the libraries answer", () => {
    const told = (other: "another" | "random") =>
      ({ kind: "randomized-response", categories: 8, epsilon: 1, other }) as const;
    for (const snippet of [dpAccounting, openDp]) {
      expect(snippet(asked(told("another"))).supported).toBe(true);
      expect(snippet(asked(told("random"))).text).toMatch(
        /no accountant for .* a random answer is told instead\.$/,
      );
    }
    const list: Description = { kind: "composition", of: [{ mechanism: told("random"), count: 3 }] };
    expect(dpAccounting(asked(list)).supported).toBe(false);
  });
  test("a snippet asks what was asked: OpenDP has no δ of what it knows a pure ε of", () => {
    const pure: readonly Description[] = [
      { kind: "laplace", scale: 1, sensitivity: 1 },
      { kind: "discrete-laplace", scale: 1, sensitivity: 1 },
      { kind: "randomized-response", categories: 2, epsilon: 1 },
    ];
    for (const description of pure) {
      expect(openDp(asked(description)).supported).toBe(true);
      expect(openDp({ ...asked(description), ask: "delta" }).text).toMatch(
        /no accountant for δ .* a pure ε\.$/,
      );
    }
    expect(openDp({ ...asked(gaussian), ask: "delta" }).text).toContain("profile.delta(epsilon=1)");
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
  const sgd: Description = {
    kind: "composition",
    of: [
      { mechanism: { kind: "subsampled", sampling: "poisson", rate: 0.01, of: gaussian }, count: 1000 },
      { mechanism: { kind: "laplace", scale: 20, sensitivity: 2 }, count: 1 },
    ],
  };
  test("sampled and different releases are events", () => {
    const { text } = dpAccounting(asked(sgd));
    expect(text).toContain(
      "dp_event.SelfComposedDpEvent(dp_event.PoissonSampledDpEvent(0.01, dp_event.GaussianDpEvent(2)), 1000),",
    );
    expect(text).toContain("    dp_event.LaplaceDpEvent(20 / 2),");
    expect(text).toContain("event = dp_event.ComposedDpEvent([");
    expect(text).toContain("accountant.get_epsilon(0.00001)");
    expect(openDp(asked(sgd)).text).toContain("random sample");
  });
  test("a sample of fixed size is named, and given to no accountant that lacks it", () => {
    const sample: Description = {
      kind: "subsampled",
      sampling: "without-replacement",
      rate: 0.01,
      of: gaussian,
    };
    const text = latex({ ...outcome, description: sample });
    expect(text).toContain("on a sample of fixed size drawn without replacement of rate $q = 0.01$");
    expect(dpAccounting(asked(sample)).text).toContain("no accountant for samples of fixed size");
    expect(openDp(asked(sample)).supported).toBe(false);
    const other: Description = { ...sample, sampling: "poisson", of: { kind: "exponential", epsilon: 1 } };
    expect(dpAccounting(asked(other)).text).toContain("Poisson sampling of the kind exponential");
  });
  test("a law of the number of runs is said with the shape that it has", () => {
    const best = { kind: "private-selection", runs: 10, of: gaussian } as const;
    const text = (description: Description) => latex({ ...outcome, description });
    expect(text({ ...best, stopping: "geometric" })).toMatch(
      /as the best of several runs with \$E\[K\] = 10\$, geometric\S/,
    );
    expect(text({ ...best, stopping: "negative-binomial", shape: -0.5 })).toMatch(
      /as the best of several runs with \$E\[K\] = 10\$, negative-binomial \$\\eta = -0\.5\$/,
    );
  });
  test("a group is part of every copy, or the copy is refused", () => {
    const group = { ...asked(gaussian), group: 3 };
    for (const snippet of [dpAccounting(group), openDp(group)]) {
      expect(snippet).toMatchObject({ supported: false, text: expect.stringContaining("group of rows") });
    }
    expect(latex({ ...outcome, group: 3 })).toContain("adding or removing up to $3$ rows");
    const question = withText(outcome.question, "group", "3");
    expect(JSON.parse(json({ ...outcome, group: 3 }, "")).question).toEqual({
      ask: "epsilon",
      description: gaussian,
      delta: 1e-5,
      group: 3,
    });
    expect(tag("epsilon-answer", question, gaussian)).toContain('group="3"');
  });
  test("LaTeX lists the releases", () => {
    const question = withReleaseKind(withRelease(withKind("gaussian")), 1, "laplace");
    const text = latex({ ...outcome, question, description: sgd });
    expect(text).toContain(
      "run $k = 1000$ times on Poisson samples of rate $q = 0.01$; and then Laplace noise",
    );
    expect(text).toContain("; together these are $(\\varepsilon, \\delta)$-differentially private");
  });
  const parts: Description = {
    kind: "composition",
    of: [
      { mechanism: gaussian, count: 3 },
      { mechanism: { kind: "laplace", scale: 5, sensitivity: 1 }, count: 1 },
    ],
  };
  test.each<[string, Description]>([
    ["selection", { kind: "private-selection", stopping: "geometric", runs: 5, of: parts }],
    ["sample", { kind: "subsampled", sampling: "poisson", rate: 0.5, of: parts }],
    ["list", { kind: "composition", of: [{ mechanism: parts, count: 2 }] }],
    [
      "sample in a list in a selection",
      {
        kind: "private-selection",
        stopping: "geometric",
        runs: 5,
        of: {
          kind: "composition",
          of: [{ mechanism: { kind: "subsampled", sampling: "poisson", rate: 0.5, of: parts }, count: 7 }],
        },
      },
    ],
  ])("LaTeX names the parts of a list inside a %s", (_, description) => {
    const text = latex({ ...outcome, question: { ...question, given: description }, description });
    expect(text).toContain(
      "Several releases (Gaussian noise with noise standard deviation $\\sigma = 2$ and L2 sensitivity $\\Delta = 1$, run $k = 3$ times; and then Laplace noise with",
    );
    expect(text).toContain("$b = 5$");
  });
  test("a number of a part inside is not the one that was asked for", () => {
    const one = 0.123456789012345;
    const selection = (runs: number, of: Description): Description => ({
      kind: "private-selection",
      stopping: "geometric",
      runs,
      of,
    });
    const description = selection(one, {
      kind: "composition",
      of: [{ mechanism: selection(one, gaussian), count: 2 }],
    });
    const calibration = { ...answer, value: one, lasting: one };
    const text = latex({
      ...outcome,
      question: { ...question, given: description, ask: "runs" },
      description,
      found: { ask: "parameter", calibration },
    } as unknown as Outcome);
    expect([...text.matchAll(/E\[K\] = ([\d.]+)/g)].map(([, shown]) => shown)).toEqual([
      String(one),
      "0.123456",
    ]);
  });
  test("a found value has every digit where one more private may break the promise", () => {
    const sigma = 0.2499876543210123;
    const said = (lasting: number | null) => {
      const calibration = { ...answer, value: sigma, lasting };
      const description = { ...gaussian, sigma };
      const found = { ask: "parameter", calibration };
      return latex({
        ...outcome,
        question: { ...question, ask: "sigma" },
        description,
        found,
      } as unknown as Outcome);
    };
    for (const lasting of [null, 0.5]) expect(said(lasting)).toContain(`$\\sigma = ${sigma}$`);
    expect(said(sigma)).toContain("$\\sigma = 0.249988$");
  });
  test("a tag of several releases spells the whole mechanism", () => {
    const question = withReleaseKind(withRelease(withKind("gaussian")), 1, "laplace");
    const text = tag("epsilon-answer", question, sgd);
    expect(text).toContain('description="{&quot;kind&quot;:&quot;composition&quot;');
    expect(text).toContain('delta="1e-5"');
    expect(text).not.toContain("2.kind");
    expect(tag("epsilon-answer", withText(question, "group", "3"), sgd)).toContain(' group="3"');
  });
  test("such a tag says only those quantities of which its level speaks", () => {
    const two = withReleaseKind(withRelease(withKind("gaussian")), 1, "laplace");
    const counted = withText(withText(withText(two, "count", "passes*n"), "passes", "20"), "n", "50000");
    expect(tag("epsilon-answer", counted, sgd)).not.toMatch(/ (n|passes|batch)="/);
    const level = tag("epsilon-answer", withText(counted, "delta", "1/n"), sgd);
    expect(level).toContain(' delta="1/n" n="50000">');
    expect(level).not.toContain("passes=");
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
    expect(tag("epsilon-answer", outcome.question, gaussian)).toBe(
      '<epsilon-answer kind="gaussian" sigma="2" sensitivity="1" delta="1e-5" neighbours="add-remove"></epsilon-answer>',
    );
    expect(tag("epsilon-answer", withText(outcome.question, "sigma", '"><script>'), gaussian)).not.toContain(
      "<script",
    );
  });
});

test("a choice is said in words, and only where it is not the usual one", () => {
  const usual = withKind("objective-perturbation");
  const chosen = withText(usual, "derivative", "one-signed");
  const said = (question: Question) =>
    latex({ ...outcome, question, description: read(question).description as Description });
  expect(said(usual)).not.toMatch(/derivative|\?/);
  expect(said(chosen)).toContain("and sign of the derivative one-signed is");
});

describe("the figure", () => {
  const profile: Plot = {
    name: "profile",
    at: Float64Array.of(0, 1, 2),
    lower: Float64Array.of(0.5, 0.1, 0),
    upper: Float64Array.of(0.6, 0.2, 0),
    kind: "certified",
    floor: 1e-7,
    ceiling: 1,
    mark: { x: 1, y: 0.2 },
  };
  test("draws numbers only, and a zero leaves through the lower edge", () => {
    const text = figure(profile, { width: 600, height: 300 }, PAPER, "a < b");
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
    expect(text).toContain("<desc>a &lt; b</desc>");
    expect(text).toContain("ε = 1, δ = 0.2");
    expect(hasBand(profile)).toBe(true);
  });
  test("a constant profile and no mark", () => {
    const flat = Float64Array.of(0.1, 0.1, 0.1);
    const constant = { ...profile, lower: flat, upper: flat, mark: null };
    expect(figure(constant, { width: 300, height: 200 }, PAPER)).not.toMatch(/NaN/);
  });
  test("the Rényi curve and the trade-off have their own axes", () => {
    const renyi: Plot = {
      ...profile,
      name: "renyi",
      at: Float64Array.of(1.1, 8, 64),
      floor: 0.1,
      kind: "bound",
      mark: null,
    };
    const infinite = { ...renyi, upper: Float64Array.of(0.5, 2, Number.POSITIVE_INFINITY) };
    expect(figure(infinite, { width: 600, height: 300 }, PAPER)).not.toMatch(/NaN|Infinity/);
    expect(spoken(infinite, 1)).toBe("α = 8: divergence at most 2");
    expect(legend(renyi)).toBe("The Rényi divergence of each order is at most this.");
    expect(legend(infinite)).toContain("at most this. Where there is no line it is infinite.");
    const all = (value: number) => ({ ...renyi, upper: Float64Array.of(value, value, value) });
    expect(legend(all(Number.POSITIVE_INFINITY))).toContain("every order shown is infinite");
    expect(legend(all(0))).toContain("every order shown is 0");
    const attack: Plot = {
      ...profile,
      name: "trade-off",
      at: Float64Array.of(0, 0.5, 1),
      mark: { x: 0.25, y: 0.65 },
      advantage: 0.4,
    };
    expect(figure(attack, { width: 600, height: 300 }, PAPER)).toContain("advantage δ(0) = 0.4");
    expect(csv(attack)).toContain("false_positive_rate,");
  });
  test("points as CSV", () =>
    expect(csv(profile).split("\n").slice(0, 2)).toEqual(["epsilon,delta_lower,delta_upper", "0,0.5,0.6"]));
  test("escaping", () => expect(escapeMarkup(`<&>"`)).toBe("&lt;&amp;&gt;&quot;"));
});

test("no symbol of the catalogue stays a raw letter in LaTeX", () => {
  for (const { parameters } of Object.values<KindEntry>(KINDS)) {
    for (const { symbol } of Object.values(parameters)) {
      expect(latexSymbol(symbol ?? "")).toMatch(/^[\x20-\x7e]*$/);
    }
  }
});

describe.each(SENTENCE_KINDS)("the LaTeX sentence of %s", (kind) => {
  const first = withKind(kind);
  const several = withText(withRelease(first), "count", "7");

  test.each([first, several].flatMap((question) => solvable(question).map((ask) => ({ question, ask }))))(
    "has no letter that LaTeX does not know, and each symbol once: $ask",
    ({ question, ask }) => {
      const solved = { ...question, ask };
      const { description, refusals } = read(solved);
      expect([...refusals]).toEqual([]);
      const found =
        ask === "epsilon" || ask === "delta" ? { ask, answer } : { ask: "parameter", calibration: answer };
      const text = latex({ ...outcome, question: solved, description, found } as unknown as Outcome);
      expect(text).toMatch(/^[\x20-\x7eà-ÿ]*$/);
      const [one = ""] = text.split("; and then ");
      const symbols = [...one.matchAll(/\$([^$=]+) = /g)].map(([, symbol]) => symbol);
      expect(symbols.length).toBeGreaterThan(0);
      expect(symbols).toEqual([...new Set(symbols)]);
    },
  );
});
