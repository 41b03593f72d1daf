/** Reads Protocol Buffers, and runs the operators of ONNX that a linear model needs, in floats of 32 bits: by the standard. */

type Fields = ReadonlyMap<number, readonly (number | Uint8Array)[]>;

/** The fields of a message: whole numbers and bytes. */
export function fields(bytes: Uint8Array): Fields {
  const found = new Map<number, (number | Uint8Array)[]>();
  let at = 0;
  const varint = () => {
    let [value, scale] = [0, 1];
    for (;;) {
      const byte = bytes[at++];
      if (byte === undefined) throw new Error("ends within a number");
      value += (byte & 127) * scale;
      scale *= 128;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const key = varint();
    const [number, wire] = [Math.floor(key / 8), key % 8];
    if (wire !== 0 && wire !== 2) throw new Error(`wire type ${wire}`);
    let value: number | Uint8Array = varint();
    if (wire === 2) {
      const end: number = at + value;
      if (end > bytes.length) throw new Error("ends within a field");
      value = bytes.subarray(at, end);
      at = end;
    }
    found.set(number, [...(found.get(number) ?? []), value]);
  }
  return found;
}

const messages = (of: Fields, number: number) =>
  (of.get(number) ?? []).map((one) => fields(one as Uint8Array));
const texts = (of: Fields, number: number) =>
  (of.get(number) ?? []).map((one) => new TextDecoder("utf-8", { fatal: true }).decode(one as Uint8Array));
const numbers = (of: Fields, number: number) => (of.get(number) ?? []) as number[];

type Value = number[] | string[] | boolean[];

function constant(tensor: Fields): number[] {
  const raw = tensor.get(9)?.[0] as Uint8Array;
  const view = new DataView(raw.buffer, raw.byteOffset, raw.length);
  if (numbers(tensor, 2)[0] === 1)
    return Array.from({ length: raw.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
  return Array.from({ length: raw.length / 8 }, (_, i) => Number(view.getBigInt64(8 * i, true)));
}

/** Of one row: columns are lists of one. */
const OPERATORS: Readonly<
  Record<string, (inputs: Value[], attributes: ReadonlyMap<string, Fields>) => Value>
> = {
  IsNaN: ([x]) => [Number.isNaN((x as number[])[0])],
  Where: ([yes, a, b]) => ((yes as boolean[])[0] ? a : b) as Value,
  Clip: ([x, low, high]) => {
    const [value, least, most] = [x, low, high].map((one) => (one as number[])[0]) as [
      number,
      number,
      number,
    ];
    return [Math.min(Math.max(value, least), most)];
  },
  Sub: ([a, b]) => [Math.fround(((a as number[])[0] as number) - ((b as number[])[0] as number))],
  Mul: ([a, b]) => [Math.fround(((a as number[])[0] as number) * ((b as number[])[0] as number))],
  LabelEncoder: ([x], attributes) => {
    const keys = texts(attributes.get("keys_strings") as Fields, 9);
    const values = numbers(attributes.get("values_int64s") as Fields, 8);
    const place = keys.indexOf((x as string[])[0] as string);
    return [
      place < 0 ? (numbers(attributes.get("default_int64") as Fields, 3)[0] ?? 0) : (values[place] as number),
    ];
  },
  OneHot: ([x, depth, values]) => {
    const [off, on] = values as [number, number];
    const place = (x as number[])[0];
    return Array.from({ length: (depth as number[])[0] as number }, (_, i) => (i === place ? on : off));
  },
  Reshape: ([x]) => x as Value,
  Equal: ([a, b]) => [(a as number[])[0] === (b as number[])[0]],
  Or: ([a, b]) => [Boolean(a?.[0] || b?.[0])],
  Concat: (all) => all.flat() as number[],
  Gemm: ([x, w, b]) =>
    (b as number[]).map((bias, k, { length }) =>
      (x as number[]).reduce(
        (sum, one, i) => Math.fround(sum + Math.fround(one * ((w as number[])[i * length + k] as number))),
        bias,
      ),
    ),
  Softmax: ([x]) => {
    const weights = (x as number[]).map((one) => Math.exp(one - Math.max(...(x as number[]))));
    const sum = weights.reduce((all, one) => all + one, 0);
    return weights.map((one) => Math.fround(one / sum));
  },
  Identity: ([x]) => x as Value,
  Exp: ([x]) => [Math.fround(Math.exp((x as number[])[0] as number))],
  Sigmoid: ([x]) => [Math.fround(1 / (1 + Math.exp(-((x as number[])[0] as number))))],
};

/** The answer to a row whose cells are numbers (NaN: missing) and texts, by the names of the inputs. */
export const onnxAnswer = (file: Uint8Array, row: ReadonlyMap<string, number | string>): number =>
  onnxAnswers(file, row)[0] as number;

/** All numbers of that answer. */
export function onnxAnswers(file: Uint8Array, row: ReadonlyMap<string, number | string>): readonly number[] {
  const model = fields(file);
  const [graph] = messages(model, 7);
  if (!graph) throw new Error("no graph");
  const known = new Map<string, Value>(
    messages(graph, 5).map((one) => [texts(one, 8)[0] as string, constant(one)]),
  );
  for (const input of messages(graph, 11)) {
    const name = texts(input, 1)[0] as string;
    const value = row.get(name);
    if (value === undefined) throw new Error(`no input ${name}`);
    known.set(name, typeof value === "number" ? [Math.fround(value)] : [value]);
  }
  for (const node of messages(graph, 1)) {
    const [[operator = ""], [output = ""]] = [texts(node, 4), texts(node, 2)];
    const inputs = texts(node, 1).map((name) => {
      const value = known.get(name);
      if (!value) throw new Error(`${operator} reads ${name}, which nothing made`);
      return value;
    });
    if (known.has(output)) throw new Error(`${output} is made twice`);
    const attributes = new Map(messages(node, 5).map((one) => [texts(one, 1)[0] as string, one]));
    const run = OPERATORS[operator];
    if (!run) throw new Error(`no operator ${operator}`);
    known.set(output, run(inputs, attributes));
  }
  const [output] = messages(graph, 12);
  const answer = known.get(texts(output as Fields, 1)[0] as string);
  return answer as readonly number[];
}
