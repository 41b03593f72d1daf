/** The page that fits private models: a table, what is declared about it, a price, a release, a ledger. */
import type {
  EvaluationPlan,
  EverydayPlan,
  EverydayRelease,
  FitRequest,
  Plan,
  Release,
  ReportOffer,
} from "../../../../wasm/contract.ts";
import { Refusal } from "../../../../wasm/engine/refusal.ts";
import { checkRequest, PLAIN } from "../../../../wasm/release/fit-request.ts";
import type { Format } from "../../../../wasm/table/format.ts";
import { say } from "../../elements/status.ts";
import { FitClient } from "../../engine/fit-client.ts";
import type { Progress, Told } from "../../engine/fit-protocol.ts";
import { Intake, type IntakeState } from "../../engine/intake.ts";
import { Pricing } from "../../engine/pricing.ts";
import { Cancelled } from "../../engine/worker-client.ts";
import { declaredNumbers, relevant } from "../../fit/declared.ts";
import { evaluationPaid } from "../../fit/evaluation.ts";
import type { Forecast } from "../../fit/forecast.ts";
import { EMPTY, type Form, filled, forColumns, withAlgorithm, withColumn } from "../../fit/form.ts";
import { type Entry, FILES, isLedger, type Paid, paidWith, poolOf } from "../../fit/ledger.ts";
import { type Given, type Loaded, sampleIn } from "../../fit/loaded.ts";
import { isEveryday, isForModel } from "../../fit/outputs.ts";
import { knownOver, type Run } from "../../fit/own-ledger.ts";
import { algorithmIn, type FitReading, keepsBudget, read } from "../../fit/read.ts";
import { SAMPLES } from "../../fit/samples.ts";
import { VERSION } from "../../version.ts";
import { EVALUATED } from "../../words/evaluation.ts";
import { stepOf } from "../../words/fit.ts";
import { resultWord } from "../../words/fit-outputs.ts";
import { stepLines } from "../../words/fit-steps.ts";
import { format as number } from "../../words/numbers.ts";
import { UNREAD } from "../../words/table.ts";
import { find } from "../find.ts";
import { themeSwitch } from "../theme.ts";
import { fieldId } from "./field.ts";
import {
  copies,
  data,
  evaluationPart,
  everyday,
  forecast,
  locality,
  model,
  persons,
  price,
  ranking,
  releasePart,
  rulePart,
  runPart,
  sharePart,
  unit,
} from "./parts.ts";
import { SavedRequest } from "./saved.ts";
import { Spent, Unfit } from "./spent.ts";
import { type StepNumber, Steps } from "./steps.ts";
import { type EngineAnswer, errorSentence, verdict } from "./verdict.ts";

/** How a run looks that has not begun. */
const WAITING = { progress: undefined };

const client = new FitClient();
/** Prices have a worker of their own, so that a newer one ends an older one and nothing else, and waits for nothing. */
const prices = new FitClient();
let loaded: Loaded | undefined;
let form: Form = EMPTY;
let reading: FitReading = read(form, PLAIN);
let answer: EngineAnswer;
/** The request for a model that was answered, without what the plan added to it. */
let asked: FitRequest | undefined;
let refusals: ReadonlyMap<string, Refusal> = new Map();
/** The steps that were said to be done: what they lack is told beside its field. */
const attempted = new Set<StepNumber>();
/** What is run is what was asked, whatever is edited meanwhile. */
let running: { readonly plan: Plan | EverydayPlan; readonly progress: Progress | undefined } | undefined;
/** A run was asked for before its price was known: it begins with it, unless something is edited before. */
let isWaiting = false;
let runFault = "";
let isCancelled = false;
let declaredText = "";

const pricing = new Pricing(
  (request: object) => prices.ask("plan", [request]),
  (told) => {
    answer = told;
    asked = told && "plan" in told && !isEveryday(told.plan) ? checkRequest(reading.request) : undefined;
    const begins = isWaiting;
    isWaiting = false;
    show();
    if (begins) run();
  },
  () => prices.supersede(),
);
const spent = new Spent(
  () => (loaded ? poolOf(loaded) : FILES),
  (...asked) => client.ask("ledger", asked),
);
const intake = new Intake(client, taken);
const steps = new Steps(firstMissing, stopped);
const saved = new SavedRequest({
  loaded: () => loaded,
  fill(next) {
    edit(next);
    return reading.request;
  },
  respell,
  tell: (words) => Object.assign(data, { taken: words }),
});

function respell(format: Format): Promise<boolean> {
  declaredText = "";
  return intake.respell(format);
}

function edit(next: Form): void {
  form = next;
  reading = read(form, loaded?.format ?? PLAIN);
  answer = undefined;
  isWaiting = false;
  runFault = "";
  isCancelled = false;
  pricing.want(isReady() ? reading.request : undefined);
  checkTexts();
  show();
}

const isReady = () => loaded?.survey !== undefined && loaded.fault === "";

/** Texts in columns that are declared to hold numbers are found by reading the file once more. */
function checkTexts(): void {
  const { format, survey } = loaded ?? {};
  if (!format || !survey || data.running) return;
  const declared = declaredNumbers(form, survey.columns);
  const text = JSON.stringify(declared ?? "");
  if (text === declaredText) return;
  declaredText = text;
  if (declared) intake.respell(format, declared);
}

function taken(state: IntakeState): void {
  const isNew = state.loaded.survey !== loaded?.survey && state.loaded.survey !== undefined;
  ({ loaded } = state);
  data.running = state.running;
  if (isNew) edit(forColumns(form, loaded.survey?.columns ?? []));
  else show();
  if (loaded.fault !== "") say(loaded.fault);
  else if (loaded.isCancelled) say(UNREAD);
}

async function take(given: Given): Promise<void> {
  // While the table is read; the page itself loads one worker.
  prices.start();
  declaredText = "";
  const sample = sampleIn(given);
  if (form.seed !== "" && !sample) form = { ...form, seed: "" };
  steps.open(1);
  if (!(await intake.take(given))) return;
  if (saved.isWaiting) await saved.fill();
  else if (sample) edit(filled(form, SAMPLES[sample].form));
  steps.open(2);
  say(`${given.title} is read: ${loaded?.survey?.columns.length} columns.`);
}

const sentenceOf = (error: unknown) => errorSentence(error, form, reading);

/** Everything on the page follows from the table, the form and what the engine said. */
function show(): void {
  const told = verdict(form, reading, answer, attempted);
  ({ refusals } = told);
  const view = { form, refusals, edit };
  const plan = answer && "plan" in answer ? answer.plan : undefined;
  const modelled = plan && !isEveryday(plan) ? plan : undefined;
  const survey = loaded?.survey;
  const shown = survey && relevant(survey, declaredNumbers(form, survey.columns));
  const table = loaded && { ...loaded, survey: shown };
  Object.assign(data, { loaded: table, wanted: attempted.has(1) && !isReady() });
  for (const part of [unit, model, runPart]) part.view = view;
  model.plan = plan;
  price.price = isReady() ? told.price : { state: "no-table" };
  Object.assign(runPart, {
    plan: running?.plan ?? plan,
    running: isWaiting ? WAITING : running,
    fault: runFault,
    isCancelled,
    sample: loaded !== undefined && sampleIn(loaded) !== undefined,
  });
  rulePart.run = plan?.private ? plan : undefined;
  spent.show();
  const budgeted = modelled && keepsBudget(form) ? asked : undefined;
  sharePart.request = budgeted;
  // While there is no plan the fold stays as it was.
  if (plan) sharePart.offered = modelled?.persons.report ?? false;
  steps.describe(stepLines(table, form, algorithmIn(form)?.noise?.key), isReady());
  const other = !modelled || isForModel(modelled) ? "" : resultWord(modelled.result);
  Object.assign(forecast, {
    request: other === "" ? budgeted : undefined,
    result: form.wanted === "statistics" ? "statistics" : other,
  });
  ranking.hidden = form.wanted === "statistics";
  ranking.request = modelled && isForModel(modelled) ? budgeted : undefined;
  Object.assign(copies, {
    request: plan?.request,
    file: loaded && "file" in loaded.table ? loaded.title : "data.csv",
    linear: modelled?.needs === "sums",
  });
}

function firstMissing(step: StepNumber): string | undefined {
  if (step === 1) return isReady() ? undefined : "file";
  const wrong = [...refusals.keys(), ...reading.missing];
  return wrong.find((field) => stepOf(field) === step);
}

/** What is missing is told beside its field, and the first of it gets the focus. */
function stopped(step: StepNumber): void {
  attempted.add(step);
  show();
  const field = firstMissing(step);
  if (field) go(field);
}

async function go(field: string): Promise<void> {
  steps.open(field === "file" ? 1 : stepOf(field));
  await Promise.all([unit.updateComplete, model.updateComplete]);
  const target = document.getElementById(field === "file" ? "fit-file" : fieldId(field));
  for (let fold = target?.closest("details"); fold; fold = fold.parentElement?.closest("details"))
    fold.open = true;
  target?.focus();
}

async function run(): Promise<void> {
  if (running || !loaded || !answer || !("plan" in answer)) return lead();
  const { plan } = answer;
  const given = loaded;
  running = { plan, progress: undefined };
  runFault = "";
  isCancelled = false;
  show();
  try {
    const told = (progress: Progress) => {
      if (!running) return;
      running = { plan, progress };
      runPart.running = running;
    };
    const offer = asked && (await sharePart.chosen(asked));
    const release = await spent.during(
      entryOf(given, plan, { offer }),
      () => client.ask("fit", [given.table, offer?.request ?? plan.request], told),
      (made) => entryOf(given, made, { offer }),
    );
    await (isEveryday(release) ? statisticsReleased(given, release) : released(given, release, offer));
  } catch (error) {
    isCancelled = error instanceof Cancelled;
    if (!isCancelled) runFault = error instanceof Unfit ? error.message : sentenceOf(error);
  }
  running = undefined;
  show();
}

/** To what keeps the run from beginning. */
function lead(): void {
  attempted.add(1).add(2).add(3);
  const field = ([1, 2, 3] as const).map(firstMissing).find((one) => one !== undefined);
  isWaiting = !field && !answer;
  show();
  if (field) go(field);
  else if (isWaiting) say("The price is still being found: the run begins when it is.");
}

const entryOf = <Kind extends Paid>(
  given: Given,
  release: Kind,
  { offer, what }: Partial<Pick<Entry, "offer" | "what">> = {},
): Entry<Kind> => ({
  pool: poolOf(given),
  title: given.title,
  what,
  release,
  offer,
  paid: paidWith(release, offer),
  isRefused: false,
});

/** Of this page, the one that is shown last. */
const runs: Run<Given["table"]>[] = [];

async function released(given: Given, release: Release, offer?: ReportOffer): Promise<void> {
  const entry = entryOf(given, release, { offer });
  releasePart.fitWithoutPrivacy = (told) =>
    client.ask("fitWithoutPrivacy", [given.table, release.request], told);
  everyday.entry = undefined;
  Object.assign(releasePart, { entry, sample: sampleIn(given) });
  Object.assign(evaluationPart, { entry, given });
  persons.losses = (told) => client.ask("personalLosses", [release, given.table], told);
  persons.voters = (told) => client.ask("votersLoss", [release, given.table], told);
  runs.push({ release, table: given.table, paid: entry.paid });
  persons.known = (...asked) =>
    knownOver(runs, {
      known: (release, table) => client.ask("knownLoss", [release, table, ...asked]),
      ledger: (...question) => client.ask("ledger", question),
    });
  persons.report = (told) => client.ask("report", [release, offer && given.table, offer?.report], told);
  persons.price = (...asked) => client.ask("personalLoss", asked);
  persons.entry = entry;
  await releasePart.updateComplete;
  releasePart.querySelector("h2")?.focus();
  const { exPost } = release;
  say(
    exPost
      ? `Released, at an ex-post loss of ε = ${number(exPost.epsilon, 6, "up")}.`
      : `Released, at the price of ε = ${number(entry.paid.epsilon.upper, 6, "up")}.`,
  );
}

async function evaluate(given: Given, release: Release, plan: EvaluationPlan, told: Told) {
  const entry = entryOf(given, evaluationPaid(release, plan), { what: EVALUATED });
  const found = await spent.during(
    entry,
    () => client.ask("evaluate", [release, given.table, plan.request], told),
    () => entry,
  );
  releasePart.evaluated(release, found);
  return found;
}

async function statisticsReleased(given: Given, release: EverydayRelease): Promise<void> {
  const entry = entryOf(given, release);
  for (const part of [releasePart, evaluationPart, persons]) part.entry = undefined;
  everyday.entry = entry;
  await everyday.updateComplete;
  everyday.querySelector("h2")?.focus();
  say(`Released, at the price of ε = ${number(entry.paid.epsilon.upper, 6, "up")}.`);
}

function lookUpFault(error: unknown): string {
  if (error instanceof Refusal && error.field === "name") return `the column ${error.rule}`;
  return `they cannot be looked up. ${sentenceOf(error).replace(/\.$/, "")}`;
}

/** The levels of a column as they are in the file, for the person to accept; the warning comes with them. */
async function lookUpLevels(index: number): Promise<void> {
  const { table, format } = loaded ?? {};
  const column = form.columns[index];
  if (!table || !format || !column) return;
  try {
    const { levels, warning } = await client.ask("levels", [table, format, column.name]);
    edit(withColumn(form, index, { levels: levels.join("\n"), levelsWarning: warning, levelsFault: "" }));
    say(warning);
  } catch (error) {
    if (!(error instanceof Cancelled)) edit(withColumn(form, index, { levelsFault: lookUpFault(error) }));
  }
}

data.addEventListener("table", (event) => take((event as CustomEvent<Given>).detail));
data.addEventListener("saved", async (event) => {
  const file = (event as CustomEvent<File>).detail;
  if (!isLedger(await file.text())) return saved.load(file);
  steps.open(4);
  await spent.open(file);
});
data.addEventListener("format", (event) => respell((event as CustomEvent<Format>).detail));
data.addEventListener("cancel", () => client.cancel());
model.addEventListener("levels", (event) => lookUpLevels((event as CustomEvent<number>).detail));
price.addEventListener("go", (event) => go((event as CustomEvent<string>).detail));
runPart.addEventListener("run", run);
runPart.addEventListener("cancel", () => {
  if (!isWaiting) return client.cancel();
  isWaiting = false;
  show();
});
sharePart.ask = (...asked) => client.ask("shareReport", asked);
forecast.simulate = (request, guesses, told) => client.ask("simulate", [request, guesses], told);
releasePart.cancel = () => client.cancel();
releasePart.predict = (release, file) => client.ask("predict", [release, { file }]);
persons.cancel = () => client.cancel();
evaluationPart.price = (...asked) => client.ask("planEvaluation", asked);
Object.assign(evaluationPart, { evaluate, cancel: () => client.cancel() });
forecast.addEventListener("forecast", (event) => {
  releasePart.forecast = (event as CustomEvent<Forecast>).detail;
});
forecast.cancel = () => client.cancel();
Object.assign(ranking, {
  rank: (request, guesses, told) => client.ask("rankAlgorithms", [request, guesses], told),
  use: (algorithm) => edit(withAlgorithm(form, algorithm)),
  cancel: () => client.cancel(),
} satisfies Partial<typeof ranking>);
copies.statistics = (...asked) => client.ask("statistics", asked);
locality.probeWorker = (way, address) => client.ask("probe", [way, address]);
addEventListener("beforeunload", (event) => {
  // The ledger is forgotten with the page; that of real tables is missed.
  if (spent.isMissed) event.preventDefault();
});

themeSwitch(find<HTMLButtonElement>("#theme"));
find("#version").textContent = VERSION;
show();
client.start();
