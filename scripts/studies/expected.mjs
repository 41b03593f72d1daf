/** Numbers of random tables beside those that another program found of tables of its own, as texts and in deviations. */
import { halfUnit } from "./compared.mjs";
import { deviation, mean } from "./summary.mjs";

/** What is ours and, in brackets, what was expected, if anything was. */
export const beside = (ours, expected) =>
  expected === undefined ? ours : `${ours} (${expected.replace("-", "−")})`;

/**
 * How far what was expected of one table is from the mean of several of ours, in standard deviations between tables; besides half a
 * unit of its last digit.
 */
export function deviationsOff(values, expected) {
  const off = Math.max(0, Math.abs(mean(values) - Number(expected)) - halfUnit(expected));
  return off === 0 ? 0 : off / (deviation(values) * Math.sqrt(1 + 1 / values.length));
}

/** The same of several numbers of each table, by their names. */
export const eachOff = (names, tables, expected) =>
  names.map((name, i) => ({
    name,
    off: deviationsOff(
      tables.map((numbers) => numbers[i]),
      expected[i],
    ),
  }));

/** Which of these are not within three: each has a `name`, and how many deviations it is `off`. */
export function allBut(found) {
  const far = found.filter(({ off }) => off > 3);
  return far.length === 0
    ? "all"
    : `all but: ${far.map(({ name, off }) => `${name} (${off.toFixed(1)})`).join("; ")}`;
}
