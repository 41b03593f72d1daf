/** Seeded random numbers for made-up tables and demonstrations: nothing private may come of them. */

/** Numbers in (0, 1): a counter through the finaliser of MurmurHash3, of which each seed has its own stream. */
export function stream(seed) {
  let counter = Math.imul(seed + 1, 0x9e3779b1);
  const word = () => {
    counter = (counter + 0x6d2b79f5) | 0;
    let mixed = Math.imul(counter ^ (counter >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return (mixed ^ (mixed >>> 16)) >>> 0;
  };
  const uniform = () => (word() + 0.5) / 2 ** 32;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  const normals = (count) => Float64Array.from({ length: count }, normal);
  return { uniform, normal, normals, poisson: (mean) => poisson(uniform, mean) };
}

function poisson(uniform, mean) {
  let [count, product] = [0, uniform()];
  for (const least = Math.exp(-mean); product > least; product *= uniform()) count++;
  return count;
}

/** A direction at random. */
export function direction(random, dimension) {
  const values = random.normals(dimension);
  const length = Math.hypot(...values);
  return values.map((value) => value / length);
}
