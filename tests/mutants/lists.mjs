/** The lists of mutants: read, found in the sources, and written into a copy of them as switches. */
import { readdirSync, readFileSync } from "node:fs";

/**
 * A list says `file`, and below it mutants, a blank line between them: a name, `at` with the text that it changes between
 * « and », `to`, and `why` it matters. Runs of white space count as one.
 */
export function readLists(folder) {
  const names = readdirSync(folder).filter((name) => name.endsWith(".txt"));
  const all = names.sort().flatMap((name) => {
    let file;
    return readFileSync(`${folder}/${name}`, "utf8")
      .split(/\n\s*\n/)
      .flatMap((block) => {
        const lines = block.trim().split("\n");
        if (lines[0].startsWith("file ")) file = lines.shift().slice(5);
        if (lines.length === 0) return [];
        const [title, at, to, why, ...rest] = lines;
        const isWhole = at?.startsWith("at ") && to?.startsWith("to ") && why?.startsWith("why ");
        if (!isWhole || rest.length > 0) throw new Error(`${name}: not a mutant:\n${block}`);
        return [
          { room: name.slice(0, -4), name: title, file, at: at.slice(3), to: to.slice(3), why: why.slice(4) },
        ];
      });
  });
  const twice = all.filter(({ name }, i) => all.findIndex((other) => other.name === name) !== i);
  if (twice.length > 0) throw new Error(`the same name twice: ${twice.map(({ name }) => name).join(", ")}`);
  return all.map((mutant, number) => ({ ...mutant, number }));
}

const loosely = (text) =>
  text
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join("\\s+");

/** Where the text of a mutant lies in its source: found once, or it is an error. */
export function placeOf({ name, file, at }, source) {
  const [before, changed, after, ...rest] = at.split(/[«»]/);
  if (after === undefined || rest.length > 0) throw new Error(`${name}: one « and one » are needed`);
  const join = (left, right) => (/\s$/.test(left) || /^\s/.test(right) ? "\\s*" : "");
  const pattern = [
    loosely(before),
    join(before, changed),
    `(${loosely(changed)})`,
    join(changed, after),
    loosely(after),
  ];
  const found = [...source.matchAll(new RegExp(pattern.join(""), "dg"))];
  if (found.length !== 1) throw new Error(`${name}: found ${found.length} times in ${file}: ${at}`);
  const [start, end] = found[0].indices[1];
  return { start, end };
}

/** The source with a switch at every place; a place may lie within another one. */
export function switched(source, mutants) {
  const places = mutants.map((mutant) => ({ ...mutant, ...placeOf(mutant, source) }));
  const written = (start, end, inside) => {
    const outermost = inside.filter(
      (one) =>
        !inside.some(
          (other) =>
            other !== one && contains(other, one) && !(contains(one, other) && other.number > one.number),
        ),
    );
    let text = "";
    let done = start;
    for (const one of outermost.sort((a, b) => a.start - b.start)) {
      if (one.start < done) throw new Error(`${one.name} overlaps another mutant`);
      const within = inside.filter((other) => other !== one && contains(one, other));
      const original = written(one.start, one.end, within);
      text += `${source.slice(done, one.start)}(mutant(${one.number}) ? (${one.to}) : (${original}))`;
      done = one.end;
    }
    return text + source.slice(done, end);
  };
  return written(0, source.length, places);
}

const contains = (outer, inner) => outer.start <= inner.start && inner.end <= outer.end;
