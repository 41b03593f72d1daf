/** Who may use whom. Every include and import is held against the rooms; a line that breaks a rule is printed. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { ROOMS } from "./rooms.mjs";
import { root } from "./tools.mjs";

const files = ["core", "wasm", "web"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(h|cpp|ts)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length)),
);

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
    /core\/loss\/(?!privacy_loss\.h|description\.h|laws\/law\.h|laws\/atomic_law\.h)/,
    "core/accounting/",
    [],
    "accounting never names a mechanism",
  ],
  [
    /rounded_(up|down)|unit_roundoff|margin/,
    "core/accounting/composition/steering/",
    [],
    "what is heuristic charges nothing: what proves stands outside steering/",
  ],
  [
    /new Worker\(|\?worker/,
    "web/",
    ["web/src/engine/client.ts", "web/src/engine/fit-client.ts", "web/src/engine/report-client.ts"],
    "only the clients talk to the worker",
  ],
  [/\b(location|history)\./, "web/src/elements/", [], "elements never read the address, pages do"],
  [
    /\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/,
    "web/",
    ["web/src/engine/probe.ts", "web/src/elements/report-source.ts"],
    "only the probe tries to reach the network, and a form asks for its report",
  ],
];

function uses(file, line) {
  const include = /^#include "(.+)"/.exec(line);
  if (include) return include[1];
  const imported = /(?:from|import\() ?"(\.[^"]+)"/.exec(line) ?? /^import "(\.[^"]+)"/.exec(line);
  return imported ? normalize(join(dirname(file), imported[1])) : undefined;
}

/** The row of the nearest folder that has one; made files are a room of their own. */
function roomOf(file) {
  for (let folder = dirname(file); folder !== "."; folder = dirname(folder))
    if (Object.hasOwn(ROOMS, folder) || folder === "build/wasm") return folder;
}

/** Whether a file of the room may use that one. */
const may = (room, used) => [used, roomOf(used)].some((one) => one === room || ROOMS[room].includes(one));

/** What is wrong with the lines of one file. */
function wrongLines(file, room) {
  return readFileSync(join(root, file), "utf8")
    .split("\n")
    .flatMap((line, i) => {
      const at = `${file}:${i + 1}`;
      const used = uses(file, line);
      const crossed = used && !may(room, used) ? [`${at}: ${room} may not use ${used}`] : [];
      const broken = reserved
        .filter(
          ([pattern, folder, allowed]) =>
            file.startsWith(folder) && pattern.test(line) && !allowed.includes(file),
        )
        .map(([, , , why]) => `${at}: ${why}`);
      return [...crossed, ...broken];
    });
}

/** Every folder of sources has its row, and every line of every source keeps to it. */
export function arrows() {
  const folders = [...new Set(files.map((file) => dirname(file)))];
  const strangers = folders.filter((folder) => !Object.hasOwn(ROOMS, folder));
  return [
    ...strangers.map((folder) => `${folder}: a room without a row in scripts/rooms.mjs`),
    ...files.filter((file) => roomOf(file)).flatMap((file) => wrongLines(file, roomOf(file))),
  ];
}
