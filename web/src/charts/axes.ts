/** What each curve is drawn on and how it is read aloud: one entry a curve, and nothing about it elsewhere. */
import { scaleLinear, scaleLog } from "d3-scale";
import type { Plot } from "../question/outcome.ts";
import { format, powerOfTen } from "../words/numbers.ts";

export interface View {
  readonly width: number;
  readonly height: number;
}

export const MARGIN = { top: 30, right: 22, bottom: 40, left: 54 } as const;
const MOST_TICKS = 6;

export interface Tick {
  readonly at: number;
  readonly text: string;
}

interface Scale {
  (value: number): number;
  invert(at: number): number;
}

interface Words {
  /** In the segmented control and in captions. */
  readonly title: string;
  readonly label: string;
  readonly x: string;
  readonly y: string;
  readonly heads: readonly [string, string, string];
  readonly columns: string;
  readonly file: string;
  /** The symbol of the value where it is read aloud. */
  readonly value: string;
}

export const WORDS: Readonly<Record<Plot["name"], Words>> = {
  profile: {
    title: "Privacy profile",
    label: "Privacy profile: delta falls as epsilon grows",
    x: "ε",
    y: "δ",
    heads: ["ε", "δ, lower end", "δ, safe end"],
    columns: "epsilon,delta_lower,delta_upper",
    file: "privacy-profile",
    value: "δ",
  },
  renyi: {
    title: "Rényi curve",
    label: "Rényi curve: the divergence grows with its order",
    x: "α",
    y: "D",
    heads: ["α", "D, rounded down", "D, rounded up"],
    columns: "order,divergence_lower,divergence_upper",
    file: "renyi-curve",
    value: "divergence",
  },
  "trade-off": {
    title: "Trade-off",
    label: "Trade-off: the attacker’s true-positive rate over his false-positive rate",
    x: "false-positive rate",
    y: "true-positive rate",
    heads: ["false positives", "true positives, lower end", "true positives, safe end"],
    columns: "false_positive_rate,true_positive_rate_lower,true_positive_rate_upper",
    file: "trade-off",
    value: "true positives",
  },
  eigenvalue: {
    title: "Largest eigenvalue",
    label: "Tail of the largest eigenvalue: the probability of exceeding x falls as x grows",
    x: "x",
    y: "probability of exceeding x",
    heads: ["x", "tail, lower end", "tail, upper end"],
    columns: "x,tail_lower,tail_upper",
    file: "largest-eigenvalue",
    value: "tail",
  },
};

export function scales(plot: Plot, { width, height }: View): { x: Scale; y: Scale } {
  const across = [MARGIN.left, width - MARGIN.right] as const;
  const up = [height - MARGIN.bottom, MARGIN.top] as const;
  const [first, last] = [plot.at[0] ?? 0, plot.at.at(-1) ?? 1];
  const x = plot.name === "renyi" ? scaleLog([first, last], across) : scaleLinear([first, last], across);
  if (plot.name === "trade-off") return { x, y: scaleLinear([0, 1], up) };
  const log = scaleLog([plot.floor, plot.ceiling], up);
  // What reaches zero leaves the drawing through its lower edge.
  const y = (value: number) => log(Math.min(plot.ceiling * 100, Math.max(value, plot.floor / 100)));
  return { x, y: Object.assign(y, { invert: (at: number) => log.invert(at) }) };
}

const ORDERS = [2, 4, 8, 16, 32, 64];

export function ticksAcross(plot: Plot, { width }: View): Tick[] {
  const many = Math.max(3, Math.min(8, Math.round(width / 90)));
  const [first, last] = [plot.at[0] ?? 0, plot.at.at(-1) ?? 1];
  const values = plot.name === "renyi" ? ORDERS : scaleLinear([first, last], [0, 1]).ticks(many);
  return values.map((at) => ({ at, text: format(at) }));
}

export function ticksUp(plot: Plot): Tick[] {
  if (plot.name === "trade-off") return [0, 0.2, 0.4, 0.6, 0.8, 1].map((at) => ({ at, text: format(at) }));
  const lowest = Math.round(Math.log10(plot.floor));
  const highest = Math.round(Math.log10(plot.ceiling));
  const stride = Math.max(1, Math.ceil((highest - lowest) / MOST_TICKS));
  const found: Tick[] = [];
  for (let exponent = highest; exponent >= lowest; exponent -= stride) {
    found.push({ at: Number(`1e${exponent}`), text: small(exponent) });
  }
  return found;
}

/** A divergence of 10 or 0.1 reads better written out. */
const small = (exponent: number) => {
  if (exponent > 0 && exponent < 3) return String(10 ** exponent);
  return exponent === -1 ? "0.1" : powerOfTen(exponent);
};

/** One point of the curve, read aloud. */
export function spoken({ name, at, lower, upper, kind }: Plot, index: number): string {
  const words = WORDS[name];
  const start = `${words.x} = ${format(at[index] ?? 0, 4)}: ${words.value}`;
  const [from, to] = [lower[index] ?? 0, upper[index] ?? 0];
  const shown = format(to, 4, "up");
  if (kind === "bound") return `${start} at most ${shown}`;
  return from < to * 0.999 ? `${start} from ${format(from, 4, "down")} to ${shown}` : `${start} = ${shown}`;
}

/** Whether the two ends can be told apart on paper. */
export const hasBand = ({ lower, upper }: Plot) =>
  upper.some((end, i) => end > 0 && (lower[i] ?? 0) < end * 0.98);

/** The index of the point next to a place. */
export const nearest = ({ at }: Plot, x: number) =>
  at.reduce((best, one, i) => (Math.abs(one - x) < Math.abs((at[best] ?? 0) - x) ? i : best), 0);

/** What the lines mean. */
export function legend(plot: Plot): string {
  const band = hasBand(plot);
  if (plot.name === "renyi") return divergences(plot);
  const attack = plot.name === "trade-off" ? gain(plot) : "";
  if (plot.kind !== "bound") {
    return band
      ? `${attack}Solid: safe end. Dashed: lower end. The truth lies in the band.`
      : `${attack}The band around the line is thinner than the line.`;
  }
  return band
    ? `${attack}Solid: guaranteed. Nothing better than the dashed line can be promised.`
    : `${attack}The line is guaranteed; the truth may lie below it.`;
}

/** A line of infinities is none, and neither is one of zeros where the axis has none. */
function divergences({ upper }: Plot): string {
  const infinite = upper.filter((one) => one === Number.POSITIVE_INFINITY).length;
  if (infinite === upper.length) return "No line: the Rényi divergence of every order shown is infinite.";
  if (upper.every((one) => one === 0)) return "No line: the Rényi divergence of every order shown is 0.";
  const beyond = infinite > 0 ? " Where there is no line it is infinite." : "";
  return `The Rényi divergence of each order is at most this.${beyond}`;
}

const gain = ({ advantage = 1 }: Plot) =>
  `Dotted: blind guessing, which the best attacker beats by up to δ(0) = ${format(advantage, 4, "up")}. `;

/** The points as a spreadsheet reads them. */
export const csv = ({ name, at, lower, upper }: Plot) =>
  [WORDS[name].columns, ...Array.from(at, (x, i) => `${x},${lower[i]},${upper[i]}`), ""].join("\n");
