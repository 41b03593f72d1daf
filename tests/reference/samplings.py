"""Truths about samples under every relation, and about draws with replacement, by mpmath alone: each pair is written
down as densities, and delta(epsilon) is the integral of P - e^epsilon Q where that is positive, between the zeros of the
difference. Writes samplings.ndjson.

    python3 tests/reference/samplings.py
"""
import json
import pathlib

from mpmath import binomial, exp, findroot, mp, mpf, ncdf, quad, sqrt

mp.dps = 40
GAUSSIAN = {"kind": "gaussian", "sigma": 1, "sensitivity": 1}
lines = []


def say(ask, description, key, at, truth):
    value = [at] if ask == "tradeOff" else at
    lines.append(json.dumps({"ask": ask, "description": description, key: value,
                             "truth": mp.nstr(truth, 25, min_fixed=1, max_fixed=0, strip_zeros=False)},
                            separators=(",", ":")))


def sampled(sampling, neighbours, of, **more):
    return {"kind": "subsampled", "sampling": sampling, **more, "of": of, "neighbours": neighbours}


def normal_tail(mixture, x):
    return sum(p * ncdf(s - x) for p, s in mixture)


def ratio(mixture, x):
    """Density over that of N(0, 1)."""
    return sum(p * exp(s * x - s * s / 2) for p, s in mixture)


def normal_delta(ahead, behind, epsilon, start):
    """Half-lines x > c, with c where the densities are in that ratio, found from above by halves."""
    a = exp(mpf(epsilon))
    difference = lambda x: ratio(ahead, x) - a * ratio(behind, x)
    low, high = mpf(start), mpf(start) + 60
    for _ in range(150):
        middle = (low + high) / 2
        low, high = (low, middle) if difference(middle) > 0 else (middle, high)
    return normal_tail(ahead, low) - a * normal_tail(behind, low)


def two(rate, shift):
    return [(1 - mpf(rate), mpf(0)), (mpf(rate), mpf(shift))]


def binomial_centres(draws, records, shift):
    p = 1 / mpf(records)
    return [(binomial(draws, j) * p**j * (1 - p) ** (draws - j), mpf(j * shift)) for j in range(draws + 1)]


def mirrored(mixture):
    return [(p, -s) for p, s in mixture]


ONE = [(mpf(1), mpf(0))]
ADDED = {**GAUSSIAN, "neighbours": "add-remove"}
for rate in (0.1, 0.01, 0.75):
    for epsilon in (0, 0.1, 1, 3):
        description = sampled("poisson", "replace", ADDED, rate=rate)
        say("delta", description, "epsilon", epsilon, normal_delta(two(rate, 1), two(rate, -1), epsilon, -20))
        wide = {**GAUSSIAN, "sensitivity": 2}
        both = [normal_delta(two(rate, 2), ONE, epsilon, -20), normal_delta(ONE, two(rate, -2), epsilon, -20)]
        say("delta", sampled("without-replacement", "add-remove", wide, rate=rate), "epsilon", epsilon, max(both))
        zeroed = [normal_delta(two(rate, 2), two(rate, 1), epsilon, 1.5), normal_delta(two(rate, 1), ONE, epsilon, -20)]
        say("delta", sampled("without-replacement", "zero-out", GAUSSIAN, rate=rate), "epsilon", epsilon, max(zeroed))

for draws, records in ((10, 1000), (50, 60)):
    centres = binomial_centres(draws, records, 2)
    for epsilon in (0.1, 1, 3):
        truth = max(normal_delta(centres, ONE, epsilon, -20), normal_delta(ONE, mirrored(centres), epsilon, -20))
        wide = {**GAUSSIAN, "sensitivity": 2}
        say("delta", sampled("with-replacement", "add-remove", wide, draws=draws, records=records), "epsilon", epsilon,
            truth)


def laplace_delta(rate, width, epsilon):
    """By integration over the line, cut at the centres and where the densities are in that ratio."""
    a, q, d = exp(mpf(epsilon)), mpf(rate), mpf(width)
    noise = lambda x: exp(-abs(x)) / 2
    gap = lambda x: (1 - q) * (1 - a) * noise(x) + q * noise(x - d) - a * q * noise(x + d)
    points = [-d, mpf(0), d]
    if gap(mpf(0)) * gap(d) < 0:
        points.append(findroot(gap, (mpf(0), d), solver="anderson"))
    ends = sorted(points)
    pieces = zip([ends[0] - 100] + ends, ends + [ends[-1] + 100])
    return sum(quad(gap, [x, y]) for x, y in pieces if gap((x + y) / 2) > 0)


for rate in (0.1, 0.6):
    for epsilon in (0, 0.05, 0.2):
        of = {"kind": "laplace", "scale": 1, "sensitivity": 1.5, "neighbours": "add-remove"}
        say("delta", sampled("poisson", "replace", of, rate=rate), "epsilon", epsilon, laplace_delta(rate, 1.5, epsilon))


def discrete_delta(noise, shift, rate, epsilon, reach, times=1):
    """A count with noise on the whole numbers, run once or twice: all outcomes."""
    a, q = exp(mpf(epsilon)), mpf(rate)
    pairs = [((1 - q) * noise(x) + q * noise(x - shift), (1 - q) * noise(x) + q * noise(x + shift))
             for x in range(-reach, reach + 1)]
    if times == 2:
        pairs = [(p * r, s * t) for p, s in pairs for r, t in pairs]
    return sum((p - a * s for p, s in pairs if p > a * s), mpf(0))


def discrete_laplace(scale):
    b = exp(-1 / mpf(scale))
    return lambda x: (1 - b) / (1 + b) * b ** abs(x)


def discrete_gaussian(sigma):
    weight = lambda x: exp(-mpf(x) ** 2 / (2 * mpf(sigma) ** 2))
    whole = sum(weight(x) for x in range(-60, 61))
    return lambda x: weight(x) / whole


COUNTS = ((discrete_laplace(2), 3, {"kind": "discrete-laplace", "scale": 2, "sensitivity": 3}, 220),
          (discrete_gaussian(2), 2, {"kind": "discrete-gaussian", "sigma": 2, "sensitivity": 2}, 40))
for noise, shift, of, reach in COUNTS:
    description = sampled("poisson", "replace", {**of, "neighbours": "add-remove"}, rate=0.2)
    for epsilon in (0, 0.1, 0.4):
        say("delta", description, "epsilon", epsilon, discrete_delta(noise, shift, 0.2, epsilon, reach))
    say("delta", {"kind": "composition", "of": [{"mechanism": description, "count": 2}]}, "epsilon", 0.3,
        discrete_delta(noise, shift, 0.2, 0.3, min(reach, 120), 2))


def private_delta(private, failure, rate, epsilon):
    """Of all that is (private, failure)-private: three laws on [0, 1] and an outcome of each of two."""
    a, q, e, f = exp(mpf(epsilon)), mpf(rate), exp(mpf(private)), mpf(failure)
    # The trade-off curve falls at e below s, at 1/e from there to 1 - f, and no more.
    s = (1 - f) / (1 + e)
    slope = lambda x: e if x < s else 1 / e if x < 1 - f else mpf(0)
    cuts = sorted({mpf(0), s, 1 - s, f, 1 - f, mpf(1)})
    total = q * f
    for x, y in zip(cuts, cuts[1:]):
        middle = (x + y) / 2
        p, r = 1 - q + q * slope(middle), 1 - q + q * slope(1 - middle)
        total += max(mpf(0), p - a * r) * (y - x)
    return total


for failure in (0, 0.001):
    of = {"kind": "approximate", "epsilon": 1, "delta": failure, "neighbours": "add-remove"}
    for epsilon in (0, 0.1, 0.25):
        say("delta", sampled("poisson", "replace", of, rate=0.2), "epsilon", epsilon,
            private_delta(1, failure, 0.2, epsilon))

for epochs in (3, 20):
    mu = sqrt(mpf(epochs))
    for epsilon in (1, 8):
        truth = ncdf(mu / 2 - epsilon / mu) - exp(mpf(epsilon)) * ncdf(-mu / 2 - epsilon / mu)
        say("delta", sampled("fixed-order", "zero-out", GAUSSIAN, epochs=epochs), "epsilon", epsilon, truth)

pathlib.Path(__file__).with_suffix(".ndjson").write_text("\n".join(lines) + "\n")
