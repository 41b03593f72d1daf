/** Serves dist/ on this machine alone, as plain static hosting would, with the headers that dist/_headers asks for. */
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { root } from "./tools.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
};

const folder = join(root, "dist");

/** Each line under the path is "  Name: value"; the only path is that of everything. */
const headersFor = () =>
  readFileSync(join(folder, "_headers"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("  "))
    .map((line) => line.trim().split(/: (.*)/, 2));

/** The file behind an address, or nothing; an address that cannot be read has none. */
function fileOf(url) {
  try {
    const asked = join(folder, normalize(decodeURIComponent(new URL(url, "http://localhost").pathname)));
    const file = existsSync(asked) && statSync(asked).isDirectory() ? join(asked, "index.html") : asked;
    return file.startsWith(folder) && existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

/** On any free port when it is 0. */
export async function serve(port = 0) {
  const headers = headersFor();
  const server = createServer(({ url }, response) => {
    for (const [name, value] of headers) response.setHeader(name, value);
    const file = fileOf(url ?? "/");
    response.setHeader("Content-Type", types[file ? extname(file) : ".txt"] ?? "application/octet-stream");
    if (file) createReadStream(file).pipe(response);
    else response.writeHead(404).end("not found");
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  return { address: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
