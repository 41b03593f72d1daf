#!/usr/bin/env node
/** The command line: JSON on standard output; a refusal on standard error with exit status 2. */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { answer, toJson } from "./batch.ts";
import { type Engine, open, Refusal } from "./engine.ts";
import { commands, help } from "./help.ts";

/** `0:10:101` is 101 points from 0 to 10; `2,4,8` is a list. */
function numbers(option: string, text: string): number[] {
  const range = text.split(":");
  if (range.length !== 3) return text.split(",").map((item) => number(option, item));
  const [from = 0, to = 0, count = 0] = range.map((item) => number(option, item));
  if (!Number.isInteger(count) || count < 2 || count > 100_000) {
    throw new Refusal("range", option, text, "a range is from:to:count with a whole count from 2 to 100000");
  }
  return Array.from({ length: count }, (_, i) =>
    i === count - 1 ? to : from + ((to - from) * i) / (count - 1),
  );
}

function number(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === "" || Number.isNaN(value))
    throw new Refusal("type", option, text, "must be a number such as 1e-5");
  return value;
}

function json(field: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Refusal("malformed", field, text, `must be JSON: ${(error as Error).message.slice(0, 120)}`);
  }
}

/** The question that the words of the command line spell, in the language of the batch. */
function question(name: string, words: readonly string[]): Record<string, unknown> {
  const command = commands[name];
  if (!command) {
    throw new Refusal(
      "unknown",
      "command",
      name,
      `must be one of ${Object.keys(commands).join(", ")}, batch, catalogue`,
    );
  }
  const [description, ...rest] = words;
  if (description === undefined)
    throw new Refusal(
      "missing",
      "description",
      undefined,
      "must be given as JSON, or as - to read it from standard input",
    );
  const asked: Record<string, unknown> = { ask: command.ask };
  asked.description = json("description", description === "-" ? readFileSync(0, "utf8") : description);
  for (let i = 0; i < rest.length; i += 2) {
    const [flag = "", text] = rest.slice(i, i + 2);
    const option = command.options.find(({ flag: known }) => `--${known}` === flag);
    if (!option) {
      throw new Refusal(
        "unknown",
        "option",
        flag,
        `must be one of ${command.options.map((known) => `--${known.flag}`).join(", ")}`,
      );
    }
    if (text === undefined)
      throw new Refusal("missing", option.flag, undefined, "must be followed by a value");
    asked[option.field] =
      option.type === "text" ? text : (option.type === "number" ? number : numbers)(option.flag, text);
  }
  return asked;
}

/** One question a line, one answer a line, in the same order; a refused line does not stop the batch. */
async function batch(engine: Engine): Promise<boolean> {
  let allAnswered = true;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
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
  const engine = await open();
  if (name === "batch") process.exitCode = (await batch(engine)) ? 0 : 2;
  else if (name === "catalogue") process.stdout.write(`${toJson(engine.catalogue())}\n`);
  else process.stdout.write(`${toJson(answer(engine, question(name, words)))}\n`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof Refusal)) throw error;
  process.stderr.write(`${toJson({ refusal: error })}\n`);
  process.exitCode = 2;
}
