/** A model as PMML 4.4, Data Mining Group 2019: a RegressionModel of features that are normalised as the fit had them. */
import { Refusal } from "../engine/refusal.ts";
import { mustPredictFromColumns } from "./json.ts";
import {
  classesOf,
  isNumeric,
  type LinearModel,
  type ModelTerm,
  type Predictors,
  weightsOf,
} from "./linear-model.ts";
import { notesOf, resultName } from "./notes.ts";
import { fresh } from "./unique.ts";

/** What XML 1.0 has no way to write. */
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };

/** As the value of an attribute, which keeps its tabs and line ends only where they are written by their numbers. */
function quoted(value: string | number): string {
  const text = String(value);
  if (UNWRITABLE.test(text)) {
    const rule = "has a character that XML does not: such a model cannot be exported as pmml";
    throw new Refusal("unsupported", "release.request.table", text, rule);
  }
  return `"${text.replaceAll(/[&<"\t\n\r]/g, (one) => ENTITIES[one] ?? `&#${one.charCodeAt(0)};`)}"`;
}

type Attributes = Readonly<Record<string, string | number | undefined>>;

/** An element, each child on lines of its own. */
function element(name: string, attributes: Attributes, children: readonly string[] = []): string {
  const shown = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}=${quoted(value)}`],
  );
  const open = `<${name}${shown.join("")}`;
  if (children.length === 0) return `${open}/>`;
  // Only line feeds end lines here: a name may have other line separators, which must stay as they are.
  const inner = children.join("\n").replaceAll("\n", "\n  ");
  return `${open}>\n  ${inner}\n</${name}>`;
}

function dataField(term: ModelTerm, marks: readonly string[]): string {
  const isLevel = (mark: string) => !isNumeric(term) && term.levels.includes(mark);
  const missing = ["", ...marks]
    .filter((mark) => !isLevel(mark))
    .map((value) => element("Value", { value, property: "missing" }));
  const type = isNumeric(term)
    ? { optype: "continuous", dataType: "double" }
    : { optype: "categorical", dataType: "string" };
  return element("DataField", { name: term.name, ...type }, missing);
}

const NORMALISED = {
  value: "none",
  score: "none",
  mean: "exp",
  probability: "logit",
  probabilities: "softmax",
} as const;

/** The fields that the regression is about: one of a number, one of each level. */
function derived(term: ModelTerm, name: () => string) {
  const field = (expression: string) => {
    const one = name();
    const type = { optype: "continuous", dataType: "double" };
    return {
      name: one,
      definition: element("DerivedField", { name: one, ...type }, [expression]),
    };
  };
  if (isNumeric(term)) {
    const [low, high] = term.range;
    const mapMissingTo =
      term.constant === undefined ? undefined : (term.constant - low - (high - term.constant)) / (high - low);
    const ends = [
      element("LinearNorm", { orig: low, norm: -1 }),
      element("LinearNorm", { orig: high, norm: 1 }),
    ];
    const attributes = { field: term.name, mapMissingTo, outliers: "asExtremeValues" };
    return [field(element("NormContinuous", attributes, ends))];
  }
  return term.levels.map((value) => {
    const mapMissingTo = term.constant === undefined ? undefined : Number(value === term.constant);
    return field(element("NormDiscrete", { field: term.name, value, mapMissingTo }));
  });
}

/** The label as a field, where the model predicts it itself and no score. */
function target({ label, predicted }: LinearModel): { field: string[]; mining: string[] } {
  if (predicted === "score") return { field: [], mining: [] };
  const mining = [element("MiningField", { name: label.name, usageType: "target" })];
  const { name } = label;
  if (label.use !== "classes" && label.use !== "multiclass")
    return { field: [element("DataField", { name, optype: "continuous", dataType: "double" })], mining };
  const values = label.levels.map((value) => element("Value", { value }));
  return {
    field: [element("DataField", { name, optype: "categorical", dataType: "string" }, values)],
    mining,
  };
}

/** The tables of the classes, and what is told of them. */
function told(models: Predictors, names: readonly string[]) {
  const [model] = models;
  const classes = classesOf(model);
  const { predicted } = model;
  const table = (one: LinearModel, targetCategory?: string) => {
    const weights = weightsOf(one);
    const predictors = names.map((name, i) =>
      element("NumericPredictor", { name, coefficient: weights[i] as number }),
    );
    return element("RegressionTable", { intercept: one.intercept, targetCategory }, predictors);
  };
  if (predicted === "probabilities")
    return {
      tables: models.map((one, k) => table(one, classes?.[k])),
      outputs: (classes ?? []).map((value) => ({
        name: `probability of ${value}`,
        feature: "probability",
        value,
      })),
    };
  const name = resultName(model);
  if (predicted !== "probability" || !classes)
    return {
      tables: [table(model)],
      outputs: [{ name, feature: "predictedValue", value: undefined }],
    };
  const other = element("RegressionTable", { intercept: 0, targetCategory: classes[0] });
  return {
    tables: [table(model, classes[1]), other],
    outputs: [{ name, feature: "probability", value: classes[1] }],
  };
}

function regression(models: Predictors): string {
  const [model] = models;
  const { terms, predicted } = model;
  const taken = [...terms.map(({ name }) => name), model.label.name];
  const unique = fresh(taken);
  const features = terms.flatMap((term) => derived(term, () => unique("feature")));
  const { tables, outputs } = told(
    models,
    features.map(({ name }) => name),
  );
  const mining = terms.map((term) =>
    element("MiningField", {
      name: term.name,
      invalidValueTreatment: isNumeric(term) ? "asMissing" : "asIs",
    }),
  );
  const attributes = {
    functionName: predicted.startsWith("probabilit") ? "classification" : "regression",
    normalizationMethod: NORMALISED[predicted],
  };
  return element("RegressionModel", attributes, [
    element("MiningSchema", {}, [...target(model).mining, ...mining]),
    element(
      "Output",
      {},
      outputs.map(({ name, ...of }) =>
        element("OutputField", { name: unique(name), optype: "continuous", dataType: "double", ...of }),
      ),
    ),
    element(
      "LocalTransformations",
      {},
      features.map(({ definition }) => definition),
    ),
    ...tables,
  ]);
}

export function pmmlExport(models: Predictors): string {
  const [model] = models;
  mustPredictFromColumns(model);
  const { terms, request } = model;
  const fields = [
    ...target(model).field,
    ...terms.map((term) => dataField(term, request.table.missingMarks)),
  ];
  const body = element("PMML", { xmlns: "http://www.dmg.org/PMML-4_4", version: "4.4" }, [
    element("Header", { description: notesOf(model).join(" ") }, [
      element("Application", { name: "Epsilometer" }),
    ]),
    element("DataDictionary", { numberOfFields: fields.length }, fields),
    regression(models),
  ]);
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!-- ${notesOf(model).join("\n     ")} -->\n${body}\n`;
}
