import { define } from "../elements/define.ts";
import { VERSION } from "../version.ts";

/** A part that the page's own HTML has. */
export function find<E extends Element>(selector: string): E {
  const element = document.querySelector<E>(selector);
  if (!element) throw new Error(`the page has no ${selector}`);
  return element;
}

/** The same of an element that is defined here and now. */
export function part<E extends HTMLElement>(name: string, element: new () => E): E {
  define(name, element, VERSION);
  return find<E>(name);
}
