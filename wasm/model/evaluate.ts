/**
 * How good a released model is on the rows of a table, paid for. The rows are prepared as they were for the fit; the core
 * counts scores, or sums errors, with noise, and says what that costs.
 */
import type { FullDoor, Output, Planned } from "../../build/wasm/full.mjs";
import type { Calculator, Evaluation, EvaluationPlan, FitOptions, Release } from "../contract.ts";
import { unwrap } from "../engine/core-answer.ts";
import { validate } from "../engine/description.ts";
import { together } from "../engine/description-tree.ts";
import { choice } from "../engine/shape.ts";
import { byAskedNames } from "../release/asked-names.ts";
import { withFoundNoise } from "../release/found-noise.ts";
import { priced } from "../release/priced.ts";
import { TableSession } from "../release/table-session.ts";
import { likeliest, toLabelUnits } from "../table/features.ts";
import type { Sink } from "../table/preprocess.ts";
import { withDraw } from "../table/quota.ts";
import type { Source } from "../table/source.ts";
import { checkWatching } from "../table/watching.ts";
import { checkEvaluation, type EvaluationAsked, type EvaluationRequest } from "./evaluation-request.ts";
import { classesOf, type LinearModel, modelsOf, type Predictors, sayingOf } from "./linear-model.ts";
import {
  type Measures,
  measuresOfClasses,
  measuresOfConfusion,
  measuresOfNumbers,
  reliability,
} from "./measures.ts";

/** Where an evaluation's own fields are. */
const ASKED = "evaluation.";

/** A model with all that its evaluation takes of the release. */
interface Released {
  readonly models: Predictors;
  /** What is the same for each of several classes. */
  readonly model: LinearModel;
  readonly asked: EvaluationAsked;
  readonly neighbours: "add-remove" | "replace";
  readonly description: Release["description"];
}

function read(release: unknown, evaluation: unknown): Released {
  const models = modelsOf(release);
  const [model] = models;
  const asked = checkEvaluation(model, evaluation);
  const neighbours = choice("add-remove", "replace").check(
    "release.epsilon.neighbours",
    model.promise.epsilon?.neighbours,
  );
  const description = validate((release as Release).description, "release.description");
  return { models, model, asked, neighbours, description };
}

/** How many numbers the core is given of each row. */
const numbersTold = (asked: EvaluationAsked) =>
  asked.measured === "confusion" && asked.bins !== undefined ? 2 : 1;

/** The least that the largest of so many probabilities is. */
const leastSure = (classes: number) => 1 / classes;

function question({ models, model, asked, neighbours }: Released) {
  const { budget, sigma, measured } = asked;
  const { epsilon, delta } = budget;
  return {
    name: "model-evaluation",
    dimension: numbersTold(asked),
    measured,
    neighbours,
    ...(asked.measured !== "numbers" && asked.bins !== undefined && { bins: asked.bins }),
    ...(asked.measured === "confusion" && { classes: models.length }),
    ...(sigma === undefined ? { epsilon, delta, unitRows: model.request.table.unit.rows } : { sigma }),
  } as Readonly<Record<string, string | number>>;
}

/** From 0 to 1, as the core has scores; a score of classes that were fitted as numbers goes from -1 to 1. */
const placeOf = ({ predicted }: LinearModel) =>
  predicted === "score" ? (score: number) => (score + 1) / 2 : (score: number) => score;

/** Gives the core, for each row, what it is given of an evaluation. */
function sinkOf({ models, model, asked }: Released, dimension: number, add: Sink): Sink {
  const say = sayingOf(models);
  const place = placeOf(model);
  const { table } = model.request;
  const least = leastSure(models.length);
  const toldOf = (all: readonly number[], label: number): readonly number[] => {
    const [said] = all as [number];
    if (asked.measured === "classes") return [place(said)];
    if (asked.measured === "numbers")
      return [(said - (toLabelUnits(table, [label])[0] as number)) / asked.errorBound];
    const likely = likeliest(all);
    return asked.bins === undefined ? [likely] : [likely, ((all[likely] as number) - least) / (1 - least)];
  };
  return (features, labels) => {
    const rows = Array.from(labels, (label, i) =>
      toldOf(say(features.subarray(i * dimension, (i + 1) * dimension)), label),
    );
    add(Float64Array.from(rows.flat()), labels);
  };
}

/** From the least score to the largest. */
function edgesOf({ models, model: { predicted } }: Released, bins: number): number[] {
  const least = predicted === "score" ? -1 : models.length > 1 ? leastSure(models.length) : 0;
  return Array.from({ length: bins + 1 }, (_, i) => least + ((1 - least) * i) / bins);
}

function measures(released: Released, outputs: readonly Output[], sigma: number): Measures {
  const { model, asked } = released;
  const [values, sure] = outputs.map(({ values }) => [...values]) as [number[], number[]?];
  if (asked.measured === "numbers")
    return measuresOfNumbers(asked.errorBound, values as unknown as [number, number, number], sigma);
  if (asked.measured === "confusion") {
    const told = measuresOfConfusion(classesOf(model) as readonly string[], values, sigma);
    const { bins } = asked;
    if (!sure || !bins) return told;
    return { ...told, ...reliability(edgesOf(released, bins), sure.slice(0, bins), sure.slice(bins), sigma) };
  }
  const { bins } = asked;
  return measuresOfClasses(edgesOf(released, bins), values.slice(0, bins), values.slice(bins), sigma);
}

export class EvaluationEngine {
  readonly #calculator: Calculator;
  readonly #core: FullDoor;

  constructor(calculator: Calculator, core: FullDoor) {
    this.#calculator = calculator;
    this.#core = core;
  }

  plan(release: unknown, evaluation: unknown): EvaluationPlan {
    const found = this.#read(release, evaluation);
    const { rows } = found.model.request.table.unit;
    const planned = () => unwrap(this.#core.plan(question(found), found.asked.seed ?? null, rows));
    return this.#priced(found, byAskedNames(planned, ASKED));
  }

  async evaluate(
    release: unknown,
    table: Source,
    evaluation: unknown,
    watched?: FitOptions,
  ): Promise<Evaluation> {
    const options = checkWatching(watched);
    const found = this.#read(release, evaluation);
    const { request } = found.model;
    const begun = () => unwrap(this.#core.beginFit(question(found), true));
    const { session: number } = byAskedNames(begun, ASKED);
    const session = new TableSession(this.#core, number);
    try {
      const dimension = found.model.coefficients.length;
      await session.read(withDraw(request), table, options, sinkOf(found, dimension, session.add));
      const rows = request.table.unit.rows;
      const run = byAskedNames(() => session.run(found.asked.seed, rows, options), ASKED);
      const plan = this.#priced(found, run);
      return { ...plan, measures: measures(found, run.outputs, plan.sigma) };
    } finally {
      session.end();
    }
  }

  /** What both cost together rests on what the release says that it ran. */
  #read(release: unknown, evaluation: unknown): Released {
    const found = read(release, evaluation);
    withFoundNoise(this.#core, release as Release);
    return found;
  }

  #priced({ model, asked, neighbours, description: fitted }: Released, planned: Planned): EvaluationPlan {
    const { budget, measured: _, ...rest } = asked;
    const { rows } = model.request.table.unit;
    const alone = byAskedNames(() => priced(this.#core, planned, { budget, rows }), ASKED);
    const both = validate(
      together([
        { mechanism: fitted, count: 1 },
        { mechanism: alone.description, count: 1 },
      ]),
    );
    return {
      ...alone,
      private: alone.private && model.promise.private !== false,
      sigma: planned.parameters.sigma as number,
      together: {
        description: both,
        epsilon: { ...this.#calculator.epsilon(both, budget.delta, { group: rows }), neighbours },
      },
      request: { budget, ...rest } as EvaluationRequest,
    };
  }
}
