/** What the page says of a ranking, and what it takes over from it. */
import { expect, test } from "vitest";
import type { AlgorithmRanking, RankedAlgorithm } from "../../wasm/contract.ts";
import { EMPTY, withAlgorithm } from "../../web/src/fit/form.ts";
import { errorWords, proposal, standing, triedWords } from "../../web/src/words/ranking.ts";

type At = RankedAlgorithm["corners"][number];

const at = (error: number, behind: number, isTied: boolean): At => ({
  error,
  standardError: 0.01,
  behind: { error: behind, standardError: 0.01, isTied },
});

const ranked = (name: string, ...corners: readonly At[]) =>
  ({ algorithm: { name }, lost: 0, corners }) as unknown as RankedAlgorithm;

const ranking = (algorithms: readonly RankedAlgorithm[], constant = 1) =>
  ({
    algorithms,
    corners: [1, 2].map(() => ({ constant: { error: constant, standardError: 0 } })),
  }) as unknown as AlgorithmRanking;

const ADA = ranked("ada-ssp", at(0.3, 0, true), at(0.44, 0.04, false));
const SGD = ranked("dp-sgd", at(0.31, 0.01, true), at(0.4, 0, true));

test("the first is proposed, by how it does at both corners", () => {
  expect(standing(at(0.44, 0.04, false))).toBe("errs 10 % more than the least wrong");
  expect(proposal(ranking([ADA, SGD]))).toBe(
    "Proposed: AdaSSP: noisy sufficient statistics, because it errs least on tables as you guess them, and errs 10 % more than the least wrong on badly scaled ones.",
  );
  expect(proposal(ranking([SGD, ADA]))).toContain(
    "because it is tied with the least wrong on tables as you guess them, and errs least on badly scaled ones.",
  );
});

test("ties are named, and so is that nothing helps", () => {
  const tied = ranked("noisy-newton", at(0.3, 0, true), at(0.41, 0.01, true));
  expect(proposal(ranking([SGD, tied, ADA]))).toContain(
    "As good, as far as this can tell: Noisy Newton steps.",
  );
  expect(proposal(ranking([SGD]))).not.toContain("no model helps");
  expect(proposal(ranking([SGD], 0.32))).toContain("no model helps");
  expect(proposal(ranking([]))).toBe("No algorithm keeps this promise.");
  expect(errorWords(at(0.3, 0, true))).toBe("0.3 ± 0.02, least");
  expect(errorWords(at(0.3, 0.01, true))).toBe("0.3 ± 0.02, tied");
  expect(errorWords(at(0.3, 0.1, false))).toBe("0.3 ± 0.02");
});

test("what was asked of an algorithm is taken over, and the rest of the form stays", () => {
  const algorithm = { name: "ops-ptr", lambda: 100 } as unknown as RankedAlgorithm["algorithm"];
  expect(triedWords({ ...ADA, algorithm })).toBe("λ = 100");
  const whitened = { name: "approximate-minima-perturbation", whiten: 0.15 } as RankedAlgorithm["algorithm"];
  expect(triedWords({ algorithm: whitened })).toBe("whitened by 0.15 of the budget");
  expect(proposal(ranking([{ ...SGD, algorithm: whitened }]))).toContain(
    "Approximate minima perturbation, whitened by 0.15 of the budget, because",
  );
  expect(withAlgorithm(EMPTY, whitened).parameters).toEqual({ whiten: "0.15" });
  const form = { ...EMPTY, epsilon: "1", parameters: { rows: "50", lambda: "3" } };
  const next = withAlgorithm(form, algorithm);
  expect(next).toEqual({ ...form, algorithm: "ops-ptr", parameters: { rows: "50", lambda: "100" } });
});
