"""Arithmetic that chooses its own precision, roots of monotone functions, suprema of one-humped ones; how truths are printed."""
from mpmath import mp, mpf, exp, log, nstr, sqrt


class Unsettled(Exception):
    """The working precision does not even give the sign."""


def settle(compute, start, digits=32):
    """The value on which two successive precisions agree. `start` must exceed what cancellation can cost: where it does
    not, both give the same rounding, 0 = 0 for instance, and that is not the truth."""
    previous, dps = None, start
    while dps <= 16 * max(start, 250):
        with mp.workdps(dps):
            try:
                value = compute()
            except (Unsettled, ZeroDivisionError):
                value = None
        if value is not None and previous is not None:
            if value == previous or abs(value - previous) <= abs(value) * mpf(10) ** -digits:
                return value
        previous, dps = value, dps * 2
    raise ArithmeticError(f"no agreement at {dps // 2} digits")


def positive_log(x):
    if not x > 0:
        raise Unsettled
    return log(x)


def root(function, a, b):
    """The zero of a monotone function between points of opposite sign (Chandrupatla's method)."""
    fa, fb = function(a), function(b)
    if fa == 0 or fb == 0:
        return a if fa == 0 else b
    if (fa > 0) == (fb > 0):
        raise Unsettled
    t = mpf(0.5)
    while True:
        x = a + t * (b - a)
        fx = function(x)
        if (fx > 0) == (fa > 0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = x, fx
        best, least = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        limit = 8 * mp.eps * abs(best) / abs(b - a)
        if least == 0 or limit > 0.5:
            return best
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        t = mpf(0.5)
        if phi ** 2 < xi and (1 - phi) ** 2 < 1 - xi:
            t = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        t = min(1 - limit, max(limit, t))


def rising_root(function, start=mpf(0), step=mpf(1)):
    """The zero of an increasing function on the whole line."""
    direction = 1 if function(start) < 0 else -1
    while (function(start + direction * step) < 0) == (direction > 0):
        start, step = start + direction * step, 2 * step
    return root(function, start, start + direction * step)


def supremum(function, low, high):
    """The largest value of a one-humped function on [low, high] (golden section; the top is flat or a kink)."""
    ratio = (sqrt(mpf(5)) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    fa, fb = function(a), function(b)
    for _ in range(int(2.1 * mp.prec)):
        if fa < fb:
            low, a, fa = a, b, fb
            b = low + ratio * (high - low)
            fb = function(b)
        else:
            high, b, fb = b, a, fa
            a = high - ratio * (high - low)
            fa = function(a)
        if abs(fa - fb) <= mp.eps * abs(fa) and abs(function((a + b) / 2) - fa) <= mp.eps * abs(fa):
            break  # flat: half the digits of the place are enough
        if high - low <= 4 * mp.eps * max(abs(low), abs(high)):
            break
    return max(fa, fb, function(low), function(high))


def shown(value):
    """25 digits, rounded to nearest."""
    return nstr(value, 25)


def laplace_density(x, scale):
    return exp(-abs(x) / scale) / (2 * scale)
