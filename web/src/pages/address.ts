/**
 * The question in the address bar. One change is one entry of the history, so that Back is undo: the first
 * keystroke of an edit adds the entry, the following ones replace it until the edit is settled.
 */
import { type Decoded, decode, encode } from "../question/fragment.ts";
import type { Question } from "../question/question.ts";

export class Address {
  private current = location.hash;
  private editing = false;

  constructor(moved: (decoded: Decoded) => void) {
    const follow = () => {
      if (location.hash === this.current) return;
      this.current = location.hash;
      this.editing = false;
      moved(decode(location.hash));
    };
    addEventListener("popstate", follow);
    addEventListener("hashchange", follow);
  }

  read(): Decoded {
    return decode(location.hash);
  }

  write(question: Question, settled: boolean): void {
    const next = encode(question);
    if (next !== encode(decode(this.current).question)) {
      if (this.editing) history.replaceState(null, "", next);
      else history.pushState(null, "", next);
      this.current = location.hash;
      this.editing = true;
    }
    if (settled) this.editing = false;
  }

  link(question: Question): string {
    return new URL(encode(question), location.href).href;
  }
}
