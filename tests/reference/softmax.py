#!/usr/bin/python3
"""Writes release/softmax.ndjson: derivatives of the multinomial logistic loss, and noisy Newton steps of several classes
without their noise, in 300 digits:

    /usr/bin/python3 tests/reference/softmax.py

`ask: derivative`: softmax(u) - e_y. `ask: steps`: the coefficients {d, K} after whitening by the exact Gram matrix, its
eigenvalues raised by half the edge of the noise that was left out.
"""
import json
import pathlib
import random
from mpmath import diag, exp, eigsy, matrix, mp, mpf, nstr, sqrt

mp.dps = 300


def softmax(u):
    largest = max(u)
    weights = [exp(one - largest) for one in u]
    return [one / sum(weights) for one in weights]


def derivative(u, label):
    return [p - (k == label) for k, p in enumerate(softmax(u))]


def derivatives():
    for u in ([0, 0, 0], [1, -2, 0.5, 3], [40, 0, -40], [-300, 300, 1e-3], [1e8, 1e8 - 1, 1e8 - 30]):
        for label in range(len(u)):
            found = derivative([mpf(one) for one in u], label)
            yield json.dumps({"ask": "derivative", "u": u, "label": label, "truth": [nstr(one, 20) for one in found]})


def clip(row, bound):
    length = sqrt(sum(one * one for one in row))
    return [one * min(1, bound / length) for one in row]


def steps(rows, labels, classes, sigma, count, share):
    """Each row's last feature is 1; the others are at most 1 long."""
    d, longest = len(rows[0]), sqrt(mpf(2))
    table = [[mpf(one) / longest for one in row] for row in rows]
    gram = matrix(d, d)
    for x in table:
        for i in range(d):
            for j in range(d):
                gram[i, j] += x[i] * x[j]
    values, vectors = eigsy(gram)
    edge = mpf(sigma) / sqrt(2 * mpf(share)) * sqrt(d)
    floored = [value + edge for value in values]
    whiten = vectors * diag([1 / sqrt(one) for one in floored]) * vectors.T
    signal = sum(value / one for value, one in zip(values, floored))
    certain = sum(max(value - edge, 0) / one for value, one in zip(values, floored))
    bound = min((1 + certain / (2 * signal)) * sqrt(max(signal, 1) / len(rows)), 1 / sqrt(min(floored)))
    white = [clip([sum(x[i] * whiten[i, j] for i in range(d)) for j in range(d)], bound) for x in table]
    theta = matrix(d, classes)
    for _ in range(count):
        gradient = matrix(d, classes)
        for w, label in zip(white, labels):
            phi = derivative([sum(w[j] * theta[j, k] for j in range(d)) for k in range(classes)], label)
            for j in range(d):
                for k in range(classes):
                    gradient[j, k] += w[j] * phi[k]
        theta -= 2 * gradient
    found = whiten * theta / longest
    return [nstr(found[j, k], 20) for j in range(d) for k in range(classes)]


def tables():
    random.seed(20261125)
    for classes, count, share in ((3, 2, 0.5), (5, 20, 0.3)):
        labels = [i % classes for i in range(60)]
        rows = [[round(random.uniform(-0.5, 0.5) + 0.3 * (label == 1), 4) * size for size in (0.7, 0.1)] + [1.0] for label in labels]
        asked = {"rows": rows, "labels": labels, "classes": classes, "sigma": 1e-4, "steps": count, "share": share}
        yield json.dumps({"ask": "steps", **asked, "truth": steps(rows, labels, classes, 1e-4, count, share)})


if __name__ == "__main__":
    path = pathlib.Path(__file__).parent / "release" / "softmax.ndjson"
    path.write_text("".join(line + "\n" for line in [*derivatives(), *tables()]))
