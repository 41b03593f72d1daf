// One sample of a ridge regression's posterior, N(theta, H^{-1} / gamma) with H = X^T X + lambda I, against
// that of the table with one more record (x, y). The loss depends on e = sqrt(gamma) (y - x^T sample) only:
// without the record e is N(R, mu), with it N(R / (1 + mu), mu / (1 + mu)), where mu = x^T H^{-1} x is the
// leverage and R = sqrt(gamma) |y - x^T theta| the residual, both of the table without the record; the loss
// of "without" is (e^2 - R^2 / (1 + mu) - log(1 + mu)) / 2. Wang 2019, Theorem 14, for the mechanism; the
// exact pair is derived from it. Pairs with a smaller leverage m and residuals up to R sqrt((1 + m) / (1 +
// mu)) are post-processings of this one (core/release/algorithms/posterior_sampling.cpp).
#include <algorithm>
#include <cmath>

#include "core/loss/laws/law.h"
#include "core/loss/sum_loss.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/normal.h"

namespace epsilometer::mechanisms {
namespace {

// In x, how many deviations |e| is above its mean (sign 1) or below it (sign -1), the loss grows as base +
// shift x + sign variance x^2 / 2. The second term of the density is that of e < 0, folded over.
class FoldedLaw final : public Law {
 public:
  FoldedLaw(double mean, double variance, double base, double sign)
      : mean_(mean / std::sqrt(variance)),
        variance_(variance),
        shift_(mean * std::sqrt(variance)),
        base_(base),
        sign_(sign) {}

  double lowest_x() const override { return sign_ > 0 ? -mean_ : Law::lowest_x(); }
  double highest_x() const override { return sign_ > 0 ? Law::highest_x() : mean_; }
  double loss(double x) const override { return base_ + (shift_ + sign_ * variance_ * x / 2) * x; }
  double x_at(double loss) const override {
    const double distance = 2 * (loss - base_) / variance_, squared = mean_ * mean_ + sign_ * distance;
    if (!(squared > 0)) return -sign_ * mean_;
    return distance / (mean_ + std::sqrt(squared));
  }
  double slope(double x) const override { return shift_ + sign_ * variance_ * x; }
  double log_density(double x) const override {
    return -x * x / 2 - 0.91893853320467274 + std::log1p(std::exp(-2 * mean_ * (mean_ + sign_ * x)));
  }
  double log_slope_bound(double from, double to) const override {
    const double farthest = std::max(std::abs(from), std::abs(to));
    const double nearest = mean_ + (sign_ > 0 ? from : -to);
    return farthest + 2 * mean_ / (1 + std::exp(2 * mean_ * nearest)) + shift_ + variance_ * farthest;
  }
  double length_scale() const override { return 1; }
  double log_above(double x) const override { return log_two + log_normal_upper_tail(x); }
  double log_below(double x) const override { return log_two + log_normal_upper_tail(-x); }

 private:
  static constexpr double log_two = 0.6931471805599454;

  double mean_, variance_, shift_, base_, sign_;
};

class PosteriorLoss final : public Knowing<KnownLaw, Unsteady> {
 public:
  PosteriorLoss(double leverage, double residual)
      : leverage_(leverage), residual_(residual), log_ratio_(log_one_plus(DoubleDouble{leverage})) {}

  // Gaussian integrals of e^{t e^2 / 2}, t = order - 1, finite for t < 1 / leverage, and of e^{-t e^2 / 2}.
  double renyi(double order) const override {
    const double mu = leverage_, t = order - 1;
    if (!(t * mu < 1)) return std::numeric_limits<double>::infinity();
    const DoubleDouble twice{2 * t}, half{0.5}, wide{t * mu}, one{1};
    const DoubleDouble adding = -half * log_ratio_ - log_one_plus(-wide) / twice;
    const DoubleDouble removing = half * log_ratio_ - log_one_plus(wide / (one + DoubleDouble{mu})) / twice;
    const double moved = residual_ * residual_ * mu * order / (2 * (1 + mu));
    // The two logarithms agree up to a share of order * leverage, of which double-doubles leave 2^-90; near
    // the pole 1 - t mu loses what t mu was rounded by.
    const double margin = rounding_margin + 0x1p-90 / (mu * order) + 8 * unit_roundoff / (1 - t * mu);
    return rounded_up(std::max(adding.hi + moved / (1 - t * mu), removing.hi + moved / (1 + mu * order)),
                      margin);
  }

  double largest_order() const override { return 1 + 1 / leverage_; }
  bool symmetric() const override { return false; }

  bool composes() const override { return true; }
  // A smaller leverage is a post-processing for smaller residuals only.
  std::vector<std::string> parameters() const override { return {"leverage"}; }

  std::shared_ptr<const Law> law(Direction direction) const override {
    const double mu = leverage_, more = 1 + mu, moved = residual_ * residual_ * mu / more;
    if (direction == Direction::add)
      return std::make_shared<FoldedLaw>(residual_, mu, (moved - log_ratio_.hi) / 2, 1);
    return std::make_shared<FoldedLaw>(residual_ / more, mu / more, (log_ratio_.hi + moved / more) / 2, -1);
  }

 private:
  double leverage_, residual_;
  DoubleDouble log_ratio_;
};

}  // namespace

// A sum of one: accounting knows how to integrate a law.
std::shared_ptr<const PrivacyLoss> posterior_sampling(const Description& description) {
  const auto loss = std::make_shared<PosteriorLoss>(description.number("leverage", 1e-9, 1e3),
                                                    description.number("residual", 0, 1e6));
  return std::make_shared<SumLoss>(std::vector<Repeated>{{loss, 1}});
}

}  // namespace epsilometer::mechanisms
