/**
 * Privacy of descriptions by a way of its own, in plain doubles: the outcomes of a pair are cut into cells. To be told
 * no more than the cell is a post-processing, so that cells are a bound from below; each cell replaced by its two ends
 * in loss, with the same mass under P and under Q, tells no less (Doroshenko et al. 2022), a bound from above.
 */

/** Of the larger error: what sums of doubles may cost here, with room; smaller δ are not asked. */
export const DOUBT = 1e-6;
const LEAST_DELTA = 1e-9;
/** Mass that is given up for what tells everything, or left out. */
const TAIL = 1e-15;
const CELLS = 300;
/** Larger losses, and more runs, have other ways. */
const LARGEST_LOSS = 40;
const MOST_RUNS = 64;

/** Normal upper tail: a series near 0, a continued fraction beyond. */
export function upperTail(x) {
  if (x < 0) return 1 - upperTail(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  if (x < 2.5) {
    let term = x;
    let sum = x;
    for (let n = 3; term > 1e-18 * sum; n += 2) {
      term *= (x * x) / n;
      sum += term;
    }
    return 0.5 - density * sum;
  }
  let fraction = 0;
  for (let n = 60; n > 0; n--) fraction = n / (x + fraction);
  return density / (x + fraction);
}
export const normalBetween = (from, to) =>
  from > 0 ? upperTail(from) - upperTail(to) : upperTail(-to) - upperTail(-from);

/** A mixture of unit normals: [[weight, mean], …]. */
const densityOf = (mixture, x) =>
  mixture.reduce((sum, [weight, mean]) => sum + weight * Math.exp(-((x - mean) ** 2) / 2), 0);
const massOf = (mixture, from, to) =>
  mixture.reduce((sum, [weight, mean]) => sum + weight * normalBetween(from - mean, to - mean), 0);

/** Cells of two mixtures on a fine grid of outcomes, by the ends of the loss on each where it is monotone. */
function normalPair(one, other) {
  const means = [...one, ...other].map(([, mean]) => mean);
  const from = Math.min(...means) - 8.3;
  const to = Math.max(...means) + 8.3;
  const count = 1500;
  const edge = (i) => from + ((to - from) * i) / count;
  const loss = (x) => Math.log(densityOf(one, x) / densityOf(other, x));
  const cells = [];
  let before = loss(from);
  for (let i = 0; i < count; i++) {
    const after = loss(edge(i + 1));
    const p = massOf(one, edge(i), edge(i + 1));
    const q = massOf(other, edge(i), edge(i + 1));
    cells.push({ p, q, low: Math.min(before, after), high: Math.max(before, after) });
    before = after;
  }
  return { cells, infinite: 2 * upperTail(8.3) * one.length };
}

/** Point masses by outcome, each {p, q}. */
function pointPair(points) {
  const cells = [];
  let infinite = 0;
  for (const { p, q } of points) {
    if (p > 0 && q > 0) cells.push({ p, q, low: Math.log(p / q), high: Math.log(p / q) });
    else if (p > 0) infinite += p;
  }
  return { cells, infinite };
}

/** Noise on whole numbers by its masses at −reach … reach, moved by `shift`. */
function latticePair(masses, shift) {
  const at = (i) => masses[i] ?? 0;
  return pointPair(Array.from({ length: masses.length + shift }, (_, i) => ({ p: at(i), q: at(i - shift) })));
}

/** Masses at −reach … reach that add up to 1. */
function masses(reach, logMass) {
  const raw = Array.from({ length: 2 * reach + 1 }, (_, i) => Math.exp(logMass(i - reach)));
  const total = raw.reduce((sum, one) => sum + one, 0);
  return raw.map((one) => one / total);
}

function convolved(one, other) {
  const result = new Float64Array(one.length + other.length - 1);
  one.forEach((p, i) => {
    other.forEach((q, j) => {
      result[i + j] += p * q;
    });
  });
  return [...result];
}

const discreteGaussian = (sigma) => masses(Math.ceil(12 * sigma) + 2, (x) => (-x * x) / (2 * sigma * sigma));

export const binomials = (n, p) => {
  const result = [(1 - p) ** n];
  for (let j = 1; j <= n; j++) result.push((result[j - 1] * (n - j + 1) * p) / (j * (1 - p)));
  return result;
};

/** What a sample of normal noise shows: P and Q, in the direction in which a record is there, and whether it is exact. */
const SAMPLED = {
  poisson({ rate }, mu, neighbours) {
    const mixed = (mean) => [
      [1 - rate, 0],
      [rate, mean],
    ];
    return neighbours === "replace" ? [mixed(mu), mixed(-mu)] : [mixed(mu), [[1, 0]]];
  },
  "without-replacement"({ rate }, mu, neighbours) {
    if (neighbours !== "add-remove") return undefined;
    return [
      [
        [1 - rate, 0],
        [rate, mu],
      ],
      [[1, 0]],
    ];
  },
  "with-replacement"({ draws, records }, mu, neighbours) {
    if (neighbours !== "add-remove" || draws > 40) return undefined;
    return [binomials(draws, 1 / records).map((weight, j) => [weight, j * mu]), [[1, 0]]];
  },
  "fixed-order": ({ epochs }, mu) => [[[1, mu * Math.sqrt(epochs)]], [[1, 0]]],
};

const LEAVES = {
  gaussian: ({ sigma, sensitivity }) => [normalPair([[1, sensitivity / sigma]], [[1, 0]])],
  gdp: ({ mu }) => [normalPair([[1, mu]], [[1, 0]])],
  "gaussian-mixture"({ sigma, sensitivities, probabilities }) {
    const mixture = probabilities
      .map((weight, i) => [weight, sensitivities[i] / sigma])
      .filter(([weight]) => weight > 0);
    return [normalPair(mixture, [[1, 0]]), normalPair([[1, 0]], mixture)];
  },
  "discrete-gaussian"({ sigma, sensitivity }) {
    return sigma > 200 || sensitivity > 200 ? [] : [latticePair(discreteGaussian(sigma), sensitivity)];
  },
  "discrete-laplace"({ scale, sensitivity }) {
    if (scale > 60 || sensitivity > 200) return [];
    return [
      latticePair(
        masses(Math.ceil(40 * scale) + 2, (x) => -Math.abs(x) / scale),
        sensitivity,
      ),
    ];
  },
  "distributed-discrete-gaussian"({ sigma, clients, sensitivity }) {
    if (sigma * clients > 100 || sensitivity > 200) return [];
    const one = discreteGaussian(sigma);
    let all = one;
    for (let i = 1; i < clients; i++) all = convolved(all, one);
    return [latticePair(all, sensitivity)];
  },
  skellam({ variance, sensitivity }) {
    if (variance > 400 || sensitivity > 200) return [];
    const poisson = [Math.exp(-variance / 2)];
    for (let i = 1; i < variance + 60 + 12 * Math.sqrt(variance); i++)
      poisson.push((poisson[i - 1] * variance) / 2 / i);
    return [latticePair(convolved(poisson, [...poisson].reverse()), sensitivity)];
  },
  "randomized-response"({ categories, epsilon, other }, neighbours) {
    if (categories > 1e4 || other === "uniform" || neighbours !== "replace") return [];
    const own = Math.exp(epsilon) / (Math.exp(epsilon) + categories - 1);
    const rest = (1 - own) / (categories - 1);
    const points = [
      { p: own, q: rest },
      { p: rest, q: own },
    ];
    if (categories > 2) points.push({ p: rest * (categories - 2), q: rest * (categories - 2) });
    return [pointPair(points)];
  },
  subsampled(description, neighbours) {
    const { of, sampling } = description;
    if (of.kind !== "gaussian" || !SAMPLED[sampling]) return [];
    const pair = SAMPLED[sampling](description, of.sensitivity / of.sigma, neighbours);
    return pair ? [normalPair(...pair), normalPair(pair[1], pair[0])] : [];
  },
};

/** The releases of a tree with how often each runs; undefined where one of them has no reference here. */
function releases(description, neighbours, count = 1) {
  const said = description.neighbours ?? neighbours;
  if (description.kind === "composition") {
    const parts = description.of.map(({ mechanism, count: own }) => releases(mechanism, said, count * own));
    return parts.includes(undefined) ? undefined : parts.flat();
  }
  const depends = ["subsampled", "randomized-response"].includes(description.kind);
  if (!LEAVES[description.kind] || (depends && !said) || count > MOST_RUNS) return undefined;
  const found = LEAVES[description.kind](description, said);
  return found.length > 0 ? [{ remove: found[0], add: found[1] ?? found[0], count }] : undefined;
}

/** What falls into each cell of a lattice of losses, under P and under Q: cell i is from (first + i) step on. */
class Cells {
  constructor(first, size) {
    this.first = first;
    this.p = new Float64Array(size);
    this.q = new Float64Array(size);
  }

  put(place, p, q) {
    this.p[place - this.first] += p;
    this.q[place - this.first] += q;
  }

  /** From above at points of the lattice, from below at the mean of each cell; without what hardly counts. */
  law(step, infinite, above) {
    const law = { place: [], loss: [], p: [], q: [], infinite };
    this.p.forEach((p, i) => {
      const q = this.q[i];
      if (p < 1e-19 && q < 1e-19) {
        if (above) law.infinite += p;
        return;
      }
      law.place.push(this.first + i);
      law.loss.push(above ? (this.first + i) * step : Math.log(p / q));
      law.p.push(p);
      law.q.push(q);
    });
    return law;
  }
}

/** One release on the lattice. */
function gathered({ cells: all, infinite }, step, above) {
  const cells = all.filter(({ p, q }) => p > 0 && q > 0);
  const places = cells.flatMap(({ low, high }) => [Math.floor(low / step), Math.ceil(high / step)]);
  const least = places.reduce((one, other) => Math.min(one, other)) - 1;
  const most = places.reduce((one, other) => Math.max(one, other)) + 1;
  const result = new Cells(least, most - least + 1);
  for (const { p, q, low, high } of cells) {
    if (!above) {
      result.put(Math.floor(Math.log(p / q) / step), p, q);
      continue;
    }
    const first = Math.floor(low / step + 1e-9);
    const last = Math.max(Math.ceil(high / step - 1e-9), first);
    const [far, near] = [Math.exp(-first * step), Math.exp(-last * step)];
    const share = first === last ? 1 : Math.min(1, Math.max(0, (q / p - near) / (far - near)));
    result.put(first, p * share, p * share * far);
    result.put(last, p * (1 - share), p * (1 - share) * near);
  }
  return result.law(step, above ? infinite + TAIL : 0, above);
}

function product(one, other, step, above) {
  const place = (i, j) =>
    above ? one.place[i] + other.place[j] : Math.floor((one.loss[i] + other.loss[j]) / step);
  const [lastOne, lastOther] = [one.p.length - 1, other.p.length - 1];
  const first = one.place[0] + other.place[0] - 2;
  const size = one.place[lastOne] + other.place[lastOther] + 5 - first;
  const cells = new Cells(first, size);
  for (let i = 0; i <= lastOne; i++)
    for (let j = 0; j <= lastOther; j++) cells.put(place(i, j), one.p[i] * other.p[j], one.q[i] * other.q[j]);
  return cells.law(step, one.infinite + other.infinite - one.infinite * other.infinite, above);
}

function power(one, count, step, above) {
  let result;
  let square = one;
  for (let left = count; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = result ? product(result, square, step, above) : square;
    if (left > 1) square = product(square, square, step, above);
  }
  return result;
}

/** All releases in one direction, as a function δ(ε). */
function profile(all, direction, step, above) {
  let whole;
  for (const release of all) {
    const several = power(gathered(release[direction], step, above), release.count, step, above);
    whole = whole ? product(whole, several, step, above) : several;
  }
  return (epsilon) =>
    whole.p.reduce((sum, p, i) => sum + Math.max(0, p - Math.exp(epsilon) * whole.q[i]), whole.infinite);
}

function solve(delta, target) {
  if (delta(0) <= target) return 0;
  let low = 0;
  let high = 1e3;
  if (delta(high) > target) return Number.POSITIVE_INFINITY;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (delta(middle) > target) low = middle;
    else high = middle;
  }
  return high;
}

/** {lower, upper} of ε(δ), or undefined where this way has no answer. */
export function reference(description, delta) {
  if (Array.isArray(description) || delta < LEAST_DELTA) return undefined;
  const all = releases(description);
  if (!all || all.length === 0 || all.reduce((sum, { count }) => sum + count, 0) > MOST_RUNS)
    return undefined;
  const reach = Math.hypot(
    ...all.map(({ remove, count }) => {
      const losses = remove.cells.filter(({ p }) => p > 1e-12).map(({ high }) => Math.abs(high));
      return Math.max(0, ...losses) * Math.sqrt(count);
    }),
  );
  if (!(reach > 1e-6 && reach < LARGEST_LOSS)) return undefined;
  const step = reach / CELLS;
  const ends = (above) =>
    Math.max(...["remove", "add"].map((direction) => solve(profile(all, direction, step, above), delta)));
  return { lower: ends(false), upper: ends(true) };
}
