/** The kinds by what is inside them, which the types of their parameters tell: nothing, one mechanism, a list of them. */
import { KINDS, type Kind, type KindEntry } from "./catalogue.ts";

type ParameterTypes<K extends Kind> =
  (typeof KINDS)[K]["parameters"][keyof (typeof KINDS)[K]["parameters"]] extends infer P
    ? P extends { readonly type: infer T }
      ? T
      : never
    : never;
type KindsWith<T> = { [K in Kind]: T extends ParameterTypes<K> ? K : never }[Kind];

/** A mechanism around another one. */
export type WrapperKind = KindsWith<"description">;
/** Several mechanisms, each as often as its count says. */
export type ListKind = KindsWith<"parts">;
/** A mechanism with nothing inside. */
export type LeafKind = Exclude<Kind, WrapperKind | ListKind>;

/** The entry of a kind, seen by its general shape. */
export const entryOf = (kind: Kind): KindEntry => KINDS[kind];

export const isKind = (value: unknown): value is Kind =>
  typeof value === "string" && Object.hasOwn(KINDS, value);

/** The parameter that holds what is inside, if there is any. */
export const innerOf = (kind: Kind) =>
  Object.entries(entryOf(kind).parameters).find(([, { type }]) => type === "description" || type === "parts");

export const isWrapper = (kind: Kind): kind is WrapperKind => innerOf(kind)?.[1].type === "description";
export const isList = (kind: Kind): kind is ListKind => innerOf(kind)?.[1].type === "parts";
export const isLeaf = (kind: Kind): kind is LeafKind => innerOf(kind) === undefined;

const KIND_NAMES = Object.keys(KINDS) as Kind[];
export const LEAF_KINDS = KIND_NAMES.filter(isLeaf);
export const WRAPPER_KINDS = KIND_NAMES.filter(isWrapper);
export const LIST_KIND = KIND_NAMES.find(isList) as ListKind;
