// One sample of a ridge regression's posterior, N(theta, H^{-1} / gamma) with H = X^T X + lambda I, against
// that of the table with one more record (x, y). The loss depends on e = sqrt(gamma) (y - x^T sample) only:
// without the record e is N(R, mu), with it N(R / (1 + mu), mu / (1 + mu)), where mu = x^T H^{-1} x is the
// leverage and R = sqrt(gamma) |y - x^T theta| the residual, both of the table without the record; the loss
// of "without" is (e^2 - R^2 / (1 + mu) - log(1 + mu)) / 2. Wang 2019, Theorem 14, for the mechanism; the
// exact pair is derived from it. Pairs with a smaller leverage m and residuals up to R sqrt((1 + m) / (1 +
// mu)) are post-processings of this one (core/release/algorithms/posterior_sampling.cpp).
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/loss/laws/law.h"
#include "core/loss/privacy_loss.h"
#include "core/numerics/constants.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/normal.h"
#include "core/numerics/search.h"

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

// What both laws have outside and inside of |e| = k, and what that tells: the loss grows, or falls, with |e|.
// The place of k is told by how far it is above R, in deviations of the law without the record: R may be 1e10
// of them. The other law has it at s near + shift, s^2 = 1 + mu; and -k is `apart` further than k, and at s
// far - shift. Where the ratio of both densities is e^epsilon, a tail is a density times its Mills ratio, of
// both laws the same density: what remains is a difference of Mills ratios, which need not cancel.
class FoldedPair {
 public:
  FoldedPair(double leverage, double residual)
      : root_(square_root(DoubleDouble{leverage})),
        s_(square_root(DoubleDouble{1} + DoubleDouble{leverage})),
        log_ratio_(log_one_plus(DoubleDouble{leverage})),
        residual_(residual),
        square_(log_ratio_ + square_of(DoubleDouble{residual} / s_)),
        shift_(DoubleDouble{residual} * root_ / s_),
        apart_(DoubleDouble{2 * residual} / root_),
        less_((DoubleDouble{leverage} / (s_ + DoubleDouble{1})).hi) {}

  /// For epsilon >= 0, the larger of both directions.
  Bounds delta(double epsilon) const {
    // By far beyond 40 deviations of both laws.
    if (epsilon > 1e15) return {0, std::numeric_limits<double>::denorm_min()};
    const Known one = adding(epsilon), other = removing(epsilon);
    return {std::max(one.least(), other.least()), std::max(one.most(), other.most())};
  }

  Bounds power(double false_positive) const {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    const double rest = 1 - false_positive;
    const Bounds adding = where(&FoldedPair::with, false_positive, rest),
                 removing = where(&FoldedPair::without, rest, false_positive);
    const DoubleDouble largest{square_.hi / 2, square_.lo / 2};
    const double steepest = rounded_up(false_positive * epsilometer::exponential(largest));
    return {std::max(
                {false_positive, without(adding.upper).outside.least(), with(removing.lower).inside.least()}),
            std::max(without(adding.lower).outside.most(),
                     std::min(steepest, with(removing.upper).inside.most()))};
  }

 private:
  // A probability that was computed, and what its terms are in size.
  struct Known {
    double value, size;

    double least() const { return std::clamp(value - slack(), 0.0, 1.0); }
    double most() const { return std::clamp(value + slack(), 0.0, 1.0); }

   private:
    double slack() const { return rounding_margin * size + 4 * std::numeric_limits<double>::denorm_min(); }
  };
  struct Sides {
    Known outside, inside;
  };
  // Of k and of -k, for the law without the record and for that with it.
  struct Place {
    DoubleDouble near, far, with_near, with_far;
  };

  static DoubleDouble square_of(DoubleDouble x) { return x * x; }

  Place at(DoubleDouble near) const {
    const DoubleDouble far = near + apart_;
    return {near, far, s_ * near + shift_, s_ * far - shift_};
  }

  // Where the loss without the record is epsilon: k^2 = 2 epsilon + R^2 / (1 + mu) + log(1 + mu). Nothing
  // where it is larger everywhere.
  std::optional<Place> of(double epsilon) const {
    const DoubleDouble twice{2 * epsilon}, square = twice + square_;
    if (!(square.hi > 0)) return std::nullopt;
    const DoubleDouble both = (square_root(square) + DoubleDouble{residual_}) * root_;
    return at((twice + log_ratio_ - shift_ * shift_) / both);
  }

  static Known outside(DoubleDouble near, DoubleDouble far) {
    const double sum = normal_upper_tail(near) + normal_upper_tail(far);
    return {sum, sum};
  }
  // From -near to far; or what both tails leave of everything.
  static Known inside(DoubleDouble near, DoubleDouble far) {
    if (near.hi > least_place) return {1 - outside(near, far).value, 1};
    // The density falls by e^-fall to the far end.
    const double wide = (near + far).hi, fall = ((near + far) * (far - near)).hi / 2;
    const double all =
        normal_density(near) * (mills_difference(-near.hi, wide) - std::expm1(-fall) * mills_ratio(far.hi));
    return {all, all};
  }
  static Sides sides(DoubleDouble near, DoubleDouble far) { return {outside(near, far), inside(near, far)}; }
  Sides without(double near) const {
    if (std::isinf(near)) return everything(near > 0);
    const Place place = at({near});
    return sides(place.near, place.far);
  }
  Sides with(double near) const {
    if (std::isinf(near)) return everything(near > 0);
    const Place place = at({near});
    return sides(place.with_near, place.with_far);
  }
  static Sides everything(bool is_inside) {
    const Known all{1, 0}, none{0, 0};
    return is_inside ? Sides{none, all} : Sides{all, none};
  }

  // What the tail of the law without the record has more than that of the other one times e^epsilon, beyond
  // places a and b of theirs: density (m(a) - m(b) / s), and 1 - 1/s is less_ / s.
  Known beyond(DoubleDouble a, DoubleDouble b) const {
    const double density = normal_density(a), wider = mills_ratio(b.hi) * less_ / s_.hi;
    const double apart = (b - a).hi;
    const double moved = apart >= 0 ? mills_difference(a.hi, apart) : -mills_difference(b.hi, -apart);
    return {density * (moved + wider), density * (std::abs(moved) + wider)};
  }
  // What the tail of the law with the record has more: density (m(b) - s m(a)).
  Known within(DoubleDouble a, DoubleDouble b) const {
    const double density = normal_density(b), wider = mills_ratio(a.hi) * less_;
    const double apart = (a - b).hi;
    const double moved = apart >= 0 ? mills_difference(b.hi, apart) : -mills_difference(a.hi, -apart);
    return {density * (moved - wider), density * (std::abs(moved) + wider)};
  }

  // Of the table without the record, for epsilon >= 0, where b is not negative.
  Known adding(double epsilon) const {
    const auto place = of(epsilon);
    if (place->near.hi >= -least_place) {
      const Known right = beyond(place->near, place->with_near), left = beyond(place->far, place->with_far);
      return {right.value + left.value, right.size + left.size};
    }
    const double whole = outside(place->near, place->far).value,
                 other = (normal_density(place->near) * mills_ratio(place->with_near.hi) +
                          normal_density(place->far) * mills_ratio(place->with_far.hi)) /
                         s_.hi;
    return {whole - other, whole + other};
  }

  // Of the table with it, for epsilon >= 0, where a is at most 1 or so.
  Known removing(double epsilon) const {
    const auto place = of(-epsilon);
    if (!place) return {0, 0};
    if (place->with_near.hi <= least_place) {
      const Known right = within(-place->near, -place->with_near), left = within(place->far, place->with_far);
      return {right.value - left.value, right.size + left.size};
    }
    const Known whole = inside(place->with_near, place->with_far);
    const double near = s_.hi * normal_density(place->with_near) * mills_ratio(-place->near.hi),
                 far = s_.hi * normal_density(place->with_far) * mills_ratio(place->far.hi);
    return {whole.value - near + far, whole.size + near + far};
  }

  // Two places between which the outside has that probability, and the inside the rest: the one that is not
  // above a half is asked.
  Bounds where(Sides (FoldedPair::*law)(double) const, double outside, double inside) const {
    const bool by_outside = outside <= 0.5;
    const auto is_more = [&](double near) {
      const Sides found = (this->*law)(near);
      return by_outside ? found.outside.least() >= outside : found.inside.most() <= inside;
    };
    const auto is_less = [&](double near) {
      const Sides found = (this->*law)(near);
      return by_outside ? found.outside.most() <= outside : found.inside.least() >= inside;
    };
    const auto excess = [&](double near) {
      const Sides found = (this->*law)(near);
      return by_outside ? found.outside.value - outside : inside - found.inside.value;
    };
    // k = 0, and beyond what doubles tell from nothing.
    const double nearest = -apart_.hi / 2, farthest = 40;
    auto [low, high] = sign_change(excess, nearest, farthest, 52);
    for (double step = unit_roundoff * (1 + std::abs(low)); low > nearest && !is_more(low); step *= 2)
      low = std::max(nearest, low - step);
    for (double step = unit_roundoff * (1 + std::abs(high)); high < farthest && !is_less(high); step *= 2)
      high = std::min(farthest, high + step);
    return {is_more(low) ? low : -infinite, is_less(high) ? high : infinite};
  }

  // Differences of Mills ratios are good from -least_place on; further left probabilities are large.
  static constexpr double least_place = 1.25;

  DoubleDouble root_, s_, log_ratio_;
  double residual_;
  // k^2 where nothing is lost; and half of it is the largest loss with the record, that at e = 0.
  DoubleDouble square_;
  DoubleDouble shift_, apart_;
  // s - 1.
  double less_;
};

class PosteriorLoss final : public Knowing<KnownProfile, KnownLaw, Unsteady> {
 public:
  PosteriorLoss(double leverage, double residual)
      : leverage_(leverage),
        residual_(residual),
        log_ratio_(log_one_plus(DoubleDouble{leverage})),
        pair_(leverage, residual) {}

  Bounds delta(double epsilon) const override {
    const Bounds found = pair_.delta(std::abs(epsilon));
    return epsilon < 0 ? mirrored(found, epsilon) : found;
  }
  Bounds power(double false_positive) const override { return pair_.power(false_positive); }

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
  FoldedPair pair_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> posterior_sampling(const Description& description) {
  return std::make_shared<PosteriorLoss>(description.number("leverage", 1e-9, 1e3),
                                         description.number("residual", 0, 1e6));
}

}  // namespace epsilometer::mechanisms
