/**
 * δ of small cases by ways of its own, in plain doubles: sums over all patterns, tests between all places where two
 * densities cross, pairs of very tables. Each is a derived question and what its answer must meet.
 */
import { binomials, normalBetween, upperTail } from "./references.mjs";

/** Relatively, and of probabilities as they are: what such sums of doubles may cost, with room. */
const SHARE = 1e-7;
const LOST = 1e-13;

const density = (mixture, x) =>
  mixture.reduce((sum, [weight, mean]) => sum + weight * Math.exp(-((x - mean) ** 2) / 2), 0);

/** sup over tests of P − e^ε Q for mixtures of unit normals [[weight, mean], …]: all outcomes where P is larger. */
function mixturesDelta(p, q, epsilon) {
  const means = [...p, ...q].map(([, mean]) => mean);
  const from = Math.min(...means) - 12;
  const to = Math.max(...means) + 12;
  const gap = (x) => density(p, x) - Math.exp(epsilon) * density(q, x);
  const count = 4000;
  const edges = [-Infinity];
  let before = gap(from);
  for (let i = 1; i <= count; i++) {
    let low = from + ((to - from) * (i - 1)) / count;
    let high = from + ((to - from) * i) / count;
    const after = gap(high);
    if (before > 0 !== after > 0) {
      for (let turn = 0; turn < 60; turn++) {
        const middle = (low + high) / 2;
        if (gap(middle) > 0 === before > 0) low = middle;
        else high = middle;
      }
      edges.push(low);
    }
    before = after;
  }
  edges.push(Infinity);
  const mass = (all, low, high) =>
    all.reduce((sum, [weight, mean]) => sum + weight * normalBetween(low - mean, high - mean), 0);
  let sum = 0;
  for (let i = 1; i < edges.length; i++)
    sum += Math.max(0, mass(p, edges[i - 1], edges[i]) - Math.exp(epsilon) * mass(q, edges[i - 1], edges[i]));
  return sum;
}

const gaussianDelta = (mu, epsilon) =>
  mu > 0
    ? Math.max(0, upperTail(epsilon / mu - mu / 2) - Math.exp(epsilon) * upperTail(epsilon / mu + mu / 2))
    : 0;

/** The x of e^{far x − far²/2} + fy = ratio (e^{near x − near²/2} + ny). */
function crossings(far, near, ratio, fy, ny) {
  const a = Math.exp((-far * far) / 2);
  if (near === 0) return [(2 * ratio - fy) / a].filter((u) => u > 0).map((u) => Math.log(u) / far);
  const b = ratio * Math.exp((-near * near) / 2);
  const rest = fy - ratio * ny;
  const square = b * b - 4 * a * rest;
  if (square < 0) return [];
  // The larger one, and the other without cancellation.
  const large = (b + Math.sqrt(square)) / 2;
  return [rest / large, large / a].filter((u) => u > 0).map((u) => Math.log(u) / near);
}

/** By the rule of Takahasi and Mori (1974), which steep ends of an interval do not spoil. */
function integral(f, from, to) {
  const half = (to - from) / 2;
  let sum = 0;
  for (let t = -3.4; t <= 3.4; t += 0.04) {
    const reach = (Math.PI / 2) * Math.sinh(t);
    const at = from + half * (reach < 0 ? 2 / (1 + Math.exp(-2 * reach)) : 2 - 2 / (1 + Math.exp(2 * reach)));
    sum += (f(at) * (Math.PI / 2) * Math.cosh(t)) / Math.cosh(reach) ** 2;
  }
  return sum * 0.04 * half;
}

/**
 * Of two batches of one epoch, where a record moves one of them by `far`, and without it by `near`, half as much or 0: one
 * axis in closed form, the other between the places where the number of crossings changes.
 */
function twoBatchesDelta(far, near, epsilon, isRemoved) {
  const scale = Math.exp(epsilon);
  const ratio = isRemoved ? scale : 1 / scale;
  const density = (x, mean) => Math.exp(mean * x - (mean * mean) / 2);
  const along = (y) => {
    const [fy, ny] = [density(y, far), density(y, near)];
    const edges = [-Infinity, ...crossings(far, near, ratio, fy, ny), Infinity];
    let sum = 0;
    for (let j = 1; j < edges.length; j++) {
      const [low, high] = [edges[j - 1], edges[j]];
      const mass = (mean, own) =>
        (normalBetween(low - mean, high - mean) + own * normalBetween(low, high)) / 2;
      const [f, n] = [mass(far, fy), mass(near, ny)];
      sum += Math.max(0, isRemoved ? f - scale * n : n - scale * f) * Math.exp((-y * y) / 2);
    }
    return sum;
  };
  const changes =
    near === 0
      ? [Math.log(2 * ratio) / far + far / 2]
      : [
          Math.log(ratio) / (far - near) + (far + near) / 2,
          (Math.log((ratio * (1 + Math.SQRT2)) / 2) + (far * far - near * near) / 2) / near,
        ];
  const edges = [-9, -2, 2, far - 2, far + 2, far + 9, ...changes.filter((y) => y > -9 && y < far + 9)];
  edges.sort((one, other) => one - other);
  const parts = edges.slice(1).map((edge, i) => integral(along, edges[i], edge));
  return parts.reduce((sum, one) => sum + one, 0) / Math.sqrt(2 * Math.PI);
}

/** P(Bin(n, q) > B), from the largest number down. */
function moreThan(n, q, largest) {
  let sum = 0;
  let log = n * Math.log(q);
  for (let j = n; j > largest; j--) {
    sum += Math.exp(log);
    log += Math.log(j / (n - j + 1)) + Math.log1p(-q) - Math.log(q);
  }
  return sum;
}

/** Rows of C for few steps, as they are written down in the literature: each as a list of columns' entries. */
function rowsOf({ scheme, bandwidth, columns }, steps) {
  if (scheme === "tree") {
    let leaves = 1;
    while (leaves < steps) leaves *= 2;
    const rows = [];
    for (let size = 1; size <= leaves; size *= 2)
      for (let first = 0; first < leaves; first += size)
        rows.push(Array.from({ length: steps }, (_, i) => Number(i >= first && i < first + size)));
    return rows;
  }
  const root = [1];
  for (let j = 1; j < steps; j++) root.push((root[j - 1] * (2 * j - 1)) / (2 * j));
  const toeplitz = (column) =>
    Array.from({ length: steps }, (_, i) => Array.from({ length: steps }, (_, j) => column[i - j] ?? 0));
  if (scheme === "sqrt-toeplitz") return toeplitz(root);
  if (scheme === "banded") return toeplitz(root.slice(0, bandwidth));
  if (scheme === "columns") return toeplitz(columns);
  // Forward substitution in the band of (1 − x)^{1/2}.
  const band = root.map((one, j) => (j < bandwidth ? -one / (2 * j - 1) : 0));
  const inverse = [];
  for (let i = 0; i < steps; i++) {
    let rest = i === 0 ? 1 : 0;
    for (let j = 1; j <= i; j++) rest -= band[j] * inverse[i - j];
    inverse.push(rest / band[0]);
  }
  return toeplitz(inverse);
}

/** The largest |C p| over every pattern p of few steps. */
function largestNorm(description, steps, participations, separation) {
  const rows = rowsOf(description, steps);
  let largest = 0;
  for (let bits = 1; bits < 2 ** steps; bits++) {
    const taken = Array.from({ length: steps }, (_, i) => i).filter((i) => (bits >> i) & 1);
    const gaps = taken.slice(1).map((one, i) => one - taken[i]);
    const fits =
      description.schedule === "fixed-order"
        ? gaps.every((gap) => gap === separation)
        : gaps.every((gap) => gap >= separation);
    if (taken.length > participations || !fits) continue;
    const square = rows.reduce((sum, row) => sum + taken.reduce((one, i) => one + row[i], 0) ** 2, 0);
    largest = Math.max(largest, square);
  }
  return Math.sqrt(largest);
}

/** The best test between two neighbouring sizes of a group, over all sizes until it is named for certain. */
function partitionDelta({ epsilon, delta }, level) {
  const [up, down, a] = [Math.exp(epsilon), Math.exp(-epsilon), Math.exp(level)];
  let named = 0;
  // 1 − named, with all its digits.
  let rest = 1;
  let most = 0;
  for (let n = 0; n < 2e5; n++) {
    const isEarly = up * named + delta <= 1 - down * (rest - delta);
    const next = isEarly ? up * named + delta : 1 - down * (rest - delta);
    const left = Math.max(0, isEarly ? 1 - next : down * (rest - delta));
    most = Math.max(most, Math.min(1, next) - a * named, rest - a * left);
    if (left === 0) return most;
    named = next;
    rest = left;
  }
  return undefined;
}

const about = (description, changed) => ({ ...description, ...changed });
const shift = ({ of }) => of.sensitivity / of.sigma;
const isNormal = ({ of }, most) => of?.kind === "gaussian" && shift({ of }) > 1e-3 && shift({ of }) < most;

/** What a description's relation is where none is said. */
const relation = (description, otherwise) => description.neighbours ?? otherwise;

const SAMPLINGS = {
  shuffle(description, epsilon) {
    if (!isNormal(description, 8)) return undefined;
    const mu = shift(description);
    const isReplaced = relation(description, "zero-out") === "replace";
    const [far, near] = isReplaced ? [mu, 0] : [2 * mu, mu];
    const attained = Math.max(
      twoBatchesDelta(far, near, epsilon, true),
      twoBatchesDelta(far, near, epsilon, false),
    );
    return {
      description: about(description, { batches: 2, epochs: 1 }),
      // The lower end is a test of this pair; the upper one holds for all pairs.
      between: { pair: attained, least: attained, most: gaussianDelta(mu, epsilon) },
    };
  },
  "fixed-order"(description, epsilon) {
    const mu = shift(description) * Math.sqrt(description.epochs);
    if (!isNormal(description, 1e3) || mu > 1e3) return undefined;
    return { description, exact: gaussianDelta(mu, epsilon) };
  },
  "with-replacement"(description, epsilon) {
    if (!isNormal(description, 8)) return undefined;
    const [draws, records] = [Math.min(description.draws, 12), Math.min(description.records, 1000)];
    const weights = binomials(draws, 1 / records);
    const mu = shift(description);
    const moved = (by) => weights.map((weight, j) => [weight, j * by]);
    const own = relation(description, "add-remove");
    const both = (p, q) => Math.max(mixturesDelta(p, q, epsilon), mixturesDelta(q, p, epsilon));
    const changed = about(description, { draws, records });
    if (own === "add-remove") return { description: changed, exact: both(moved(mu), [[1, 0]]) };
    // The very tables: all others opposite to the record, and two opposite values of it among zeros.
    const pairs =
      own === "replace"
        ? [both(moved(mu), [[1, 0]]), both(moved(mu / 2), moved(-mu / 2))]
        : [both(moved(2 * mu), moved(mu)), both(moved(mu), [[1, 0]])];
    const joins = -Math.expm1(draws * Math.log1p(-1 / records));
    const level = Math.log1p(Math.expm1(epsilon) / joins);
    const apart = own === "replace" ? mu : 2 * mu;
    const above = weights
      .slice(1)
      .reduce((sum, weight, j) => sum + weight * gaussianDelta((j + 1) * apart, level), 0);
    const least = Math.max(...pairs);
    return { description: changed, between: { pair: least, least, most: Math.min(1, above) } };
  },
  /** One step: with the record a batch of normal noise about 1, and beside it how often it is too large. */
  "truncated-poisson"(description, epsilon) {
    if (!isNormal(description, 8)) return undefined;
    const records = Math.min(description.records, 40);
    const largestBatch = Math.min(description.largestBatch, 20);
    const rate = Math.min(description.rate, 0.9);
    const mu = shift(description);
    const changed = about(description, { records, largestBatch, rate, steps: 1 });
    const isReplaced = relation(description, "add-remove") === "replace";
    const drawn = (by) => [
      [1 - rate, 0],
      [rate, by],
    ];
    const [p, q] = [drawn(mu), isReplaced ? drawn(-mu) : [[1, 0]]];
    const whole = Math.max(mixturesDelta(p, q, epsilon), mixturesDelta(q, p, epsilon));
    // Beyond the mean nothing is said: the sum there is as good as 1.
    const cut = largestBatch > records * rate ? moreThan(records, rate, largestBatch) : 1;
    const most = Math.min(1, whole + (1 + Math.exp(epsilon)) * cut);
    // A table with every other record opposite: a full batch leaves out one of them, or the record.
    const isZeroed = relation(description, "add-remove") === "zero-out";
    const present = [];
    const absent = [];
    binomials(records - 1, rate).forEach((weight, others) => {
      const kept = Math.min(others, largestBatch);
      const stays = rate * Math.min(1, largestBatch / (others + 1));
      const beside = others < largestBatch ? kept : kept - 1;
      present.push([weight * (1 - stays), mu * kept], [weight * stays, mu * (beside - 1)]);
      absent.push([weight * (1 - stays), mu * kept], [weight * stays, mu * (isZeroed ? beside : kept)]);
    });
    const opposite = isReplaced
      ? 0
      : Math.max(mixturesDelta(present, absent, epsilon), mixturesDelta(absent, present, epsilon));
    return { description: changed, between: { pair: whole, least: Math.max(whole, opposite), most } };
  },
};

const KINDS = {
  matrix(description, epsilon) {
    const steps = 1 + (description.steps % 10);
    const participations = 1 + (description.participations % 4);
    const separation = 1 + (description.separation % 4);
    const bandwidth = description.bandwidth && 1 + (description.bandwidth % 5);
    const { sigma, sensitivity } = description;
    const changed = about(description, {
      steps,
      participations,
      separation,
      ...(bandwidth && { bandwidth }),
    });
    const mu = (largestNorm(changed, steps, participations, separation) * sensitivity) / sigma;
    return mu < 1e3 && mu > 1e-6 ? { description: changed, exact: gaussianDelta(mu, epsilon) } : undefined;
  },
  "gaussian-mixture"(description, epsilon) {
    const { sigma, sensitivities, probabilities } = description;
    const shifted = probabilities.map((weight, i) => [weight, sensitivities[i] / sigma]);
    if (!shifted.every(([, mean]) => mean < 100)) return undefined;
    const exact = Math.max(
      mixturesDelta(shifted, [[1, 0]], epsilon),
      mixturesDelta([[1, 0]], shifted, epsilon),
    );
    return { description, exact };
  },
  "partition-selection"(description, epsilon) {
    const exact = partitionDelta(description, epsilon);
    return exact === undefined ? undefined : { description, exact };
  },
  subsampled: (description, epsilon) => SAMPLINGS[description.sampling]?.(description, epsilon),
};

/**
 * A description to ask δ of at that ε, and either its value, `exact`, or what both ends are `between`: a pair of tables
 * that the lower one may not exceed, the least and the most that the upper one may be.
 */
export const ownValue = (description, epsilon) =>
  epsilon < 30 ? KINDS[description.kind]?.(description, epsilon) : undefined;

/** Whether the answer meets it. */
export function meetsOwnValue({ lower, upper }, { exact, between }) {
  const doubt = (value) => SHARE * value + LOST;
  if (exact !== undefined) return lower <= exact + doubt(exact) && exact <= upper + doubt(exact);
  const { pair, least, most } = between;
  return lower <= pair + doubt(pair) && least <= upper + doubt(least) && upper <= most + doubt(most);
}
