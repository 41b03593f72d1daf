/** The rows of a table that no model saw, and how wrong a model in the units of the table is about them. */

/** A cell without the blanks and the quotes around it. */
export const bare = (cell) => cell.trim().replace(/^"(.*)"$/, "$1");

/** Clamped as the person declared it; undefined where there is no value. */
function clamped([low, high], cell) {
  const value = cell === "" ? Number.NaN : Number(cell);
  return Number.isNaN(value) ? undefined : Math.min(high, Math.max(low, value));
}

/** A reader of rows: an object with a value for each declared column, and the label as a number. */
export function reader({ columns, label }, names) {
  const used = columns.filter(({ use }) => use !== "ignored");
  const cell = (row, { name }) => bare(row[names.indexOf(name)]);
  const value = (row, one) => (one.range ? clamped(one.range, cell(row, one)) : cell(row, one));
  return (row) => ({
    values: Object.fromEntries(used.map((one) => [one.name, value(row, one)])),
    label: label.levels ? label.levels.indexOf(cell(row, label)) : value(row, label),
  });
}

/** Every fifth row is held out. For plain CSV whose rows with gaps are dropped. */
export function split(text, table) {
  const [header, ...lines] = text.split(/\r?\n/).filter((line) => line !== "");
  const read = reader(table, header.split(",").map(bare));
  const rows = lines.map((line) => read(line.split(",")));
  const whole = ({ values, label }) => label >= 0 && !Object.values(values).includes(undefined);
  const held = (_, i) => i % 5 === 4;
  return {
    training: [header, ...lines.filter((line, i) => !held(line, i))].join("\n"),
    seen: rows.filter((row, i) => !held(row, i) && whole(row)),
    heldOut: rows.filter((row, i) => held(row, i) && whole(row)),
  };
}

function predicted({ intercept, terms }, { values }) {
  return terms.reduce((sum, { column, level, coefficient }) => {
    const value = values[column];
    return sum + coefficient * (level === undefined ? value : Number(value === level));
  }, intercept);
}

/** What the model says of a row that is shortened to the row norm of the table, as it was when the model was fitted. */
export function predictedShortened({ columns, rowNorm }, model, row) {
  const used = columns.filter(({ use }) => use !== "ignored");
  let [constant, square] = [model.intercept, 0];
  for (const { name, range } of used) {
    if (range) {
      const [low, high] = range;
      const { coefficient } = model.terms.find(({ column }) => column === name);
      constant += (coefficient * (low + high)) / 2;
      square += ((2 * row.values[name] - low - high) / (high - low)) ** 2;
    } else square += 1;
  }
  const shortened = Math.min(1, rowNorm / Math.sqrt(square / used.length));
  return constant + shortened * (predicted(model, row) - constant);
}

/** The share of wrong classes, or the mean squared error of predictions clamped to the label's range. */
export function meanError({ label: { range } }, model, rows, predict = predicted) {
  const errors = rows.map((row) => {
    const score = predict(model, row);
    return range ? (clamped(range, score) - row.label) ** 2 : Number(score > 0 !== row.label > 0);
  });
  return errors.reduce((sum, error) => sum + error, 0) / rows.length;
}

/** The same for the best answer that looks at no feature: the commoner class, or the mean label. */
export function constantError(table, seen, rows) {
  const mean = seen.reduce((sum, { label }) => sum + label, 0) / seen.length;
  return meanError(table, { intercept: table.label.range ? mean : mean - 0.5, terms: [] }, rows);
}
