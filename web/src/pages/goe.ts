/** The page about the largest eigenvalue: two texts and a choice, kept in the address, answered by the widget. */
import type { GoeQuantile } from "../epsilometer.ts";
import "../epsilometer.ts";
import type { Refusal } from "../../../wasm/engine/refusal.ts";
import { say } from "../elements/status.ts";
import { unspell } from "../question/fragment.ts";
import { refusalSentence } from "../words/sentences.ts";
import { find } from "./find.ts";
import { themeSwitch } from "./theme.ts";

const KEYS = ["dimension", "upper-tail", "normalisation"] as const;
type Key = (typeof KEYS)[number];

/** How the engine names what the address spells. */
const FIELDS: Readonly<Record<string, Key>> = {
  dimension: "dimension",
  upperTail: "upper-tail",
  normalisation: "normalisation",
};

const field = (key: Key) => find<HTMLInputElement | HTMLSelectElement>(`#field-${key}`);
const fault = (key: Key) => find<HTMLElement>(`#field-${key}-error`);
const card = find<GoeQuantile>("goe-quantile[layout=card]");

/** `#v1;dimension=50;upper-tail=1e-6;normalisation=one`; what is unknown is skipped. */
function fromAddress(): void {
  const [version, ...pairs] = location.hash.slice(1).split(";");
  for (const pair of version === "v1" ? pairs : []) {
    const key = KEYS.find((known) => pair.startsWith(`${known}=`));
    const text = key && unspell(pair.slice(key.length + 1));
    if (!key || !text) continue;
    const one = field(key);
    if (one instanceof HTMLInputElement || [...one.options].some(({ value }) => value === text))
      one.value = text;
  }
}

function ask(): void {
  for (const key of KEYS) card.setAttribute(key, field(key).value);
}

function toAddress(): void {
  const spelled = KEYS.map((key) => `${key}=${encodeURIComponent(field(key).value)}`);
  history.replaceState(null, "", `#v1;${spelled.join(";")}`);
}

function clear(): void {
  for (const key of KEYS) {
    fault(key).textContent = "";
    field(key).removeAttribute("aria-invalid");
  }
}

for (const key of KEYS) {
  field(key).addEventListener("input", () => {
    ask();
    toAddress();
  });
}
card.addEventListener("answer", clear);
card.addEventListener("refusal", (event) => {
  const { field: name, refusal } = (event as CustomEvent<{ field: string; refusal: Refusal }>).detail;
  clear();
  card.replaceChildren();
  const key = FIELDS[name];
  if (!key) return;
  const words = refusalSentence(refusal, key === "upper-tail" ? "tail" : key);
  fault(key).textContent = words;
  field(key).setAttribute("aria-invalid", "true");
  say(words);
});
addEventListener("hashchange", () => {
  fromAddress();
  ask();
});

themeSwitch(find<HTMLButtonElement>("#theme"));
fromAddress();
ask();
