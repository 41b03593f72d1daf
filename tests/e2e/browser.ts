/**
 * The distribution's Chromium, as the program without windows, and the built site, for every end-to-end test of one browser.
 * That program is what pages run in, without what draws a browser around them; the whole browser is in `two-browsers.ts`.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { PATIENCE } from "./patience.ts";
import { type Site, serve } from "./server.ts";

export const DIST = fileURLToPath(new URL("../../dist", import.meta.url));
/** A window that is neither wide nor small. */
export const USUAL = { width: 1280, height: 900 };
const EXECUTABLE = process.env.CHROMIUM ?? "/usr/bin/chromium-headless-shell";
/** What pictures are made of needs no process of its own: that would take a quarter of the time. */
export const CHROMIUM_WORDS =
  "--no-sandbox --disable-gpu --in-process-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync".split(
    " ",
  );

export interface Stage {
  readonly site: Site;
  /** A page in a context of its own; errors of the page fail the test that calls `calm`. */
  open(path?: string, options?: BrowserContextOptions): Promise<Opened>;
}

export interface Opened {
  readonly page: Page;
  /** Everything that was asked of the network, by the page and by its workers. */
  readonly requests: string[];
  readonly errors: string[];
  close(): Promise<void>;
}

export function stage(): Stage {
  let browser: Browser;
  let site: Site;
  beforeAll(async () => {
    if (!existsSync(EXECUTABLE))
      throw new Error(`No Chromium at ${EXECUTABLE}: install it or set CHROMIUM to its path.`);
    if (!existsSync(`${DIST}/index.html`)) throw new Error("No built site in dist: run the build first.");
    browser = await chromium.launch({ executablePath: EXECUTABLE, args: CHROMIUM_WORDS });
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
    async open(path = "/", options = {}) {
      const context = await browser.newContext({ viewport: USUAL, ...options });
      context.setDefaultTimeout(PATIENCE);
      const requests: string[] = [];
      const errors: string[] = [];
      context.on("request", (request) => {
        if (!request.url().startsWith("blob:") && !request.url().startsWith("data:"))
          requests.push(request.url());
      });
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      await page.goto(path.startsWith("http") ? path : `${site.origin}${path}`);
      return { page, requests, errors, close: () => context.close() };
    },
  };
}

/** The words of an element as they are read, without the white space of its source. */
export const words = async (element: Locator) =>
  ((await element.textContent()) ?? "").replaceAll(/\s+/g, " ").trim();

/** Pictures without a change after which a page is taken to rest. */
const PICTURES = 12;

/** Nothing has changed in the page or inside of its elements for some pictures in a row. */
export const resting = (page: Page) =>
  page.evaluate(
    (most) =>
      new Promise<void>((resolve) => {
        const inside = (root: Document | ShadowRoot): readonly (Document | ShadowRoot)[] => [
          root,
          ...[...root.querySelectorAll("*")].flatMap(({ shadowRoot }) =>
            shadowRoot ? inside(shadowRoot) : [],
          ),
        ];
        let quiet = 0;
        const observer = new MutationObserver(() => {
          quiet = 0;
        });
        const changes = { subtree: true, childList: true, characterData: true, attributes: true };
        for (const root of inside(document)) observer.observe(root, changes);
        const picture = () => {
          if (++quiet <= most) return void requestAnimationFrame(picture);
          observer.disconnect();
          resolve();
        };
        requestAnimationFrame(picture);
      }),
    PICTURES,
  );

export const headline = (page: Page) => words(page.locator("epsilon-answer[layout=card] .headline strong"));

export const field = (page: Page, name: string) => page.locator(`#field-${name}`);

/** What does not fit: content that is wider than the window, and targets of less than 24 pixels. */
export async function cramped(page: Page): Promise<readonly string[]> {
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  const small = await page
    .locator("button:visible, select:visible, input:visible, textarea:visible, summary:visible")
    // Between the search and here a new answer may have taken a target out of the page: it has no size then.
    .evaluateAll((targets) =>
      targets
        .filter((target) => target.checkVisibility())
        .map((target) => [target.outerHTML.slice(0, 80), target.getBoundingClientRect()] as const)
        .filter(([, box]) => box.width < 24 || box.height < 24)
        .map(([html]) => html),
    );
  return overflow > 0 ? [`${overflow} px of sideways scrolling`, ...small] : small;
}
