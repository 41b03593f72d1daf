/** What is said of a shared budget: nothing is rounded in the release's favour, and a worse sum is called worse. */
import { expect, test } from "vitest";
import type { ReportOffer } from "../../wasm/contract.ts";
import { dividedWords, sharePoint, typicalWords } from "../../web/src/words/share.ts";

const told = (size: number, material: number) => ({
  lower: -size,
  upper: size,
  size,
  leverage: 0,
  misfit: size - material,
  material,
  failure: 1e-6,
});

const offer = (share: number, sigma: number, size: number, material: number) =>
  ({ share, request: { algorithm: { sigma } }, with: told(size, material) }) as unknown as ReportOffer;

const alone = offer(0, 4, 0.39, 0);
const numbers = (words: string) => [...words.matchAll(/\d+(\.\d+)?/g)].map(([one]) => Number(one));

test("numbers are at least what they stand for", () => {
  let random = 1;
  for (let i = 0; i < 300; i++) {
    random = (random * 48271) % 2147483647;
    const size = 0.01 + random / 2147483647;
    const one = offer(0.3, 5, size, size / 3);
    const { model, published, together } = sharePoint(one);
    const said = numbers(typicalWords(one, alone));
    for (const [j, truth] of [model, published, together, 0.39].entries())
      expect(said[j]).toBeGreaterThanOrEqual(truth);
  }
});

test("a sum that grows is said to grow, and one that falls is not", () => {
  expect(typicalWords(offer(0.3, 5, 0.63, 0.41), alone)).toContain("not how little was told in all");
  expect(typicalWords(offer(0.3, 5, 0.3, 0.1), alone)).not.toContain("not how little");
});

test("the share and the noise of the model", () => {
  expect(dividedWords(alone, alone)).toContain("costs nothing");
  expect(dividedWords(offer(0.3, 5, 1, 1), alone)).toMatch(/^30 % .* report, and 70 % .* 1\.25 times/);
});
