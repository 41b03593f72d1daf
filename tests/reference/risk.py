"""What an attacker can reach, from the definition: the rows of tests/core/risk_test.cpp.

Tests are thresholds on the output (Neyman and Pearson), as in posterior.py: their two probabilities come from the densities'
own distribution functions. The Bayes error is the least mean error of such a test, found where the likelihood ratio
passes (1 - p) / p; nothing here knows of profiles. Calibrated values are roots of these numbers in the parameter. The mu that
covers a Laplace pair is the largest over 2000 rates and polished around the best; the regret is the largest over epsilon
of (delta_mu - delta) / (1 + e^epsilon), polished in the same way.
"""

from mpmath import erfc, erfinv, exp, log, mp, mpf, nstr, sqrt

from posterior import gaussian, laplace, share, threshold

mp.dps = 40


def upper_quantile(p):
    return sqrt(mpf(2)) * erfinv(1 - 2 * p)


def power(pair, rate):
    in_world, out_world = pair
    return in_world(threshold(out_world, rate))


def bayes_error(pair, prior, turn):
    """The test "output > turn", or never or always accusing."""
    in_world, out_world = pair
    errors = [prior, 1 - prior, prior * (1 - in_world(turn)) + (1 - prior) * out_world(turn)]
    return min(errors)


def gaussian_turn(mu, prior):
    return log((1 - prior) / prior) / mu + mu / 2


def laplace_turn(epsilon, prior):
    """|x| - |x - epsilon| = log((1 - p) / p), where that is within reach."""
    ratio = log((1 - prior) / prior)
    return (min(max(ratio, -epsilon), epsilon) + epsilon) / 2


def delta_of(pair, turn, epsilon):
    in_world, out_world = pair
    return in_world(turn) - exp(epsilon) * out_world(turn)


def gaussian_delta(mu, epsilon):
    return delta_of(gaussian(mu), epsilon / mu + mu / 2, epsilon)


def laplace_delta(scaled, epsilon):
    return 1 - exp((epsilon - scaled) / 2) if epsilon < scaled else mpf(0)


def effective_mu(delta, epsilon):
    low, high = mpf("1e-6"), mpf(50)
    for _ in range(130):
        middle = (low + high) / 2
        low, high = (low, middle) if gaussian_delta(middle, epsilon) > delta else (middle, high)
    return low


def largest(value, places):
    """Of a smooth function: the best place, then by thirds around it."""
    best = max(range(len(places)), key=lambda i: value(places[i]))
    low, high = places[max(0, best - 1)], places[min(len(places) - 1, best + 1)]
    for _ in range(120):
        one, other = low + (high - low) / 3, high - (high - low) / 3
        low, high = (one, high) if value(one) < value(other) else (low, other)
    return value(low)


def row(name, values):
    print(f"    {{{name}, " + ", ".join(nstr(value, 18) for value in values) + "},")


def risks():
    for name, kind, turn, parameters in [
        ("mu", gaussian, gaussian_turn, ["0.5", "1", "3"]),
        ("scaled", laplace, laplace_turn, ["0.25", "2"]),
    ]:
        for text in parameters:
            size = mpf(text)
            pair = kind(size)
            for prior in [mpf(0.01), mpf(0.5), mpf(0.9)]:
                for rate in [mpf(1e-30), mpf(0.001), mpf(0.1)]:
                    reached = power(pair, rate)
                    error = bayes_error(pair, prior, turn(size, prior))
                    row(f"{name}, {text}, {nstr(prior, 2)}, {nstr(rate, 2)}", [share(prior, reached, rate), reached, error])


def calibrated():
    """mu of the Gaussian pair at which each measure is at its limit."""
    def solved(measure):
        low, high = mpf("1e-6"), mpf(50)
        for _ in range(130):
            middle = (low + high) / 2
            low, high = (low, middle) if measure(middle) > 0 else (middle, high)
        return low

    p, tau, limit = mpf(0.01), mpf(1e-6), mpf(0.05)

    def event(mu):
        a, b = gaussian(mu)
        c = threshold(lambda x: p * a(x) + (1 - p) * b(x), tau)
        return p * a(c) / tau - limit

    def right(mu):
        a, b = gaussian(mu)
        return share(p, tau, b(threshold(a, tau))) - limit

    row('"posterior", 0.01, 1e-6, 0.05', [solved(right)])
    row('"event-posterior", 0.01, 1e-6, 0.05', [solved(event)])
    row('"predictive-value", 0.01, 1e-3, 0.1', [solved(lambda mu: share(p, power(gaussian(mu), mpf(1e-3)), mpf(1e-3)) - mpf(0.1))])
    row('"reconstruction", 0, 0.1, 0.3', [solved(lambda mu: power(gaussian(mu), mpf(0.1)) - mpf(0.3))])
    row('"advantage", 0, 0, 0.1', [solved(lambda mu: gaussian_delta(mu, mpf(0)) - mpf(0.1))])
    half, fifth = mpf(0.3), mpf(0.2)
    row('"bayes-error", 0.3, 0, 0.2', [solved(lambda mu: fifth - bayes_error(gaussian(mu), half, gaussian_turn(mu, half)))])


def gaussians():
    for text, rate in [("0.25", mpf(1e-6)), ("2", mpf(1e-6)), ("2", mpf(0.01))]:
        size = mpf(text)
        pair = laplace(size)

        def mu_at(log_rate):
            x = exp(log_rate)
            return upper_quantile(x) - upper_quantile(min(power(pair, x), 1 - rate))

        places = [log(rate) + (log(mpf(0.5)) - log(rate)) * i / 2000 for i in range(2001)]
        mu = largest(mu_at, places)
        gap = largest(lambda e: (gaussian_delta(mu, e) - laplace_delta(size, e)) / (1 + exp(e)), [mpf(i) / 100 for i in range(1, 2001)])
        row(f"{text}, {nstr(rate, 2)}", [mu, gap])
    for text, epsilon in [("2", "0"), ("2", "1"), ("0.25", "0.2")]:
        row(f"{text}, {epsilon}", [effective_mu(laplace_delta(mpf(text), mpf(epsilon)), mpf(epsilon))])


if __name__ == "__main__":
    risks()
    calibrated()
    gaussians()
