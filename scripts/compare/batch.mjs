/** A build that is asked questions, and what it says of itself. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const SLOW = "no answer in time";

/** A batch of a build, which is started anew where a question stopped it. */
export class Batch {
  #dist;
  #child;
  #heard = "";
  #settle = () => {};

  constructor(dist) {
    this.#dist = dist;
  }

  #start() {
    const words = [join(this.#dist, "node", "command-line.js"), "batch"];
    const child = spawn(process.execPath, words, { stdio: ["pipe", "pipe", "pipe"] });
    let complaint = "";
    child.stderr.on("data", (text) => {
      complaint += text;
    });
    child.stdout.setEncoding("utf8").on("data", (text) => {
      // What a stopped program still says answers an earlier question.
      if (this.#child !== child) return;
      this.#heard += text;
      const end = this.#heard.indexOf("\n");
      if (end < 0) return;
      const line = this.#heard.slice(0, end);
      this.#heard = this.#heard.slice(end + 1);
      this.#settle(line);
    });
    // A question that ends the program: only what it says, without the places of this build's files.
    child.on("close", () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.#heard = "";
      this.#settle(`ended: ${/^\w*Error.*$/m.exec(complaint)?.[0] ?? complaint.slice(0, 200)}`);
    });
    child.stdin.on("error", () => {});
    return child;
  }

  ask(question, seconds) {
    this.#child ??= this.#start();
    return new Promise((done) => {
      const late = setTimeout(() => {
        this.stop();
        done(SLOW);
      }, seconds * 1000);
      this.#settle = (line) => {
        clearTimeout(late);
        done(line);
      };
      this.#child.stdin.write(`${question}\n`);
    });
  }

  stop() {
    const child = this.#child;
    this.#child = undefined;
    this.#heard = "";
    child?.kill("SIGKILL");
  }
}

/** What a build says of itself. */
export async function knowledge(dist) {
  const { KINDS, fitSchema } = await import(pathToFileURL(join(dist, "node", "engine.js")));
  const { oneOf } = JSON.parse(readFileSync(join(dist, "schema", "ask.json"), "utf8"));
  return { catalogue: KINDS, schema: fitSchema, asks: oneOf };
}
