/**
 * The same test in the distribution's Chromium and its Firefox, through one library (Firefox over WebDriver BiDi).
 * `browser.ts` stays for what needs one browser only. Use: describe.each(BROWSERS)("… in %s", (name) => { const current =
 * stageIn(name); … }).
 */
import { existsSync } from "node:fs";
import { type Browser, type BrowserContext, launch, type Page } from "puppeteer-core";
import { afterAll, beforeAll } from "vitest";
import { CHROMIUM_WORDS, DIST } from "./browser.ts";
import { PATIENCE } from "./patience.ts";
import { type Site, serve } from "./server.ts";

export const BROWSERS = ["chromium", "firefox"] as const;
export type BrowserName = (typeof BROWSERS)[number];
/** What the reader's system asks for. Firefox takes it at its start only, so it belongs to the stage, not to the page. */
export type Look = "light" | "dark" | "forced-colours";

const EXECUTABLES: Readonly<Record<BrowserName, string>> = {
  chromium: process.env.CHROMIUM ?? "/usr/bin/chromium",
  firefox: process.env.FIREFOX ?? "/usr/bin/firefox-esr",
};

/** 0 is dark and 1 is light; 2 is: always the reader's colours. */
const FIREFOX_LOOKS: Readonly<Record<Look, Readonly<Record<string, number>>>> = {
  light: { "layout.css.prefers-color-scheme.content-override": 1 },
  dark: { "layout.css.prefers-color-scheme.content-override": 0 },
  "forced-colours": { "browser.display.document_color_use": 2 },
};

const CHROMIUM_LOOKS: Readonly<Record<Look, { name: string; value: string }>> = {
  light: { name: "prefers-color-scheme", value: "light" },
  dark: { name: "prefers-color-scheme", value: "dark" },
  "forced-colours": { name: "forced-colors", value: "active" },
};

/** Starts a browser; `preferences` are Firefox's own. */
export function launchBrowser(
  name: BrowserName,
  preferences: Readonly<Record<string, unknown>> = {},
): Promise<Browser> {
  const executablePath = EXECUTABLES[name];
  if (!existsSync(executablePath))
    throw new Error(`No ${name} at ${executablePath}: install it or set ${name.toUpperCase()} to its path.`);
  if (name === "firefox")
    return launch({
      browser: "firefox",
      executablePath,
      headless: true,
      extraPrefsFirefox: { ...preferences },
    });
  return launch({ browser: "chrome", executablePath, headless: true, args: CHROMIUM_WORDS });
}

export interface Opened {
  readonly page: Page;
  /** Everything that was asked of the network as far as the browser tells it; what a server heard is surer. */
  readonly requests: readonly string[];
  readonly errors: readonly string[];
  close(): Promise<void>;
}

export interface Stage {
  readonly site: Site;
  readonly browser: Browser;
  /** A page in a context of its own. */
  open(path?: string, size?: { width: number; height: number }): Promise<Opened>;
}

export function stageIn(name: BrowserName, look: Look = "light"): Stage {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    if (!existsSync(`${DIST}/index.html`)) throw new Error("No built site in dist: run the build first.");
    browser = await launchBrowser(name, FIREFOX_LOOKS[look]);
    site = await serve(DIST);
  });
  afterAll(async () => {
    await browser?.close();
    site?.close();
  });
  return {
    get site() {
      return site;
    },
    get browser() {
      return browser;
    },
    async open(path = "/", size = { width: 1280, height: 900 }) {
      const context = await browser.createBrowserContext();
      const page = await context.newPage();
      if (name === "chromium") await wear(page, look);
      await page.setViewport(size);
      return visit(context, page, /^(http|file):?/.test(path) ? path : `${site.origin}${path}`);
    },
  };
}

async function wear(page: Page, look: Look): Promise<void> {
  const session = await page.createCDPSession();
  await session.send("Emulation.setEmulatedMedia", { features: [CHROMIUM_LOOKS[look]] });
}

async function visit(context: BrowserContext, page: Page, address: string): Promise<Opened> {
  const requests: string[] = [];
  const errors: string[] = [];
  page.on("request", (request) => {
    if (!/^(blob|data):/.test(request.url())) requests.push(request.url());
  });
  page.on("pageerror", (error) => errors.push(error instanceof Error ? error.message : String(error)));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  page.setDefaultTimeout(PATIENCE);
  await page.goto(address);
  return { page, requests, errors, close: () => context.close() };
}

/** The text of the first match that reaches through shadow roots, without the white space of its source. */
export const read = (page: Page, selector: string): Promise<string> =>
  page.$eval(selector, (one) => ((one.shadowRoot ?? one).textContent ?? "").replaceAll(/\s+/g, " ").trim());
