// The class with the most votes, each class's number with noise of its own, Laplace's of scale b or normal of
// standard deviation s; only which class wins is released. Dwork and Roth 2014, Claim 3.9, for the largest
// loss; the profile is derived here.
//
// Of two classes the winner is the sign of gap + Z, Z the difference of the two noises, and a vote moves the
// gap by c = 1 (one more) or 2 (one that is given to the other class). Z has a log-concave density f, so the
// likelihood ratio f(x - c) / f(x) rises with x, and the best test of any gaps is the sign itself: over all
// gaps delta(epsilon) is the largest S(x - c) - e^epsilon S(x), S the upper tail of Z, which is where
// f(x - c) = e^epsilon f(x). Gaps are any numbers, as of weighted votes: whole ones leave out some x, and so
// cost no more.
//
// Of more classes it is one against the others' largest, and with normal noise and one vote more the others
// are level: of the events of a given probability under one table that then tells most
// (docs/adaptive-releases.md). With Laplace noise some level others give the lower end, and a law that is
// less dispersed than the largest of any others the upper one; for a vote that goes from one class to
// another, one event that its class wins, and two such moves one after the other. What is told is no more,
// too, than the pair of the noisy numbers tells, of which the winner is a function: with one vote more one of
// them moves, by 1; Laplace noise for a vote that goes from one class to another is that for two votes,
// because chaining the trade-off curve of a shift of a log-concave law gives that of the double shift. It is
// the truth for normal noise and a vote that moves, where c / (sqrt(2) s) is what both numbers move together.
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/crowd.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/laplace_crowd_bound.h"
#include "core/loss/normal_crowd.h"
#include "core/loss/vote_event.h"
#include "core/loss/winner_loss.h"
#include "core/numerics/exponential.h"
#include "core/numerics/invert.h"
#include "core/numerics/search.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> laplace(const Description& description);

namespace {

// Where e^-x is below the smallest double.
constexpr double farthest_gap = 800;

/// The difference of two Laplace noises of scale 1, f(x) = (1 + |x|) e^-|x| / 4, against its shift by c.
class LaplaceGap final : public KnownProfile {
 public:
  LaplaceGap(double votes, double scale)
      : votes_(votes), scale_(scale), shift_(DoubleDouble{votes} / DoubleDouble{scale}) {}

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }

  Bounds delta_between(DoubleDouble epsilon) const override {
    if (epsilon.hi >= 0) return of_non_negative(epsilon);
    // The pair is symmetric.
    return mirrored(of_non_negative(-epsilon), epsilon.hi);
  }

  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    const bool mirrored = false_positive > 0.5;
    const Crossing place = crossing(tail, mirrored ? 1 - false_positive : false_positive, farthest_gap);
    // A few places of rounding to each side of where the tail was seen to cross.
    const double doubt = 8 * unit_roundoff * (1 + place.above), c = shift_.hi;
    const double near = std::max(0.0, place.below - doubt), beyond = place.above + doubt;
    if (mirrored) {
      const double most = rounded_up(tail(near + c)), least = rounded_down(tail(beyond + c));
      return {std::nextafter(1 - most, 0.0), std::min(1.0, std::nextafter(1 - least, 2.0))};
    }
    return {probability(all_above(beyond, c)).lower, probability(all_above(near, c)).upper};
  }

 private:
  // The mass above x >= 0.
  static double tail(double x) { return (2 + x) * std::exp(-x) / 4; }
  // The mass between 0 and x >= 0, without cancellation.
  static double middle(double x) {
    return x > 1 ? 0.5 - tail(x) : std::exp(-x) * (2 * std::expm1(x) - x) / 4;
  }
  // The mass above x - c, x >= 0.
  static double all_above(double x, double c) { return x >= c ? tail(x - c) : 1 - tail(c - x); }

  Bounds of_non_negative(DoubleDouble epsilon) const {
    const double product = epsilon.hi * scale_;
    if (!std::isfinite(product)) return {0, 0};
    const DoubleDouble rest = (DoubleDouble{votes_} - epsilon * DoubleDouble{scale_}) / DoubleDouble{scale_};
    if (rest.hi <= 0) return {0, 0};
    const double c = shift_.hi;
    return rest.hi <= std::log1p(c) ? beyond_the_peak(rest) : within_the_peak(epsilon.hi, rest.hi, c);
  }

  // x >= c: with g = c - epsilon it is c / (1 - e^-g) - 1, and there delta = (1 - e^-g) e^{c - x} / 4.
  Bounds beyond_the_peak(DoubleDouble rest) const {
    const DoubleDouble exponent = DoubleDouble{1} - shift_ / exponential_minus_one(rest);
    if (!(exponent.hi > -farthest_gap)) return probability(0);
    return probability(-std::expm1(-rest.hi) * exponential(exponent) / 4);
  }

  // 0 <= u = c - x <= c / 2 where g = 2 u + log((1 + c - u) / (1 + u)). Around the best u delta is flat, so
  // the last digits of u do not show in it; nor does an epsilon that c - epsilon does not show, whose u is
  // less than epsilon (1 / 2 + 1 / c) from c / 2.
  static Bounds within_the_peak(double epsilon, double rest, double c) {
    const auto excess = [=](double u) { return 2 * u + std::log1p((c - 2 * u) / (1 + u)) - rest; };
    const double u = !(excess(c / 2) > 0) ? c / 2
                     : excess(0) < 0      ? sign_change(excess, 0, c / 2, 52).first
                                          : 0;
    const double v = c - u;
    const double grown = epsilon > 1 ? std::exp(u - rest) - std::exp(-v) : std::exp(-v) * std::expm1(epsilon);
    // Positive terms, of which the last takes away less than three quarters.
    return probability(middle(u) + middle(v) - (2 + v) * grown / 4, 4 * rounding_margin);
  }

  double votes_, scale_;
  DoubleDouble shift_;
};

/// Laplace noise on every number of more than two classes.
class LaplaceCrowd final : public Crowd {
 public:
  LaplaceCrowd(double classes, double scale, bool switched)
      : shift_(rounded_down(1 / scale)), switched_(switched), bound_(classes - 1, rounded_up(1 / scale)) {
    // How many level others tell most differs with epsilon, few of them at small ones.
    for (const int others : {1, 2, 3, 4, 6, 9})
      if (others + (switched ? 1 : 0) < classes) others_.push_back(others);
  }

  Bounds told(double epsilon) const override {
    double most = 0;
    for (const int others : others_) {
      const SingleTest event = vote_event(epsilon, shift_, others, switched_);
      const double found = std::max(0.0, event.p - rounded_up(std::exp(epsilon) * event.q));
      // More of them tell less still.
      if (found < most) break;
      most = found;
    }
    return {most, at_most(epsilon)};
  }
  double at_most(double epsilon) const override {
    if (switched_) return bound_.told_of_two(epsilon);
    using Moved = LaplaceCrowdBound::Moved;
    return std::max(bound_.told(epsilon, Moved::up), bound_.told(epsilon, Moved::down));
  }
  std::vector<SingleTest> events() const override {
    std::vector<SingleTest> found;
    for (const int others : others_)
      for (double share = 0.125; share < 1; share += 0.125)
        found.push_back(vote_event(share * (switched_ ? 2 : 1) * shift_, shift_, others, switched_));
    return found;
  }

 private:
  double shift_;
  bool switched_;
  std::vector<int> others_;
  LaplaceCrowdBound bound_;
};

class NoisyMaxLoss final : public WinnerLoss {
 public:
  /// Of two classes, of the noisy numbers, and of more classes than two where that is searched for.
  NoisyMaxLoss(std::shared_ptr<const KnownProfile> gap, std::shared_ptr<const PrivacyLoss> numbers,
               bool is_gap, std::shared_ptr<const Crowd> crowd, bool chords_compose)
      : WinnerLoss(std::move(numbers)),
        gap_(std::move(gap)),
        crowd_(std::move(crowd)),
        is_gap_(is_gap),
        chords_compose_(chords_compose) {}

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }
  Bounds delta_between(DoubleDouble epsilon) const override {
    return between(epsilon, [&](double size) { return crowd_->told(size); });
  }
  double delta_upper(double epsilon) const override {
    return between({epsilon}, [&](double size) { return Bounds{0, crowd_->at_most(size)}; }).upper;
  }
  bool is_least_of_several() const override { return chords_compose_; }
  Bounds power(double false_positive) const override {
    const Bounds gap = gap_->power(false_positive);
    if (is_gap_) return gap;
    const double numbers = of_noise().power(false_positive).upper;
    const double upper =
        chords_compose_ ? std::min(numbers, power_below_lines(false_positive, largest_loss())) : numbers;
    return {gap.lower, std::max(gap.upper, upper)};
  }
  bool is_tight() const override { return is_gap_; }
  bool has_two_sided_bounds() const override { return true; }
  // The gap is moved, in its log-concave noise.
  bool chains() const override { return is_gap_; }

 protected:
  std::vector<SingleTest> events() const override {
    std::vector<SingleTest> found = events_of(*gap_);
    if (crowd_)
      for (const SingleTest& event : crowd_->events()) found.push_back(event);
    return found;
  }

 private:
  template <typename Told>
  Bounds between(DoubleDouble epsilon, const Told& told) const {
    const Bounds gap = gap_->delta_between(epsilon);
    if (is_gap_) return gap;
    const double numbers = of_noise().delta_between(epsilon).upper;
    if (!crowd_ || numbers == 0) return {gap.lower, std::max(gap.upper, numbers)};
    const Bounds beyond = told(std::abs(epsilon.hi));
    const Bounds crowd = epsilon.hi < 0 ? mirrored(beyond, epsilon.hi) : beyond;
    return {std::max(gap.lower, std::min(crowd.lower, numbers)),
            std::max(gap.upper, std::min(crowd.upper, numbers))};
  }

  std::shared_ptr<const KnownProfile> gap_;
  std::shared_ptr<const Crowd> crowd_;
  bool is_gap_, chords_compose_;
};

// As many votes as one person moves the gap by.
double votes_of(const Description& description) {
  const std::string& vote = description.text("vote");
  if (vote == "added") return 1;
  if (vote == "switched") return 2;
  throw Refusal("unknown", "vote", vote, "must be added or switched");
}

// Scales at which one vote is neither everything nor nothing; beyond, doubles are too coarse for the search.
bool is_searched(double scale) { return scale > 1.0 / 300 && scale < 1e7; }

std::shared_ptr<const PrivacyLoss> of_laplace(double votes, double scale, double classes) {
  std::shared_ptr<const Crowd> crowd;
  if (classes > 2 && is_searched(scale)) crowd = std::make_shared<LaplaceCrowd>(classes, scale, votes == 2);
  const bool is_searched_for = crowd != nullptr;
  return std::make_shared<NoisyMaxLoss>(
      std::make_shared<LaplaceGap>(votes, scale),
      laplace({"laplace", {{"scale", scale}, {"sensitivity", votes}}, {}, {}, {}}), classes == 2,
      std::move(crowd), is_searched_for);
}

std::shared_ptr<const PrivacyLoss> of_normal(double votes, double sigma, double classes) {
  const bool is_gap = classes == 2 || votes == 2;
  const DoubleDouble gap = DoubleDouble{votes} / (square_root(DoubleDouble{2}) * DoubleDouble{sigma});
  std::shared_ptr<const Crowd> crowd;
  if (!is_gap && is_searched(sigma)) crowd = std::make_shared<NormalCrowd>(classes - 1, 1 / sigma);
  // One number that moves by 1, or two.
  const DoubleDouble numbers = square_root(DoubleDouble{votes}) / DoubleDouble{sigma};
  return std::make_shared<NoisyMaxLoss>(std::make_shared<GaussianLoss>(gap),
                                        std::make_shared<GaussianLoss>(classes == 2 ? gap : numbers), is_gap,
                                        std::move(crowd), false);
}

}  // namespace

std::shared_ptr<const PrivacyLoss> report_noisy_max(const Description& description) {
  const double votes = votes_of(description), scale = description.scale("scale");
  const double classes = description.whole("classes", 2, 1e15);
  const std::string& noise = description.text("noise");
  if (noise == "laplace") return of_laplace(votes, scale, classes);
  if (noise == "gaussian") return of_normal(votes, scale, classes);
  throw Refusal("unknown", "noise", noise, "must be laplace or gaussian");
}

}  // namespace epsilometer::mechanisms
