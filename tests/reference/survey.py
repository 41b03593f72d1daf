#!/usr/bin/python3
"""Random questions with their truths, in the format of the tables, for a survey of whether the answers bracket them:

    /usr/bin/python3 tests/reference/survey.py --seed 7 --count 500 [--kinds gaussian laplace ...]

Parameters are log-uniform over wide ranges; epsilon and delta are chosen so that most answers are neither 0 nor 1.
"""
import argparse
import random
import sys

from make import TABLES, about, line


def spread(rng, low, high):
    """Log-uniform, with all 53 bits; a third of the time only three significant digits."""
    x = low * (high / low) ** rng.random()
    return float(f"{x:.3g}") if rng.random() < 1 / 3 else x


def description(rng, kind):
    """A random mechanism and the order of magnitude of its epsilon."""
    if kind == "gaussian":
        made = {"kind": kind, "sigma": spread(rng, 1e-3, 1e6), "sensitivity": spread(rng, 1e-2, 1e2)}
        mu = made["sensitivity"] / made["sigma"]
        return made, mu * mu / 2 + 3 * mu
    if kind == "gdp":
        made = {"kind": kind, "mu": spread(rng, 1e-9, 1e3)}
        return made, made["mu"] ** 2 / 2 + 3 * made["mu"]
    if kind == "laplace":
        made = {"kind": kind, "scale": spread(rng, 1e-3, 1e6), "sensitivity": spread(rng, 1e-2, 10)}
        return made, made["sensitivity"] / made["scale"]
    if kind == "discrete-laplace":
        made = {"kind": kind, "scale": spread(rng, 1e-2, 1e4), "sensitivity": int(spread(rng, 1, 60))}
        return made, made["sensitivity"] / made["scale"]
    if kind == "randomized-response":
        made = {"kind": kind, "categories": int(spread(rng, 2, 1e6)), "epsilon": spread(rng, 1e-6, 100)}
        return made, made["epsilon"]
    if kind in ("pure", "exponential"):
        made = {"kind": kind, "epsilon": spread(rng, 1e-6, 300)}
        return made, made["epsilon"]
    if kind == "approximate":
        made = {"kind": kind, "epsilon": spread(rng, 1e-6, 300), "delta": spread(rng, 1e-300, 0.5)}
        return made, made["epsilon"]
    if kind in ("zcdp", "tcdp"):
        made = {"kind": kind, "rho": spread(rng, 1e-9, 1e3)}
        if kind == "tcdp":
            made["omega"] = 1 + spread(rng, 1e-3, 1e4)
        return made, made["rho"] + 4 * made["rho"] ** 0.5
    if kind == "rdp":
        orders = sorted({1 + spread(rng, 1e-2, 300) for _ in range(rng.choice((1, 1, 2, 3, 5)))})
        rho = spread(rng, 1e-6, 10)
        return {"kind": kind, "orders": orders, "epsilons": [rho * a * rng.uniform(0.7, 1.4) for a in orders]}, 3 * rho + 3 * rho ** 0.5
    rule = rng.choice(("gaussian", "pure", "zcdp"))
    if rule == "pure":
        part, count = {"kind": "pure", "epsilon": spread(rng, 1e-4, 5)}, int(spread(rng, 1, 300))
        return {"kind": kind, "of": [{"mechanism": part, "count": count}]}, count ** 0.5 * part["epsilon"]
    parts = [(description(rng, rule), int(spread(rng, 1, 1e6))) for _ in range(rng.choice((1, 2, 4)))]
    return {"kind": kind, "of": [{"mechanism": made, "count": count} for (made, _), count in parts]}, max(size * count for (_, size), count in parts)


def question(rng, kind):
    made, size = description(rng, kind)
    ask = rng.choice(("delta", "delta", "epsilon", "epsilon", "renyi", "tradeOff"))
    if ask == "tradeOff" and ("zcdp" in str(made) or "tcdp" in str(made)):
        ask = "delta"
    if ask == "delta":
        eps = size * spread(rng, 1e-3, 3) * rng.choice((1, 1, 1, -1))
        return about(made, delta=(max(-1e3, min(1e4, eps)),))[0]
    if ask == "epsilon":
        return about(made, epsilon=(spread(rng, 1e-300, 1) if rng.random() < 0.3 else spread(rng, 1e-12, 1),))[0]
    if ask == "renyi":
        return about(made, renyi=(1 + spread(rng, 1e-5, 1e3),))[0]
    return about(made, power=(spread(rng, 1e-15, 1) if rng.random() < 0.7 else rng.random(),))[0]


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--kinds", nargs="+", default=list(TABLES), choices=list(TABLES))
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    for _ in range(options.count):
        asked = question(rng, rng.choice(options.kinds))
        try:
            print(line(asked), flush=True)
        except ArithmeticError as failure:
            print(f"skipped, {failure}: {asked}", file=sys.stderr)
