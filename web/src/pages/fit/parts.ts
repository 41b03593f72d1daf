/** The parts of the fit page: each is defined once, and found where the page's HTML has it. */
import { define } from "../../elements/define.ts";
import { VERSION } from "../../version.ts";
import { part } from "../find.ts";
import { LocalityCheck } from "../locality-check.ts";
import { FitColumns } from "./columns.ts";
import { FitCopies } from "./copies.ts";
import { FitData } from "./data.ts";
import { FitEvaluation } from "./evaluation.ts";
import { FitExports } from "./exports.ts";
import { FitForecast } from "./forecast.ts";
import { FitHypothetical } from "./hypothetical.ts";
import { FitLeak } from "./leak.ts";
import { FitLedger } from "./ledger.ts";
import { FitMeasures } from "./measures.ts";
import { FitModel } from "./model.ts";
import { FitPersons } from "./persons.ts";
import { FitPrice } from "./price.ts";
import { FitRanking } from "./ranking.ts";
import { FitRelease } from "./release.ts";
import { FitReport } from "./report.ts";
import { FitRule } from "./rule.ts";
import { FitRun } from "./run.ts";
import { FitShare } from "./share.ts";
import { FitUnit } from "./unit.ts";

// Not in the HTML: other parts make them.
define("fit-columns", FitColumns, VERSION);
define("fit-exports", FitExports, VERSION);
define("fit-hypothetical", FitHypothetical, VERSION);
define("fit-leak", FitLeak, VERSION);
define("fit-measures", FitMeasures, VERSION);
define("fit-report", FitReport, VERSION);

export const data = part("fit-data", FitData);
export const unit = part("fit-unit", FitUnit);
export const model = part("fit-model", FitModel);
export const ranking = part("fit-ranking", FitRanking);
export const price = part("fit-price", FitPrice);
export const sharePart = part("fit-share", FitShare);
export const rulePart = part("fit-rule", FitRule);
export const runPart = part("fit-run", FitRun);
export const releasePart = part("fit-release", FitRelease);
export const evaluationPart = part("fit-evaluation", FitEvaluation);
export const persons = part("fit-persons", FitPersons);
export const ledger = part("fit-ledger", FitLedger);
export const copies = part("fit-copies", FitCopies);
export const forecast = part("fit-forecast", FitForecast);
export const locality = part("locality-check", LocalityCheck);
