/** The question as a sentence that is edited in place and grows by releases. Its slots come from the catalogue. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { KINDS } from "../../../../wasm/engine/catalogue.ts";
import {
  aroundOf,
  decidingOf,
  filled,
  measuredBy,
  namesIn,
  WRAPPER_KINDS,
  type WrapperKind,
  wayFor,
  wayOf,
} from "../../../../wasm/engine/kinds.ts";
import type { Refusal } from "../../../../wasm/engine/refusal.ts";
import {
  withoutRelease,
  withoutWrapper,
  withRelease,
  withReleaseKind,
  withText,
  withWrapper,
} from "../../question/edit.ts";
import {
  COUNT_FIELD,
  type Field,
  fieldsAround,
  isGroup,
  isLimited,
  isNeighbours,
  isSentenceKind,
  LEVEL,
  type MechanismLine,
  MOST_RELEASES,
  nameOf,
  type Question,
  quantitiesOf,
  relationsOf,
  SENTENCE_KINDS,
  slotAt,
  slotsInside,
  textOf,
} from "../../question/question.ts";
import type { Reading } from "../../question/read.ts";
import { RELATION_WORDS } from "../../words/sentences.ts";
import { LightElement } from "../light-element.ts";
import { choice, fault, type Slots, slot } from "./slot.ts";

export interface Edit {
  readonly question: Question;
  /** A committed change, not one in the middle of typing. */
  readonly settled: boolean;
}

const PERCENT = html`\u2009%`;

export class QuestionSentence extends LightElement {
  static override properties = {
    question: { attribute: false },
    reading: { attribute: false },
    refusals: { attribute: false },
  };

  declare question: Question | undefined;
  declare reading: Reading | undefined;
  /** Those of the reading and those that the engine sent back. */
  declare refusals: ReadonlyMap<string, Refusal>;

  protected override render(): TemplateResult | typeof nothing {
    const { question, reading, refusals } = this;
    if (!question) return nothing;
    const slots: Slots = {
      question,
      reading,
      refusals: refusals ?? new Map(),
      typed: (name, text) => this.edit(withText(question, name, text), false),
      settle: () => this.question && this.edit(this.question, true),
      solve: (name) => this.dispatchEvent(new CustomEvent("solve", { detail: name, bubbles: true })),
    };
    return question.releases.length === 1 ? this.single(slots) : this.several(slots);
  }

  private single(slots: Slots): TemplateResult {
    const [release] = slots.question.releases;
    return html`<p class="sentence">
      ${this.release(slots, release, 0)},
      between tables that ${this.relations(slots)}, ${this.level(slots, "has", "lets")}.
    </p>${this.grow(slots.question)}`;
  }

  /** One line a release; what symbols mean is said to listeners and on hovering, so that the eye stays calm. */
  private several(slots: Slots): TemplateResult {
    const { releases } = slots.question;
    const line = (release: MechanismLine, i: number) => html`<li>
      ${i === 0 ? "" : "and then "}${this.release(slots, release, i)}
      ${this.small(`Remove release ${i + 1}`, "×", "remove whole", withoutRelease(slots.question, i))}
    </li>`;
    return html`<ol class="sentence releases">${repeat(releases, (_, i) => i, line)}</ol>
      ${this.grow(slots.question)}
      <p class="sentence together">
        Together, between tables that ${this.relations(slots)}, they ${this.level(slots, "have", "let")}.
      </p>`;
  }

  private release(slots: Slots, release: MechanismLine, index: number): TemplateResult {
    const fields = slotsInside(release);
    const before = (i: number) => (i === 0 ? "" : i === fields.length - 1 ? " and " : ", ");
    const name = (key: string) => nameOf(index, key);
    // A symbol that also counts the runs needs its title.
    const silent = ({ entry }: Field) =>
      slots.question.releases.length > 1 && entry.symbol !== COUNT_FIELD.entry.symbol;
    return html`${this.kinds(slots, release, index)} with
      ${fields.map((field, i) => [before(i), slot(slots, name(field.key), silent(field))])},
      run ${slot(slots, name("count"), true)} ${release.texts.count === "1" && slots.question.ask !== name("count") ? "time" : "times"}${this.around(slots, release, index)}`;
  }

  /** What is around a mechanism, each in its words, and buttons for what could be. */
  private around(slots: Slots, { kind, around }: MechanismLine, index: number): TemplateResult {
    const { question } = slots;
    const missing = WRAPPER_KINDS.filter((wrapper) => !around.includes(wrapper)).map((wrapper) => {
      const label = `Run ${KINDS[kind].title} ${wayOf(wrapper, question.neighbours).brief}`;
      const next = withWrapper(question, index, wrapper);
      return html` ${this.small(label, `+ ${aroundOf(wrapper).add}`, "add", next)}`;
    });
    return html`${around.map((wrapper, i) => [i > 0 ? "," : "", this.wrapped(slots, wrapper, index)])}${missing}`;
  }

  private wrapped(slots: Slots, wrapper: WrapperKind, index: number): TemplateResult {
    const { question } = slots;
    const { remove } = aroundOf(wrapper);
    const drop = this.small(remove, "×", "remove", withoutWrapper(question, index, wrapper));
    const fields = fieldsAround(wrapper);
    const at = (name: string) => nameOf(index, fields.find(({ parameter }) => parameter === name)?.key ?? "");
    const [deciding] = decidingOf(wrapper) ?? [];
    const way = wayFor(wrapper, deciding && textOf(question, at(deciding)));
    const measured = measuredBy(wrapper, way);
    const there = namesIn(measured).filter((name) => slotAt(question, at(name)));
    const last = there.at(-1);
    const value = (name: string) =>
      there.includes(name) ? slot(slots, at(name), true, name === last ? drop : undefined) : html``;
    const words = filled<TemplateResult>(measured, value);
    // The ways to choose from are said as one of them would be.
    const said = deciding ? slot(slots, at(deciding), true) : way.brief;
    return html` ${said} ${words}${last === undefined ? drop : nothing}`;
  }

  /** What is asked or kept: ε at δ, or how far a suspicion may rise. */
  private level(slots: Slots, has: string, lets: string): TemplateResult {
    const people = quantitiesOf(slots.question).map((name, i) => [
      i === 0 ? ", with " : ", ",
      slot(slots, name, true),
    ]);
    const other = LEVEL.includes(slots.question.ask) ? nothing : html` ${this.otherPromise(slots.question)}`;
    if (isLimited(slots.question))
      return html`${lets} a suspicion of ${slot(slots, "prior", true, PERCENT)} rise to ${slot(slots, "limit", true, PERCENT)}
        at most, right or wrong, except with probability ${slot(slots, "exceptions", true)}${other}${people}`;
    return html`${has} ${slot(slots, "epsilon")} at ${slot(slots, "delta", true)}${other}${people}`;
  }

  private otherPromise(question: Question): TemplateResult {
    return isLimited(question)
      ? this.small("Keep ε at δ instead", "or keep ε at δ", "add", withText(question, "limit", ""))
      : this.small(
          "Limit a suspicion instead",
          "or limit a suspicion",
          "add",
          withText(question, "limit", "5"),
        );
  }

  private grow(question: Question): TemplateResult | typeof nothing {
    if (question.releases.length >= MOST_RELEASES) return nothing;
    const add = () => this.change(withRelease(question));
    return html`<p class="grow"><button type="button" @click=${add}>+ add another release</button></p>`;
  }

  /** A quiet button inside the sentence. */
  private small(label: string, text: string, style: string, next: Question): TemplateResult {
    return html`<button type="button" class="mini ${style}" title=${label} aria-label=${label}
      @click=${() => this.change(next)}>${text}</button>`;
  }

  /** Whoever pressed a button goes on in the field that it made, or, where the button went away, at what may be added. */
  private change(next: Question): void {
    const fields = () => [...this.querySelectorAll<HTMLElement>("input[id], select[id]")];
    const before = new Set(fields().map(({ id }) => id));
    this.edit(next, true);
    this.updateComplete.then(() => {
      const made = fields().find(({ id }) => !before.has(id));
      const isLost = document.activeElement === document.body;
      (made ?? (isLost ? this.querySelector<HTMLElement>(".mini.add, .grow button") : null))?.focus();
    });
  }

  private edit(question: Question, settled: boolean): void {
    this.dispatchEvent(new CustomEvent<Edit>("edit", { detail: { question, settled }, bubbles: true }));
  }

  private kinds(slots: Slots, release: MechanismLine, index: number): TemplateResult {
    const choose = (kind: string) => {
      if (isSentenceKind(kind)) this.edit(withReleaseKind(slots.question, index, kind), true);
    };
    const options = SENTENCE_KINDS.map((kind) => [kind, KINDS[kind].title] as const);
    const name = nameOf(index, "kind");
    const label = index === 0 ? "Mechanism" : `Mechanism ${index + 1}`;
    return html`${choice(label, name, release.kind, options, choose)}${fault(slots, name)}`;
  }

  private relations(slots: Slots): TemplateResult {
    const choose = (neighbours: string) => {
      if (isNeighbours(neighbours)) this.edit({ ...slots.question, neighbours }, true);
    };
    const options = relationsOf(slots.question).map((one) => [one, RELATION_WORDS[one]] as const);
    const select = choice("Neighbouring relation", "neighbours", slots.question.neighbours, options, choose);
    const alone = !isGroup(slots.question);
    return html`${select}${alone ? "" : " up to"} ${slot(slots, "group", true)} ${alone ? "row" : "rows"}${fault(slots, "neighbours")}`;
  }
}
