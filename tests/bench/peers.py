"""What other accountants take for the questions of accounting.mjs, which asks this program: peers.py PEER QUESTION CALLS.

Prints JSON: the median processor time of a call in milliseconds, and what the last one answered. A peer is whatever of that
name can be imported: dp_accounting (Google), prv_accountant (Microsoft), opacus (Meta). No two calls ask the same, as in
accounting.mjs. Where a peer takes a step width or an error, it is the one of its own documentation.
"""
import json
import statistics
import sys
import time

DELTA = 1e-5
COUNT = 1000
ORDERS = [1.25, 1.5, 2, 3, 4, 8, 16, 32, 64, 128]
# Of epsilon, and a thousandth of delta: the default of Opacus, and finer than what prv_accountant recommends.
ERROR = 0.01


def different(count, turn):
    """Noise and rate of each."""
    return [(1 + turn / 1e6 + i / count, 0.005 + 0.01 * i / count) for i in range(count)]


class Google:
    def __init__(self):
        import dp_accounting
        from dp_accounting import pld, rdp
        from dp_accounting.pld import privacy_loss_distribution

        self.all, self.pld, self.rdp, self.losses = dp_accounting, pld, rdp, privacy_loss_distribution

    def epsilon_of(self, loss):
        return [None, loss.get_epsilon_for_delta(DELTA)]

    def sampled(self, turn):
        loss = self.losses.from_gaussian_mechanism(1 + turn / 1e6, sampling_prob=0.01)
        return self.epsilon_of(loss.self_compose(COUNT))

    def discrete(self, turn):
        loss = self.losses.from_discrete_gaussian_mechanism(20 + turn / 1e4)
        return self.epsilon_of(loss.self_compose(COUNT))

    def different(self, count, turn):
        whole = None
        for sigma, rate in different(count, turn):
            loss = self.losses.from_gaussian_mechanism(sigma, sampling_prob=rate)
            whole = loss if whole is None else whole.compose(loss)
        return self.epsilon_of(whole)

    def calibrated(self, turn):
        def event(sigma):
            step = self.all.PoissonSampledDpEvent(0.01, self.all.GaussianDpEvent(sigma))
            return self.all.SelfComposedDpEvent(step, 2000)

        sigma = self.all.calibrate_dp_mechanism(self.pld.PLDAccountant, event, 1 + turn / 1e6, 1e-6)
        return [None, sigma]

    def divergences(self, turn):
        accountant = self.rdp.RdpAccountant(ORDERS)
        accountant.compose(self.all.PoissonSampledDpEvent(0.01, self.all.GaussianDpEvent(1 + turn / 1e6)))
        return [None, None]


class Prv:
    def __init__(self):
        import prv_accountant

        self.prv = prv_accountant

    def epsilon_of(self, mechanisms, counts):
        prvs = [self.prv.PoissonSubsampledGaussianMechanism(rate, sigma) for sigma, rate in mechanisms]
        accountant = self.prv.PRVAccountant(prvs, ERROR, DELTA / 1000, counts)
        lower, _, upper = accountant.compute_epsilon(DELTA, counts)
        return [lower, upper]

    def sampled(self, turn):
        return self.epsilon_of([(1 + turn / 1e6, 0.01)], [COUNT])

    def different(self, count, turn):
        return self.epsilon_of(different(count, turn), [1] * count)


class Opacus:
    def __init__(self):
        import opacus.accountants
        from opacus.accountants.analysis import rdp
        from opacus.accountants.utils import get_noise_multiplier

        self.accountants, self.rdp, self.noise_multiplier = opacus.accountants, rdp, get_noise_multiplier

    def epsilon_of(self, history):
        accountant = self.accountants.PRVAccountant()
        accountant.history = history
        return [None, accountant.get_epsilon(DELTA)]

    def sampled(self, turn):
        return self.epsilon_of([(1 + turn / 1e6, 0.01, COUNT)])

    def different(self, count, turn):
        return self.epsilon_of([(sigma, rate, 1) for sigma, rate in different(count, turn)])

    def calibrated(self, turn):
        sigma = self.noise_multiplier(
            target_epsilon=1 + turn / 1e6, target_delta=1e-6, sample_rate=0.01, steps=2000, accountant="prv"
        )
        return [None, sigma]

    def divergences(self, turn):
        self.rdp.compute_rdp(q=0.01, noise_multiplier=1 + turn / 1e6, steps=1, orders=ORDERS)
        return [None, None]


PEERS = {"dp_accounting": Google, "prv_accountant": Prv, "opacus": Opacus}


def main(peer, question, calls):
    try:
        asked = PEERS[peer]()
    except ImportError as missing:
        sys.exit(f"Without {peer}: {missing}")
    name, *numbers = question.split("-")
    ask = getattr(asked, name, None)
    if ask is None:
        sys.exit(f"{peer} has no answer")
    # The first call only warms up, where there is more than one.
    taken = []
    for turn in range(calls):
        start = time.process_time()
        found = ask(*map(int, numbers), turn)
        taken.append(1000 * (time.process_time() - start))
    json.dump({"took": statistics.median(taken[1:] or taken), "lower": found[0], "upper": found[1]}, sys.stdout)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
