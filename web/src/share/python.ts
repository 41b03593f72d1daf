/**
 * The same question for the two accounting libraries people use most. A kind that a library has no accountant
 * for gets a plain sentence and no code: a wrong snippet is worse than none.
 */
import type { Description } from "../../../wasm/contract.ts";
import { childrenOf, partsOf } from "../../../wasm/engine/description-tree.ts";
import { aroundOf, isWrapper, type WrapperKind } from "../../../wasm/engine/kinds.ts";
import { type Asked, dpEvents } from "./dp-events.ts";
import { isSingle, number, type Single, type Snippet, unsupported } from "./snippet.ts";

/** The outermost mechanism around another one, anywhere inside. */
function wrapperIn(description: Description): WrapperKind | undefined {
  const { kind } = description;
  if (isWrapper(kind)) return kind;
  return childrenOf(description)
    .map(({ mechanism }) => wrapperIn(mechanism))
    .find((found) => found !== undefined);
}

/** A single mechanism and its count, or null for a list of different ones. */
function single(description: Description): { mechanism: Single; count: number } | null {
  const [part, ...more] = partsOf(description);
  if (!part || more.length > 0 || !isSingle(part.mechanism)) return null;
  return { mechanism: part.mechanism, count: part.count };
}

const GROUPS = "the profile of a group of rows";

/** Both libraries count those as neighbours who give another answer, not those who give a random one. */
const tellsRandomly = (mechanism: Single) =>
  mechanism.kind === "randomized-response" && mechanism.other === "random";
const RANDOM_ANSWERS = "randomized response where a random answer is told instead";

/** Google's dp_accounting: privacy loss distributions, rounded pessimistically on a grid of 1e-4. */
export function dpAccounting({ description, epsilon, delta, ask, group }: Asked): Snippet {
  if (group > 1) return unsupported("dp_accounting", GROUPS);
  const one = single(description);
  if (!one) return dpEvents({ description, epsilon, delta, ask });
  if (tellsRandomly(one.mechanism)) return unsupported("dp_accounting", RANDOM_ANSWERS);
  const build = distribution(one.mechanism);
  if (!build) return concentrated(one.mechanism, one.count, { epsilon, delta, ask });
  const question =
    ask === "delta" ? `get_delta_for_epsilon(${number(epsilon)})` : `get_epsilon_for_delta(${number(delta)})`;
  const lines = [
    "# pip install dp-accounting",
    ...(one.mechanism.kind === "partition-selection" ? [NO_SELECTION] : []),
    ...(build.includes("math.") ? ["import math"] : []),
    ...(build.includes("common.") ? ["from dp_accounting.pld import common"] : []),
    "from dp_accounting.pld import privacy_loss_distribution as pld",
    "",
    `loss = pld.${build}`,
    ...(one.count > 1 ? [`loss = loss.self_compose(${one.count})`] : []),
    `print(loss.${question})`,
  ];
  return { supported: true, text: `${lines.join("\n")}\n` };
}

const NO_SELECTION =
  "# No partition selection there: only the pair for which its probabilities are the largest ones is used, which is an upper bound.";

function distribution(mechanism: Single): string | null {
  switch (mechanism.kind) {
    case "gaussian":
      return `from_gaussian_mechanism(${number(mechanism.sigma)}, sensitivity=${number(mechanism.sensitivity)})`;
    case "gdp":
      return mechanism.mu > 0 ? `from_gaussian_mechanism(1 / ${number(mechanism.mu)})` : null;
    case "laplace":
      return `from_laplace_mechanism(${number(mechanism.scale)}, sensitivity=${number(mechanism.sensitivity)})`;
    case "discrete-laplace":
      return `from_discrete_laplace_mechanism(1 / ${number(mechanism.scale)}, sensitivity=${mechanism.sensitivity})`;
    case "randomized-response": {
      const k = mechanism.categories;
      return `from_randomized_response(${k} / (math.exp(${number(mechanism.epsilon)}) + ${k} - 1), ${k})`;
    }
    case "pure":
      return privacyParameters(mechanism.epsilon, 0);
    case "partition-selection":
    case "approximate":
      return privacyParameters(mechanism.epsilon, mechanism.delta);
    default:
      return null;
  }
}

const privacyParameters = (epsilon: number, delta: number) =>
  `from_privacy_parameters(common.DifferentialPrivacyParameters(${number(epsilon)}, ${number(delta)}))`;

/** Rényi-type promises go through its Rényi conversion, which is looser than ours. */
function concentrated(
  mechanism: Single,
  count: number,
  { epsilon, delta, ask }: Pick<Asked, "epsilon" | "delta" | "ask">,
): Snippet {
  const tables =
    mechanism.kind === "zcdp"
      ? [
          "orders = [1 + x / 100 for x in range(1, 10000)]",
          `divergences = [${number(mechanism.rho * count)} * order for order in orders]`,
        ]
      : mechanism.kind === "xi-zcdp"
        ? [
            "orders = [1 + x / 100 for x in range(1, 10000)]",
            `divergences = [${number(mechanism.xi * count)} + ${number(mechanism.rho * count)} * order for order in orders]`,
          ]
        : mechanism.kind === "rdp"
          ? [
              `orders = [${mechanism.orders.map(number).join(", ")}]`,
              `divergences = [${mechanism.epsilons.map((one) => number(one * count)).join(", ")}]`,
            ]
          : null;
  if (!tables) return unsupported("dp_accounting", `the kind ${mechanism.kind}`);
  const compute =
    ask === "delta"
      ? `compute_delta(orders, divergences, ${number(epsilon)})`
      : `compute_epsilon(orders, divergences, ${number(delta)})`;
  const lines = [
    "# pip install dp-accounting",
    "from dp_accounting.rdp import rdp_privacy_accountant as rdp",
    "",
    ...tables,
    `print(rdp.${compute}[0])`,
  ];
  return { supported: true, text: `${lines.join("\n")}\n` };
}

/** OpenDP composes an explicit list, one entry a run. */
const LONGEST_LIST = 10_000;

/** OpenDP: the library's own privacy map. Its Gaussian goes through zCDP, so its ε is larger than the exact one. */
export function openDp({ description, epsilon, delta, ask, group }: Asked): Snippet {
  if (group > 1) return unsupported("OpenDP", GROUPS);
  const around = wrapperIn(description);
  if (around) return unsupported("OpenDP", aroundOf(around).called);
  const one = single(description);
  if (!one) return unsupported("OpenDP", "a list of different releases with one profile");
  if (one.count > LONGEST_LIST) return unsupported("OpenDP", `more than ${LONGEST_LIST} runs in one list`);
  if (tellsRandomly(one.mechanism)) return unsupported("OpenDP", RANDOM_ANSWERS);
  const measurement = openDpMeasurement(one.mechanism);
  if (!measurement)
    return unsupported(
      "OpenDP",
      `the kind ${one.mechanism.kind}: its privacy maps belong to mechanisms that it runs itself`,
    );
  const gaussian = one.mechanism.kind === "gaussian";
  if (!gaussian && ask === "delta")
    return unsupported("OpenDP", `δ of the kind ${one.mechanism.kind}: its privacy map is a pure ε`);
  const question = ask === "delta" ? `delta(epsilon=${number(epsilon)})` : `epsilon(delta=${number(delta)})`;
  const lines = [
    "# pip install opendp",
    ...(measurement.make.includes("math.") ? ["import math"] : []),
    "import opendp.prelude as dp",
    "",
    'dp.enable_features("contrib")',
    `release = ${measurement.make}`,
    ...(one.count > 1 ? [`release = dp.c.make_composition([release] * ${one.count})`] : []),
    ...(gaussian
      ? [
          `profile = dp.c.make_zCDP_to_approxDP(release).map(d_in=${measurement.distance})`,
          `print(profile.${question})`,
        ]
      : [`print(release.map(d_in=${measurement.distance}))  # pure epsilon: OpenDP does not use delta here`]),
  ];
  return { supported: true, text: `${lines.join("\n")}\n` };
}

function openDpMeasurement(mechanism: Single): { make: string; distance: string } | null {
  const real = "dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)";
  const whole = "dp.atom_domain(T=int), dp.absolute_distance(T=int)";
  const float = (value: number) =>
    Number.isInteger(value) && Math.abs(value) < 1e15 ? `${value}.0` : number(value);
  switch (mechanism.kind) {
    case "gaussian":
      return {
        make: `dp.m.make_gaussian(${real}, scale=${float(mechanism.sigma)})`,
        distance: float(mechanism.sensitivity),
      };
    case "laplace":
      return {
        make: `dp.m.make_laplace(${real}, scale=${float(mechanism.scale)})`,
        distance: float(mechanism.sensitivity),
      };
    case "discrete-laplace":
      return {
        make: `dp.m.make_laplace(${whole}, scale=${float(mechanism.scale)})`,
        distance: String(mechanism.sensitivity),
      };
    case "randomized-response": {
      if (mechanism.categories > 1000) return null;
      const k = mechanism.categories;
      const odds = `math.exp(${number(mechanism.epsilon)})`;
      const truth = `${odds} / (${odds} + ${k} - 1)`;
      return { make: `dp.m.make_randomized_response(list(range(${k})), prob=${truth})`, distance: "1" };
    }
    default:
      return null;
  }
}
