/** Linear and logarithmic axes of a panel, with their ticks and words. */
import { scaleLinear, scaleLog } from "d3-scale";

const MOST_TICKS = 7;
const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";

/** `type` is "log", "linear" or "names"; names stand at 1, 2, 3 … */
export function scaleOf({ type, from, to, names }, range) {
  if (type === "names") return scaleLinear([0.4, names.length + 0.6], range);
  if (type === "linear") return scaleLinear([from, to], range);
  const log = scaleLog([from, to], range);
  // What reaches 0 leaves the drawing through its edge.
  const edge = from * (from / to);
  return Object.assign((value) => log(Math.max(value, edge)), { ticks: log.ticks });
}

function powerOfTen(exponent) {
  if (exponent > -3 && exponent < 4) return String(Number(`1e${exponent}`));
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[digit]);
  return `10${exponent < 0 ? "⁻" : ""}${digits.join("")}`;
}

function logTicks({ from, to }) {
  const [low, high] = [Math.ceil(Math.log10(from) - 1e-9), Math.floor(Math.log10(to) + 1e-9)];
  const stride = Math.max(1, Math.ceil((high - low) / MOST_TICKS));
  const ticks = [];
  for (let exponent = high; exponent >= low; exponent -= stride) {
    ticks.push({ at: Number(`1e${exponent}`), text: powerOfTen(exponent) });
  }
  return ticks;
}

function ticksOf(axis) {
  if (axis.type === "names") return axis.names.map((text, i) => ({ at: i + 1, text }));
  if (axis.type === "log") return logTicks(axis);
  return scaleLinear([axis.from, axis.to], [0, 1])
    .ticks(6)
    .map((at) => ({ at, text: String(at).replace("-", "−") }));
}

const place = (value) => Math.round(value * 10) / 10;

export function axes({ x: across, y: up }, { x, y }, { left, right, top, bottom }) {
  const parts = [];
  for (const { at, text } of ticksOf(up)) {
    parts.push(`<path class="grid" d="M${left} ${place(y(at))}H${right}"/>`);
    parts.push(`<text x="${left - 7}" y="${place(y(at)) + 4}" text-anchor="end">${text}</text>`);
  }
  for (const { at, text } of ticksOf(across)) {
    parts.push(`<path class="grid" d="M${place(x(at))} ${bottom}v5"/>`);
    parts.push(`<text x="${place(x(at))}" y="${bottom + 19}" text-anchor="middle">${text}</text>`);
  }
  parts.push(`<path class="muted" stroke-opacity=".6" d="M${left} ${bottom}H${right}"/>`);
  const centre = (left + right) / 2;
  parts.push(
    `<text class="label" x="${centre}" y="${bottom + 37}" text-anchor="middle">${across.label ?? ""}</text>`,
  );
  const [turnX, turnY] = [left - 48, (top + bottom) / 2];
  parts.push(
    `<text class="label" transform="translate(${turnX} ${turnY}) rotate(-90)" text-anchor="middle">${up.label}</text>`,
  );
  return parts.join("");
}
