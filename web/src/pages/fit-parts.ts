/** The parts of the fit page: each is defined once, and found where the page's HTML has it. */
import { define } from "../elements/define.ts";
import { VERSION } from "../version.ts";
import { part } from "./find.ts";
import { FitColumns } from "./fit-columns.ts";
import { FitCopies } from "./fit-copies.ts";
import { FitData } from "./fit-data.ts";
import { FitForecast } from "./fit-forecast.ts";
import { FitHypothetical } from "./fit-hypothetical.ts";
import { FitLedger } from "./fit-ledger.ts";
import { FitModel } from "./fit-model.ts";
import { FitPersons } from "./fit-persons.ts";
import { FitPrice } from "./fit-price.ts";
import { FitRelease } from "./fit-release.ts";
import { FitRun } from "./fit-run.ts";
import { FitUnit } from "./fit-unit.ts";
import { LocalityCheck } from "./locality-check.ts";

// Not in the HTML: other parts make them.
define("fit-columns", FitColumns, VERSION);
define("fit-hypothetical", FitHypothetical, VERSION);

export const data = part("fit-data", FitData);
export const unit = part("fit-unit", FitUnit);
export const model = part("fit-model", FitModel);
export const price = part("fit-price", FitPrice);
export const runPart = part("fit-run", FitRun);
export const releasePart = part("fit-release", FitRelease);
export const persons = part("fit-persons", FitPersons);
export const ledger = part("fit-ledger", FitLedger);
export const copies = part("fit-copies", FitCopies);
export const forecast = part("fit-forecast", FitForecast);
export const locality = part("locality-check", LocalityCheck);
