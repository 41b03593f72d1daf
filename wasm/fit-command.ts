/** The commands about private models: a request in a file, for fit a table beside it. */
import { closeSync, createReadStream, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { json, toJson } from "./batch.ts";
import type { Engine } from "./engine.ts";
import { checkRequest } from "./fit-request.ts";
import { Refusal } from "./refusal.ts";
import { DIALECTS, type DialectName } from "./table/dialects.ts";
import { choice } from "./table/shape.ts";
import type { Source } from "./table/source.ts";
import { statisticsQuery } from "./table/sql.ts";

/** The options of each command; those with a question mark may be left out. */
export const FIT_COMMANDS = {
  fit: ["request", "release?"],
  plan: ["request"],
  statistics: ["request", "dialect", "from?"],
} as const satisfies Record<string, readonly string[]>;

type FitCommand = keyof typeof FIT_COMMANDS;

export const isFitCommand = (name: string): name is FitCommand => Object.hasOwn(FIT_COMMANDS, name);

/** Each option at most once, and all that are needed. */
function options(command: FitCommand, words: readonly string[]): Partial<Record<string, string>> {
  const known = FIT_COMMANDS[command].map((name) => name.replace("?", ""));
  const given: Partial<Record<string, string>> = {};
  for (let i = 0; i < words.length; i += 2) {
    const [flag = "", value] = words.slice(i, i + 2);
    const name = known.find((one) => `--${one}` === flag);
    if (!name) {
      const rule = `must be one of ${known.map((one) => `--${one}`).join(", ")}`;
      throw new Refusal("unknown", "option", flag, rule);
    }
    if (value === undefined) throw new Refusal("missing", name, undefined, "must be followed by a value");
    if (given[name] !== undefined) throw new Refusal("malformed", name, value, "must be given only once");
    given[name] = value;
  }
  for (const name of FIT_COMMANDS[command]) {
    if (!name.endsWith("?") && given[name] === undefined) {
      throw new Refusal("missing", name, undefined, `must be given: --${name} followed by a value`);
    }
  }
  return given;
}

/** What the system says about a file, as a refusal. */
function attempt<T>(field: string, path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new Refusal("malformed", field, path, `cannot be used: ${(error as Error).message.slice(0, 120)}`);
  }
}

const requestIn = (path: string): unknown =>
  json(
    "request",
    attempt("request", path, () => readFileSync(path, "utf8")),
  );

/** A file of any size, or standard input for -. */
function tableIn(path: string): Source {
  const stream = path === "-" ? process.stdin : createReadStream(path);
  return Readable.toWeb(stream) as Source;
}

async function fitted(engine: Engine, [path, ...words]: readonly string[]): Promise<string> {
  if (path === undefined || path.startsWith("--")) {
    throw new Refusal("missing", "table", path, "must be a file such as data.csv, or - for standard input");
  }
  const { request, release } = options("fit", words);
  const asked = checkRequest(requestIn(request as string));
  // Opened first: what cannot be kept must not be paid for.
  const file = release === undefined ? undefined : attempt("release", release, () => openSync(release, "wx"));
  try {
    const answer = `${toJson(await engine.fit(tableIn(path), asked))}\n`;
    if (file === undefined) return answer;
    writeFileSync(file, answer);
    return "";
  } catch (error) {
    if (release !== undefined) rmSync(release);
    throw error;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

function statistics(words: readonly string[]): string {
  const { request, dialect, from = "data" } = options("statistics", words);
  const chosen = choice(...(Object.keys(DIALECTS) as DialectName[])).check("dialect", dialect);
  const { table } = checkRequest(requestIn(request as string));
  return statisticsQuery(table, from.split("."), chosen).sql;
}

/** What goes to standard output. */
export async function runFitCommand(
  engine: Engine,
  command: FitCommand,
  words: readonly string[],
): Promise<string> {
  if (command === "fit") return fitted(engine, words);
  if (command === "statistics") return statistics(words);
  return `${toJson(engine.plan(requestIn(options("plan", words).request as string)))}\n`;
}
