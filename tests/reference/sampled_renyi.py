#!/usr/bin/python3
"""Rewrites renyi/sampled.ndjson: Renyi divergences of sampled mechanisms at the orders that accountants use by default.

    /usr/bin/python3 tests/reference/sampled_renyi.py

Opacus tabulates 1.1 to 10.9 by 0.1 and 12 to 63, TensorFlow Privacy 128 to 1024 besides. Whole orders of Poisson
sampling are exact sums, over j, of binomial(order, j) (1 - q)^(order - j) q^j times the base's own moment of order j:
normal noise has e^{j(j-1)/(2 sigma^2)} on the line and on the whole numbers, Laplace noise a sum of two exponentials.
Everything else is the integral of its definition, panel by panel (or the sum over outcomes), with 32 nodes each at 50 digits; the direction
without the record is computed as well and must not be the larger one.
"""
import json
import pathlib
from mpmath import mp, mpf, mpmathify, binomial, cos, exp, floor, log, log1p, expm1, nstr, pi, sqrt

mp.dps = 50
HERE = pathlib.Path(__file__).parent
SIDE = 15  # beyond so many deviations lies less than 1e-49
NODES = 32


def gauss_legendre(n):
    """Nodes and weights on [-1, 1], by Newton's method on the recurrence."""
    def value(x):
        before, now = mpf(1), x
        for k in range(2, n + 1):
            before, now = now, ((2 * k - 1) * x * now - (k - 1) * before) / k
        return now, n * (x * now - before) / (x * x - 1)
    rule = []
    for i in range(n):
        x = cos(pi * (i + mpf(3) / 4) / (n + mpf(1) / 2))
        for _ in range(8):
            now, slope = value(x)
            x -= now / slope
        slope = value(x)[1]
        rule.append((x, 2 / ((1 - x * x) * slope * slope)))
    return rule


RULE = gauss_legendre(NODES)


def panel(function, a, b):
    middle, half = (a + b) / 2, (b - a) / 2
    return half * sum(w * function(middle + half * x) for x, w in RULE)


def normal(sigma):
    mu = 1 / mpmathify(sigma)

    def integral(kernel, order, low):
        """Of kernel(l) over losses l > low under Q, in panels around 0 and on the way to order * mu."""
        start = -SIDE if low is None else mu / 2
        stop = order * mu + SIDE
        width = min(mpf(1), 1 / mu)
        total, x = mpf(0), mpf(start)
        while x < stop:
            total += panel(lambda y: exp(-y * y / 2) * kernel(mu * y - mu * mu / 2), x, x + width)
            x += width
        return total / sqrt(2 * pi)

    return integral, lambda j: exp(j * (j - 1) * mu * mu / 2)


def laplace(scale):
    e0 = 1 / mpmathify(scale)

    def integral(kernel, order, low):
        start = -e0 if low is None else mpf(0)
        panels = 2 + 2 * int(2 * e0) + int(min(order * e0, 200) / 2)
        step = (e0 - start) / panels
        inside = sum(panel(lambda l: exp(-l / 2) * kernel(l), start + i * step, start + (i + 1) * step) for i in range(panels))
        ends = (kernel(-e0) / 2 if low is None else 0) + exp(-e0) / 2 * kernel(e0)
        return inside * exp(-e0 / 2) / 4 + ends

    return integral, lambda j: (j * exp((j - 1) * e0) + (j - 1) * exp(-j * e0)) / (2 * j - 1)


def whole_normal(sigma, shift):
    variance = mpmathify(sigma) ** 2
    reach = int(SIDE * sigma) + 2
    whole = sum(exp(-k * k / (2 * variance)) for k in range(-reach, reach + 1))

    def integral(kernel, order, low):
        first = -reach if low is None else shift // 2 + 1
        places = range(first, int(order * shift) + reach)
        return sum(exp(-k * k / (2 * variance)) * kernel(shift * (2 * k - shift) / (2 * variance)) for k in map(mpf, places)) / whole

    return integral, lambda j: exp(j * (j - 1) * shift * shift / (2 * variance))


def response(categories, epsilon):
    up = exp(mpmathify(epsilon))
    bottom = 1 / (up + categories - 1)
    masses = [(log(up), bottom), (mpf(0), (categories - 2) * bottom), (-log(up), up * bottom)]
    integral = lambda kernel, order, low: sum(mass * kernel(l) for l, mass in masses if low is None or l > 0)
    return integral, lambda j: sum(mass * exp(j * l) for l, mass in masses)


BASES = {
    "gaussian": lambda d: normal(d["sigma"]),
    "laplace": lambda d: laplace(d["scale"]),
    "discrete-gaussian": lambda d: whole_normal(d["sigma"], d["sensitivity"]),
    "randomized-response": lambda d: response(d["categories"], d["epsilon"]),
}


def divergence(description, order):
    q, order = mpmathify(description["rate"]), mpmathify(order)
    integral, moment = BASES[description["of"]["kind"]](description["of"])
    t, ratio = order - 1, lambda l: 1 + q * expm1(l)
    if description["sampling"] == "without-replacement":
        return log1p(integral(lambda l: (ratio(l) ** t - 1) * (ratio(l) - ratio(l) ** -t), order, 0)) / t
    if order == floor(order):
        n = int(order)
        with_record = sum(binomial(n, j) * (1 - q) ** (n - j) * q ** j * (moment(mpf(j)) - 1) for j in range(2, n + 1))
    else:
        with_record = integral(lambda l: ratio(l) ** order - 1 - order * (ratio(l) - 1), order, None)
    if order < 12:
        without = integral(lambda l: ratio(l) ** -t - 1 + t * (ratio(l) - 1), 1, None)
        assert without <= with_record
    return log1p(with_record) / t


def sampled(rate, of, sampling="poisson"):
    return {"kind": "subsampled", "sampling": sampling, "rate": rate, "of": of}


def questions():
    gaussian = lambda sigma: {"kind": "gaussian", "sigma": sigma, "sensitivity": 1}
    tenths, teens = [1 + x / 10 for x in range(1, 100)], list(range(12, 64))
    powers, some = [128, 256, 512, 1024], [1.1, 1.5, 2, 2.7, 5.3, 8, 10.9]
    yield sampled(0.01, gaussian(1)), tenths + teens + powers
    for rate, sigma, more in ((1e-5, 5, [570, 580, 599.5, 600, 650, 700, 700.25]), (1e-4, 5, [480.5]), (1e-6, 3, [200, 250.75]), (1e-10, 2, [180, 192, 192.5]),
                              (0.5, 0.7, [3.3]), (0.001, 10, [900.5]), (0.1, 2, [30.5]), (0.999, 4, [77.7]), (1e-3, 0.25, [1.01]), (1e-8, 50, [4096, 10000])):
        yield sampled(rate, gaussian(sigma)), some + teens[::7] + powers + more
    for rate, sigma, more in ((0.01, 1, [64]), (1e-5, 5, [580, 599.5, 700]), (0.3, 0.8, [12]), (0.9, 3, [128])):
        yield sampled(rate, gaussian(sigma), "without-replacement"), some + teens[::13] + more
    for rate, scale in ((0.01, 1), (1e-4, 0.2), (0.6, 10)):
        for sampling in ("poisson", "without-replacement"):
            yield sampled(rate, {"kind": "laplace", "scale": scale, "sensitivity": 1}, sampling), some + [40, 128]
    for rate, sigma, shift in ((0.01, 1, 1), (1e-6, 3, 1), (0.2, 0.6, 2), (1e-5, 8.5, 3)):
        for sampling in ("poisson", "without-replacement"):
            yield sampled(rate, {"kind": "discrete-gaussian", "sigma": sigma, "sensitivity": shift}, sampling), some + [64, 200.5, 256]
    for rate, categories, epsilon in ((0.01, 2, 1), (1e-7, 1000, 14), (0.75, 5, 0.01)):
        for sampling in ("poisson", "without-replacement"):
            yield sampled(rate, {"kind": "randomized-response", "categories": categories, "epsilon": epsilon}, sampling), some + [64, 1024]


def main():
    lines = []
    for description, orders in questions():
        truths = [nstr(divergence(description, order), 25, strip_zeros=False, min_fixed=0, max_fixed=0) for order in sorted(set(orders))]
        lines.append(json.dumps({"description": description, "orders": sorted(set(orders)), "truths": truths}, separators=(",", ":")))
        print(lines[-1][:140], flush=True)
    (HERE / "renyi" / "sampled.ndjson").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
