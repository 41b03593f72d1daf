/** How the reading of a table is watched, and stopped: what every method that takes a table takes besides. */
import { Refusal } from "../engine/refusal.ts";
import { type Checked, checkArgument, optional, record, type Shape } from "../engine/shape.ts";

const SIGNAL: Shape<AbortSignal> = {
  schema: {},
  check(field, value) {
    // Of whatever realm.
    if (typeof Reflect.get(Object(value), "throwIfAborted") === "function") return value as AbortSignal;
    throw new Refusal("type", field, value, "must be an AbortSignal");
  },
};

interface Progress {
  readonly phase: "reading" | "fitting";
  readonly share: number | undefined;
}

const LISTENER: Shape<(progress: Progress) => void> = {
  schema: {},
  check(field, value) {
    if (typeof value === "function") return value as (progress: Progress) => void;
    throw new Refusal("type", field, value, "must be a function");
  },
};

/** What other options stand beside. */
export const WATCHING = { signal: optional(SIGNAL, undefined), onProgress: optional(LISTENER, undefined) };

const ALONE = record(WATCHING);

export const checkWatching = (options: unknown = {}): Checked<typeof ALONE> =>
  checkArgument("options", ALONE, options);
