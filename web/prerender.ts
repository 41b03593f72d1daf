/**
 * The static first view, made by the same engine and the same words when the site is built: the worked example
 * is readable before the scripts arrive and without them, and its digits cannot grow stale.
 */

import { openCalculator } from "../wasm/calculator.ts";
import type { Calculator, Posterior } from "../wasm/contract.ts";
import { aroundOf, decidingOf, entryOf, WRAPPER_KINDS, whenWords } from "../wasm/engine/kinds.ts";
import { HOST_POLICY } from "./policy.ts";
import { figure, INHERITED } from "./src/charts/figure.ts";
import type { RemoteEngine } from "./src/engine/client.ts";
import { profile } from "./src/engine/curves.ts";
import { ask, suspect } from "./src/engine/questions.ts";
import type { Outcome } from "./src/question/outcome.ts";
import { type Field, fieldsAround, fieldsOf, SENTENCE_KINDS, withKind } from "./src/question/question.ts";
import { read } from "./src/question/read.ts";
import { describe } from "./src/words/card.ts";
import { escapeMarkup } from "./src/words/markup.ts";
import { format } from "./src/words/numbers.ts";
import { eventSentence, odds } from "./src/words/odds.ts";
import { likelihoodSentence } from "./src/words/sentences.ts";

/** As the live figure is drawn, on a wide window and on a phone. */
const FIGURES = { wide: { width: 1040, height: 416 }, narrow: { width: 350, height: 280 } } as const;

export async function prerender(): Promise<Readonly<Record<string, string>>> {
  const engine = asRemote(await openCalculator());
  const question = withKind("gaussian");
  const outcome = await ask(engine, question, read(question));
  const curve = await profile(engine, outcome);
  return {
    ...sentences(outcome, outcome.posterior ?? (await suspect(engine, outcome))),
    card: card(outcome),
    wideFigure: figure(curve, FIGURES.wide, INHERITED),
    narrowFigure: figure(curve, FIGURES.narrow, INHERITED),
    attributes: attributes(),
    around: around(),
    hostPolicy: escapeMarkup(HOST_POLICY.join("\n")),
  };
}

/** The engine here answers at once; the page's code expects promises. */
const asRemote = (engine: Calculator): RemoteEngine =>
  new Proxy(engine, {
    get:
      (target, method) =>
      async (...args: unknown[]) =>
        Reflect.apply(Reflect.get(target, method), target, args),
  }) as unknown as RemoteEngine;

function card(outcome: Outcome): string {
  const { symbol, sign, shown, level, kind, between, ends, source } = describe(outcome, 6);
  const lines = ends.map((end) => `<span>${end}</span>`).join("");
  return `
    <p class="headline"><span class="symbol">${symbol}</span><span class="sign">${sign}</span><strong>${shown}</strong></p>
    <p class="level">${escapeMarkup(level)}</p>
    <p class="small"><span class="kind">${kind}</span>, ${between} <span class="ends">${lines}</span></p>
    <p class="small">${escapeMarkup(source)}</p>`;
}

function sentences(outcome: Outcome, posterior: Posterior) {
  const said = odds(posterior);
  return {
    oddsRight: said.right,
    oddsWrong: said.wrong,
    oddsEvent: eventSentence(said),
    likelihood: escapeMarkup(likelihoodSentence(outcome.epsilon, outcome.delta)),
  };
}

/** The kinds and their attributes, from the catalogue. */
const attributes = () =>
  SENTENCE_KINDS.map((kind) => {
    const entry = entryOf(kind);
    const parameters = fieldsOf(kind).map(attribute).join("<br>");
    const relations = entry.neighbours.map((one) => `<code>${one}</code>`).join(" ");
    const head = `<code>${kind}</code><small>${escapeMarkup(entry.title)}</small>`;
    return `<tr><th scope="row">${head}</th><td>${parameters}</td><td>${relations}</td></tr>`;
  }).join("\n");

function attribute({ key, entry }: Field): string {
  const value =
    entry.type === "reals"
      ? entry.default.join(", ")
      : entry.type === "choice"
        ? entry.default
        : format(entry.default);
  const words = `${entry.symbol && `${entry.symbol}, `}${entry.title}${optionsOf(entry)}`;
  return `<code>${key}="${value}"</code> ${escapeMarkup(words)}`;
}

const optionsOf = (entry: Field["entry"]) =>
  entry.type === "choice" ? ` (${entry.options.join(", ")})` : "";

/** The attributes by which another mechanism is put around it: what it is, at the first of them, and once. */
const around = () =>
  WRAPPER_KINDS.flatMap((kind) => {
    const ways = aroundOf(kind).ways.map(({ brief, option }) => {
      const relations = decidingOf(kind)?.[1].neighbours?.[option ?? ""] ?? [];
      return relations.length === 0 ? brief : `${brief} (${relations.join(", ")})`;
    });
    const fields = fieldsAround(kind);
    return fields.map(({ key, entry }, place) => {
      const [before, after] =
        place === 0 ? [`it runs ${ways.join(" or ")}: `, " If it is left out, there is none."] : ["", ""];
      const where = entry.when ? whenWords(entry) : place > 0 && `beside ${fields[0]?.key}`;
      const words = `${before}${entry.title}${optionsOf(entry)}${where ? ` (${where})` : ""}. ${entry.help}${after}`;
      return `<tr><th scope="row"><code>${key}</code></th><td>${escapeMarkup(words)}</td></tr>`;
    });
  }).join("\n");
