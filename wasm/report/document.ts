/**
 * The report that a study may publish, as JSON: what is public and what was paid for, and nothing else. Anybody reads her
 * own loss off it, on her own machine.
 */
import { fingerprintOf } from "../engine/fingerprint.ts";
import { canonical, toJson } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import {
  type Checked,
  checkArgument,
  choice,
  constant,
  flag,
  type JsonSchema,
  list,
  optional,
  real,
  record,
  type Shape,
  text,
  whole,
} from "../engine/shape.ts";
import { type FitRequest, fitSchema, requestAt } from "../release/fit-request.ts";

export const FORMAT = "epsilometer-privacy-report-1";

const number = real(-Number.MAX_VALUE, Number.MAX_VALUE);
export const numbers = list(number, 0, 10_000_000);
const width = optional(real(1e-90, 1e90), undefined);
const MOST_ROWS = 2 ** 32;

/** How often what is said may fail, and for how many persons it is to hold at once. */
const PROMISE = {
  /** A probability, over the noise of the model and of the report. */
  failure: optional(real(1e-40, 0.5), 1e-6),
  /**
   * `one`: a person who was thought of before the release. `rows`: all of a table with at most so many. `anybody`: whoever has
   * whatever values, chosen after the release was seen or before; where the release is normal noise and nothing else.
   */
  audience: optional(choice("one", "rows", "anybody"), "one"),
  /** For `rows`: a public bound, not the number of rows of the table at hand, which is private. */
  rows: optional(real(1, MOST_ROWS), undefined),
} as const;

/** Standard deviations of the noise on what is published beside the model; what is left out is not published. */
const NOISE = record({ gradient: width, hessian: width, eigenvalue: width });

/** By what the rows of a whitened fit were whitened, as it was released beside the model, and with which noise. */
export const WHITENING = record({
  /** XᵀX with noise: a lower triangle, by rows. */
  gram: numbers,
  /** About how many rows there are, by the same noise. */
  rows: real(1, Number.MAX_VALUE),
  /** Of the model, and of the matrix, as they were found for the budget. */
  sigma: number,
  lambda: number,
  gramSigma: number,
});

export type Whitening = Checked<typeof WHITENING>;

const REQUEST = record({
  ...PROMISE,
  noise: optional(NOISE, { gradient: undefined, hessian: undefined, eigenvalue: undefined }),
  /** Makes the noise repeatable: a demonstration, of which nothing is private. */
  seed: optional(whole(0, Number.MAX_SAFE_INTEGER), undefined),
});

/** What is asked of a report. */
export type ReportRequest = Checked<typeof REQUEST>;

const { $schema: _, ...schema } = fitSchema;
/** As a fit takes it. */
const MODEL: Shape<FitRequest> = { schema, check: requestAt };

const DOCUMENT = record({
  format: constant(FORMAT),
  /** False for a demonstration: then nobody is protected by what it says. */
  private: flag,
  /** By which the model was made; `request.table` says which values a person types. */
  request: MODEL,
  /** Of features as the model has them. */
  coefficients: numbers,
  promise: record(PROMISE),
  noise: NOISE,
  /** What was published beside the model, its noise included: the Hessian as a lower triangle, by rows. */
  material: record({
    gradient: optional(numbers, undefined),
    hessian: optional(numbers, undefined),
    eigenvalue: optional(number, undefined),
  }),
  /** Of a whitened fit. */
  whitening: optional(WHITENING, undefined),
  /** Of model and report together: ε at δ, for whoever is in whatever table. */
  price: record({ epsilon: real(0, Number.MAX_VALUE), delta: real(0, 1), neighbours: text(1, 40) }),
  /** Of all else that stands here: what was changed by mistake is noticed. It is no signature. */
  fingerprint: text(16, 16),
});

export type PrivacyReport = Checked<typeof DOCUMENT>;

/** Whether anything is published beside the model. */
export const isPublishing = ({ noise }: Pick<PrivacyReport, "noise">) =>
  Object.values(noise).some((sigma) => sigma !== undefined);

export const reportSchemas = {
  report: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "A privacy report",
    ...DOCUMENT.schema,
  },
  "report-request": {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "What is asked of a privacy report",
    ...REQUEST.schema,
  },
} as const satisfies Record<string, JsonSchema>;

const OFFER = record({
  ...PROMISE,
  /** Of the budget, in the squares of Gaussian noise; the model gets the rest. */
  share: real(0, 0.99),
  /** Whether the smallest eigenvalue of the Hessian is published too. */
  eigenvalue: optional(flag, false),
  /** Whom to expect, by public guesses: so many rows like hers in all directions, and how sure the model is of the wrong class. */
  person: record({ rows: real(0, MOST_ROWS), wrong: real(1e-9, 1 - 1e-9) }),
});

export const checkOffer = (value: unknown) => checkArgument("offer", OFFER, value);

function checkAudience({ audience, rows }: Pick<ReportRequest, "audience" | "rows">, field: string): void {
  if ((audience === "rows") === (rows !== undefined)) return;
  const rule = "must be given for the audience rows, and for no other";
  throw new Refusal(rows === undefined ? "missing" : "unsupported", field, rows, rule);
}

export function checkReportRequest(value: unknown): ReportRequest {
  const request = checkArgument("request", REQUEST, value ?? {});
  checkAudience(request, "rows");
  return request;
}

function seal(report: object): string {
  const { fingerprint: _, ...rest } = JSON.parse(toJson(report));
  return fingerprintOf(JSON.stringify(canonical(rest)));
}

export const sealed = (report: Omit<PrivacyReport, "fingerprint">): PrivacyReport => ({
  ...report,
  fingerprint: seal(report),
});

/** A report that says what it said when it was made, or a refusal. */
export function checkReport(value: unknown): PrivacyReport {
  const { format } = (typeof value === "object" && value !== null ? value : {}) as { format?: unknown };
  if (format !== FORMAT) {
    const rule = `must be ${FORMAT}: this is no privacy report, or one of another version`;
    throw new Refusal(format === undefined ? "missing" : "unknown", "format", format, rule);
  }
  const report = DOCUMENT.check("", value);
  if (seal(value as object) !== report.fingerprint) {
    const rule = "is not that of what the report says: it was changed after it was made";
    throw new Refusal("malformed", "fingerprint", report.fingerprint, rule);
  }
  checkAgreement(report);
  return report;
}

/** What stands twice must be the same: whoever changes one of both may seal it again, but never made such a report. */
function checkAgreement({ private: isPrivate, promise, price, request }: PrivacyReport): void {
  checkAudience(promise, "promise.rows");
  if (isPrivate && request.seed !== undefined)
    throw new Refusal("unsupported", "private", isPrivate, "must be false where request.seed is given");
  const { delta } = request.budget;
  if (price.delta !== delta)
    throw new Refusal("range", "price.delta", price.delta, `must be ${delta}, as request.budget.delta is`);
}
