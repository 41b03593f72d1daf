/**
 * Packs the WebAssembly inside a module of Emscripten: base64 of what LZMA leaves, a fifth smaller on the wire than what
 * gzip does. Whoever imports the module unpacks it in memory, without a request. Python packs: Emscripten needs it too.
 * Asked with the module and the compiled unlzma.cpp.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { minifySync } from "vite";

const [, , file, decoder] = process.argv;
const DATA = /data:application\/octet-stream;base64,([A-Za-z0-9+/=]{1000,})/;
const EXPORT = /export default (\w+);/;
/** How many bits of the byte before a literal, and of the position of a copy, tell what is likely: best for this code. */
const [LC, PB] = [4, 0];
const PACK = `import lzma, sys
form = {"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": ${LC}, "lp": 0, "pb": ${PB}}
sys.stdout.buffer.write(lzma.compress(sys.stdin.buffer.read(), format=lzma.FORMAT_RAW, filters=[form]))`;

const glue = readFileSync(file, "utf8");
const [uri, base64] = DATA.exec(glue);
const [line, create] = EXPORT.exec(glue);
const input = Buffer.from(base64, "base64");
const packed = execFileSync("python3", ["-c", PACK], { input, maxBuffer: 2 * input.length });
const unpack = readFileSync(new URL("unlzma.mjs", import.meta.url), "utf8").replaceAll(
  "export function",
  "function",
);
const [unpacker, content] = [readFileSync(decoder), packed].map((data) => data.toString("base64"));

const unpacking = `
${unpack}
export default async () =>
  ${create}({ wasmBinary: unlzma("${unpacker}", "${content}", ${input.length}, ${LC}, ${PB}) });
`;
const whole = glue.replace(uri, "data:application/octet-stream;base64,").replace(line, () => unpacking);
writeFileSync(file, minifySync(file, whole, { module: true }).code);
