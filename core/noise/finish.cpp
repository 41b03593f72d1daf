#include "core/noise/finish.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"

namespace epsilometer {
namespace {

// 1 / mu: at mu = 1 of the ideal mechanism, a finish of 2^-16 raises mu by 1.2e-10.
constexpr double widening = 0x1p16;

}  // namespace

Finish::Finish(double tolerance, std::size_t dimension)
    : tolerance_(in_range("tolerance", tolerance, 1e-90, 1e90)), dimension_(dimension) {
  in_range("dimension", static_cast<double>(dimension), 1, 0x1p40);
  noise_.exponent = default_exponent(2 * widening * tolerance);
  noise_.steps = width_in_steps(widening * sensitivity(), 0);
}

double Finish::sensitivity() const { return rounded_sensitivity(0, tolerance_, dimension_, noise_.exponent); }

// With s >= 2^16 v + 1 steps, s^2 - 4 >= (2^16 v)^2.
Description Finish::guarantee() const {
  const double moved = sensitivity(), sigma = widening * moved;
  return gaussian_guarantee(moved, sigma * sigma, static_cast<double>(dimension_), noise_.exponent);
}

double Finish::sigma() const { return std::ldexp(static_cast<double>(noise_.steps), noise_.exponent); }

std::vector<double> Finish::released(Generator& generator, std::span<const double> computed,
                                     const Certificate& certificate, std::span<const double> tails) const {
  if (!(certificate.error <= tolerance_))
    throw Refusal("unreachable", "tolerance", shown(tolerance_),
                  "the output could not be certified to it for this table; the budget is spent");
  return epsilometer::released(generator, rounded(computed, noise_.exponent, tails), noise_);
}

double normal_deviate(Generator& generator) {
  // Below 2^53 but for 2^-740 of all, so the conversion is exact.
  const auto z = exact::discrete_gaussian(generator, std::uint64_t{1} << 48);
  return static_cast<double>(z) * 0x1p-48;
}

}  // namespace epsilometer
