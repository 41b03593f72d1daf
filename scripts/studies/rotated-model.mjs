/** What a released model has cost each row, for models that are more and more wrong. */
import { allBut, beside, eachOff } from "./expected.mjs";
import { at, minimum } from "./logistic.mjs";
import { agreed, realisedByCore } from "./own-losses.mjs";
import { shown } from "./page.mjs";
import { terms } from "./realised.mjs";
import { correlation, mean, median, most } from "./summary.mjs";
import { discTable } from "./tables.mjs";

const RELEASE = { sigma: 10.96, lambda: 1 };
const ANGLES = [0, 1 / 12, 1 / 4, 1 / 2, 3 / 4, 1];
const NAMES = ["0", "π/12", "π/4", "π/2", "3π/4", "π"];
const MARGIN = 0.2;
const HEADS = ["median", "most", "mean of volumes’ term", "mean of the other two"];
/** By angle, in the order of these heads, of a table of another program. */
const EXPECTED = [
  ["0.00476", "0.0422", "0.0075", "1.7e-5"],
  ["0.00368", "0.0248", "0.0075", "0.0032"],
  ["0.00764", "0.218", "0.0075", "0.041"],
  ["0.158", "0.549", "0.0075", "0.211"],
  ["0.394", "0.810", "0.0075", "0.388"],
  ["0.437", "0.861", "0.0075", "0.456"],
];
const OTHER_TABLES = 20;

/** Losses of all rows at a model, by whom: each source is one more row of the table. */
const BY_SCRIPT = [
  "script",
  (table, release, here) => terms(table, release, here).map(([a, b, c]) => Math.abs(a + b + c)),
];
const SOURCES = [BY_SCRIPT, ...realisedByCore()];

function rotated([x, y], angle) {
  const [cos, sin] = [Math.cos(angle * Math.PI), Math.sin(angle * Math.PI)];
  return Float64Array.of(cos * x - sin * y, sin * x + cos * y);
}

/** Losses of all rows, and the two kinds of their terms, at the turned model. */
function turned(table, fitted, angle, sources = SOURCES) {
  const here = at(table, RELEASE.lambda, rotated(fitted, angle));
  const parts = terms(table, RELEASE, here);
  return {
    losses: sources.map(([by, losses]) => [by, losses(table, RELEASE, here)]),
    volume: mean(parts.map(([volume]) => volume)),
    rest: mean(parts.map(([, size, direction]) => Math.abs(size + direction))),
    margins: table.features.map(([x, y], i) => table.labels[i] * (x * here.model[0] + y * here.model[1])),
  };
}

const fittedTo = (table) => minimum(table, RELEASE.lambda, new Float64Array(2)).model;

/** In the order of HEADS. */
const numbersOf = ([, own], { volume, rest }) => [median(own), most(own), volume, rest];

/** What was expected, beside tables of other seeds. */
function comparison() {
  const tables = Array.from({ length: OTHER_TABLES }, (_, i) => discTable(200, MARGIN, 100 + i));
  const found = ANGLES.flatMap((angle, i) => {
    const all = tables.map((table) => {
      const one = turned(table, fittedTo(table), angle, [BY_SCRIPT]);
      return numbersOf(one.losses[0], one);
    });
    const names = HEADS.map((head) => `${head}, turned by ${NAMES[i]}`);
    return eachOff(names, all, EXPECTED[i]);
  });
  return `In brackets what was expected, of one other table. Of ${OTHER_TABLES} tables of other seeds, within three standard deviations between them are ${allBut(found)}.`;
}

/** Dots whose area is the loss, on one scale for all angles. */
function panelOf(table, { losses: [[, own]] }, i) {
  const dots = [1, -1].map((side) => {
    const chosen = own.map((_, row) => row).filter((row) => table.labels[row] === side);
    return {
      name: side > 0 ? "rows of class 1" : "rows of class −1",
      colour: side > 0 ? "accent" : "amber",
      points: chosen.map((row) => table.features[row]),
      radius: (k) => 1.2 + 10 * Math.sqrt(own[chosen[k]]),
    };
  });
  const axis = (label) => ({ type: "linear", from: -1.05, to: 1.05, label });
  return { title: `turned by ${NAMES[i]}`, x: axis("first feature"), y: axis("second feature"), dots };
}

function claimsOf(all) {
  const own = all.map(({ losses: [[, losses]] }) => losses);
  const near = all.slice(0, 2).map(({ margins }, i) => correlation(margins.map(Math.abs), own[i]));
  const wrong = correlation(all[5].margins, own[5]);
  return [
    ...agreed(all.map(({ losses }) => losses)),
    {
      says: `Turned by at most π/12, the largest losses are those nearest to the boundary: their correlation with the margin’s size is
  ${near.map((value) => value.toFixed(2).replace("-", "−")).join(" and ")}.`,
      holds: near.every((value) => value < -0.2),
    },
    {
      says: `Turned by π, those that are predicted worst: the correlation with the signed margin is ${wrong.toFixed(2).replace("-", "−")}.`,
      holds: wrong < -0.97,
    },
    {
      says: "The term of volumes hardly changes; the other two grow with the angle from next to nothing to nearly all of the loss.",
      holds:
        all.every(({ volume }) => volume < 2 * all[0].volume && volume > all[0].volume / 2) &&
        all.every(({ rest }, i) => i === 0 || rest > all[i - 1].rest) &&
        all[5].rest > 0.9 * mean(own[5]),
    },
    {
      says: "So nothing about a row alone says what it has lost: the same rows, the same noise, another outcome.",
      holds: median(own[5]) > 20 * median(own[0]),
    },
  ];
}

export const study = {
  name: "rotated-model",
  title: "Losses after the release: the more wrong the model, the more it tells",
  asked: `Redberg 2023, Figure 2.3.1: logistic regression of 200 points in the plane (λ = 1, σ = 10.96, no point nearer than 0.2
to the boundary). The fitted model is turned by an angle and taken as what was released: what has each row then lost? The area of a dot is the loss.`,
  by: "a script: the exact log ratio of densities, by the Hessian and the gradient at the released model; *core*: the core’s own certified number.",
  run() {
    const table = discTable(200, MARGIN, 4);
    const fitted = fittedTo(table);
    const all = ANGLES.map((angle) => turned(table, fitted, angle));
    return {
      figures: [
        {
          label: "Losses of 200 rows after models turned by six angles",
          panels: all.map((one, i) => panelOf(table, one, i)),
          across: 3,
        },
      ],
      tables: [
        {
          title: "Loss after the release",
          heads: ["turned by", "by", ...HEADS],
          rows: all.flatMap((one, i) =>
            one.losses.map((source, k) => [
              NAMES[i],
              source[0],
              ...numbersOf(source, one).map((value, j) =>
                beside(shown(value, 4), k === 0 ? EXPECTED[i][j] : undefined),
              ),
            ]),
          ),
        },
      ],
      claims: claimsOf(all),
      notes: [comparison()],
    };
  },
};
