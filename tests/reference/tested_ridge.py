"""Errors of posterior samples that are adapted or tested: a second program for the study tested-ridge.

    python3 tested_ridge.py MEAN TABLES

Rows are normal around (MEAN, ..., MEAN) and brought to length 1: with MEAN 0 every direction is as likely, as
in the study; with MEAN 1 the smallest eigenvalue of the rows fitted is half as large. Plain doubles, and
nothing of the library: Redberg 2023, Algorithms 14 and 15, corrected.
"""
import math
import random
import sys

ROWS, FITTED, CHOSEN_BY, DIMENSION, DELTA = 6000, 3600, 4200, 10, 1e-6
LAMBDAS = [2.5 * 2.5 ** (9 * i / 29) for i in range(30)]
STOP, MOST_RUNS = 0.05 / 30, 60


def below(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def above(x):
    return math.erfc(x / math.sqrt(2)) / 2


def between(a, b):
    return above(a) - above(b) if a > 0 else below(b) - below(a)


def root(falling, low, high):
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if falling(middle) > 0 else (low, middle)
    return low


def quantile(p):
    return root(lambda x: above(x) - p, -10, 40)


def gaussian_mu(epsilon, delta):
    def left(mu):
        return delta - below(mu / 2 - epsilon / mu) + math.exp(epsilon) * below(-mu / 2 - epsilon / mu)
    return root(left, 1e-6, 50)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cholesky(matrix):
    lower = [[0.0] * DIMENSION for _ in range(DIMENSION)]
    for i in range(DIMENSION):
        for j in range(i + 1):
            rest = matrix[i][j] - dot(lower[i][:j], lower[j][:j])
            lower[i][j] = math.sqrt(rest) if i == j else rest / lower[j][j]
    return lower


def forwards(lower, b):
    x = []
    for i in range(DIMENSION):
        x.append((b[i] - dot(lower[i][:i], x)) / lower[i][i])
    return x


def backwards(lower, b):
    x = [0.0] * DIMENSION
    for i in reversed(range(DIMENSION)):
        x[i] = (b[i] - sum(lower[k][i] * x[k] for k in range(i + 1, DIMENSION))) / lower[i][i]
    return x


def smallest_eigenvalue(matrix):
    lower, v, length = cholesky(matrix), [1.0 + i for i in range(DIMENSION)], 1.0
    for _ in range(400):
        v = backwards(lower, forwards(lower, v))
        length = math.sqrt(dot(v, v))
        v = [x / length for x in v]
    return 1 / length


def roots(mu, s, level):
    """Where (mu z^2 - 2 s z + s^2 / (1 + mu) - log(1 + mu)) / 2 is at the level."""
    a, b, c = mu / 2, -s, s * s / (2 * (1 + mu)) - math.log1p(mu) / 2 - level
    square = b * b - 4 * a * c
    if square <= 0:
        return None
    q = -(b + math.copysign(math.sqrt(square), b)) / 2
    return sorted((q / a, c / q))


def sample_delta(gamma, lam, floor, residual, epsilon):
    """The larger of both directions, at the largest leverage: lengths and labels are at most 1."""
    mu = 1 / (lam + floor)
    found, s = 0.0, math.sqrt(gamma * mu) * residual
    at, m, q = roots(mu, s, epsilon), s / (1 + mu), math.sqrt(1 + mu)
    if at:
        found = below(at[0]) + above(at[1])
        found -= math.exp(epsilon) * (below((at[0] - m) * q) + above((at[1] - m) * q))
    h = min(1 / (lam + floor), 1 / (1 + lam))
    mu = h / (1 - h)
    s = math.sqrt(gamma * mu) * (1 + mu) * residual
    at, m, q = roots(mu, s, -epsilon), s / (1 + mu), math.sqrt(1 + mu)
    if at:
        with_it = between((at[0] - m) * q, (at[1] - m) * q)
        found = max(found, with_it - math.exp(epsilon) * between(*at))
    return max(found, 0.0)


def precision(lam, floor, residual, epsilon, delta):
    def left(log_gamma):
        return delta - sample_delta(math.exp(log_gamma), lam, floor, residual, epsilon)
    return math.exp(root(left, math.log(1e-12), 40)) if left(math.log(1e-12)) > 0 else 0


class Table:
    def __init__(self, rng, around):
        rows = []
        for _ in range(ROWS):
            x = [rng.gauss(0, 1) + around for _ in range(DIMENSION)]
            rows.append([v / math.sqrt(dot(x, x)) for v in x])
        truth = [rng.gauss(0, 1) for _ in range(DIMENSION)]
        truth = [v / math.sqrt(dot(truth, truth)) for v in truth]
        labels = [max(-1, min(1, dot(x, truth) + 0.1 * rng.gauss(0, 1))) for x in rows]
        ends = (0, FITTED, CHOSEN_BY, ROWS)
        self.parts = [self.sums(rows[a:b], labels[a:b]) for a, b in zip(ends, ends[1:])]
        gram, cross = self.parts[0][:2]
        self.eigenvalue = smallest_eigenvalue(gram)
        self.fits = []
        for lam in LAMBDAS:
            shifted = [[g + (lam if i == j else 0) for j, g in enumerate(row)] for i, row in enumerate(gram)]
            lower = cholesky(shifted)
            self.fits.append((lam, lower, backwards(lower, forwards(lower, cross))))

    @staticmethod
    def sums(rows, labels):
        columns = list(zip(*rows))
        gram = [[dot(a, b) for b in columns] for a in columns]
        return gram, [dot(a, labels) for a in columns], dot(labels, labels), len(labels)

    def error(self, part, model):
        gram, cross, square, count = self.parts[part]
        return (square - 2 * dot(cross, model) + dot(model, [dot(g, model) for g in gram])) / count


def statistics(epsilon, delta):
    return gaussian_mu(epsilon / 2, delta / 3) / math.sqrt(2), quantile(delta / 6)


def largest_residual(rng, fit, floor, mu, tail):
    unit = math.log1p(1 / (fit[0] + max(floor - 1, 0))) / mu
    log = math.log1p(math.sqrt(dot(fit[2], fit[2]))) + unit * (rng.gauss(0, 1) + tail)
    return math.exp(log) if log < 300 else math.inf


def sample(rng, fit, gamma):
    moved = backwards(fit[1], [rng.gauss(0, 1) for _ in range(DIMENSION)])
    return [a + b / math.sqrt(gamma) for a, b in zip(fit[2], moved)]


def adapted(rng, table, epsilon):
    """The regularisation with the least error to expect, where residuals are at most 2."""
    mu, tail = statistics(epsilon, DELTA)
    floor = max(0, table.eigenvalue + (rng.gauss(0, 1) - tail) / mu)
    best = None
    for fit in table.fits:
        gamma = precision(fit[0], floor, 2, epsilon / 2, DELTA / 3)
        if gamma > 0:
            expected = DIMENSION / (2 * gamma) + fit[0] ** 2 / (2 * (fit[0] + floor))
            best = min(best or (expected, fit), (expected, fit))
    if best is None:
        return table.error(2, [0] * DIMENSION)
    fit = best[1]
    residual = min(largest_residual(rng, fit, floor, mu, tail), 1 + math.sqrt(FITTED / fit[0]) / 2)
    gamma = precision(fit[0], floor, residual, epsilon / 2, DELTA / 3)
    return table.error(2, sample(rng, fit, gamma) if gamma > 0 else [0] * DIMENSION)


def selected(rng, table, epsilon):
    """The best of a geometric number of tested samples, each at a third of epsilon: paid for by profiles."""
    own, delta = epsilon / 3, DELTA * STOP
    mu, tail = statistics(own, delta)
    best = (math.inf, [0] * DIMENSION)
    for _ in range(min(MOST_RUNS, math.ceil(math.log(rng.random()) / math.log1p(-STOP)))):
        fit = rng.choice(table.fits)
        floor = max(0, table.eigenvalue + (rng.gauss(0, 1) - tail) / mu)
        residual = largest_residual(rng, fit, floor, mu, tail)
        gamma = precision(fit[0], floor, residual, own / 2, delta / 3) if residual < math.inf else 0
        if gamma > 0:
            model = sample(rng, fit, gamma)
            best = min(best, (table.error(1, model), model))
    return table.error(2, best[1])


def shown(values):
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1))
    return f"{mean:.4f} +- {spread / math.sqrt(len(values)):.4f}"


def main():
    around, count = float(sys.argv[1]), int(sys.argv[2])
    tables = [Table(random.Random(100 + i), around) for i in range(count)]
    print(f"smallest eigenvalue {tables[0].eigenvalue:.0f}")
    rng = random.Random(7)
    for epsilon in (0.5, 1, 2, 4, 8):
        found = [[method(rng, table, epsilon) for table in tables] for method in (adapted, selected)]
        print(f"epsilon {epsilon}: adapted {shown(found[0])}, selected {shown(found[1])}", flush=True)


main()
