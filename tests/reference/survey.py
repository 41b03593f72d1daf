#!/usr/bin/python3
"""Random questions with their truths, in the format of the tables, for a survey of whether the answers bracket them:

    /usr/bin/python3 tests/reference/survey.py --seed 7 --count 500 [--corners] [--kinds gaussian laplace ...]

Parameters are log-uniform over wide ranges; epsilon and delta are chosen so that most answers are neither 0 nor 1.
`--corners` goes to the ends of the ranges instead, and to delta near 0, near 1e-300 and near delta(0).
"""
import argparse
import random
import sys

from make import TABLES, about, line
from truth import truth


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
    if kind == "discrete-gaussian":
        made = {"kind": kind, "sigma": spread(rng, 1e-2, 100), "sensitivity": int(spread(rng, 1, 60))}
        mu = made["sensitivity"] / made["sigma"]
        return made, mu * mu / 2 + 3 * mu
    if kind == "gaussian-mixing":
        made = {"kind": kind, "sketchSize": int(spread(rng, 1, 1e5)), "gamma": 1 + spread(rng, 1e-4, 1e6)}
        return made, 0.5 * made["sketchSize"] / made["gamma"] ** 2 + 3 * made["sketchSize"] ** 0.5 / made["gamma"]
    if kind == "posterior-sampling":
        made = {"kind": kind, "leverage": spread(rng, 1e-6, 10), "residual": spread(rng, 1e-2, 100)}
        return made, made["leverage"] + made["residual"] * made["leverage"] ** 0.5 * 3
    if kind == "objective-perturbation":
        made = {"kind": kind, "sigma": spread(rng, 1e-2, 1e4), "lambda": spread(rng, 1e-3, 1e4), "lipschitz": spread(rng, 0.1, 10),
                "smoothness": spread(rng, 0.01, 10)}
        if rng.random() < 0.3:
            made["derivative"] = "one-signed"
        slope = made["lipschitz"] / made["sigma"]
        return made, slope * slope / 2 + 3 * slope + made["smoothness"] / (made["smoothness"] + made["lambda"])
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


def small(rng):
    """A loss anywhere between negligible and enormous."""
    return spread(rng, 1e-100, 1e3)


def corner(rng, kind):
    """A mechanism at the ends of its ranges and the order of magnitude of its epsilon."""
    if kind in ("gaussian", "laplace"):
        noise = spread(rng, 1e-100, 1e100)
        # Sometimes both are far from 1 and their ratio is not.
        sensitivity = spread(rng, noise * 1e-3, min(noise * 1e3, 1e100)) if 1e-97 < noise and rng.random() < 0.5 else 1.0
        made = {"kind": kind, ("sigma" if kind == "gaussian" else "scale"): noise, "sensitivity": sensitivity}
        ratio = sensitivity / noise
        return made, ratio if kind == "laplace" else ratio * ratio / 2 + 3 * ratio
    if kind == "gdp":
        mu = small(rng)
        return {"kind": kind, "mu": mu}, mu * mu / 2 + 3 * mu
    if kind == "discrete-laplace":
        made = {"kind": kind, "scale": spread(rng, 1e-2, 1e100), "sensitivity": int(spread(rng, 1, 60))}
        return made, made["sensitivity"] / made["scale"]
    if kind in ("zcdp", "tcdp"):
        rho = small(rng)
        made = {"kind": kind, "rho": rho} | ({"omega": 1 + spread(rng, 1e-6, 1e6)} if kind == "tcdp" else {})
        return made, rho + 4 * rho ** 0.5
    if kind == "rdp":
        orders = sorted({min(1e6, 1 + spread(rng, *rng.choice(((1.1e-6, 1e-1), (1e5, 1e6))))) for _ in range(rng.choice((1, 1, 2)))})
        rho = small(rng)
        return {"kind": kind, "orders": orders, "epsilons": [rho * rng.uniform(0.7, 1.4) for _ in orders]}, rho + rho ** 0.5
    if kind == "composition":
        parts = [{"mechanism": corner(rng, "zcdp")[0], "count": int(spread(rng, 1, 1e6))} for _ in range(3)]
        rho = sum(part["mechanism"]["rho"] * part["count"] for part in parts)
        return {"kind": kind, "of": parts}, rho + 4 * rho ** 0.5
    made = {"kind": kind, "epsilon": small(rng)}
    if kind == "randomized-response":
        made["categories"] = int(spread(rng, 2, 1e15))
    if kind == "approximate":
        made["delta"] = corner_delta(rng)
    return made, made["epsilon"]


def corner_delta(rng):
    return rng.choice((0.0, spread(rng, 1e-300, 1e-298), spread(rng, 1e-300, 1e-10), spread(rng, 1e-17, 1)))


def corner_question(rng, kind):
    made, size = corner(rng, kind)
    ask = rng.choice(("delta", "epsilon", "epsilon", "renyi"))
    if ask == "delta":
        return about(made, delta=(size * spread(rng, 1e-3, 3) * rng.choice((0, 1, 1, 1, -1)),))[0]
    if ask == "renyi":
        return about(made, renyi=(rng.choice((1.000001, 1 + spread(rng, 1e-5, 1e-1), spread(rng, 1e5, 1e6))),))[0]
    d = corner_delta(rng)
    if rng.random() < 0.5:  # just below delta(0), where epsilon is almost 0
        top = float(truth(about(made, delta=(0,))[0]))
        d = top * (1 - spread(rng, 1e-15, 0.5)) if top > 1e-299 else d
    return about(made, epsilon=(d,))[0]


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
    arguments.add_argument("--corners", action="store_true")
    options = arguments.parse_args()
    rng = random.Random(options.seed)
    for _ in range(options.count):
        kind, asked = rng.choice(options.kinds), None
        try:
            asked = (corner_question if options.corners else question)(rng, kind)
            print(line(asked), flush=True)
        except ArithmeticError as failure:
            print(f"skipped, {failure}: {asked or kind}", file=sys.stderr)
