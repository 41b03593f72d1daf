/** The page about real tables: its words, its tables, and the panels of its figure. */
import { median, most, quantile } from "../studies/summary.mjs";
import { leastProbability } from "./binomial.mjs";
import { COUNTED, REPETITIONS, SHOWN } from "./told.mjs";

const percent = (share) => `${(100 * share).toPrecision(share < 0.0995 ? 2 : 3).replace(/\.0+$/, "")} %`;
const three = (values) => [median(values), quantile(values, 0.9), most(values)];

/** The share of the values that is no larger, over the values. */
const distribution = (values) => {
  const points = Array.from({ length: 201 }, (_, i) => i / 200);
  return points.map((share) => [quantile(values, share), share]);
};

const panelOf = (task, epsilon, all) => {
  const [alone] = all;
  return {
    title: `${task.name}, ε = ${epsilon}`,
    x: { type: "log", from: 1e-4, to: 3, label: "told about a row, at most" },
    y: { type: "linear", from: 0, to: 1, label: "share of rows" },
    curves: [
      { name: "really told", colour: "accent", points: distribution(alone.truths) },
      ...all.map(({ kind, reports }) => ({
        name: `${kind.name} report`,
        colour: kind.colour,
        dash: kind.eigenvalue ? "4 4" : undefined,
        points: distribution(reports),
      })),
    ],
  };
};

const levels = (all) => [...new Set(all.map(({ epsilon }) => epsilon))];

export const panels = (found) =>
  found.flatMap(({ task, all }) =>
    levels(all).map((epsilon) =>
      panelOf(
        task,
        epsilon,
        all.filter((one) => one.epsilon === epsilon),
      ),
    ),
  );

const LOSSES = {
  title: "Told about a row by one release: median / nine of ten / most, and as a share of ε",
  heads: ["table", "ε", "report", "really told", "of ε", "the report says", "covered"],
};

const line = (values, shown = (value) => value.toPrecision(2)) => three(values).map(shown).join(" / ");

const lossRow = (task, { epsilon, kind, truths, reports }) => [
  task.name,
  String(epsilon),
  kind.name,
  line(truths),
  line(truths, (value) => percent(value / epsilon)),
  line(reports),
  truths.every((loss, i) => loss <= reports[i]) ? `all ${truths.length}` : "not all",
];

const COUNTS = {
  title: `Reports that may fail with probability ${COUNTED}, ${REPETITIONS} releases`,
  heads: [
    "table",
    "ε",
    "report",
    "rows asked",
    "failed, of all",
    "worst row failed",
    "certainly more often than",
  ],
};

function countRow(task, { epsilon, kind, misses }) {
  const worst = most(misses);
  const share = misses.reduce((sum, count) => sum + count, 0) / misses.length / REPETITIONS;
  // One row in so many is the worst one: each gets its part of five in a hundred.
  const least = leastProbability(worst, REPETITIONS, 0.05 / misses.length);
  if (least > COUNTED) throw new Error(`${task.name}, ${kind.name}: a row's report failed ${worst} times`);
  return [
    task.name,
    String(epsilon),
    kind.name,
    String(misses.length),
    percent(share),
    `${worst} times`,
    percent(least),
  ];
}

const PAID = {
  title: "What the model cost each row, of what everybody was promised: median / nine of ten / most",
  heads: ["table", "ε", "share of the promise"],
};

const words = `# What releases really told about real people

Two public tables (UCI, CC BY 4.0: Adult, Becker and Kohavi 1996; Communities and Crime, Redmond 2009), a logistic regression of each at ε = 0.1 and 1,
δ = 1e-6, by exact objective perturbation, so that what came out really told is known (Redberg 2023, Theorem 2.3.1). Beside it the reports of
[privacy-report.md](privacy-report.md): *data-independent*, from the model alone; *data-dependent*, with 0.3 of the budget for a noisy gradient and
Hessian; *adaptive*, with the smallest eigenvalue as well. Of the last two the model has the rest of the budget, and what its sums told themselves is not
in these numbers: they are about the model. Reports fail with probability ${SHOWN} at most. The truth and the noise of such a minimum are a script's (\`tests/bench/told.cpp\`), the reports the core's. The drawn truth is that of the model with the whole budget.
\`npm run real-losses -- folder\` makes this page again.

![Shares of rows about which so much was told, and what reports say](studies/real-losses.svg)`;

const tableText = ({ title, heads }, rows) =>
  [`**${title}**`, "", heads, heads.map(() => "---"), ...rows]
    .map((cells) => (Array.isArray(cells) ? `| ${cells.join(" | ")} |` : cells))
    .join("\n");

export function page(found) {
  const over = (row) => found.flatMap(({ task, all }) => all.map((one) => row(task, one)));
  const paidRows = found.flatMap(({ task, paid }) =>
    paid.map(({ epsilon, shares }) => [task.name, String(epsilon), shares.map(percent).join(" / ")]),
  );
  return `${[words, tableText(LOSSES, over(lossRow)), tableText(COUNTS, over(countRow)), NOTE, tableText(PAID, paidRows), LAST].join("\n\n")}\n`;
}

const NOTE = `A row's failures are counted over releases with a new seed each. The last column is the lower Clopper–Pearson bound of the worst row's
probability of failing, at 95 % for all rows together: it is nowhere above ${percent(COUNTED)}. Every row is asked, every time.`;

const LAST = `Before anything comes out, the cost of such a model depends on how long a row's features are, on nothing else, and few are much shorter than
the longest: most pay most of what is promised. What came out told far less.`;
