#!/usr/bin/python3
"""Rewrites report/realised.ndjson: what a release that has happened told about one record, by definition.

    /usr/bin/python3 tests/reference/realised.py

Objective perturbation: the output theta minimises J(theta) + b.theta with b ~ N(0, sigma^2 I), so b = -gradient of J,
and the output's density at theta is that of b there times |det Hessian of J|. Both tables' densities are written out in
full, with determinants by elimination, and their logarithms subtracted, at 60 digits. The Gaussian mechanism and a
posterior sample: the logarithms of both normal densities, likewise.
"""
import json
import pathlib
import random
from mpmath import mp, mpf, matrix, det, exp, log

from arithmetic import shown

mp.dps = 60
HERE = pathlib.Path(__file__).parent


def derivatives(loss, u, y, threshold):
    if loss == "logistic":
        wrong = 1 / (1 + exp(y * u))
        return -y * wrong, wrong * (1 - wrong)
    if loss == "poisson":
        return exp(u) - y, exp(u)
    rest = u - y
    if loss == "huber" and abs(rest) > threshold:
        return (threshold if rest > 0 else -threshold), mpf(0)
    return rest, mpf(1)


def dot(x, y):
    return sum((mpf(a) * mpf(b) for a, b in zip(x, y)), mpf(0))


def objective(loss, rows, labels, theta, lam, threshold):
    """Gradient and Hessian of the regularised sum."""
    d = len(theta)
    gradient = [mpf(lam) * t for t in theta]
    hessian = matrix(d, d)
    for i in range(d):
        hessian[i, i] = mpf(lam)
    for x, y in zip(rows, labels):
        first, second = derivatives(loss, dot(x, theta), mpf(y), mpf(threshold))
        for i in range(d):
            gradient[i] += first * mpf(x[i])
            for j in range(d):
                hessian[i, j] += second * mpf(x[i]) * mpf(x[j])
    return gradient, hessian


def log_density(loss, rows, labels, theta, lam, sigma, threshold):
    gradient, hessian = objective(loss, rows, labels, theta, lam, threshold)
    return -dot(gradient, gradient) / (2 * mpf(sigma) ** 2) + log(det(hessian))


def grid(value):
    """Features of few bits, which the core's records keep as they are."""
    return round(value * 2 ** 16) / 2 ** 16


def objective_lines(random):
    for loss in ["logistic", "squared", "huber", "poisson"]:
        for d in [1, 2, 3, 6]:
            for member in [True, False]:
                n, wide = random.choice([0, 1, 5, 20]), random.choice([1e-3, 0.5, 1, 3])
                if member:
                    n = max(n, 1)
                rows = [[grid(random.uniform(-1, 1) * wide) for _ in range(d)] for _ in range(n)]
                label = {"logistic": lambda: random.choice([-1, 1]), "poisson": lambda: random.randrange(5)}.get(
                    loss, lambda: round(random.uniform(-1, 1), 6))
                labels = [label() for _ in rows]
                theta = [round(random.gauss(0, 1), 6) for _ in range(d)]
                record, own = (rows[0], labels[0]) if member else ([grid(random.uniform(-1, 1)) for _ in range(d)],
                                                                   label())
                lam, sigma = random.choice([1e-3, 0.6, 10]), random.choice([0.3, 1.7, 20])
                other = (rows[1:], labels[1:]) if member else (rows + [record], labels + [own])
                truth = log_density(loss, rows, labels, theta, lam, sigma, 0.5) - log_density(
                    loss, *other, theta, lam, sigma, 0.5)
                yield {"ask": "objective", "loss": loss, "rows": rows, "labels": labels, "theta": theta,
                       "record": record, "label": own, "member": member, "lambda": lam, "sigma": sigma,
                       "threshold": 0.5, "truth": shown(truth)}


def log_normal(x, mean, variance):
    return -(x - mean) ** 2 / (2 * variance) - log(variance) / 2


def gaussian_lines(random):
    """`moved` and `noise`: the other table's mean and the output, as seen from the mean of the table that was used."""
    for d in [1, 2, 5]:
        for sigma in [1e-3, 0.5, 30]:
            moved, noise = ([round(random.uniform(-3, 3), 6) for _ in range(d)] for _ in range(2))
            variance = mpf(sigma) ** 2
            truth = sum(log_normal(mpf(o), mpf(0), variance) - log_normal(mpf(o), mpf(m), variance)
                        for o, m in zip(noise, moved))
            yield {"ask": "gaussian", "moved": moved, "noise": noise, "sigma": sigma, "truth": shown(truth)}


def posterior_lines(random):
    for leverage in [0, 1e-9, 0.01, 3, 200]:
        for residual in [0, 0.5, 40]:
            error = round(random.gauss(residual, 1), 6) if leverage > 0 else residual
            mu, r, e = mpf(leverage), mpf(residual), mpf(error)
            # Densities of e, without the record and with it; at leverage 0 both are the same point.
            truth = log_normal(e, r, mu) - log_normal(e, r / (1 + mu), mu / (1 + mu)) if mu > 0 else mpf(0)
            yield {"ask": "posterior", "leverage": leverage, "residual": residual, "error": error, "truth": shown(truth)}


def main():
    chance = random.Random(20261123)
    lines = list(objective_lines(chance))
    lines += gaussian_lines(chance)
    lines += posterior_lines(chance)
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (HERE / "report" / "realised.ndjson").write_text(text)


main()
