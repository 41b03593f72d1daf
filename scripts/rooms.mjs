const MATHEMATICS = ["core/base", "core/numerics"];
const LOSSES = [...MATHEMATICS, "core/loss/laws", "core/loss"];
const BELOW_RELEASE = [
  ...MATHEMATICS,
  "core/goe",
  "core/loss",
  "core/accounting",
  "core/table",
  "core/model",
  "core/noise",
];
const REPORTS = ["core/report/personal", "core/report/published"];
const INSIDE_WASM = [
  "wasm/engine",
  "wasm/table",
  "wasm/release",
  "wasm/report",
  "wasm/model",
  "wasm/everyday",
];
/** What the web reads of the engine. */
const ENGINE = ["wasm", ...INSIDE_WASM];
const SAID = [...ENGINE, "web/src/question", "web/src/words"];
const SHOWN = [...SAID, "web/src/engine", "web/src/charts", "web/src/share"];
const PAGE_PARTS = [...SHOWN, "web/src/elements", "web/src"];

/**
 * Each room and the rooms that it may use; also single files, where the whole of a room would be too much. A room is a
 * folder, without the folders in it that have a row of their own. Every folder with sources has a row.
 */
export const ROOMS = {
  "core/base": [],
  "core/numerics": ["core/base"],
  "core/goe": MATHEMATICS,
  "core/loss/laws": MATHEMATICS,
  "core/loss": [...MATHEMATICS, "core/loss/laws"],
  "core/loss/mechanisms": LOSSES,
  "core/accounting": [...LOSSES, "core/accounting/composition"],
  "core/accounting/composition": [
    ...LOSSES,
    "core/accounting/margins.h",
    "core/accounting/composition/steering",
  ],
  "core/accounting/composition/steering": [...LOSSES, "core/accounting/composition"],
  "core/table": ["core/base"],
  "core/model": [...MATHEMATICS, "core/table"],
  "core/noise": [...MATHEMATICS, "core/goe", "core/loss"],
  "core/release": [...BELOW_RELEASE, "core/release/statistics"],
  "core/release/statistics": [...BELOW_RELEASE, "core/release"],
  "core/release/linear": [...BELOW_RELEASE, "core/release"],
  "core/release/algorithms": [
    ...BELOW_RELEASE,
    "core/release",
    "core/release/linear",
    "core/release/statistics",
  ],
  "core/report/personal": [
    ...BELOW_RELEASE,
    "core/accounting/composition/profile_grid.h",
    "core/release",
    "core/release/linear",
  ],
  "core/report/published": [...BELOW_RELEASE, "core/release", "core/report/personal"],
  "core/report/holder": [...BELOW_RELEASE, "core/release", ...REPORTS],
  // Several releases in one direction are composed here: accounting answers for both.
  "core/report/questions": [...BELOW_RELEASE, "core/accounting/composition", "core/release", ...REPORTS],
  "wasm/door": [
    ...BELOW_RELEASE,
    "core/release",
    ...REPORTS,
    "core/report/holder",
    "core/report/questions",
    "wasm/contract.ts",
    "wasm/engine/description-tree.ts",
    "wasm/engine/refusal.ts",
  ],
  "wasm/packing": [],
  "wasm/engine": ["wasm/contract.ts", "build/wasm"],
  "wasm/table": ["wasm/engine"],
  "wasm/release": ["wasm/contract.ts", "wasm/engine", "wasm/table", "build/wasm"],
  "wasm/report": ["wasm/contract.ts", "wasm/engine", "wasm/table", "wasm/release", "build/wasm"],
  "wasm/model": ["wasm/contract.ts", "wasm/engine", "wasm/table", "wasm/release", "build/wasm"],
  "wasm/everyday": ["wasm/contract.ts", "wasm/engine", "wasm/table", "wasm/release", "build/wasm"],
  wasm: [...INSIDE_WASM, "build/wasm"],
  "wasm/command-line": ["wasm", "wasm/engine", "wasm/table", "wasm/release", "wasm/model", "wasm/everyday"],
  "web/src/question": ENGINE,
  "web/src/fit": [...ENGINE, "web/src/question", "web/src/engine/fit-protocol.ts"],
  "web/src/words": [...ENGINE, "web/src/question", "web/src/fit"],
  "web/src/engine": [
    ...ENGINE,
    "web/src/question",
    "web/src/fit/declared.ts",
    "web/src/fit/samples.ts",
    "web/src/fit/loaded.ts",
    "web/src/words/table.ts",
  ],
  "web/src/charts": [...SAID, "web/src/fit"],
  "web/src/share": SAID,
  "web/src/elements": SHOWN,
  "web/src": ["web/src/elements"],
  "web/src/pages": PAGE_PARTS,
  "web/src/pages/calculator": [...PAGE_PARTS, "web/src/pages"],
  "web/src/pages/fit": [...PAGE_PARTS, "web/src/fit", "web/src/pages"],
  web: [...SAID, "web/src/engine", "web/src/charts"],
};
