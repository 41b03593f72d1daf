/** Which algorithm errs least: compared on made-up tables, proposed with a reason, taken over, cancelled. */
import { expect, test } from "vitest";
import { violations } from "./access.ts";
import { cramped, resting, stage, words } from "./browser.ts";
import { entry, sample } from "./fit-page.ts";

const { open } = stage();

test("the page proposes an algorithm and says why, by the keyboard, on a telephone too", async () => {
  const { page, errors, requests, close } = await open("/fit.html", {
    viewport: { width: 360, height: 740 },
  });
  await sample(page, "Hospital visits");
  await page.locator("#step-3 summary").first().click();
  await page.locator("fit-ranking summary").click();
  const asked = requests.length;
  await page.locator("#rank-rows").fill("100000");
  await page.getByRole("button", { name: "Compare them" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("fit-ranking").getByRole("button", { name: "Cancel" }).click();
  await page.locator("#rank-rows").fill("many");
  await page.getByRole("button", { name: "Compare them" }).click();
  await page.locator("fit-ranking .error").getByText("Rows of the table to come “many”").waitFor();
  await page.locator("#rank-rows").fill("100");
  await page.getByRole("button", { name: "Compare them" }).click();
  const proposal = page.locator("fit-ranking .proposal");
  await proposal.waitFor();
  expect(await words(proposal)).toMatch(/^Proposed: .*, because it .* on badly scaled ones\./);
  expect(await page.locator("fit-ranking tbody tr").count()).toBe(6);
  await page.locator("fit-ranking").getByRole("button", { name: "Use DP-SGD" }).click();
  await expect.poll(() => entry(page, "algorithm.name").inputValue()).toBe("dp-sgd");
  await page.locator("fit-ranking").getByText("chosen").waitFor();
  expect(await entry(page, "algorithm.rows").inputValue()).toBe("100");
  await resting(page);
  expect(await violations(page)).toEqual([]);
  expect(await cramped(page)).toEqual([]);
  // Of another budget nothing is known yet.
  await entry(page, "budget.epsilon").fill("2");
  await expect.poll(() => proposal.count()).toBe(0);
  expect(requests.length).toBe(asked);
  expect(errors).toEqual([]);
  await close();
});
