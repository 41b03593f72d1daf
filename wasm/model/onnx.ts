/**
 * A model as ONNX, operator set 13: an input for each column (float, NaN where the value is missing; text for levels), one
 * output. Numbers are floats of 32 bits: a term of the answer is right to about 1e-7 of its coefficient, times how many widths
 * of its column's range the farther end is from 0, where the values are not floats themselves.
 */
import { Refusal } from "../engine/refusal.ts";
import { mustPredictFromColumns } from "./json.ts";
import {
  type CategoricalTerm,
  isNumeric,
  type ModelTerm,
  type NumericTerm,
  type Predictors,
  weightsOf,
} from "./linear-model.ts";
import { notesOf, resultName } from "./notes.ts";
import { bytes, type Field, integer, message } from "./protobuf.ts";
import { fresh } from "./unique.ts";

/** TensorProto.DataType. */
const FLOAT = 1;
const INT64 = 7;
const STRING = 8;

/** The fields of NodeProto, AttributeProto, TensorProto and GraphProto, by onnx.proto of ONNX 1.8. */
const attribute = {
  integer: (name: string, value: number) => message(bytes(1, name), integer(3, value), integer(20, 2)),
  integers: (name: string, values: readonly number[]) =>
    message(
      bytes(1, name),
      values.map((value) => integer(8, value)),
      integer(20, 7),
    ),
  texts: (name: string, values: readonly string[]) =>
    message(
      bytes(1, name),
      values.map((value) => bytes(9, value)),
      integer(20, 8),
    ),
};

/** Little-endian, whatever the machine. */
function raw(values: readonly number[], type: typeof FLOAT | typeof INT64): Uint8Array {
  const width = type === FLOAT ? 4 : 8;
  const view = new DataView(new ArrayBuffer(values.length * width));
  values.forEach((value, i) => {
    if (type === FLOAT) view.setFloat32(i * width, value, true);
    else view.setBigInt64(i * width, BigInt(value), true);
  });
  return new Uint8Array(view.buffer);
}

const tensorType = (name: string, type: number, width = 1) => {
  const shape = message(bytes(1, message(bytes(2, "N"))), bytes(1, message(integer(1, width))));
  return message(bytes(1, name), bytes(2, message(bytes(1, message(integer(1, type), bytes(2, shape))))));
};

/** Collects what the graph is made of; every operator answers the name of its result. */
class Graph {
  readonly unique: (name: string) => string;
  readonly #nodes: Field[] = [];
  readonly #constants: Field[] = [];

  constructor(taken: readonly string[]) {
    this.unique = fresh(taken);
  }

  constant(
    values: readonly number[],
    dimensions: readonly number[],
    type: typeof FLOAT | typeof INT64 = FLOAT,
  ) {
    const name = this.unique("constant");
    const sizes = dimensions.map((size) => integer(1, size));
    this.#constants.push(
      bytes(5, message(sizes, integer(2, type), bytes(8, name), bytes(9, raw(values, type)))),
    );
    return name;
  }

  scalar(value: number) {
    return this.constant([value], []);
  }

  apply(
    operator: string,
    inputs: readonly string[],
    attributes: readonly Uint8Array[] = [],
    domain = "",
  ): string {
    const output = this.unique(operator);
    this.name(operator, inputs, output, attributes, domain);
    return output;
  }

  name(
    operator: string,
    inputs: readonly string[],
    output: string,
    attributes: readonly Uint8Array[] = [],
    domain = "",
  ) {
    this.#nodes.push(
      bytes(
        1,
        message(
          inputs.map((input) => bytes(1, input)),
          bytes(2, output),
          bytes(4, operator),
          attributes.map((one) => bytes(5, one)),
          domain === "" ? [] : bytes(7, domain),
        ),
      ),
    );
  }

  message(inputs: readonly Uint8Array[], output: Uint8Array): Uint8Array {
    const ends = [...inputs.map((input) => bytes(11, input)), bytes(12, output)];
    return message(this.#nodes, bytes(2, "model"), this.#constants, ends);
  }
}

const ML = "ai.onnx.ml";

/** Features of a column, and where its value is missing if that leaves the row without an answer. */
interface Read {
  readonly features: string;
  readonly missing: string | undefined;
}

/** So far from 0, in widths, a range may lie: beyond, 32 bits do not tell its values apart well enough. */
const FARTHEST = 1000;
/** Of floats of 32 bits, with room for products. */
const [LEAST, MOST] = [1e-30, 1e30];

function mustFitFloats({ name, range: [low, high] }: NumericTerm): void {
  const [far, width] = [Math.max(Math.abs(low), Math.abs(high)), high - low];
  if (far <= FARTHEST * width && width >= LEAST && far <= MOST) return;
  const rule = `has the range ${low} to ${high}: as onnx, whose numbers have 32 bits, a range must be from ${LEAST} to ${MOST} wide, and no end farther from 0 than ${FARTHEST} times that`;
  throw new Refusal("unsupported", "release.request.table", name, rule);
}

function numericFeature(graph: Graph, term: NumericTerm): Read {
  mustFitFloats(term);
  const { name, range, constant } = term;
  const [low, high] = range;
  const isMissing = graph.apply("IsNaN", [name]);
  const filled = graph.apply("Where", [isMissing, graph.scalar(constant ?? low), name]);
  const clamped = graph.apply("Clip", [filled, graph.scalar(low), graph.scalar(high)]);
  const centred = graph.apply("Sub", [clamped, graph.scalar((low + high) / 2)]);
  const features = graph.apply("Mul", [centred, graph.scalar(2 / (high - low))]);
  return { features, missing: constant === undefined ? isMissing : undefined };
}

/** Any text that is no level has the place behind the last one, of which no indicator is 1; a missing one the next. */
function indicators(graph: Graph, term: CategoricalTerm, marks: readonly string[]): Read {
  const { name, levels, constant } = term;
  const [none, lacking] = [levels.length, levels.length + 1];
  const missing = constant === undefined ? lacking : levels.indexOf(constant);
  const others = [...new Set(["", ...marks])].filter((mark) => !levels.includes(mark));
  const place = graph.apply(
    "LabelEncoder",
    [name],
    [
      attribute.texts("keys_strings", [...levels, ...others]),
      attribute.integers("values_int64s", [...levels.keys(), ...others.map(() => missing)]),
      attribute.integer("default_int64", none),
    ],
    ML,
  );
  const depth = graph.constant([levels.length], [], INT64);
  const oneHot = graph.apply("OneHot", [place, depth, graph.constant([0, 1], [2])]);
  const features = graph.apply("Reshape", [oneHot, graph.constant([-1, levels.length], [2], INT64)]);
  const isMissing = () => graph.apply("Equal", [place, graph.constant([lacking], [], INT64)]);
  return { features, missing: constant === undefined ? isMissing() : undefined };
}

const LINKS = {
  value: "Identity",
  score: "Identity",
  mean: "Exp",
  probability: "Sigmoid",
  probabilities: "Softmax",
} as const;

/** Says nothing of a row that lacks a value. */
function answered(graph: Graph, answer: string, missing: readonly string[], output: string): void {
  if (missing.length === 0) {
    graph.name("Identity", [answer], output);
    return;
  }
  const any = missing.reduce((left, right) => graph.apply("Or", [left, right]));
  graph.name("Where", [any, graph.scalar(Number.NaN), answer], output);
}

const typeOf = (term: ModelTerm) => (isNumeric(term) ? FLOAT : STRING);

const operators = (domain: string, version: number) =>
  bytes(8, message(bytes(1, domain), integer(2, version)));

/** By rows: for each feature one of each predictor. */
const weightMatrix = (models: Predictors) => {
  const all = models.map(weightsOf);
  return (all[0] as readonly number[]).flatMap((_, i) => all.map((weights) => weights[i] as number));
};

export function onnxExport(models: Predictors): Uint8Array {
  const [model] = models;
  mustPredictFromColumns(model);
  const { terms, predicted, request } = model;
  const width = models.length;
  const graph = new Graph(terms.map(({ name }) => name));
  const output = graph.unique(resultName(model));
  const read = terms.map((term) =>
    isNumeric(term) ? numericFeature(graph, term) : indicators(graph, term, request.table.missingMarks),
  );
  const features = graph.apply(
    "Concat",
    read.map((one) => one.features),
    [attribute.integer("axis", 1)],
  );
  const bias = graph.constant(
    models.map(({ intercept }) => intercept),
    [width],
  );
  const weights = weightMatrix(models);
  const matrix = graph.constant(weights, [weights.length / width, width]);
  const predictor = graph.apply("Gemm", [features, matrix, bias]);
  const answer = graph.apply(LINKS[predicted], [predictor]);
  const missing = read.flatMap((one) => one.missing ?? []);
  answered(graph, answer, missing, output);
  const inputs = terms.map((term) => tensorType(term.name, typeOf(term)));
  const body = graph.message(inputs, tensorType(output, FLOAT, width));
  return message(
    integer(1, 7),
    bytes(2, "Epsilometer"),
    bytes(6, notesOf(model).join("\n")),
    bytes(7, body),
    operators("", 13),
    operators(ML, 2),
  );
}
