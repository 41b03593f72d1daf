/** The words of the fit page. What the engine has and this file has no words for is shown under its own name. */
import type { Answer, Plan } from "../../../wasm/contract.ts";
import { Refusal } from "../../../wasm/engine/refusal.ts";
import type { TableRequest } from "../../../wasm/table/declaration.ts";
import type { Format } from "../../../wasm/table/format.ts";
import type { Task } from "../fit/choices.ts";
import type { Form } from "../fit/form.ts";
import { statisticsOf } from "../fit/statistics.ts";
import { spelled } from "./choices.ts";
import { format, grouped } from "./numbers.ts";
import { capital, RELATION_WORDS, refusalSentence } from "./sentences.ts";
import { statisticField } from "./statistics.ts";

export interface Words {
  readonly title: string;
  readonly symbol?: string;
  readonly help?: string;
  /** What is taken where it is left out. */
  readonly leftOut?: string;
}

export const TASK_WORDS: Readonly<Record<Task, string>> = {
  squared: "a number, by least squares",
  huber: "a number, robustly (Huber)",
  logistic: "one of two classes (logistic)",
  softmax: "one of several classes (multinomial)",
  poisson: "a count (Poisson)",
  ballots: "the class with the most votes, of one ballot a row",
  counts: "the class with the most votes, of one question a row",
  none: "nothing: release what the columns have in common",
};

/** What a release is about: the column that it predicts, or all of them. */
export const subjectWords = ({ label }: Plan["request"]["table"]) => label?.name ?? "the columns";

const ALGORITHMS: Readonly<Record<string, Words>> = {
  "ada-ssp": {
    title: "AdaSSP: noisy sufficient statistics",
    help: "Solves the regression from noisy sums XᵀX and Xᵀy, and chooses its regularisation from them. A good first choice.",
  },
  "covariance-laplace": {
    title: "Covariance perturbation",
    help: "Adds Laplace noise to XᵀX and Xᵀy. The only one here that keeps a budget with δ = 0.",
  },
  "covariance-noise-reduction": {
    title: "Accuracy first: covariance with noise reduction",
    help: "You say how much worse than the best the model may be. Models with less and less noise are tested until one is good enough; what that cost is known afterwards.",
  },
  "output-noise-reduction": {
    title: "Accuracy first: coefficients with noise reduction",
    help: "You say how much worse than the best the model may be. Coefficients with less and less noise are tested until they are good enough; what that cost is known afterwards.",
  },
  "linear-mixing": {
    title: "Linear mixing",
    help: "Regresses on random Gaussian mixtures of the rows, hidden by noise.",
  },
  "gaussian-mixing": {
    title: "Gaussian mixing",
    help: "Releases random Gaussian mixtures of the rows, hidden by noise, and solves the regression on them.",
  },
  "johnson-lindenstrauss": {
    title: "Johnson–Lindenstrauss mixing (Sheffet 2017)",
    help: "Releases a random sketch of the rows, with little noise where a private test says that the table hides every row.",
  },
  "logistic-mixing": {
    title: "Logistic mixing",
    help: "Fits classes through least squares on a sketch of the rows, by a quadratic in place of the loss.",
  },
  "output-perturbation-ridge": {
    title: "Output perturbation of ridge",
    help: "Adds noise to the ridge coefficients. Simple; needs much regularisation or many rows.",
  },
  "adaptive-posterior-sampling": {
    title: "Adaptive posterior sampling",
    help: "Releases two statistics first, and then one draw of a Bayesian posterior with the regularisation that they allow.",
  },
  "ops-ptr": {
    title: "Posterior sampling by propose-test-release",
    help: "Releases one draw of a Bayesian posterior with the regularisation that you type, or says that the table does not allow it. Adaptive posterior sampling chooses it instead, and seldom does worse.",
  },
  "posterior-sampling": {
    title: "Posterior sampling",
    help: "Releases one draw of a Bayesian posterior.",
  },
  "output-perturbation": {
    title: "Output perturbation",
    help: "Adds noise to the fitted coefficients. Simple; needs much regularisation or many rows.",
  },
  "output-perturbation-by-curvature": {
    title: "Output perturbation by a released curvature",
    help: "Releases first how much the losses curve, and then the coefficients with the noise that this allows. Needs little regularisation; approximate minima perturbation usually errs less.",
  },
  "approximate-minima-perturbation": {
    title: "Approximate minima perturbation",
    help: "Tilts the objective by noise, minimises it, and adds a little noise to the minimum; of several classes for each against the rest. A good first choice.",
  },
  "noisy-newton": {
    title: "Noisy Newton steps",
    help: "Releases a noisy XᵀX, then takes noisy steps, equally fast in all directions. Good where columns are badly scaled or rows may be replaced, and for several classes; no solver.",
  },
  "noisy-covariance": {
    title: "Noisy covariance",
    help: "Releases XᵀX with Gaussian noise, and where each of its eigenvalues lies. Its main directions cost nothing more. A good first choice.",
  },
  "principal-subspace": {
    title: "Principal subspace through the eigengap",
    help: "Releases the main directions alone, with the noise that the gap after them allows, or says that the gap is too small. Better than the noisy covariance only where the gap is many times the noise and the other directions are equally weak.",
  },
  "dp-sgd": {
    title: "DP-SGD",
    help: "Gradient descent on all rows, or on random samples of them, with clipped gradients and noise in every step.",
  },
  "noisy-voting": {
    title: "Noisy voting",
    help: "Adds noise to the number of votes for each class, or to the gap of two, and publishes only which class has the most, in each question.",
  },
};

const PARAMETERS: Readonly<Record<string, Words>> = {
  excessRisk: {
    symbol: "α",
    title: "excess risk",
    help: "Of the mean loss, regularisation included: ½ (prediction − label)² with labels from −1 to 1, or log(1 + e^−margin).",
  },
  levels: {
    title: "number of models tested",
    help: "Each further one makes all tests cost a little more.",
    leftOut: "100",
  },
  testingEpsilon: { title: "ε of all tests" },
  theoremEpsilon: { title: "ε of one untested model, as good in the mean" },
  leastEpsilon: { title: "ε of the noisiest model" },
  mostEpsilon: { title: "ε of the least noisy model" },
  radius: { title: "largest norm of the coefficients" },
  rows: {
    symbol: "N",
    title: "guessed number of rows",
    help: "A public guess, not to be read off this file. A table of more rows is fitted too; where the price needs the number, its regularisation then grows.",
  },
  lambda: {
    symbol: "λ",
    title: "regularisation",
    help: "Of the sum of the losses, not of their mean.",
    leftOut: "it is chosen for the budget where the algorithm can",
  },
  sigma: { symbol: "σ", title: "noise standard deviation" },
  scale: { symbol: "b", title: "noise scale (standard deviation, if normal)" },
  noiseMultiplier: { symbol: "σ", title: "noise multiplier" },
  noiseRatio: { title: "noise, as a multiple of that of the Gaussian mechanism" },
  threshold: { title: "where the Huber loss becomes linear" },
  leastVotes: {
    title: "fewest votes that win",
    help: "A question stays open where its most votes, with noise of their own, are fewer.",
    leftOut: "none does",
  },
  leastVotesScale: {
    title: "noise scale of that test (standard deviation, if normal)",
    help: "In votes. It is paid for besides.",
  },
  noise: { title: "law of the noise", help: "Laplace noise can promise δ = 0.", leftOut: "normal noise" },
  whiten: {
    title: "part of the budget for whitening",
    help: "A noisy XᵀX is released and whitens the rows, which helps where scales differ.",
    leftOut: "0.15; 0 for several runs, a report with a share, or a given σ or λ",
  },
  gramShare: { title: "part of the budget for XᵀX", leftOut: "0.3, or 0.5 of several classes" },
  gramSigma: { title: "noise standard deviation of XᵀX" },
  stepSigma: { title: "noise of a step, in longest rows" },
  derivativeBound: { title: "size to which each row’s derivative is shortened" },
  gradientBound: { title: "length to which each row’s gradient is shortened" },
  steps: {
    symbol: "T",
    title: "number of steps",
    help: "Each takes all rows where the sampling rate is 1.",
    leftOut: "as many as the budget makes use of, or 16 of Newton’s, 20 of several classes",
  },
  rate: { symbol: "q", title: "sampling rate", leftOut: "1: every row is in every step" },
  learningRate: { symbol: "η", title: "learning rate" },
  momentum: { title: "momentum" },
  path: {
    title: "points of all steps",
    help: "Released, they cost nothing more, and whoever may see the table can be told what each row paid along them.",
  },
  predictorScale: {
    title: "guessed size of predictions",
    help: "One standard deviation, for the longest rows. The larger the guess, the less the coefficients are shrunk.",
  },
  components: { symbol: "k", title: "number of main directions" },
  gapNoise: {
    title: "noise of the eigenvalue gap",
    help: "In units of what one row moves it by.",
    leftOut: "3 σ: a tenth of the price",
  },
  sampleEpsilon: { title: "part of ε for the sample" },
  sampleDelta: { title: "part of δ for the sample" },
  eigenvalueNoise: { title: "noise of the smallest eigenvalue" },
  failure: { title: "part of δ for bounds to fail" },
  eigenvalue: { title: "smallest eigenvalue" },
  range: { title: "how far the linear predictor should be right" },
  sketchSize: { symbol: "r", title: "number of mixtures" },
  releases: { title: "number of noisy statistics" },
  norm: { title: "norm of the noise" },
  neighbours: { title: "neighbouring tables" },
  lipschitz: { symbol: "L", title: "bound on each row’s gradient" },
  smoothness: { symbol: "β", title: "bound on each row’s curvature" },
  outputSigma: { title: "finishing noise" },
  gamma: { symbol: "γ", title: "mixing noise" },
  classes: { symbol: "m", title: "number of classes" },
  questions: { title: "number of questions" },
  expectedRuns: { title: "runs on average" },
  runEpsilon: { title: "ε of each run’s model" },
  runDelta: { title: "δ of each run’s model" },
  scoreNoise: { title: "noise of each run’s score" },
  entrySigma: { title: "noise of an entry off the diagonal" },
  eigenvalueMargin: { title: "most by which noise moves an eigenvalue, in 95 % of releases" },
};

const ACCURACY_FAILURE: Words = {
  symbol: "γ",
  title: "probability of a worse model",
  leftOut: "0.05",
};

const own = (words: Readonly<Record<string, Words>>, name: string): Words =>
  Object.hasOwn(words, name) ? (words[name] as Words) : { title: spelled(name) };

export const algorithmWords = (name: string) => own(ALGORITHMS, name);
/** Where an accuracy is kept, what may fail is that. */
export const parameterWords = (key: string, accuracyFirst = false) =>
  accuracyFirst && key === "failure" ? ACCURACY_FAILURE : own(PARAMETERS, key);

/** With what is taken where it is left out, of what may be. */
export function parameterHelp(key: string, required: boolean, accuracyFirst = false): string {
  const { help, leftOut } = parameterWords(key, accuracyFirst);
  const otherwise = required || leftOut === undefined ? undefined : `Left out, ${leftOut}.`;
  return [help, otherwise].filter((one) => one !== undefined).join(" ");
}

/** No price is smaller, and no noise larger, than it is; other parameters have no safe side. */
export const parameterValue = (key: string, value: number): string =>
  format(
    value,
    6,
    /epsilon|delta|failure|margin/i.test(key)
      ? "up"
      : /sigma|noise|scale|gamma|lambda/i.test(key)
        ? "down"
        : "nearest",
  );

const FIELDS: Readonly<Record<string, string>> = {
  "table.unit.protects": "who is protected",
  "table.unit.rows": "how many rows each has at most",
  "table.unit.column": "the column that names them",
  "table.columns": "the columns to predict from",
  "table.label.name": "the column to predict",
  "table.label.range.0": "least value to predict",
  "table.label.range.1": "largest value to predict",
  "table.label.levels.0": "first class",
  "table.label.levels.1": "second class",
  "table.label.levels": "classes or questions, one a line",
  "table.rowNorm": "row norm",
  "table.intercept": "intercept",
  "algorithm.name": "algorithm",
  "tune.parameter": "try several values of",
  "tune.candidates": "values to try",
  "tune.expectedRuns": "runs on average",
  "budget.epsilon": "privacy loss ε",
  "budget.delta": "failure level δ",
  missing: "what happens to missing values",
  seed: "seed",
};

/** Where votes are counted, or nothing is predicted, the same fields are about something else. */
const TASK_FIELDS: Readonly<Partial<Record<Task, Readonly<Record<string, string>>>>> = {
  softmax: { "table.label.levels": "the classes, one a line" },
  ballots: {
    "table.columns": "the columns of further questions",
    "table.label.name": "the column of the votes",
    "table.label.levels": "the classes that can be voted for, one a line",
  },
  counts: {
    "table.columns": "the columns of votes, one for each class",
    "table.label.name": "the column that names the question",
    "table.label.levels": "the questions, one a line",
  },
  none: { "table.columns": "the columns to release something of" },
};

const PARTS: Readonly<Record<string, string>> = {
  "range.0": "least value",
  "range.1": "largest value",
  levels: "levels",
  "missing.constant": "constant for missing values",
};

/** What a field is called where it is refused or still to be answered. */
export function fieldTitle(field: string, form: Form): string {
  const column = /^table\.columns\.(\d+)\.(.+)$/.exec(field);
  if (column) return `${PARTS[column[2] as string] ?? column[2]} of ${form.columns[Number(column[1])]?.name}`;
  if (form.wanted === "statistics") {
    if (field === "table.columns") return "the columns to release statistics of";
    const at = /^releases\.(\d+)/.exec(field)?.[1];
    const title = statisticField(field, at === undefined ? undefined : statisticsOf(form)[Number(at)]?.of);
    if (title !== undefined) return title;
  }
  const ofTask = TASK_FIELDS[form.task]?.[field];
  if (ofTask !== undefined) return ofTask;
  const label = /^table\.label\.(.+)$/.exec(field);
  if (label && form.label.name !== "" && PARTS[label[1] as string])
    return `${PARTS[label[1] as string]} of ${form.label.name}`;
  if (field.startsWith("algorithm.")) return FIELDS[field] ?? parameterWords(field.slice(10)).title;
  return FIELDS[field] ?? field;
}

/** Why something is not to be had whose fields stand nowhere in the form: not by a name of the engine. */
export function whyNot(error: unknown): string {
  if (!(error instanceof Refusal))
    return `${capital(error instanceof Error ? error.message : String(error))}.`;
  const path = error.field.replace(/^(release\.)?(request\.)?(evaluation\.)?/, "");
  const title = FIELDS[path] ?? PARAMETERS[path.split(".").at(-1) as string]?.title;
  return title === undefined ? `${capital(error.rule)}.` : refusalSentence(error, title);
}

/** Where a field stands: the number of its step. */
export const stepOf = (field: string): 2 | 3 => (field.startsWith("table.unit.") ? 2 : 3);

export const FORMAT_WORDS = {
  delimiter: { ",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars" },
  decimal: { ".": "point", ",": "comma" },
  quote: { '"': "double quotes", "'": "single quotes", "": "no quotes" },
  header: { true: "names the columns", false: "is data already" },
  encoding: {
    "utf-8": "UTF-8",
    "utf-16le": "UTF-16, little-endian",
    "utf-16be": "UTF-16, big-endian",
    "windows-1252": "Windows-1252",
  },
  newline: { "\n": "a line feed", "\r": "a carriage return" },
  multiline: { false: "it spoils its row", true: "it is part of the cell" },
} as const satisfies { readonly [key in keyof Format]: Readonly<Record<string, string>> };

const UNITS = ["bytes", "KB", "MB", "GB"] as const;

export function sizeWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${Number((bytes / 1000 ** power).toPrecision(3))} ${UNITS[power]}`;
}

export const countWords = (count: number, one: string, several = `${one}s`) =>
  `${grouped(count)} ${count === 1 ? one : several}`;

/** What is promised before a run whose cost what comes out decides. */
export const exPostBefore = ({ epsilon, parameters: { levels = 1 } }: Plan): string =>
  `At most ${format(epsilon.upper, 4, "up")}, where none before the last of ${countWords(levels, "model")} is good enough, and less where an earlier one is. What it did cost is told with the model: an ex-post loss, a guarantee of another kind.`;

interface Protecting {
  readonly epsilon: Pick<Answer, "neighbours">;
  readonly request: { readonly table: Pick<TableRequest, "unit"> };
}

/** Whose privacy the number is about. */
export function protectedWords({ epsilon, request }: Protecting): string {
  const { protects, rows } = request.table.unit;
  const rowWords = rows === 1 ? "" : `, up to ${grouped(rows)} rows`;
  return `${RELATION_WORDS[epsilon.neighbours]} one ${protects}${rowWords}`;
}
