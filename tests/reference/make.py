#!/usr/bin/python3
"""Rewrites the reference tables, one file per mechanism:

    /usr/bin/python3 tests/reference/make.py [kind ...]

Method: `pairs.py`, `mechanism_pairs.py`, `sampled_pairs.py` and `renyi_table.py` state the definitions and evaluate them by exact sums over outcomes, by exact
integrals over the best test's half-line, or by a numerical supremum over the class; `truth.py` answers a question.
Independence: none of the closed forms of the core is used, nor its code; the answers were also checked by quadrature,
brute force and enumeration (`check.py`). Precision: everything is computed at n, 2n, 4n... digits, where n exceeds the
exponents of the question (`digits`), until two successive precisions agree to 32 digits; 25 are printed. The questions below are fixed, so the tables are too.
"""
import json
import pathlib
import sys
from mpmath import mpf, mpmathify, exp

from loss_tables import stated_table
from pairs import Outcomes
from truth import decimal, digits, pair_of, settle, truth

BOUNDS = ("zcdp", "xi-zcdp", "tcdp", "rdp", "approximate-minima-perturbation")  # kinds of which only an upper bound is known


def parts(description):
    inner = description.get("of", [])
    return [inner] if isinstance(inner, dict) else [part["mechanism"] for part in inner]


def is_many_votes(description):
    """The winner of more than two classes, whose truth is known for normal noise and votes that switch only."""
    known = description.get("noise") == "gaussian" and description.get("vote") == "switched"
    return description["kind"] == "report-noisy-max" and description["classes"] > 2 and not known


def only_bounded(description):
    return description["kind"] in BOUNDS or is_many_votes(description) or any(only_bounded(part) for part in parts(description))


def is_bound(question):
    """Of objective perturbation the suprema of delta and of Renyi divergences are known, the latter for derivatives of any
    sign; the rest follows from a bound on the loss. Of permute and flip all but the divergences."""
    description, ask = question["description"], question["ask"]
    if description["kind"] == "permute-and-flip":
        return ask == "renyi"
    bounded = ask == "tradeOff" or (ask == "renyi" and description.get("derivative") == "one-signed")
    return only_bounded(description) or (description["kind"] == "objective-perturbation" and bounded)


def line(question):
    """The question with its truth."""
    answer = dict(question)
    eps = question.get("epsilon", 0)
    if is_bound(question):
        answer["bound"] = "upper"
    if "bound" in answer and question["ask"] == "delta" and eps < 0:
        # Both directions obey the bound, which is sharper this way: 1 - e^eps + e^eps delta'(-eps).
        pair = lambda: pair_of(question["description"])
        answer["truth"] = decimal(settle(lambda: 1 - exp(mpf(eps)) + exp(mpf(eps)) * pair().delta(-mpf(eps)), digits(question)))
    else:
        answer["truth"] = decimal(truth(question))
    if question["description"].get("direction") == "both":
        # The upper end is what the table itself costs, which may be more than all that it dominates both ways.
        itself = lambda description: Outcomes(stated_table(description, mpmathify(description["infinite"])))
        answer["upper"] = decimal(truth(question, itself))
    return json.dumps(answer, separators=(",", ":"))


def about(description, delta=(), epsilon=(), renyi=(), power=(), calibrate=()):
    """Questions about one mechanism: values of epsilon, of delta, Renyi orders, false-positive rates, and
    (parameter, epsilon, delta) to calibrate."""
    ask = lambda kind, **rest: {"ask": kind, "description": description, **rest}
    return (
        [ask("delta", epsilon=e) for e in delta]
        + [ask("epsilon", delta=d) for d in epsilon]
        + [ask("renyi", orders=[a]) for a in renyi]
        + [ask("tradeOff", falsePositives=[x]) for x in power]
        + [ask("calibrate", parameter=p, epsilon=e, delta=d) for p, e, d in calibrate]
    )


def gaussian():
    normal = lambda sigma, sensitivity=1: {"kind": "gaussian", "sigma": sigma, "sensitivity": sensitivity}
    return (
        about(normal(1), delta=(0, 0.5, -0.5, 5.5, -40, 37), epsilon=(1, 0.5, 0.38292492254802624, 1e-5, 1e-300, 0),
              renyi=(1.000001, 2, 31.7, 1e6), power=(0, 1e-300, 0.01, 0.5, 0.99, 0.9999999999999999, 1),
              calibrate=(("sigma", 1, 1e-5), ("sigma", 0, 1e-3), ("sigma", 1000, 1e-300), ("sigma", 1e-9, 1e-9), ("sigma", 0.1, 0.9)))
        + about(normal(0.7310585786300049, 0.3), delta=(-1.7, 0.08423, 12.5), epsilon=(3.3e-7, 0.16), power=(3.21e-9,),
                calibrate=(("sensitivity", 0.7, 1.3e-8), ("sigma", 2.5, 1e-12)))
        + about(normal(0.001), delta=(1000, 499999.5, 500000, 530000), epsilon=(0.999, 1e-10, 1e-300), renyi=(2,), power=(1e-12,))
        + about(normal(1e6), delta=(0, 1e-12, 1e-6, 3.3e-5, 1000), epsilon=(3e-7, 1e-9, 1e-300), power=(0.3,))
        + about(normal(0.025), delta=(800, 2200), epsilon=(1e-269,)) + about(normal(20, 0.5), delta=(0.9, -0.01))
        + about(normal(1e50), delta=(0, 1e-50), epsilon=(1e-60,)) + about(normal(3e-90, 1e-90), delta=(1.25,))
        + about(normal(1e-30), delta=(4.9e59, 5.000000000000001e59, 1e60), epsilon=(1e-6, 0.5), renyi=(2,), power=(0.3,))
    )


def gdp():
    normal = lambda mu: {"kind": "gdp", "mu": mu}
    return (
        about(normal(1), delta=(0, 1, -2.5, 20), epsilon=(1e-5, 1e-100), renyi=(1.5, 64), power=(0, 1e-8, 0.25, 1),
              calibrate=(("mu", 1, 1e-5), ("mu", 0.01, 1e-280), ("mu", 300, 0.5)))
        + about(normal(0), delta=(-1, 0, 1), epsilon=(0, 1e-9), renyi=(2,), power=(0.3,))
        + about(normal(1e-12), delta=(0, 1e-12, 3e-11), epsilon=(1e-13, 1e-30))
        + about(normal(38.61), delta=(0, 745.4, 1000), epsilon=(1e-16, 0.9), power=(1e-300, 1e-5))
        + about(normal(0.05), delta=(0.1, 1.8), power=(0.3, 0.7)) + about(normal(0.1234567), delta=(-4.2,), epsilon=(6.02e-23,))
        + about(normal(1e-90), delta=(0, 1e-90), epsilon=(1e-91,), renyi=(2,)) + about(normal(1e-300), delta=(1e-300,))
    )


def laplace():
    noise = lambda scale, sensitivity=1: {"kind": "laplace", "scale": scale, "sensitivity": sensitivity}
    return (
        about(noise(1), delta=(0, 0.5, -0.5, 0.9999999999999999, 1, 1.0000000000000002, -1, -1.5, 1000),
              epsilon=(0, 1e-300, 1e-16, 1e-5, 0.3934693402873666, 0.3, 1), renyi=(1.000001, 1.5, 2, 1000, 1e6),
              power=(0, 1e-300, 0.01, 0.18393972058572117, 0.4, 0.5, 0.75, 0.9999999999999999, 1),
              calibrate=(("scale", 0.5, 0.1), ("scale", 0.5, 0), ("scale", 0.7, 1e-14), ("sensitivity", 0.3, 0.05)))
        + about(noise(0.3, 0.1), delta=(0.1, 0.3333333333333333, 0.33333333333333337, -0.3333333333333333), epsilon=(0, 1e-17, 0.05), renyi=(7.3,))
        + about(noise(1000.5, 0.01), delta=(0, 5e-6, 9.99e-6), epsilon=(1e-9,), renyi=(3,), power=(0.45,))
        + about(noise(0.001), delta=(999, 1000, 12, -999), epsilon=(1e-10, 0.75), renyi=(40,), power=(1e-300, 0.2))
        + about(noise(1e8), delta=(3e-9,), renyi=(2,)) + about(noise(1e90), delta=(0, 5e-91), epsilon=(1e-91,), renyi=(2, 1e6), power=(0.3,))
    )


def discrete_laplace():
    noise = lambda scale, sensitivity=1: {"kind": "discrete-laplace", "scale": scale, "sensitivity": sensitivity}
    return (
        about(noise(1), delta=(0, 0.5, 0.9999999999999999, 1, -0.3, -2, 1000), epsilon=(0, 1e-300, 1e-5, 0.3, 0.46211715726000973, 1),
              renyi=(1.000001, 2, 33), power=(0, 1e-4, 0.2, 0.26894142136999510, 0.5, 0.9, 1), calibrate=(("scale", 0.5, 0.1), ("scale", 0.5, 0)))
        + about(noise(2.7, 7), delta=(0, 1.1, 1.111111111111111, 2.5, 2.5925925925925926, -1.2), epsilon=(1e-9, 0.1, 0.35), renyi=(1.7, 200),
                power=(0.001, 0.31, 0.62), calibrate=(("scale", 1.3, 0.01), ("scale", 1.3, 0), ("sensitivity", 1.3, 0.2)))
        + about(noise(0.01, 5), delta=(99.5, 300, 499.99, -250), epsilon=(1e-40, 0.5), renyi=(2,), power=(1e-250,))
        + about(noise(5e5, 2), delta=(0, 1e-6, 3.9e-6), epsilon=(1e-8,)) + about(noise(333.3, 1500), delta=(0, 2.2, 4.4), epsilon=(1e-4,), renyi=(5,))
    )


def discrete_gaussian():
    noise = lambda sigma, sensitivity=1: {"kind": "discrete-gaussian", "sigma": sigma, "sensitivity": sensitivity}
    return (
        about(noise(1), delta=(0, 0.5, 0.49999999999999994, 1.7, -0.3, -40, 30, 1000), epsilon=(0, 1e-300, 1e-16, 1e-5, 0.3, 1), renyi=(1.000001, 1.5, 2, 33),
              power=(0, 1e-300, 1e-4, 0.2, 0.5, 0.9, 0.9999999999999999, 1), calibrate=(("sigma", 1, 1e-5), ("sigma", 0.2, 0.03), ("sensitivity", 30, 1e-9)))
        + about(noise(0.1, 2), delta=(0, 150, 199.9, 250, -3, 1600), epsilon=(1e-9, 0.5), renyi=(1.25, 7), power=(1e-80, 0.4))
        + about(noise(0.01), delta=(4000, 5000.1), renyi=(1.3,)) + about(noise(0.37, 3), delta=(1.1, 34.5), epsilon=(1e-20,), renyi=(1.0001, 2.9), power=(1e-20, 0.3))
        + about(noise(5), delta=(0.02, 0.4, 3.3, 6), epsilon=(1e-9, 0.05), renyi=(2.5,), power=(0.03,)) + about(noise(33.3, 40), delta=(0.7, 9.25, 40), epsilon=(1e-12,), power=(1e-6,))
        + about(noise(160.25, 7), delta=(1e-3, 0.15, 1.6), power=(0.6,)) + about(noise(500.7, 1), delta=(0.0021, 0.07)) + about(noise(2.5, 300), delta=(6500, 7200, 11000), power=(1e-200,))
    )


def truncated_laplace():
    noise = lambda scale, bound, sensitivity=1: {"kind": "truncated-laplace", "scale": scale, "sensitivity": sensitivity, "bound": bound}
    return (
        about(noise(1, 12), delta=(0, 0.5, 0.9999999999999999, 1, 1.0000000000000002, 3, -0.5, -1, -2, 1000), epsilon=(0, 1e-300, 5e-6, 5.2787767e-6, 1e-5, 0.1, 0.3, 1), renyi=(2,),
              power=(0, 1e-300, 1e-9, 0.01, 0.3, 0.5, 0.75, 0.99999, 1), calibrate=(("bound", 1, 1e-6), ("sensitivity", 1, 1e-5)))
        + about(noise(0.3, 1.2, 0.7), delta=(0, 1.5, 2.3, 2.4, -1.1, -3), epsilon=(0.09, 0.2, 0.5), power=(0, 1e-5, 0.2, 0.6)) + about(noise(2, 1), delta=(0, 0.2, 0.4999, 0.5, -0.3), epsilon=(0.4, 0.45), power=(0, 0.1, 0.4, 0.7))
        + about(noise(1, 0.8), delta=(0, 0.3, 0.59, 0.6000000000000001, 0.61, -0.4, -1), epsilon=(0.7, 0.8, 0.9), power=(0, 0.01, 0.2, 0.6)) + about(noise(1, 0.5), delta=(0, -2, 5), epsilon=(0.5, 1), power=(0, 0.3))
        + about(noise(0.001, 0.9), delta=(0, 500, 799.9, 801, -30), epsilon=(1e-10, 0.4), power=(1e-200, 0.3)) + about(noise(1, 650), delta=(0.3, 0.9, 2), epsilon=(1e-250, 0.1), power=(1e-9,))
        + about(noise(1000, 1000, 1e-6), delta=(0, 5e-10, 1), epsilon=(4e-10,))
    )


def truncated_gaussian():
    noise = lambda sigma, bound, sensitivity=1: {"kind": "truncated-gaussian", "sigma": sigma, "sensitivity": sensitivity, "bound": bound}
    return (
        about(noise(1, 6), delta=(0, 0.5, 1, 3, 5.499999999999999, 5.5, 9, -0.5, -4, -7, 1000), epsilon=(0, 1e-300, 2e-7, 2.85666e-7, 1e-6, 1e-3, 0.3, 1), renyi=(2,),
              power=(0, 1e-300, 1e-9, 0.01, 0.3, 0.5, 0.75, 0.99999, 1), calibrate=(("bound", 8, 1e-9), ("sensitivity", 1, 0.05)))
        + about(noise(0.3, 1.2, 0.7), delta=(0, 1.5, 6, 6.6, 6.7, -1.1, -8), epsilon=(0.05, 0.2, 0.5), power=(0, 1e-5, 0.2, 0.6)) + about(noise(2, 1), delta=(0, 0.05, 0.124, 0.125, 0.2, -0.1, -0.3), epsilon=(0.45, 0.46), power=(0, 0.1, 0.4, 0.7))
        + about(noise(1, 0.8), delta=(0, 0.2, 0.29, 0.31, -0.2, -1), epsilon=(0.6, 0.7, 0.9), power=(0, 0.01, 0.2, 0.6)) + about(noise(1, 0.5), delta=(0, -2, 5), epsilon=(0.5, 1), power=(0, 0.3))
        + about(noise(0.01, 0.9), delta=(0, 1000, 3999, 4001, -30), epsilon=(1e-10, 0.4), power=(1e-200, 0.3)) + about(noise(1, 30), delta=(0.3, 20, 29, 30), epsilon=(1e-100, 1e-190, 0.1), power=(1e-9,))
        + about(noise(1000, 1000, 1e-6), delta=(0, 5e-10, 1), epsilon=(2.5e-10,))
    )


def skellam():
    noise = lambda variance, sensitivity=1: {"kind": "skellam", "variance": variance, "sensitivity": sensitivity}
    return (
        about(noise(4), delta=(0, 0.5, 1, 3, 6, -0.3, -4), epsilon=(0, 1e-100, 1e-16, 1e-5, 0.1, 1), renyi=(1.000001, 2, 9.5), power=(0, 1e-50, 1e-4, 0.3, 0.5, 0.9, 1))
        + about(noise(0.3, 2), delta=(0.2, 2.5, 9), epsilon=(1e-6,), renyi=(1.5, 4), power=(0.01, 0.7)) + about(noise(50, 3), delta=(0.1, 1, 2.5), epsilon=(1e-6,), power=(1e-3, 0.6))
        + about(noise(0.01), delta=(1, 5, 7), power=(1e-5,))
    )


def distributed_discrete_gaussian():
    noise = lambda sigma, clients, sensitivity=1: {"kind": "distributed-discrete-gaussian", "sigma": sigma, "clients": clients, "sensitivity": sensitivity}
    return (
        about(noise(0.5, 10), delta=(0, 1, 3, -0.3), epsilon=(1e-16, 1e-5), renyi=(1.000001, 2, 5.5), power=(0, 1e-50, 0.3, 0.9, 1))
        + about(noise(0.3, 3, 2), delta=(0.2, 10, 25), epsilon=(1e-6,), renyi=(1.5,), power=(0.01, 0.7)) + about(noise(1.5, 5, 3), delta=(0.1, 2.5))
        + about(noise(2.5, 2, 2), delta=(0.3, 1.5)) + about(noise(2.4999, 2, 2), delta=(0.3,)) + about(noise(0.7, 1), delta=(0.3, 2))
    )


def privacy_loss():
    table = lambda losses, masses, infinite=0, rounded="exact", direction="remove": {"kind": "privacy-loss", "losses": losses, "masses": masses, "infinite": infinite, "rounded": rounded, "direction": direction}
    return (
        about(table([-1, 0, 1], [0.125, 0.5, 0.375], rounded="up"), delta=(-0.5, 0, 0.5, 0.9), epsilon=(0.1, 0.2), power=(0, 0.1, 0.5, 0.9))
        + about(table([-1, 0.25, 2, 30], [0.125, 0.5, 0.25, 0.0625], 0.0625), delta=(-2, 0, 0.2, 1.5, 25, 40), epsilon=(0.07, 0.3), renyi=(2,), power=(0, 1e-9, 0.01, 0.4))
        + about(table([-0.5, 0.5, 1], [0.25, 0.5, 0.25], 0, "up", "both"), delta=(-0.7, 0, 0.7), epsilon=(0.1,), renyi=(1.000001, 2, 100, 1e5), power=(0.1, 0.5))
        + about(table([0.7735756746693450], [0.75], 0.25, "up", "both"), delta=(-0.5, 0, 0.5, 0.77, 3), epsilon=(0.3, 0.6), renyi=(2,), power=(0, 0.1, 0.6))
        + about(table([-2, 3], [0.125, 0.875], 0, "up", "both"), delta=(0, 1, 2.5), epsilon=(0.01, 0.5), renyi=(2, 50), power=(0, 0.1))
        + about(table([-1.5, -0.25, 0.5, 2, 40], [0.0625, 0.125, 0.25, 0.25, 0.1875], 0.125, "up", "both"), delta=(-1, 0, 0.3, 1, 1.9, 39, 50), epsilon=(0.2, 0.4), power=(0, 1e-9, 0.1, 0.5))
        + about(table([-1, 0, 1], [0.25, 0.0703646467142, 0.6796353532858], 0, "up", "both"), delta=(0, 0.5), power=(0.2,))
        + about(table([0], [1]), delta=(-1, 0, 1), epsilon=(1e-3,), power=(0.3,))
        + about(table([-0.25, 0.5], [0.5, 0.5], 0, "exact", "add"), delta=(0, 0.3), power=(0.2,))
    )


def staircase():
    noise = lambda epsilon, gamma: {"kind": "staircase", "epsilon": epsilon, "gamma": gamma}
    return (
        about(noise(1, 0.25), delta=(0, 0.5, 1, -0.5), epsilon=(1e-3, 0), renyi=(2,), power=(0.1, 0.6), calibrate=(("epsilon", 0.5, 0.1), ("epsilon", 0.5, 0)))
        + about(noise(3, 0.8), delta=(1,), epsilon=(0.3,), renyi=(1.5, 64), power=(0.01, 0.97)) + about(noise(0.1, 0), delta=(0.05,), epsilon=(0.01,), power=(0.4,))
        + about(noise(2, 0.5), delta=(0.7, -1), power=(0.3,)) + about(noise(1, 1), delta=(0.2,), epsilon=(0.1,), renyi=(3,)) + about(noise(1e-9, 0.4), delta=(0, 4e-10))
        + about(noise(40, 1e-9), delta=(0, 39), epsilon=(0.5,), power=(1e-12,)) + about(noise(700, 0.7), delta=(0, 699), power=(0.5,))
    )


def permute_and_flip():
    release = lambda epsilon: {"kind": "permute-and-flip", "epsilon": epsilon}
    return (
        about(release(1), delta=(0, 0.5, 1, -0.5), epsilon=(1e-3, 0), renyi=(2,), power=(0, 0.1, 0.25, 0.6, 0.99), calibrate=(("epsilon", 0.5, 0.1), ("epsilon", 0.5, 0)))
        + about(release(20), delta=(1, 19, -19), epsilon=(0.5,), power=(1e-12, 0.01)) + about(release(1e-9), delta=(0, 4e-10)) + about(release(700), delta=(699,), power=(1e-300,))
    )


def gaussian_mixing():
    sketch = lambda size, gamma: {"kind": "gaussian-mixing", "sketchSize": size, "gamma": gamma}
    return (
        about(sketch(50, 20), delta=(0, 0.3, 1, 2.5, 30, -0.4, -25, 1000), epsilon=(0, 1e-300, 1e-6, 0.05, 1), renyi=(1.000001, 2, 19.5, 20, 64),
              power=(0, 1e-300, 1e-4, 0.2, 0.5, 0.9, 1), calibrate=(("gamma", 1, 1e-6), ("gamma", 0.1, 0.01), ("sketchSize", 1, 1e-5)))
        + about(sketch(1, 5), delta=(0, 0.05, 0.1115, 0.7, 9, -0.6), epsilon=(1e-12, 0.01), renyi=(1.5, 4.9), power=(1e-30, 0.3, 0.999))
        + about(sketch(2, 1.5), delta=(0, 0.5, 4), epsilon=(1e-9,), renyi=(1.25,), power=(0.01,)) + about(sketch(3, 1.001), delta=(0.2, 100), epsilon=(1e-3,), renyi=(1.0005,), power=(0.2,))
        + about(sketch(31, 7.7), delta=(0.01, 1.4), epsilon=(1e-40,), power=(1e-9, 0.7)) + about(sketch(500, 100), delta=(0, 0.1, 1.5), epsilon=(1e-5,), renyi=(3, 50.5), power=(0.4,))
        + about(sketch(1000, 1.2), delta=(100, 300, 500), epsilon=(0.01,)) + about(sketch(20000, 1000), delta=(0.02, 0.8), epsilon=(1e-8,), renyi=(2,), power=(0.05,))
        + about(sketch(10, 1e6), delta=(0, 1e-6, 2e-5), renyi=(2,), epsilon=(1e-8,), calibrate=(("gamma", 3, 1e-10),))
        # Where the smallest part of a gamma law decides.
        + about(sketch(1, 1.000001), delta=(0, 1, 700), epsilon=(0.997, 1e-6), power=(1e-9, 0.3)) + about(sketch(3, 1.000001), delta=(0, 1, 700), power=(0.5,))
        + about(sketch(10, 1.001), delta=(0, 1, 20), epsilon=(0.5,)) + about(sketch(1000, 1.000001), delta=(1000, 5e8), epsilon=(1e-3,))
    )


def posterior_sampling():
    sample = lambda leverage, residual: {"kind": "posterior-sampling", "leverage": leverage, "residual": residual}
    return (
        about(sample(0.01, 2), delta=(0, 0.1, 0.5, 1, 2, -0.4), epsilon=(1e-3, 1e-6, 1e-12), renyi=(1.25, 2, 19.5, 101, 64))
        + about(sample(0.5, 1), delta=(0, 0.7, 2.5), epsilon=(1e-5,), renyi=(1.001, 2.75)) + about(sample(1e-6, 300), delta=(0.01, 0.5, 1.5), epsilon=(1e-6,), renyi=(2, 40))
        + about(sample(2, 0), delta=(0, 0.3, 3), epsilon=(0.01,), renyi=(1.25,)) + about(sample(20, 3), delta=(1, 10), renyi=(1.03,)) + about(sample(1e-4, 30), delta=(0.1, 1), epsilon=(1e-9,), renyi=(7,))
        + about(sample(0.01, 2), power=(0, 1e-60, 1e-9, 1e-3, 0.2, 0.5, 0.9, 1)) + about(sample(2, 0), power=(1e-100, 1e-6, 0.3, 0.7)) + about(sample(0.3, 1), delta=(-3,), epsilon=(1e-300,), power=(1e-40, 0.6))
        # Hardly any loss, and more than doubles take as an exponent.
        + about(sample(1e-9, 0), delta=(0, 3e-10, 1e-8), epsilon=(1e-10,), power=(0.3,)) + about(sample(1e-9, 1e6), delta=(0, 400, 1500), epsilon=(1e-10,), power=(1e-30, 1e-9))
        + about(sample(1000, 0), delta=(0, 1, 5000), epsilon=(1e-12,), power=(1e-9,)) + about(sample(1000, 1e6), delta=(4.995e11, 4.999e11), epsilon=(1e-6,)) + about(sample(1e-3, 1000), delta=(0, 900), power=(1e-200,))
    )


def objective_perturbation():
    release = lambda sigma, penalty, lipschitz=1, smoothness=1, **more: {"kind": "objective-perturbation", "sigma": sigma, "lambda": penalty, "lipschitz": lipschitz, "smoothness": smoothness, **more}
    return (
        about(release(8, 10), delta=(0, 0.005, 0.05, 0.1, 0.3, 0.6, 3, -0.2), epsilon=(0, 1e-6, 0.05, 1), renyi=(1.000001, 2, 31.7, 1e4), power=(0, 1e-300, 1e-3, 0.2, 0.5, 0.9, 1),
              calibrate=(("sigma", 0.3, 1e-6),))
        + about(release(2, 1, 1, 0.25, derivative="one-signed"), delta=(0, 0.2, 0.3, 1, 3, -1), epsilon=(0.01,), renyi=(1.5, 16), power=(1e-5, 0.4, 0.8))
        + about(release(5, 20), delta=(0.01, 0.5, 1), epsilon=(1e-9,)) + about(release(1, 3), delta=(0.1, 2, 12), epsilon=(1e-4, 1e-100))
        + about(release(50, 100), delta=(0.5, 1e-4), renyi=(2,)) + about(release(1, 20), delta=(0.1, 0.6, 5), renyi=(1.01, 50), power=(0.2, 1e-12))
        + about(release(0.05, 3, 1.4142135623730951, 0.5), delta=(400, 500), renyi=(3,), power=(1e-50,)) + about(release(100, 1e-2), delta=(0.4, 4.6, 4.8), renyi=(1.2, 8), power=(1e-8,))
        + about(release(300, 30), delta=(0, 0.02, 3e-4), renyi=(5,)) + about(release(100, 0.3, derivative="one-signed"), delta=(0.3, 1.4, 1.5))
    )


def approximate_minima_perturbation():
    release = lambda sigma, penalty, tolerance, noise, **more: {"kind": "approximate-minima-perturbation", "sigma": sigma, "lambda": penalty, "lipschitz": 1, "smoothness": 1, "gradientTolerance": tolerance, "outputSigma": noise, **more}
    return (
        about(release(8, 10, 0.01, 0.15), delta=(0.6,), renyi=(2, 31.7)) + about(release(2, 1, 0.1, 0.5, derivative="one-signed"), renyi=(1.5,))
    )


def report_noisy_max():
    winner = lambda noise, vote, scale, classes=2: {"kind": "report-noisy-max", "noise": noise, "vote": vote, "classes": classes, "scale": scale}
    laplace = lambda vote, scale, classes=2: winner("laplace", vote, scale, classes)
    normal = lambda vote, scale, classes=2: winner("gaussian", vote, scale, classes)
    return (
        about(laplace("added", 1), delta=(0, 0.1, 0.3, 0.3068528194400547, 0.31, 0.5, 0.9, 0.99, 0.9999999999999999, 1, -0.2, -0.5, -1.5), epsilon=(1e-300, 1e-12, 1e-6, 0.01, 0.2, 0.3, 1),
              power=(0, 1e-300, 1e-9, 0.1, 0.27590958087858175, 0.5, 0.7, 0.9999999999999999, 1), calibrate=(("scale", 0.5, 0.01), ("scale", 0.5, 0), ("scale", 0.1, 1e-6)))
        + about(laplace("switched", 1), delta=(0, 0.5, 0.9, 0.91, 1.5, 1.99, -1), epsilon=(1e-6, 0.1, 0.4), power=(1e-5, 0.3, 0.6))
        + about(laplace("added", 10), delta=(0, 0.002, 0.0047, 0.05, 0.0999, -0.03), epsilon=(1e-6, 1e-3, 0.02), power=(0.01, 0.4), calibrate=(("scale", 1, 1e-5),))
        + about(laplace("switched", 0.013), delta=(0, 100, 148, 149, 153, 153.8, -20), epsilon=(1e-6, 1e-60, 0.9), power=(1e-100, 1e-20))
        + about(laplace("added", 1e8), delta=(0, 3e-9, 9.9e-9), power=(0.3,)) + about(laplace("added", 1e90), delta=(0, 5e-91), power=(0.3,))
        + about(laplace("added", 2, 10), renyi=(2, 30))
        + about(normal("added", 1), delta=(0, 0.5, 3), epsilon=(1e-5, 0.1), renyi=(2,), power=(0.01, 0.6), calibrate=(("scale", 1, 1e-5),))
        + about(normal("added", 40, 10), renyi=(20,)) + about(normal("switched", 40, 10), delta=(0, 0.05, -0.01), epsilon=(1e-6,), renyi=(10, 43.5), power=(0.2,), calibrate=(("scale", 0.1, 1e-6),))
        + about(normal("switched", 0.5), delta=(2, 7), epsilon=(1e-9,))
    )


def matrix():
    def noise(scheme, steps, times=1, separation=1, sigma=8, sensitivity=1, schedule="fixed-order", **rest):
        return {"kind": "matrix", "scheme": scheme, "steps": steps, "schedule": schedule, "participations": times,
                "separation": separation, "sigma": sigma, "sensitivity": sensitivity, **rest}
    apart = lambda *numbers, **rest: noise(*numbers, schedule="min-separation", **rest)
    return (
        about(noise("tree", 1), delta=(0, 1), epsilon=(1e-6,)) + about(noise("tree", 13), delta=(0.5,), epsilon=(1e-6, 1e-12), power=(0.01,))
        + about(noise("tree", 16, 3, 4), delta=(0, 1.5, -2), epsilon=(1e-6,), renyi=(2,), calibrate=(("sigma", 1, 1e-6), ("sensitivity", 3, 1e-9)))
        + about(noise("tree", 23, 9, 5, 0.7, 0.3), delta=(1,), epsilon=(1e-5,)) + about(noise("tree", 12, 30, 1), epsilon=(1e-6,))
        + about(noise("tree", 21, 2, 8), epsilon=(1e-6,)) + about(apart("tree", 9, 7, 9), epsilon=(1e-6,)) + about(apart("tree", 9), epsilon=(1e-6,))
        + about(noise("sqrt-toeplitz", 24), delta=(0.1,), epsilon=(1e-6, 1e-100), power=(1e-3,))
        + about(noise("sqrt-toeplitz", 17, 4, 5, 2.5), delta=(2,), epsilon=(1e-6,)) + about(apart("sqrt-toeplitz", 12, 3, 2), epsilon=(1e-6,))
        + about(apart("sqrt-toeplitz", 11, 40, 3, 1, 0.25), epsilon=(1e-6,), calibrate=(("sigma", 2, 1e-8),))
        + about(noise("banded", 19, 3, 6, bandwidth=4), epsilon=(1e-6,)) + about(apart("banded", 14, 3, 4, bandwidth=4), epsilon=(1e-6,))
        + about(apart("banded", 12, 4, 2, bandwidth=5), epsilon=(1e-6,)) + about(noise("banded", 9, bandwidth=30), epsilon=(1e-6,))
        + about(noise("banded-inverse", 20, bandwidth=4), delta=(0.3,), epsilon=(1e-6,)) + about(apart("banded-inverse", 12, 3, 3, bandwidth=3), epsilon=(1e-6,))
        + about(noise("banded-inverse", 15, 5, 3, bandwidth=1), epsilon=(1e-6,))
        + about(noise("columns", 16, 3, 2, columns=[0.5, 1, 0.75]), epsilon=(1e-6,)) + about(apart("columns", 13, 3, 3, columns=[0.5, 1, 0.75]), epsilon=(1e-6,))
        + about(apart("columns", 12, 3, 1, columns=[1, 0.5, 0.5, 0.125]), epsilon=(1e-6,)) + about(noise("columns", 2, columns=[3, 4, 5]), epsilon=(1e-6,))
    )


def randomized_response():
    told = lambda categories, epsilon: {"kind": "randomized-response", "other": "random", "categories": categories, "epsilon": epsilon}
    answer = lambda categories, epsilon: {"kind": "randomized-response", "categories": categories, "epsilon": epsilon}
    return (
        about(answer(2, 1), delta=(0, 0.3, 0.9999999999999999, 1, -1, -1.3, 1000), epsilon=(0, 1e-300, 1e-7, 0.4621171572600098, 1), renyi=(1.000001, 2, 1e6),
              power=(0, 1e-300, 0.2689414213699951, 0.6, 1), calibrate=(("epsilon", 0.5, 0.1), ("epsilon", 0.5, 0), ("epsilon", 0, 1e-3)))
        + about(answer(10, 0.5), delta=(-0.2, 0, 0.2), epsilon=(0.03,), renyi=(3.3,), power=(0.05, 0.5, 0.97),
                calibrate=(("epsilon", 0.5, 0.02), ("categories", 0.3, 0.01)))
        + about(answer(1000000000000000, 30), delta=(-31, -3, 0, 29.9, 30), epsilon=(1e-5, 0.001), renyi=(2, 50), power=(1e-15, 0.5))
        + about(answer(3, 1000), delta=(0, 999.5, -999), epsilon=(1e-300,), renyi=(4,), power=(1e-300,)) + about(answer(5, 0), delta=(0, -1), epsilon=(0,), power=(0.4,))
        + about(answer(7, 1e-13), delta=(0, 9e-14), epsilon=(5e-15,))
        + about(told(5, 1), delta=(-0.4, 0, 0.2, 0.3, 0.5, 0.7), epsilon=(1e-3, 0.2), renyi=(1.5, 2, 40), power=(0.01, 0.3, 0.9), calibrate=(("epsilon", 0.2, 0.1),))
        + about(told(2, 3), delta=(-1, 0.5, 2), epsilon=(0.01,), renyi=(2,), power=(0.2, 0.7)) + about(told(1000000, 30), delta=(1, 13, 15), epsilon=(0.9,), renyi=(3,), power=(1e-7,)) + about(told(3, 1e-9), delta=(0, 2e-10), power=(0.3,))
    )


def pure():
    release = lambda epsilon: {"kind": "pure", "epsilon": epsilon}
    return (
        about(release(1), delta=(0, 0.5, 1, 1.0000000000000002, -0.5, -1, -3, 1000), epsilon=(0, 1e-300, 1e-16, 0.2, 0.4621171572600098, 1),
              renyi=(1.000001, 1.01, 2, 17.5), power=(0, 1e-9, 0.3, 0.5, 1), calibrate=(("epsilon", 0.5, 0.1), ("epsilon", 0.5, 0), ("epsilon", 2.2, 1e-15)))
        + about(release(0), delta=(0, -1, 1), epsilon=(0,), renyi=(2,), power=(0.25,)) + about(release(3e-9), delta=(0, 1e-9), epsilon=(1e-9,), renyi=(2,))
        + about(release(50.123), delta=(50, -50, 50.123), epsilon=(0.5,), renyi=(3,), power=(1e-22, 1e-21)) + about(release(1000), delta=(0, 750), epsilon=(1e-200,))
        + about(release(1e-90), delta=(0, 5e-91, -5e-91), epsilon=(1e-91,), renyi=(1.000001, 2, 1e6), power=(0.3,))
    )


def approximate():
    release = lambda epsilon, delta: {"kind": "approximate", "epsilon": epsilon, "delta": delta}
    return (
        about(release(1, 1e-6), delta=(0, 0.5, 1, 2, 1000, -0.7, -1, -2), epsilon=(0, 1e-7, 1e-6, 1.0000000000000002e-6, 1e-5, 0.4, 0.9, 1), renyi=(2,),
              power=(0, 1e-300, 0.01, 0.26894, 0.5, 0.999999, 1), calibrate=(("epsilon", 1, 1e-5), ("delta", 1, 1e-5), ("delta", 0.5, 0.3), ("epsilon", 1, 1e-6)))
        + about(release(2.345, 1e-300), delta=(2.3449999999999998, 2.345, 2.4), epsilon=(1e-300, 2e-300, 1e-200), power=(0, 1e-299))
        + about(release(0, 0.25), delta=(0, 1, -1), epsilon=(0.25, 0.2), power=(0.1, 0.8)) + about(release(0.7, 0), delta=(0.2, 0.7), epsilon=(0,), renyi=(2, 5.5), power=(0.3,))
        + about(release(1, 1), delta=(3, -3), epsilon=(0.5, 1), power=(0, 0.5))
    )


def exponential():
    choice = lambda epsilon: {"kind": "exponential", "epsilon": epsilon}
    return (
        about(choice(1), delta=(0, 0.5, 0.999, 0.9999999999999999, 1, -0.5, -1, -2, 1000), epsilon=(0, 1e-300, 1e-12, 1e-3, 0.2, 1), renyi=(1.000001, 2, 10, 3000),
              power=(0, 1e-300, 0.01, 0.5, 0.99, 1), calibrate=(("epsilon", 0.5, 0.01), ("epsilon", 0.5, 0), ("epsilon", 0, 1e-4)))
        + about(choice(0.001), delta=(0, 0.0004, 0.000999), epsilon=(1e-7,), renyi=(2, 100), power=(0.2,)) + about(choice(0), delta=(0, -1), epsilon=(0,), renyi=(2,), power=(0.7,))
        + about(choice(23.7), delta=(0, 11.1, 23.69999, -8.5), epsilon=(1e-6,), renyi=(1.5, 8), power=(1e-11,)) + about(choice(700), delta=(0, 650, -650), epsilon=(1e-100,), renyi=(2,), power=(1e-300,))
        + about(choice(1e-90), delta=(0, 5e-91, -5e-91), renyi=(2,), power=(0.3,))
    )


def partition_selection():
    choice = lambda epsilon, delta: {"kind": "partition-selection", "epsilon": epsilon, "delta": delta}
    return (
        about(choice(1, 1e-5), delta=(-2, -0.3, 0, 0.25, 0.999, 1, 3), epsilon=(1e-6, 1e-4, 0.03, 0.3), power=(0, 1))
        + about(choice(0.1, 1e-8), delta=(0, 0.05, -0.05), epsilon=(1e-9, 1e-7, 1e-3)) + about(choice(0.5, 0.01), delta=(0, 0.4), epsilon=(0.05,)) + about(choice(3, 1e-12), delta=(0, 2.5), epsilon=(0.5, 1e-10))
        + about(choice(50, 1e-12), delta=(0, 49, -10), epsilon=(1e-3,)) + about(choice(2, 0.7), delta=(-3, 0, 1, 2), epsilon=(0.75,)) + about(choice(20, 1e-300), delta=(0, 19), epsilon=(1e-5,)) + about(choice(1, 1), delta=(0, 2), epsilon=(1,))
        + about(choice(1.7, 0.3), delta=(0, 1.2), epsilon=(0.4,)) + about(choice(700, 1e-300), delta=(0, 690)) + about(choice(0.01, 1e-3), delta=(0, 0.005), epsilon=(0.002,))
    )


def zcdp():
    release = lambda rho: {"kind": "zcdp", "rho": rho}
    return (
        about(release(0.5), delta=(0, 0.01, 1, 5, 35, 60, -0.5, -3), epsilon=(0, 1e-300, 1e-6, 0.1, 0.46, 0.5, 1), renyi=(1.000001, 2, 77.7), power=(0, 1e-9, 0.02, 0.3, 0.8))
        + about(release(1e-3), delta=(0, 1e-2, 0.4), epsilon=(1e-2, 1e-12, 1e-250), power=(1e-3, 0.5, 0.9)) + about(release(0.0123), delta=(0.05, 0.7, -0.1), epsilon=(1e-9, 0.01))
        + about(release(0), delta=(0, 1, -1), epsilon=(0, 1e-9), renyi=(3,)) + about(release(0.671), delta=(0,)) + about(release(2000), delta=(0, 1000, 2500), epsilon=(1e-5, 0.9)) + about(release(37.5), epsilon=(1e-10,), delta=(90,))
    )


def xi_zcdp():
    release = lambda rho, xi: {"kind": "xi-zcdp", "xi": xi, "rho": rho}
    return (
        about(release(0.5, 0.25), delta=(0, 0.3, 2, 6, -1), epsilon=(1e-6, 0.2, 1e-100), renyi=(1.5, 20), power=(1e-3, 0.4)) + about(release(1e-3, 2), delta=(1, 2.2), epsilon=(1e-5, 0.3), renyi=(2,))
        + about(release(0, 0.75), delta=(0, 0.5, 0.75, -0.3), epsilon=(0.1, 1e-9, 0), power=(0.2,)) + about(release(3, 1e-4), delta=(5,), epsilon=(1e-10,)) + about(release(0.02, 0), delta=(0.5,), epsilon=(1e-7,))
    )


def tcdp():
    release = lambda rho, omega: {"kind": "tcdp", "rho": rho, "omega": omega}
    return (
        about(release(0.02, 5), power=(1e-6, 0.02, 0.4, 0.9), delta=(0, 0.1, 1, 3, 100, -1), epsilon=(0, 1e-6, 1e-300, 0.1, 0.7, 1), renyi=(1.000001, 2, 4.99, 5, 5.0000001, 20))
        + about(release(0.1, 3), delta=(0.4, 10), epsilon=(1e-10,), renyi=(2.5,)) + about(release(1.5, 1.000001), delta=(0, 2, 1e6), epsilon=(0.3, 1e-5))
        + about(release(0.37, 1e6), delta=(2, 18), epsilon=(1e-30, 1e-300)) + about(release(1e-7, 2.5), delta=(0.001, 5), epsilon=(1e-3, 1e-8))
        + about(release(80, 12), delta=(500,), epsilon=(1e-7,))
    )


def rdp():
    table = lambda orders, epsilons: {"kind": "rdp", "orders": orders, "epsilons": epsilons}
    return (
        about(table([2], [0.01]), delta=(0, 0.1, 1, 20, -0.3), epsilon=(0, 1e-3, 1e-6, 1e-300, 0.02, 0.9, 1), renyi=(1.5, 2, 2.0000001), power=(0, 1e-9, 0.1, 0.95, 1))
        + about(table([10], [0.5]), delta=(0.2, 1.5, 4), epsilon=(1e-5, 1e-20), renyi=(9.5,), power=(0.02,)) + about(table([1.5], [3]), delta=(0, 1, 50), epsilon=(1e-4, 0.5), power=(0.04, 0.06))
        + about(table([2], [1e-10]), delta=(0, 1e-5, 1e-3), epsilon=(1e-6,)) + about(table([1000], [30]), delta=(29, 30.5), epsilon=(1e-200,))
        + about(table([1.000001], [0.2]), delta=(0.5,), epsilon=(0.1,))
        + about(table([2, 4, 8], [0.1, 0.2, 0.4]), delta=(0, 0.3, 1, 1.6, 5, -1), epsilon=(1e-2, 1e-5, 1e-50), renyi=(1.3, 2, 3, 6.6, 8, 9), power=(1e-6, 0.2, 0.8))
        + about(table([1.25, 2, 3.5, 16, 64], [0.3, 0.31, 0.9, 2.2, 9]), delta=(0.4, 2.5, 11), epsilon=(0.05, 1e-8), renyi=(1.8, 2.6, 40), power=(0.003,))
        + about(table([3, 5, 7], [0.8, 0.5, 2]), delta=(1,), renyi=(2, 3, 4.5, 6)) + about(table([2, 3], [0, 0.5]), delta=(0, -1), epsilon=(0,))
        + about(table([1.001], [5]), delta=(4,), epsilon=(0.3, 1e-5)) + about(table([1.01, 1.04], [0.5, 2]), delta=(0.1, 3), epsilon=(0.01,), renyi=(1.02,), power=(0.3,))
        + about(table([2], [1e-20]), delta=(0, 1e-10), epsilon=(1e-11,)) + about(table([1000000], [3]), delta=(2.9999,), epsilon=(1e-9,))
    )


def subsampled():
    poisson = lambda rate, of: {"kind": "subsampled", "sampling": "poisson", "rate": rate, "of": of}
    fixed = lambda rate, of: {"kind": "subsampled", "sampling": "without-replacement", "rate": rate, "of": of}
    normal = lambda sigma, sensitivity=1: {"kind": "gaussian", "sigma": sigma, "sensitivity": sensitivity}
    noise = lambda scale, sensitivity=1: {"kind": "laplace", "scale": scale, "sensitivity": sensitivity}
    whole = lambda kind, **parameters: {"kind": "discrete-" + kind, **parameters}
    answer = lambda categories, epsilon: {"kind": "randomized-response", "categories": categories, "epsilon": epsilon}
    failing = lambda epsilon, delta: {"kind": "approximate", "epsilon": epsilon, "delta": delta}
    return (
        about(poisson(0.1, normal(1)), delta=(0, 0.05, 0.3, 2.2, 9, 30, -0.05, -0.11, -1.5), epsilon=(0, 1e-300, 1e-12, 1e-5, 0.02, 1), renyi=(1.5, 2, 7, 64.5),
              power=(1e-200, 1e-9, 0.01, 0.2, 0.31, 0.4, 0.69, 0.9999), calibrate=(("of.sigma", 1, 1e-6), ("rate", 0.5, 1e-5)))
        + about(fixed(0.1, normal(1)), delta=(0, 0.05, 0.3, 2.2, 9, 30, -0.05, -0.11, -1.5), epsilon=(0, 1e-300, 1e-12, 1e-5, 0.02), renyi=(1.5, 2, 7, 64.5),
                power=(1e-200, 1e-9, 0.01, 0.2, 0.308, 0.309, 0.5, 0.65, 0.654, 0.8, 0.9999), calibrate=(("of.sigma", 1, 1e-6), ("rate", 0.5, 1e-5)))
        + about(fixed(0.9, normal(2.5)), delta=(0.2, 1.4, -0.7), epsilon=(1e-8,), renyi=(3.3,), power=(0.05, 0.5, 0.97))
        + about(poisson(0.3, noise(1)), delta=(0, 0.2, 0.41, 0.4162, -0.15, -0.35, -0.5), epsilon=(0, 1e-12, 0.01, 0.2), renyi=(1.5, 2, 30), power=(1e-200, 0.1, 0.4, 0.7, 0.9999),
                calibrate=(("rate", 0.3, 0), ("of.scale", 0.3, 0.01), ("of.scale", 0.3, 0)))
        + about(fixed(0.02, noise(0.2)), delta=(0, 0.01, 1.2, 1.3, -0.015, -2), epsilon=(0, 1e-9, 0.005), renyi=(1.2, 5), power=(1e-9, 0.02, 0.3, 0.92, 0.97), calibrate=(("rate", 0.1, 1e-3),))
        + about(fixed(0.25, answer(5, 1.5)), delta=(0, 0.3, 0.6, -0.2, -1), epsilon=(0, 1e-7, 0.05), renyi=(2, 9), power=(1e-50, 0.1, 0.4, 0.95), calibrate=(("of.epsilon", 0.3, 0.02), ("rate", 0.4, 0)))
        + about(fixed(1e-3, answer(1000, 12)), delta=(0.5, 3), epsilon=(1e-4,), renyi=(3,), power=(1e-6, 0.5))
        + about(poisson(0.05, whole("laplace", scale=2, sensitivity=3)), delta=(0, 0.03, 0.15, -0.03), epsilon=(1e-6, 0.01), renyi=(2.5,), power=(0.01, 0.3, 0.8))
        + about(fixed(0.4, whole("laplace", scale=1.5, sensitivity=1)), delta=(0.1, -0.2), epsilon=(0.03,), renyi=(6,), power=(0.2, 0.5))
        + about(poisson(0.2, whole("gaussian", sigma=1, sensitivity=1)), delta=(0, 0.1, 1.5, 20, -0.1), epsilon=(1e-8, 1e-100), renyi=(2, 12), power=(1e-60, 0.3, 0.9))
        + about(fixed(0.05, whole("gaussian", sigma=3.3, sensitivity=2)), delta=(0.01, 0.3, 3, -0.02), epsilon=(1e-6,), renyi=(4,), power=(0.001, 0.4, 0.7))
        + about(poisson(0.5, failing(1, 0.3)), delta=(0, 0.3, 0.7, -0.5, -0.9, -2), epsilon=(0.15, 0.2), renyi=(2,), power=(0, 0.1, 0.4, 0.6, 0.8)) + about(fixed(0.01, failing(2, 1e-6)), delta=(0, 0.05, 3, -0.05), epsilon=(1e-8, 1e-5), renyi=(2,), power=(1e-9, 0.3, 0.9))
    )


def gaussian_mixture():
    mixture = lambda sigma, sensitivities, probabilities: {"kind": "gaussian-mixture", "sigma": sigma, "sensitivities": sensitivities, "probabilities": probabilities}
    return (
        about(mixture(1, [0, 1, 2], [0.75, 0.125, 0.125]), delta=(0, 0.1, 0.2876, 0.28768, 1, 5, 40, -0.1, -0.2877, -2), epsilon=(0, 1e-12, 1e-5, 0.02, 0.5, 1e-200),
              renyi=(1.5, 2, 8, 64.5), power=(0, 1e-200, 1e-9, 0.01, 0.3, 0.6, 0.9999, 1), calibrate=(("sigma", 1, 1e-6),))
        + about(mixture(2, [3, 1], [0.5, 0.5]), delta=(0, 0.7, 6, -0.4), epsilon=(1e-8, 0.2), renyi=(1.25, 3), power=(1e-7, 0.5, 0.97))
        + about(mixture(0.5, [0, 1, 1, 4], [0.984375, 0.0078125, 0.00390625, 0.00390625]), delta=(0, 0.005, 3, 30, -0.01), epsilon=(1e-3, 1e-9), renyi=(2, 3.5), power=(1e-5, 0.2, 0.9))
        + about(mixture(100, [0, 1], [0.5, 0.5]), delta=(0, 0.001, 0.02), epsilon=(1e-4, 1e-30), renyi=(2, 50), power=(0.2,))
    )


def composition():
    several = lambda *parts: {"kind": "composition", "of": [{"mechanism": mechanism, "count": count} for mechanism, count in parts]}
    normal = lambda sigma, sensitivity=1: {"kind": "gaussian", "sigma": sigma, "sensitivity": sensitivity}
    release = lambda epsilon: {"kind": "pure", "epsilon": epsilon}
    concentrated = lambda rho: {"kind": "zcdp", "rho": rho}
    return (
        about(several((normal(5), 10)), delta=(0, 1, 12, -1), epsilon=(1e-5, 1e-200), renyi=(2,), power=(0.01,), calibrate=(("of.0.mechanism.sigma", 1, 1e-5), ("of.0.count", 3, 1e-6)))
        + about(several((normal(1.7, 0.2), 3), ({"kind": "gdp", "mu": 0.31}, 7), (normal(40), 1000)), delta=(0.5, 9), epsilon=(1e-7,), renyi=(5.5,), power=(0.2,), calibrate=(("of.1.mechanism.mu", 4, 1e-6),))
        + about(several((normal(1e4), 1000000)), delta=(0.01,), epsilon=(1e-9,)) + about(several((normal(3e7, 2), 1000000000000000)), delta=(1.5,), epsilon=(1e-3,))
        + about(several((release(0.1), 20)), delta=(0, 0.3, 0.6000000000000001, 1.2345, 1.9999999999999998, 2, 3, -0.7, -2.5), epsilon=(0, 1e-300, 1e-20, 1e-6, 0.05, 0.5),
                renyi=(2, 12.5), power=(0, 1e-9, 0.1, 0.7, 1), calibrate=(("of.0.mechanism.epsilon", 1, 1e-6), ("of.0.mechanism.epsilon", 1, 0)))
        + about(several((release(1), 2), (release(1), 1)), delta=(0.5, 2, 2.5), epsilon=(0.01,)) + about(several((release(0.01), 1000)), delta=(0.5, 2.5, 8), epsilon=(1e-8, 1e-150), power=(1e-4,))
        + about(several((release(2.5), 1)), delta=(1.1,)) + about(several((release(30), 3)), delta=(29, 31, 89.9), epsilon=(1e-12,))
        + about(several((concentrated(0.01), 7), (concentrated(0.2), 1)), delta=(1, 8), epsilon=(1e-6,), renyi=(3,))
        + about(several((concentrated(0.1), 1), (concentrated(0.3), 2), (concentrated(1e-9), 5)), delta=(0, 2), epsilon=(1e-9,), renyi=(1.5,))
    )


TABLES = {"gaussian": gaussian, "gdp": gdp, "laplace": laplace, "discrete-laplace": discrete_laplace, "discrete-gaussian": discrete_gaussian,
          "truncated-laplace": truncated_laplace, "truncated-gaussian": truncated_gaussian, "privacy-loss": privacy_loss, "staircase": staircase, "permute-and-flip": permute_and_flip, "skellam": skellam, "distributed-discrete-gaussian": distributed_discrete_gaussian,
          "gaussian-mixing": gaussian_mixing, "posterior-sampling": posterior_sampling, "objective-perturbation": objective_perturbation, "approximate-minima-perturbation": approximate_minima_perturbation,
          "report-noisy-max": report_noisy_max, "matrix": matrix, "randomized-response": randomized_response, "pure": pure, "approximate": approximate, "exponential": exponential,
          "partition-selection": partition_selection, "zcdp": zcdp, "xi-zcdp": xi_zcdp, "tcdp": tcdp, "rdp": rdp, "subsampled": subsampled, "gaussian-mixture": gaussian_mixture, "composition": composition}


if __name__ == "__main__":
    for kind in sys.argv[1:] or TABLES:
        lines = [line(question) for question in TABLES[kind]()]
        (pathlib.Path(__file__).parent / f"{kind}.ndjson").write_text("\n".join(lines) + "\n")
        print(f"{kind}: {len(lines)} lines")
