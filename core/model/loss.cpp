#include "core/model/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/numerics/precise_exponential.h"

namespace epsilometer {
namespace {

// So may what is made of a precise exponential by one division and two sums, relative to its terms.
constexpr double precise_error = 8 * exponential_error;

// What is made of an exponential in doubles by a few operations, relative to its terms; what underflowed is
// below the smallest exponential.
constexpr double quick_error = rounding_margin;

DoubleDouble scaled(double sign, DoubleDouble value) { return {sign * value.hi, sign * value.lo}; }

// What is above 0 is not 0 where it underflows: second derivatives are, wherever a loss is not linear.
double above_zero(double value) { return std::max(value, std::numeric_limits<double>::denorm_min()); }

// NaN becomes `least`.
double bounded(double given, double least, double most) {
  return given >= least ? std::min(given, most) : least;
}

// At least e^doubt - 1, but for its last digits.
double growth_less_one(double doubt) { return doubt < 0x1p-20 ? doubt * (1 + doubt) : std::expm1(doubt); }

// No third derivative is larger than the second, which then changes by a factor e^{+-doubt} at most.
class Smooth : public Loss {
 public:
  double drift(const PreciseLossAt& found, double, double, double doubt) const final {
    return 1.01 * found.second * growth_less_one(doubt);
  }
  Bounds second_near(const PreciseLossAt& found, double, double, double doubt) const final {
    const double growth = 1 + growth_less_one(doubt),
                 least = std::min(found.second / growth, std::numeric_limits<double>::max());
    return {rounded_down(least), rounded_up(found.second * growth)};
  }
  double bend(double) const override { return 1; }
};

class Logistic final : public Smooth {
 public:
  LossAt at(double u, double label) const override {
    const double margin = label * u, small = std::exp(-std::abs(margin));
    const double wrong = (margin > 0 ? small : 1) / (1 + small);
    return {-label * wrong, small / ((1 + small) * (1 + small))};
  }
  PreciseLossAt at(DoubleDouble u, double label) const override {
    const DoubleDouble margin = scaled(label, u);
    const DoubleDouble small = precise_exponential(margin.hi > 0 ? -margin : margin),
                       inverse = precise_inverse(DoubleDouble{1} + small),
                       wrong = margin.hi > 0 ? quick_product(small, inverse) : inverse;
    return {scaled(-label, wrong), above_zero(small.hi * inverse.hi * inverse.hi),
            precise_error * wrong.hi + smallest_exponential};
  }
  PreciseLossAt quick_at(double u, double label) const override {
    const LossAt found = at(u, label);
    return {
        {found.first}, above_zero(found.second), quick_error * std::abs(found.first) + smallest_exponential};
  }
  double label(double given) const override { return given > 0 ? 1 : -1; }
  double steepness() const override { return 1; }
  double curvature(double) const override { return 0.25; }
  double bend(double first) const override { return std::abs(1 - 2 * std::abs(first)); }
  bool one_signed() const override { return true; }
};

/// The squared loss has no threshold: infinity.
class Huber final : public Loss {
 public:
  Huber(double label_bound, double threshold) : bound_(label_bound), threshold_(threshold) {}

  LossAt at(double u, double label) const override {
    const double rest = u - label;
    return {std::clamp(rest, -threshold_, threshold_), std::abs(rest) <= threshold_ ? 1.0 : 0.0};
  }
  PreciseLossAt at(DoubleDouble u, double label) const override {
    const DoubleDouble rest = u - DoubleDouble{label};
    const double size = std::abs(rest.hi);
    if (is_beyond(size, 0)) return {{std::copysign(threshold_, rest.hi)}, 0, 0};
    const DoubleDouble over = scaled(rest.hi < 0 ? -1 : 1, rest) - DoubleDouble{threshold_};
    // The difference from an infinite threshold is none.
    const bool inside = !(over.hi > 0);
    return {inside ? rest : DoubleDouble{std::copysign(threshold_, rest.hi)}, inside ? 1.0 : 0.0,
            0x1p-100 * size};
  }
  double drift(const PreciseLossAt&, double u, double label, double doubt) const override {
    return is_beyond(std::abs(u - label), doubt_of_rest(u, label, doubt)) ? 0 : doubt;
  }
  Bounds second_near(const PreciseLossAt&, double u, double label, double doubt) const override {
    const double size = std::abs(u - label), off = doubt_of_rest(u, label, doubt);
    const bool is_inside = size * (1 + 4 * unit_roundoff) + off < threshold_;
    return is_inside ? Bounds{1, 1} : is_beyond(size, off) ? Bounds{0, 0} : Bounds{0, 1};
  }
  double label(double given) const override { return bounded(given, -bound_, bound_); }
  double steepness() const override { return threshold_; }
  double curvature(double) const override { return 1; }

 private:
  // How far u - label may be from what doubles make of it: u is the first of two doubles, and in doubt.
  static double doubt_of_rest(double u, double label, double doubt) {
    return doubt + 4 * unit_roundoff * (std::abs(u) + std::abs(label));
  }

  // For certain, where the size is rounded and u in doubt.
  bool is_beyond(double size, double doubt) const {
    return size * (1 - 4 * unit_roundoff) - doubt > threshold_;
  }

  double bound_, threshold_;
};

class Poisson final : public Smooth {
 public:
  explicit Poisson(double label_bound) : bound_(label_bound) {}

  LossAt at(double u, double label) const override {
    const double mean = std::exp(u);
    return {mean - label, mean};
  }
  PreciseLossAt at(DoubleDouble u, double label) const override {
    const DoubleDouble mean = precise_exponential(u);
    if (std::isinf(mean.hi)) return {mean, mean.hi, mean.hi};
    return {mean - DoubleDouble{label}, above_zero(mean.hi),
            precise_error * (mean.hi + label) + smallest_exponential};
  }
  double label(double given) const override { return bounded(given, 0, bound_); }
  double steepness() const override { return infinite; }
  // f' = e^u - y, so e^u = y + f'.
  double curvature(double steepness) const override { return curvature_at(bound_, steepness); }
  double curvature_at(double label, double steepness) const override { return rounded_up(label + steepness); }

 private:
  double bound_;
};

}  // namespace

std::unique_ptr<const Loss> make_loss(const std::string& name, const LossNumbers& numbers) {
  if (name == "logistic") return std::make_unique<Logistic>();
  if (name == "squared") return std::make_unique<Huber>(numbers.label_bound, infinite);
  if (name == "huber") return std::make_unique<Huber>(numbers.label_bound, numbers.threshold);
  if (name == "poisson") return std::make_unique<Poisson>(numbers.label_bound);
  throw Refusal("unknown", "loss", name, "must be one of logistic, squared, huber, poisson");
}

LossAt clipped(const Loss& loss, double u, double label, double limit) {
  const LossAt free = loss.at(u, label);
  return std::abs(free.first) > limit ? LossAt{std::copysign(limit, free.first), 0} : free;
}

PreciseLossAt within(const PreciseLossAt& free, double limit) {
  const DoubleDouble size = free.first.hi < 0 ? -free.first : free.first;
  if (!(size.hi > limit || (size.hi == limit && size.lo > 0))) return free;
  // Beyond the limit for certain, the limit is exact; an infinite derivative, which overflowed, is.
  const double error = size.hi * (1 - unit_roundoff) - free.error <= limit ? free.error : 0;
  return {{std::copysign(limit, free.first.hi)}, 0, error};
}

PreciseLossAt clipped(const Loss& loss, DoubleDouble u, double label, double limit, double doubt) {
  PreciseLossAt free = loss.at(u, label);
  if (doubt > 0) free.error += loss.drift(free, u.hi, label, doubt);
  return within(free, limit);
}

}  // namespace epsilometer
