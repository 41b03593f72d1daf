/** Nothing leaves the page: not by itself, and not when it is forced. */
import { expect, test } from "vitest";
import { DIST, field, resting, stage } from "./browser.ts";
import { serve } from "./server.ts";

const current = stage();

test("after the load not one request is made, whatever is asked", async () => {
  const { page, requests, close } = await current.open();
  await page.waitForFunction(() => performance.getEntriesByName("epsilometer:first-answer").length > 0);
  expect(requests.every((address) => address.startsWith(current.site.origin))).toBe(true);
  const loaded = requests.length;
  await field(page, "sigma").fill("3");
  await page.getByRole("button", { name: "Solve for noise standard deviation" }).click();
  for (const summary of await page.locator(".folds summary").all()) await summary.click();
  await page.getByRole("button", { name: "OpenDP" }).click();
  await resting(page);
  expect(requests.slice(loaded)).toEqual([]);
  await close();
});

test("forced requests of every sort are refused", async () => {
  const { page, close } = await current.open();
  const stranger = await serve(DIST);
  const outside = `${stranger.origin}/`;
  await page.evaluate(async (address) => {
    const violations: string[] = [];
    Object.assign(globalThis, { violations });
    addEventListener("securitypolicyviolation", (event) => violations.push(event.effectiveDirective));
    await fetch(address).catch(() => {});
    await fetch("./anything").catch(() => {});
    navigator.sendBeacon(address, "x");
    new Image().src = address;
    const script = document.createElement("script");
    script.src = `${address}x.js`;
    document.head.append(script);
    const form = document.createElement("form");
    form.action = address;
    document.body.append(form);
    form.submit();
    try {
      new WebSocket(address.replace("http", "ws"));
    } catch {
      // Refused at once, and reported all the same.
    }
  }, outside);
  const refused = () => page.evaluate(() => (globalThis as unknown as { violations: string[] }).violations);
  // A fetch elsewhere and one of the own server, a beacon and a socket; an image, a script, a form.
  const expected = ["connect-src", "form-action", "img-src", "script-src-elem"];
  await expect.poll(async () => (await refused()).length).toBeGreaterThanOrEqual(7);
  const found = await refused();
  expect(found.filter((directive) => directive === "connect-src").length).toBeGreaterThanOrEqual(4);
  expect(found).toEqual(expect.arrayContaining(expected));
  expect(stranger.hits).toEqual([]);
  expect(current.site.hits).not.toContain("/anything");
  stranger.close();
  await close();
});

test("evaluated code is refused", async () => {
  const { page, close } = await current.open();
  // In a task of the page's own: what the debugger evaluates itself is exempt.
  const outcome = await page.evaluate(
    () =>
      new Promise<string>((resolve) => {
        setTimeout(() => {
          try {
            resolve(String(new Function("return 'evaluated'")()));
          } catch (error) {
            resolve((error as Error).name);
          }
        });
      }),
  );
  expect(outcome).toBe("EvalError");
  await close();
});
