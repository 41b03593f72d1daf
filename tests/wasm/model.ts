/** A private model, of an engine that may release other things as well. */
import type { Engine, ModelRelease } from "../../wasm/engine.ts";

export async function fitModel(engine: Engine, ...asked: Parameters<Engine["fit"]>): Promise<ModelRelease> {
  const release = await engine.fit(...asked);
  const { coefficients, intervals } = release;
  if (!coefficients || !intervals) throw new Error("no model was released");
  return { ...release, coefficients, intervals };
}
