/** The engine's end of the wire. It runs in a worker made from a blob, which inherits the policy of the page. */
import { openCalculator } from "../../../wasm/calculator.ts";
import { answer, type ToWorker } from "./protocol.ts";

const engine = openCalculator();
// Whoever asks first hears why the engine did not start; nobody asking is no error of the page.
engine.catch(() => {});

addEventListener("message", async ({ data }: MessageEvent<ToWorker>) =>
  postMessage(await answer(engine, data)),
);
