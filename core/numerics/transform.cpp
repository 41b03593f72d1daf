#include "core/numerics/transform.h"

#include <algorithm>
#include <cmath>
#include <kissfft/kissfft.hh>
#include <numbers>

#include "core/base/bounds.h"
#include "core/numerics/constants.h"
#include "core/numerics/margins.h"

namespace epsilometer {
namespace {

// Smaller entries of a product contribute nothing that doubles could hold beside the largest.
constexpr double negligible = -90;

using std::numbers::pi;

}  // namespace

struct Transform::Plan : kissfft<double> {
  using kissfft::kissfft;
};

Transform::Transform(std::size_t length) : length_(length), plan_(std::make_unique<Plan>(length, false)) {}

Transform::~Transform() = default;

Frequencies Transform::forward(const Frequencies& values) const {
  Frequencies result(length_);
  plan_->transform(values.data(), result.data());
  return result;
}

// The conjugate of the transform of the conjugate: one plan serves both directions.
Frequencies Transform::backward(Frequencies values) const {
  for (auto& value : values) value = std::conj(value);
  Frequencies result = forward(values);
  for (auto& value : result) value = std::conj(value);
  return result;
}

double Transform::error() const {
  return (28 * std::ceil(std::log2(static_cast<double>(length_))) + 64) * unit_roundoff;
}

std::size_t smooth_length(double length) {
  double best = std::exp2(std::max(3.0, std::ceil(std::log2(length))));
  for (double threes = 1; threes < best; threes *= 3) {
    for (double fives = threes; fives < best; fives *= 5) {
      const double twos = std::exp2(std::max(1.0, std::ceil(std::log2(length / fives))));
      if (twos * fives >= length) best = std::min(best, twos * fives);
    }
  }
  return static_cast<std::size_t>(best);
}

PowerProduct::PowerProduct(std::size_t length)
    : log_size_(length, 0.0),
      phase_(length, 0.0),
      log_most_(length, 0.0),
      relative_(length, 0.0),
      once_(length, 1.0),
      most_once_(length, 1.0) {}

void PowerProduct::multiply_once(const Frequencies& factor, double doubt) {
  for (std::size_t f = 0; f < factor.size(); ++f) {
    once_[f] = {once_[f].real() * factor[f].real() - once_[f].imag() * factor[f].imag(),
                once_[f].real() * factor[f].imag() + once_[f].imag() * factor[f].real()};
    const double size = std::sqrt(std::norm(factor[f]));
    most_once_[f] =
        std::max(least_product, most_once_[f] * (size + doubt + least_factor) * (1 + 4 * unit_roundoff));
    relative_[f] += 4 * unit_roundoff;
  }
}

void PowerProduct::multiply(const Frequencies& factor, double count, double doubt) {
  if (count == 1) return multiply_once(factor, doubt);
  // Most frequencies of a large power are negligible, which their squares tell without a logarithm.
  const double least = std::exp(2 * negligible / count) - doubt;
  const double least_square = least > 0 ? least * least : 0;
  for (std::size_t f = 0; f < factor.size(); ++f) {
    if (std::norm(factor[f]) < least_square) {
      log_most_[f] += 2 * negligible;
      continue;
    }
    const double size = std::abs(factor[f]);
    log_most_[f] += count * std::log(size + doubt);
    if (log_most_[f] < 2 * negligible) continue;
    // The power of an exact zero is one, without any rounding; its logarithm must not become a doubt.
    if (size == 0) {
      log_size_[f] = -infinite;
      continue;
    }
    const double log_size = std::log(size), turn = std::arg(factor[f]);
    log_size_[f] += count * log_size;
    phase_[f] += std::remainder(count * turn, 2 * pi);
    relative_[f] +=
        8 * unit_roundoff * (std::abs(count * log_size) + 4) + 4 * unit_roundoff * count * std::abs(turn);
  }
}

Frequencies PowerProduct::values() const {
  Frequencies result(log_size_.size());
  for (std::size_t f = 0; f < result.size(); ++f) {
    if (log_most(f) >= negligible) result[f] = std::polar(std::exp(log_size_[f]), phase_[f]) * once_[f];
  }
  return result;
}

double PowerProduct::total_error() const {
  double sum = 0;
  for (std::size_t f = 0; f < log_size_.size(); ++f) {
    // Left out altogether, or off by what the doubts of the factors and the polar form's roundings allow.
    const double all = log_most(f), most = std::exp(all);
    const double log_size = log_size_[f] + std::log(std::abs(once_[f]));
    sum += all < negligible ? most : most * (-std::expm1(log_size - all) + 2 * relative_[f] + entry_margin);
  }
  return sum * (1 + frequencies_margin(static_cast<double>(log_size_.size())));
}

TwoSpectra spectra(const Frequencies& both) {
  const std::size_t length = both.size(), half = length / 2 + 1;
  TwoSpectra result{Frequencies(half), Frequencies(half)};
  for (std::size_t f = 0; f < half; ++f) {
    const auto mirrored = std::conj(both[(length - f) % length]);
    result.one[f] = (both[f] + mirrored) * 0.5;
    result.other[f] = (both[f] - mirrored) * std::complex<double>(0, -0.5);
  }
  return result;
}

TwoSequences sequences(const Transform& transform, const PowerProduct& one, const PowerProduct& other) {
  const std::size_t length = transform.length(), half = length / 2 + 1;
  const Frequencies ones = one.values(), others = other.values();
  Frequencies joint(length);
  double size = 0;
  for (std::size_t f = 0; f < length; ++f) {
    const auto u = f < half ? ones[f] : std::conj(ones[length - f]);
    const auto l = f < half ? others[f] : std::conj(others[length - f]);
    joint[f] = u + std::complex<double>(0, 1) * l;
    size += std::abs(u) + std::abs(l);
  }
  const double n = static_cast<double>(length);
  const double lost = 2 * (one.total_error() + other.total_error());
  const double doubt = (lost + transform.error() * (size + lost)) / n * (1 + frequencies_margin(n));
  return {transform.backward(std::move(joint)), doubt};
}

}  // namespace epsilometer
