"""What two published theorems say of the best of a geometric number of mu-GDP runs: rows of tests/core/comparison_test.cpp.

Liu and Talwar 2019, Theorem 3.4: runs that are (e, d)-private make the best of them private with epsilon 3 e + 3 sqrt(2 d) at
delta = T sqrt(2 d) + f, T = E K log(2 / f), for any f. The split of delta is found by a golden section in log f. Papernot and
Steinke 2022, Theorem 2, with the divergences a mu^2 / 2, is converted by Canonne, Kamath and Steinke 2020, Proposition 12, at
the best order, by a golden section as well. In 40 digits, of which 16 are printed:

    /usr/bin/python3 tests/reference/selection_claims.py
"""
from mpmath import erfc, exp, log, log1p, mp, mpf, nstr, sqrt

mp.dps = 40


def cdf(x):
    return erfc(-x / sqrt(mpf(2))) / 2


def run_delta(mu, e):
    return cdf(mu / 2 - e / mu) - exp(e) * cdf(-mu / 2 - e / mu)


def run_epsilon(mu, d):
    low, high = mpf(0), mpf(1)
    while run_delta(mu, high) > d:
        high *= 2
    for _ in range(140):
        middle = (low + high) / 2
        low, high = (middle, high) if run_delta(mu, middle) > d else (low, middle)
    return high


def least(f, low, high, steps=100):
    """Of a function with one minimum: its value there has twice as many digits as the argument."""
    ratio = (sqrt(mpf(5)) - 1) / 2
    low, high = mpf(low), mpf(high)
    for _ in range(steps):
        near, far = high - ratio * (high - low), low + ratio * (high - low)
        low, high = (low, far) if f(near) < f(far) else (near, high)
    return f((low + high) / 2)


def one_point(mu, runs, delta):
    def claimed(log_share):
        failure = delta * exp(log_share)
        root = (delta - failure) / (runs * log(2 / failure))
        return 3 * run_epsilon(mu, root**2 / 2) + 3 * root

    return least(claimed, -12, mpf("-0.01"))


def by_orders(mu, runs, delta):
    size = log(runs)
    # (1 - 1/a) a mu^2/2 + size/a is least where a^2 mu^2/2 = size.
    other = max(mpf(1), sqrt(2 * size) / mu)
    paid = 2 * ((other - 1) * mu**2 / 2 + size / other)

    def claimed(log_t):
        t = exp(log_t)
        return (1 + t) * mu**2 / 2 + paid + size / t - (log(delta) + t * log1p(1 / t) + log(1 + t)) / t

    return least(claimed, -6, 12)


if __name__ == "__main__":
    for mu in ("0.1", "0.3", "1"):
        for runs in (10, 600):
            for delta in ("1e-6", "1e-3"):
                # The doubles that the core is asked for.
                asked = mpf(float(mu)), mpf(runs), mpf(float(delta))
                values = ", ".join(nstr(f(*asked), 17) for f in (one_point, by_orders))
                print(f"{{{mu}, {runs}, {delta}, {values}}},")
