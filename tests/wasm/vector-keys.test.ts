/**
 * Every reference vector about single records, put to the batch as a user would: the numbers are those of another author's program,
 * in tests/reference/second/per_instance.ndjson, by the keys that docs/personal-loss.md lists.
 */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { answer } from "../../wasm/batch.ts";
import { type Interval, open } from "../../wasm/engine.ts";
import { type Line, lines } from "./in-numbers.ts";

const engine = await open();

type Told = Readonly<Record<string, unknown>>;
interface Asked {
  readonly question: { readonly ask: string; readonly question?: { readonly about: string } };
  /** Paths in the answer, and the name of what stands there in the vector; after a minus its negative. */
  readonly told: Readonly<Record<string, string>>;
}

const instance = (about: string, fields: object, told: Asked["told"]): Asked => ({
  question: { ask: "perInstance", question: { about, ...fields } },
  told,
});
const asked = (ask: string, fields: object, told: Asked["told"]): Asked => ({
  question: { ask, ...fields },
  told,
});
const gdp = (mu: number) => ({ kind: "gdp", mu });
const perturbed = ({ sigma, lambda, L, beta }: Line) => ({ sigma, lambda, lipschitz: L, smoothness: beta });
/** Lists of numbers by place, as far as they are long. */
const places = (prefix: string, all: readonly unknown[], name = prefix) =>
  Object.fromEntries(all.map((_, i) => [`${prefix}.${i}`, `${name}.${i}`]));
const worse = (add: number, remove: number) => (add >= remove ? "Add" : "Remove");
/** A law's mean, and its covariance by rows. */
const law = ({ mean, covariance }: Line) => ({
  ...places("mean", mean),
  ...Object.fromEntries(
    covariance.flatMap((row: number[], i: number) =>
      row.map((_, j) => [`covariance.${row.length * i + j}`, `covariance.${i}.${j}`]),
    ),
  ),
});

/** What is asked of a vector's `in`, and where its `out` is to be found. */
const KEYS: Readonly<Record<string, (given: Line, out: Line) => readonly Asked[]>> = {
  gaussian_profile: ({ eps, s }) => [asked("delta", { description: gdp(s), epsilon: eps }, { "": "delta" })],
  gaussian_eps: ({ delta, s }) => [asked("epsilon", { description: gdp(s), delta }, { "": "eps" })],
  gaussian_sigma: ({ eps, delta, sensitivity }) => [
    asked(
      "calibrate",
      { description: { kind: "gaussian", sigma: 1, sensitivity }, parameter: "sigma", epsilon: eps, delta },
      { value: "sigma" },
    ),
  ],
  gaussian_textbook_bounds: ({ delta, s }, { eps_classic, eps_wang_literal_gamma1 }) => [
    instance(
      "normal-bounds",
      { distance: s, delta },
      { tail: "eps_tail_quantile", logarithm: "eps_tail_log" },
    ),
    asked("delta", { description: gdp(s), epsilon: eps_classic }, { "": "delta_exact_at_classic" }),
    asked(
      "delta",
      { description: gdp(s), epsilon: eps_wang_literal_gamma1 },
      { "": "delta_exact_at_wang_literal" },
    ),
  ],
  // Of the table that was used over the other one: with the other sign than there.
  gaussian_expost: ({ Delta, o_minus_Q, sigma }, { log_p_Dpm_over_p_D }) =>
    ["-log_p_Dpm_over_p_D", log_p_Dpm_over_p_D > 0 ? "-abs_loss" : "abs_loss"].map((name) =>
      instance("normal-noise", { moved: Delta, noise: o_minus_Q, sigma }, { realised: name }),
    ),
  hockey_stick_two_gaussians: ({ eps, m1, s1, m2, s2 }) => [
    instance(
      "normal-pair",
      { mean: m1, deviation: s1, otherMean: m2, otherDeviation: s2, epsilon: eps },
      { delta: "delta" },
    ),
  ],
  ops_pdp_delta: ({ eps, mu, R }) => [
    instance(
      "posterior-sample",
      { leverage: mu, residual: R, epsilon: eps },
      { deltaAdd: "delta_without_vs_with", deltaRemove: "delta_with_vs_without" },
    ),
    asked(
      "delta",
      { description: { kind: "posterior-sampling", leverage: mu, residual: R }, epsilon: eps },
      { "": "delta" },
    ),
  ],
  ops_pdp_eps: ({ delta, mu, R }, out) => [
    asked(
      "epsilon",
      { description: { kind: "posterior-sampling", leverage: mu, residual: R }, delta },
      { "": "eps_exact" },
    ),
    instance(
      "posterior-sample",
      { leverage: mu, residual: R, delta },
      { tailAdd: "eps_corrected_without", tailRemove: "eps_corrected_with" },
    ),
    instance(
      "posterior-sample",
      { leverage: mu, residual: R, delta },
      { [`tail${worse(out.eps_corrected_without, out.eps_corrected_with)}`]: "eps_corrected" },
    ),
  ],
  adaops_parameters: ({ N, d, kappa, eps, delta, lambda_tilde_min }) => [
    instance(
      "ada-ops",
      { rows: N, dimension: d, spread: kappa, epsilon: eps, delta, eigenvalue: lambda_tilde_min },
      {
        floor: "h",
        eigenvalueSigma: "sigma_lambda",
        offset: "offset",
        lambda: "lambda_n",
        residual: "resid_bound",
        precision: "gamma",
      },
    ),
  ],
  objpert_delta_closed: ({ eps, ...given }, { closed_add, closed_rem }) => [
    instance(
      "objective",
      { ...perturbed(given), epsilon: eps },
      {
        closedDeltaAdd: "closed_add",
        closedDeltaRemove: "closed_rem",
        publishedDelta: "paper_corrected",
        gaussianDelta: "gaussian_lower",
      },
    ),
    instance(
      "objective",
      { ...perturbed(given), epsilon: eps },
      { [`closedDelta${worse(closed_add, closed_rem)}`]: "closed" },
    ),
  ],
  objpert_delta_exact: ({ eps, ...given }) => [
    instance(
      "objective",
      { ...perturbed(given), epsilon: eps },
      { deltaAdd: "delta_add", deltaRemove: "delta_rem" },
    ),
    instance(
      "objective",
      { ...perturbed(given), epsilon: eps, derivative: "one-signed" },
      { deltaAdd: "delta_add_one_signed", deltaRemove: "delta_rem_one_signed" },
    ),
    asked(
      "delta",
      { description: { kind: "objective-perturbation", ...perturbed(given) }, epsilon: eps },
      { "": "delta" },
    ),
  ],
  objpert_rdp: ({ alpha, ...given }) => [
    instance(
      "objective",
      { ...perturbed(given), order: alpha },
      {
        publishedRenyi: "paper",
        closedRenyiAdd: "closed_add",
        closedRenyiRemove: "closed_rem",
        gaussianRenyi: "gaussian_lower",
        renyiAdd: "exact_add",
        renyiRemove: "exact_rem",
      },
    ),
    asked(
      "renyi",
      { description: { kind: "objective-perturbation", ...perturbed(given) }, orders: [alpha] },
      { "epsilons.0": "exact" },
    ),
  ],
  amp_rdp: ({ alpha, tau, sigma_out, ...given }) => {
    const fields = { ...perturbed(given), gradientTolerance: tau, outputSigma: sigma_out };
    return [
      instance(
        "approximate-minima",
        { ...fields, order: alpha },
        { outputRenyi: "output_term", publishedRenyi: "paper", closedRenyi: "closed" },
      ),
      asked(
        "renyi",
        { description: { kind: "approximate-minima-perturbation", ...fields }, orders: [alpha] },
        { "epsilons.0": "exact_objpert" },
      ),
    ];
  },
  nonglm_rdp: ({ alpha, d, ...given }) => [
    instance(
      "general-objective",
      { ...perturbed(given), order: alpha, dimension: d },
      { logMoment: "log_mgf_chi", publishedRenyi: "paper_corrected", renyi: "tight" },
    ),
  ],
  kifer_calibration: ({ eps, delta, L, beta }) => [
    instance(
      "objective-parameters",
      { epsilon: eps, delta, lipschitz: L, smoothness: beta },
      { lambda: "lambda_min", sigma: "sigma" },
    ),
  ],
  rdp_to_dp_single_order: ({ rdp, alpha, delta }) => [
    instance(
      "renyi-order",
      { renyi: rdp, order: alpha, delta, epsilon: 1 },
      { mironov: "eps_mironov", epsilon: "eps_improved", delta: "delta_improved_at_eps1" },
    ),
  ],
  sampled_gaussian_rdp: ({ alpha, sampling_rate, noise_multiplier }) => {
    const of = { kind: "gaussian", sigma: noise_multiplier, sensitivity: 1 };
    const description = { kind: "subsampled", sampling: "poisson", rate: sampling_rate, of };
    return [asked("renyi", { description, orders: [alpha] }, { "epsilons.0": "rdp_one_step" })];
  },
  private_selection_poisson: ({ rdp, alpha, mu, delta_hat }) => [
    instance(
      "poisson-selection",
      { renyi: rdp, order: alpha, mean: mu, failure: delta_hat },
      { level: "eps_hat", published: "rdp_selection" },
    ),
  ],
  objpert_ridge_pdp: ({ eps, mu, nu, norm_x, resid_without, sigma }) => [
    instance(
      "ridge-objective",
      {
        ...{ leverage: mu, squaredSolution: nu, length: norm_x },
        ...{ residual: resid_without, sigma, epsilon: eps },
      },
      { deltaAdd: "delta_without_vs_with", deltaRemove: "delta_with_vs_without" },
    ),
  ],
  ridge_influence_and_pdp: ({ X, y, x, y_target, lambda, sigma, gamma, delta }, out) => {
    const record = { record: x, label: y_target, lambda };
    const add = { ...record, features: X, labels: y, direction: "add" };
    const found = engine.perInstance({
      ...{ about: "ridge", ...add, sigma, sampleSigma: 1 / Math.sqrt(gamma) },
    } as never) as unknown as Record<"output" | "sample", object>;
    return [
      instance("ridge", add, {
        ...places("coefficients", out.theta_without, "theta_without"),
        ...{ leverageWithout: "mu_out", leverageWith: "mu_in" },
        ...{ residualWithout: "resid_without", residualWith: "resid_with" },
        ...{ squaredSolutionWithout: "nu", moved: "influence_norm" },
      }),
      instance(
        "ridge",
        { ...record, features: [...X, x], labels: [...y, y_target], direction: "remove" },
        places("coefficients", out.theta_with, "theta_with"),
      ),
      asked("epsilon", { description: found.output, delta }, { "": "eps_pdp_isotropic_exact" }),
      asked("epsilon", { description: found.sample, delta }, { "": "eps_pdp_ops_exact" }),
    ];
  },
  pdp_moments: ({ eps }, { moments }) => [
    instance(
      "people",
      { losses: eps },
      {
        ...places("moments", moments),
        exponential: "mean_exp_eps",
        squaredExponential: "mean_exp_2eps",
      },
    ),
  ],
  amp_excess_risk_bound: ({ n, L, tau, lambda, sigma_out, d, sigma, theta_star_norm }) => [
    instance(
      "excess-risk",
      {
        ...{ rows: n, dimension: d, lipschitz: L, lambda, sigma },
        ...{ gradientTolerance: tau, outputSigma: sigma_out, length: theta_star_norm },
      },
      { excess: "bound" },
    ),
  ],
  objpert_expost_logistic: ({ X, y, theta, x, y_target, member, lambda, sigma, rho }, out) => {
    const fields = {
      ...{ loss: "logistic", features: X, labels: y, record: x, label: y_target },
      ...{ direction: member ? "remove" : "add", coefficients: theta, lambda, sigma, failure: rho },
    };
    return [
      instance("objective-outcome", fields, {
        ...{ first: "f1", second: "f2", leverage: "mu" },
        ...{ determinant: "term_det", quadratic: "term_quadratic", inner: "term_inner" },
        ...{ realised: "log_ratio", published: "report_paper", tight: "report_tight" },
      }),
      instance("objective-outcome", fields, {
        realised: out.log_ratio < 0 ? "-eps_expost" : "eps_expost",
      }),
    ];
  },
  objpert_report_data_dependent: (given) => {
    const fields = {
      ...{ about: "report-bound", record: given.x, direction: given.member ? "remove" : "add" },
      ...{ hessian: given.H_hat, gradient: given.grad_hat, first: given.f1, second: given.f2 },
      ...{ lambda: given.lambda, sigma: given.sigma, gradientSigma: given.sigma2 },
      ...{ hessianSigma: given.sigma3, spectrum: given.tau, floor: given.lambda_lower, failure: given.rho },
    };
    const { material } = engine.perInstance(fields as never) as unknown as { material: object };
    return [
      instance("report-bound", fields, {
        ...{ leverage: "mu_bar", pull: "g_bar", published: "report", distance: "overhead_s" },
      }),
      asked("epsilon", { description: material, delta: 1e-6 }, { "": "overhead_eps_delta1em6" }),
    ];
  },
  clipped_glm_loss: ({ loss, u, y, C, norm_x }) => [
    instance(
      "slope",
      { loss, prediction: u, label: y, limit: C / norm_x },
      { value: "value", first: "d1", second: "d2" },
    ),
  ],
  objpert_composition: ({ k, eps, ...given }) => [
    instance(
      "objective",
      { ...perturbed(given), epsilon: eps, count: k },
      { publishedDelta: "paper", closedDeltaAdd: "tight_add", closedDeltaRemove: "tight_rem" },
    ),
  ],
  goe_hessian_release_pdp: ({ frobenius_norm_Hx, sigma3, delta }, { s }) => [
    instance("symmetric-noise", { moved: [[frobenius_norm_Hx]], sigma: sigma3 }, { distance: "s" }),
    asked("epsilon", { description: gdp(s), delta }, { "": "eps_exact" }),
    instance("normal-bounds", { distance: s, delta }, { logarithm: "eps_paper" }),
  ],
  lambda_min_release: ({ sensitivity, sigma4, delta }, { s }) => [
    instance("normal-noise", { moved: [sensitivity], sigma: sigma4 }, { distance: "s" }),
    asked("epsilon", { description: gdp(s), delta }, { "": "eps_exact" }),
    instance("normal-bounds", { distance: s, delta }, { logarithm: "eps_paper" }),
  ],
  dist_objpert_ridge_output: ({ X, y, lambda, sigma }, out) => [
    instance(
      "ridge-law",
      { law: "objective", features: X, labels: y, dimension: out.mean.length, lambda, sigma },
      law(out),
    ),
  ],
  dist_ops_output: ({ X, y, lambda, gamma }, out) => [
    instance(
      "ridge-law",
      {
        ...{ law: "sample", features: X, labels: y, dimension: out.mean.length, lambda },
        sigma: 1 / Math.sqrt(gamma),
      },
      { ...law(out), excess: "expected_excess_objective" },
    ),
  ],
  dist_goe_noise: ({ d, sigma3 }) => [
    instance(
      "symmetric-noise",
      { moved: Array.from({ length: d }, () => Array(d).fill(0)), sigma: sigma3 },
      {
        offDiagonalVariance: "var_offdiagonal",
        diagonalVariance: "var_diagonal",
        expectedSquare: "expected_trace_of_square",
      },
    ),
  ],
  dist_objpert_logistic_1d_cdf: ({ X, y, lambda, sigma, theta }) => [
    instance(
      "objective-outcome",
      {
        ...{ loss: "logistic", features: X.map((one: number) => [one]), labels: y },
        ...{ record: [0.5], label: 1, direction: "add", coefficients: [theta], lambda, sigma },
      },
      { atMost: "cdf" },
    ),
  ],
  objpert_calibrate_lambda: ({ eps, delta, L, beta }, { sigma }) => [
    asked(
      "calibrate",
      {
        description: { kind: "gaussian", sigma: 1, sensitivity: L },
        ...{ parameter: "sigma", epsilon: eps, delta },
      },
      { value: "sigma_G" },
    ),
    instance(
      "objective-parameters",
      { epsilon: eps, delta, lipschitz: L, smoothness: beta, sigma },
      { publishedLambda: "lambda_paper_corrected", closedLambda: "lambda_closed" },
    ),
  ],
};

const questions = (key: string, given: Line, out: Line) => (KEYS[key] as (typeof KEYS)[string])(given, out);

/** What no question answers, and why. */
const UNASKED: Readonly<Record<string, string>> = {
  "gaussian_textbook_bounds eps_classic": "where δ is asked",
  "gaussian_textbook_bounds eps_wang_literal_gamma1": "where δ is asked",
  "ops_pdp_eps eps_paper_7": "false as printed",
  "ops_pdp_eps eps_paper_8": "false as printed",
  "nonglm_rdp as_printed_missing_square": "false as printed",
  "kifer_calibration sigma_as_misprinted": "false as printed",
  "ridge_influence_and_pdp eps_pdp_isotropic_paper": "false as printed",
  "objpert_report_data_dependent estimator": "a word for which of both floors was given",
  "objpert_calibrate_lambda sigma": "what is asked with",
};

/** The numbers of a vector by their paths. */
function flat(value: unknown, path = ""): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([key, one]) => flat(one, path ? `${path}.${key}` : key));
}

/** What a path leads to, as an interval. */
function at(found: unknown, path: string): Interval {
  const end = path
    .split(".")
    .filter(Boolean)
    .reduce<unknown>((value, key) => (value as Told | undefined)?.[key], found);
  return typeof end === "number" ? { lower: end, upper: end } : (end as Interval);
}

/**
 * How wide, relatively, what is integrated may be: profiles that are inverted, and sums of releases. No truth hangs on it, which
 * lies within however wide: it is about twice what is seen, so that an answer that grows wide is noticed.
 */
function widest(key: string, { description }: Told): number {
  if ((description as Told | undefined)?.kind === "posterior-sampling") return 2e-3;
  return { objpert_ridge_pdp: 2e-5, objpert_composition: 6e-6 }[key] ?? 4e-8;
}

const VECTORS = lines("per_instance", "second");

test.each(Object.keys(KEYS))("%s is asked, and answered with what is known", (key) => {
  const vectors = VECTORS.filter((line) => line.key === key);
  expect(vectors.length).toBeGreaterThan(3);
  for (const { rtol, atol = 0, in: given, out } of vectors) {
    const left = new Set(flat(out).map(([name]) => name));
    const known = new Map(flat(out) as [string, number | null][]);
    // What is known within two ends has a name for each of them.
    const ends = (name: string) => (known.has(name) ? [name, name] : [`${name}_lower`, `${name}_upper`]);
    for (const { question, told } of questions(key, given, out)) {
      const found = answer(engine, question);
      for (const [path, signed] of Object.entries(told)) {
        if (known.get(signed) === null) {
          left.delete(signed);
          expect(at(found, path)).toBeUndefined();
          continue;
        }
        const sign = signed.startsWith("-") ? -1 : 1;
        const [low, high] = ends(signed.replace("-", "")).map((name) => {
          left.delete(name);
          // A bound of a probability is told as 1 where it is more.
          const value = sign * (known.get(name) ?? expect.fail(`${key} has no ${name}`));
          return path === "delta" ? Math.min(1, value) : value;
        }) as [number, number];
        const { lower, upper } = at(found, path) ?? expect.fail(`${path} is not answered`);
        const about = `${path} of ${JSON.stringify(question)}`;
        const off = low < high ? 1e-6 * high : rtol * Math.abs(low) + atol;
        expect(lower, about).toBeLessThanOrEqual(high + off);
        expect(upper, about).toBeGreaterThanOrEqual(low - off);
        expect(upper - lower, about).toBeLessThanOrEqual(
          widest(key, question) * Math.max(Math.abs(low), 1e-6),
        );
      }
    }
    expect([...left].filter((name) => !(`${key} ${name}` in UNASKED))).toEqual([]);
  }
});

test("the document lists the same keys, each with the questions that are asked of it here", () => {
  const document = readFileSync(new URL("../../docs/personal-loss.md", import.meta.url), "utf8");
  const [, table = ""] = document.split("## Which question answers which reference vector");
  const rows = [...table.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)];
  expect(rows.map(([, key]) => key).sort()).toEqual(Object.keys(KEYS).sort());
  for (const [, key = "", words] of rows) {
    const { in: given, out } = VECTORS.find((line) => line.key === key) as Line;
    for (const { question } of questions(key, given, out))
      expect(words, key).toContain(`\`${question.question?.about ?? question.ask}\``);
  }
});
