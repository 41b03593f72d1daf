/** Sampled releases and lists of different ones, as events of Google's dp_accounting. */
import type { Description } from "../../../wasm/contract.ts";
import { childrenOf } from "../../../wasm/engine/description-tree.ts";
import { filled, isWrapped, type Wrapped, wayOfDescription } from "../../../wasm/engine/kinds.ts";
import { isSingle, number, type Single, type Snippet, unsupported } from "./snippet.ts";

export interface Asked {
  readonly description: Description;
  readonly epsilon: number;
  readonly delta: number;
  /** In how many records neighbouring tables differ. */
  readonly group: number;
  readonly ask: "epsilon" | "delta";
}

/** A kind that has no event, by its name. */
class Missing extends Error {}

export function dpEvents({ description, epsilon, delta, ask }: Omit<Asked, "group">): Snippet {
  const question = ask === "delta" ? `get_delta(${number(epsilon)})` : `get_epsilon(${number(delta)})`;
  try {
    const event = spell(description, "");
    const { module, accountant } = accountantOf(event);
    const lines = [
      "# pip install dp-accounting",
      "from dp_accounting import dp_event",
      `from dp_accounting.${module} import ${module}_privacy_accountant`,
      "",
      `event = ${event}`,
      `accountant = ${module}_privacy_accountant.${accountant}().compose(event)`,
      `print(accountant.${question})`,
    ];
    return { supported: true, text: `${lines.join("\n")}\n` };
  } catch (error) {
    if (error instanceof Missing) return unsupported("dp_accounting", error.message);
    throw error;
  }
}

/** Its accountant of Rényi bounds alone takes releases of which no more is known than such a bound; it lacks other events. */
const RENYI_ALONE = "ZCDpEvent";
const NOT_OF_RENYI: readonly string[] = ["DiscreteLaplaceDpEvent", "SampledWithoutReplacementDpEvent"];

/** The accountant that takes all of these events, or a refusal of the first that none takes beside the others. */
function accountantOf(event: string) {
  const events = [...event.matchAll(/dp_event\.(\w+)/g)].map(([, name = ""]) => name);
  if (!events.includes(RENYI_ALONE)) return { module: "pld", accountant: "PLDAccountant" };
  const lost = events.find(
    (name, i) =>
      NOT_OF_RENYI.includes(name) ||
      (name === "PoissonSampledDpEvent" && events[i + 1] !== "GaussianDpEvent"),
  );
  if (lost) throw new Missing(`${lost} beside ${RENYI_ALONE}`);
  return { module: "rdp", accountant: "RdpAccountant" };
}

function spell(description: Description, indent: string): string {
  if (isSingle(description)) return event(description);
  if (isWrapped(description)) return around(description, indent);
  const children = childrenOf(description);
  const inner = children.length === 1 ? indent : `${indent}    `;
  const parts = children.map(({ mechanism, count }) =>
    count === 1
      ? spell(mechanism, inner)
      : `dp_event.SelfComposedDpEvent(${spell(mechanism, inner)}, ${count})`,
  );
  if (parts.length === 1) return parts.join("");
  return `dp_event.ComposedDpEvent([\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}])`;
}

/** By the event that the catalogue names for it, around the kinds for which the library has one. */
function around(description: Wrapped, indent: string): string {
  const { dpEvent, called } = wayOfDescription(description);
  const [child] = childrenOf(description);
  if (!dpEvent || !child) throw new Missing(called);
  const { mechanism, path } = child;
  const { neighbours } = description;
  if (neighbours && !(dpEvent.neighbours ?? [neighbours]).includes(neighbours))
    throw new Missing(`${called} for ${neighbours} neighbours`);
  if (!dpEvent.of.includes(mechanism.kind)) throw new Missing(`${called} of the kind ${mechanism.kind}`);
  const values: Readonly<Record<string, unknown>> = { ...description };
  const value = (name: string) => (name === path ? spell(mechanism, indent) : number(Number(values[name])));
  return filled(dpEvent.text, value).join("");
}

/** Its noise multiplier is the scale in units of the sensitivity. */
function event(description: Single): string {
  const multiplier = (scale: number, sensitivity: number) =>
    sensitivity === 1 ? number(scale) : `${number(scale)} / ${number(sensitivity)}`;
  switch (description.kind) {
    case "gaussian":
      return `dp_event.GaussianDpEvent(${multiplier(description.sigma, description.sensitivity)})`;
    case "gdp":
      if (description.mu === 0) return "dp_event.NoOpDpEvent()";
      return `dp_event.GaussianDpEvent(${multiplier(1, description.mu)})`;
    case "laplace":
      return `dp_event.LaplaceDpEvent(${multiplier(description.scale, description.sensitivity)})`;
    case "discrete-laplace":
      return `dp_event.DiscreteLaplaceDpEvent(1 / ${number(description.scale)}, ${description.sensitivity})`;
    case "pure":
      return `dp_event.EpsilonDeltaDpEvent(${number(description.epsilon)}, 0)`;
    case "zcdp":
      return `dp_event.ZCDpEvent(${number(description.rho)})`;
    case "xi-zcdp":
      return `dp_event.ZCDpEvent(${number(description.rho)}, ${number(description.xi)})`;
    // It has no event of its own: all that is known of it there is the pair that it was made for.
    case "partition-selection":
    case "approximate":
      return `dp_event.EpsilonDeltaDpEvent(${number(description.epsilon)}, ${number(description.delta)})`;
    default:
      throw new Missing(`the kind ${description.kind} in a list`);
  }
}
