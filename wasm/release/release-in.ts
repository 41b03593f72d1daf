/** A release that comes from outside, such as from a file: what is read of it is checked where it is read. */
import type { Release } from "../contract.ts";
import { Refusal } from "../engine/refusal.ts";
import { flag } from "../engine/shape.ts";
import { type FitRequest, requestAt } from "./fit-request.ts";

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

/** With a request, or a refusal of what is no release. */
export function releaseIn(value: unknown, field = "release"): Release {
  if (!isObject(value)) throw new Refusal("type", field, value, "must be a release, as it was made by a fit");
  const release = value as Release;
  if (isObject(release.request)) {
    const isPrivate = flag.check(`${field}.private`, release.private);
    const isDemonstration = release.request.seed !== undefined;
    if (isPrivate !== isDemonstration) return release;
    const rule = isDemonstration
      ? "must be false: its request has a seed, with which anybody can take the noise off"
      : "must be true, as its request has no seed: one of the two was altered";
    throw new Refusal("range", `${field}.private`, isPrivate, rule);
  }
  const rule = "must be there, as it was given to the fit: it declares the table";
  const kind = release.request === undefined ? "missing" : "type";
  throw new Refusal(kind, `${field}.request`, release.request, rule);
}

/** By which a release was made; checked, as it was by the fit. */
export const requestOf = (release: unknown, field = "release"): FitRequest =>
  requestAt(`${field}.request`, releaseIn(release, field).request);
