#include "core/noise/grid.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/pair.h"
#include "core/numerics/quick_sum.h"

namespace epsilometer {
namespace {

// Infinite where one is not finite: nothing else makes its difference to itself other than 0.
double largest_size(std::span<const double> values) {
  Pair first{}, second{}, rests{};
  const auto look = [&](Pair one, Pair other) {
    first = larger_of(first, one), second = larger_of(second, other);
    rests += (one - one) + (other - other);
  };
  std::size_t i = 0;
  for (; i + 4 <= values.size(); i += 4) look(size_of(pair_at(&values[i])), size_of(pair_at(&values[i + 2])));
  for (; i < values.size(); ++i) look(Pair{std::abs(values[i]), 0}, Pair{});
  const Pair both = larger_of(first, second);
  return rests[0] + rests[1] == 0 ? std::max(both[0], both[1]) : HUGE_VAL;
}

// The norm in units of the largest entry, which can neither overflow nor underflow.
double relative_norm(std::span<const double> values, double largest, Norm norm) {
  double sum = 0;
  for (const double value : values) {
    const double part = std::abs(value / largest);
    sum += norm == Norm::l1 ? part : part * part;
  }
  return norm == Norm::l1 ? sum : std::sqrt(sum);
}

// The norm's sum of sizes or squares, of steps below 2^23 in size: several are truncated at once, and the sum
// over a chunk of them is exact in doubles.
template <typename Step, typename Scaled>
std::int64_t short_sum(std::span<const double> contribution, std::span<Step> steps, Norm norm,
                       const Scaled& scaled) {
  constexpr std::size_t chunk = 64;
  double whole[chunk];
  std::int64_t sum = 0;
  for (std::size_t first = 0; first < steps.size(); first += chunk) {
    const std::size_t count = std::min(chunk, steps.size() - first);
    for (std::size_t i = 0; i < count; ++i)
      whole[i] = static_cast<std::int32_t>(scaled(contribution[first + i]));
    for (std::size_t i = 0; i < count; ++i)
      steps[first + i] = static_cast<Step>(static_cast<std::int32_t>(whole[i]));
    sum += static_cast<std::int64_t>(quick_sum(
        count, [&](std::size_t i) { return norm == Norm::l1 ? std::abs(whole[i]) : whole[i] * whole[i]; }));
  }
  return sum;
}

}  // namespace

Truncation::Truncation(double bound, Norm norm, int exponent)
    : norm_(norm), unit_(std::ldexp(1.0, -exponent)) {
  const double steps = bound * unit_;
  if (!(steps >= 1 && steps <= 0x1p48) || !std::isnormal(unit_))
    throw Refusal("range", "bound", shown(bound), "must be from 1 to 2^48 steps of the noise's grid");
  radius_ = static_cast<std::int64_t>(norm == Norm::l1 ? std::floor(steps) : std::ceil(steps));
  most_ = norm == Norm::l1 ? radius_ : static_cast<__int128>(steps * steps);
}

template <typename Step, typename Scaled>
bool Truncation::fits(std::span<const double> contribution, std::span<Step> steps,
                      const Scaled& scaled) const {
  // Of so many of those the sum of the squares is below 2^60.
  constexpr std::int64_t short_steps = std::int64_t{1} << 23;
  constexpr std::size_t few = std::size_t{1} << 14;
  if (radius_ < short_steps && steps.size() <= few)
    return short_sum(contribution, steps, norm_, scaled) <= most_;
  __int128 sum = 0;
  for (std::size_t i = 0; i < contribution.size(); ++i) {
    const auto step = static_cast<std::int64_t>(scaled(contribution[i]));
    steps[i] = static_cast<Step>(step);
    const __int128 size = std::abs(step);
    sum += norm_ == Norm::l1 ? size : size * size;
  }
  return sum <= most_;
}

template <typename Step>
void Truncation::truncate(std::span<const double> contribution, std::span<Step> steps) const {
  const double largest = largest_size(contribution);
  if (!(largest > 0) || !std::isfinite(largest)) return std::fill(steps.begin(), steps.end(), Step{0});
  const auto radius = static_cast<double>(radius_);
  const double unit = unit_;
  if (largest * unit <= radius && fits(contribution, steps, [unit](double value) { return value * unit; }))
    return;
  // The norm is rounded, so the integers decide; what they refuse shrinks, and is dropped in the end.
  double scale = std::min(largest * unit_, radius / relative_norm(contribution, largest, norm_));
  for (int attempt = 0; attempt < 4; ++attempt, scale *= 1 - 1e-9)
    if (fits(contribution, steps, [=](double value) { return value / largest * scale; })) return;
  std::fill(steps.begin(), steps.end(), Step{0});
}

void Truncation::apply(std::span<const double> contribution, std::span<std::int64_t> steps) const {
  truncate(contribution, steps);
}

void Truncation::apply(std::span<const double> contribution, std::span<double> steps) const {
  truncate(contribution, steps);
}

void IntegerSum::add(std::span<const std::int64_t> steps) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += steps[i];
}

void IntegerSum::add(const IntegerSum& part) {
  for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += part.sums_[i];
}

std::int64_t IntegerSum::value(std::size_t i) const {
  const auto largest = static_cast<__int128>(largest_sum);
  return static_cast<std::int64_t>(std::clamp(sums_[i], -largest, largest));
}

__int128 IntegerSum::wide_value(std::size_t i) const { return std::clamp(sums_[i], -widest_sum, widest_sum); }

IntegerSum IntegerSum::part(std::size_t first, std::size_t count) const {
  const auto begin = sums_.begin() + static_cast<std::ptrdiff_t>(first);
  return IntegerSum({begin, begin + static_cast<std::ptrdiff_t>(count)});
}

IntegerSum IntegerSum::coarser(int bits) const {
  in_range("bits", bits, 0, 120);
  if (bits == 0) return *this;
  IntegerSum coarse = *this;
  // Shifts of signed integers round down.
  for (__int128& sum : coarse.sums_) sum = (sum + (__int128{1} << (bits - 1))) >> bits;
  return coarse;
}

IntegerSum rounded(std::span<const double> values, int exponent, std::span<const double> tails) {
  constexpr auto largest = static_cast<double>(widest_sum);
  std::vector<__int128> steps;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isfinite(values[i]))
      throw Refusal("unreachable", "output", "none",
                    "the computed output is not finite for this table; the budget is spent");
    // Always in the same direction: a gap of a grows to at most ceil(a) steps. Ties to even would turn the
    // gap between 0.5 and 1.5 into two.
    const double exact = std::clamp(std::ldexp(values[i], -exponent), -largest, largest),
                 below = std::floor(exact), tail = tails.empty() ? 0 : std::ldexp(tails[i], -exponent);
    steps.push_back(static_cast<__int128>(below) +
                    static_cast<__int128>(std::floor((exact - below) + tail + 0.5)));
  }
  return IntegerSum(std::move(steps));
}

double rounded_sensitivity(double sensitivity, double error, std::size_t coordinates, int exponent) {
  return rounded_up(std::ldexp(sensitivity + 2 * error, -exponent) +
                    std::sqrt(static_cast<double>(coordinates)));
}

}  // namespace epsilometer
