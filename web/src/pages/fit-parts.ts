/** The parts of the fit page: each is defined once, and found where the page's HTML has it. */
import { define } from "../elements/define.ts";
import { VERSION } from "../version.ts";
import { find } from "./find.ts";
import { FitColumns } from "./fit-columns.ts";
import { FitCopies } from "./fit-copies.ts";
import { FitData } from "./fit-data.ts";
import { FitForecast } from "./fit-forecast.ts";
import { FitLedger } from "./fit-ledger.ts";
import { FitModel } from "./fit-model.ts";
import { FitPrice } from "./fit-price.ts";
import { FitRelease } from "./fit-release.ts";
import { FitRun } from "./fit-run.ts";
import { FitUnit } from "./fit-unit.ts";
import { LocalityCheck } from "./locality-check.ts";

define("fit-data", FitData, VERSION);
define("fit-unit", FitUnit, VERSION);
define("fit-columns", FitColumns, VERSION);
define("fit-model", FitModel, VERSION);
define("fit-price", FitPrice, VERSION);
define("fit-run", FitRun, VERSION);
define("fit-release", FitRelease, VERSION);
define("fit-ledger", FitLedger, VERSION);
define("fit-copies", FitCopies, VERSION);
define("fit-forecast", FitForecast, VERSION);
define("locality-check", LocalityCheck, VERSION);

export const data = find<FitData>("fit-data");
export const unit = find<FitUnit>("fit-unit");
export const model = find<FitModel>("fit-model");
export const price = find<FitPrice>("fit-price");
export const runPart = find<FitRun>("fit-run");
export const releasePart = find<FitRelease>("fit-release");
export const ledger = find<FitLedger>("fit-ledger");
export const copies = find<FitCopies>("fit-copies");
export const forecast = find<FitForecast>("fit-forecast");
export const locality = find<LocalityCheck>("locality-check");
