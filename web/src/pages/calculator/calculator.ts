/** The calculator: one question in the address, edited by the sentence, answered by the elements below it. */

import type { Comparison } from "../../../../wasm/contract.ts";
import { GROUP, type KindEntry } from "../../../../wasm/engine/catalogue.ts";
import { entryOf, LIST_KIND } from "../../../../wasm/engine/kinds.ts";
import { define } from "../../elements/define.ts";
import type { Refused } from "../../elements/question-element.ts";
import { say } from "../../elements/status.ts";
import { probeWorker, supersede } from "../../engine/client.ts";
import type { EpsilonAnswer, PrivacyProfile } from "../../epsilometer.ts";
import "../../epsilometer.ts";
import { withText } from "../../question/edit.ts";
import type { Outcome } from "../../question/outcome.ts";
import { isGroup, isLimited, type Question, textOf, withKind } from "../../question/question.ts";
import { read } from "../../question/read.ts";
import { VERSION } from "../../version.ts";
import { format } from "../../words/numbers.ts";
import { ACCOUNTANTS, fullTitle, refusalSentence, safeSide } from "../../words/sentences.ts";
import { Address } from "../address.ts";
import { find, part } from "../find.ts";
import { LocalityCheck } from "../locality-check.ts";
import { themeSwitch } from "../theme.ts";
import { AccountantComparison } from "./accountant-comparison.ts";
import { AttackSentence } from "./attack-sentence.ts";
import { CopyAs } from "./copy-as.ts";
import { OddsSentence } from "./odds-sentence.ts";
import type { Typed } from "./percent-field.ts";
import { PrintedErrata } from "./printed-errata.ts";
import { type Edit, QuestionSentence } from "./question-sentence.ts";

const sentence = part("question-sentence", QuestionSentence);
const answer = find<EpsilonAnswer>("epsilon-answer");
const oddsLine = find<OddsSentence>("odds-sentence");
const attackLine = part("attack-sentence", AttackSentence);
const profile = find<PrivacyProfile>("privacy-profile");
const comparison = part("accountant-comparison", AccountantComparison);
const copies = part("copy-as", CopyAs);
const errata = part("printed-errata", PrintedErrata);
const errataFold = find<HTMLDetailsElement>("#errata");
const notice = find<HTMLElement>("#notice");

const address = new Address(({ question, skipped }) => {
  tell(skipped);
  show(question);
});
let current: Question;
let outcome: Outcome | undefined;

/** Everything on the page follows from the question; the answer comes back as an event. */
function show(question: Question): void {
  current = question;
  const reading = read(question);
  Object.assign(sentence, { question, reading, refusals: reading.refusals });
  const { refusals, beside } = reading;
  const typed = (name: string) => ({
    text: textOf(question, name),
    refusal: refusals.get(name) ?? beside.get(name),
  });
  Object.assign(oddsLine, {
    prior: typed("prior"),
    exceptions: typed("exceptions"),
    fixed: isLimited(question),
  });
  Object.assign(attackLine, typed("false-positives"));
  // The number first: what else runs makes way, and the curve waits for the answer.
  profile.rest(outcome ? "asked" : "idle");
  for (const part of [comparison, oddsLine, attackLine]) supersede(part);
  Object.assign(answer, { question, reading });
  explain(question);
}

function explain(question: Question): void {
  const { releases } = question;
  const entries: KindEntry[] = releases.flatMap(({ kind, around }) => [kind, ...around].map(entryOf));
  const whole =
    releases.length > 1 || releases[0].texts.count !== "1" ? [...entries, entryOf(LIST_KIND)] : entries;
  const distinct = [...new Set(whole)];
  const helps = [...distinct, ...(isGroup(question) ? [GROUP] : [])];
  find("#kind-help").textContent = helps.map(({ help }) => help).join(" ");
  find("#kind-source").textContent = distinct.map(({ source }) => source).join("; ");
  errata.errata = distinct.flatMap((entry) => entry.errata ?? []);
  errataFold.hidden = errata.errata.length === 0;
}

function tell(skipped: readonly string[]): void {
  notice.hidden = skipped.length === 0;
  notice.textContent =
    skipped.length === 0 ? "" : `Not understood in the address, and skipped: ${skipped.join("; ")}.`;
}

function edit(question: Question, settled: boolean): void {
  if (question !== current) show(question);
  address.write(question, settled);
}

/** The old unknown keeps the value that was found for it, so that solving the other way starts at the same point. */
function solveFor(name: string): void {
  if (name === current.ask) return;
  const found = outcome?.found;
  const solved = found && "calibration" in found;
  const value = solved ? found.calibration.value : found?.answer.upper;
  const side = solved ? safeSide(current, current.ask) : "up";
  const kept =
    value !== undefined && Number.isFinite(value)
      ? withText(current, current.ask, format(value, 6, side))
      : current;
  edit({ ...kept, ask: name }, true);
}

sentence.addEventListener("edit", (event) => {
  const { question, settled } = (event as CustomEvent<Edit>).detail;
  edit(question, settled);
});
sentence.addEventListener("solve", (event) => solveFor((event as CustomEvent<string>).detail));
for (const part of [oddsLine, attackLine]) {
  part.addEventListener("typed", (event) => {
    const { name, text, settled } = (event as CustomEvent<Typed>).detail;
    edit(text === textOf(current, name) ? current : withText(current, name, text), settled);
  });
}

answer.addEventListener("answer", (event) => {
  if (!outcome) performance.mark("epsilometer:first-answer");
  arrive();
  outcome = (event as CustomEvent<Outcome>).detail;
  const { question, reading } = outcome;
  sentence.refusals = reading.refusals;
  for (const part of [oddsLine, attackLine, comparison]) part.outcome = outcome;
  Object.assign(profile, { question, reading, outcome });
  profile.again();
  const link = address.link(current);
  Object.assign(copies, { outcome, link });
  find("#permalink").textContent = `This sheet: ${link}`;
});

/** The engine has spoken: from now on the static worked example has nothing more to say. */
function arrive(): void {
  if (customElements.get("odds-sentence")) return;
  define("odds-sentence", OddsSentence, VERSION);
  answer.replaceChildren();
}

/** A refusal of the engine stands beside its field, like one of the reading. */
answer.addEventListener("refusal", (event) => {
  const { refusal, field, question } = (event as CustomEvent<Refused>).detail;
  arrive();
  if (question !== current) return;
  outcome = undefined;
  for (const part of [oddsLine, attackLine, comparison, copies, profile]) part.outcome = undefined;
  Object.assign(profile, { question, reading: sentence.reading });
  profile.again();
  if (!sentence.refusals.has(field)) sentence.refusals = new Map([[field, refusal]]);
  say(refusalSentence(refusal, fullTitle(question, field)));
});

/** What was found before belongs to an older question. */
answer.addEventListener("cancelled", () => {
  arrive();
  outcome = undefined;
  for (const part of [oddsLine, attackLine, comparison, copies, profile]) part.outcome = undefined;
  profile.question = current;
  profile.rest("cancelled");
});

/** A broken promise is seen before the fold is opened. */
comparison.addEventListener("compared", (event) => {
  const broken = (event as CustomEvent<readonly Comparison[]>).detail.filter((row) => row.broken);
  const names = broken.map((row) => ACCOUNTANTS[row.accountant].toLowerCase());
  find("#broken").textContent = names.length === 0 ? "" : `✗ ${names.join(" and ")}: promise broken`;
});

const compareFold = find<HTMLDetailsElement>("#compare");
compareFold.addEventListener("toggle", () => {
  comparison.open = compareFold.open;
});

errataFold.addEventListener("toggle", () => {
  errata.open = errataFold.open;
});

for (const choice of document.querySelectorAll<HTMLInputElement>("input[name=curve]")) {
  choice.addEventListener("change", () => {
    profile.curve = choice.value;
    attackLine.open = choice.value === "trade-off";
  });
}

part("locality-check", LocalityCheck).probeWorker = probeWorker;
themeSwitch(find<HTMLButtonElement>("#theme"));
find("#version").textContent = VERSION;
const start = address.read();
if (address.link(start.question) !== address.link(withKind("gaussian"))) profile.replaceChildren();
tell(start.skipped);
show(start.question);
