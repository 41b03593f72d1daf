/** The four steps as folds: each says in one line what was answered; going on opens the next. */
import { find } from "../find.ts";

export type StepNumber = 1 | 2 | 3 | 4;
const STEPS: readonly StepNumber[] = [1, 2, 3, 4];

const fold = (step: StepNumber) => find<HTMLDetailsElement>(`#step-${step}`);

export class Steps {
  /** `ready` answers the field that keeps a step from being done, if there is one. */
  constructor(ready: (step: StepNumber) => string | undefined, stopped: (step: StepNumber) => void) {
    for (const step of STEPS) {
      const next = fold(step).querySelector(".next");
      next?.addEventListener("click", () => {
        if (ready(step) !== undefined) return stopped(step);
        fold(step).open = false;
        this.open((step + 1) as StepNumber);
        fold((step + 1) as StepNumber)
          .querySelector("summary")
          ?.focus();
      });
    }
  }

  open(step: StepNumber): void {
    fold(step).open = true;
  }

  /** What each step says while it is folded; steps after a missing table wait. */
  describe(lines: readonly string[], hasTable: boolean): void {
    for (const step of STEPS) {
      find<HTMLElement>(`#step-${step} .line`).textContent = lines[step - 1] ?? "";
      fold(step).classList.toggle("waiting", step > 1 && !hasTable);
    }
  }
}
