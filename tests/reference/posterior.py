"""What a suspicion can become, from the definition: the rows of tests/core/posterior_sentence_test.cpp.

The best event of a given probability is a threshold on the output (Neyman and Pearson), because the likelihood ratio of
each pair below rises with the output. Its two probabilities, P above and Q above, are taken from the densities' own
distribution functions, and the threshold is found by bisection in 60 digits.
"""

from mpmath import erfc, exp, mp, mpf, nstr, sqrt

mp.dps = 60


def gaussian(mu):
    def above(x):
        return erfc(x / sqrt(mpf(2))) / 2

    return lambda c: above(c - mu), lambda c: above(c)


def laplace(epsilon):
    def above(x):
        return exp(-x) / 2 if x > 0 else 1 - exp(x) / 2

    return lambda c: above(c - epsilon), lambda c: above(c)


def threshold(value, level):
    """Where the decreasing function falls to the level."""
    low, high = mpf(-1000), mpf(1000)
    for _ in range(230):
        middle = (low + high) / 2
        low, high = (middle, high) if value(middle) > level else (low, middle)
    return low


def share(prior, p, q):
    return prior * p / (prior * p + (1 - prior) * q)


def row(pair, prior, rare):
    in_world, out_world = pair
    c = threshold(lambda x: prior * in_world(x) + (1 - prior) * out_world(x), rare)
    event = prior * in_world(c) / rare
    c = threshold(in_world, rare)
    right = share(prior, rare, out_world(c))
    c = threshold(out_world, rare)
    wrong = share(prior, in_world(c), rare)
    return event, right, wrong


def main():
    for name, kind, parameters in [("mu", gaussian, ["0.5", "1", "3"]), ("scaled", laplace, ["0.25", "2"])]:
        for parameter in parameters:
            for prior in ["1e-9", "0.01", "0.5", "0.9"]:
                for rare in ["1e-30", "1e-6", "0.001", "0.25"]:
                    # The doubles that the test has.
                    values = row(kind(mpf(float(parameter))), mpf(float(prior)), mpf(float(rare)))
                    shown = ", ".join(nstr(value, 18) for value in values)
                    print(f"    {{{name}, {parameter}, {prior}, {rare}, {shown}}},")


if __name__ == "__main__":
    main()
