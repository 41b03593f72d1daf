/** The commands that read and write files: a private release of a table, the query for a database, the schema. */
import {
  closeSync,
  createReadStream,
  fstatSync,
  openAsBlob,
  openSync,
  type ReadStream,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { Readable } from "node:stream";
import type { Engine, Release, Statistics } from "../contract.ts";
import { toJson } from "../engine/json.ts";
import { Refusal } from "../engine/refusal.ts";
import { choice } from "../engine/shape.ts";
import { checkEveryday, isEveryday } from "../everyday/everyday-request.ts";
import { everydayQuery } from "../everyday/sql.ts";
import { checkRequest } from "../release/fit-request.ts";
import { schemas } from "../schemas.ts";
import { DIALECTS, type DialectName } from "../table/dialects.ts";
import type { Source } from "../table/source.ts";
import { statisticsQuery } from "../table/sql.ts";
import { attempt, jsonIn, requestIn } from "./files.ts";
import { number } from "./spell.ts";
import { readWords, refuseOthers, type Words } from "./words.ts";

/** A file of any size, which can be read twice; or what comes once: a pipe, standard input for -. */
export async function tableIn(path: string): Promise<Source> {
  if (path === "-") return Readable.toWeb(process.stdin) as Source;
  const fd = attempt("table", path, () => openSync(path, "r"));
  if (!fstatSync(fd).isFile()) return Readable.toWeb(createReadStream(path, { fd })) as Source;
  closeSync(fd);
  return openAsBlob(path);
}

/** The tables of a batch: none of a value that may be a table itself is ever repeated. */
export class Tables {
  readonly #files: ReadStream[] = [];

  /** A path, or statistics. */
  readonly open = (table: unknown): Source | Statistics => {
    if (typeof table === "object" && table !== null && "statistics" in table) return table as Statistics;
    const rule = "must be the path of a file, or an object with statistics";
    if (typeof table !== "string") throw new Refusal("type", "table", "no text", rule, { shown: true });
    try {
      if (statSync(table).isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
      const file = createReadStream(table, { fd: openSync(table, "r") });
      this.#files.push(file);
      return Readable.toWeb(file) as Source;
    } catch (error) {
      const { code = "no reason known" } = error as NodeJS.ErrnoException;
      throw new Refusal("malformed", "table", "a text", `${rule}: no such file can be opened (${code})`, {
        shown: true,
      });
    }
  };

  /** Those that a refusal kept from being read to their ends. */
  close(): void {
    for (const file of this.#files.splice(0)) file.destroy();
  }
}

/** A table, or the sums in all files of statistics. */
async function dataIn(
  path: string | undefined,
  statistics: readonly string[] | undefined,
): Promise<Source | Statistics> {
  if (path !== undefined && statistics) {
    throw new Refusal("unsupported", "statistics", statistics[0], "cannot be given beside a table");
  }
  if (statistics) return { statistics: statistics.flatMap((one) => jsonIn("statistics", one)) };
  if (path !== undefined) return tableIn(path);
  const rule = "must be a file such as data.csv, - for standard input, or be left out for --statistics";
  throw new Refusal("missing", "table", path, rule);
}

function askedIn({ options: { request } }: Words): unknown {
  if (request !== undefined) return requestIn(request[0] as string);
  throw new Refusal("missing", "request", undefined, "must be given: --request followed by a file");
}

function checkedRequest(words: Words) {
  const asked = askedIn(words);
  return isEveryday(asked) ? checkEveryday(asked) : checkRequest(asked);
}

async function fit(words: readonly string[], open: () => Promise<Engine>): Promise<string> {
  const read = readWords(words, ["request", "release", "statistics"], ["statistics"]);
  const [path, ...others] = read.others;
  refuseOthers("fit", others);
  const data = await dataIn(path, read.options.statistics);
  const asked = checkedRequest(read);
  const release = read.options.release?.[0];
  // Opened first: what cannot be kept must not be paid for.
  const file = release === undefined ? undefined : attempt("release", release, () => openSync(release, "wx"));
  try {
    const answer = `${toJson(await (await open()).fit(data, asked))}\n`;
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

/** A file that stands by itself among the words. */
export function fileIn(name: string, path: string | undefined): unknown {
  if (path === undefined) throw new Refusal("missing", name, path, `must be a file such as ${name}.json`);
  return jsonIn(name, path);
}

async function report(words: readonly string[], open: () => Promise<Engine>): Promise<string> {
  const { options, others } = readWords(words, ["request"]);
  const [path, table, ...more] = others;
  refuseOthers("report", more);
  const release = fileIn("release", path) as Release;
  const request = options.request && jsonIn("request", options.request[0] as string);
  const engine = await open();
  return `${toJson(await engine.report(release, table === undefined ? undefined : await tableIn(table), request))}\n`;
}

const memberIn = ({ member }: Readonly<Record<string, readonly string[]>>) =>
  choice("yes", "no").check("member", member?.[0] ?? "yes") === "yes";

/** The file of a table that a release was made of. */
async function tableOf(path: string | undefined) {
  if (path !== undefined) return tableIn(path);
  throw new Refusal("missing", "table", path, "must be the file of which the release was made");
}

/** What is asked about a release by its very table: the files of both, and options. */
async function askedByTable(command: string, words: readonly string[], names: readonly string[]) {
  const { options, others } = readWords(words, names);
  const [path, table, ...more] = others;
  refuseOthers(command, more);
  return { options, release: fileIn("release", path) as Release, data: await tableOf(table) };
}

const numberIn = (name: string, given: readonly string[] | undefined) =>
  given && number(name, given[0] as string);

async function myLoss(words: readonly string[], open: () => Promise<Engine>): Promise<string> {
  const { options, others } = readWords(words, ["row", "member"]);
  const [path, ...more] = others;
  refuseOthers("my-loss", more);
  const read = fileIn("report", path);
  const row = fileIn("row", options.row?.[0]);
  return `${toJson((await open()).personalLoss(read, row, memberIn(options)))}\n`;
}

async function personalLosses(words: readonly string[], open: () => Promise<Engine>): Promise<string> {
  const { options, release, data } = await askedByTable("personal-losses", words, ["order", "failure"]);
  const order = numberIn("order", options.order);
  const failure = numberIn("failure", options.failure);
  return `${toJson(await (await open()).personalLosses(release, data, { order, failure }))}\n`;
}

async function knownLoss(words: readonly string[], open: () => Promise<Engine>): Promise<string> {
  const { options, release, data } = await askedByTable("known-loss", words, ["row", "member", "failure"]);
  const row = fileIn("row", options.row?.[0]);
  const failure = numberIn("failure", options.failure);
  const engine = await open();
  return `${toJson(await engine.knownLoss(release, data, row, { member: memberIn(options), failure }))}\n`;
}

async function votersLoss(words: readonly string[], open: () => Promise<Engine>): Promise<string> {
  const { options, release, data } = await askedByTable("voters-loss", words, ["test-epsilon"]);
  const testEpsilon = numberIn("test-epsilon", options["test-epsilon"]);
  return `${toJson(await (await open()).votersLoss(release, data, { testEpsilon }))}\n`;
}

async function statistics(words: readonly string[], open: () => Promise<Engine>): Promise<string> {
  const read = readWords(words, ["request", "dialect", "from"]);
  refuseOthers("statistics", read.others);
  const { dialect, from = ["data"] } = read.options;
  const asked = askedIn(read);
  if (dialect === undefined)
    throw new Refusal("missing", "dialect", undefined, "must be given: --dialect followed by a name");
  const chosen = choice(...(Object.keys(DIALECTS) as DialectName[])).check("dialect", dialect[0]);
  const parts = (from[0] as string).split(".");
  if (!isEveryday(asked)) return statisticsQuery(checkRequest(asked).table, parts, chosen).sql;
  const request = checkEveryday(asked);
  return everydayQuery(request, (await open()).plan(request).grids, parts, chosen);
}

async function schema(words: readonly string[]): Promise<string> {
  const [of = "request", ...others] = readWords(words, []).others;
  refuseOthers("schema", others);
  const names = Object.keys(schemas) as (keyof typeof schemas)[];
  return `${toJson(schemas[choice(...names).check("schema", of)])}\n`;
}

/** What goes to standard output, at once or in pieces. */
export type Printed = string | Uint8Array | AsyncIterable<string>;

export type Commands = Readonly<
  Record<string, (words: readonly string[], open: () => Promise<Engine>) => Promise<Printed>>
>;

export const FIT_COMMANDS: Commands = {
  fit,
  report,
  "my-loss": myLoss,
  "personal-losses": personalLosses,
  "known-loss": knownLoss,
  "voters-loss": votersLoss,
  statistics,
  schema,
};
