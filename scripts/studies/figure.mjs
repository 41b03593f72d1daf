/**
 * A figure as SVG text: panels with axes, curves, boxes and dots, and one legend for all of them. Its colours follow the
 * reader's theme by a media query, because it is shown as an image, where no page's colours reach it.
 */
import { line } from "d3-shape";
import { axes, scaleOf } from "./axes.mjs";
import { style } from "./colours.mjs";

/** Where panels stand beside each other, and alone. */
const [WIDTH, ALONE] = [430, 640];
const PANEL = { height: 300, left: 62, right: 20, top: 30, bottom: 46 };
const LETTER = 7;
const LINE = 20;

const round = (value) => Math.round(value * 10) / 10;
export const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

function curve({ points, colour, dash }, { x, y }) {
  const path = line(
    ([at]) => round(x(at)),
    ([, value]) => round(y(value)),
  )(points.filter(([at, value]) => Number.isFinite(at) && Number.isFinite(value)));
  return `<path class="${colour}" d="${path}"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`;
}

/** Five numbers from the least to the largest, and where they stand on the horizontal axis. */
function box({ at, five, colour }, { x, y }) {
  const centre = round(x(at));
  const [least, first, middle, third, most] = five.map((value) => round(y(value)));
  const half = 9;
  return [
    `<path class="${colour}" d="M${centre} ${least}V${first}M${centre} ${third}V${most}"/>`,
    `<path class="${colour} filled" d="M${centre - half} ${first}h${2 * half}V${third}h${-2 * half}Z"/>`,
    `<path class="${colour} thick" d="M${centre - half} ${middle}h${2 * half}"/>`,
  ].join("");
}

const dots = ({ points, colour, radius = () => 2.5 }, { x, y }) =>
  points
    .map(
      (point, i) =>
        `<circle class="${colour} dot" cx="${round(x(point[0]))}" cy="${round(y(point[1]))}" r="${round(radius(i))}"/>`,
    )
    .join("");

function panel(spec, left, top, wide) {
  const frame = {
    left: left + PANEL.left,
    right: left + wide - PANEL.right,
    top: top + PANEL.top,
    bottom: top + PANEL.height - PANEL.bottom,
  };
  const scales = {
    x: scaleOf(spec.x, [frame.left, frame.right]),
    y: scaleOf(spec.y, [frame.bottom, frame.top]),
  };
  const inner = [frame.left, frame.top - 1, frame.right - frame.left, frame.bottom - frame.top + 2];
  const [x, y, width, height] = inner;
  return [
    `<text class="title" x="${frame.left}" y="${top + 18}">${escaped(spec.title ?? "")}</text>`,
    axes(spec, scales, frame),
    // An inner drawing cuts off what lies outside of the axes.
    `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${inner.join(" ")}">`,
    ...(spec.curves ?? []).map((one) => curve(one, scales)),
    ...(spec.boxes ?? []).map((one) => box(one, scales)),
    ...(spec.dots ?? []).map((one) => dots(one, scales)),
    "</svg>",
  ].join("");
}

/** What is drawn and has a name, once each, in rows as wide as the figure. */
function legend(panels, width, top) {
  const named = panels.flatMap(({ curves = [], boxes = [], dots: all = [] }) => [
    ...curves.map((one) => ({ ...one, as: "curve" })),
    ...boxes.map((one) => ({ ...one, as: "box" })),
    ...all.map((one) => ({ ...one, as: "dot" })),
  ]);
  const entries = named.filter(({ name }, i) => name && named.findIndex((one) => one.name === name) === i);
  let [x, y] = [PANEL.left, top + 14];
  const parts = entries.map(({ name, colour, dash, as }) => {
    const wide = 52 + LETTER * name.length;
    if (x + wide > width && x > PANEL.left) [x, y] = [PANEL.left, y + LINE];
    const at = x;
    x += wide;
    const drawn = {
      curve: `<path class="${colour}" d="M${at} ${y - 4}h24"${dash ? ` stroke-dasharray="${dash}"` : ""}/>`,
      box: `<path class="${colour} filled" d="M${at + 6} ${y - 9}h12v10h-12Z"/>`,
      dot: `<circle class="${colour} dot" cx="${at + 12}" cy="${y - 4}" r="4"/>`,
    }[as];
    return `${drawn}<text x="${at + 30}" y="${y}">${escaped(name)}</text>`;
  });
  return { text: parts.join(""), bottom: y + LINE };
}

/** `across`: how many panels stand beside each other. */
export function figure({ label, panels, across = 2 }) {
  const columns = Math.min(across, panels.length);
  const wide = columns === 1 ? ALONE : WIDTH;
  const width = columns * wide;
  const rows = Math.ceil(panels.length / columns);
  const drawn = panels.map((spec, i) =>
    panel(spec, (i % columns) * wide, Math.floor(i / columns) * PANEL.height, wide),
  );
  const { text, bottom } = legend(panels, width, rows * PANEL.height);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom}" width="${width}" height="${bottom}" role="img" aria-label="${escaped(label)}">`,
    `<style>${style()}</style>`,
    `<rect class="paper" width="${width}" height="${bottom}"/>`,
    ...drawn,
    text,
    "</svg>\n",
  ].join("\n");
}
