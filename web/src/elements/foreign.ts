/** Attributes that have a meaning of their own on every element, and so are no misspelling of ours. */

const GLOBAL = new Set(
  (
    "accesskey autocapitalize autocorrect autofocus class contenteditable dir draggable elementtiming enterkeyhint " +
    "exportparts hidden id inert inputmode is itemid itemprop itemref itemscope itemtype lang nonce part popover " +
    "role slot spellcheck style tabindex title translate virtualkeyboardpolicy writingsuggestions xmlns"
  ).split(" "),
);

/** Events, data, accessibility, and the prefixes by which common frameworks mark the elements that they look after. */
const FAMILY = /^(on[a-z]+$|(data|aria|ng|v|x|hx|s|c)-)/;

/** Ours are words of Latin letters with hyphens: whatever has another sign in it, such as `@click`, belongs to others. */
const OURS = /^[a-z][a-z0-9-]*$/i;

export const isForeign = (name: string): boolean => GLOBAL.has(name) || FAMILY.test(name) || !OURS.test(name);
