/**
 * Each room and the rooms that it may use; also single files, where the whole of a room would be too much. A room is a
 * folder, without the folders in it that have a row of their own. Every folder with sources has a row.
 */
const BELOW_RELEASE = [
  "core/base",
  "core/numerics",
  "core/spectrum",
  "core/loss",
  "core/accounting",
  "core/table",
  "core/model",
];

export const ROOMS = {
  "core/base": [],
  "core/numerics": ["core/base"],
  "core/spectrum": ["core/base", "core/numerics"],
  "core/loss": ["core/base", "core/numerics"],
  "core/loss/mechanisms": ["core/base", "core/numerics", "core/loss"],
  "core/accounting": ["core/base", "core/numerics", "core/loss"],
  "core/table": ["core/base"],
  "core/model": ["core/base", "core/numerics", "core/table"],
  "core/release": BELOW_RELEASE,
  "core/release/algorithms": [...BELOW_RELEASE, "core/release"],
  "wasm/door": [...BELOW_RELEASE, "core/release", "wasm/contract.ts", "wasm/refusal.ts"],
  "wasm/table": ["wasm/catalogue.ts", "wasm/refusal.ts"],
  wasm: ["wasm/table", "build/wasm"],
  "web/src/question": ["wasm"],
  "web/src/fit": ["wasm", "wasm/table", "web/src/question", "web/src/engine/fit-protocol.ts"],
  "web/src/words": ["wasm", "wasm/table", "web/src/question", "web/src/fit"],
  "web/src/engine": [
    "wasm",
    "wasm/table",
    "web/src/question",
    "web/src/fit/samples.ts",
    "web/src/fit/loaded.ts",
    "web/src/words/table.ts",
  ],
  "web/src/charts": ["wasm", "web/src/question", "web/src/words", "web/src/fit"],
  "web/src/share": ["wasm", "web/src/question", "web/src/words"],
  "web/src/elements": [
    "wasm",
    "web/src/question",
    "web/src/words",
    "web/src/engine",
    "web/src/charts",
    "web/src/share",
  ],
  "web/src": ["web/src/elements"],
  "web/src/pages": [
    "wasm",
    "wasm/table",
    "web/src/question",
    "web/src/words",
    "web/src/fit",
    "web/src/engine",
    "web/src/charts",
    "web/src/share",
    "web/src/elements",
    "web/src",
  ],
  web: ["wasm", "web/src/question", "web/src/words", "web/src/engine", "web/src/charts"],
};
