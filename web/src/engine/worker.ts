/** The engine's end of the wire. It runs in a worker made from a blob, which inherits the policy of the page. */
import { openCalculator } from "../../../wasm/calculator.ts";
import { calculatorJobs } from "./calculator-jobs.ts";
import { serve } from "./protocol.ts";

const engine = openCalculator();
// Whoever asks first hears why the engine did not start; nobody asking is no error of the page.
engine.catch(() => {});

serve(calculatorJobs(engine));
