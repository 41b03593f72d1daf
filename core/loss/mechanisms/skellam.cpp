// Skellam noise, the difference of two Poisson variables of mean v/2 each, on a count of whole sensitivity:
// P(x) = e^-v I_|x|(v), with the ratios r_n = I_n / I_{n-1} of Bessel functions, which are log-concave (Amos
// 1974). Exact sums; Agarwal, Kairouz and Liu 2021 bound its Renyi divergences.
#include <algorithm>
#include <cmath>

#include "core/loss/whole_noise_loss.h"
#include "core/numerics/logarithm.h"

namespace epsilometer::mechanisms {
namespace {

constexpr double most_moment_outcomes = 3e4;

/// The logarithms of all probabilities from 0 to a last number.
class Skellam final : public WholeNoise {
 public:
  Skellam(double variance, double sensitivity, double most) : variance_(variance), sensitivity_(sensitivity) {
    // P(x) is at most e^{-x asinh(x/v) + sqrt(x^2 + v^2) - v}.
    while (exponent(reach_) < 780) reach_ = std::ceil(1.05 * reach_ + 1);
    reach_ = std::max({reach_, sensitivity, most});
    tabulate(static_cast<std::size_t>(reach_ + sensitivity) + 1);
  }

  DoubleDouble log_mass(double x) const override { return logs_[static_cast<std::size_t>(x)]; }
  double reach() const override { return reach_; }
  std::shared_ptr<const WholeNoise> moved_by(double sensitivity) const override {
    return std::make_shared<Skellam>(variance_, sensitivity, 0);
  }
  // Of x = -n far out, the next term is at most r e^{tD c} of the one before: 1/r_{n+1} - 1/r_n <= 2/v, and
  // r_n <= 1 and <= v/2n, so that c is the lesser of 2/v and 1/n. The whole is at least any of its terms:
  // that at -1 and some further out are tried.
  std::optional<Outcomes> telling(double order, double sensitivity) const override {
    const double t = order - 1, last = reach_;
    const double ratio =
        (log_mass(last) - log_mass(last - 1)).hi + t * sensitivity * std::min(2 / variance_, 1 / last);
    const auto log_term = [&](double n) {
      const double told = (log_mass(n) - log_mass(n + sensitivity)).hi;
      return log_mass(n).hi + t * told + std::log(std::min(1.0, t * told) * std::min(1.0, order * told));
    };
    double least = log_term(1);
    for (double n = std::floor(last / 2); n > 1; n = std::floor(n / 1.5))
      least = std::max(least, log_term(n));
    const bool ends = ratio < -1e-6 && log_term(last) - std::log(-std::expm1(ratio)) < least - 44;
    return ends ? std::optional(Outcomes{-last, last}) : std::nullopt;
  }
  // All terms are at most the highest of them, and beyond `far` each is less than 1/e of the one before;
  // positive outcomes have losses below that of 0.
  double renyi_bound(double order, double sensitivity) const override {
    const double t = order - 1;
    const auto loss = [&](double n) {
      return sensitivity * std::asinh((n + (sensitivity + 1) / 2) / variance_);
    };
    const double n = fallen(order, sensitivity, 0), far = fallen(order, sensitivity, -1);
    // Divided by t before what is large is taken from what is large.
    const double highest = std::max(loss(n) - exponent(n) / t, loss(0));
    const double doubt = 1e-13 * (loss(n) + exponent(n) / t);
    return rounded_up(highest + std::log(far + 4) / t + doubt);
  }

  std::shared_ptr<const WholeNoise> wider(double order, double sensitivity) const override {
    if (2 * std::max(reach_, fallen(order, sensitivity, 0)) > most_moment_outcomes) return nullptr;
    if (!wider_) wider_ = std::make_shared<Skellam>(variance_, sensitivity_, 2 * reach_);
    return wider_;
  }

 private:
  // Where a bound on the logarithm of the term of -n grows by no more than a slope. Ratios fall with n, so
  // that 1/r_n = 2n/v + r_{n+1} < 2n/v + r_n, and r_n > e^{-asinh(n/v)}; asinh is concave, so that the loss
  // of -n is at most D asinh((n + (D+1)/2)/v).
  double fallen(double order, double sensitivity, double slope) const {
    const auto growth = [&](double n) {
      return (order - 1) * sensitivity / std::hypot(n + (sensitivity + 1) / 2, variance_) -
             std::asinh(n / variance_);
    };
    double low = 0, high = 1;
    while (growth(high) > slope) high *= 2;
    for (int i = 0; i < 60; ++i) {
      const double middle = low + (high - low) / 2;
      (growth(middle) > slope ? low : high) = middle;
    }
    return high;
  }

  double loss(double n, double sensitivity) const { return (log_mass(n) - log_mass(n + sensitivity)).hi; }
  double exponent(double x) const {
    return x * std::asinh(x / variance_) - x * x / (std::hypot(x, variance_) + variance_);
  }

  // 1/r_n = 2n/v + r_{n+1}, all positive, from far enough out that its start is forgotten.
  void tabulate(std::size_t size) {
    std::vector<DoubleDouble> ratios(size);
    DoubleDouble ratio{0};
    const double start = static_cast<double>(size) + 60 + std::ceil(8 * std::sqrt(variance_));
    for (double n = start; n >= 1; --n) {
      ratio = DoubleDouble{1} / (DoubleDouble{2 * n} / DoubleDouble{variance_} + ratio);
      if (n < static_cast<double>(size)) ratios[static_cast<std::size_t>(n)] = ratio;
    }
    // 1 / P(0) = 1 + 2 r_1 + 2 r_1 r_2 + ..., the last first.
    DoubleDouble sum{0};
    for (std::size_t n = size - 1; n >= 1; --n) sum = ratios[n] * (DoubleDouble{1} + sum);
    DoubleDouble log = -log_one_plus(sum + sum);
    logs_.reserve(size);
    for (std::size_t n = 0; n < size; ++n) {
      if (n > 0) log = log + log_of(ratios[n]);
      logs_.push_back(log);
    }
  }

  static DoubleDouble log_of(DoubleDouble x) {
    // log x = log hi + log(1 + lo / hi).
    return logarithm(x.hi) + DoubleDouble{x.lo / x.hi};
  }

  double variance_, sensitivity_, reach_ = 1;
  std::vector<DoubleDouble> logs_;
  // Found once: many orders ask for it.
  mutable std::shared_ptr<const WholeNoise> wider_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> skellam(const Description& description) {
  const double variance = description.number("variance", 1e-3, 1e6);
  const double sensitivity = description.whole("sensitivity", 1, WholeNoiseLoss::largest_sensitivity);
  return std::make_shared<WholeNoiseLoss>(std::make_shared<Skellam>(variance, sensitivity, 0), sensitivity);
}

}  // namespace epsilometer::mechanisms
