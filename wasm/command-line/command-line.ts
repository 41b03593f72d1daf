#!/usr/bin/env node
/** The command line: JSON on standard output; a refusal on standard error with exit status 2. */
import { once } from "node:events";
import { fstatSync } from "node:fs";
import { answer } from "../batch.ts";
import { json, toJson } from "../engine/json.ts";
import { type Engine, open, Refusal } from "../engine.ts";
import { unreadable } from "./files.ts";
import { type Commands, FIT_COMMANDS, type Printed, Tables } from "./fit-command.ts";
import { help } from "./help.ts";
import { MODEL_COMMANDS } from "./model-command.ts";
import { COMMANDS, question } from "./spell.ts";
import { readWords, refuseOthers } from "./words.ts";

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
  const tables = new Tables();
  for await (const line of lines()) {
    try {
      process.stdout.write(`${toJson(await answer(engine, json("question", line), tables.open))}\n`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      allAnswered = false;
      process.stdout.write(`${toJson({ refusal: error })}\n`);
    } finally {
      tables.close();
    }
  }
  return allAnswered;
}

const FILE_COMMANDS: Commands = { ...FIT_COMMANDS, ...MODEL_COMMANDS };

/** Waits for whoever reads, so that what is printed piece by piece is never in memory together. */
async function print(printed: Printed): Promise<void> {
  if (typeof printed === "string" || printed instanceof Uint8Array) {
    process.stdout.write(printed);
    return;
  }
  for await (const piece of printed) if (!process.stdout.write(piece)) await once(process.stdout, "drain");
}

async function run([name = "--help", ...words]: readonly string[]): Promise<void> {
  if (name === "--help" || name === "-h" || words.includes("--help"))
    return void process.stdout.write(help());
  const ask = COMMANDS.get(name);
  const fits = Object.hasOwn(FILE_COMMANDS, name) ? FILE_COMMANDS[name] : undefined;
  if (ask) {
    const asked = question(name, ask, words);
    process.stdout.write(`${toJson(await answer(await open(), asked))}\n`);
  } else if (fits) {
    await print(await fits(words, open));
  } else if (name === "batch") {
    refuseOthers(name, readWords(words, []).others);
    process.exitCode = (await batch(await open())) ? 0 : 2;
  } else {
    const known = [...COMMANDS.keys(), ...Object.keys(FILE_COMMANDS), "batch"];
    throw new Refusal("unknown", "command", name, `must be one of ${known.join(", ")}`);
  }
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
