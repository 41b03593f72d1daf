/** The commands about private models: a request in a file, for fit a table beside it. */
import { closeSync, createReadStream, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Readable } from "node:stream";
import { json, toJson } from "./batch.ts";
import type { Statistics } from "./contract.ts";
import type { Engine } from "./engine.ts";
import { checkRequest, fitSchema } from "./fit-request.ts";
import { Refusal } from "./refusal.ts";
import { DIALECTS, type DialectName } from "./table/dialects.ts";
import { choice } from "./table/shape.ts";
import type { Source } from "./table/source.ts";
import { statisticsQuery } from "./table/sql.ts";

/** The options of each command; those with a question mark may be left out, those with a star given often as well. */
export const FIT_COMMANDS = {
  fit: ["request", "release?", "statistics*"],
  plan: ["request", "guesses?"],
  schema: [],
  statistics: ["request", "dialect", "from?"],
} as const satisfies Record<string, readonly string[]>;

type FitCommand = keyof typeof FIT_COMMANDS;

export const isFitCommand = (name: string): name is FitCommand => Object.hasOwn(FIT_COMMANDS, name);

/** The values of each option, of which all are there that are needed, and most at most once. */
function options(command: FitCommand, words: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const known = new Map(FIT_COMMANDS[command].map((name) => [`--${name.replace(/[?*]/, "")}`, name]));
  const given: Record<string, string[]> = {};
  for (let i = 0; i < words.length; i += 2) {
    const [flag = "", value] = words.slice(i, i + 2);
    const spelled = known.get(flag);
    if (!spelled) {
      const rule = known.size > 0 ? `must be one of ${[...known.keys()].join(", ")}` : "there are none";
      throw new Refusal("unknown", "option", flag, rule);
    }
    const name = flag.slice(2);
    if (value === undefined) throw new Refusal("missing", name, undefined, "must be followed by a value");
    if (given[name] && !spelled.endsWith("*"))
      throw new Refusal("malformed", name, value, "must be given only once");
    given[name] = [...(given[name] ?? []), value];
  }
  for (const [flag, spelled] of known) {
    if (/[?*]/.test(spelled) || given[flag.slice(2)]) continue;
    throw new Refusal("missing", flag.slice(2), undefined, `must be given: ${flag} followed by a value`);
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

const jsonIn = (field: string, path: string): unknown =>
  json(
    field,
    attempt(field, path, () => readFileSync(path, "utf8")),
  );

const requestIn = ({ request }: Readonly<Record<string, readonly string[]>>): unknown =>
  jsonIn("request", request?.[0] as string);

/** A file of any size, or standard input for -. */
function tableIn(path: string): Source {
  const stream =
    path === "-"
      ? process.stdin
      : createReadStream(path, { fd: attempt("table", path, () => openSync(path, "r")) });
  return Readable.toWeb(stream) as Source;
}

/** A table, or the sums in all files of statistics. */
function dataIn(path: string | undefined, statistics: readonly string[] | undefined): Source | Statistics {
  if (path !== undefined && statistics) {
    throw new Refusal("unsupported", "statistics", statistics[0], "cannot be given beside a table");
  }
  if (statistics) return { statistics: statistics.flatMap((one) => jsonIn("statistics", one)) };
  if (path !== undefined) return tableIn(path);
  const rule = "must be a file such as data.csv, - for standard input, or be left out for --statistics";
  throw new Refusal("missing", "table", path, rule);
}

async function fitted(engine: Engine, words: readonly string[]): Promise<string> {
  const path = words[0]?.startsWith("--") ? undefined : words[0];
  const given = options("fit", path === undefined ? words : words.slice(1));
  const data = dataIn(path, given.statistics);
  const asked = checkRequest(requestIn(given));
  const release = given.release?.[0];
  // Opened first: what cannot be kept must not be paid for.
  const file = release === undefined ? undefined : attempt("release", release, () => openSync(release, "wx"));
  try {
    const answer = `${toJson(await engine.fit(data, asked))}\n`;
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

/** What a request would run; with guesses, how wrong its models would be. */
function planned(engine: Engine, given: Readonly<Record<string, readonly string[]>>): unknown {
  const guesses = given.guesses?.[0];
  if (guesses === undefined) return engine.plan(requestIn(given));
  return engine.simulate(requestIn(given), json("guesses", guesses));
}

function query(words: readonly string[]): string {
  const given = options("statistics", words);
  const chosen = choice(...(Object.keys(DIALECTS) as DialectName[])).check("dialect", given.dialect?.[0]);
  const { table } = checkRequest(requestIn(given));
  return statisticsQuery(table, (given.from?.[0] ?? "data").split("."), chosen).sql;
}

/** What goes to standard output. */
export async function runFitCommand(
  engine: Engine,
  command: FitCommand,
  words: readonly string[],
): Promise<string> {
  if (command === "fit") return fitted(engine, words);
  if (command === "statistics") return query(words);
  const given = options(command, words);
  return `${toJson(command === "schema" ? fitSchema : await planned(engine, given))}\n`;
}
