/** Random values that a seed repeats, with the corners of ranges among them. */

/** mulberry32 by Tommy Ettinger (2017): 32 bits of state, which is enough to vary questions. */
export function dice(seed) {
  let state = seed >>> 0;
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (low, high) => low + (high - low) * share();
  const whole = (low, high) => Math.floor(between(low, high + 1));
  const logUniform = (low, high) => 10 ** between(Math.log10(low), Math.log10(high));
  return {
    share,
    between,
    whole,
    logUniform,
    chance: (probability) => share() < probability,
    pick: (list) => list[whole(0, list.length - 1)],
    /** At most that many different ones of a list, in any order. */
    some(list, count) {
      const left = [...list];
      return Array.from(
        { length: Math.min(count, left.length) },
        () => left.splice(whole(0, left.length - 1), 1)[0],
      );
    },
    /** One of the functions, each as likely as its weight says. */
    weighted(choices) {
      let left = share() * choices.reduce((sum, [weight]) => sum + weight, 0);
      for (const [weight, make] of choices) {
        left -= weight;
        if (left < 0) return make();
      }
      return choices.at(-1)[1]();
    },
  };
}

/** Below this a parameter that may be 0 is as good as 0, or as extreme as doubles can be. */
const SMALLEST = 1e-100;

const rounded = ({ type }, value) => (type === "integer" ? Math.round(value) : value);

/** A number of a closed range that is near its default, or near 1. */
export function nearDefault(random, parameter) {
  const near = parameter.default > 0 ? parameter.default : 1;
  const value = near * random.logUniform(1 / 30, 30);
  return rounded(parameter, Math.min(parameter.maximum, Math.max(parameter.minimum, value)));
}

/** A number of a closed range: near its default, of an ordinary size, anywhere, or an end. */
export function inRange(random, parameter) {
  const { minimum, maximum } = parameter;
  const least = Math.max(minimum, SMALLEST);
  const within = (value) => Math.min(maximum, Math.max(minimum, value));
  const value = random.weighted([
    [40, () => nearDefault(random, parameter)],
    [35, () => within(random.logUniform(Math.max(least, 1e-6), Math.max(least, Math.min(maximum, 1e6))))],
    [15, () => within(random.logUniform(least, maximum))],
    [5, () => minimum],
    [3, () => maximum],
  ]);
  return rounded(parameter, value);
}
