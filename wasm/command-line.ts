#!/usr/bin/env node
/** The command line: JSON on standard output; a refusal on standard error with exit status 2. */
import { fstatSync, readFileSync } from "node:fs";
import { answer, json, toJson } from "./batch.ts";
import { type Engine, open, Refusal } from "./engine.ts";
import { FIT_COMMANDS, isFitCommand, runFitCommand } from "./fit-command.ts";
import { type Command, commands, describes, help } from "./help.ts";

/** `0:10:101` is 101 points from 0 to 10; `2,4,8` is a list. */
function numbers(option: string, text: string): number[] {
  const range = text.split(":");
  if (range.length !== 3) return text.split(",").map((item) => number(option, item));
  const [from = 0, to = 0, count = 0] = range.map((item) => number(option, item));
  const finite = Number.isFinite(from) && Number.isFinite(to);
  if (!finite || !Number.isInteger(count) || count < 2 || count > 100_000) {
    const rule = "a range is from:to:count with finite ends and a whole count from 2 to 100000";
    throw new Refusal("range", option, text, rule);
  }
  const last = count - 1;
  // The first form keeps decimal steps decimal; the second does not overflow.
  const point = Number.isFinite((to - from) * last)
    ? (i: number) => from + ((to - from) * i) / last
    : (i: number) => from * (1 - i / last) + to * (i / last);
  return Array.from({ length: count }, (_, i) => (i === last ? to : point(i)));
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value))
    throw new Refusal("type", option, text, "must be a number such as 1e-5");
  if (value === 0 && /^[^e]*[1-9]/i.test(text))
    throw new Refusal("range", option, text, "is too small to be told from 0");
  return value;
}

/** Standard input may be a directory or closed: that is the asker's mistake. */
function unreadable(field: string, error: unknown): Refusal {
  const rule = `cannot be read: ${(error as Error).message.slice(0, 120)}`;
  return new Refusal("malformed", field, "standard input", rule, { shown: true });
}

function standardInput(field: string): string {
  try {
    return readFileSync(0, "utf8");
  } catch (error) {
    throw unreadable(field, error);
  }
}

/** The options of a command, each at most once. */
function options(command: Command, words: readonly string[]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (let i = 0; i < words.length; i += 2) {
    const [flag = "", text] = words.slice(i, i + 2);
    const option = command.options.find(({ flag: known }) => `--${known}` === flag);
    if (!option) {
      const known = command.options.map((one) => `--${one.flag}`);
      throw new Refusal("unknown", "option", flag, `must be one of ${known.join(", ")}`);
    }
    if (text === undefined)
      throw new Refusal("missing", option.flag, undefined, "must be followed by a value");
    if (Object.hasOwn(given, option.field))
      throw new Refusal("malformed", option.flag, text, "must be given only once");
    given[option.field] =
      option.type === "text" ? text : (option.type === "number" ? number : numbers)(option.flag, text);
  }
  return given;
}

/** The question that the words of the command line spell, in the language of the batch. */
function question(name: string, words: readonly string[]): Record<string, unknown> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    const known = [...Object.keys(commands), ...Object.keys(FIT_COMMANDS), "batch", "catalogue"];
    throw new Refusal("unknown", "command", name, `must be one of ${known.join(", ")}`);
  }
  if (!describes(command)) return { ask: command.ask, ...options(command, words) };
  const [description, ...rest] = words;
  if (description === undefined) {
    const rule = "must be given as JSON, or as - to read it from standard input";
    throw new Refusal("missing", "description", undefined, rule);
  }
  const given = options(command, rest);
  const text = description === "-" ? standardInput("description") : description;
  return { ask: command.ask, description: json("description", text), ...given };
}

function refuseWords(command: string, [word]: readonly string[]): void {
  if (word === undefined) return;
  const reads = command === "batch" ? "; it reads standard input" : "";
  throw new Refusal("unknown", "option", word, `${command} takes no further words${reads}`);
}

/** The lines of standard input. Not node:readline, which also ends a line at U+2028 and at a lone carriage return. */
async function* lines(): AsyncGenerator<string> {
  let rest = "";
  try {
    // Node takes a directory for an empty stream.
    if (fstatSync(0).isDirectory()) throw new Error("it is a directory");
    for await (const chunk of process.stdin.setEncoding("utf8")) {
      const pieces = (chunk as string).split("\n");
      const last = pieces.pop();
      for (const piece of pieces) {
        yield rest + piece;
        rest = "";
      }
      rest += last;
    }
  } catch (error) {
    throw unreadable("question", error);
  }
  if (rest !== "") yield rest;
}

/**
 * One question a line, one answer a line, in the same order: a refused line does not stop the batch, and a blank one
 * is refused like any other that is not a question.
 */
async function batch(engine: Engine): Promise<boolean> {
  let allAnswered = true;
  for await (const line of lines()) {
    try {
      process.stdout.write(`${toJson(answer(engine, json("question", line)))}\n`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      allAnswered = false;
      process.stdout.write(`${toJson({ refusal: error })}\n`);
    }
  }
  return allAnswered;
}

async function run([name = "--help", ...words]: readonly string[]): Promise<void> {
  if (name === "--help" || name === "-h" || words.includes("--help"))
    return void process.stdout.write(help());
  if (name === "batch" || name === "catalogue") refuseWords(name, words);
  const engine = await open();
  if (name === "batch") process.exitCode = (await batch(engine)) ? 0 : 2;
  else if (isFitCommand(name)) process.stdout.write(await runFitCommand(engine, name, words));
  else if (name === "catalogue") process.stdout.write(`${toJson(engine.catalogue())}\n`);
  else process.stdout.write(`${toJson(answer(engine, question(name, words)))}\n`);
}

// Whoever reads may stop reading, as `head` does; then there is nobody left to tell.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error;
  process.exit();
});

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${toJson({ refusal: error })}\n`);
  process.exitCode = 2;
}
