/**
 * What a release told about one person: the report that a study may publish, and reading it. Every statement is the core's;
 * here requests, tables and rows become its numbers.
 */
import type { Refused } from "../../build/wasm/calculator.mjs";
import type { FullDoor, ReportQuestion } from "../../build/wasm/full.mjs";
import type {
  Answer,
  FitOptions,
  KnownLoss,
  Neighbours,
  PeopleLosses,
  PeopleOptions,
  PersonalLoss,
  PersonOptions,
  Release,
  ReportOffer,
  VoteLoss,
  VotersOptions,
} from "../contract.ts";
import { ORDER } from "../engine/calculator-engine.ts";
import { unwrap } from "../engine/core-answer.ts";
import { validate } from "../engine/description.ts";
import { type CoreDescription, fromCore } from "../engine/description-tree.ts";
import { provenance } from "../engine/provenance.ts";
import { Refusal } from "../engine/refusal.ts";
import { checkArgument, flag, list, optional, real, record, text } from "../engine/shape.ts";
import { withoutIdle } from "../release/algorithms.ts";
import { byAskedNames } from "../release/asked-names.ts";
import { asked, checkRequest, type FitRequest } from "../release/fit-request.ts";
import { withFoundNoise } from "../release/found-noise.ts";
import { priceOf } from "../release/priced.ts";
import { secretBytes, TableSession, watched } from "../release/table-session.ts";
import { checkDraw } from "../table/quota.ts";
import { singleRow } from "../table/single-row.ts";
import type { Source } from "../table/source.ts";
import { checkWatching, WATCHING } from "../table/watching.ts";
import {
  checkOffer,
  checkReport,
  checkReportRequest,
  FORMAT,
  isPublishing,
  numbers,
  type PrivacyReport,
  type ReportRequest,
  sealed,
  WHITENING,
  type Whitening,
} from "./document.ts";
import { TEST_EPSILON, votersTold } from "./votes.ts";

const NOTHING = { gradient: undefined, hessian: undefined, eigenvalue: undefined };

type Asked = Pick<PrivacyReport, "coefficients" | "promise" | "noise" | "material" | "whitening"> & {
  readonly request: FitRequest;
};

const question = ({ request, coefficients, promise, noise, material, whitening }: Asked): ReportQuestion => ({
  request: asked(request),
  unitRows: request.table.unit.rows,
  coefficients,
  promise,
  noise,
  material,
  whitening,
  seed: request.seed ?? null,
});

interface Priced {
  readonly epsilon: Answer;
  readonly neighbours: Neighbours;
}

/** The ε of the budget, which the release keeps, of one that was checked. */
const budgeted = ({ request }: Release) => (request as FitRequest).budget.epsilon ?? null;

/** What is promised to everybody holds for each. */
const least = (own: Answer, promised: Answer) => (own.upper <= promised.upper ? own : promised);

/** The coefficients as the model has them. */
function coefficientsOf({ outputs }: Release): readonly number[] {
  const known = Array.isArray(outputs) ? (outputs as Release["outputs"]) : [];
  const found = known.find((output) => output?.kind === "coefficients");
  if (found) return numbers.check("release.outputs.values", found.values);
  if (known.some((output) => output?.kind === "class-coefficients")) {
    const rule = "must be a number or one of two classes: there are no reports on models of several classes";
    throw new Refusal("unsupported", "release.request.table.label", undefined, rule);
  }
  throw new Refusal("missing", "release.outputs", undefined, "must hold coefficients");
}

/** By their names: what a release tells on the way decides what it cost. */
const OUTPUTS = list(record({ name: text(1, 100), values: numbers }), 0, 100);

const outputsOf = ({ outputs }: Release) =>
  OUTPUTS.check(
    "release.outputs",
    Array.isArray(outputs)
      ? outputs.map((output) => ({ name: output?.name, values: output?.values }))
      : outputs,
  );

/** By what a fit whitened its rows, if it did. */
function whiteningOf(release: Release): Whitening | undefined {
  const { whiten, sigma, lambda, gramSigma } = release.parameters ?? {};
  if (!whiten) return undefined;
  const valuesOf = (name: string) => outputsOf(release).find((output) => output.name === name)?.values;
  return WHITENING.check("release", {
    gram: valuesOf("gram"),
    rows: valuesOf("rows")?.[0],
    sigma,
    lambda,
    gramSigma,
  });
}

/** As the core takes it. */
const FAILURE = optional(real(1e-40, 0.5), undefined);
const PEOPLE = record({ ...WATCHING, order: optional(ORDER, undefined), failure: FAILURE });
const VOTERS = record({ ...WATCHING, testEpsilon: TEST_EPSILON });
const PERSON = record({
  ...WATCHING,
  member: optional(flag, true),
  failure: FAILURE,
});

/** How wide the interval is of what one row pays, relatively, where it is a composition's. */
const OWN_GAP = 1e-4;

/** Of another version too, whose interval held the same truth and was no wider. Of a bound only the upper end is promised. */
function checkPrice({ epsilon, neighbours }: PrivacyReport["price"], whole: Priced): void {
  const { lower, upper, kind } = whole.epsilon;
  const smallest = kind === "bound" ? upper * (1 - OWN_GAP) : lower;
  const refuse = (rule: string) => {
    throw new Refusal("range", "price.epsilon", epsilon, `${rule}, which is what such a release costs`);
  };
  if (epsilon < smallest) refuse(`must be at least ${smallest}`);
  if (epsilon > upper * (1 + OWN_GAP)) refuse(`must be at most ${upper}`);
  if (neighbours === whole.neighbours) return;
  const rule = `must be ${whole.neighbours}, about which such a release is`;
  throw new Refusal("unsupported", "price.neighbours", neighbours, rule);
}

export class ReportEngine {
  readonly #core: FullDoor;

  constructor(core: FullDoor) {
    this.#core = core;
  }

  /** How one budget may be shared between a model and what is published beside it. */
  offer(request: unknown, value: unknown): ReportOffer {
    const checked = checkRequest(request);
    const { share, eigenvalue, person, ...promise } = checkOffer(value);
    const split = byAskedNames(() =>
      unwrap(this.#core.reportSplit(asked(checked), share, eigenvalue, person, promise)),
    );
    const { sigma, lambda } = split.numbers as { sigma: number; lambda: number };
    const budget = { ...checked.budget, epsilon: undefined };
    const described = validate(fromCore(split.price));
    return {
      share,
      request: {
        ...checked,
        algorithm: withoutIdle({ ...checked.algorithm, sigma, lambda } as FitRequest["algorithm"], true),
        budget,
      },
      report: {
        ...promise,
        noise: Object.fromEntries(Object.entries(split.noise).filter(([, sigma]) => sigma !== null)),
      },
      description: described,
      epsilon: split.epsilon,
      delta: checked.budget.delta,
      without: split.without,
      with: split.with,
    };
  }

  /** Without a table only what is free: nothing is published beside the model. */
  async make(
    release: Release,
    table: Source | undefined,
    value: unknown,
    watching?: FitOptions,
  ): Promise<PrivacyReport> {
    const options = checkWatching(watching);
    const { noise, seed, ...promise } = checkReportRequest(value);
    const request = withFoundNoise(this.#core, release);
    const coefficients = coefficientsOf(release);
    const whitening = whiteningOf(release);
    const free = { request, coefficients, promise, noise, material: NOTHING, whitening };
    if (isPublishing(free) !== (table !== undefined)) {
      const rule =
        table === undefined
          ? "must be given: what is published beside a model is computed from it"
          : "must be left out: nothing is to be published beside the model";
      throw new Refusal(table === undefined ? "missing" : "unsupported", "table", undefined, rule);
    }
    const run = unwrap(this.#core.reportPrice(question(free)));
    const { epsilon, neighbours } = this.#price(request, run.price);
    if (epsilon.upper === Number.POSITIVE_INFINITY) {
      const rule =
        "must be larger: at this delta model and report together have no price that a report could state";
      throw new Refusal("range", "release.request.budget.delta", request.budget.delta, rule);
    }
    // What can be refused without the table is refused before it is touched.
    const published =
      table === undefined
        ? { material: NOTHING, private: run.private }
        : await this.#publish(free, table, seed, options);
    return sealed({
      format: FORMAT,
      private: published.private,
      request,
      coefficients: [...coefficients],
      promise,
      noise,
      material: published.material,
      whitening,
      price: { epsilon: epsilon.upper, delta: request.budget.delta, neighbours },
    });
  }

  /** What the release cost each row of its table: for whoever may see the table. */
  async people(release: Release, table: Source, asking: PeopleOptions = {}): Promise<PeopleLosses> {
    const { order = null, failure = null, ...options } = checkArgument("options", PEOPLE, asking);
    const request = withFoundNoise(this.#core, release);
    const { delta } = request.budget;
    const question = asked(request);
    const found = await this.#withTable(request, table, options, (session, goesOn) =>
      this.#core.runPeople(
        session,
        question,
        outputsOf(release),
        { delta, order, failure, epsilon: budgeted(release) },
        request.table.unit.rows,
        goesOn,
      ),
    );
    return { confidential: true, private: request.seed === undefined, ...found, delta };
  }

  /** What winners told of all voters of their table alike: for whoever may see the table. */
  async voters(release: Release, table: Source, asking: VotersOptions = {}): Promise<VoteLoss> {
    const { testEpsilon, ...options } = checkArgument("options", VOTERS, asking);
    const request = withFoundNoise(this.#core, release);
    const { delta } = request.budget;
    const question = asked(request);
    const found = await this.#withTable(request, table, options, (session, goesOn) =>
      this.#core.runVoters(session, question, request.table.unit.rows, delta, testEpsilon, goesOn),
    );
    const { neighbours = "add-remove" } = request.algorithm as { neighbours?: Neighbours };
    return { private: request.seed === undefined, ...votersTold(found, delta, neighbours) };
  }

  /** What it cost one person: for whoever may see the table. */
  async person(
    release: Release,
    table: Source,
    row: unknown,
    asking: PersonOptions = {},
  ): Promise<KnownLoss> {
    const { member, failure = null, ...options } = checkArgument("options", PERSON, asking);
    const request = withFoundNoise(this.#core, release);
    const rows = (Array.isArray(row) ? row : [row]).map((one) => singleRow(request, one));
    const person = {
      features: Float64Array.from(rows.flatMap(({ features }) => [...features])),
      labels: rows.map(({ label }) => label),
      member,
      failure,
      unitRows: request.table.unit.rows,
    };
    const question = asked(request);
    const found = await this.#withTable(request, table, options, (session, goesOn) =>
      this.#core.runPerson(session, question, outputsOf(release), person, goesOn),
    );
    const { ownPrice, price, realised, ...causes } = found;
    const description = validate(fromCore(ownPrice));
    const promised = this.#price(request, price, { epsilon: budgeted(release) }).epsilon;
    return {
      confidential: true,
      private: request.seed === undefined,
      // Several rows are in it already.
      whatever: least(this.#price(request, ownPrice, { rows: 1 }).epsilon, promised),
      realised: realised ?? undefined,
      promised,
      delta: request.budget.delta,
      description,
      ...causes,
    };
  }

  /** What it says to whoever has that row: one who is in the table, or one who is not. */
  read(value: unknown, row: unknown, member: unknown = true): PersonalLoss {
    const isMember = flag.check("member", member);
    const report = checkReport(value);
    const { request } = report;
    const { features, label } = singleRow(request, row);
    const told = unwrap(this.#core.told(question(report), features, label, isMember));
    const whole = this.#price(request, told.price);
    const coarse = this.#price(request, told.ownPrice, { gap: OWN_GAP });
    // Whoever pays all that was promised is told no more than that.
    const own = coarse.epsilon.upper <= whole.epsilon.upper ? coarse : this.#price(request, told.ownPrice);
    checkPrice(report.price, whole);
    return {
      private: report.private,
      whatever: least(own.epsilon, whole.epsilon),
      realised: told.realised ?? undefined,
      promised: whole.epsilon,
      delta: request.budget.delta,
    };
  }

  #price(
    { budget, table }: FitRequest,
    run: CoreDescription,
    how: { epsilon?: number | null; gap?: number; rows?: number } = {},
  ): Priced {
    const promise = { epsilon: null, delta: budget.delta, rows: table.unit.rows, ...how };
    const ends = priceOf(this.#core, run, promise);
    const told = provenance(validate(fromCore(run)), ends.kind);
    return { epsilon: { ...ends, ...told }, neighbours: told.neighbours };
  }

  async #publish(report: Asked, table: Source, seed: ReportRequest["seed"], options: FitOptions) {
    const found = await this.#withTable(report.request, table, options, (session, goesOn) =>
      this.#core.runMaterial(session, question(report), secretBytes, seed ?? null, goesOn),
    );
    const list = (values: Float64Array | null) => (values ? [...values] : undefined);
    return {
      private: found.private,
      material: {
        gradient: list(found.gradient),
        hessian: list(found.hessian),
        eigenvalue: found.eigenvalue ?? undefined,
      },
    };
  }

  /** What the core answers about a table once it has read it. */
  async #withTable<T extends object>(
    request: FitRequest,
    table: Source,
    options: FitOptions,
    run: (session: number, goesOn: (share: number) => boolean) => T | Refused,
  ): Promise<Exclude<T, Refused>> {
    checkDraw(request.table, "release.request.table");
    const { dimension } = asked(request) as { dimension: number };
    const session = new TableSession(this.#core, unwrap(this.#core.beginRecords(dimension)).session);
    try {
      await session.read(request, table, options);
      return watched(options, (goesOn) => run(session.session, goesOn));
    } finally {
      session.end();
    }
  }
}
