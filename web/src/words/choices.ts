/** The words for what may be chosen, of mechanisms and of algorithms. */

import { aroundOf, decidingOf, WRAPPER_KINDS } from "../../../wasm/engine/kinds.ts";

/** A name of the contract, as words: gaussian-mixing, learningRate. */
export const spelled = (name: string) =>
  name.replaceAll("-", " ").replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** By the parameter and the choice; what is not here is shown under its own name, as words. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  derivative: { any: "may change", "one-signed": "never changes" },
  direction: { add: "when a record is added", both: "either way", remove: "when a record is removed" },
  eigenvalue: { unused: "not used", released: "released first, with noise" },
  neighbours: { "add-remove": "a row is added or removed", replace: "a row is replaced" },
  noise: { laplace: "Laplace", gaussian: "normal" },
  other: { another: "another category", random: "one of all, at random" },
  norm: { l2: "Euclidean length (l2)", l1: "sum of sizes (l1)" },
  otherwise: { unknown: "of unknown cost", zcdp: "keeping zCDP with" },
  path: { hidden: "not released", released: "released with the model" },
  queries: { any: "in any direction", monotone: "all in one direction" },
  rounded: { exact: "not rounded", up: "rounded up" },
  schedule: {
    "fixed-order": "every record always as many steps apart",
    "min-separation": "every record at least as many steps apart",
  },
  scheme: {
    tree: "a binary tree",
    "sqrt-toeplitz": "square-root Toeplitz",
    banded: "its first diagonals",
    "banded-inverse": "the inverse of a band",
    columns: "the columns given",
  },
  stopping: {
    geometric: "their number geometric",
    logarithmic: "their number logarithmic",
    "negative-binomial": "their number negative binomial",
    poisson: "their number Poisson",
  },
  test: {
    "accept-reject": "telling only whether it runs",
    released: "telling a noisy statistic",
  },
  vote: { added: "votes or does not", switched: "votes for another class" },
};

/** The ways in which one mechanism is around another are said as in the sentence. */
const WAYS: ReadonlyMap<string, string> = new Map(
  WRAPPER_KINDS.flatMap((kind) =>
    aroundOf(kind).ways.map(({ option, brief }) => [`${decidingOf(kind)?.[0]} ${option}`, brief] as const),
  ),
);

export const choiceWords = (key: string, option: string): string =>
  CHOICES[key]?.[option] ?? WAYS.get(`${key} ${option}`) ?? spelled(option);
