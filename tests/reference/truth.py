"""Questions of the batch language and their true answers."""
import copy
from mpmath import mp, mpf, mpmathify, exp, log, sqrt, inf

from arithmetic import rising_root, root, settle
from matrices import sensitivity
from mechanism_pairs import (DiscreteGaussian, Noised, ObjectivePerturbation, gaussian_mixing, partition_selection,
                             posterior_sampling, report_noisy_max)
from mixture_pairs import gaussian_mixture
from loss_tables import BothWays, against_random, loss_table, stated_table
from noise_pairs import distributed_discrete_gaussian, skellam, truncated_gaussian, truncated_laplace
from pairs import (BoundedRange, Laplace, Normal, Outcomes, PermuteAndFlip, approximate, discrete_laplace,
                   randomized_response, repeated_response, staircase)
from renyi_table import Concentrated, RenyiTable
from sampled_pairs import sampled


def concentrated(rho, xi):
    """At rho = 0 no order, however large, has more than xi: that is pure."""
    return Concentrated(rho, xi=xi) if rho > 0 or xi == 0 else Outcomes(randomized_response(2, xi))


def pair_of(description):
    kind, get = description["kind"], lambda name: mpmathify(description[name])
    if kind == "gaussian":
        return Normal(get("sensitivity") / get("sigma"))
    if kind == "gdp":
        return Normal(get("mu"))
    if kind == "matrix":
        return Normal(sensitivity(description) * get("sensitivity") / get("sigma"))
    if kind == "laplace":
        return Laplace(get("sensitivity") / get("scale"))
    if kind == "truncated-laplace":
        return truncated_laplace(get("scale"), get("sensitivity"), get("bound"))
    if kind == "truncated-gaussian":
        return truncated_gaussian(get("sigma"), get("sensitivity"), get("bound"))
    if kind == "skellam":
        return skellam(get("variance"), int(description["sensitivity"]))
    if kind == "distributed-discrete-gaussian":
        return distributed_discrete_gaussian(get("sigma"), int(description["clients"]), int(description["sensitivity"]))
    if kind == "discrete-laplace":
        return Outcomes(discrete_laplace(get("scale"), int(description["sensitivity"])))
    if kind == "discrete-gaussian":
        return DiscreteGaussian(get("sigma"), int(description["sensitivity"]))
    if kind == "gaussian-mixing":
        return gaussian_mixing(int(description["sketchSize"]), 1 / get("gamma"))
    if kind == "posterior-sampling":
        return posterior_sampling(get("leverage"), get("residual"))
    if kind == "objective-perturbation":
        one_signed = description.get("derivative", "any") == "one-signed"
        return ObjectivePerturbation(get("lipschitz") / get("sigma"), get("smoothness") / get("lambda"), one_signed)
    if kind == "approximate-minima-perturbation":
        one_signed = description.get("derivative", "any") == "one-signed"
        output = Normal(2 * get("gradientTolerance") / (get("lambda") * get("outputSigma")))
        return Noised(ObjectivePerturbation(get("lipschitz") / get("sigma"), get("smoothness") / get("lambda"), one_signed), output)
    if kind == "report-noisy-max":
        votes = {"added": mpf(1), "switched": mpf(2)}[description["vote"]]
        return report_noisy_max(description["noise"], votes, description["classes"] == 2, get("scale"))
    if kind == "randomized-response" and description.get("other") == "random":
        return loss_table(against_random(get("categories"), get("epsilon")))
    if kind == "privacy-loss":
        masses = stated_table(description, get("infinite"))
        return BothWays(masses) if description["direction"] == "both" else loss_table(masses)
    if kind == "randomized-response":
        return Outcomes(randomized_response(get("categories"), get("epsilon")))
    if kind == "staircase":
        return Outcomes(staircase(get("epsilon"), get("gamma")))
    if kind == "permute-and-flip":
        return PermuteAndFlip(get("epsilon"))
    if kind == "pure":
        return Outcomes(randomized_response(2, get("epsilon")))
    if kind == "approximate":
        return Outcomes(approximate(get("epsilon"), get("delta")))
    if kind == "exponential":
        return BoundedRange(get("epsilon"))
    if kind == "partition-selection":
        return partition_selection(get("epsilon"), get("delta"))
    if kind == "zcdp":
        return Concentrated(get("rho"))
    if kind == "xi-zcdp":
        return concentrated(get("rho"), get("xi"))
    if kind == "tcdp":
        return Concentrated(get("rho"), get("omega"))
    if kind == "subsampled":
        return sampled(pair_of(description["of"]), get("rate"), description["sampling"] == "without-replacement")
    if kind == "gaussian-mixture":
        return gaussian_mixture(get("sigma"), *([mpmathify(x) for x in description[name]] for name in ("sensitivities", "probabilities")))
    if kind == "rdp":
        return RenyiTable([mpmathify(a) for a in description["orders"]], [mpmathify(e) for e in description["epsilons"]])
    parts = [(pair_of(part["mechanism"]), part["mechanism"], int(part["count"])) for part in description["of"]]
    if all(isinstance(pair, Normal) for pair, _, _ in parts):  # a product of normals only depends on the distance
        return Normal(sqrt(sum(k * pair.mu ** 2 for pair, _, k in parts)))
    if all(isinstance(pair, Concentrated) for pair, _, _ in parts):  # Renyi divergences of products add
        return Concentrated(sum(k * pair.rho for pair, _, k in parts), min(pair.omega for pair, _, _ in parts), sum(k * pair.xi for pair, _, k in parts))
    eps = parts[0][1]["epsilon"]
    assert all(m["kind"] == "pure" and m["epsilon"] == eps for _, m, _ in parts), "not a composition with an exact rule"
    return Outcomes(repeated_response(mpmathify(eps), sum(k for _, _, k in parts)))


MORE_PRIVATE = ("sigma", "scale", "bound", "categories", "omega", "gamma", "lambda")  # as they grow; every other parameter the other way


def calibrated(description, path, eps, d):
    """The value of a parameter at which delta(eps) = d (the largest finite loss is eps, if d is the mass of infinite losses)."""
    description = copy.deepcopy(description)
    keys = [int(key) if key.isdigit() else key for key in path.split(".")]
    place = description
    for key in keys[:-1]:
        place = place[key]

    def excess(value):
        place[keys[-1]] = value
        pair = pair_of(description)
        if d == pair.infinite_mass and keys[-1] != "delta":
            return pair.largest_loss - eps
        level = pair.delta(eps)
        return log(level / d) if level > d * exp(-100) else mpf(-100)

    name = keys[-1]
    falls = name in MORE_PRIVATE
    if name in ("categories", "count", "sketchSize") or (place["kind"].startswith("discrete-") and name == "sensitivity"):
        low, high = (1, 3) if name == "categories" else (1, 2)
        while (excess(high) <= 0) != falls:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if (excess(middle) <= 0) == falls else (middle, high)
        return mpf(high if falls else low)
    if name == "delta":
        return root(excess, mpf(0), mpf(1))
    least = 1 if name in ("omega", "gamma") else 0
    return least + exp(rising_root(lambda w: (-1 if falls else 1) * excess(least + exp(w))))


def numbers(value):
    """All numbers inside a question."""
    if isinstance(value, (dict, list)):
        return [x for item in (value.values() if isinstance(value, dict) else value) for x in numbers(item)]
    return [] if isinstance(value, str) else [value]


def span(value):
    """The decades between 1 and the farthest number, or between 1 and the order that is closest to 1."""
    return max((abs(float(log(abs(x), 10))) for n in numbers(value) for x in (mpf(n), mpf(n) - 1) if x != 0), default=0)


def digits(question):
    """Digits enough to see 1 + x^3 for every number of a mechanism, and 1 + x for the argument of the answer: terms of
    order 1 that cancel leave no less than that, except on purpose. A delta that is asked for does not cancel; it is
    what is left, and where it cannot be told from 0 its logarithm says so."""
    arguments = [question[name] for name in ("epsilon", "orders", "falsePositives") if name in question]
    return 50 + int(3 * span(question["description"]) + span(arguments))


def truth(question, pair_of=pair_of):
    """The answer to a question of the batch language, as an mpf."""
    ask, description = question["ask"], question["description"]
    settled = lambda compute: settle(compute, digits(question))
    if ask == "delta":
        return settled(lambda: pair_of(description).delta(mpf(question["epsilon"])))
    if ask == "epsilon":
        return settled(lambda: pair_of(description).epsilon(mpf(question["delta"])))
    if ask == "renyi":
        return settled(lambda: pair_of(description).renyi(mpf(question["orders"][0])))
    if ask == "tradeOff":
        return settled(lambda: pair_of(description).power(mpf(question["falsePositives"][0])))
    return settled(lambda: calibrated(description, question["parameter"], mpf(question["epsilon"]), mpf(question["delta"])))


def decimal(value):
    """25 significant digits in scientific notation."""
    if value == inf:
        return "Infinity"
    return "0" if value == 0 else mp.nstr(value, 25, strip_zeros=False, min_fixed=0, max_fixed=0)
