/** What Copy as HTML gives, pasted into somebody else's page, against the engine's own answer. */
import { expect, test } from "vitest";
import { open } from "../../wasm/engine.ts";
import { withRelease, withReleaseKind, withText } from "../../web/src/question/edit.ts";
import { encode } from "../../web/src/question/fragment.ts";
import type { Outcome } from "../../web/src/question/outcome.ts";
import { type Question, relationsOf, SENTENCE_KINDS, solvable } from "../../web/src/question/question.ts";
import { read } from "../../web/src/question/read.ts";
import { tag } from "../../web/src/share/tag.ts";
import { changed } from "../web/changed.ts";
import { stage } from "./browser.ts";
import { host } from "./host.ts";

const current = stage();
const stranger = host(() => current.site.origin);
const engine = await open();

/** The engine's answer to what the page was asked, without the page. */
function truth(question: Question): unknown {
  const { description, parameter, values } = read(question);
  if (!description) throw new Error(`the page would refuse ${JSON.stringify(question)}`);
  const level = (name: string) => values.get(name)?.value ?? Number.NaN;
  const group = level("group");
  const [epsilon, delta] = [level("epsilon"), level("delta")];
  if (question.ask === "epsilon") return engine.epsilon(description, delta, { group });
  if (question.ask === "delta") return engine.delta(description, epsilon, { group });
  return engine.calibrate(description, parameter ?? "", { epsilon, delta });
}

/** A window that shows all of them: elements answer when they are about to be seen. */
const TALL = { viewport: { width: 1800, height: 9000 } };

/** What every element of a page found, once all of them have: a number, or its refusal in words. */
async function answersOf(
  page: Awaited<ReturnType<typeof current.open>>["page"],
): Promise<readonly unknown[]> {
  // A hundred questions, one after the other: the time is the test's own, not that of one answer.
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll("epsilon-answer")].every((one) =>
        one.shadowRoot?.querySelector(".inline, .refusal"),
      ),
    undefined,
    { timeout: 0 },
  );
  const found = await page.evaluate(() =>
    [...document.querySelectorAll("epsilon-answer")].map((one) => {
      const outcome = (one as unknown as { toJSON(): Outcome | null }).toJSON();
      if (!outcome) return one.shadowRoot?.textContent;
      return "calibration" in outcome.found ? outcome.found.calibration : outcome.found.answer;
    }),
  );
  return found;
}

const two = withReleaseKind(withRelease(changed("gaussian", { rate: "0.03", count: "20" })), 1, "laplace");
/** Each through the page itself. */
const COPIED: readonly (readonly [string, Question])[] = [
  ...SENTENCE_KINDS.map((kind) => [kind, changed(kind)] as const),
  ["a repeated sample", changed("gaussian", { rate: "0.03", count: "50" })],
  ["a sample of fixed size", { ...changed("laplace", { rate: "0.03" }), neighbours: "replace" }],
  ["a group", changed("discrete-gaussian", { group: "3" })],
  ["two releases", two],
  ["two releases, a rate unknown", { ...withText(two, "epsilon", "1,5"), ask: "rate" }],
  ["a sketch, its size unknown", { ...changed("gaussian-mixing"), ask: "sketch-size" }],
];

test("the copied tag of every kind, every parameter changed, says on a foreign page what the engine says", async () => {
  const copied: string[] = [];
  const { page, close } = await current.open("/", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.locator("#copy summary").click();
  for (const [name, question] of COPIED) {
    await page.goto(`${current.site.origin}/${encode(question)}`);
    await page.waitForFunction((fragment) => {
      const { link, outcome } = document.querySelector("copy-as") as unknown as {
        link?: string;
        outcome?: unknown;
      };
      return outcome && link?.endsWith(fragment);
    }, encode(question));
    await page.getByRole("button", { name: "HTML", exact: true }).click();
    await page.locator("copy-as pre", { hasText: "</epsilon-answer>" }).waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    expect(text, name).toContain(
      `<script type="module" src="${current.site.origin}/epsilometer.js"></script>`,
    );
    expect(text, name).toMatch(/>[^<>]+ (= |≤ |&lt;)[^<>]+(row|rows)<\/epsilon-answer>$/);
    copied.push(text);
  }
  await close();
  const foreign = await current.open(
    stranger.put({ body: copied.map((one) => `<p>${one}</p>`).join(""), script: "" }),
    TALL,
  );
  const found = await answersOf(foreign.page);
  COPIED.forEach(([name, question], i) => {
    expect(found[i], name).toEqual(truth(question));
  });
  expect(foreign.errors).toEqual([]);
  // What stood between the tags is what the widget says.
  const said = await foreign.page.evaluate(() =>
    [...document.querySelectorAll("epsilon-answer")].map((one) => [
      one.textContent,
      one.shadowRoot?.querySelector(".inline")?.textContent,
    ]),
  );
  for (const [before, after] of said) expect(after).toBe(before);
  await foreign.close();
});

test("each quantity as the unknown, each relation, each single parameter changed", async () => {
  const asked = SENTENCE_KINDS.filter((kind) => kind !== "posterior-sampling").flatMap((kind) => {
    const question = changed(kind);
    return relationsOf(question).flatMap((neighbours) =>
      solvable(question)
        .filter((ask) => ask !== "count")
        .map((ask) => ({ ...question, ask, neighbours })),
    );
  });
  const tags = asked.map((question) => tag("epsilon-answer", question, read(question).description as never));
  const { page, close } = await current.open(stranger.put({ body: tags.join("<br>") }), TALL);
  const found = await answersOf(page);
  let answered = 0;
  asked.forEach((question, i) => {
    let expected: unknown;
    try {
      expected = truth(question);
      answered++;
    } catch (error) {
      expected = expect.stringContaining((error as { rule: string }).rule.slice(0, 20));
    }
    expect(found[i], tags[i]).toEqual(expected);
  });
  console.log(`${answered} of ${asked.length} answered`);
  expect(answered).toBeGreaterThan(100);
  await close();
});
