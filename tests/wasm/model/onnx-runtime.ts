/**
 * ONNX Runtime itself, where it is: `npm install --no-save onnxruntime-web`. It is not among the dependencies, because it takes
 * two thirds as much room as all of them together.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

export const onnxRuntime = (() => {
  try {
    return createRequire(import.meta.url).resolve("onnxruntime-web");
  } catch {
    return undefined;
  }
})();

/** What a model answers to all rows at once, one after the other. */
export async function runtimeAnswers(
  file: Uint8Array,
  rows: readonly ReadonlyMap<string, number | string>[],
): Promise<ArrayLike<number>> {
  const { InferenceSession, Tensor } = await import(pathToFileURL(onnxRuntime as string).href);
  const session = await InferenceSession.create(file);
  const tensors = (session.inputNames as string[]).map((name) => {
    const column = rows.map((row) => row.get(name));
    const type = typeof column[0] === "string" ? "string" : "float32";
    return [name, new Tensor(type, column, [column.length, 1])];
  });
  const answers = await session.run(Object.fromEntries(tensors));
  return answers[session.outputNames[0]].data;
}
