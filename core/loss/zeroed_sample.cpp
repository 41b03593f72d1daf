#include "core/loss/zeroed_sample.h"

#include <algorithm>
#include <cmath>

#include "core/loss/gaussian_loss.h"
#include "core/loss/laws/fixed_size_law.h"
#include "core/loss/mixture_loss.h"
#include "core/loss/pair_loss.h"
#include "core/loss/sampled_loss.h"
#include "core/loss/sampled_moment.h"
#include "core/numerics/constants.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

using Mixture = MixtureLaw::Mixture;

double upper_tail(double x) { return normal_upper_tail({x}); }

/// A law of which what lies on one side of x is taken as one outcome.
class CutLaw final : public Law {
 public:
  CutLaw(std::shared_ptr<const Law> whole, double from, double to, Atom rest, double error)
      : whole_(std::move(whole)), from_(from), to_(to), rest_(rest), error_(error) {}

  std::vector<Atom> atoms() const override { return {rest_}; }
  double atom_error() const override { return error_; }
  double lowest_x() const override { return from_; }
  double highest_x() const override { return to_; }
  double loss(double x) const override { return whole_->loss(x); }
  double x_at(double loss) const override {
    double low = std::isinf(from_) ? to_ - 1 : from_, high = std::isinf(to_) ? from_ + 1 : to_;
    while (std::isinf(from_) && whole_->loss(low) > loss && low > -1e7) low = to_ - 2 * (to_ - low);
    while (std::isinf(to_) && whole_->loss(high) < loss && high < 1e7) high = from_ + 2 * (high - from_);
    for (int i = 0; i < 100; ++i) {
      const double middle = low + (high - low) / 2;
      (whole_->loss(middle) > loss ? high : low) = middle;
    }
    return low;
  }
  double slope(double x) const override { return whole_->slope(x); }
  double log_density(double x) const override { return whole_->log_density(x); }
  double log_slope_bound(double from, double to) const override { return whole_->log_slope_bound(from, to); }
  double rounding(double from, double to) const override { return whole_->rounding(from, to); }
  double length_scale() const override { return whole_->length_scale(); }
  double log_above(double x) const override { return whole_->log_above(x); }
  double log_below(double x) const override { return whole_->log_below(x); }

 private:
  std::shared_ptr<const Law> whole_;
  double from_, to_;
  Atom rest_;
  double error_;
};

class ZeroedLoss final : public Knowing<KnownProfile, KnownLaw, ClassBound> {
 public:
  ZeroedLoss(double mu, double rate)
      : mu_(mu),
        rate_(rate),
        drawn_(two_centres(rate, 2 * mu)),
        zeroed_(two_centres(rate, mu)),
        poisson_(
            poisson_sampled(std::make_shared<GaussianLoss>(DoubleDouble{mu}), rate, Joining::by_itself)) {}

  Bounds delta(double epsilon) const override {
    const double size = std::abs(epsilon);
    const Bounds there = MixtureLoss::delta_above(drawn_, zeroed_, size),
                 gone = poisson_->profile()->delta(size);
    const Bounds worst{std::max(there.lower, gone.lower), std::max(there.upper, gone.upper)};
    return epsilon < 0 ? mirrored(worst, epsilon) : worst;
  }

  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    const Mixture one{{1, 0}}, left = two_centres(rate_, -mu_), further = two_centres(rate_, -2 * mu_);
    const double near = upper_tail(mu_ / 2), away = upper_tail(1.5 * mu_);
    const Bounds there = hull(drawn_, zeroed_, (1 - rate_) * away + rate_ * near, one, left,
                              (1 - rate_) * (1 - near) + rate_ * near, false_positive);
    const Bounds gone =
        hull(zeroed_, one, near, left, further, (1 - rate_) * (1 - away) + rate_ * near, false_positive);
    return {std::max(there.lower, gone.lower), std::max(there.upper, gone.upper)};
  }

  // By joint convexity: where the record is drawn, it is as far from 0 as mu, whatever else there is.
  double renyi(double order) const override {
    const double exponent = order * (order - 1) * mu_ * mu_ / 2;
    return rounded_up(log_mixed(rate_, exponent) / (order - 1));
  }
  double largest_loss() const override { return infinite; }
  bool symmetric() const override { return false; }

  // All other records are as far on the other side. What lies below the bend of the loss, where it is about
  // 0, is one outcome.
  std::shared_ptr<const PrivacyLoss> witness_near(double) const override {
    const double cut = 1.5 * mu_ - std::log(2.0) / mu_;
    const auto below = [cut](const Mixture& all) {
      double sum = 0;
      for (const auto& one : all) sum += one.probability * upper_tail(one.shift - cut);
      return sum;
    };
    // With a tiny shift the bend lies so far out that both probabilities are 0 in doubles.
    const double p = below(drawn_), q = below(zeroed_), loss = p > 0 && q > 0 ? std::log(p / q) : 0;
    const double error = 128 * unit_roundoff * (1 + std::abs(loss));
    return std::make_shared<PairLoss>(
        std::make_shared<CutLaw>(member(Direction::remove), cut, infinite, Atom{loss, p}, error),
        std::make_shared<CutLaw>(member(Direction::add), -infinite, -cut, Atom{-loss, q}, error));
  }

  std::shared_ptr<const Law> law(Direction direction) const override {
    const KnownLaw& poisson = *poisson_->laws();
    const double rest = (1 - rate_) * (upper_tail(-mu_ / 2) - upper_tail(1.5 * mu_));
    return direction == Direction::remove
               ? std::make_shared<FixedSizeLaw>(member(Direction::remove), poisson.law(Direction::add), rest)
               : std::make_shared<FixedSizeLaw>(poisson.law(Direction::remove), member(Direction::add), rest);
  }

 private:
  // Of slopes above 1 the power of the one pair, of others that of the other pair, and between them a line of
  // the slope 1.
  Bounds hull(const Mixture& steep_ahead, const Mixture& steep_behind, double start,
              const Mixture& flat_ahead, const Mixture& flat_behind, double end, double x) const {
    if (x <= rounded_down(start)) return MixtureLoss::power_above(steep_ahead, steep_behind, x);
    if (x >= rounded_up(end)) return MixtureLoss::power_above(flat_ahead, flat_behind, x);
    const Bounds advantage = MixtureLoss::delta_above(drawn_, zeroed_, 0);
    const double upper = std::min(1.0, rounded_up(x + advantage.upper));
    if (x > rounded_up(start) && x < rounded_down(end)) return {rounded_down(x + advantage.lower), upper};
    return {std::max(MixtureLoss::power_above(steep_ahead, steep_behind, x).lower,
                     MixtureLoss::power_above(flat_ahead, flat_behind, x).lower),
            upper};
  }

  std::shared_ptr<const Law> member(Direction direction) const {
    if (direction == Direction::remove) return std::make_shared<MixtureLaw>(drawn_, zeroed_);
    return std::make_shared<MixtureLaw>(two_centres(rate_, -mu_), two_centres(rate_, -2 * mu_));
  }

  double mu_, rate_;
  Mixture drawn_, zeroed_;
  std::shared_ptr<const PrivacyLoss> poisson_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> zeroed_sample(double mu, double rate) {
  return std::make_shared<ZeroedLoss>(mu, rate);
}

}  // namespace epsilometer
