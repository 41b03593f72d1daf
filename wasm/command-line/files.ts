/** Files and standard input, whose faults are the asker's. */
import { readFileSync } from "node:fs";
import { json } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { isRelease } from "../release/saved.ts";

/** What the system says about a file, as a refusal. */
export function attempt<T>(field: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new Refusal("malformed", field, path, `cannot be used: ${(error as Error).message.slice(0, 120)}`);
  }
}

export const jsonIn = (field: string, path: string): unknown =>
  json(
    field,
    attempt(field, path, () => readFileSync(path, "utf8")),
    path,
  );

/** A request, or the one that a saved release was made of. */
export function requestIn(path: string): unknown {
  const value = jsonIn("request", path);
  return isRelease(value) ? value.request : value;
}

/** Standard input may be a directory or closed. */
export function unreadable(field: string, error: unknown): Refusal {
  const rule = `cannot be read: ${(error as Error).message.slice(0, 120)}`;
  return new Refusal("malformed", field, "standard input", rule, { shown: true });
}

export function standardInput(field: string): string {
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    throw unreadable(field, error);
  }
}
