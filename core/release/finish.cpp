#include "core/release/finish.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/release/exact_sampler.h"

namespace epsilometer {
namespace {

// 1 / mu: at mu = 1 of the ideal mechanism, a finish of 2^-16 raises mu by 1.2e-10.
constexpr double widening = 0x1p16;

// Rounds half up, always in the same direction, so that a gap of a grows to at most ceil(a / step) steps;
// rounding ties to even would turn a gap of one into two.
std::int64_t nearest_step(double value, int exponent) {
  const double steps = std::ldexp(value, -exponent), below = std::floor(steps);
  const double rounded = below + (steps - below >= 0.5 ? 1 : 0);
  constexpr auto largest = static_cast<double>(largest_sum);
  return static_cast<std::int64_t>(std::clamp(rounded, -largest, largest));
}

}  // namespace

Finish::Finish(double tolerance, std::size_t dimension)
    : tolerance_(in_range("tolerance", tolerance, 1e-90, 1e90)), dimension_(dimension) {
  in_range("dimension", static_cast<double>(dimension), 1, 0x1p40);
  noise_.exponent = default_exponent(2 * widening * tolerance);
  noise_.steps = width_in_steps(widening * sensitivity(), 0);
}

// In steps.
double Finish::sensitivity() const {
  return rounded_up(std::ldexp(2 * tolerance_, -noise_.exponent) +
                    std::sqrt(static_cast<double>(dimension_)));
}

Description Finish::guarantee() const {
  return noise_.guarantee(sensitivity(), static_cast<double>(dimension_));
}

double Finish::sigma() const { return std::ldexp(static_cast<double>(noise_.steps), noise_.exponent); }

std::vector<double> Finish::released(Generator& generator, std::span<const double> computed,
                                     const Certificate& certificate) const {
  const bool finite =
      std::all_of(computed.begin(), computed.end(), [](double x) { return std::isfinite(x); });
  if (!finite || !(certificate.error <= tolerance_))
    throw Refusal("unreachable", "tolerance", shown(certificate.error),
                  "the computed output must be certified to " + shown(tolerance_));
  IntegerSum steps(computed.size());
  std::vector<std::int64_t> rounded(computed.size());
  std::transform(computed.begin(), computed.end(), rounded.begin(),
                 [this](double value) { return nearest_step(value, noise_.exponent); });
  steps.add(rounded);
  return epsilometer::released(generator, steps, noise_);
}

double normal_deviate(Generator& generator) {
  // At most 17 * 2^48, so the conversion is exact.
  const auto z = exact::discrete_gaussian(generator, std::uint64_t{1} << 48);
  return static_cast<double>(z) * 0x1p-48;
}

}  // namespace epsilometer
