/** The client of a worker, against a wire that answers when it is told to. */
import { describe, expect, test, vi } from "vitest";
import type { ToWorker } from "../../web/src/engine/protocol.ts";
import {
  Cancelled,
  type Ears,
  type Policy,
  Superseded,
  WorkerClient,
} from "../../web/src/engine/worker-client.ts";

class Wires {
  readonly sent: ToWorker[] = [];
  started = 0;
  stopped = 0;
  why: string | undefined;
  ears: Ears | undefined;

  client(policy: Partial<Policy> = {}): WorkerClient {
    return new WorkerClient({
      atOnce: 1,
      open: (ears) => {
        if (this.why) return this.why;
        this.ears = ears;
        this.started++;
        return { send: (message) => this.sent.push(message), stop: () => this.stopped++ };
      },
      failure: (why) => new Error(why),
      endsOnFailure: true,
      ...policy,
    });
  }

  get jobs() {
    return this.sent.map(({ job }) => job);
  }

  answer(place: number, result: unknown) {
    this.ears?.hear({ id: (this.sent[place] as ToWorker).id, result });
  }
}

const asked = (job: string) => ({ job, args: [] });
const [me, you] = [{}, {}];

describe("one question at a time", () => {
  test("the next one waits here until the first is answered", async () => {
    const wires = new Wires();
    const client = wires.client();
    const [first, second] = [client.ask(me, asked("a")), client.ask(you, asked("b"))];
    expect(wires.jobs).toEqual(["a"]);
    wires.answer(0, 1);
    expect(await first).toBe(1);
    expect(wires.jobs).toEqual(["a", "b"]);
    wires.answer(1, 2);
    expect(await second).toBe(2);
    expect([wires.started, wires.stopped]).toEqual([1, 0]);
  });

  test("an asker drops what it waits for, and nobody else's", async () => {
    const wires = new Wires();
    const client = wires.client();
    const first = client.ask(you, asked("a"));
    const dropped = client.ask(me, asked("b"));
    const kept = client.ask(you, asked("c"));
    client.supersede(me);
    await expect(dropped).rejects.toBeInstanceOf(Superseded);
    wires.answer(0, 1);
    wires.answer(1, 3);
    expect([await first, await kept]).toEqual([1, 3]);
    expect(wires.jobs).toEqual(["a", "c"]);
    expect(wires.stopped).toBe(0);
  });

  test("one that runs gets a moment to finish before its worker is replaced", async () => {
    vi.useFakeTimers();
    const wires = new Wires();
    const client = wires.client();
    const quick = client.ask(me, asked("a"));
    client.supersede(me);
    wires.answer(0, 1);
    expect(await quick).toBe(1);
    const slow = client.ask(me, asked("b"));
    const next = client.ask(you, asked("c"));
    client.supersede(me);
    vi.runAllTimers();
    await expect(slow).rejects.toBeInstanceOf(Superseded);
    expect([wires.started, wires.stopped]).toEqual([2, 1]);
    wires.answer(2, 3);
    expect(await next).toBe(3);
    vi.useRealTimers();
  });

  test("what stops the engine is told, and the next question gets a fresh one", async () => {
    const wires = new Wires();
    const client = wires.client();
    const failed = client.ask(me, asked("a"));
    const next = client.ask(me, asked("b"));
    wires.ears?.hear({ id: (wires.sent[0] as ToWorker).id, failure: "memory" });
    await expect(failed).rejects.toThrow("the engine stopped (memory)");
    expect([wires.started, wires.stopped]).toEqual([2, 1]);
    wires.ears?.broken("gone");
    await expect(next).rejects.toThrow("gone");
  });

  test("where no worker can be, everybody is told why", async () => {
    const wires = new Wires();
    wires.why = "forbidden";
    const client = wires.client();
    const both = [client.ask(me, asked("a")), client.ask(you, asked("b"))];
    for (const one of both) await expect(one).rejects.toThrow("forbidden");
    expect(wires.started).toBe(0);
  });

  test("another wire takes over what runs", async () => {
    const wires = new Wires();
    const client = wires.client();
    const first = client.ask(me, asked("a"));
    const taken: ToWorker[] = [];
    wires.ears?.again({ send: (message) => taken.push(message), stop: () => {} });
    expect(taken.map(({ job }) => job)).toEqual(["a"]);
    wires.ears?.unable("too long for a page");
    await expect(first).rejects.toThrow("too long");
    const second = client.ask(me, asked("b"));
    expect(taken.map(({ job }) => job)).toEqual(["a", "b"]);
    wires.ears?.hear({ id: taken[1]?.id as number, result: 2 });
    expect(await second).toBe(2);
  });
});

describe("many questions at once", () => {
  const many = { atOnce: Number.POSITIVE_INFINITY, endsOnFailure: false };

  test("each hears its own progress and answer, and a failure is that of one", async () => {
    const wires = new Wires();
    const client = wires.client(many);
    const heard: unknown[] = [];
    const first = client.ask(me, asked("a"), (progress) => heard.push(progress));
    const second = client.ask(me, asked("b"));
    expect(wires.jobs).toEqual(["a", "b"]);
    wires.ears?.hear({ id: (wires.sent[0] as ToWorker).id, progress: 0.5 });
    wires.ears?.hear({ id: (wires.sent[1] as ToWorker).id, failure: "no such file" });
    await expect(second).rejects.toThrow("no such file");
    wires.answer(0, 1);
    expect(await first).toBe(1);
    expect(heard).toEqual([0.5]);
    expect(wires.stopped).toBe(0);
  });

  test("cancelling ends all of them with one worker", async () => {
    const wires = new Wires();
    const client = wires.client(many);
    const both = [client.ask(me, asked("a")), client.ask(you, asked("b"))];
    client.cancel();
    for (const one of both) await expect(one).rejects.toBeInstanceOf(Cancelled);
    expect([wires.started, wires.stopped]).toEqual([1, 1]);
    wires.answer(0, 1);
    const next = client.ask(me, asked("c"));
    wires.answer(2, 3);
    expect(await next).toBe(3);
    expect(wires.started).toBe(2);
  });
});
