/** Five numbers of a list, and other short summaries. */

export function sorted(values) {
  return Float64Array.from(values).sort();
}

/** The value below which this share of the list lies. */
export function quantile(values, share) {
  const list = sorted(values);
  const place = share * (list.length - 1);
  const low = Math.floor(place);
  return list[low] + (place - low) * ((list[low + 1] ?? list[low]) - list[low]);
}

export const median = (values) => quantile(values, 0.5);
/** Least, first quartile, median, third quartile, most. */
export const five = (values) => [0, 0.25, 0.5, 0.75, 1].map((share) => quantile(values, share));
export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
/** The standard deviation of the law that these were drawn from, by as many draws. */
export function deviation(values) {
  const centre = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (values.length - 1));
}
export const most = (values) => values.reduce((top, value) => Math.max(top, value), Number.NEGATIVE_INFINITY);

export function correlation(a, b) {
  const [meanA, meanB] = [mean(a), mean(b)];
  const product = (p, q, mp, mq) => p.reduce((sum, value, i) => sum + (value - mp) * (q[i] - mq), 0);
  return product(a, b, meanA, meanB) / Math.sqrt(product(a, a, meanA, meanA) * product(b, b, meanB, meanB));
}
