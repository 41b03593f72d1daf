/** Who may use whom. Every include and import is held against the rooms; a line that breaks a rule is printed. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { root } from "./tools.mjs";

const files = ["core", "wasm", "web"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(h|cpp|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
);

/** Each room and the rooms that it may use. */
const rooms = {
  "core/base/": [],
  "core/numerics/": ["core/base/"],
  "core/spectrum/": ["core/base/", "core/numerics/"],
  "core/loss/": ["core/base/", "core/numerics/"],
  "core/accounting/": ["core/base/", "core/numerics/", "core/loss/"],
  "core/table/": ["core/base/"],
  "core/model/": ["core/base/", "core/numerics/", "core/table/"],
  "core/release/": [
    "core/base/",
    "core/numerics/",
    "core/loss/",
    "core/accounting/",
    "core/spectrum/",
    "core/table/",
    "core/model/",
  ],
  "core/report/": [
    "core/base/",
    "core/numerics/",
    "core/loss/",
    "core/accounting/",
    "core/spectrum/",
    "core/table/",
    "core/model/",
    "core/release/",
  ],
  "wasm/table/": ["wasm/catalogue.ts", "wasm/refusal.ts"],
  "wasm/": ["core/", "build/wasm/"],
  "web/": ["wasm/"],
};

/** Lines that only some files may contain: pattern, where it is looked for, where it is allowed, why. */
const reserved = [
  [/emscripten/, "core/", [], "the core knows no browser"],
  [/#include <emscripten/, "wasm/", ["wasm/door/values.h"], "only the doors know Emscripten"],
  [
    /#include <(iostream|fstream|sstream|random|chrono|thread)>/,
    "core/",
    [],
    "no devices, streams or clocks in the core",
  ],
  [/privacy|sensitivity|mechanism/i, "core/numerics/", [], "numerics knows no privacy word"],
  [
    /core\/loss\/(?!privacy_loss\.h|description\.h|law\.h|atomic_law\.h)/,
    "core/accounting/",
    [],
    "accounting never names a mechanism",
  ],
  [
    /new Worker\(|\?worker/,
    "web/",
    ["web/src/engine/client.ts", "web/src/engine/fit-client.ts"],
    "only the clients talk to the worker",
  ],
  [/\b(location|history)\./, "web/src/elements/", [], "elements never read the address, pages do"],
  [
    /\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/,
    "web/",
    ["web/src/engine/probe.ts"],
    "only the probe tries to reach the network",
  ],
];

function uses(file, line) {
  const include = /^#include "(.+)"/.exec(line);
  if (include) return include[1];
  const imported = /(?:from|import\() ?"(\.[^"]+)"/.exec(line) ?? /^import "(\.[^"]+)"/.exec(line);
  return imported ? normalize(join(dirname(file), imported[1])) : undefined;
}

export function arrows() {
  const wrong = [];
  for (const file of files) {
    const room = Object.keys(rooms).find((name) => file.startsWith(name));
    readFileSync(join(root, file), "utf8")
      .split("\n")
      .forEach((line, i) => {
        const at = `${file}:${i + 1}`;
        const used = uses(file, line);
        if (used && !used.startsWith(room) && !rooms[room].some((other) => used.startsWith(other))) {
          wrong.push(`${at}: ${room} may not use ${used}`);
        }
        for (const [pattern, folder, allowed, why] of reserved) {
          if (file.startsWith(folder) && pattern.test(line) && !allowed.includes(file))
            wrong.push(`${at}: ${why}`);
        }
      });
  }
  return wrong;
}
