#include "core/model/loss.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/bounds.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// What underflow may take, far below anything that is ever certified.
constexpr double smallest_error = 1e-290;

// Where no third derivative is larger than the second, that one grows by at most e^doubt.
double exponential_drift(double second, double doubt) { return 1.01 * second * std::expm1(doubt); }

// NaN becomes `least`.
double bounded(double given, double least, double most) {
  return given >= least ? std::min(given, most) : least;
}

class Logistic final : public Loss {
 public:
  LossAt at(double u, double label) const override {
    const double margin = label * u, small = std::exp(-std::abs(margin));
    const double wrong = (margin > 0 ? small : 1) / (1 + small);
    return {std::max(-margin, 0.0) + std::log1p(small), -label * wrong, small / ((1 + small) * (1 + small)),
            16 * unit_roundoff * wrong + smallest_error};
  }
  double drift(const LossAt& found, double, double, double doubt) const override {
    return exponential_drift(found.second, doubt);
  }
  double place(double first, double label) const override {
    const double wrong = -label * first;
    return label * (std::log1p(-wrong) - std::log(wrong));
  }
  double label(double given) const override { return given > 0 ? 1 : -1; }
  double steepness() const override { return 1; }
  double curvature(double) const override { return 0.25; }
  bool one_signed() const override { return true; }
};

/// The squared loss has no threshold: infinity.
class Huber final : public Loss {
 public:
  Huber(double label_bound, double threshold) : bound_(label_bound), threshold_(threshold) {}

  LossAt at(double u, double label) const override {
    const double rest = u - label, size = std::abs(rest);
    const bool inside = size <= threshold_;
    return {inside ? rest * rest / 2 : threshold_ * (size - threshold_ / 2),
            std::clamp(rest, -threshold_, threshold_), inside ? 1.0 : 0.0,
            is_beyond(size, 0) ? 0 : unit_roundoff * size + smallest_error};
  }
  double drift(const LossAt&, double u, double label, double doubt) const override {
    return is_beyond(std::abs(u - label), doubt) ? 0 : doubt;
  }
  double place(double first, double label) const override { return label + first; }
  double label(double given) const override { return bounded(given, -bound_, bound_); }
  double steepness() const override { return threshold_; }
  double curvature(double) const override { return 1; }

 private:
  // For certain, where the size is rounded and u in doubt.
  bool is_beyond(double size, double doubt) const {
    return size * (1 - 4 * unit_roundoff) - doubt > threshold_;
  }

  double bound_, threshold_;
};

class Poisson final : public Loss {
 public:
  explicit Poisson(double label_bound) : bound_(label_bound) {}

  LossAt at(double u, double label) const override {
    const double mean = std::exp(u);
    return {mean - label * u, mean - label, mean, 16 * unit_roundoff * (mean + label) + smallest_error};
  }
  double drift(const LossAt& found, double, double, double doubt) const override {
    return exponential_drift(found.second, doubt);
  }
  double place(double first, double label) const override {
    // Without events the derivative never falls to or below 0.
    return label + first > 0 ? std::log(label + first) : -infinite;
  }
  double label(double given) const override { return bounded(given, 0, bound_); }
  double steepness() const override { return infinite; }
  // f' = e^u - y, so e^u = y + f'.
  double curvature(double steepness) const override { return rounded_up(bound_ + steepness); }

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

LossAt clipped(const Loss& loss, double u, double label, double limit, double doubt) {
  LossAt free = loss.at(u, label);
  if (doubt > 0) free.error += loss.drift(free, u, label, doubt);
  const double size = std::abs(free.first);
  if (!(size > limit)) return free;
  // Beyond the limit for certain, the limit is exact; an infinite derivative, which overflowed, is.
  const double error = size - free.error <= limit ? free.error : 0;
  const double slope = std::copysign(limit, free.first), turn = loss.place(slope, label);
  return {loss.at(turn, label).value + slope * (u - turn), slope, 0, error};
}

}  // namespace epsilometer
