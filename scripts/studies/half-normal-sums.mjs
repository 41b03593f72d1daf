/** Sums of independent losses c + s|N|, as the source composes objective perturbation (Redberg 2023, Appendix C.4). */
import { upperTail } from "./special.mjs";

const CELLS = 3000;
/** Beyond so many standard deviations there is less mass than a double beside 1 can show. */
const REACH = 9;
const WIDTH = REACH / CELLS;

function convolved(p, q) {
  const sum = new Float64Array(p.length + q.length - 1);
  for (let i = 0; i < p.length; i++) for (let j = 0; j < q.length; j++) sum[i + j] += p[i] * q[j];
  return sum;
}

const one = Float64Array.from(
  { length: CELLS },
  (_, i) => 2 * (upperTail(i * WIDTH) - upperTail((i + 1) * WIDTH)),
);

const known = new Map([[1, one]]);

/** The masses of a sum of `count` absolute values in equal cells; by halves, so that few sums are long. */
function massesOfSum(count) {
  if (!known.has(count)) {
    const half = massesOfSum(count >> 1);
    const even = convolved(half, half);
    known.set(count, count % 2 === 0 ? even : convolved(even, one));
  }
  return known.get(count);
}

/**
 * δ(ε) of `count` losses c + s|N|: with masses in the middle of their cells, which errs with the square of their width,
 * and at either end, between which the truth lies.
 */
export function deltaOfHalfNormals(epsilon, { shift, constant, count }) {
  const masses = massesOfSum(count);
  const at = (place) =>
    masses.reduce((sum, mass, i) => {
      const loss = count * constant + shift * WIDTH * (i + count * place);
      return loss > epsilon ? sum - mass * Math.expm1(epsilon - loss) : sum;
    }, 0);
  return { lower: at(0), value: at(0.5), upper: at(1) };
}
