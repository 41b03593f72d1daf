#!/usr/bin/python3
"""Rewrites report/ledgers.ndjson: what a ledger of pure releases takes of a Gaussian budget, and what that costs.

    /usr/bin/python3 tests/reference/ledgers.py

mu of epsilon: the corner (x, x), x = 1 / (1 + e^epsilon), of everything epsilon-private lies on the trade-off curve of
mu, P(N > q - mu) = 1 - x where P(N > q) = x; by a root. Prices: the smallest epsilon at which the profile of N(0, 1)
against N(mu, 1), integrated from its two densities, is delta. 40 digits, 25 of them printed.
"""
import json
import pathlib
from mpmath import mp, mpf, exp, erfc, findroot, log, npdf, quad, sqrt

from arithmetic import shown

mp.dps = 40
HERE = pathlib.Path(__file__).parent


def tail(x):
    return erfc(x / sqrt(2)) / 2


def mu_of_pure(eps):
    x = 1 / (1 + exp(eps))
    start = sqrt(2 * eps) if eps > 2 else eps / 2
    q = findroot(lambda t: log(tail(t)) - log(x), start)
    return findroot(lambda mu: tail(mu - q) - x, 2 * q)


def delta(mu, eps):
    border = eps / mu + mu / 2
    return quad(lambda x: npdf(x - mu) - exp(eps) * npdf(x), [border, border + 4, border + 12, border + 40])


def price(mu, d):
    return findroot(lambda eps: log(delta(mu, eps)) - log(d), (mu * 4, mu * 6), solver="secant")


def lines():
    for epsilons in ([0.3], [0.5, 1], [2, 0.125, 0.75], [9, 0.01], [40]):
        costs = [mu_of_pure(mpf(e)) for e in epsilons]
        spent = sqrt(sum(c * c for c in costs))
        yield dict(epsilons=epsilons), dict(costs=[shown(c) for c in costs], spent=shown(spent))
    for mu, d in ((1, 1e-6), (0.5, 1e-5), (2, 1e-9)):
        yield dict(mu=mu, delta=d), dict(epsilon=shown(price(mpf(mu), mpf(d))))


with open(HERE / "report" / "ledgers.ndjson", "w") as file:
    for ledger, truth in lines():
        file.write(json.dumps(dict(ledger=ledger, truth=truth)) + "\n")
