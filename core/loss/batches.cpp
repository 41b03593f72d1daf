#include "core/loss/batches.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/loss/gaussian_loss.h"
#include "core/loss/laws/atomic_law.h"
#include "core/loss/mixture_loss.h"
#include "core/loss/pair_loss.h"
#include "core/numerics/constants.h"
#include "core/numerics/double_double.h"
#include "core/numerics/invert.h"
#include "core/numerics/normal.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// What the probabilities of a test may lose to rounding.
constexpr double test_margin = 4 * rounding_margin;

// Thresholds that tell whether a batch is above them are looked for with shifts up to this: more noise in
// every batch can only hide more, and beyond it no threshold has both an error that doubles tell from 0 and a
// power that they tell from 1.
constexpr double furthest_shift = 36;

// log Phi(c - shift).
double log_below(double c, double shift) {
  const DoubleDouble at = two_sum(c, -shift);
  const double above = normal_upper_tail(at);
  return above < 0.5 ? std::log1p(-above) : std::log(normal_upper_tail(-at));
}

class ShuffledLoss final : public Knowing<KnownProfile, KnownLaw, ClassBound> {
 public:
  ShuffledLoss(std::shared_ptr<const PrivacyLoss> fixed, double batches, bool replaced)
      : fixed_(std::move(fixed)), others_(batches - 1) {
    const double mu = std::min(*fixed_->gaussian(), furthest_shift);
    far_ = replaced ? mu : 2 * mu;
    near_ = replaced ? 0 : mu;
  }

  Bounds delta(double epsilon) const override {
    if (epsilon < 0) return mirrored(delta(-epsilon), epsilon);
    const auto lost = [&](double c) {
      const auto [p, q] = test(c);
      return -(rounded_down(p, test_margin) - std::exp(epsilon) * rounded_up(q, test_margin));
    };
    const double found = rounded_down(std::max(0.0, -lost(best(lost))));
    const double upper = fixed_->profile()->delta(epsilon).upper;
    return {std::min(found, upper), upper};
  }

  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    double low = -50, high = far_ + 50;
    for (int i = 0; i < 100; ++i) {
      const double c = low + (high - low) / 2;
      (rounded_up(test(c).second, test_margin) > false_positive ? low : high) = c;
    }
    const double upper = fixed_->profile()->power(false_positive).upper;
    return {std::min(upper, std::max(false_positive, rounded_down(test(high).first, test_margin))), upper};
  }

  bool is_tight() const override { return false; }
  double renyi(double order) const override { return fixed_->renyi(order); }
  double largest_loss() const override { return fixed_->largest_loss(); }
  bool reaches_largest_loss() const override { return false; }
  std::optional<double> concentrated() const override { return fixed_->concentrated(); }
  std::shared_ptr<const Law> law(Direction direction) const override {
    return fixed_->laws()->law(direction);
  }

  // Whether any batch is above a threshold.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    const double power = std::max(0.1, tilt);
    const double c = best([&](double at) {
      const auto [p, q] = test(at);
      if (!(q > 1e-300 && p < 1)) return infinite;
      return -std::log(p * std::pow(p / q, power) + (1 - p) * std::pow((1 - p) / (1 - q), power));
    });
    const auto [p, q] = test(c);
    // No test is one, too.
    if (!(q > 1e-300 && p < 1)) return std::make_shared<GaussianLoss>(DoubleDouble{0});
    const double loss = std::log(p / q), other = std::log1p(-p) - std::log1p(-q);
    const double error = 16 * test_margin * (1 + std::abs(loss) + std::abs(other));
    return std::make_shared<PairLoss>(
        std::make_shared<AtomicLaw>(std::vector<Atom>{{other, 1 - p}, {loss, p}}, 0, error),
        std::make_shared<AtomicLaw>(std::vector<Atom>{{-loss, q}, {-other, 1 - q}}, 0, error));
  }

 private:
  // The probabilities of a batch above c, with the record and without it.
  std::pair<double, double> test(double c) const {
    const double rest = others_ * log_below(c, 0);
    return {-std::expm1(log_below(c, far_) + rest), -std::expm1(log_below(c, near_) + rest)};
  }

  // Heuristic, no guarantee: whichever it is, its test is one.
  double best(const std::function<double(double)>& lost) const {
    const double from = -8, step = (far_ + 48) / 96;
    double at = from, least = infinite;
    for (int i = 0; i <= 96; ++i) {
      const double value = lost(from + i * step);
      if (value < least) {
        least = value;
        at = from + i * step;
      }
    }
    return minimum(lost, at - step, at + step, 40).first;
  }

  std::shared_ptr<const PrivacyLoss> fixed_;
  double others_, far_, near_;
};

// How often one of n records is among b draws: what is left out is below any double.
MixtureLaw::Mixture drawn(double draws, double records, double shift) {
  MixtureLaw::Mixture result{{std::exp(draws * std::log1p(-1 / records)), 0}};
  for (double j = 1; j <= draws; ++j) {
    const double weight = result.back().probability * (draws - j + 1) / (j * (records - 1));
    if (weight < 1e-300 && weight < result.back().probability) break;
    result.push_back({weight, j * shift});
  }
  return result;
}

// What is around a profile, solved for epsilon.
class DrawnCurve final : public ProfileCurve {
 public:
  DrawnCurve(const ProfileCurve& member, double mu, const MixtureLaw::Mixture& weights, double joins)
      : member_(member), mu_(mu), weights_(weights), joins_(joins) {}

  // delta(log(1 + p (e^e - 1))) <= sum over j >= 1 of p_j delta_{j mu}(e).
  Bounds delta(double epsilon) const override {
    const double level = rounded_down(epsilon > 600 ? epsilon : std::log1p(std::expm1(epsilon) / joins_));
    double sum = 0;
    for (std::size_t j = 1; j < weights_.size(); ++j)
      sum += weights_[j].probability *
             GaussianLoss(DoubleDouble{static_cast<double>(j)} * DoubleDouble{mu_}).delta(level).upper;
    const double lower = member_.delta(epsilon).lower;
    return {lower, std::max(lower, std::min(1.0, rounded_up(sum, 1e-12)))};
  }

  Bounds epsilon(double delta) const override {
    const double lower = member_.epsilon(delta).lower;
    const auto upper = [&](double epsilon) { return this->delta(epsilon).upper; };
    return {lower, delta == 0 ? infinite : std::max(lower, crossing(upper, delta, 1e6).above)};
  }

 private:
  const ProfileCurve& member_;
  double mu_;
  const MixtureLaw::Mixture& weights_;
  double joins_;
};

class DrawnLoss final : public Knowing<AroundProfile> {
 public:
  DrawnLoss(double mu, double own, double draws, double records)
      : mu_(mu),
        weights_(drawn(draws, records, own)),
        joins_(-std::expm1(draws * std::log1p(-1 / records))),
        member_(std::make_shared<MixtureLoss>(weights_, MixtureLaw::Mixture{{1, 0}})) {}

  const std::shared_ptr<const PrivacyLoss>& inside() const override { return member_; }
  std::unique_ptr<const ProfileCurve> around(const ProfileCurve& member) const override {
    return std::make_unique<DrawnCurve>(member, mu_, weights_, joins_);
  }
  double renyi(double) const override { return infinite; }
  bool reaches_largest_loss() const override { return false; }
  bool symmetric() const override { return false; }

 private:
  double mu_;
  MixtureLaw::Mixture weights_;
  double joins_;
  std::shared_ptr<const PrivacyLoss> member_;
};

// P(Bin(n, q) > B), rounded up.
double larger(double n, double q, double largest) {
  if (largest >= n) return 0;
  if (largest <= n * q || q == 1) return 1;
  const double first = largest + 1, whole = std::lgamma(n + 1);
  const double log_term = whole - std::lgamma(first + 1) - std::lgamma(n - first + 1) + first * std::log(q) +
                          (n - first) * std::log1p(-q);
  // Each part is right to a few of its own last digits.
  const double doubt = 32 * unit_roundoff * (3 * whole + first * std::abs(std::log(q)) + n);
  double term = 1, sum = 0;
  for (double j = first;; ++j) {
    sum += term;
    const double ratio = (n - j) / (j + 1) * q / (1 - q);
    if (term < 1e-17 * sum * (1 - ratio) || j - first > 1e6) {
      sum += term * ratio / (1 - ratio);
      break;
    }
    term *= ratio;
  }
  return std::min(1.0, rounded_up(std::exp(log_term + doubt) * sum, 1e-9));
}

class TruncatedCurve final : public ProfileCurve {
 public:
  TruncatedCurve(const ProfileCurve& inner, double cut) : inner_(inner), cut_(cut) {}

  Bounds delta(double epsilon) const override {
    const Bounds inner = inner_.delta(epsilon);
    return {inner.lower, std::min(1.0, rounded_up(inner.upper + more(epsilon)))};
  }

  // What is found for more than epsilon costs at epsilon holds there.
  Bounds epsilon(double delta) const override {
    const double lower = inner_.epsilon(delta).lower;
    double reached = lower;
    for (int i = 0; i < 60; ++i) {
      const double assumed = rounded_up(reached * (1 + 1e-6) + 1e-9);
      const double left = rounded_down(delta - rounded_up(more(assumed)) - 2 * unit_roundoff * delta);
      if (!(left >= 1e-300)) break;
      const double found = inner_.epsilon(left).upper;
      if (found <= assumed) return {lower, std::max(lower, found)};
      reached = found;
    }
    return {lower, infinite};
  }

 private:
  double more(double epsilon) const { return rounded_up((1 + std::exp(epsilon)) * cut_); }

  const ProfileCurve& inner_;
  double cut_;
};

class TruncatedPoissonLoss final : public Knowing<AroundProfile, ClassBound> {
 public:
  TruncatedPoissonLoss(std::shared_ptr<const PrivacyLoss> poisson, double cut)
      : poisson_(std::move(poisson)), cut_(cut) {}

  const std::shared_ptr<const PrivacyLoss>& inside() const override { return poisson_; }
  std::unique_ptr<const ProfileCurve> around(const ProfileCurve& inner) const override {
    return std::make_unique<TruncatedCurve>(inner, cut_);
  }
  double renyi(double) const override { return infinite; }
  bool reaches_largest_loss() const override { return false; }
  bool symmetric() const override { return poisson_->symmetric(); }
  // A table with fewer records than are kept is never cut.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    return composing_near(poisson_, tilt);
  }

 private:
  std::shared_ptr<const PrivacyLoss> poisson_;
  double cut_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> shuffled(std::shared_ptr<const PrivacyLoss> fixed, double batches,
                                            bool replaced) {
  if (batches == 1) return fixed;
  return std::make_shared<ShuffledLoss>(std::move(fixed), batches, replaced);
}

std::shared_ptr<const PrivacyLoss> drawn_added(double mu, double draws, double records) {
  return std::make_shared<MixtureLoss>(drawn(draws, records, mu), MixtureLaw::Mixture{{1, 0}});
}

std::shared_ptr<const PrivacyLoss> drawn_changed(double mu, double own, double draws, double records) {
  return std::make_shared<DrawnLoss>(mu, own, draws, records);
}

std::shared_ptr<const PrivacyLoss> truncated(std::shared_ptr<const PrivacyLoss> poisson, double rate,
                                             double steps, double records, double largest) {
  const double each = larger(records, rate, largest);
  if (each == 0) return poisson;
  return std::make_shared<TruncatedPoissonLoss>(std::move(poisson), rounded_up(steps * each));
}

}  // namespace epsilometer
