/**
 * What both widgets share: attributes that spell a question, the reading of it, and one question to the
 * engine at a time. The attributes are those of the catalogue, so a new parameter needs no line here.
 */
import { Refusal } from "../../../wasm/engine/refusal.ts";
import { engineFor, type RemoteEngine, supersede } from "../engine/client.ts";
import { Unavailable } from "../engine/unavailable.ts";
import { Cancelled, Superseded } from "../engine/worker-client.ts";
import { questionOf } from "../question/attributes.ts";
import { KEYS } from "../question/key-values.ts";
import { isHeavy, type Question, withKind } from "../question/question.ts";
import { fieldOf, type Reading, read } from "../question/read.ts";
import { fieldWords, fullTitle, refusalSentence } from "../words/sentences.ts";
import { CANCELLED, NOTICEABLE } from "./progress.ts";
import { say } from "./status.ts";
import { Widget } from "./widget.ts";

/** `mechanism-epsilon` in HTML is `mechanismEpsilon` in JavaScript. */
const camel = (name: string) => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** What may take a while waits for a pause in the typing. */
const PAUSE = 150;

/** Why there is no answer, and beside which field that belongs. */
export interface Refused {
  readonly field: string;
  readonly refusal: Refusal;
  readonly question: Question;
  /** The page that holds the widget lets no engine run, which is told in its console. */
  readonly unavailable?: boolean;
}

export type Stage = "idle" | "asked" | "long" | "cancelled";

export abstract class QuestionElement<Result> extends Widget {
  static override properties = {
    ...Widget.properties,
    question: { attribute: false },
    reading: { attribute: false },
    description: {},
    stage: { state: true },
    ...Object.fromEntries(KEYS.map((key) => [camel(key), { attribute: key }])),
  };

  /** A whole question, which then counts instead of the attributes. */
  declare question: Question | undefined;
  /** What that question was read as, where somebody has read it already. */
  declare reading: Reading | undefined;
  /** A whole mechanism as JSON, which then counts instead of `kind` and its parameters. */
  declare description: string | null | undefined;
  declare protected stage: Stage;

  protected readonly engine: RemoteEngine = engineFor(this);
  /** The reading of the question in force. */
  protected considered: Reading | undefined;
  private resting = false;
  private asked = "";
  private pause = 0;
  private patience = 0;

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

  /** Whether the result depends on a level even where ε or δ is the unknown. */
  protected get needsLevel(): boolean {
    return true;
  }

  /** The question in force; a refusal where the attributes spell none. */
  protected current(): Question {
    if (this.question) return this.question;
    const record = new Map<string, string>();
    for (const key of KEYS) {
      const value: unknown = Reflect.get(this, camel(key));
      if (value !== undefined && value !== null) record.set(key, String(value));
    }
    return questionOf(record, this.description ?? undefined, this.needsLevel);
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

  protected override start(): void {
    if (!this.near || this.resting) return;
    try {
      this.checkAttributes();
      this.consider(this.current());
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.refuseOnce(`${error}`, { field: error.field, refusal: error, question: withKind("gaussian") });
    }
  }

  private refuseOnce(asked: string, refused: Refused): void {
    if (asked === this.asked) return;
    supersede(this);
    clearTimeout(this.pause);
    this.asked = asked;
    this.become("idle");
    this.refused(refused);
  }

  private consider(question: Question): void {
    const asked = JSON.stringify([question, this.beside()]);
    if (asked === this.asked) return;
    const first = this.asked === "";
    supersede(this);
    clearTimeout(this.pause);
    const reading = this.reading?.question === question ? this.reading : read(question);
    this.considered = reading;
    const refused = firstOf(reading, question, this.question === undefined);
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
        this.answered = true;
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

  /** The words of a refusal; none where the author's own say more to a reader. */
  protected wordsOf({ refusal, question, field, unavailable }: Refused): string {
    if (this.question) this.answered = true;
    if (unavailable && this.hasFallback) return "";
    // What has no title is spelled as it was written.
    const title = fullTitle(question, field);
    const hasTitle = title !== field || fieldWords(question, field).symbol !== "";
    return refusalSentence(refusal, hasTitle ? title : `attribute ${field}`);
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

/** An author is told of attributes, too, on which the answer does not depend: nobody else would tell. */
function firstOf({ refusals, beside }: Reading, question: Question, isTag: boolean): Refused | undefined {
  const [first] = [...refusals, ...(isTag ? beside : [])];
  return first && { field: first[0], refusal: first[1], question };
}

function fromEngine(error: unknown, question: Question): Refused {
  if (error instanceof Refusal) return { field: fieldOf(error, question), refusal: error, question };
  const reason = error instanceof Error ? error.message : String(error);
  const refusal = new Refusal("unsupported", "engine", "", reason);
  return { field: "engine", refusal, question, unavailable: error instanceof Unavailable };
}
