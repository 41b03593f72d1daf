#!/usr/bin/python3
"""Compositions of mechanisms whose losses are point masses, from the definition, in 50 digits: prints a table.

    /usr/bin/python3 tests/reference/atoms.py > tests/reference/composition-of-atoms.ndjson

Two ways, neither of which the core goes:
- `Listed`: every sequence of outcomes, gathered by how often each outcome occurs, with its probability under P and under Q;
- `Circle`: losses on the lattice o + n h. With M(z) = E e^{zL}, the part of P and Q beyond a level is a geometric series under
  the integral over a circle around the origin of the plane of e^{zh}; the trapezoidal rule is exact but for a remainder that is
  chosen below 1e-40. No law is transformed, no sum is rounded to anything.
"""
import itertools
import json
import math

from mpmath import mp, mpf, exp, expj, floor, log, sqrt, pi, factorial

mp.dps = 50


def decimal(value):
    return mp.nstr(value, 25, min_fixed=0, max_fixed=0) if value != 0 else "0"


# One release: a list of (P-mass, Q-mass) for the record present, and the same with P and Q exchanged.

def discrete_gaussian(sigma, sensitivity):
    sigma, reach = mpf(sigma), int(40 * mpf(sigma)) + int(sensitivity) + 2
    weight = lambda x: exp(-mpf(x) ** 2 / (2 * sigma ** 2))
    whole = sum(weight(x) for x in range(-reach, reach + 1))
    return [(weight(x) / whole, weight(x - sensitivity) / whole) for x in range(-reach, reach + sensitivity + 1)]


def discrete_laplace(scale, sensitivity):
    s = 1 / mpf(scale)
    middle = (1 - exp(-s)) / (1 + exp(-s))
    outcomes = [(middle * exp(-s * x), middle * exp(-s * (sensitivity - x))) for x in range(1, sensitivity)]
    near, far = 1 / (1 + exp(-s)), exp(-s * sensitivity) / (1 + exp(-s))
    return outcomes + [(near, far), (far, near)]


def randomized_response(epsilon, categories):
    e = exp(mpf(epsilon))
    whole = e + categories - 1
    return [(e / whole, 1 / whole), (1 / whole, e / whole)] + ([((categories - 2) / whole,) * 2] if categories > 2 else [])


def approximate(epsilon, delta):
    delta = mpf(delta)
    return [((1 - delta) * p, (1 - delta) * q) for p, q in randomized_response(epsilon, 2)] + [(delta, mpf(0)), (mpf(0), delta)]


def base_outcomes(mechanism):
    kind = mechanism["kind"]
    if kind == "discrete-gaussian":
        return discrete_gaussian(mechanism["sigma"], mechanism["sensitivity"])
    if kind == "discrete-laplace":
        return discrete_laplace(mechanism["scale"], mechanism["sensitivity"])
    if kind == "randomized-response":
        return randomized_response(mechanism["epsilon"], mechanism["categories"])
    if kind == "pure":
        return randomized_response(mechanism["epsilon"], 2)
    return approximate(mechanism["epsilon"], mechanism["delta"])


def directions(mechanism):
    """The outcomes in both directions."""
    if mechanism["kind"] != "subsampled":
        outcomes = base_outcomes(mechanism)
        return outcomes, [(q, p) for p, q in outcomes]
    rate, base = mpf(mechanism["rate"]), base_outcomes(mechanism["of"])
    if mechanism["sampling"] == "poisson":
        sampled = [(rate * p + (1 - rate) * q, q) for p, q in base]
        return sampled, [(q, p) for p, q in sampled]
    # Without replacement, for replacing: likelihood ratios above 1 as with the record, below 1 as without, the rest alike.
    above = [(rate * p + (1 - rate) * q, q) for p, q in base if p > q]
    below = [(q, p) for p, q in above]
    rest = 1 - sum(p for p, _ in above + below)
    return (above + below + [(rest, rest)],) * 2


class Listed:
    def __init__(self, parts, side):
        self.masses = [(mpf(1), mpf(1))]
        for mechanism, count in parts:
            outcomes = directions(mechanism)[side]
            sums = []
            for chosen in itertools.combinations_with_replacement(range(len(outcomes)), count):
                ways, p, q = factorial(count), mpf(1), mpf(1)
                for outcome, run in itertools.groupby(chosen):
                    times = len(list(run))
                    ways /= factorial(times)
                    p, q = p * outcomes[outcome][0] ** times, q * outcomes[outcome][1] ** times
                sums.append((ways * p, ways * q))
            self.masses = [(p * r, q * s) for p, q in self.masses for r, s in sums]
        ratio = lambda mass: -(mass[0] / mass[1]) if mass[1] > 0 else mpf("-inf")
        self.masses = sorted([mass for mass in self.masses if mass[0] > 0], key=ratio)

    def delta(self, epsilon):
        a = exp(mpf(epsilon))
        return sum((p - a * q for p, q in self.masses if p > a * q), mpf(0))

    def epsilon(self, delta):
        """(P(E) - delta) / Q(E) <= e^epsilon for every best test E."""
        x, y, best = mpf(0), mpf(0), mpf(0)
        for p, q in self.masses:
            x, y = x + q, y + p
            if y > delta:
                best = max(best, log((y - delta) / x)) if x > 0 else mp.inf
        return best

    def power(self, rate):
        x, y = mpf(0), mpf(0)
        for p, q in self.masses:
            if x + q > rate:
                return y + (rate - x) * p / q
            x, y = x + q, y + p
        return mpf(1)


class Circle:
    def __init__(self, parts, side, spacing):
        """`spacing` divides the spacings of all losses."""
        self.h, self.parts, self.origin = spacing, [], mpf(0)
        for mechanism, count in parts:
            finite = sorted((log(p / q), p) for p, q in directions(mechanism)[side] if p > 0 and q > 0)
            places = [(loss - finite[0][0]) / spacing for loss, _ in finite]
            assert all(abs(place - mp.nint(place)) < mpf(10) ** -25 for place in places)
            self.parts.append(([int(mp.nint(place)) for place in places], [p for _, p in finite], count))
            self.origin += count * finite[0][0]
        self.infinite = 1 - math.prod((sum(masses) ** count for _, masses, count in self.parts), start=mpf(1))
        self.lines = {}

    def cumulants(self, theta):
        """log E e^{theta L}, mean and variance under the tilt: heuristic, no guarantee."""
        value = mean = variance = 0.0
        for places, masses, count in self.parts:
            logs = [float(log(mass)) + theta * place * float(self.h) for place, mass in zip(places, masses)]
            top = max(logs)
            weights = [math.exp(one - top) for one in logs]
            total = sum(weights)
            at = sum(w * place for w, place in zip(weights, places)) / total
            square = sum(w * (place - at) ** 2 for w, place in zip(weights, places)) / total
            value += count * (top + math.log(total))
            mean, variance = mean + count * at, variance + count * square
        return value, mean * float(self.h) + float(self.origin), math.sqrt(variance) * float(self.h)

    def line(self, theta):
        """The distance of the nodes and M at them, as far as it matters."""
        if theta in self.lines:
            return self.lines[theta]
        spread = self.cumulants(theta)[2]
        nodes = int((60 * spread + 200 / theta) / float(self.h)) + 64
        values = []
        for j in range(nodes // 2 + 1):
            turn = 2 * pi * j / nodes
            u, value = exp(theta * self.h) * expj(turn), mp.mpc(1)
            for places, masses, count in self.parts:
                sum_, last = mp.mpc(0), None
                for place, mass in zip(reversed(places), reversed(masses)):
                    sum_ = sum_ * u ** (last - place) if last is not None else sum_
                    sum_, last = sum_ + mass, place
                value *= sum_ ** count
            values.append(value)
            if j > 8 and abs(value) < abs(values[0]) * mpf(10) ** -48:
                break
        self.lines[theta] = nodes, values
        return self.lines[theta]

    def beyond(self, level, theta):
        """The P-mass and the Q-mass of the losses above `level`, and the smallest of these losses."""
        first = floor((mpf(level) - self.origin) / self.h) + 1
        nodes, values = self.line(theta)
        p = q = mpf(0)
        for j, value in enumerate(values):
            weight = 1 if j == 0 or 2 * j == nodes else 2
            u = exp(theta * self.h) * expj(2 * pi * j / nodes)
            lower = u * exp(self.h)
            p += weight * (value * u ** -first / (1 - 1 / u)).real
            q += weight * (value * lower ** -first / (1 - 1 / lower)).real
        return p / nodes, q / nodes * exp(-self.origin), self.origin + first * self.h

    def tilt(self, level):
        """A tilt whose mean is about the level; any would do, but a small one needs many nodes."""
        low, high = 1 / self.cumulants(1e-3)[2], 1e4
        for _ in range(60):
            middle = math.sqrt(low * high)
            low, high = (low, middle) if self.cumulants(middle)[1] > level else (middle, high)
        return float(f"{high:.2g}")

    def delta(self, epsilon, theta=None):
        p, q, _ = self.beyond(epsilon, theta or self.tilt(float(epsilon)))
        return self.infinite + p - exp(mpf(epsilon)) * q

    def epsilon(self, delta):
        low, high = mpf(0), mpf(1)
        while self.delta(high) > delta:
            low, high = high, 2 * high
        theta = None
        while high - low > mpf(10) ** -9 * high:
            middle = (low + high) / 2
            if high - low < self.h * 4 or high - low < high / 100:
                theta = theta or self.tilt(float(middle))
            if self.delta(middle, theta) > delta:
                low = middle
            else:
                high = middle
        # Within a cell delta is linear in e^epsilon.
        p, q, above = self.beyond(low, theta)
        return log((p + self.infinite - delta) / q)

    def power(self, rate):
        """Between the corners of the best tests."""
        low, high, theta = mpf(-50), mpf(50), self.tilt(0.5)
        while high - low > self.h / 4:
            middle = (low + high) / 2
            low, high = (middle, high) if self.beyond(middle, theta)[1] > rate else (low, middle)
        p, q, above = self.beyond(high, theta)
        more_p, more_q, _ = self.beyond(high - self.h, theta)
        if q > rate:
            raise ArithmeticError("not between corners")
        return self.infinite + p + (rate - q) * (more_p - p) / (more_q - q)


def several(*parts):
    return [{"mechanism": mechanism, "count": count} for mechanism, count in parts]


def dg(sigma, sensitivity):
    return {"kind": "discrete-gaussian", "sigma": sigma, "sensitivity": sensitivity}


def dl(scale, sensitivity):
    return {"kind": "discrete-laplace", "scale": scale, "sensitivity": sensitivity}


def rr(epsilon, categories):
    return {"kind": "randomized-response", "epsilon": epsilon, "categories": categories}


def pure(epsilon):
    return {"kind": "pure", "epsilon": epsilon}


def ap(epsilon, delta):
    return {"kind": "approximate", "epsilon": epsilon, "delta": delta}


def sub(rate, of, sampling="poisson"):
    return {"kind": "subsampled", "sampling": sampling, "rate": rate, "of": of}


def wor(rate, of):
    return sub(rate, of, "without-replacement")


LISTED = [
    (several((rr(0.3, 5), 3), (dl(7.3, 3), 4)), [0, 0.31, 1.4], [1e-3, 1e-6, 1e-40], [1e-3, 0.4]),
    (several((sub(0.1, dl(3, 3)), 10)), [0, 0.2, 1.4, 2.9], [0.1, 1e-6, 1e-12], [1e-3]),
    (several((sub(0.1, pure(1000)), 2)), [0, 1, 990], [0.1, 0.05], [0.01]),
    (several((sub(0.1, dl(0.01, 10)), 2)), [0, 1, 990], [0.1, 0.05], [0.01]),
    (several((sub(0.1, dg(0.5, 30)), 2)), [0, 1, 900], [0.1, 0.005], [0.01]),
    (several((sub(0.3, ap(1, 0.1)), 4)), [0, 0.25, 1.1], [0.2], [0.01]),
    (several((rr(1.3, 4), 5), (pure(0.21), 3), (pure(0.4), 2)), [0, 3.1, 7.9], [1e-3, 1e-9], [1e-5]),
    (several((sub(0.03744, dg(0.3912, 50)), 2)), [0, 1, 5000], [0.01019220143332962, 0.001], [0.01]),
    (several((wor(0.2, dl(2, 2)), 6)), [0, 0.4], [1e-3, 1e-8], [0.1]),
    (several((wor(0.1, dg(0.5, 30)), 2)), [0, 1, 900], [0.1, 0.005], [0.01]),
    (several((dg(1, 1), 2), (dl(3, 2), 2)), [0, 2.2], [1e-6, 1e-60], [1e-6]),
    (several((sub(0.3, dg(0.7, 1)), 3)), [0, 1.1], [1e-6, 1e-30], [1e-6]),
]


def sampled_pair_spacing(rate, epsilon):
    r, e = mpf(rate), mpf(epsilon)
    return log((1 - r + r * exp(e)) / (1 - r + r * exp(-e)))


CIRCLE = [
    (several((dg(4, 1), 2)), 1 / mpf(16), [1.01], [1e-6], [1e-3]),
    (several((sub(0.01, pure(1)), 1000)), None, [0.3], [1e-6], [1e-3]),
    (several((rr(0.125, 10), 300), (ap(0.0625, 1e-9), 40)), 1 / mpf(16), [0.99], [1e-6], [1e-3]),
    (several((dl(32, 7), 500), (dl(16, 2), 100)), 1 / mpf(16), [20.03], [1e-60], []),
    (several((dg(3, 2), 50), (dg(6, 1), 50)), 1 / mpf(36), [7.77], [1e-100], []),
    (several((dg(20, 1), 1000)), 1 / mpf(400), [0, 5.0001], [1e-6], []),
]


def table(parts, ways, levels, deltas, rates):
    description = {"kind": "composition", "of": parts}
    # Of samples without replacement the product of pairs is no mechanism: a bound.
    bound = {"bound": "upper"} if any(part["mechanism"].get("sampling") == "without-replacement" for part in parts) else {}
    ask = lambda name, more, values: print(json.dumps({"ask": name, "description": description, **more, **bound, "truth": decimal(max(values))},
                                                     separators=(",", ":")), flush=True)
    for level in levels:
        ask("delta", {"epsilon": level}, [way.delta(mpf(level)) for way in ways])
    for delta in deltas:
        ask("epsilon", {"delta": delta}, [way.epsilon(mpf(delta)) for way in ways])
    for rate in rates:
        ask("tradeOff", {"falsePositives": [rate]}, [way.power(mpf(rate)) for way in ways])


def main():
    listed_of = lambda parts: [(part["mechanism"], part["count"]) for part in parts]
    for parts, *asked in LISTED:
        table(parts, [Listed(listed_of(parts), side) for side in (0, 1)], *asked)
    for parts, spacing, *asked in CIRCLE:
        sides = (0, 1) if spacing is None else (0,)
        # The two losses of a sampled pair are as far apart in both directions.
        step = spacing or sampled_pair_spacing(parts[0]["mechanism"]["rate"], parts[0]["mechanism"]["of"]["epsilon"])
        table(parts, [Circle(listed_of(parts), side, step) for side in sides], *asked)


if __name__ == "__main__":
    main()
