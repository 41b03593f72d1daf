/** Every study, in the order of the page. */

import { study as accuracyFirst } from "./accuracy-first.mjs";
import { study as bestOfRuns } from "./best-of-runs.mjs";
import { study as brokenPromises } from "./broken-promises.mjs";
import { study as creditReports } from "./credit-reports.mjs";
import { study as inflatedLambda } from "./inflated-lambda.mjs";
import { study as leastLambda } from "./least-lambda.mjs";
import { study as mixingPrice } from "./mixing-price.mjs";
import { study as orders } from "./objective-orders.mjs";
import { study as profile } from "./objective-profile.mjs";
import { study as privateAccuracy } from "./private-accuracy.mjs";
import { study as repeated } from "./repeated-minima.mjs";
import { study as ridgeOutput } from "./ridge-output.mjs";
import { study as ridgeSample } from "./ridge-sample.mjs";
import { study as rotated } from "./rotated-model.mjs";
import { study as sampledStep } from "./sampled-step.mjs";
import { study as sketchedClasses } from "./sketched-classes.mjs";
import { study as sketchedRegression } from "./sketched-regression.mjs";
import { study as testedRidge } from "./tested-ridge.mjs";
import { study as votes } from "./votes.mjs";
import { study as worstReport } from "./worst-report.mjs";

export const studies = [
  profile,
  orders,
  repeated,
  sampledStep,
  leastLambda,
  privateAccuracy,
  ridgeOutput,
  ridgeSample,
  rotated,
  inflatedLambda,
  worstReport,
  creditReports,
  bestOfRuns,
  brokenPromises,
  accuracyFirst,
  votes,
  testedRidge,
  mixingPrice,
  sketchedRegression,
  sketchedClasses,
];
