/** Somebody else's page: on another origin, with a policy, a look and words of its own. */
import { afterAll, beforeAll } from "vitest";
import { DIST } from "./browser.ts";
import { type Site, serve } from "./server.ts";

export interface Foreign {
  readonly body: string;
  /** ORIGIN stands for where the script comes from. */
  readonly policy?: string;
  /** Of the page's own. */
  readonly style?: string;
  /** Attributes of its root element. */
  readonly root?: string;
  /** Which script is loaded; none for an empty name. */
  readonly script?: string;
}

export interface Host {
  /** The address of the page; each has its own. */
  put(page: Foreign): string;
  /** Serves a text at that path, beside the pages. */
  file(path: string, text: string): void;
}

export function host(origin: () => string): Host {
  const pages = new Map<string, string>();
  let site: Site;
  beforeAll(async () => {
    site = await serve(`${DIST}/there-is-nothing-here`, pages);
  });
  afterAll(() => site?.close());
  return {
    put({ body, policy = "", style = "", root = "", script = "epsilometer.js" }) {
      const path = `/${pages.size}.html`;
      const meta = `<meta http-equiv="Content-Security-Policy" content="${policy.replaceAll("ORIGIN", origin())}">`;
      pages.set(
        path,
        `<!doctype html><html lang="en" ${root}><head><meta charset="utf-8">${policy && meta}<title>host</title>
        <link rel="icon" href="data:,">${style && `<style>${style}</style>`}
        ${script ? `<script type="module" src="${origin()}/${script}"></script>` : ""}</head><body>${body}</body></html>`,
      );
      return `${site.origin}${path}`;
    },
    file: (path, text) => {
      pages.set(path, text);
    },
  };
}
