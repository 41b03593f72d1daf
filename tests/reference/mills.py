#!/usr/bin/python3
"""Chebyshev tables for the core's normal-tail kernel, from a 50-digit computation.

    /usr/bin/python3 tests/reference/mills.py [--terms 26 30]

With m(x) = (1 - Phi(x))/phi(x) (Mills ratio) and D(x) = 1 - x m(x) = -m'(x), for x in [0, inf):

    (1+x)   m(x) = sum_n c[n] T_n((x - 4.5)/(x + 4.5))
    (1+x)^2 D(x) = sum_n c[n] T_n((x - 4.0)/(x + 4.0))

c[0] is the plain coefficient (it is *not* to be halved). The coefficients are those of the Chebyshev
expansion (discrete cosine sums over 400 nodes: aliasing is below 1e-35), truncated and rounded to double.
The errors printed are measured over a fine grid against the 50-digit values, with the *rounded*
coefficients: `mpmath` sums exactly (truncation and rounding of the coefficients only), `double` is a
Clenshaw recurrence in doubles (the transformation to t and the division by (1+x)^p included).
"""
import argparse
from mpmath import mp, mpf, cos, pi, sqrt, exp, erfc

mp.dps = 80  # 50 digits are left after the cancellation in D at x ~ 1e10


def mills(x):
    """(1-Phi(x))/phi(x) for x >= 0; by its continued fraction where erfc's exponent would be astronomical."""
    if x < 50:
        return sqrt(pi / 2) * exp(x * x / 2) * erfc(x / sqrt(mpf(2)))
    tail = x
    for n in range(120, 0, -1):
        tail = x + n / tail
    return 1 / tail


def scaled_mills(x):
    return (1 + x) * mills(x)


def scaled_derivative(x):
    return (1 + x) ** 2 * (1 - x * mills(x))


def chebyshev(function, centre, terms, nodes=400):
    angles = [pi * (2 * j + 1) / (2 * nodes) for j in range(nodes)]
    values = []
    for angle in angles:
        t = cos(angle)
        values.append(function(centre * (1 + t) / (1 - t)))
    return [(1 if n == 0 else 2) * sum(v * cos(n * a) for v, a in zip(values, angles)) / nodes for n in range(terms)]


def clenshaw(coefficients, t):
    after, last = 0 * t, 0 * t
    for c in reversed(coefficients[1:]):
        after, last = last, 2 * t * last - after + c
    return t * last - after + coefficients[0]


def measure(function, power, centre, rounded):
    """Largest relative errors over x: a fine grid in t and a logarithmic one in x."""
    grid = [centre * (1 + t) / (1 - t) for t in (-1 + 2 * (i + 0.37) / 3000 for i in range(3000))]
    grid += [0.0] + [10 ** (k / 20) for k in range(-400, 200)]
    worst_exact, worst_double = (0, 0), (0, 0)
    for x in grid:
        truth = function(mpf(x))
        exact = clenshaw([mpf(c) for c in rounded], (mpf(x) - centre) / (mpf(x) + centre))
        plain = clenshaw(rounded, (x - centre) / (x + centre)) / (1 + x) ** power
        worst_exact = max(worst_exact, (abs(exact / truth - 1), x))
        worst_double = max(worst_double, (abs(mpf(plain) * (1 + mpf(x)) ** power / truth - 1), x))
    return worst_exact, worst_double


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--terms", nargs=2, type=int, default=[26, 30])
    terms = arguments.parse_args().terms
    for name, function, power, centre, count in (
        ("millsSeries", scaled_mills, 1, 4.5, terms[0]),
        ("millsDerivativeSeries", scaled_derivative, 2, 4.0, terms[1]),
    ):
        full = chebyshev(function, mpf(centre), count + 6)
        rounded = [float(c) for c in full[:count]]
        exact, double = measure(function, power, centre, rounded)
        print(f"// {name}: t = (x - {centre}) / (x + {centre}), {count} terms")
        print(f"// largest relative error: {mp.nstr(exact[0], 3)} (coefficients as rounded, exact sum, at x = {exact[1]:.4g}); "
              f"{mp.nstr(double[0], 3)} (Clenshaw in doubles, at x = {double[1]:.4g})")
        print("// first coefficients left out: " + ", ".join(mp.nstr(c, 3) for c in full[count:]))
        print(f"constexpr double {name}[{count}] = {{")
        for c in rounded:
            print(f"    {c:.17g},")
        print("};\n")


if __name__ == "__main__":
    main()
