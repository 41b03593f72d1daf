/**
 * What the policy stops and what it cannot stop: every way out that we know, tried by the page's own code and by a worker
 * like the engine's, in both browsers. Something that listens says whether anything arrived. The same ways are tried on a
 * page without a policy first, so that silence means something. docs/locality.md repeats the outcome in words.
 */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { HEADERS } from "../../web/policy.ts";
import { DIST } from "./browser.ts";
import { type Listener, listen } from "./listener.ts";
import { PATIENCE } from "./patience.ts";
import { type Site, serve } from "./server.ts";
import { BROWSERS, type BrowserName, launchBrowser } from "./two-browsers.ts";

const WAYS = readFileSync(new URL("./ways-out.js", import.meta.url), "utf8");
const DOCUMENT = readFileSync(new URL("../../docs/locality.md", import.meta.url), "utf8");
const PAGE = readFileSync(`${DIST}/index.html`, "utf8");
const BARE = `<!doctype html><html lang="en"><head><title>no policy</title></head><body></body></html>`;

/** As Firefox is installed; the library that drives it switches these off. */
const PREFERENCES = {
  "network.http.speculative-parallel-limit": 20,
  "network.prefetch-next": true,
  "dom.disable_open_during_load": false,
};

/** Bytes arrive elsewhere in spite of the policy. */
const SENDS = ["page WebRTC"];
/** At most a connection is opened elsewhere, which tells an address and no more. */
const CONNECTS = ["page preconnect", "page frame", "page form"];
/** The own server may be asked for a script or a style sheet, by a name that the asker chooses. */
const ASKS_OWN_SERVER = [
  "page style sheet",
  "page script",
  "page import()",
  "page modulepreload",
  "page prefetch",
  "page audio worklet",
  "worker importScripts",
  "worker import()",
];

/** What even a page without a policy does not send elsewhere: workers of other origins are refused everywhere. */
const OWN_ONLY = [
  "page worker of an address",
  "page shared worker",
  "page service worker",
  "worker worker of an address",
];
const NEVER_OWN = ["page preconnect", "page WebRTC", "page form"];
/** What is not to be seen without a policy either: not made by this browser, or not when it has no window. */
const UNSEEN: Readonly<Record<BrowserName, readonly string[]>> = {
  chromium: ["page manifest", "page form"],
  firefox: ["page manifest", "page form", "page ping of a link", "page icon"],
};

interface Tried {
  readonly name: string;
  readonly listener: Listener;
  readonly path: string;
}

declare global {
  var pageWays: string[];
  var workerWays: string[];
  var attemptInPage: (name: string, address: string) => Promise<string>;
  var attemptInWorker: (source: string, name: string, address: string) => Promise<void>;
}

/** As its own code: a script of its own server, which the policy allows. */
async function load(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<unknown>((resolve) => {
        document.head.append(
          Object.assign(document.createElement("script"), { src: "/ways-out.js", onload: resolve }),
        );
      }),
  );
}

/** Everything at once, elsewhere and on the own server. */
async function tryAll(page: Page, site: Site, without: readonly string[] = []): Promise<Tried[]> {
  await load(page);
  const ways = await page.evaluate(() => [
    ...pageWays.map((way) => ["page", way] as const),
    ...workerWays.map((way) => ["worker", way] as const),
  ]);
  const tried: Tried[] = [];
  for (const [where, way] of ways) {
    const name = `${where} ${way}`;
    if (without.includes(name)) continue;
    const listener = await listen();
    const path = `/asked-${tried.length}.js`;
    tried.push({ name, listener, path });
    await page.evaluate(
      (source, where, way, addresses) => {
        const attempt = (address: string) =>
          where === "page" ? attemptInPage(way, address) : attemptInWorker(source, way, address);
        // Some of them keep the debugger waiting if it has to wait for them.
        for (const address of addresses) setTimeout(() => attempt(address));
      },
      WAYS,
      where,
      way,
      [listener.address, `${site.origin}${path}`],
    );
  }
  return tried;
}

const close = (tried: readonly Tried[]) => {
  for (const { listener } of tried) listener.close();
};

const hosting = [
  ["the policy in the page only", {}],
  ["the policy in the page and in the headers", HEADERS],
] as const;

describe.each(BROWSERS)("in %s", (name) => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser(name, PREFERENCES);
  });
  afterAll(() => browser?.close());

  const on = async (page: string, headers: Readonly<Record<string, string>>) => {
    const pages = new Map([
      ["/index.html", page],
      ["/ways-out.js", WAYS],
    ]);
    const site = await serve(DIST, pages, headers);
    const opened = await browser.newPage();
    await opened.goto(`${site.origin}/`);
    return { site, page: opened };
  };

  // A browser fetches ahead only when it finds itself idle, and seldom later: it is enough that each arrives once.
  test("without a policy all of them are seen to arrive", { retry: 8 }, async () => {
    const { site, page } = await on(BARE, {});
    const tried = await tryAll(page, site, UNSEEN[name]);
    await vi.waitFor(
      () => {
        for (const { name, listener, path } of tried) {
          if (!OWN_ONLY.includes(name)) expect(listener.heard(), name).not.toBe("nothing");
          if (!NEVER_OWN.includes(name)) expect(site.hits, name).toContain(path);
        }
      },
      { timeout: PATIENCE / 5, interval: 200 },
    );
    close(tried);
    site.close();
    await page.close();
  });

  describe.each(hosting)("with %s", (_, headers) => {
    test("nothing is sent but by the ways that are named", async () => {
      const { site, page } = await on(PAGE, headers);
      const tried = await tryAll(page, site);
      const heard = (name: string) => tried.find((one) => one.name === name)?.listener.heard();
      // The ways that cannot be stopped show that there was time for the others.
      await vi.waitFor(
        () => {
          for (const name of SENDS) expect(heard(name), name).toBe("bytes");
          const last = tried.find(({ name }) => name === "worker import()");
          expect(site.hits).toContain(last?.path);
        },
        { timeout: PATIENCE, interval: 200 },
      );
      // That nothing comes has no moment at which it is known: what was slower gets some time more.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      for (const { name, listener, path } of tried) {
        if (!SENDS.includes(name)) {
          const allowed = CONNECTS.includes(name) ? ["nothing", "connection"] : ["nothing"];
          expect(allowed, name).toContain(listener.heard());
        }
        if (!ASKS_OWN_SERVER.includes(name)) expect(site.hits, name).not.toContain(path);
      }
      close(tried);
      site.close();
      await page.close();
    });

    test("leaving the page cannot be stopped", async () => {
      const { site, page } = await on(PAGE, headers);
      const [popup, navigation] = [await listen(), await listen()];
      await page.evaluate((address) => void window.open(address), popup.address);
      await vi.waitFor(() => expect(popup.heard()).toBe("bytes"), { timeout: PATIENCE });
      await page.evaluate((address) => void setTimeout(() => location.assign(address)), navigation.address);
      await vi.waitFor(() => expect(navigation.heard()).toBe("bytes"), { timeout: PATIENCE });
      for (const one of [popup, navigation]) one.close();
      site.close();
      await page.close();
    });

    test("a popup of a missing page is bound by the policy only if that answer has it", async () => {
      const { site, page } = await on(PAGE, headers);
      const listener = await listen();
      const outcome = await page.evaluate(async (address) => {
        const popup = window.open("/there-is-no-such-page");
        if (!popup) return "no popup";
        const isThere = () =>
          popup.location.href !== "about:blank" && popup.document.readyState === "complete";
        while (!isThere()) await new Promise((resolve) => setTimeout(resolve, 20));
        return popup.fetch(address, { mode: "no-cors" }).then(
          () => "sent",
          () => "refused",
        );
      }, listener.address);
      const bound = Object.keys(headers).length > 0;
      expect(outcome).toBe(bound ? "refused" : "sent");
      expect(listener.heard()).toBe(bound ? "nothing" : "bytes");
      listener.close();
      site.close();
      await page.close();
    });
  });
});

test("the document says of every way what becomes of it", () => {
  const section = (title: string) => DOCUMENT.split(/^## /m).find((one) => one.startsWith(title)) ?? "";
  const listed = [
    ["What the policy cannot stop", [...SENDS, ...CONNECTS, ...ASKS_OWN_SERVER]],
    [
      "What the policy stops",
      namesOf(WAYS).filter((one) => ![...SENDS, ...CONNECTS, ...ASKS_OWN_SERVER].includes(one)),
    ],
  ] as const;
  for (const [title, names] of listed) {
    for (const name of names) {
      const [where, ...rest] = name.split(" ");
      const column = where === "worker" ? "worker" : "page";
      const line = section(title)
        .split("\n")
        .find((one) => one.startsWith(`| ${rest.join(" ")} `));
      expect(line, `${name} under “${title}”`).toContain(column);
    }
  }
});

/** The names in the source, without running it. */
function namesOf(source: string): string[] {
  const table = (name: string) => source.split(`const ${name} = {`)[1]?.split("\n};")[0] ?? "";
  const keys = (text: string) =>
    [...text.matchAll(/^ {2}(?:async )?(?:"([^"]+)"|(\w+))(?=[(:])/gm)].map((one) => one[1] ?? one[2]);
  return [
    ...keys(table("PAGE")).map((way) => `page ${way}`),
    ...keys(table("WORKER")).map((way) => `worker ${way}`),
  ];
}
