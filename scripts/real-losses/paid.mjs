/** What a release cost each row of a table, of what everybody was promised: by the engine, before anything of it is known. */
import { DELTA, logistic } from "./told.mjs";

const SEED = 9;

/** ε of the median, of nine rows in ten, and of the row that lost most, as shares of what was promised. */
export async function paid(engine, task, epsilons) {
  const all = [];
  for (const epsilon of epsilons) {
    const release = await engine.fit(task.text, { ...logistic(task, epsilon), seed: SEED });
    const { median, ninetieth, largest, promised } = await engine.personalLosses(release, task.text);
    all.push({ epsilon, delta: DELTA, shares: [median, ninetieth, largest].map((loss) => loss / promised) });
  }
  return all;
}
