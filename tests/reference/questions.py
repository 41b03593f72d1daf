#!/usr/bin/python3
"""Rewrites report/questions.ndjson: what can be asked about one record in numbers alone, by definition.

    /usr/bin/python3 tests/reference/questions.py

Pairs of normal laws: the set where the ratio of densities is above e^epsilon, found by the roots of its logarithm and the
sign between them, and the masses of both laws there. Posterior samples: the same of the two laws of the residual. Bounds in closed form:
the mean of (1 - e^(epsilon - bound))_+ over a normal deviate, by quadrature. Noise of a covariance, laws of outputs: systems
of equations solved by elimination. 40 digits, 25 of them printed.
"""
import json
import pathlib
import random
from mpmath import mp, mpf, matrix, lu_solve, exp, log, ncdf, npdf, nstr, sqrt, erfc, erfinv, quad, polyroots, inverse

mp.dps = 40
HERE = pathlib.Path(__file__).parent


def shown(value):
    return nstr(value, 25)


def above(z):
    return erfc(z / sqrt(mpf(2))) / 2


def mass(low, high, mean, deviation):
    a, b = (low - mean) / deviation, (high - mean) / deviation
    return above(a) - above(b) if a > 0 else above(-b) - above(-a)


def pair_delta(m1, s1, m2, s2, eps):
    """sup of P(E) - e^eps Q(E), P = N(m1, s1^2), Q = N(m2, s2^2)."""
    m1, s1, m2, s2, eps = (mpf(v) for v in (m1, s1, m2, s2, eps))
    a, b = 1 / s2**2 - 1 / s1**2, m1 / s1**2 - m2 / s2**2
    c = log(s2 / s1) - m1**2 / (2 * s1**2) + m2**2 / (2 * s2**2) - eps
    loss = lambda z: a / 2 * z**2 + b * z + c
    if a == 0:
        places = [-c / b] if b != 0 else []
    else:
        inside = b * b - 2 * a * c
        places = sorted([(-b - sqrt(inside)) / a, (-b + sqrt(inside)) / a]) if inside > 0 else []
    ends = [-mp.inf] + places + [mp.inf]
    total = mpf(0)
    for low, high in zip(ends, ends[1:]):
        middle = low + 1 if high == mp.inf and low != -mp.inf else high - 1 if low == -mp.inf and high != mp.inf else (
            mpf(0) if low == -mp.inf else (low + high) / 2)
        if loss(middle) > 0:
            total += mass(low, high, m1, s1) - exp(eps) * mass(low, high, m2, s2)
    return max(total, mpf(0))


def normal_pairs():
    for m1, s1, m2, s2, eps in ((0, 1, 1, 1, 0.5), (0, 2, 0, 1, 0.1), (1, 1.5, 0, 1, 1), (0, 1, 1, 1.5, 1), (2, 1, -2, 1.2, 3),
                                (0, 1, 0.5, 1.000001, 0.2), (3, 1e-3, 3.001, 1.1e-3, -0.4), (0, 1, 0, 3, -2), (-1, 2, 4, 0.5, 40),
                                (5, 1, 5, 1.25, 0.1), (0, 1.7, 0.2, 1.6, 6)):
        yield (dict(about="normal-pair", mean=m1, deviation=s1, otherMean=m2, otherDeviation=s2, epsilon=eps),
               dict(delta=shown(pair_delta(m1, s1, m2, s2, eps))))


def posterior_samples():
    for mu, r, eps, delta in ((0.5, 1, 0.7, 1e-6), (0.01, 10, 1, 1e-3), (1e-3, 0.5, 0.05, 1e-12), (1e-4, 1, 0, 1e-5), (5, 3, 10, 1e-4),
                              (0.05, 0, 1, 0.1), (1, 20, 30, 1e-8), (0.2, 2, -0.3, 1e-5)):
        m, big = mpf(mu), mpf(r)
        without, with_ = (big, sqrt(m)), (big / (1 + m), sqrt(m / (1 + m)))
        tail = log(2 / mpf(delta))
        add = abs(m * big**2 / (1 + m) - log(1 + m)) / 2 + m * tail + big * sqrt(2 * m * tail)
        remove = (log(1 + m) + m * big**2 / (1 + m)**2) / 2 + big / (1 + m) * sqrt(2 * m * tail / (1 + m))
        yield (dict(about="posterior-sample", leverage=mu, residual=r, epsilon=eps, delta=delta),
               dict(deltaAdd=shown(pair_delta(*without, *with_, eps)), deltaRemove=shown(pair_delta(*with_, *without, eps)),
                    tailAdd=shown(add), tailRemove=shown(remove)))


def bounded(bound, eps, knots):
    """The mean of (1 - e^(eps - bound(z)))_+."""
    return quad(lambda z: npdf(z) * max(mpf(0), 1 - exp(eps - bound(z))), knots)


def objectives():
    for big, beta, lam, sigma, eps, order in ((1, 1, 20, 5, 0.5, 2), (1, 1, 5, 10, 0.02, 8), (1, 0.25, 0.5, 1.5, 2, 32), (1, 2, 1, 1, 0, 10)):
        s, kappa = mpf(big) / mpf(sigma), mpf(beta) / mpf(lam)
        e, a = mpf(eps), mpf(order) - 1
        both = lambda z: s * s / 2 + s * abs(z)
        one = lambda z: log(1 + kappa) + s * s / 2 + s * max(z, mpf(0))
        place = lambda base: [-mp.inf, *sorted({-abs((e - base) / s), mpf(0), abs((e - base) / s)}), mp.inf]
        base = s * s / 2
        moment = lambda bound: log(quad(lambda z: npdf(z) * exp(a * bound(z)), [-mp.inf, -a * s, 0, a * s, 2 * a * s, mp.inf])) / a
        truth = dict(closedDeltaAdd=shown(bounded(both, e, place(base))),
                     closedDeltaRemove=shown(bounded(one, e, place(base + log(1 + kappa)))),
                     gaussianDelta=shown(above(e / s - s / 2) - exp(e) * above(e / s + s / 2)),
                     closedRenyiAdd=shown(moment(both)), closedRenyiRemove=shown(moment(one)),
                     gaussianRenyi=shown(mpf(order) * s * s / 2))
        if kappa < 1:
            paper = lambda z: -log(1 - kappa) + s * s / 2 + s * abs(z)
            truth.update(publishedDelta=shown(bounded(paper, e, place(base - log(1 - kappa)))), publishedRenyi=shown(moment(paper)))
        yield dict(about="objective", sigma=sigma, **{"lambda": lam}, lipschitz=big, smoothness=beta, epsilon=eps, order=order), truth


def square_matrix(chance, d):
    """Symmetric and positive definite."""
    a = [[round(chance.uniform(-1, 1), 3) for _ in range(d)] for _ in range(d)]
    return [[round(a[i][j] + a[j][i] + (4 * d if i == j else 0), 3) for j in range(d)] for i in range(d)]


def form(x, entries, y):
    return sum(mpf(a) * mpf(entries[i][j]) * mpf(b) for i, a in enumerate(x) for j, b in enumerate(y))


def noises(chance):
    for d in (1, 2, 5):
        entries = square_matrix(chance, d)
        moved, noise = ([round(chance.uniform(-2, 2), 4) for _ in range(d)] for _ in range(2))
        solved = lu_solve(matrix(entries), matrix(moved))
        yield (dict(about="normal-noise", moved=moved, covariance=entries),
               dict(distance=shown(sqrt(sum(mpf(v) * z for v, z in zip(moved, solved))))))
        square = form(moved, entries, moved)
        yield (dict(about="normal-noise", moved=moved, precision=entries, noise=noise),
               dict(distance=shown(sqrt(square)), realised=shown(square / 2 - form(moved, entries, noise))))
        sigma = 0.7
        plain = [v for row in entries for v in row]
        yield (dict(about="symmetric-noise", moved=entries, sigma=sigma),
               dict(distance=shown(sqrt(sum(mpf(v)**2 for v in plain) / 2) / mpf(sigma)), offDiagonalVariance=shown(mpf(sigma)**2),
                    diagonalVariance=shown(2 * mpf(sigma)**2), expectedSquare=shown(d * (d + 1) * mpf(sigma)**2)))


def normal_bounds():
    for s, delta in ((0.2, 1e-6), (0.1, 1e-3), (2, 1e-9)):
        z = sqrt(mpf(2)) * erfinv(1 - 2 * mpf(delta))
        truth = dict(tail=shown(mpf(s)**2 / 2 + mpf(s) * z), logarithm=shown(mpf(s)**2 / 2 + mpf(s) * sqrt(2 * log(1 / mpf(delta)))))
        textbook = mpf(s) * sqrt(2 * log(mpf(1.25) / mpf(delta)))
        if textbook <= 1:
            truth["textbook"] = shown(textbook)
        yield dict(about="normal-bounds", distance=s, delta=delta), truth


def ridge_laws(chance):
    for n, d, lam, sigma in ((3, 1, 1, 2), (4, 2, 0.5, 1), (5, 3, 1, 4), (0, 2, 2, 0.5)):
        rows = [[round(chance.uniform(-1, 1), 3) for _ in range(d)] for _ in range(n)]
        labels = [round(chance.uniform(-1, 1), 3) for _ in range(n)]
        h, v = matrix(d, d), matrix(d, 1)
        for i in range(d):
            h[i, i] = mpf(lam)
        for x, y in zip(rows, labels):
            for i in range(d):
                v[i] += mpf(x[i]) * mpf(y)
                for j in range(d):
                    h[i, j] += mpf(x[i]) * mpf(x[j])
        mean, inverted = lu_solve(h, v), inverse(h)
        for law, spread in (("sample", inverted), ("objective", inverted * inverted)):
            truth = dict(mean=[shown(one) for one in mean], covariance=[shown(mpf(sigma)**2 * spread[i, j]) for i in range(d) for j in range(d)])
            if law == "sample":
                truth["excess"] = shown(d * mpf(sigma)**2 / 2)
            yield dict(about="ridge-law", features=rows, labels=labels, dimension=d, law=law, sigma=sigma, **{"lambda": lam}), truth


def people():
    for losses, delta in (([0.1, 0.2, 0.3], 1e-5), ([0, 0, 0, 2], 0.0), ([0.01 * k for k in range(50)], 1e-3)):
        values = [mpf(v) for v in losses]
        mean = lambda f: sum(f(v) for v in values) / len(values)
        grown = mean(exp)
        yield (dict(about="people", losses=losses, delta=delta),
               dict(moments=[shown(mean(lambda v: v**k)) for k in (1, 2, 3, 4)], exponential=shown(grown),
                    squaredExponential=shown(mean(lambda v: exp(2 * v))),
                    generalisation=shown(min(mpf(1), grown**2 - 1 + mpf(delta) * (1 + grown)))))


def slopes():
    for loss, u, y, limit in (("logistic", -3.0, 1, 0.5), ("logistic", 2.0, 1, 0.5), ("squared", 2.5, -0.5, 1), ("squared", -0.25, 0.5, 2),
                              ("poisson", 1.5, 3, 2), ("poisson", 2.5, 3, 2)):
        u, y = mpf(u), mpf(y)
        first, second = {"logistic": lambda: (-y / (1 + exp(y * u)), exp(u) / (1 + exp(u))**2), "squared": lambda: (u - y, mpf(1)),
                         "poisson": lambda: (exp(u) - y, exp(u))}[loss]()
        clipped = abs(first) > limit
        yield (dict(about="slope", loss=loss, prediction=float(u), label=float(y), limit=limit),
               dict(first=shown(mpf(limit) * (1 if first > 0 else -1) if clipped else first), second=shown(mpf(0) if clipped else second)))


def minima_in_one_dimension():
    """P(the minimum <= theta): that of -b being at most the objective's gradient at theta."""
    for rows, labels, lam, sigma, theta in (([0.8, -0.5, 0.3], [1, -1, -1], 0.6, 1.7, 0.3), ([0.8, -0.5, 0.3], [1, -1, -1], 0.6, 1.7, -1.0),
                                            ([], [], 2.0, 4.0, 1.0), ([0.9] * 10, [1] * 10, 0.5, 1.0, 1.5)):
        gradient = mpf(lam) * mpf(theta) - sum(mpf(x) * y / (1 + exp(y * mpf(x) * mpf(theta))) for x, y in zip(rows, labels))
        yield (dict(about="objective-outcome", loss="logistic", features=[[x] for x in rows], labels=labels, record=[1], label=1,
                    direction="add", coefficients=[theta], sigma=sigma, **{"lambda": lam}),
               dict(atMost=shown(above(-gradient / mpf(sigma)))))


def main():
    chance = random.Random(20261123)
    kinds = (normal_pairs(), posterior_samples(), objectives(), noises(chance), normal_bounds(), ridge_laws(chance),
             people(), slopes(), minima_in_one_dimension())
    lines = [dict(question=question, truth=truth) for kind in kinds for question, truth in kind]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (HERE / "report" / "questions.ndjson").write_text(text)


main()
