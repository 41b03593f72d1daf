/** A static server for one folder, with the headers that plain static hosting sends and nothing more. */
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface Site {
  readonly origin: string;
  /** The paths that were really asked for. */
  readonly hits: readonly string[];
  close(): void;
}

/** `pages` are served as they are, before any file; `more` goes with every answer. */
export function serve(
  folder: string,
  pages: ReadonlyMap<string, string> = new Map(),
  more: Readonly<Record<string, string>> = {},
): Promise<Site> {
  const hits: string[] = [];
  const server = createServer(async ({ url = "/" }, response) => {
    const path = decodeURIComponent(new URL(url, "http://localhost").pathname);
    hits.push(path);
    const name = path.endsWith("/") ? `${path}index.html` : path;
    const headers = {
      "content-type": TYPES[extname(name)] ?? "application/octet-stream",
      "access-control-allow-origin": "*",
      ...more,
    };
    try {
      const body = pages.get(name) ?? (await readFile(join(folder, normalize(name))));
      response.writeHead(200, headers).end(body);
    } catch {
      response.writeHead(404, { ...headers, "content-type": "text/plain" }).end("not found");
    }
  });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      resolve({ origin: `http://127.0.0.1:${port}`, hits, close: () => server.close() });
    });
  });
}
