#!/usr/bin/python3
"""Rewrites report/votes.ndjson: what a vote with normal noise tells of the voters of the very table.

    /usr/bin/python3 tests/reference/votes.py

`upset`: the sum, over the classes that are behind, of the probability that their noisy number passes that of the first.
`renyi`: Theorem 6 of Papernot, Song, Mironov, Raghunathan, Talwar and Erlingsson 2018 at its printed orders, or order /
sigma^2 where it does not apply or is larger. `divergence`: the truth that both bound, the largest Renyi divergence of the
winner's law from that of a table where one voter votes otherwise; every class's probability is an integral over its own
noisy number. `tested`: the same where a question stays open unless its largest number, with noise of its own, is at least
`least`. `testedBound`: from a bound `winner` on the divergence of the winner alone, the divergence of the test with it where
one of the two largest numbers that a voter away can have is the worst, or the sum of what every table is promised.
500 digits, so that what cancels is seen; 30 of an integral.
"""
import json
import pathlib
from mpmath import mp, mpf, erfc, exp, log, npdf, ncdf, nstr, quad, sqrt

mp.dps = 500
HERE = pathlib.Path(__file__).parent


def upset(votes, sigma):
    ordered = sorted(map(mpf, votes), reverse=True)
    return min(mpf(1), sum(erfc((ordered[0] - n) / (2 * mpf(sigma))) / 2 for n in ordered[1:]))


def renyi(q, sigma, order):
    q, sigma, order = mpf(q), mpf(sigma), mpf(order)
    plain = order / sigma ** 2
    mu2 = sigma * sqrt(log(1 / q))
    mu1 = mu2 + 1
    e1, e2 = mu1 / sigma ** 2, mu2 / sigma ** 2
    if not (mu2 > 1 and order <= mu1 and log(q) <= (mu2 - 1) * e2 - mu2 * (log(mu1 / (mu1 - 1)) + log(mu2 / (mu2 - 1)))):
        return plain
    a = (1 - q) / (1 - (q * exp(e2)) ** ((mu2 - 1) / mu2))
    b = exp(e1) / q ** (1 / (mu1 - 1))
    return min(plain, log((1 - q) * a ** (order - 1) + q * b ** (order - 1)) / (order - 1))


def law(votes, sigma):
    """The probability of each class to win."""
    s = mpf(sigma)

    def wins(i):
        def at(x):
            value = npdf(x, votes[i], s)
            for j, n in enumerate(votes):
                if j != i:
                    value *= ncdf(x, n, s)
            return value

        low, high = min(votes) - 14 * s, max(votes) + 14 * s
        return quad(at, [low + (high - low) * k / 24 for k in range(25)])

    return [wins(i) for i in range(len(votes))]


def passing(votes, least):
    """The probability that the largest number passes its test; certain without one."""
    return ncdf(max(votes), least["votes"], least["sigma"]) if least else mpf(1)


def divergence(votes, sigma, order, least=None):
    def outcomes(votes):
        passes = passing(votes, least)
        return [passes * p for p in law(votes, sigma)] + ([ncdf(least["votes"], max(votes), least["sigma"])] if least else [])

    p, worst = outcomes(votes), mpf(0)
    for source in range(len(votes)):
        for target in range(len(votes)):
            if source == target or votes[source] == 0:
                continue
            other = list(votes)
            other[source] -= 1
            other[target] += 1
            q = outcomes(other)
            worst = max(worst, log(sum(a ** order * b ** (1 - order) for a, b in zip(p, q))) / (order - 1))
    return worst


def tested_bound(winner, most, least, order):
    a, bounds = mpf(order), []
    p, fails = passing([most], least), ncdf(least["votes"], most, least["sigma"])
    for other in (most - 1, most + 1):
        p2, fails2 = passing([other], least), ncdf(least["votes"], other, least["sigma"])
        bounds.append(log(p ** a * p2 ** (1 - a) * exp((a - 1) * mpf(winner)) + fails ** a * fails2 ** (1 - a)) / (a - 1))
    return min(max(bounds), mpf(winner) + a / (2 * mpf(least["sigma"]) ** 2))


def lines():
    for votes, sigma in (([300, 60, 40], 20), ([390, 5, 5], 40), ([250, 100, 50], 20), ([10, 9, 8], 4), ([5, 5], 1), ([0, 0, 0], 7),
                         ([1000, 0], 30), ([120, 3, 77, 0, 50], 12.5)):
        yield {"ask": "upset", "votes": votes, "sigma": sigma, "truth": nstr(upset(votes, sigma), 25)}
    for q, sigma, order in ((1e-5, 20, 10), (1e-8, 40, 20), (1e-12, 40, 60), (0.3, 20, 5), (1e-3, 100, 2), (1e-40, 10, 3.5), (1e-200, 5, 40),
                            (0.01, 60, 1.25), (1e-10, 150, 200), (1e-6, 2, 8), (1e-3, 1, 2)):
        yield {"ask": "renyi", "q": q, "sigma": sigma, "order": order, "truth": nstr(renyi(q, sigma, order), 25)}
    for winner, most, votes, sigma, order in ((0.01, 300, 250, 40, 8), (0.5, 100, 250, 20, 3), (0.5, 250, 250, 20, 3), (1e-9, 500, 250, 40, 40), (0.2, 0, 60, 10, 1.25),
                                              (2, 40, 60, 5, 20), (0.05, 1000, 60, 100, 200)):
        least = {"votes": votes, "sigma": sigma}
        yield {"ask": "testedBound", "winner": winner, "mostVotes": most, "least": least, "order": order, "truth": nstr(tested_bound(winner, most, least, order), 25)}
    mp.dps = 30
    for votes, sigma, order, least in (([30, 5, 2], 4, 3, {"votes": 25, "sigma": 3}), ([12, 11, 3], 3, 2, {"votes": 20, "sigma": 2}), ([20, 1], 5, 1.5, {"votes": 20, "sigma": 4}),
                                       ([9, 8, 7], 6, 6, {"votes": 40, "sigma": 5})):
        yield {"ask": "tested", "votes": votes, "sigma": sigma, "least": least, "order": order, "truth": nstr(divergence(votes, sigma, order, least), 20)}
    for votes, sigma, order in (([30, 5, 2], 4, 3), ([30, 5, 2], 4, 8), ([12, 11, 3], 3, 2), ([20, 1], 5, 1.5), ([40, 12, 9], 8, 6)):
        yield {"ask": "divergence", "votes": votes, "sigma": sigma, "order": order, "truth": nstr(divergence(votes, sigma, order), 20)}


if __name__ == "__main__":
    made = [json.dumps(line, separators=(",", ":")) for line in lines()]
    (HERE / "report" / "votes.ndjson").write_text("\n".join(made) + "\n")
    print(f"votes: {len(made)} lines")
