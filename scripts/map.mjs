/** The map of the README against the tree: every room is on it, and whatever is on it exists. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

/** The rows of the map: a folder, and the names in code that its row says are in it. */
function rows() {
  const lines = readFileSync(join(root, "README.md"), "utf8").split("\n");
  return lines
    .map((line) => /^\| `(\w+)\/` \|(.+)\|$/.exec(line))
    .filter((found) => found !== null)
    .map(([, folder, words]) => ({
      folder,
      named: [...words.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    }));
}

const foldersIn = (folder) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("__"))
    .map(({ name }) => name);

export function mapFaults() {
  const map = rows();
  if (map.length === 0) return ["README.md: there is no map of rooms"];
  return map.flatMap(({ folder, named }) => {
    if (!existsSync(join(root, folder))) return [`README.md: there is no folder ${folder}/`];
    // Where a row names nothing, it tells of its folder in words.
    if (named.length === 0) return [];
    const known = named.map((name) => name.replace(/\/$/, ""));
    const missing = foldersIn(folder).filter((name) => !known.includes(name));
    const gone = known.filter(
      (name) => !existsSync(join(root, folder, name)) && !existsSync(join(root, name)),
    );
    return [
      ...missing.map((name) => `README.md: ${folder}/${name} is not on the map`),
      ...gone.map((name) => `README.md: ${folder}/ has no ${name}`),
    ];
  });
}
