/**
 * What both widgets share: attributes that spell a question, the reading of it, and one question to the
 * engine at a time. The attributes are those of the catalogue, so a new parameter needs no line here.
 */
import { LitElement, type PropertyValues } from "lit";
import { Refusal } from "../../../wasm/refusal.ts";
import { Cancelled, engineFor, type RemoteEngine, Superseded, supersede } from "../engine/client.ts";
import { withDescription } from "../question/given.ts";
import { isHeavy, type Question } from "../question/question.ts";
import { fieldOf, type Reading, read } from "../question/read.ts";
import { fromRecord, KEYS } from "../question/record.ts";
import { CANCELLED, NOTICEABLE } from "./progress.ts";
import { say } from "./status.ts";

/** `mechanism-epsilon` in HTML is `mechanismEpsilon` in JavaScript. */
const camel = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Starts a little before the reader gets there. */
const NEAR = "300px";
/** What may take a while waits for a pause in the typing. */
const PAUSE = 150;

/** Why there is no answer, and beside which field that belongs. */
export interface Refused {
  readonly field: string;
  readonly refusal: Refusal;
  readonly question: Question;
}

export type Stage = "idle" | "asked" | "long" | "cancelled";

export abstract class QuestionElement<Result> extends LitElement {
  static override properties = {
    question: { attribute: false },
    description: {},
    loading: {},
    stage: { state: true },
    ...Object.fromEntries(KEYS.map((key) => [camel(key), { attribute: key }])),
  };

  /** A whole question, which then counts instead of the attributes. */
  declare question: Question | undefined;
  /** A whole mechanism as JSON, which then counts instead of `kind` and its parameters. */
  declare description: string | undefined;
  /** `eager` asks at once instead of when the reader comes near. */
  declare loading: "eager" | "lazy" | undefined;
  declare protected stage: Stage;

  protected readonly engine: RemoteEngine = engineFor(this);
  private near = false;
  private resting = false;
  private asked = "";
  private pause = 0;
  private patience = 0;
  private observer: IntersectionObserver | undefined;

  /** Works on a question without errors; a refusal that it throws goes to `refused`. */
  protected abstract work(
    question: Question,
    reading: Reading,
    sketched: (early: Result) => void,
  ): Promise<Result>;
  protected abstract settled(result: Result): void;
  protected abstract refused(refused: Refused): void;
  /** A coarse result of what still runs. */
  protected sketched(_: Result): void {}
  /** What else the result depends on. */
  protected beside(): string {
    return "";
  }

  constructor() {
    super();
    this.stage = "idle";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.loading === "eager") this.near = true;
    if (this.near) return;
    this.observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        this.near = true;
        this.observer?.disconnect();
        this.start();
      },
      { rootMargin: NEAR },
    );
    this.observer.observe(this);
  }

  /** Moving an element is not removing it: what was found stays, only the watching stops. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.observer?.disconnect();
  }

  /** The question in force and the attributes that could not be used. */
  protected current(): { question: Question; skipped: string[] } {
    if (this.question) return { question: this.question, skipped: [] };
    const record = new Map<string, string>();
    for (const key of KEYS) {
      const value: unknown = Reflect.get(this, camel(key));
      if (value !== undefined && value !== null) record.set(key, String(value));
    }
    return this.description ? withDescription(this.description, record) : fromRecord(record);
  }

  /** Waits for somebody else to find the answer first; `again` goes on. */
  rest(stage: Stage): void {
    this.resting = true;
    this.asked = "";
    clearTimeout(this.pause);
    supersede(this);
    this.become(stage);
  }

  /** The question in force once more, or for the first time after a rest. */
  again(): void {
    this.resting = false;
    this.asked = "";
    this.start();
  }

  protected override updated(_: PropertyValues): void {
    this.start();
  }

  private start(): void {
    if (!this.near || this.resting) return;
    try {
      this.consider(this.current());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { question } = fromRecord(new Map());
      this.refuseOnce(`${error}`, { field: error.field, refusal: error, question });
    }
  }

  private refuseOnce(asked: string, refused: Refused): void {
    if (asked === this.asked) return;
    this.asked = asked;
    this.become("idle");
    this.refused(refused);
  }

  private consider({ question, skipped }: { question: Question; skipped: string[] }): void {
    const asked = JSON.stringify([question, skipped, this.beside()]);
    if (asked === this.asked) return;
    const first = this.asked === "";
    supersede(this);
    clearTimeout(this.pause);
    const reading = read(question);
    const refused = unusable(skipped, question) ?? firstOf(reading, question);
    if (refused) {
      this.refuseOnce(asked, refused);
      return;
    }
    this.asked = asked;
    this.become("asked");
    if (first || !isHeavy(question)) this.put(asked, question, reading);
    else this.pause = window.setTimeout(() => this.put(asked, question, reading), PAUSE);
  }

  private put(asked: string, question: Question, reading: Reading): void {
    if (asked !== this.asked) return;
    const sketched = (early: Result) => asked === this.asked && this.sketched(early);
    this.work(question, reading, sketched).then(
      (result) => {
        if (asked !== this.asked) return;
        this.become("idle");
        this.settled(result);
      },
      (error: unknown) => {
        if (asked !== this.asked || error instanceof Superseded) return;
        this.become(error instanceof Cancelled ? "cancelled" : "idle");
        if (error instanceof Cancelled) this.cancelled();
        else this.refused(fromEngine(error, question));
      },
    );
  }

  private cancelled(): void {
    say(CANCELLED);
    this.dispatchEvent(new CustomEvent("cancelled", { bubbles: true, composed: true }));
  }

  private become(stage: Stage): void {
    clearTimeout(this.patience);
    // A question that overtakes a long one does not start the waiting anew.
    if (stage === "asked" && this.stage === "long") return;
    this.stage = stage;
    if (stage !== "asked") return;
    this.patience = window.setTimeout(() => {
      this.stage = "long";
    }, NOTICEABLE);
  }
}

function firstOf({ refusals }: Reading, question: Question): Refused | undefined {
  const [first] = refusals;
  return first && { field: first[0], refusal: first[1], question };
}

/** An attribute that means nothing must not leave a default in its place unnoticed. */
function unusable([first]: string[], question: Question): Refused | undefined {
  if (first === undefined) return undefined;
  const [field = "", value] = first.split("=");
  const rule =
    value === undefined
      ? `no parameter of ${(question.given ?? question.releases[0]).kind}`
      : "not in the catalogue";
  return { field, refusal: new Refusal("unknown", field, value ?? "", rule, { shown: true }), question };
}

function fromEngine(error: unknown, question: Question): Refused {
  if (error instanceof Refusal) return { field: fieldOf(error, question), refusal: error, question };
  const reason = error instanceof Error ? error.message : String(error);
  return {
    field: "engine",
    refusal: new Refusal("unsupported", "engine", "", `stopped (${reason})`),
    question,
  };
}
