"""The table of core/noise/exact_sampler.h: the distribution function of P(k) ~ e^{-k^2/2}, k >= 0, in 192 bits."""

from mpmath import exp, mp, mpf, nint

mp.prec = 400
weights = [exp(-mpf(k) ** 2 / 2) for k in range(60)]
for k in range(6):
    bits = int(nint(sum(weights[: k + 1]) / sum(weights) * 2**192))
    words = ", ".join(f"0x{bits >> shift & 0xFFFFFFFF:08x}" for shift in range(160, -1, -32))
    print(f"    {{{words}}},")
