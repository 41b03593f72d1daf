/** What a form costs while it is edited, asked of a worker that answers when it is told to. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Priced, Pricing } from "../../web/src/engine/pricing.ts";
import type { ToWorker } from "../../web/src/engine/protocol.ts";
import { type Ears, WorkerClient } from "../../web/src/engine/worker-client.ts";

/** Longer than a pause in the typing and than an older price is waited for. */
const LONG = 1000;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function priced() {
  const sent: ToWorker[] = [];
  const answers: Priced<unknown>[] = [];
  let ears: Ears | undefined;
  let stopped = 0;
  const client = new WorkerClient({
    atOnce: Number.POSITIVE_INFINITY,
    open: (heard) => {
      ears = heard;
      return { send: (message) => sent.push(message), stop: () => stopped++ };
    },
    failure: (why) => new Error(why),
    endsOnFailure: false,
  });
  const me = {};
  return {
    pricing: new Pricing<{ readonly form: string }, unknown>(
      (request) => client.ask(me, { job: "plan", args: [request] }),
      (answer) => answers.push(answer),
      () => client.supersede(me),
    ),
    answers,
    answer: (place: number, result: unknown) => ears?.hear({ id: (sent[place] as ToWorker).id, result }),
    get forms() {
      return sent.map(({ args }) => (args[0] as { readonly form: string }).form);
    },
    get stopped() {
      return stopped;
    },
  };
}

test("a price that takes long is not waited for when the form has changed", async () => {
  const page = priced();
  page.pricing.want({ form: "slow" });
  await vi.advanceTimersByTimeAsync(LONG);
  page.pricing.want({ form: "between" });
  page.pricing.want({ form: "changed" });
  await vi.advanceTimersByTimeAsync(LONG);
  expect(page.forms).toEqual(["slow", "changed"]);
  expect(page.stopped).toBe(1);
  page.answer(1, 3);
  await vi.advanceTimersByTimeAsync(0);
  expect(page.answers).toEqual([{ plan: 3 }]);
});

test("it is stopped too where the changed form has no price", async () => {
  const page = priced();
  page.pricing.want({ form: "slow" });
  await vi.advanceTimersByTimeAsync(LONG);
  page.pricing.want(undefined);
  await vi.advanceTimersByTimeAsync(LONG);
  expect([page.forms, page.stopped, page.answers]).toEqual([["slow"], 1, []]);
});

test("one that is nearly done keeps its worker, and its answer is dropped", async () => {
  const page = priced();
  page.pricing.want({ form: "quick" });
  await vi.advanceTimersByTimeAsync(130);
  page.pricing.want({ form: "changed" });
  page.answer(0, 1);
  await vi.advanceTimersByTimeAsync(LONG);
  page.answer(1, 2);
  await vi.advanceTimersByTimeAsync(0);
  expect(page.forms).toEqual(["quick", "changed"]);
  expect([page.stopped, page.answers]).toEqual([0, [{ plan: 2 }]]);
});
