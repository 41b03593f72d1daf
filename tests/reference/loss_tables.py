"""Pairs, as in `pairs.py`, that are a list of outcomes and not symmetric: both directions are asked."""
from mpmath import mpf, exp

from mechanism_pairs import Worse
from pairs import Outcomes


def loss_table(masses, both=False):
    return Outcomes(masses) if both else Worse(Outcomes(masses), Outcomes([(q, p) for p, q in masses]))


def against_random(categories, eps):
    """The true answer with odds e^eps to 1, against one of all categories at random."""
    total = exp(eps) + categories - 1
    return [(exp(eps) / total, 1 / categories), ((categories - 1) / total, (categories - 1) / categories)]


def stated_table(description, infinite):
    """A table of losses: what is left of Q is where P has nothing."""
    finite = [(mpf(p), mpf(p) * exp(-mpf(loss))) for loss, p in zip(description["losses"], description["masses"])]
    rest = 1 - sum(q for _, q in finite)
    return loss_table(finite + [(infinite, mpf(0)), (mpf(0), max(rest, mpf(0)))], description["direction"] == "both")
