/** The fit page's end of the wire: reads tables, fits and prices models. A blob worker, bound by the page's policy. */
import { type LedgerQuestion, open } from "../../../wasm/engine.ts";
import { modelsOf } from "../../../wasm/model/linear-model.ts";
import { predictionLines } from "../../../wasm/model/predict.ts";
import { inspect, proposeLevels } from "../../../wasm/table/inspect.ts";
import { sniff } from "../../../wasm/table/sniff.ts";
import { peek, type Source } from "../../../wasm/table/source.ts";
import { statisticsQuery } from "../../../wasm/table/sql.ts";
import type { Table } from "../fit/loaded.ts";
import { sampleText } from "../fit/samples.ts";
import { FAILURE, type FitJobs, type Told } from "./fit-protocol.ts";
import { probe } from "./probe.ts";
import { byArguments, serve } from "./protocol.ts";

const engine = open();
// Whoever asks first hears why the engine did not start.
engine.catch(() => {});

/** A source each time: whatever was read before, reading starts anew. */
const sourceOf = (table: Table): Source => ("file" in table ? table.file : sampleText(table.sample));

/** A dozen reports a second are enough to watch. */
const OFTEN = 80;

function seldom(told: Told): Told {
  let last = 0;
  let phase = "";
  return (progress) => {
    if (progress.phase === phase && performance.now() - last < OFTEN) return;
    last = performance.now();
    phase = progress.phase;
    told(progress);
  };
}

function reading(told: Told) {
  const tell = seldom(told);
  return {
    onProgress: (done: number, total: number | undefined) =>
      tell({ phase: "reading", share: total ? done / total : undefined }),
  };
}

const jobs: FitJobs = {
  look: async (table) => sniff((await peek(sourceOf(table))).beginning),
  async survey(table, format, declared, told) {
    const found = await inspect(sourceOf(table), format, declared, reading(told));
    // The cell itself stays here.
    const problems = found.problems.map((problem) =>
      problem.kind === "text" ? { ...problem, rule: "is not a number: it counts as missing" } : problem,
    );
    return { ...found, problems };
  },
  levels: (table, format, column, told) => proposeLevels(sourceOf(table), format, column, reading(told)),
  plan: async (request) => (await engine).plan(request),
  fit: async (table, request, told) =>
    (await engine).fit(sourceOf(table), request, { onProgress: seldom(told) }),
  fitWithoutPrivacy: async (table, request, told) =>
    (await engine).fitWithoutPrivacy(sourceOf(table), request, { onProgress: seldom(told) }),
  async predict(release, table) {
    const lines: string[] = [];
    for await (const piece of predictionLines(modelsOf(release), sourceOf(table))) lines.push(piece);
    return lines.join("");
  },
  planEvaluation: async (release, asked) => (await engine).planEvaluation(release, asked),
  evaluate: async (release, table, asked, told) =>
    (await engine).evaluate(release, sourceOf(table), asked, { onProgress: seldom(told) }),
  personalLosses: async (release, table, told) =>
    (await engine).personalLosses(release, sourceOf(table), { failure: FAILURE, onProgress: seldom(told) }),
  votersLoss: async (release, table, told) =>
    (await engine).votersLoss(release, sourceOf(table), { onProgress: seldom(told) }),
  knownLoss: async (release, table, row, member) =>
    (await engine).knownLoss(release, sourceOf(table), row, { member, failure: FAILURE }),
  shareReport: async (request, offer) => (await engine).shareReport(request, offer),
  report: async (release, table, asked, told) =>
    (await engine).report(release, table && sourceOf(table), asked, { onProgress: seldom(told) }),
  personalLoss: async (report, row, isMember) => (await engine).personalLoss(report, row, isMember),
  simulate: async (request, guesses, told) =>
    (await engine).simulate(request, guesses, { onProgress: seldom(told) }),
  rankAlgorithms: async (request, guesses, told) =>
    (await engine).rankAlgorithms(request, guesses, { onProgress: seldom(told) }),
  ledger: async (ledger, delta) => (await engine).ledger(ledger as LedgerQuestion, delta),
  statistics: async ({ table }, from, dialect) => statisticsQuery(table, from.split("."), dialect).sql,
  probe,
};

serve(byArguments(jobs));
