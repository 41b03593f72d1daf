#!/usr/bin/python3
"""Rewrites release/accuracy_first.ndjson: noise reduction and its tests, by definition, at 30 digits.

    /usr/bin/python3 tests/reference/accuracy_first.py

`false-accept`: that one of so many values reaches a noisy threshold, as an integral of the threshold's density times
1 - F^values over the whole line, in pieces. `test-epsilon`: the epsilon, in units of sensitivity / tolerance, at which that
is the failure. `keep`: by the characteristic functions of discrete Laplace noise, as series over the integers: of noise of
`more` steps at u = 0.7 and 2.9 it is that of `less` steps times keep + (1 - keep) times its own. `radius`: the
largest norm of ridge coefficients by the largest s / (s^2 + lambda), and of logistic ones by Lambert's W.
"""
import json
import pathlib

from mpmath import cos, e, exp, expm1, findroot, lambertw, log, log1p, mp, mpf, quad, sinh, sqrt

from arithmetic import laplace_density, shown

mp.dps = 30
HERE = pathlib.Path(__file__).parent


def above(x, scale):
    return exp(-x / scale) / 2 if x > 0 else 1 - exp(x / scale) / 2


def false_accept(threshold, value, gap, values):
    threshold, value, gap = mpf(threshold), mpf(value), mpf(gap)

    def integrand(r):
        return laplace_density(r, threshold) * -expm1(values * log1p(-above(gap + r, value)))

    # Where the values' tail turns from certain to rare, and around both kinks.
    turn = value * log(values) - gap
    places = {-gap, mpf(0)} | {turn + k * value for k in range(-4, 7, 2)}
    ends = sorted(places)
    ends = [ends[0] - 20 * threshold] + ends + [ends[-1] + k * (threshold + value) for k in (3, 9, 27, 75)]
    left = laplace_density(ends[0], threshold) * threshold  # there values pass almost surely
    return quad(integrand, ends) + left


def test_epsilon(share, values, failure):
    share = mpf(share)

    def excess(k):
        return log(false_accept(1 / (share * k), 2 / ((1 - share) * k), mpf("0.5"), values) / mpf(failure))

    low, high = mpf(1), mpf(400)
    return findroot(excess, (low, high), solver="anderson", tol=mpf(10) ** -36)


def characteristic(steps, u):
    q = exp(-1 / mpf(steps))
    last = int(70 * steps) + 1  # q^last < 1e-30
    total = 1 + 2 * sum((q**k * cos(k * u) for k in range(1, last)), mpf(0))
    return total * (1 - q) / (1 + q)


def keep(less, more, u):
    a, b = characteristic(less, u), characteristic(more, u)
    return (b / a - b) / (1 - b)


def lines():
    for threshold, value, gap, values in (
        (0.5, 1, 1, 1), (0.25, 2, 3, 5), (2 / 69.45, 4 / 69.45, 0.5, 1000), (0.04, 0.08, 0.5, 100),
        (0.0126, 0.0253, 0.5, 1000), (1, 1, 40, 1000), (3, 1, 2, 20), (1, 3, 1e-3, 10),
    ):
        yield {"ask": "false-accept", "threshold": threshold, "value": value, "gap": gap, "values": values,
               "truth": shown(false_accept(threshold, value, gap, values))}
    for share, values, failure in ((0.5, 1000, 0.1), (0.25, 100, 0.05), (0.375, 1, 0.01)):
        yield {"ask": "test-epsilon", "share": share, "values": values, "failure": failure,
               "truth": shown(test_epsilon(share, values, failure))}
    for less, more in ((1, 1), (1, 2), (1, 5), (3, 7), (2, 40)):
        found = [keep(less, more, mpf(u)) if less != more else mpf(1) for u in ("0.7", "2.9")]
        assert abs(found[0] - found[1]) < mpf(10) ** -25
        assert abs(found[0] - (sinh(1 / mpf(2 * more)) / sinh(1 / mpf(2 * less))) ** 2) < mpf(10) ** -25
        yield {"ask": "keep", "less": less, "more": more, "truth": shown(found[0])}
    for rows, regularisation in ((100000, 500), (2000, 2000), (10000, 100)):
        mean = mpf(regularisation) / rows
        least = findroot(lambda s: (mean - s * s), sqrt(mean) * mpf("1.1"))
        yield {"ask": "radius", "rows": rows, "lambda": regularisation, "ridge": shown(least / (least**2 + mean)),
               "logistic": shown(sqrt(lambertw(1 / e).real / mean))}


(HERE / "release" / "accuracy_first.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines()))
