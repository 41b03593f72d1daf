/** Evaluates what of PMML 4.4 a regression needs, from its text: written by the standard, knowing nothing of what writes it. */
import type { Typed } from "./models.ts";

export interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Node[];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

const plain = (text: string) =>
  text.replaceAll(/&(#?\w+);/g, (_, code: string) =>
    code.startsWith("#") ? String.fromCodePoint(Number(code.slice(1))) : (ENTITIES[code] as string),
  );

/** Elements and attributes; refuses what is not well-formed. */
export function xml(text: string): Node {
  const body = text.replace(/^<\?xml[^?]*\?>/, "").replaceAll(/<!--((?!--)[\s\S])*-->/g, "");
  const root: Node = { name: "", attributes: {}, children: [] };
  const open = [root];
  let at = 0;
  for (const found of body.matchAll(/\s*<(\/?)(\w+)((?:\s+\w+="[^"<]*")*)\s*(\/?)>\s*/g)) {
    if (found.index !== at) throw new Error(`not well-formed: ${body.slice(at, at + 40)}`);
    at += found[0].length;
    const [, closes, name = "", list = "", isEmpty] = found;
    if (closes) {
      if (open.pop()?.name !== name) throw new Error(`${name} is closed and was not open`);
      continue;
    }
    const pairs = [...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [
      key,
      plain(value as string),
    ]);
    const node: Node = { name, attributes: Object.fromEntries(pairs), children: [] };
    open.at(-1)?.children.push(node);
    if (!isEmpty) open.push(node);
  }
  if (at !== body.length || open.length !== 1) throw new Error("not well-formed");
  return root.children[0] as Node;
}

export const all = (node: Node, name: string): Node[] =>
  node.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);

const optional = (text: string | undefined) => (text === undefined ? undefined : Number(text));

/** The value of a derived field; nothing where it is missing. */
function derived({ name, attributes, children }: Node, values: ReadonlyMap<string, Typed[number]>) {
  const { field = "", value, mapMissingTo, outliers } = attributes;
  const given = values.get(field);
  if (given === undefined) return optional(mapMissingTo);
  if (name === "NormDiscrete") return given === value ? 1 : 0;
  if (name !== "NormContinuous" || outliers !== "asExtremeValues") throw new Error(`unknown: ${name}`);
  const [low, high] = children.map(
    (one) => [Number(one.attributes.orig), Number(one.attributes.norm)] as const,
  );
  if (!low || !high) throw new Error("needs two ends");
  const share = (Math.min(Math.max(given as number, low[0]), high[0]) - low[0]) / (high[0] - low[0]);
  return low[1] + share * (high[1] - low[1]);
}

/** What the output field of the model says of a row; NaN where it is missing. */
export const pmmlAnswer = (document: Node, names: readonly string[], row: Typed): number =>
  pmmlAnswers(document, names, row)[0] as number;

/** What all of them say. */
export function pmmlAnswers(document: Node, names: readonly string[], row: Typed): readonly number[] {
  const [model] = all(document, "RegressionModel");
  const outputs = all(document, "OutputField");
  const [output] = outputs;
  if (!model || !output) throw new Error("no model");
  const values = new Map(names.map((name, i) => [name, row[i]]));
  const features = new Map(
    all(model, "DerivedField").map(({ attributes, children }) => [
      attributes.name,
      derived(children[0] as Node, values),
    ]),
  );
  const predictor = ({ attributes, children }: Node) =>
    children.reduce((sum, one) => {
      const value = features.get(one.attributes.name);
      return value === undefined ? Number.NaN : sum + Number(one.attributes.coefficient) * value;
    }, Number(attributes.intercept));
  const tables = all(model, "RegressionTable");
  const first = predictor(tables[0] as Node);
  const { functionName, normalizationMethod } = model.attributes;
  if (functionName === "regression") return [normalizationMethod === "exp" ? Math.exp(first) : first];
  if (normalizationMethod === "softmax") {
    const weights = new Map(
      tables.map((one) => [one.attributes.targetCategory, Math.exp(predictor(one))] as const),
    );
    const sum = [...weights.values()].reduce((before, one) => before + one, 0);
    return outputs.map(({ attributes }) => (weights.get(attributes.value) as number) / sum);
  }
  if (normalizationMethod !== "logit" || tables.length !== 2) throw new Error("unknown");
  const probability = 1 / (1 + Math.exp(-first));
  const isFirst = output.attributes.value === tables[0]?.attributes.targetCategory;
  return [isFirst ? probability : 1 - probability];
}
