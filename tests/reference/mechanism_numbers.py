#!/usr/bin/python3
"""Rewrites report/mechanism_numbers.ndjson: what tests, votes and sketches are made of, by definition.

    /usr/bin/python3 tests/reference/mechanism_numbers.py

Probabilities of passing: integrals of the noise's density. Winners: integrals over the winner's noisy number. Divergences: sums
over outcomes. Laws of coefficients: systems of equations solved by elimination, and the mean of a Student law. The parabola: the
largest excess by the root of the derivative. Directions of a sketch: probabilities of a chi-square, mixed over a normal loss.
Constants of theorems: as they are stated. 40 digits or more, 25 of them printed.
"""
import json
import pathlib
import random
from mpmath import (mp, mpf, matrix, lu_solve, inverse, exp, log, erfc, findroot, npdf, ncdf, quad, sqrt, cosh, tanh, lambertw)

from arithmetic import laplace_density, shown
from mechanism_pairs import Spread
from pairs import Pair

mp.dps = 40
HERE = pathlib.Path(__file__).parent


def laplace_tail(x):
    """Of scale 1: the density's integral from x on."""
    return quad(lambda z: laplace_density(z, 1), [x, 0, 40, mp.inf] if x < 0 else [x, x + 40, mp.inf])


def classic_tests():
    for eps, delta, distance in ((1, 1e-6, 0), (0.5, 1e-8, 12), (2, 0.25, 3), (0.1, 1e-5, 200), (3, 0.5, 0)):
        e, least, printed = mpf(eps), log(1 / (2 * mpf(delta))) / mpf(eps), log(1 / mpf(delta)) / mpf(eps)
        yield (dict(about="classic-test", epsilon=eps, delta=delta, distance=distance),
               dict(threshold=shown(least), passing=shown(laplace_tail(e * (least - distance))),
                    publishedThreshold=shown(printed), publishedPassing=shown(laplace_tail(e * (printed - distance)))))


def tested_divergences():
    for order, p, q, renyi in ((10, 1e-6, 1e-7, 5), (2, 1e-3, 2e-3, 6), (1.5, 0.25, 0.75, 0.1), (64, 1e-9, 1e-10, 0.5), (3, 0.999, 0.5, 2), (2, 0.5, 0.5, 0)):
        a, p_, q_ = mpf(order), mpf(p), mpf(q)
        total = (1 - p_)**a * (1 - q_)**(1 - a) + p_**a * q_**(1 - a) * exp((a - 1) * mpf(renyi))
        yield dict(about="tested-divergence", order=order, passing=p, otherPassing=q, renyi=renyi), dict(renyi=shown(log(total) / (a - 1)))


def wrong_acceptances():
    for a, b, gap, values in ((2, 4, 30, 1000), (2, 4, 25, 100), (3.9, 2.7, 20, 100), (1, 1, 2, 5), (10, 0.5, 1, 1), (0.5, 5, 12, 50)):
        def reached(r):
            over = (mpf(gap) + r) / mpf(b)
            below = 1 - exp(-over) / 2 if over > 0 else exp(over) / 2
            return 1 - below**values
        places = [-60 * a - gap, -gap - 4 * a, -gap, -gap / mpf(2), 0, a, 4 * a, 12 * a, 80 * a]
        yield (dict(about="wrong-acceptance", thresholdScale=a, valueScale=b, gap=gap, values=values),
               dict(probability=shown(quad(lambda r: laplace_density(r, mpf(a)) * reached(r), sorted(set(map(mpf, places)))))))


def noise_paths():
    """Variances by the density; what two levels share by keeping the later noise or adding to it, which has mean 0."""
    variance = lambda b: quad(lambda x: 2 * x * x * laplace_density(x, b), [0, b, 4 * b, 20 * b, 120 * b])
    for epsilons, moved in (([0.1, 0.2, 0.5, 1, 3], 1), ([0.05, 5], 4), ([0.3], 0.5), ([1, 1, 2], 2)):
        scales = [mpf(moved) / mpf(e) for e in epsilons]
        later = scales[1:]
        yield (dict(about="noise-path", epsilons=epsilons, sensitivity=moved),
               dict(scales=[shown(b) for b in scales], variances=[shown(variance(b)) for b in scales],
                    keeping=[shown((b / a)**2) for a, b in zip(scales, later)], covariances=[shown(variance(b)) for b in later]))


def accuracy_firsts():
    """lambda is of the sum; all losses are means."""
    for n, lam, d, risk, levels, failure in ((100000, 500, 38, 0.1, 1000, 0.1), (10000, 64, 10, 0.02, 100, 0.05), (7, 0.5, 3, 0.5, 1, 0.5)):
        mean, r, tests = mpf(lam) / n, sqrt(mpf(d)), 16 * log(2 * mpf(levels) / mpf(failure)) / mpf(risk)
        w = lambertw(exp(-1)).real
        tight, printed = 1 / (2 * sqrt(mean)), 1 / sqrt(mean)
        own, theirs = sqrt(w / mean), sqrt(2 * log(2) / mean)
        truth = dict(ridgeRadius=tight, publishedRidgeRadius=printed, ridgeSensitivity=(tight + 1)**2 / n,
                     publishedRidgeSensitivity=(printed + 1)**2 / n, publishedRidgeTests=tests * (printed + 1)**2 / n,
                     logisticRadius=own, publishedLogisticRadius=theirs, logisticSensitivity=2 * own / n,
                     publishedLogisticSensitivity=2 * theirs / n, publishedLogisticTests=tests * 2 * theirs / n, covarianceScale=mpf(4),
                     logisticOutput=2 * r / (n * mean), ridgeOutput=2 * (tight + 1) * r / (n * mean),
                     gradientRidgeOutput=2 * (printed + 1) * r / (n * mean), publishedRidgeOutput=(printed + 1) * r / sqrt(n * mean))
        yield (dict(about="accuracy-first", rows=n, dimension=d, excessRisk=risk, levels=levels, failure=failure, **{"lambda": lam}),
               {name: shown(value) for name, value in truth.items()})


def doublings():
    for k, moved, risk, rounds, failure, first in ((5, 0.002, 0.05, 20, 0.1, 1e-5), (17, 0.0005, 0.05, 24, 0.1, 1e-5), (1, 1, 1, 1, 0.25, 1)):
        truth = {}
        for scale, loss, share in (("scale", "loss", 2), ("publishedScale", "publishedLoss", 1)):
            b = mpf(risk) / (2 * log(rounds / (share * mpf(failure))))
            truth |= {scale: shown(b), loss: shown(k * mpf(moved) / b + sum(2**j * mpf(first) for j in range(k)))}
        yield dict(about="doubling", round=k, sensitivity=moved, excessRisk=risk, rounds=rounds, failure=failure, firstEpsilon=first), truth


def logarithm_sensitivities():
    for lam, eigenvalue, c in ((1, 2, 1), (0.25, 0.5, 1), (10, 300, 2), (3, 0, 0.5)):
        square = mpf(c)**2
        yield (dict(about="logarithm-sensitivity", eigenvalue=eigenvalue, featureBound=c, **{"lambda": lam}),
               dict(adding=shown(log(1 + square / (lam + mpf(eigenvalue)))),
                    either=shown(log(1 + square / (lam + max(mpf(0), mpf(eigenvalue) - square))))))


def losing(lead, scale):
    """The number that is behind passes: the integral over the leader's noise."""
    lead, scale = mpf(lead), mpf(scale)
    if lead < 0:
        return 1 - losing(-lead, scale)
    return quad(lambda x: laplace_density(x, 1) * (exp(-(lead / scale + x)) / 2 if lead / scale + x > 0 else 1 - exp(lead / scale + x) / 2),
                [-80 - lead / scale, -lead / scale - 10, -lead / scale, 0, 10, 80])


def two_class_votes():
    for lead, scale, eps in ((0, 1, 0.3), (3, 2, 0.2), (20, 2, 0.1), (100, 10, 0.05), (1, 0.5, 1), (0.5, 3, 0)):
        here, grown = losing(lead, scale), exp(mpf(eps))
        there = [losing(lead + step, scale) for step in (1, -1)]
        loss = max(max(abs(log(here / q)), abs(log((1 - here) / (1 - q)))) for q in there)
        stick = lambda p, q: max(mpf(0), p - grown * q) + max(mpf(0), 1 - p - grown * (1 - q))
        yield (dict(about="two-class-vote", lead=lead, scale=scale, epsilon=eps),
               dict(losing=shown(here), losingOfOneNoise=shown(laplace_tail(mpf(lead) / mpf(scale))), loss=shown(loss),
                    delta=shown(max(max(stick(here, q), stick(q, here)) for q in there))))


def wins(votes, sigma, i):
    leads = [(mpf(votes[i]) - mpf(n)) / mpf(sigma) for j, n in enumerate(votes) if j != i]
    def density(x):
        value = npdf(x)
        for lead in leads:
            value *= ncdf(x + lead)
        return value
    top = max((mpf(k) / 4 for k in range(-80, 81)), key=density)
    return quad(density, [top + k for k in (-14, -9, -6, -4, -2, -1, 0, 1, 2, 4, 6, 9, 14)])


def passed(q, others, sigma, step):
    """Every class has an equal part of the bound, at a lead of so many standard deviations; it moves by 2 votes."""
    place = findroot(lambda z: log(erfc(z / sqrt(mpf(2))) / 2) - log(q / others), sqrt(-2 * log(q / others)) if q / others < 0.3 else mpf(0))
    return min(mpf(1), others * erfc((place - step * sqrt(mpf(2)) / sigma) / sqrt(mpf(2))) / 2)


def noisy_votes():
    for votes, sigma in (([300, 60, 40], 20), ([10, 9, 8], 4), ([5, 7], 3), ([1, 1, 1, 1], 2), ([0, 12, 3, 8, 8, 1], 5), ([250, 100, 50], 20)):
        first = max(votes)
        rest = sorted(votes)[:-1]
        q = min(mpf(1), sum(erfc((first - mpf(n)) / (2 * mpf(sigma))) / 2 for n in rest))
        yield (dict(about="noisy-vote", votes=votes, sigma=sigma),
               dict(upset=shown(q), upsetUp=shown(passed(q, len(rest), mpf(sigma), 1)), upsetDown=shown(passed(q, len(rest), mpf(sigma), -1)),
                    winning=[shown(wins(votes, sigma, i)) for i in range(len(votes))]))


def vote_divergences():
    """Papernot et al. 2018, Theorem 6, where it applies and is below order / sigma^2; 1 + 1e-30 is not 1."""
    mp.dps = 80
    for q, sigma, order in ((1e-5, 20, 10), (1e-8, 40, 20), (1e-12, 40, 60), (0.3, 20, 5), (1e-30, 60, 3), (0, 10, 4), (1, 10, 4)):
        plain, value = mpf(order) / mpf(sigma)**2, mpf(0)
        if q > 0:
            q_, s, value = mpf(q), mpf(sigma), plain
            m2 = s * sqrt(log(1 / q_))
            m1 = m2 + 1
            e1, e2 = m1 / s**2, m2 / s**2
            if m2 > 1 and order <= m1 and log(q_) <= (m2 - 1) * e2 - m2 * (log(m1 / (m1 - 1)) + log(m2 / (m2 - 1))):
                a, b = (1 - q_) / (1 - (q_ * exp(e2))**((m2 - 1) / m2)), exp(e1) / q_**(1 / (m1 - 1))
                value = min(plain, log((1 - q_) * a**(order - 1) + q_ * b**(order - 1)) / (order - 1))
        yield dict(about="vote-divergence", upset=q, sigma=sigma, order=order), dict(renyi=shown(value))
    mp.dps = 40


def vote_tests():
    for eps, delta in ((0.5, 1e-5), (2, 1e-6), (0.5816, 1e-5)):
        order = 2 * log(2 / mpf(delta)) / mpf(eps) + 1
        yield (dict(about="vote-test", epsilon=eps, delta=delta),
               dict(order=shown(order), width=shown(sqrt((3 * order + 2) / mpf(eps))), smoothness=shown(mpf(2) / 10 / order),
                    conversion=shown(log(2 / mpf(delta)) / (order - 1))))


class Beside(Pair):
    """A pair beside N(mu, 1) against N(0, 1), of which the loss is N(mu^2 / 2, mu^2): the pair's profile, mixed over that loss."""

    def __init__(self, pair, mu):
        self.pair, self.mu = pair, mu

    def delta(self, eps):
        middle, at = self.mu**2 / 2, lambda z: self.pair.delta(eps - self.mu**2 / 2 - self.mu * z)
        # Where the pair's own loss is largest its profile has an end.
        places = {mpf(z) for z in range(-16, 45, 2)} | {(eps - middle - self.pair.a * log(self.pair.v / self.pair.u)) / self.mu}
        return quad(lambda z: npdf(z) * at(z), sorted(places))

    def renyi(self, order):
        return self.pair.renyi(order) + order * self.mu**2 / 2


def sketch_pairs():
    """Neighbours as they are: N(0, 1)^k with the record, N(0, 1 - t)^k without. Published: Lev et al. 2025, Proposition 2, and the
    conversion of Bun, Dwork, Rothblum and Steinke 2018, Lemma 6, as it is stated; older: what Lev et al. draw of Sheffet 2019."""
    mp.dps = 60
    for k, t, mu, eps, delta, order in ((10, 0.25, None, 1, 1e-6, 2), (1, 0.5, None, 0.25, 1e-3, 1.5), (150, 0.02, None, 1, 1e-6, 5), (1280, 0.05, None, 3, 1e-8, 19.5),
                                        (150, 0.1, None, 6, 1e-12, 64), (500, 0.002, None, 0, 1e-5, 1.0001), (10, 0.9, None, 2, 0.125, 1.0625), (3, 1e-6, None, 1e-6, 1e-9, 300),
                                        (10, 1 / 30, 0.1, 1, None, 29), (150, 0.0625, 0.75, 5, 1e-6, 8), (1, 0.5, 0.25, 0.5, None, 1.25), (500, 0.016, 0.36, 2, None, 40)):
        told = {}
        for name, u, v in (("Remove", mpf(1), 1 - mpf(t)), ("Add", 1 - mpf(t), mpf(1))):
            pair = Spread(k, u, v) if mu is None else Beside(Spread(k, u, v), mpf(mu))
            told["delta" + name] = max(mpf(0), pair.delta(mpf(eps)))
            if delta is not None:
                told["epsilon" + name] = pair.epsilon(mpf(delta))
            divergence = pair.renyi(mpf(order))
            if divergence != mp.inf:
                told["renyi" + name] = divergence
        rho, omega = k * mpf(t)**2 / 2, 2 / (5 * mpf(t))
        if delta is not None and mu is None and omega > 1:
            level = log(1 / mpf(delta))
            told["publishedEpsilon"] = rho + 2 * sqrt(rho * level) if level <= (omega - 1)**2 * rho else rho * omega + level / (omega - 1)
        if delta is not None and mu is None:
            tail = log(4 / mpf(delta))
            told["olderEpsilon"] = mpf(t) * (2 * sqrt(2 * k * tail) + 2 * tail)
        asked = dict(sketchSize=k, leverage=t, mu=mu, epsilon=eps, delta=delta, order=order)
        yield (dict(about="sketch-pair") | {name: value for name, value in asked.items() if value is not None},
               {name: shown(value) for name, value in told.items()})
    mp.dps = 40


def mixing_laws(chance):
    for n, d, variance, size in ((6, 2, 0.5, 6), (4, 1, 2, 3), (9, 3, 0.25, 40), (0, 2, 1, 5)):
        rows = [[round(chance.uniform(-1, 1), 3) for _ in range(d)] for _ in range(n)]
        labels = [round(chance.uniform(-1, 1), 3) for _ in range(n)]
        h, v, square = matrix(d, d), matrix(d, 1), sum((mpf(y)**2 for y in labels), mpf(variance))
        for i in range(d):
            h[i, i] = mpf(variance)
            for x, y in zip(rows, labels):
                v[i] += mpf(x[i]) * mpf(y)
                for j in range(d):
                    h[i, j] += mpf(x[i]) * mpf(x[j])
        mean, inverted = lu_solve(h, v), inverse(h)
        scale = square - sum(mean[i] * v[i] for i in range(d))
        yield (dict(about="mixing-law", features=rows, labels=labels, dimension=d, variance=variance, sketchSize=size),
               dict(mean=[shown(one) for one in mean], degrees=shown(mpf(size - d + 1)), scale=shown(scale), excess=shown(scale * d / (size - d - 1)),
                    covariance=[shown(scale / (size - d - 1) * inverted[i, j]) for i in range(d) for j in range(d)]))


def projection_tests():
    for eps, delta, size, square in ((0.5, 1e-8, 150, 2), (2, 1e-6, 50, 1), (5, 1e-10, 500, 5)):
        tail, share = log(8 / mpf(delta)), 4 * mpf(square) / mpf(eps)
        needed = share * (sqrt(2 * size * tail) + 2 * tail)
        yield (dict(about="projection-test", epsilon=eps, delta=delta, sketchSize=size, square=square),
               dict(threshold=shown(needed), sigma=shown(sqrt(needed)), scale=shown(share), margin=shown(share * log(1 / mpf(delta)))))


def logistic_parabolas():
    for most in (0.125, 1, 2, 6, 8, 40):
        q = mpf(most)
        even = lambda s: log(cosh(s / 2))
        curvature = even(q) / q**2
        at = findroot(lambda s: tanh(s / 2) / 2 - 2 * curvature * s, [q / 4, q * mpf(9) / 10], solver="anderson")
        error, node = (even(at) - curvature * at**2) / 2, q * sqrt(mpf(3)) / 2
        yield (dict(about="logistic-parabola", range=most),
               dict(constant=shown(log(mpf(2)) + error), slope="-0.5", curvature=shown(curvature), error=shown(error),
                    interpolatedCurvature=shown(even(node) / node**2), factor=shown(1 / (4 * curvature))))


def main():
    chance = random.Random(20261124)
    kinds = (classic_tests(), tested_divergences(), wrong_acceptances(), noise_paths(), accuracy_firsts(), doublings(), logarithm_sensitivities(),
             two_class_votes(), noisy_votes(), vote_divergences(), vote_tests(), sketch_pairs(), mixing_laws(chance), projection_tests(), logistic_parabolas())
    lines = [dict(numbers=numbers, truth=truth) for kind in kinds for numbers, truth in kind]
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    (HERE / "report" / "mechanism_numbers.ndjson").write_text(text)


main()
