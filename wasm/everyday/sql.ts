/**
 * Writes the query by which a database computes the sums of which everyday numbers are made, on the grids of their noise, as
 * `rows.ts` and the core would. The answer is as private as the table.
 */
import type { EverydayGrid } from "../contract.ts";
import { Refusal } from "../engine/refusal.ts";
import type { CategoricalColumn, Ends, NumericColumn } from "../table/declaration.ts";
import { DIALECTS, type Dialect, type DialectName } from "../table/dialects.ts";
import { Expressions } from "../table/expressions.ts";
import { quotedNames, quotedTable, select, staged } from "../table/sql.ts";
import type { Cell } from "./cells.ts";
import type { EverydayEntry, EverydayRequest } from "./everyday-request.ts";
import { type AskedPart, partsOf, type Told } from "./parts.ts";
import { groupsIn, refuseUnsummed, summedIn, sumsFingerprint } from "./sums.ts";

/** As many as a query for a linear model has of 300 features. */
const MOST_SUMS = 45_150;

type Used = (NumericColumn | CategoricalColumn) & { readonly at: number };

/** The stages of the query. Columns: t text, v value, x number from -1 to 1, or whether there is a level, g group; u who is protected, r the place among the rows of one. */
class Stages {
  readonly #request: EverydayRequest;
  readonly #dialect: Dialect;
  readonly #say: Expressions;
  readonly #used: readonly Used[];

  constructor(request: EverydayRequest, dialect: Dialect, names: ReadonlySet<string>) {
    this.#request = request;
    this.#dialect = dialect;
    this.#say = new Expressions(request.table, dialect);
    this.#used = request.table.columns.flatMap((column, at) =>
      column.use !== "ignored" && names.has(column.name) ? [{ ...column, at }] : [],
    );
  }

  get #unit(): string | undefined {
    return this.#request.table.unit.column;
  }

  /** The columns that the query names, with the field of the request that named each. */
  get names(): readonly (readonly [field: string, name: string])[] {
    const used = this.#used.map(({ at, name }) => [`table.columns.${at}.name`, name] as const);
    return this.#unit === undefined ? used : [...used, ["table.unit.column", this.#unit]];
  }

  #from(before: string, items: readonly string[], condition = ""): string {
    // Rows are counted even where nothing of them is looked at.
    return select(items.length > 0 ? items : ["0 AS z"], `FROM ${before}${condition}`);
  }

  texts(table: string, quoted: ReadonlyMap<string, string>): string {
    const text = (name: string, alias: string) => `${this.#say.text(quoted.get(name) as string)} AS ${alias}`;
    const columns = this.#used.map(({ name, at }) => text(name, `t${at}`));
    return this.#from(
      `${table} AS t`,
      this.#unit === undefined ? columns : [...columns, text(this.#unit, "u")],
    );
  }

  values(before: string): string {
    const values = this.#used.map((one) => `${this.#say.value(`t${one.at}`, one)} AS v${one.at}`);
    return this.#from(before, this.#unit === undefined ? values : [...values, "u"]);
  }

  /** Which of a person's rows are kept must not depend on other people's: some at random. */
  kept(before: string): string {
    const values = this.#used.map(({ at }) => `v${at}`);
    if (this.#unit === undefined) return this.#from(before, values);
    const place = `row_number() OVER (PARTITION BY u ORDER BY ${this.#dialect.random}) AS r`;
    return this.#from(before, [...values, place], `\nWHERE ${this.#say.isSomebody("u")}`);
  }

  groups(before: string, told: readonly (readonly [entry: EverydayEntry, told: Told])[]): string {
    const units = this.#used.flatMap((one) =>
      one.use === "numeric" ? [`${this.#say.unit(`v${one.at}`, one.range as Ends)} AS x${one.at}`] : [],
    );
    const levels = told.flatMap(([, one]) =>
      this.#coordinates(one).flatMap(({ at, level, name }) =>
        level < 0
          ? []
          : [
              `CASE WHEN v${at} = ${level} THEN ${this.#say.double(1)} ELSE ${this.#say.double(0)} END AS ${name}`,
            ],
      ),
    );
    const groups = told.map((one, part) => `${this.#group(...one)} AS g${part}`);
    const limit = this.#unit === undefined ? "" : `\nWHERE r <= ${this.#request.table.unit.rows}`;
    return this.#from(before, [...units, ...levels, ...groups], limit);
  }

  /** The place of a row among the groups of a part, from 0; NULL where it counts in none. */
  #group(entry: EverydayEntry, told: Told): string {
    if (told.kind === "cells") {
      return told.divisions.reduce((before, { column, cells }) => {
        const cell = this.#cell(column, cells, entry.of === "bounds");
        return before === "0" ? cell : `(${before}) * ${cells.length} + ${cell}`;
      }, "0");
    }
    const group =
      told.kind === "groups" && entry.of === "groups" ? this.#cell(entry.by, told.keys, false) : "0";
    const places = new Set(this.#coordinates(told).map(({ at }) => at));
    const complete = [...places].map((at) => `v${at} IS NOT NULL`);
    return complete.length > 0 ? `CASE WHEN ${complete.join(" AND ")} THEN ${group} END` : group;
  }

  /** What is summed of a part: where its column stands, which of its levels it is (-1: a number), and what it is called. */
  #coordinates(told: Told) {
    const coordinates = told.kind === "moments" ? told.coordinates : "columns" in told ? told.columns : [];
    return coordinates.map((one) => {
      const used = this.#used.find(({ name }) => name === one.name) as Used;
      const level =
        "level" in one && used.use === "categorical" ? used.levels.indexOf(one.level as string) : -1;
      return { at: used.at, level, name: level < 0 ? `x${used.at}` : `x${used.at}_${level}` };
    });
  }

  /** `cellOf`. Powers of two include the end that is farther from 0. */
  #cell(column: string | undefined, cells: readonly Cell[], arePowers: boolean): string {
    const used = this.#used.find(({ name }) => name === column);
    if (!used) return "0";
    const [value, last] = [`v${used.at}`, cells.length - 1];
    if (used.use === "categorical")
      return `CASE WHEN ${value} IS NULL THEN ${last} WHEN ${value} < 0 THEN ${last - 1} ELSE ${value} END`;
    const bins = cells.filter(({ kind }) => kind === "bin") as readonly Required<Cell>[];
    const ends = [bins[0]?.from, bins.at(-1)?.to].map((end) => this.#say.double(end as number));
    const beyond = ` WHEN ${value} < ${ends[0]} OR ${value} > ${ends[1]} THEN ${last - 1}`;
    const before = bins.slice(0, -1).map(({ from, to }, i) => {
      const isClosed = arePowers && (to < 0 || from === 0) && to <= 0;
      return ` WHEN ${value} ${isClosed ? "<=" : "<"} ${this.#say.double(to)} THEN ${i}`;
    });
    return (
      `CASE WHEN ${value} IS NULL THEN ${last}${arePowers ? "" : beyond}${before.join("")}` +
      ` ELSE ${bins.length - 1} END`
    );
  }

  sums(
    before: string,
    parts: readonly { readonly asked: AskedPart; readonly told: Told }[],
    grids: readonly EverydayGrid[],
  ): string {
    const sums = parts.flatMap(({ asked, told }, part) => {
      const exponent = Math.round(Math.log2((grids[part] as EverydayGrid).step));
      const names = this.#coordinates(told).map(({ name }) => name);
      const steps = summedIn(asked).map((factors) => {
        const [one, other] = factors.map((i) => names[i]);
        const product = other === undefined ? `${one}` : `${one} * ${other}`;
        const weight = other === undefined || one === other ? "" : ` * ${this.#say.double(Math.SQRT2)}`;
        return this.#say.steps(`${product}${weight}`, exponent);
      });
      return Array.from({ length: groupsIn(asked) }, (_, group) =>
        ["1", ...steps].map((step) =>
          this.#dialect.exactSum(`CASE WHEN g${part} = ${group} THEN ${step} ELSE 0 END`),
        ),
      ).flat();
    });
    const declared = `'${sumsFingerprint(this.#request, grids)}' AS declared`;
    return select([declared, `${this.#dialect.list(sums)} AS sums`], `FROM ${before};`);
  }
}

/** The query for a request, on the grids of its plan. `table`: the parts of the table's name. */
export function everydayQuery(
  request: EverydayRequest,
  grids: readonly EverydayGrid[] | undefined,
  table: readonly string[],
  dialectName: DialectName,
): string {
  refuseUnsummed(request);
  const dialect = DIALECTS[dialectName];
  const { parts, told } = partsOf(request);
  const number = parts.reduce((sum, { asked }) => sum + groupsIn(asked) * (1 + summedIn(asked).length), 0);
  if (number > MOST_SUMS) {
    const rule = `a query is written for at most ${MOST_SUMS}`;
    throw new Refusal("range", "releases", `${number} sums`, rule, { shown: true });
  }
  const stages = new Stages(request, dialect, new Set(parts.flatMap(({ uses }) => uses)));
  const quoted = quotedNames(stages.names, dialect);
  const all = parts.map(({ asked }, part) => {
    const entry = told.findIndex((one) => one.part === part);
    return { asked, entry: request.releases[entry] as EverydayEntry, told: told[entry] as Told };
  });
  const before = {
    epsilometer_texts: stages.texts(quotedTable(table, dialect), quoted),
    epsilometer_values: stages.values("epsilometer_texts"),
    epsilometer_kept: stages.kept("epsilometer_values"),
    epsilometer_groups: stages.groups(
      "epsilometer_kept",
      all.map(({ entry, told }) => [entry, told] as const),
    ),
  };
  return staged(before, stages.sums("epsilometer_groups", all, grids as readonly EverydayGrid[]), dialect);
}
