/** The widgets where people put them: on pages with a look, a direction and rules of their own, in both browsers. */
import { readFileSync } from "node:fs";
import type { Page } from "puppeteer-core";
import { describe, expect, test } from "vitest";
import { host } from "./host.ts";
import { BROWSERS, type Look, read, stageIn } from "./two-browsers.ts";

const NUMBER = `<epsilon-answer kind="gaussian" sigma="1" sensitivity="1" delta="1e-5">about 4.4</epsilon-answer>`;
const CURVE = `<privacy-profile kind="laplace" scale="1" sensitivity="1" delta="0.01">no curve</privacy-profile>`;
const CARD = NUMBER.replace(" kind", ' layout="card" kind');
const MATRIX = `<goe-quantile dimension="50" upper-tail="1e-6">about 17</goe-quantile>`;
const SENTENCE = "ε = 4.378 at δ = 1e-5, add or remove one row";

const drawn = (page: Page) =>
  page.waitForFunction(() =>
    [...document.querySelectorAll("epsilon-answer, privacy-profile, goe-quantile")].every((one) =>
      one.shadowRoot?.querySelector("[part=answer], [part=headline], .plot > svg"),
    ),
  );

interface Seen {
  readonly background: number[];
  readonly parts: Readonly<Record<string, number[]>>;
}

/** The colours as they are computed, on the background that is painted behind them. */
const coloursOf = (page: Page): Promise<Seen> =>
  page.evaluate(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    if (!pen) throw new Error("no canvas");
    /** What is seen of a colour on others beneath it. */
    const painted = (...layers: string[]) => {
      pen.clearRect(0, 0, 1, 1);
      for (const colour of layers) {
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
      }
      return [...pen.getImageData(0, 0, 1, 1).data.slice(0, 3)];
    };
    const probe = document.createElement("div");
    probe.style.color = "Canvas";
    document.body.append(probe);
    const under = [getComputedStyle(probe).color, getComputedStyle(document.body).backgroundColor];
    probe.remove();
    const inside = (element: string, selector: string) => {
      const found = document.querySelector(element)?.shadowRoot?.querySelector(selector);
      if (!found) throw new Error(`no ${selector} in ${element}`);
      return getComputedStyle(found);
    };
    const curve = inside("privacy-profile", `.plot path[stroke-width="2.25"]`);
    const dot = inside("privacy-profile", ".plot circle");
    const axis = inside("privacy-profile", `.plot text[font-style="italic"]`);
    const tick = inside("privacy-profile", `.plot text[dy]`);
    return {
      background: painted(...under),
      parts: {
        curve: painted(...under, curve.stroke),
        mark: painted(...under, dot.fill),
        axis: painted(...under, axis.fill),
        tick: painted(...under, tick.fill),
        legend: painted(...under, inside("privacy-profile", ".legend").color),
        number: painted(...under, inside("epsilon-answer", "[part=answer]").color),
        matrix: painted(...under, inside("goe-quantile", "[part=answer]").color),
      },
    };
  });

/** WCAG 2.2, relative luminance and contrast ratio. */
function contrast(a: readonly number[], b: readonly number[]): number {
  const light = (colour: readonly number[]) => {
    const [red = 0, green = 0, blue = 0] = colour.map((one) =>
      one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, bright = 0] = [light(a), light(b)].sort((x, y) => x - y);
  return (bright + 0.05) / (dark + 0.05);
}

/** Graphics must stand out by 3, words by 4.5 (WCAG 2.2, 1.4.11 and 1.4.3). */
const LEAST: Readonly<Record<string, number>> = { curve: 3, mark: 3 };

/** Pages as they are: most declare no scheme, dark ones included. */
const STYLES: Readonly<Record<string, string>> = {
  plain: "",
  "dark without a scheme": "body { background: #14191f; color: #e7ebef }",
  "dark with a scheme": ":root { color-scheme: dark }",
  "either scheme": ":root { color-scheme: light dark }",
  "grey on grey": "body { background: #f4f4f4; color: #555 }",
  "hostile rules":
    "* { all: unset; color: #400; text-transform: uppercase; font-variant: small-caps; white-space: pre; letter-spacing: 1em } " +
    "svg, path, text { fill: white !important; stroke: white !important } body { display: block; font-size: 40px }",
};

/** Where the reader's own colours count, the page's hardly do. */
const SEEN: Readonly<Record<Look, readonly string[]>> = {
  light: Object.keys(STYLES),
  dark: ["plain", "dark without a scheme", "either scheme", "hostile rules"],
  "forced-colours": ["plain", "hostile rules"],
};

describe.each(BROWSERS)("in %s", (name) => {
  const light = stageIn(name);

  describe.each(["light", "dark", "forced-colours"] as const)("a reader with %s", (look: Look) => {
    const current = look === "light" ? light : stageIn(name, look);
    const stranger = host(() => current.site.origin);

    test.each(SEEN[look])("%s: number, curve and words stand out", async (title) => {
      const style = STYLES[title] ?? "";
      const body = `<p>It costs ${NUMBER}, ${MATRIX}</p>${CURVE}`;
      const { page, errors, close } = await current.open(stranger.put({ body, style }));
      await drawn(page);
      const { background, parts } = await coloursOf(page);
      for (const [part, colour] of Object.entries(parts))
        expect(contrast(colour, background), `${part} ${colour} on ${background}`).toBeGreaterThanOrEqual(
          LEAST[part] ?? 4.5,
        );
      expect(await read(page, "epsilon-answer")).toBe(SENTENCE);
      expect(errors).toEqual([]);
      await close();
    });
  });

  describe("wherever they are put", () => {
    const current = light;
    const stranger = host(() => current.site.origin);
    const text = (page: Page) => read(page, "epsilon-answer");

    test("from right to left, in capitals and in preformatted text the sentence is the same", async () => {
      const style = "main { text-transform: uppercase; font-variant: small-caps; white-space: pre }";
      const body = `<main><p>עולה ${NUMBER} בסך הכול ${MATRIX}</p>${CARD}${CURVE}</main>`;
      const { page, close } = await current.open(stranger.put({ body, style, root: 'dir="rtl"' }));
      await drawn(page);
      const look = await page.evaluate(() => {
        /** The letters in the order in which they are seen, from left to right. */
        const seen = (holder: Node) => {
          const letters: { letter: string; left: number; top: number }[] = [];
          const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT);
          for (let node = walker.nextNode(); node; node = walker.nextNode()) {
            for (let i = 0; i < (node.textContent ?? "").length; i++) {
              const range = document.createRange();
              range.setStart(node, i);
              range.setEnd(node, i + 1);
              const { left, top, width } = range.getBoundingClientRect();
              if (width > 0)
                letters.push({ letter: node.textContent?.[i] ?? "", left, top: Math.round(top) });
            }
          }
          letters.sort((a, b) => a.left - b.left);
          return letters.map(({ letter }) => letter).join("");
        };
        const inside = (element: string, selector: string) => {
          const found = document.querySelector(element)?.shadowRoot?.querySelector(selector);
          if (!found) throw new Error(`no ${selector} in ${element}`);
          return found;
        };
        const answer = inside("epsilon-answer", "[part=answer]");
        const headline = inside("epsilon-answer[layout=card]", "[part=headline]");
        const tick = inside("privacy-profile", ".plot text[dy]");
        const { textTransform, fontVariantCaps } = getComputedStyle(answer);
        return {
          sentence: seen(answer),
          headline: seen(headline),
          textTransform,
          fontVariantCaps,
          tick: getComputedStyle(tick).direction,
        };
      });
      expect(look.sentence.replaceAll(/\s+/g, " ")).toBe(SENTENCE);
      expect(look.headline.replaceAll(/\s+/g, "")).toBe("ε=4.37718");
      expect(look).toMatchObject({ textTransform: "none", fontVariantCaps: "normal", tick: "ltr" });
      await close();
    });

    test("in shadow roots, open and closed, before and after the script is there", async () => {
      const { page, errors, close } = await current.open(
        stranger.put({ body: "<div id=open></div><div id=closed></div>", script: "" }),
      );
      await page.evaluate((tags) => {
        for (const mode of ["open", "closed"] as const) {
          const root = document.querySelector(`#${mode}`)?.attachShadow({ mode });
          if (root) root.innerHTML = tags;
          Reflect.set(window, `${mode}Root`, root);
        }
      }, NUMBER + CURVE);
      await page.addScriptTag({ url: `${current.site.origin}/epsilometer.js`, type: "module" });
      const inside = (mode: string) =>
        page.waitForFunction(
          (one, expected) => {
            const root = Reflect.get(window, `${one}Root`) as ShadowRoot;
            const told = root.querySelector("epsilon-answer")?.shadowRoot?.textContent?.trim();
            return (
              told === expected &&
              root.querySelector("privacy-profile")?.shadowRoot?.querySelector(".plot > svg")
            );
          },
          {},
          mode,
          SENTENCE,
        );
      await inside("open");
      await inside("closed");
      expect(errors).toEqual([]);
      await close();
    });

    test("in boxes that are as wide as what is in them, it has a width of its own, and yields in narrow ones", async () => {
      const boxes = {
        flex: `<div style="display: flex; width: 600px">WIDGET<p>Beside it</p></div>`,
        float: `<div style="width: 600px; overflow: hidden"><div style="float: left">WIDGET</div>text</div>`,
        inline: `<div style="width: 600px"><div style="display: inline-block">WIDGET</div></div>`,
        grid: `<div style="display: grid; grid-template-columns: auto 1fr; width: 600px">WIDGET<p>text</p></div>`,
        cell: `<table><tr><td>WIDGET</td><td>text</td></tr></table>`,
        narrow: `<div style="display: flex; width: 200px">WIDGET</div>`,
      };
      const widgets = [CARD, CURVE, MATRIX.replace(" dimension", ' layout="card" dimension')];
      const body = widgets.map((one) =>
        Object.values(boxes)
          .map((box) => box.replace("WIDGET", one))
          .join(""),
      );
      const { page, close } = await current.open(stranger.put({ body: body.join("") }));
      await page.waitForFunction(() =>
        [...document.querySelectorAll("epsilon-answer, privacy-profile, goe-quantile")].every(
          (one) => one.shadowRoot?.childElementCount,
        ),
      );
      const widths = await page.$$eval("epsilon-answer, privacy-profile, goe-quantile", (all) =>
        all.map((one) => one.getBoundingClientRect().width),
      );
      const names = Object.keys(boxes);
      for (const [i, width] of widths.entries()) {
        const name = names[i % names.length];
        if (name === "narrow") expect(width, name).toBeLessThanOrEqual(200);
        else expect(width, `${name} ${i}`).toBeGreaterThan(220);
      }
      await close();
    });

    test("added, changed, spoilt, mended and removed while the page lives", async () => {
      const { page, errors, close } = await current.open(stranger.put({ body: "<p id=here></p>" }));
      await page.waitForFunction(() => customElements.get("epsilon-answer"));
      const set = (key: string, value: string | null) =>
        page.$eval(
          "epsilon-answer",
          (one, [attribute, to]) =>
            to === null ? one.removeAttribute(attribute ?? "") : one.setAttribute(attribute ?? "", to ?? ""),
          [key, value] as const,
        );
      const says = (words: string) =>
        page.waitForFunction(
          (expected) => document.querySelector("epsilon-answer")?.shadowRoot?.textContent?.includes(expected),
          {},
          words,
        );
      await page.$eval("#here", (one, tag) => one.insertAdjacentHTML("beforeend", tag), NUMBER);
      await says("ε = 4.378");
      await set("sigma", "2");
      await says("ε = 1.994");
      await set("sigm", "5");
      await says("epsilon-answer has no such attribute; did you mean sigma?");
      // The author's words were about an older question.
      expect(await page.$eval("epsilon-answer", (one) => one.shadowRoot?.querySelector("slot"))).toBe(null);
      await set("sigm", null);
      await says("ε = 1.994");
      await set("class", "wide");
      await set("data-sigm", "5");
      await set("sensitivity", null);
      await says("the attribute sensitivity must be given");
      await set("sensitivity", "2");
      await says("ε = 4.378");
      await page.$eval("epsilon-answer", (one) => one.remove());
      await page.$eval("#here", (one, tag) => one.insertAdjacentHTML("beforeend", tag), NUMBER);
      await says("ε = 4.378");
      expect(errors).toEqual([]);
      await close();
    });

    test("what cannot be understood is refused by name, and the author's words stay", async () => {
      const wrong: readonly (readonly [string, string])[] = [
        ['sigm="5"', "Attribute sigm “5”: epsilon-answer has no such attribute; did you mean sigma?"],
        ['sketchSize="500"', "did you mean sketch-size?"],
        ['delta="1/n^1.1"', "attribute n must be given"],
        ['neighbours="swap"', "must be one of add-remove, replace, zero-out"],
        ['layout="crad"', "did you mean card?"],
        ['digits="many"', "must be a whole number from 1 to 17"],
        ['loading="soon"', "must be one of eager, lazy"],
        ['ask="sgma"', "did you mean sigma?"],
        ['sigma="-1"', "must be a positive number"],
        ['curve="renyi"', "epsilon-answer has no such attribute"],
      ];
      const body = wrong
        .map(([attribute]) => {
          const own = attribute.slice(0, attribute.indexOf("="));
          const rest = 'kind="gaussian" sigma="1" sensitivity="1" delta="1e-5"'.replace(
            new RegExp(`${own}="[^"]*"`),
            "",
          );
          return `<p><epsilon-answer ${rest} ${attribute}>about 4.4</epsilon-answer></p>`;
        })
        .concat([
          `<privacy-profile kind="gaussian" sigma="1" sensitivity="1" delta="1e-5" curve="reny">no curve</privacy-profile>`,
          `<goe-quantile dimension="50" uppertail="1e-6">about 17</goe-quantile>`,
          `<goe-quantile dimension="50">about 17</goe-quantile>`,
        ])
        .join("");
      const expected = [
        ...wrong.map(([, words]) => words),
        "did you mean renyi?",
        "did you mean upper-tail?",
        "upper-tail must be given",
      ];
      const { page, errors, close } = await current.open(stranger.put({ body }));
      await page.waitForFunction(() =>
        [...document.querySelectorAll("epsilon-answer, privacy-profile, goe-quantile")].every((one) =>
          one.shadowRoot?.querySelector(".refusal"),
        ),
      );
      const said = await page.$$eval("epsilon-answer, privacy-profile, goe-quantile", (all) =>
        all.map((one) => ({
          refusal: one.shadowRoot?.querySelector(".refusal")?.textContent ?? "",
          kept: one.shadowRoot
            ?.querySelector("slot")
            ?.assignedNodes()
            .map((node) => node.textContent)
            .join(""),
          seen: (one.firstChild?.parentElement?.getBoundingClientRect().width ?? 0) > 0,
          number: one.shadowRoot?.querySelector("[part=answer]"),
        })),
      );
      said.forEach(({ refusal, kept, seen, number }, i) => {
        expect(refusal).toContain(expected[i]);
        expect(refusal).toMatch(/[^.?][.?]$/);
        expect(kept).toMatch(/^(about 4\.4|about 17|no curve)$/);
        expect([seen, number]).toEqual([true, null]);
      });
      expect(errors).toEqual([]);
      await close();
    });

    test("a visitor reads her own loss off a report, by her own values", async () => {
      const report = readFileSync(new URL("../../web/example-report.json", import.meta.url), "utf8");
      const body = `<privacy-report><script type="application/json">${report}</script>no form</privacy-report>`;
      const { page, errors, requests, close } = await current.open(
        stranger.put({ body, script: "epsilometer-report.js", root: 'dir="rtl"' }),
      );
      const inside = async (selector: string) => {
        const found = await page.waitForFunction(
          (one) => document.querySelector("privacy-report")?.shadowRoot?.querySelector(one),
          {},
          selector,
        );
        return found.asElement();
      };
      await (await inside("[id^=value-][id$='-0']"))?.type("50");
      await (await inside("[id^=value-][id$='-1']"))?.type("3.5");
      await (await inside("[id^=value-][id$='-2']"))?.select("now");
      await (await inside("[id^=value-][id$='-3']"))?.select("yes");
      await inside("[part=answer]:not(.stale)");
      expect(await read(page, "privacy-report")).toMatch(/It costs you, whatever came out, *ε ≤ 0\.\d+/);
      expect(requests).toHaveLength(2);
      expect(errors).toEqual([]);
      await close();
    });

    test("what every element may carry is no question", async () => {
      const extra = `class="a" id="b" style="margin:0" title="t" lang="en" dir="ltr" data-x="1" data-sigm="2" aria-label="l" slot="s" role="note" tabindex="0" onclick="0" translate="no" part="p" @click="x" _ngcontent-a-c1`;
      const { page, errors, close } = await current.open(
        stranger.put({
          body: NUMBER.replace(" kind", ` ${extra} kind`) + MATRIX.replace(" dim", ` ${extra} dim`),
        }),
      );
      await drawn(page);
      expect(await text(page)).toBe(SENTENCE);
      expect(errors).toEqual([]);
      await close();
    });
  });

  describe("under a policy", () => {
    const current = light;
    const stranger = host(() => current.site.origin);
    const LONG = `<epsilon-answer kind="laplace" scale="1" sensitivity="1" count="40" delta="1e-5">about 17</epsilon-answer>`;
    const SCRIPT = "script-src ORIGIN 'wasm-unsafe-eval'";
    const FILE = "script-src ORIGIN/epsilometer.js 'wasm-unsafe-eval'";

    test.each([
      [
        "without WebAssembly",
        "script-src ORIGIN; worker-src blob:",
        "'wasm-unsafe-eval' to its script-src",
        [],
      ],
      ["with nothing but the script", "script-src ORIGIN", "'wasm-unsafe-eval' to its script-src", []],
      ["for one file alone", FILE, "worker-src blob:", []],
      ["without workers", SCRIPT, "worker-src blob:", [0, 1]],
      ["for one file and workers", `${FILE}; worker-src blob:`, "", [0, 1, 2]],
      ["with all that is asked for", `${SCRIPT}; worker-src blob:`, "", [0, 1, 2]],
    ] as const)("%s", async (_, policy, missing, answered) => {
      const { page, close } = await current.open("/embed.html");
      const ours: string[] = [];
      page.on("console", (message) => {
        if (
          /epsilometer:|abort|error:/i.test(message.text()) &&
          !/Content.Security.Policy directive|blocked/i.test(message.text())
        )
          ours.push(message.text());
      });
      await page.evaluateOnNewDocument(() => {
        const refused: EventTarget[] = [];
        Reflect.set(window, "refused", refused);
        addEventListener("refusal", (event) => refused.push(event.target as EventTarget));
      });
      const allowed = `default-src 'none'; img-src data:; ${policy}`;
      await page.goto(stranger.put({ body: `<p>${NUMBER}</p>${CURVE}<p>${LONG}</p>`, policy: allowed }));
      const TELLS = ["epsilon-answer", "privacy-profile", "p:last-of-type epsilon-answer"];
      const found = await page.waitForFunction(
        (selectors) => {
          const shown = selectors.map((selector) => {
            const one = document.querySelector(selector);
            if (one?.shadowRoot?.querySelector("[part=answer], .plot > svg")) return "answer";
            const refused = (Reflect.get(window, "refused") as EventTarget[]).some((other) => other === one);
            return refused && one?.shadowRoot?.querySelector("slot") ? "kept" : "";
          });
          return shown.every(Boolean) ? shown : false;
        },
        {},
        TELLS,
      );
      const expected = TELLS.map((__, i) =>
        (answered as readonly number[]).includes(i) ? "answer" : "kept",
      );
      expect(await found.jsonValue()).toEqual(expected);
      const refusals = await page.$$eval(
        "epsilon-answer, privacy-profile",
        (all) => all.filter((one) => one.shadowRoot?.querySelector(".refusal")).length,
      );
      expect(refusals).toBe(0);
      expect(ours).toEqual(missing === "" ? [] : [expect.stringContaining(missing)]);
      await close();
    });
  });
});
