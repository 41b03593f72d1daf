#!/usr/bin/python3
"""The profile of a composition, independently of the core: contour integrals and enumeration in 64-bit-mantissa arithmetic.

Needs Debian's numpy (apt-get install python3-numpy) on a machine whose long double has 64 bits of mantissa.

    /usr/bin/python3 tests/reference/contour.py          checks against known values and against enumeration

Derivation. S is the sum of the losses under P, M(z) = E e^{zS} 1{S < inf} the product of the parts' functions. For x > 0 and
theta > 0 the inverse Laplace transform of 1/(z(1+z)) = 1/z - 1/(1+z) is 1 - e^{-x}, and 0 for x < 0. Hence
    (1/(2 pi i)) int_{theta - i inf}^{theta + i inf} e^{z x} / (z (1+z)) dz = (1 - e^{-x})_+ ,
and with x = S - eps and the expectation taken inside (absolutely convergent)
    delta(eps) = p_inf + (1/pi) int_0^inf Re[M(theta + it) e^{-(theta+it) eps} / ((theta+it)(1+theta+it))] dt.
The trapezoid rule of step h adds exactly sum_{m != 0} D(eps + mT) e^{theta m T}, T = 2 pi/h, D the integral's own value.

Where M does not decay the integral is not truncated but reduced:
- laws of atoms only: enumeration of lattices, powers by discrete Fourier transform of the tilted masses;
- atoms and densities (Laplace): the terms with no density factor, and those with one, are enumerated, the rest decays as t^-4;
- a subsampled law is narrow plus a rare wide part: M = N + W by a smooth partition of the noise. Once Chernoff's bound shows
  that narrow parts alone do not exceed eps (to 1e-14 of delta), only M^k - N^k is integrated: every term has a factor W.

`Reference.epsilon` gives (value, error): the error adds the changes under twice the step, half the truncation length and
finer nodes, and a bound for the rest of the integral.
"""
import math

import numpy as np

R, C = np.longdouble, np.clongdouble
PI = R("3.14159265358979323846264338327950288")
ROOT = np.sqrt(2 * PI)
QUICK = 100000  # up to so many sampled releases their sums may be taken in double
erfc = np.frompyfunc(math.erfc, 1, 1)


class NoReference(ArithmeticError):
    pass


def legendre(n):
    x, _ = np.polynomial.legendre.leggauss(n)
    x = x.astype(R)
    for _ in range(3):
        a, b = np.ones_like(x), x
        for j in range(2, n + 1):
            a, b = b, ((2 * j - 1) * x * b - (j - 1) * a) / j
        slope = n * (a - x * b) / (1 - x * x)
        x = x - b / slope
    return x, 2 / ((1 - x * x) * slope ** 2)


GAUSS = legendre(16)


def log_sum(x):
    top = np.max(x)
    return top + np.log(np.sum(np.exp(x - top)))


class Law:
    """One release. `smooth`: its transform decays for good. atoms: (loss, mass) pairs; the rest of the mass is a density."""
    smooth, infinite, symmetric, atoms, lattice = False, R(0), True, (), False
    spacing = None

    def K(self, z):  # log of the transform, an array
        raise NotImplementedError

    def prepare(self, theta, top, fine):
        self.theta, self.K0 = theta, self.K(np.array([theta], R))[0]

    def logs(self, first, second):
        """log M(theta + it)/M(theta) for t = first + second (outer sum, flattened)."""
        t = (first[:, None] + second[None, :]).ravel()
        return self.K(self.theta + 1j * t.astype(C)) - self.K0

    def real(self, theta):
        return self.K(np.array([theta], R))[0]

    def envelope(self, t):
        """A bound of |M(theta+iu)/M(theta)| for all u >= t."""
        return R(1)


class Gaussian(Law):
    smooth = True

    def __init__(self, mu):
        self.half = R(mu) ** 2 / 2

    def K(self, z):
        return self.half * z * (1 + z)

    def envelope(self, t):
        return np.exp(-self.half * t * t)


class Laplace(Law):
    def __init__(self, e):
        self.e = e = R(e)
        self.atoms = ((e, R(0.5)), (-e, np.exp(-e) / 2))
        self.spacing = 2 * e

    def K(self, z):
        return z * self.e + np.log((z + 1) + z * np.exp(-(1 + 2 * z) * self.e)) - np.log(2 * z + 1)

    def envelope(self, t):
        k = self.K0
        atoms = sum(np.exp(self.theta * l - k) * p for l, p in self.atoms)
        return min(R(1), atoms + np.exp(self.theta * self.e - k) / 2 / t)

    def density(self, eps):
        """The density's share of the profile at an array of eps."""
        e, low = self.e, np.clip(eps, -self.e, self.e)
        return np.exp(-e / 2) * ((np.exp(e / 2) - np.exp(low / 2)) / 2 + np.exp(np.minimum(eps, e)) * (np.exp(-e / 2) - np.exp(-low / 2)) / 2)


class Exponential(Law):
    def __init__(self, eta):
        self.eta = R(eta)

    def K(self, z):
        w, n = 2 * z + 1, self.eta
        return z * n + np.log((1 - np.exp(-w * n)) / w) - np.log(1 - np.exp(-n))

    def envelope(self, t):
        return min(R(1), np.exp((self.theta + R(0.5)) * self.eta - self.K0) / (2 * np.sinh(self.eta / 2)) / t)

    def density(self, eps):
        n, low = self.eta, np.clip(eps, -self.eta, self.eta)
        return ((np.exp(n / 2) - np.exp(low / 2)) + np.exp(np.minimum(eps, n)) * (np.exp(-n / 2) - np.exp(-low / 2))) / (2 * np.sinh(n / 2))


class Lattice(Law):
    """Masses at start + n * spacing."""
    lattice = True

    def __init__(self, start, spacing, masses, infinite=0):
        self.start, self.spacing, self.masses, self.infinite = R(start), R(spacing), np.array(masses, R), R(infinite)
        self.losses = self.start + self.spacing * np.arange(len(masses))
        self.atoms = tuple(zip(self.losses, self.masses))

    def real(self, theta):
        return log_sum(np.log(self.masses) + theta * self.losses)

    def prepare(self, theta, top, fine):
        self.theta, self.K0 = theta, self.real(theta)
        self.tilted = np.exp(np.log(self.masses) + theta * self.losses - self.K0)

    def logs(self, first, second):
        return np.log((np.exp(1j * first[:, None] * self.losses[None, :]) * self.tilted[None, :])
                      @ np.exp(1j * self.losses[:, None] * second[None, :])).ravel()


def pure(e, infinite=0):
    e, keep = R(e), 1 - R(infinite)
    return Lattice(-e, 2 * e, [keep / (1 + np.exp(e)), keep / (1 + np.exp(-e))], infinite)


def randomized(categories, e):
    e, n = R(e), R(categories)
    if categories == 2:
        return pure(e)
    d = 1 + (n - 1) * np.exp(-e)
    return Lattice(-e, e, [np.exp(-e) / d, (n - 2) * np.exp(-e) / d, 1 / d])


def discrete(scale, sensitivity):
    s, n = 1 / R(scale), sensitivity
    masses = [np.exp(-s * n) / (1 + np.exp(-s))] + [np.tanh(s / 2) * np.exp(-s * x) for x in range(n - 1, 0, -1)] + [1 / (1 + np.exp(-s))]
    return Lattice(-s * n, 2 * s, masses)


def discrete_gaussian(sigma, sensitivity):
    """Noise of the density e^{-x^2 / 2 sigma^2} on the whole numbers, cut where it is below e^-800."""
    if sigma > 1000:
        raise NoReference("so many outcomes")
    s, n = R(sigma), R(sensitivity)
    x = np.arange(math.ceil(40 * sigma) + 2, -math.ceil(40 * sigma) - 3, -1).astype(R)
    masses = np.exp(-(x / s) ** 2 / 2)
    return Lattice((n * n - 2 * n * x[0]) / (2 * s * s), n / (s * s), masses / np.sum(masses))


class Nodes(Law):
    """A law given by nodes: losses L, log masses w, and for each the share of the wide part."""
    symmetric, quick, kept = False, False, None

    def prepare(self, theta, top, fine, cut=None):
        self.theta, self.top, self.fine, self.cut = theta, top, fine, cut
        self.block = None

    def make(self, top):
        L, w, position = self.nodes(self.theta, top * self.fine, self.fine)
        x = w + self.theta * L
        keep = x > np.max(x) - 50
        L, x, position = L[keep], x[keep], position[keep]
        self.K0 = log_sum(x)
        p = np.exp(x - self.K0)
        self.centre = np.sum(p * L)
        self.L, self.p = L - self.centre, p
        self.wide = None if self.cut is None else self.share(position)
        self.block = top

    def share(self, position):
        return R(0.5) * erfc(((self.cut[0] - position) / self.cut[1] / math.sqrt(2)).astype(float)).astype(R)

    def logs(self, first, second):
        need = float(first[-1] + second[-1])
        if self.block is None or need > self.block:
            self.make(max(2 * need, 1e-300) if self.block is not None else max(need, self.top))
        key = (len(self.L), len(first), len(second), float(second[-1]), float(first[-1] - first[0]))
        if self.kept and self.kept[0] == key and self.kept[1] is self.L:
            _, _, at, left, right, shift, step = self.kept
            if first[0] - at != shift:
                shift, step = first[0] - at, np.exp(1j * (first[0] - at) * self.L)
            left = left * step[None, :]
        else:
            left = np.exp(1j * first[:, None] * self.L[None, :])
            right = np.exp(1j * self.L[:, None] * second[None, :])
            shift, step = None, None
        self.kept = (key, self.L, first[0], left, right, shift, step)
        if self.quick:  # products in double: an error of 1e-16 in M/M(theta), counted in the reference's error
            left, right = left.astype(np.complex128), right.astype(np.complex128)
            p, narrow = self.p.astype(float), None if self.wide is None else (self.p * (1 - self.wide)).astype(float)
        else:
            p, narrow = self.p, None if self.wide is None else self.p * (1 - self.wide)
        drift = 1j * self.centre * (first[:, None] + second[None, :]).ravel()
        whole = np.log(((left * p) @ right).ravel().astype(C)) + drift
        if self.wide is None:
            return whole
        return whole, np.log(((left * narrow) @ right).ravel().astype(C)) + drift

    def cost(self):
        return len(self.L) if self.block is not None else 0

    def real(self, theta):
        L, w, _ = self.nodes(theta, R(0), 1)
        return log_sum(w + theta * L)


class SampledGaussian(Nodes):
    smooth = True

    def __init__(self, q, mu, remove):
        self.q, self.mu, self.remove = R(q), R(mu), remove

    def nodes(self, theta, top, fine):
        mu, q = self.mu, self.q
        end = 12 + (mu * (theta + 1) if self.remove else 0)
        start = -12 - (0 if self.remove else 0)
        du = min(2 * PI / (12 + R(1.3) * mu * top), R(0.3) / mu, R(0.35)) / R(fine)
        count = int((end - start) / du) + 2
        if count > 400000:
            raise NoReference("too many nodes")
        u = start + du * np.arange(count)
        l = mu * u - mu * mu / 2
        log_r = np.where(l < 0, np.log1p(q * np.expm1(np.minimum(l, 0))), np.maximum(l, 0) + np.log(q + (1 - q) * np.exp(-np.maximum(l, 0))))
        w = -u * u / 2 + np.log(du / ROOT)
        return (log_r, w + log_r, u) if self.remove else (-log_r, w, -u)


class SampledLaplace(Nodes):
    shape = None

    def __init__(self, q, e, remove):
        self.q, self.e, self.remove = R(q), R(e), remove
        self.atoms = tuple((self.loss(np.array([l]))[0], p * self.weight(np.array([l]))[0]) for l, p in ((self.e, R(0.5)), (-self.e, np.exp(-self.e) / 2)))
        self.spacing = abs(self.atoms[0][0] - self.atoms[1][0])

    def loss(self, l):
        return np.log1p(self.q * np.expm1(l)) if self.remove else -np.log1p(self.q * np.expm1(-l))

    def weight(self, l):
        return (1 - self.q) * np.exp(-l) + self.q if self.remove else np.ones_like(l)

    def nodes(self, theta, top, fine):
        e = self.e
        panels = int(math.ceil(2 * e * max(2, float(top) / 6, float(theta) / 12) * fine)) + 1
        if panels > 20000:
            raise NoReference("too many nodes")
        edge = -e + 2 * e * np.arange(panels) / panels
        l = (edge[:, None] + e / panels * (1 + GAUSS[0][None, :])).ravel()
        w = np.log(np.tile(GAUSS[1], panels) * e / panels) + (l - e) / 2 - np.log(R(4))
        ends = np.array([e, -e])
        l = np.concatenate((l, ends))
        w = np.concatenate((w, np.array([np.log(R(0.5)), -e - np.log(R(2))])))
        return self.loss(l), w + np.log(self.weight(l)), l if self.remove else l

    def envelope(self, t):
        """Atoms, and by parts the variation of the density of the loss over t."""
        e, q = self.e, self.q
        if self.shape is None or self.shape[0] != self.theta:
            l = np.linspace(-e, e, 2001).astype(R)
            slope = q / (q + (1 - q) * np.exp(-l)) if self.remove else q / (q + (1 - q) * np.exp(l))
            loss = self.loss(l)
            f = np.exp((l - e) / 2 + self.theta * loss - self.K0) / 4 * self.weight(l) / slope
            self.shape = (self.theta, sum(p * np.exp(self.theta * x - self.K0) for x, p in self.atoms), f[0] + f[-1] + np.sum(np.abs(np.diff(f))))
        return min(R(1), self.shape[1] + self.shape[2] / t)

    def density(self, eps):
        """By the base pair: its profile and the known change of eps, less the atoms."""
        q, e = self.q, self.e
        def base(x):
            x = np.asarray(x, R)
            return np.where(x >= e, 0, np.where(x <= -e, -np.expm1(x), -np.expm1((np.clip(x, -e, e) - e) / 2)))
        with np.errstate(all="ignore"):
            if self.remove:
                y = np.expm1(eps) / q
                whole = np.where(y > -1, q * base(np.log1p(np.maximum(y, -1 + R(1e-18)))), -np.expm1(eps))
            else:
                z = np.expm1(-eps) / q
                whole = np.where(z > -1, q * np.exp(eps) * (1 + z) * base(-np.log1p(np.maximum(z, -1 + R(1e-18)))), 0)
        for l, p in self.atoms:
            whole = whole - p * np.maximum(0, -np.expm1(np.minimum(eps - l, 0)))
        return whole


class FixedSize(Nodes):
    """Sampling without replacement: the losses above 0 of the pair with the record, those below 0 of the pair without it, and
    an atom at 0. Both sides are the outcomes of one half-line of the base, of losses l > 0: there r = 1 - q + q e^l has Q's
    mass times r at log r, and Q's mass at -log r."""
    symmetric, remove, shape = True, False, None

    def rate(self, x):
        """d log r / dx, which grows with x."""
        odds = self.q * np.exp(self.base(x))
        return self.slope * odds / (1 - self.q + odds)

    def nodes(self, theta, top, fine):
        """Panels on which the loss turns by no more than 6 and the density does not change much."""
        start, widest, end = self.span(theta)
        edges = [start]
        while edges[-1] < end:
            turn = 6 / (self.rate(min(edges[-1] + widest, end)) * max(top, theta / 2, R(1e-9)))
            edges.append(min(end, edges[-1] + min(widest, turn) / fine))
            if len(edges) > 20000:
                raise NoReference("too many nodes")
        edges = np.array(edges, R)
        half = np.diff(edges)[:, None] / 2
        at = (edges[:-1, None] + half * (1 + GAUSS[0][None, :])).ravel()
        weights = (half * GAUSS[1][None, :]).ravel()
        loss, w = np.log1p(self.q * np.expm1(self.base(at))), self.log_density(at) + np.log(weights)
        L, w = np.concatenate((loss, -loss)), np.concatenate((w + loss, w))
        atoms = np.array(self.atoms, R)
        position = np.concatenate((at, at, np.zeros(len(atoms))))
        return np.concatenate((L, atoms[:, 0])), np.concatenate((w, np.log(atoms[:, 1]))), position

    def envelope(self, t):
        """Atoms, and by parts the variation of the density of the loss over t, on both sides of 0."""
        if self.shape is None or self.shape[0] != self.theta:
            start, _, end = self.span(self.theta)
            at = np.linspace(start, end, 4001).astype(R)
            loss = np.log1p(self.q * np.expm1(self.base(at)))
            f = np.exp(self.log_density(at)) / self.rate(at)
            sides = (f * np.exp((self.theta + 1) * loss - self.K0), f * np.exp(-self.theta * loss - self.K0))
            self.shape = (self.theta, sum(p * np.exp(self.theta * x - self.K0) for x, p in self.atoms), sum(x[0] + x[-1] + np.sum(np.abs(np.diff(x))) for x in sides))
        return min(R(1), self.shape[1] + self.shape[2] / t)


class FixedGaussian(FixedSize):
    """In the variable x of Q = N(0, 1), where l = mu x - mu^2/2."""

    def __init__(self, q, mu):
        self.q, self.mu, self.slope = R(q), R(mu), R(mu)
        self.atoms = ((R(0), R(1)),)
        _, w, _ = self.nodes(R(0), R(0), 2)
        self.atoms = ((R(0), 1 - np.sum(np.exp(w[:-1]))),)

    def span(self, theta):
        return self.mu / 2, min(R(0.7), R(1.5) / self.mu), 12 + self.mu / 2 + self.mu * (theta + 1)

    def base(self, x):
        return self.mu * x - self.mu ** 2 / 2

    def log_density(self, x):
        return -x * x / 2 - np.log(ROOT)


class FixedLaplace(FixedSize):
    """In the base's own loss l, of density e^{-(e + l)/2}/4 under Q, with atoms at the ends."""
    slope = R(1)

    def __init__(self, q, e):
        self.q, self.e = R(q), R(e)
        top = np.log1p(self.q * np.expm1(self.e))
        rest = (1 - self.q) * -np.expm1(-self.e / 2)
        self.atoms = ((top, np.exp(top - self.e) / 2), (R(0), rest), (-top, np.exp(-self.e) / 2))
        self.spacing = top

    def span(self, theta):
        return R(0), min(R(1), self.e / 2), self.e

    def base(self, x):
        return x

    def log_density(self, x):
        return -(self.e + x) / 2 - np.log(R(4))

    def density(self, eps):
        """The base's profile at the changed eps, mirrored below 0, less the atoms."""
        size = np.abs(eps)
        inner = np.minimum(np.log1p(np.expm1(np.minimum(size, self.spacing)) / self.q), self.e)
        whole = np.where(size >= self.spacing, 0, self.q * -np.expm1((inner - self.e) / 2))
        whole = np.where(eps >= 0, whole, -np.expm1(eps) + np.exp(eps) * whole)
        for l, p in self.atoms:
            whole = whole - p * np.maximum(0, -np.expm1(np.minimum(eps - l, 0)))
        return whole


def transform(values):
    """Discrete Fourier transform sum_j values_j e^{-2 pi i jn/N}, N = A * B, in long double."""
    N = len(values)
    A = 1 << ((N.bit_length() - 1) // 2)
    B = N // A
    a, b = np.arange(A), np.arange(B)
    unit = lambda k, n: np.exp(-2j * PI * (k % n) / n)
    inner = values.reshape(A, B).T @ unit(np.outer(a, a), A)          # [j2, n1], j = j1 B + j2, n = n1 + A n2
    inner = inner * unit(np.outer(b, a), N)
    return (unit(np.outer(b, b), B) @ inner).ravel()                    # [n2, n1]


class Power:
    """The masses of k copies of a lattice law, tilted and normalised; `scale` the log of the normaliser."""

    def __init__(self, start, spacing, masses, k, theta):
        masses = np.array(masses, R)
        losses = R(start) + R(spacing) * np.arange(len(masses))
        x = np.log(masses) + theta * losses
        K = log_sum(x)
        p, n = np.exp(x - K), np.arange(len(masses))
        self.scale = k * K
        top = (len(masses) - 1) * k
        mean = np.sum(p * n)
        sd = np.sqrt(k * np.sum(p * (n - mean) ** 2))
        low, high = max(0, int(k * mean - 13 * sd) - 30 * len(masses)), min(top, int(k * mean + 13 * sd) + 30 * len(masses))
        size = 1 << max(2, int(high - low + 1).bit_length())
        if size > 1 << 20:
            raise NoReference("lattice too wide")
        f = np.arange(size)
        t = 2 * PI * np.where(f > size // 2, f - size, f) / size
        one = sum(pm * np.exp(1j * t * (m - mean)) for m, pm in enumerate(p))
        with np.errstate(all="ignore"):
            power = np.exp(k * np.log(one) + 1j * t * (k * mean - low)) if k else np.exp(-1j * t * low)
        power = np.where(np.abs(one) == 0, 0, power) if k else power
        q = (transform(power) / size).real[: high - low + 1]
        self.p = np.where(q > R(1e-24), q, 0)
        self.l = k * R(start) + R(spacing) * (low + np.arange(len(self.p)))
        keep = self.p > 0
        first, last = np.argmax(keep), len(keep) - np.argmax(keep[::-1])
        self.p, self.l = self.p[first:last], self.l[first:last]
        self.spacing = R(spacing)


class Sums:
    """delta(eps) e^{theta eps - scale} for a sum of independent lattice laws."""

    def __init__(self, powers, theta):
        powers = sorted(powers, key=lambda x: len(x.p))
        self.theta, self.scale = theta, sum(x.scale for x in powers)
        last = powers[-1]
        p, l = np.ones(1, R), np.zeros(1, R)
        for one in powers[:-1]:
            if len(p) * len(one.p) > 4000000:
                raise NoReference("too many sums")
            p, l = np.outer(p, one.p).ravel(), (l[:, None] + one.l[None, :]).ravel()
            keep = p > 1e-24
            p, l = p[keep], l[keep]
        self.p, self.l, self.last = p, l, last
        self.V, self.W = self.suffix(theta), self.suffix(theta + 1)

    def suffix(self, theta):
        q, factor = self.last.p, np.exp(-theta * self.last.spacing)
        out, total = np.zeros(len(q) + 1, R), R(0)
        for n in range(len(q) - 1, -1, -1):
            total = q[n] + factor * total
            out[n] = total
        return out

    def delta(self, eps):
        d = eps - self.l
        n = np.clip(np.floor((d - self.last.l[0]) / self.last.spacing).astype(np.int64) + 1, 0, len(self.last.p))
        x = self.last.l[0] + n * self.last.spacing - d
        x = np.where(n < len(self.last.p), x, 0)
        return np.sum(self.p * (self.V[n] * np.exp(-self.theta * x) - self.W[n] * np.exp(-(self.theta + 1) * x)))

    def points(self):
        if len(self.p) * len(self.last.p) > 4000000:
            raise NoReference("too many sums")
        return (self.l[:, None] + self.last.l[None, :]).ravel(), np.outer(self.p, self.last.p).ravel()


def golden(f, a, b, steps=60):
    g = (math.sqrt(5) - 1) / 2
    c, d = b - g * (b - a), a + g * (b - a)
    fc, fd = f(c), f(d)
    for _ in range(steps):
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - g * (b - a)
            fc = f(c)
        else:
            a, c, fc = c, d, fd
            d = a + g * (b - a)
            fd = f(d)
        if b - a < 3e-3:
            break
    return (a + b) / 2


class Reference:
    """One direction of a composition: groups are (law, count)."""

    margin = 2  # the period in units of what is needed; half of it is the check

    def __init__(self, groups, budget=3e8):
        self.groups, self.budget = groups, budget
        self.keep = sum((k * np.log1p(-law.infinite) for law, k in groups), R(0))  # log P(all losses finite)
        self.infinite = -np.expm1(self.keep)
        limit, self.quick = 1e9, sum(k for law, k in groups if isinstance(law, Nodes)) <= QUICK
        for law, _ in groups:
            if isinstance(law, Nodes):
                law.quick = self.quick
            if isinstance(law, SampledGaussian):
                limit = min(limit, float(70 / law.mu))
            if isinstance(law, SampledLaplace):
                limit = min(limit, float(800 / law.e))
        self.limit = math.log(limit)

    def F(self, theta):
        return sum(k * law.real(theta) for law, k in self.groups)

    def chernoff(self, eps):
        """A bound of log delta(eps) (the finite part)."""
        def bound(v):
            z = R(math.exp(v))
            return self.F(z) - z * eps + z * np.log(z) - (1 + z) * np.log1p(z)
        return bound(golden(bound, -12, self.limit))

    def start(self, log_delta):
        def bound(v):
            z = R(math.exp(v))
            return (self.F(z) - log_delta + z * np.log(z) - (1 + z) * np.log1p(z)) / z
        return bound(golden(bound, -12, self.limit))

    def saddle(self, eps):
        def height(v):
            z = R(math.exp(v))
            return self.F(z) - z * eps - np.log(z) - np.log1p(z)
        return R(math.exp(golden(height, -14, self.limit)))

    def top(self, log_delta):
        """Where only the outcome in which every loss is the largest counts: delta = p (1 - e^{eps - sum})."""
        total, log_p, rate = R(0), R(0), R(0)
        for law, k in self.groups:
            if not law.atoms:
                return None
            loss, mass = max(law.atoms)
            total, log_p = total + k * loss, log_p + k * np.log(mass)
            others = [l for l, _ in law.atoms if l < loss]
            # the next outcome is a spacing below, or a density of at most 1/4 per unit of the base's loss begins at once
            if not law.lattice:
                if not isinstance(law, Laplace):
                    return None
                rate += k * R(0.25) / mass
            elif others and loss - max(others) <= 2 * np.exp(log_delta - log_p):
                rate = R(np.inf)
        x = np.exp(log_delta - log_p)
        gap = min((sorted(l for l, _ in law.atoms)[-1] - sorted(l for l, _ in law.atoms)[-2] for law, _ in self.groups if law.lattice), default=R(np.inf))
        if x > R(0.4) or -np.log1p(-x) >= gap or rate * x * x > R(1e-15) * total:
            return None
        value = total + np.log1p(-x)
        return (value, rate * x * x + total * R(1e-18)) if value > 0 else None

    # ---- evaluation near one theta

    def setup(self, theta, eps):
        """Everything that does not depend on eps, for eps near the given one."""
        self.theta = theta
        if all(law.lattice for law, _ in self.groups):
            powers = [Power(law.start, law.spacing, law.masses, k, theta) for law, k in self.groups]
            self.sums, self.E, self.F0 = [(None, Sums(powers, theta))], None, None
            return
        self.sums = []
        F0 = self.F(theta)
        z = theta
        step = R("1e-3") * theta
        variance = max((self.F(z + step) - 2 * F0 + self.F(z - step)) / step ** 2, R(0))
        period = self.margin * max(45 / theta, 15 * np.sqrt(variance))
        self.h = 2 * PI / period
        self.F0 = F0
        split, reduce = None, None
        smooth = any(law.smooth for law, _ in self.groups)
        if not smooth and all(law.lattice or hasattr(law, "density") for law, _ in self.groups):
            reduce = self.reduction(theta)
        first = 30000 if any(isinstance(law, Nodes) for law, _ in self.groups) else 400000
        if self.integrand(theta, None, first):
            if reduce:
                self.reduce(reduce)
            return
        sampled = [law for law, _ in self.groups if isinstance(law, Nodes) and law.remove]
        if sampled and not reduce:
            split = self.split(eps)
        self.integrand(theta, split, 400000)
        if reduce:
            self.reduce(reduce)

    def split(self, eps):
        """The largest loss at which to cut, so that narrow parts alone do not matter at eps."""
        goal = self.level - 32
        sampled = [(law, k) for law, k in self.groups if isinstance(law, Nodes) and law.remove]
        tables = []
        for law, k in sampled:
            L, w, position = law.nodes(R(0), R(0), 2)
            L2, w2, p2 = law.nodes(min(R(60) / getattr(law, "mu", R(1)), R(200)), R(0), 1)
            tables.append((law, k, L2, w2, p2))
        rest = [(law, k) for law, k in self.groups if not (isinstance(law, Nodes) and law.remove)]

        def cut_at(law, c):
            position = (np.log1p(np.expm1(c) / law.q) + law.mu ** 2 / 2) / law.mu if isinstance(law, SampledGaussian) else np.log1p(np.expm1(c) / law.q)
            width = R(0.35) if isinstance(law, SampledGaussian) else R(0.1) * law.e
            return position, width

        def narrow(c):
            data = []
            for law, k, L, w, position in tables:
                law.cut = cut_at(law, c)
                share = R(0.5) * erfc(((position - law.cut[0]) / law.cut[1] / math.sqrt(2)).astype(float)).astype(R)
                ok = share > 0
                data.append((k, L[ok], (w + np.log(np.maximum(share, R(1e-4000))))[ok]))
            def bound(v):
                z = R(math.exp(v))
                return sum(k * log_sum(w + z * L) for k, L, w in data) + sum(k * law.real(z) for law, k in rest) - z * eps
            return bound(golden(bound, -6, min(12, self.limit if rest else 12), 40))
        best = None
        for c in np.geomspace(float(eps), float(eps) * 1e-4, 24):
            if narrow(R(c)) <= goal:
                best = R(c)
                break
        if best is None:
            return None
        return {id(law): cut_at(law, best) for law, *_ in tables}

    def integrand(self, theta, split, cap):
        """E(t_j) = (M/M(theta))^k at t_j = jh, minus the narrow parts; True when it has died out."""
        for fine in (1,):
            self.nodes_setup(theta, split, 1)
        A = B = 32
        second = self.h * np.arange(B)
        E, spent, total, quiet = [], 0.0, R(0), False
        j, biggest = 0, R(0)
        spacing = min((law.spacing for law, _ in self.groups if law.spacing), default=None)
        while j * A * B < cap:
            first = self.h * (j * A * B + B * np.arange(A))
            G, N = 0, 0
            for law, k in self.groups:
                x = law.logs(first, second)
                if isinstance(x, tuple):
                    G, N = G + k * x[0], N + k * x[1]
                else:
                    G, N = G + k * x, N + k * x
                if isinstance(law, Nodes):
                    spent += law.cost() * A * B / (5 if self.quick else 1)
            with np.errstate(all="ignore"):
                e = np.exp(G) - (np.exp(N) if split else 0)
            t = (first[:, None] + second[None, :]).ravel()
            size = np.abs(e) / np.abs((theta + 1j * t) * (1 + theta + 1j * t))
            E.append(e)
            j += 1
            biggest = max(biggest, np.sum(size))
            end = self.h * j * A * B
            # What may come back later is bounded by the envelopes; decaying laws do not come back.
            numeric = np.max(size[-(A * B) // 2:]) * end
            back = R(1)
            if not any(law.smooth for law, _ in self.groups) or spacing:
                for law, k in self.groups:
                    env = law.envelope(end) if not isinstance(law, SampledGaussian) else None
                    if env is None:  # a density without edges: from here on it falls
                        x = law.logs(first[-1:], second[-8:])
                        env = min(R(1), np.exp(np.max((x[0] if split else x).real)))
                    back *= env ** k
            else:
                back = R(0)
            self.rest = max(numeric / self.h, back / end / self.h)
            if self.rest < biggest * R(1e-15):
                quiet = True
                break
            if spent > self.budget:
                break
        self.E = np.concatenate(E)
        self.t = self.h * np.arange(len(self.E))
        self.quiet = quiet
        self.split_used = split
        return quiet

    def nodes_setup(self, theta, split, fine):
        top = self.h * 1024
        for law, _ in self.groups:
            if isinstance(law, Nodes):
                law.prepare(theta, top, fine, split.get(id(law)) if split else None)
                law.make(top)
            else:
                law.prepare(theta, top, fine)

    # ---- atoms and at most one density

    def reduction(self, theta):
        """The terms without a density, and with one: a list of (k, law or None, sums)."""
        atoms, terms = [], []
        for law, k in self.groups:
            if len(law.atoms) == 0:
                atoms.append((None, None, None, k))
            else:
                at = sorted(law.atoms)
                atoms.append((at[0][0], law.spacing if len(at) > 1 else R(1), law.masses if law.lattice else [p for _, p in at], k))
        heavy = R(0)
        for one in [None] + [i for i, (law, _) in enumerate(self.groups) if not law.lattice]:
            log = R(0)
            for i, (start, spacing, masses, k) in enumerate(atoms):
                k = k - 1 if i == one else k
                if start is None:
                    log += -np.inf if k else 0
                else:
                    log += k * (log_sum(np.log(np.array(masses, R)) + theta * (start + spacing * np.arange(len(masses)))))
            share = log - sum(k * law.real(theta) for i, (law, k) in enumerate(self.groups))
            if one is not None:
                share += self.groups[one][0].real(theta) + np.log(R(self.groups[one][1]))
            if share > -39:
                heavy = 1
            terms.append((one, share))
        if not heavy:
            return None
        out = []
        for one, share in terms:
            if share < -42:
                continue
            powers = []
            for i, (start, spacing, masses, k) in enumerate(atoms):
                k = k - 1 if i == one else k
                if start is not None and k:
                    powers.append(Power(start, spacing, masses, k, theta))
            out.append((one, Sums(powers, theta) if powers else None))
        return out

    def reduce(self, terms):
        """Take the enumerated terms out of the integrand."""
        theta, z = self.theta, self.theta + 1j * self.t.astype(C)
        for one, sums in terms:
            value = np.ones(len(z), C)
            log = 0
            for i, (law, k) in enumerate(self.groups):
                k = k - 1 if i == one else k
                if k:
                    atom = sum(p * np.exp(z * l - law.K0) for l, p in law.atoms)
                    with np.errstate(all="ignore"):
                        value = value * np.exp(k * np.log(atom)) / (np.exp(law.K0) if False else 1)
            if one is not None:
                law, k = self.groups[one]
                if isinstance(law, Nodes):
                    whole = np.concatenate([np.exp(law.logs(self.t[a:a + 1024:32], self.h * np.arange(32))) for a in range(0, len(self.t), 1024)])
                else:
                    whole = np.exp(law.K(z) - law.K0)
                value = value * k * (whole - sum(p * np.exp(z * l - law.K0) for l, p in law.atoms))
            self.E = self.E - value
            self.sums.append((one, sums))
        size = np.abs(self.E) / np.abs(z * (1 + z))
        self.rest = np.max(size[-len(size) // 4:]) * len(size) / 2
        self.quiet = self.rest < np.sum(size) * R(1e-13)

    # ---- values

    def value(self, eps, which="full"):
        """(delta, slope) without the infinite part, over e^{log scale}; returns log delta and d log delta/d eps."""
        theta, total, slope = self.theta, R(0), R(0)
        log_scale = (self.F0 if self.E is not None else self.sums[0][1].scale) - theta * eps
        if self.E is not None:
            E, t, h = self.E, self.t, self.h
            if which == "step":
                E, t, h = E[::2], t[::2], 2 * h
            elif which == "length":
                n = len(E) // 2 if not self.quiet else int(len(E) * 0.75)
                E, t = E[:n], t[:n]
            z = theta + 1j * t
            x = E * np.exp(-1j * t * eps) / (z * (1 + z))
            y = -x * z
            total += h / PI * (np.sum(x.real) - x[0].real / 2)
            slope += h / PI * (np.sum(y.real) - y[0].real / 2)
        for one, sums in self.sums:
            if one is None:
                part = sums.delta(eps)
                near = sums.delta(eps * (1 + R(1e-9)) + R(1e-12)) if self.E is None else None
                factor = np.exp(sums.scale - theta * eps - log_scale)
                total += part * factor
            else:
                law, k = self.groups[one]
                if sums is None:
                    total += np.exp(-log_scale) * k * law.density(np.array([eps]))[0]
                else:
                    l, p = sums.points()
                    inside = law.density(eps - l)
                    total += k * np.sum(p * np.exp(np.minimum(sums.scale - theta * l - log_scale, 11000)) * inside)
        return log_scale + np.log(total) if total > 0 else R(-np.inf), slope / total if total != 0 else R(0)

    def root(self, log_delta, eps, which="full"):
        """Illinois from a bracket around eps."""
        f = lambda x: self.value(x, which)[0] - log_delta
        width = max(R(0.02) / max(self.theta, R(0.05)), abs(eps) * R(1e-3))
        a = b = eps
        fa = fb = f(eps)
        tries = 0
        while fa < 0 and tries < 60:
            b, fb = a, fa
            a = a - width
            fa, width, tries = f(a), width * 2, tries + 1
        while fb > 0 and tries < 60:
            a, fa = b, fb
            b = b + width
            fb, width, tries = f(b), width * 2, tries + 1
        if not (fa >= 0 >= fb):
            raise NoReference("no bracket")
        side = 0
        for _ in range(100):
            if abs(b - a) <= abs(b) * R(1e-17) or fa == 0 or fb == 0:
                break
            x = (a * fb - b * fa) / (fb - fa) if np.isfinite(fa) and np.isfinite(fb) else (a + b) / 2
            if not min(a, b) < x < max(a, b):
                x = (a + b) / 2
            fx = f(x)
            if fx > 0:
                a, fa = x, fx
                fb = fb / 2 if side == 1 else fb
                side = 1
            else:
                b, fb = x, fx
                fa = fa / 2 if side == -1 else fa
                side = -1
            if abs(fx) < R(1e-16):
                return x
        return a if fa == 0 else b if fb == 0 else (a + b) / 2

    def epsilon(self, delta):
        """(value, error): the eps >= 0 where the profile is delta."""
        delta = R(delta)
        if self.infinite >= delta:
            return R(np.inf), R(0)
        log_delta = np.log(delta - self.infinite)
        self.level = log_delta
        top = self.top(log_delta)
        if top is not None:
            return top
        eps = max(self.start(log_delta), R(1e-6))
        if eps > 1e5:
            raise NoReference("too large")
        for attempt in range(6):
            theta = self.saddle(eps)
            if theta > R(0.7) * math.exp(self.limit) or theta * eps > 1e11:
                raise NoReference("next to the largest loss")
            self.setup(theta, eps)
            if attempt == 0 and self.value(R(0))[0] <= log_delta and self.theta < 3 + 30 / max(eps, R(1e-9)):
                zero = Reference(self.groups, self.budget)
                zero.level = log_delta
                zero.setup(zero.saddle(R(0)), R(0))
                at, _ = zero.value(R(0))
                if at <= log_delta:
                    return R(0), R(0) if log_delta - at > 1e-9 else R(1)
            new = self.root(log_delta, eps)
            done = abs(new - eps) * theta < 2
            eps = new
            if done:
                break
        if eps < 0:
            return R(0), R(0)
        if self.E is None:
            other = Reference(self.groups, self.budget)
            other.level = log_delta
            other.setup(self.theta * R(1.1), eps)
            again = other.root(log_delta, eps)
            return eps, abs(again - eps) + abs(eps) * R(1e-15)
        error = sum(abs(self.root(log_delta, eps, which) - eps) for which in ("step", "length"))
        slope = (self.value(eps + R(1e-7) / self.theta)[0] - self.value(eps)[0]) / (R(1e-7) / self.theta)
        log_scale = self.F0 - self.theta * eps
        error += abs(self.rest * self.h / PI * np.exp(log_scale - log_delta) / slope)
        nodes = [law for law, _ in self.groups if isinstance(law, Nodes)]
        if nodes:
            error += self.nodes_error(log_delta, slope, log_scale)
        # rounding: the counts multiply the last bit of every logarithm
        count = sum(k for _, k in self.groups)
        error += abs((R(1e-18) * count + (R(2e-16) * sum(k for law, k in self.groups if isinstance(law, Nodes)) if self.quick else 0) + R(1e-17) * len(self.E) ** 0.5) * max(R(1), np.exp(log_scale - log_delta) * self.h * np.sum(np.abs(self.E / (self.theta + 1j * self.t) / (1 + self.theta + 1j * self.t)))) / slope)
        return eps, error + abs(eps) * R(1e-16)

    def nodes_error(self, log_delta, slope, log_scale):
        """Some points of the contour with nodes 1.37 times as dense."""
        theta, n = self.theta, len(self.E)
        picks = np.unique(np.concatenate((np.arange(0, min(n, 32)), np.linspace(0, n - 1, 40).astype(int), np.geomspace(1, n - 1, 40).astype(int))))
        t = self.t[picks]
        G, N = R(0), 0
        for law, k in self.groups:
            if isinstance(law, Nodes):
                before = law.K0
                law.prepare(theta, R(0), R(1.37), law.cut)
                law.make(self.t[-1])
                x = law.logs(t, np.zeros(1, R))
                x = tuple(y + (law.K0 - before) for y in x) if isinstance(x, tuple) else x + (law.K0 - before)
            else:
                x = law.logs(t, np.zeros(1, R))
            x = x if isinstance(x, tuple) else (x, x)
            G, N = G + k * x[0], N + k * x[1]
        E = np.exp(G) - (np.exp(N) if self.split_used else 0)
        if len(self.sums):
            return R(0)  # the atoms' terms use the same nodes; the closed forms check them
        z = np.abs((theta + 1j * t) * (1 + theta + 1j * t))
        off = np.abs(E - self.E[picks]) / z
        gaps = np.diff(np.concatenate((picks, [n])))
        return abs(np.sum(off * gaps) * self.h / PI * np.exp(log_scale - log_delta) / slope)


def law(made, remove):
    kind = made["kind"]
    if kind == "gaussian":
        return Gaussian(R(made["sensitivity"]) / R(made["sigma"]))
    if kind == "laplace":
        return Laplace(R(made["sensitivity"]) / R(made["scale"]))
    if kind == "exponential":
        return Exponential(made["epsilon"])
    if kind == "pure":
        return pure(made["epsilon"])
    if kind == "approximate":
        return pure(made["epsilon"], made["delta"])
    if kind == "randomized-response":
        return randomized(made["categories"], made["epsilon"])
    if kind == "discrete-laplace":
        return discrete(made["scale"], made["sensitivity"])
    if kind == "discrete-gaussian":
        return discrete_gaussian(made["sigma"], made["sensitivity"])
    if kind == "subsampled":
        inner = made["of"]
        if made["sampling"] == "without-replacement":
            shift = R(inner["sensitivity"]) / R(inner["sigma" if inner["kind"] == "gaussian" else "scale"])
            return (FixedGaussian if inner["kind"] == "gaussian" else FixedLaplace)(made["rate"], shift)
        if inner["kind"] == "gaussian":
            return SampledGaussian(made["rate"], R(inner["sensitivity"]) / R(inner["sigma"]), remove)
        if inner["kind"] == "laplace":
            return SampledLaplace(made["rate"], R(inner["sensitivity"]) / R(inner["scale"]), remove)
    raise NoReference("kind " + kind)


def groups(description, remove):
    if description["kind"] != "composition":
        return [(law(description, remove), 1)]
    return [(law(part["mechanism"], remove), part["count"]) for part in description["of"]]


def epsilon(description, delta, budget=3e8):
    """(value, error, direction): the larger of both directions."""
    forward = Reference(groups(description, True), budget)
    value, error = forward.epsilon(delta)
    if all(law.symmetric for law, _ in forward.groups) or not np.isfinite(value):
        return value, error, "both"
    backward = Reference(groups(description, False), budget)
    if backward.infinite < delta and value > 0 and backward.chernoff(value) <= np.log(R(delta) - backward.infinite):
        return value, error, "remove"
    other, off = backward.epsilon(delta)
    return (value, error, "remove") if value >= other else (other, off, "add")


def check():
    sampled = lambda q, s: {"kind": "subsampled", "sampling": "poisson", "rate": q, "of": {"kind": "gaussian", "sigma": s, "sensitivity": 1}}
    laplace = lambda b: {"kind": "laplace", "scale": b, "sensitivity": 1}
    many = lambda *parts: {"kind": "composition", "of": [{"mechanism": m, "count": k} for m, k in parts]}
    for made, delta, remove, known in (
            (many((sampled(0.01, 1), 1000)), 1e-5, True, 1.82823666651646),
            (many((sampled(0.01, 1), 1000)), 1e-40, True, 12.2862282211181),
            (many((sampled(0.01, 1), 1000)), 1e-5, False, 1.41666194804),
            (many((sampled(0.001, 0.8), 100000)), 1e-10, True, 4.06916730699568),
            (many((laplace(10), 1000)), 1e-6, True, 18.9502873675396),
            (many(({"kind": "gaussian", "sigma": 20, "sensitivity": 1}, 100), (laplace(30), 200), (sampled(0.01, 1.2), 500)), 1e-6, True, 3.38780127500903),
            (many(({"kind": "exponential", "epsilon": 0.1}, 40)), 1e-6, True, 1.558558268)):
        value, error = Reference(groups(made, remove)).epsilon(delta)
        print(f"{str(value):24} +- {float(error):.1e}  known {known}  off by {float(value) - known:+.1e}")
    # enumeration against the contour: lattices beside a nearly silent Gaussian
    for parts in (((pure(0.3), 12), (pure(0.05), 30)), ((randomized(4, 0.2), 50), (discrete(9.0, 3), 20))):
        lattice, _ = Reference(list(parts)).epsilon(1e-4)
        contour, error = Reference(list(parts) + [(Gaussian(1e-3), 1)]).epsilon(1e-4)
        print(f"{str(lattice):24} by enumeration, {str(contour):24} +- {float(error):.1e} with a Gaussian of 0.001")
    # one copy against the closed profile; few copies against each other through the reduction
    for one, delta in ((Laplace(0.5), 0.01), (Exponential(0.7), 0.01)):
        value, error = Reference([(one, 1)]).epsilon(delta)
        exact = 0.5 + 2 * math.log1p(-delta) if isinstance(one, Laplace) else 2 * math.log(math.exp(0.35) - math.sqrt(delta * math.expm1(0.7)))
        print(f"{str(value):24} +- {float(error):.1e}  closed form {exact}")


if __name__ == "__main__":
    import time
    begun = time.time()
    check()
    print(f"{time.time() - begun:.1f} s")
