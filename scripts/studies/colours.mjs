/** The colours of figures: those of the site, and a few more so that curves can be told apart in light and in dark. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../tools.mjs";

const CURVES = {
  green: ["#2b7a3d", "#86d199"],
  amber: ["#946200", "#e9bd5b"],
  violet: ["#7440a8", "#cba6f2"],
  rose: ["#b03a75", "#f39cc6"],
};

/** Name, colour in light and in dark of all that the site's palette names. */
function site() {
  const palette = readFileSync(join(root, "web/src/style/palette.css"), "utf8");
  const found = palette.matchAll(/--epsilometer-(\w+): light-dark\((#\w+), (#\w+)\)/g);
  return Object.fromEntries([...found].map(([, name, light, dark]) => [name, [light, dark]]));
}

const rules = (colours, which) =>
  Object.entries(colours)
    .map(([name, both]) => `.${name}{stroke:${both[which]};fill:${both[which]}}`)
    .join("");

/** The text of the figure's style sheet. */
export function style() {
  const { paper, ...named } = site();
  const { ink, muted } = named;
  const colours = { ...named, ...CURVES };
  const words = (which) =>
    `text{fill:${muted[which]}}.title,.label{fill:${ink[which]}}.paper{fill:${paper[which]}}`;
  return [
    rules(colours, 0),
    words(0),
    `@media(prefers-color-scheme:dark){${rules(colours, 1)}${words(1)}}`,
    `text{font:13px system-ui,sans-serif;stroke:none}.title{font-weight:600}`,
    `path{fill:none!important;stroke-width:1.8}path.grid{stroke-width:1}path.thick{stroke-width:3}`,
    `path.filled{fill-opacity:.15;stroke-width:1.2}circle.dot{stroke:none;fill-opacity:.55}`,
  ].join("");
}
