"""delta of one epoch of balls and bins, printed as rows of `tests/core/random_allocation_test.cpp`.

With Z = (Y_1 + ... + Y_t) / t, ln Y ~ N(-mu^2/2, mu^2) under Q, and one of them ~ N(mu^2/2, mu^2) under P,
    delta_remove(e) = E_P (1 - w / Z)_+,  delta_add(e) = E_Q (1 - w Z)_+,  w = e^e.
For t = 2 these are integrals over one normal variable, by mpmath's quad: the other one in closed form."""
from mpmath import mp, mpf, exp, log, sqrt, pi, erfc, quad, linspace, nstr

mp.dps = 25


def below(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def density(x):
    return exp(-x * x / 2) / sqrt(2 * pi)


def excess(mu, level):
    """E (Y - level)_+ under Q."""
    if level <= 0:
        return 1 - level
    x = (log(level) + mu * mu / 2) / mu
    return below(mu - x) - level * below(-x)


def lacking(mu, level):
    """E (level - Y)_+ under Q."""
    if level <= 0:
        return mpf(0)
    x = (log(level) + mu * mu / 2) / mu
    return level * below(x) - below(x - mu)


def two(mu, e, remove):
    mu, w = mpf(mu), exp(mpf(e))
    ratio = lambda x: exp(mu * x - mu * mu / 2)
    level = 2 * w if remove else 2 / w
    kink = (log(level) + mu * mu / 2) / mu
    inner = (lambda x: excess(mu, level - ratio(x)) / 2) if remove else (lambda x: w * lacking(mu, level - ratio(x)) / 2)
    points = sorted([mpf(-12), kink, mu + 12] + linspace(-11, mu + 11, 24 + int(8 * mu)))
    return quad(lambda x: density(x) * inner(x), points)


if __name__ == "__main__":
    cases = [(0.01, (0.001, 0.02)), (0.5, (0.25, 1.0, 2.0)), (1.0, (0.25, 1.0, 2.0))]
    cases += [(2.0, (1.0, 6.0)), (4.0, (8.0, 25.0)), (8.0, (40.0, 80.0)), (12.0, (70.0, 160.0))]
    for mu, levels in cases:
        for e in levels:
            found = max(two(mu, e, True), two(mu, e, False))
            print(f"    {{{mu}, 2, {e}, {nstr(found, 17)}}},")
