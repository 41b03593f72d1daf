/** Installs what is missing, builds, and serves dist/ at a printed address. */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { build } from "./build.mjs";
import { root } from "./tools.mjs";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

build();
const folder = join(root, "dist");
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? "/", "http://localhost");
  const asked = join(folder, normalize(decodeURIComponent(pathname)));
  const file = existsSync(asked) && statSync(asked).isDirectory() ? join(asked, "index.html") : asked;
  if (!file.startsWith(folder) || !existsSync(file)) return response.writeHead(404).end("not found");
  response.setHeader("Content-Type", types[extname(file)] ?? "application/octet-stream");
  createReadStream(file).pipe(response);
});
server.listen(Number(process.env.PORT ?? 4173), "127.0.0.1", () => {
  console.log(`\nEpsilometer is at http://127.0.0.1:${server.address().port}/ (stop it with Ctrl-C)`);
});
