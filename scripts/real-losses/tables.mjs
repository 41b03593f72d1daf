/** Two public tables as a logistic model sees them, and as the engine reads them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bare } from "../held-out.mjs";
import { root } from "../tools.mjs";

/** The label of communities is made two classes by what half of them exceed, rounded. */
const CRIME = 0.15;

export const TABLES = [
  {
    name: "adult",
    columns: ["age", "education.num", "capital.gain", "hours.per.week", "sex", "relationship"],
    classOf: (text) => text,
  },
  {
    name: "communities",
    columns: ["population", "pctUrban", "medIncome", "PctPopUnderPov", "PctBSorMore", "PctUnemployed"].concat(
      ["MalePctDivorce", "PctKids2Par", "PctPersDenseHous", "PctVacantBoarded"],
    ),
    classOf: (text) => (Number(text) > CRIME ? "high" : "low"),
    levels: ["low", "high"],
  },
];

function declared({ name, columns, levels }) {
  const { table } = JSON.parse(readFileSync(join(root, "docs", "examples", `${name}.json`), "utf8"));
  const used = columns.map((one) => table.columns.find((column) => column.name === one));
  const label = levels ? { name: table.label.name, use: "classes", levels, missing: "drop" } : table.label;
  return { unit: { protects: "row", rows: 1 }, columns: used, label, rowNorm: 1 };
}

/** The features of a row: numbers from -1 to 1 and a place for each level, divided by the root of the number of columns. */
function featuresOf(columns, cells) {
  const scale = 1 / Math.sqrt(columns.length);
  return columns.flatMap(({ range, levels }, i) => {
    if (levels) return levels.map((level) => (level === cells[i] ? scale : 0));
    const value = Math.min(range[1], Math.max(range[0], Number(cells[i])));
    return [((2 * value - range[0] - range[1]) / (range[1] - range[0])) * scale];
  });
}

/** Rows without gaps: `features` row by row with the intercept last, `labels` of -1 and 1, and the same as CSV. */
export function load(folder, task) {
  const [header, ...lines] = readFileSync(join(folder, `${task.name}.csv`), "utf8")
    .trim()
    .split(/\r?\n/);
  const names = header.split(",").map(bare);
  const table = declared(task);
  const { columns, label } = table;
  const places = [...columns, label].map(({ name }) => names.indexOf(name));
  const rows = lines
    .map((line) => line.split(","))
    .map((cells) => places.map((place) => bare(cells[place])))
    .filter((cells) => !cells.includes("?"))
    .map((cells) => [...cells.slice(0, -1), task.classOf(cells.at(-1))]);
  const features = rows.map((cells) => [...featuresOf(columns, cells), 1]);
  const text = [places.map((place) => names[place]), ...rows].map((cells) => cells.join(",")).join("\n");
  return {
    ...task,
    table,
    text: `${text}\n`,
    rows: rows.length,
    dimension: features[0].length,
    features: Float64Array.from(features.flat()),
    labels: Float64Array.from(rows, (cells) => (cells.at(-1) === label.levels[1] ? 1 : -1)),
  };
}
