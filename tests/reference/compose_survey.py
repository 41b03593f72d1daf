#!/usr/bin/python3
"""Random compositions: does the certified interval of epsilon contain the value of contour.py?

    /usr/bin/python3 tests/reference/compose_survey.py --seed 1 --count 500 [--cli dist/node/command-line.js | --ask PROGRAM] [--kinds ...]

The mechanisms, counts and delta are random; their noise is scaled so that the whole epsilon is between about 0.01 and 100.
A share of the questions is extreme: any noise, up to 1e12 runs, any delta. Where no reference is affordable, the answer of a more
private question must not be larger.
A reference is usable when its own error is below 1e-5 of epsilon, or below a tenth of the answer's interval.
"""
import argparse
import collections
import json
import math
import os
import random
import select
import signal
import subprocess
import time

import numpy as np

import contour

SHARED = ("gaussian", "laplace", "exponential", "pure", "approximate", "discrete-laplace", "discrete-gaussian", "sampled-gaussian", "sampled-laplace")
REPLACE = ("gaussian", "laplace", "exponential", "pure", "approximate", "discrete-laplace", "discrete-gaussian", "randomized-response", "fixed-gaussian",
           "fixed-laplace")
FIXED = ("randomized-response", "fixed-gaussian", "fixed-laplace")  # for replacing a record only


def spread(rng, low, high):
    return low * (high / low) ** rng.random()


def mechanism(rng, kind, size, delta):
    """A mechanism whose loss has a standard deviation of about `size`."""
    digits = lambda x: float(f"{x:.3g}") if rng.random() < 0.5 else x
    if kind == "gaussian":
        return {"kind": kind, "sigma": digits(max(0.03, 1 / size)), "sensitivity": 1}
    if kind == "laplace":
        return {"kind": kind, "scale": digits(max(0.05, 1 / size)), "sensitivity": 1}
    if kind == "exponential":
        return {"kind": kind, "epsilon": digits(min(20, 1.7 * size))}
    if kind == "pure":
        return {"kind": kind, "epsilon": digits(min(20, size))}
    if kind == "approximate":
        return {"kind": kind, "epsilon": digits(min(20, size)), "delta": digits(delta)}
    if kind == "randomized-response":
        n = int(spread(rng, 2, 1000))
        e = size * math.sqrt((n - 1 + math.exp(size)) / (1 + math.exp(size)))
        return {"kind": kind, "categories": n, "epsilon": digits(min(20, e))}
    if kind == "discrete-laplace":
        n = int(spread(rng, 1, 40))
        return {"kind": kind, "scale": digits(max(0.1, n / size)), "sensitivity": n}
    if kind == "discrete-gaussian":
        n = int(spread(rng, 1, 40))
        return {"kind": kind, "sigma": digits(min(1e4, max(0.1, n / size))), "sensitivity": n}
    q = digits(spread(rng, 1e-9 if rng.random() < 0.2 else 1e-5, 0.5))
    sampling = "without-replacement" if kind.startswith("fixed") else "poisson"
    if kind.endswith("gaussian"):
        sigma = min(100, max(0.03, 1 / math.sqrt(math.log1p((size / q) ** 2))))
        return {"kind": "subsampled", "sampling": sampling, "rate": q, "of": {"kind": "gaussian", "sigma": digits(sigma), "sensitivity": 1}}
    e = min(12, math.log1p(size / q))
    return {"kind": "subsampled", "sampling": sampling, "rate": q, "of": {"kind": "laplace", "scale": digits(1 / e), "sensitivity": 1}}


def extreme(rng, kind):
    """A mechanism with any noise there is, whatever that costs."""
    sigma = spread(rng, 1e-3, 1e5)
    if kind == "subsampled":
        base = rng.choice(["gaussian", "laplace"])
        made = {"kind": base, "sigma" if base == "gaussian" else "scale": spread(rng, 1e-3, 1e3), "sensitivity": 1}
        return {"kind": kind, "sampling": "poisson", "rate": spread(rng, 1e-12, 0.9), "of": made}
    if kind in ("gaussian", "laplace"):
        return {"kind": kind, "sigma" if kind == "gaussian" else "scale": sigma, "sensitivity": 1}
    if kind == "discrete-laplace":
        return {"kind": kind, "scale": spread(rng, 0.05, 1e6), "sensitivity": int(spread(rng, 1, 40))}
    if kind == "discrete-gaussian":
        return {"kind": kind, "sigma": spread(rng, 0.05, 1e5), "sensitivity": int(spread(rng, 1, 40))}
    made = {"kind": kind, "epsilon": spread(rng, 1e-6, 20)}
    return {**made, "delta": spread(rng, 1e-200, 0.1)} if kind == "approximate" else made


def extreme_question(rng):
    """Two releases or up to 1e12, any delta: what nobody would ask, and every answer must hold."""
    kinds = ["gaussian", "laplace", "exponential", "pure", "approximate", "discrete-laplace", "discrete-gaussian", "subsampled", "subsampled"]
    parts = []
    for _ in range(rng.choice([1, 1, 2, 3])):
        times = rng.choice([1, 2]) if rng.random() < 0.5 else int(10 ** rng.uniform(0, 12))
        parts.append({"mechanism": extreme(rng, rng.choice(kinds)), "count": times})
    if sum(part["count"] for part in parts) < 2:
        parts[0]["count"] = 2
    return {"ask": "epsilon", "description": {"kind": "composition", "of": parts}, "delta": spread(rng, 1e-300, 0.5)}


def cheaper(rng, asked):
    """A question whose answer cannot be larger: more noise, fewer runs, rarer samples, or more delta."""
    other = json.loads(json.dumps(asked))
    if rng.random() < 0.2:
        other["delta"] = min(0.99, asked["delta"] * spread(rng, 1.0001, 1e6))
        return other
    part = rng.choice(other["description"]["of"])
    less = spread(rng, 0.3, 0.9999)
    mechanism = part["mechanism"]
    base = mechanism.get("of", mechanism)
    choices = [(base, "sigma", 1 / less)] * (base["kind"] == "gaussian") + [(base, "scale", 1 / less)] + [(mechanism, name, less) for name in ("rate", "epsilon", "delta")]
    choices = [choice for choice in choices if choice[1] in choice[0]]
    if not choices or rng.random() < 0.3:  # the noise of a discrete Gaussian is not known to be monotone
        part["count"] = max(1, int(part["count"] * less))
    else:
        place, name, factor = rng.choice(choices)
        place[name] *= factor
    return other


def question(rng, kinds, groups):
    delta = 0.5 * (2e-200) ** (rng.random() ** 2) if rng.random() < 0.7 else spread(rng, 1e-200, 0.5)
    eps = spread(rng, 0.01, 100)
    z = math.sqrt(2 * math.log(1 / delta))
    mu = math.sqrt(z * z + 2 * eps) - z  # eps = mu^2/2 + z mu
    pool = [k for k in (SHARED if rng.random() < 0.75 else REPLACE) if k in kinds] or list(kinds)
    replace = any(kind in FIXED for kind in pool)
    count = rng.choice(groups)
    chosen = [rng.choice(pool) for _ in range(count)]
    few = rng.random() < 0.25
    parts = []
    for kind in chosen:
        times = rng.choice([1, 2, 2, 3]) if few else int(spread(rng, 1, 10 ** rng.uniform(0.3, 7)))
        share = rng.random() ** 2 if count > 1 else 1
        made = mechanism(rng, kind, mu * math.sqrt(share / times) + 1e-12, min(0.5, delta / times * spread(rng, 1e-6, 1)))
        if replace and kind not in FIXED:
            made["neighbours"] = "replace"
        parts.append({"mechanism": made, "count": times})
    return {"ask": "epsilon", "description": {"kind": "composition", "of": parts}, "delta": delta}


class Batch:
    def __init__(self, command, patience):
        self.command, self.patience, self.process = command, patience, None

    def ask(self, line):
        """(answer, seconds); no answer within the patience counts as a hang."""
        if self.process is None:
            self.process = subprocess.Popen(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        begun = time.time()
        self.process.stdin.write((line + "\n").encode())
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.patience)
        if not ready:
            self.process.kill()
            self.process.wait()
            self.process = None
            return {"refusal": f"no answer in {self.patience} s"}, self.patience
        return json.loads(self.process.stdout.readline()), time.time() - begun


def attained(description):
    """Whether some mechanism has the product of the pairs, so that it is the truth; else it is an upper bound on it."""
    return not any(part["mechanism"]["kind"] == "exponential" or part["mechanism"].get("sampling") == "without-replacement" for part in description["of"])


def give_up(*_):
    raise contour.NoReference("time")


def run(options):
    signal.signal(signal.SIGVTALRM, give_up)
    rng = random.Random(options.seed)
    tally, gaps, slow, misses = collections.Counter(), [], [], []
    batch, log = Batch(options.ask or ["node", options.cli, "batch"], options.patience), open(options.log, "a") if options.log else None
    begun = time.time()
    for index in range(options.count):
        if options.minutes and time.time() - begun > 60 * options.minutes:
            break
        is_extreme = rng.random() < options.extreme
        asked = extreme_question(rng) if is_extreme else question(rng, options.kinds, options.groups)
        line = json.dumps(asked)
        record = {"question": asked}
        answer, took = batch.ask(line)
        record["answer"], record["seconds"] = {k: answer.get(k) for k in ("lower", "upper", "kind")}, took
        tally["asked"] += 1
        slow.append((took, line))
        if "lower" not in answer:
            hung = isinstance(answer["refusal"], str)
            tally["hung" if hung else "refused"] += 1
            print("HUNG" if hung else "REFUSED " + json.dumps(answer), line, flush=True)
            if log:
                log.write(json.dumps({**record, "refusal": answer}) + "\n")
                log.flush()
            continue
        lower, upper = float(answer["lower"]), float(answer["upper"])
        tally[answer["kind"]] += 1
        if rng.random() < options.compare:
            other = cheaper(rng, asked)
            less, _ = batch.ask(json.dumps(other))
            tally["compared"] += "lower" in less
            if "lower" in less and not float(less["lower"]) <= upper:
                misses.append((f"more private but at least {less['lower']}, not at most {upper!r}", json.dumps(other), line))
                print("CONTRADICTION", misses[-1], flush=True)
        begin = time.time()
        try:
            if rng.random() >= options.references:
                raise contour.NoReference("not wanted")
            signal.setitimer(signal.ITIMER_VIRTUAL, options.seconds)
            with np.errstate(all="ignore"):
                value, error, direction = contour.epsilon(asked["description"], asked["delta"], options.budget)
            if not (error >= 0):
                raise contour.NoReference("NaN")
            record.update(truth=str(value), error=float(error), direction=direction)
        except (contour.NoReference, ValueError, IndexError, FloatingPointError, OverflowError) as failure:
            value, error = None, None
            record["failure"] = str(failure)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        record["reference seconds"] = time.time() - begin
        if value is not None and (value == 0 or not np.isfinite(value) or error <= max(1e-5 * value, 0.1 * (upper - lower))):
            tally["usable"] += 1
            below = value <= upper + error or not attained(asked["description"])
            bad = not (lower - error <= value and below) if np.isfinite(value) else upper != math.inf
            if bad or math.isnan(lower) or math.isnan(upper):
                misses.append((f"miss {lower!r} {value} +- {float(error):.1e} {upper!r}", f"{float(max(lower - value, value - upper) / max(error, value * 1e-18)):.3g} errors", line))
                record["miss"] = True
                print("MISS", misses[-1], flush=True)
        else:
            tally["unusable"] += 1
            record["unusable"] = True
        record["extreme"] = is_extreme
        if (math.isinf(upper) and not math.isinf(lower)) or (lower == 0 < upper):
            tally["no certificate"] += 1
            record["open"] = True
            print("OPEN", lower, upper, value, line, flush=True)
        elif upper > 0 and not math.isinf(upper) and answer["kind"] != "bound":
            gaps.append(((upper - lower) / upper, is_extreme, line))
        if log:
            log.write(json.dumps(record) + "\n")
            log.flush()
    if batch.process:
        batch.process.stdin.close()
    print(f"seed {options.seed}, count {options.count}: {dict(tally)}, {len(misses)} misses, {time.time() - begun:.0f} s")
    for miss in misses:
        print("  ", *miss)
    for wanted in (False, True):
        of_kind = [gap for gap, is_extreme, _ in gaps if is_extreme == wanted]
        n = len(of_kind)
        if n == 0:
            continue
        share = lambda a, b: sum(a < g <= b for g in of_kind) / n
        print(f"gaps of {n}{' extreme' if wanted else ''}: <= 1e-4 {share(-1, 1e-4):.4f}, <= 2e-4 {share(1e-4, 2e-4):.4f}, <= 1e-3 {share(2e-4, 1e-3):.4f}, <= 0.01 {share(1e-3, 0.01):.4f}, more {share(0.01, 9e9):.4f}")
    for g, _, text in sorted(gaps, reverse=True)[: options.worst]:
        print(f"   gap {g:.3g} {text}")
    for took, text in sorted(slow, reverse=True)[: options.worst]:
        print(f"   {took:.2f} s {text}")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=200)
    arguments.add_argument("--minutes", type=float, default=0)
    arguments.add_argument("--worst", type=int, default=10)
    arguments.add_argument("--budget", type=float, default=6e7, help="node evaluations per direction before the reference gives up")
    arguments.add_argument("--seconds", type=float, default=6, help="of processor time, after which the reference gives up")
    arguments.add_argument("--patience", type=float, default=20, help="seconds to wait for an answer")
    arguments.add_argument("--groups", type=int, nargs="+", default=[1, 1, 2, 3, 4])
    arguments.add_argument("--kinds", nargs="+", default=sorted(set(SHARED + REPLACE)))
    arguments.add_argument("--cli", default=os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../dist/node/command-line.js"))
    arguments.add_argument("--ask", nargs="+", help="another program that answers lines of the batch language, instead of the command line")
    arguments.add_argument("--extreme", type=float, default=0.2, help="share of questions with any noise, up to 1e12 runs and any delta")
    arguments.add_argument("--compare", type=float, default=0.5, help="share of answers held against that of a more private question")
    arguments.add_argument("--references", type=float, default=1, help="share of answers held against the contour")
    arguments.add_argument("--log", default="")
    run(arguments.parse_args())
