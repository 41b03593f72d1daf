// Approximate minima perturbation: objective perturbation whose minimum is found to a gradient of norm at
// most tau, and released with Gaussian noise of its own. Such a point lies within tau/lambda of the minimum,
// under both tables, so that the output is that of objective perturbation and then of a Gaussian mechanism
// with mu = 2 tau / (lambda sigma_out). Iyengar, Near, Song, Thakkar, Thakurta and Wang 2019; Redberg 2023
// (thesis), Theorem 4.4.1.
#include <cmath>

#include "core/loss/gaussian_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> objective_perturbation(const Description& description);

namespace {

// Where the Gaussian part is this small, splitting epsilon between the parts costs next to nothing, and takes
// no time.
constexpr double finish = 1e-3;

/// Objective perturbation and a Gaussian mechanism: a bound, because no minimum and no solver make both of
/// them as telling as they can be.
class ApproximateLoss : public SumLoss {
 public:
  /// witness: the Gaussian mechanism that linear losses and a solver that stops as far off as it may make.
  ApproximateLoss(const std::shared_ptr<const PrivacyLoss>& minimum, DoubleDouble mu, DoubleDouble witness)
      : SumLoss({{minimum, 1}, {std::make_shared<GaussianLoss>(mu), 1}}),
        witness_(std::make_shared<GaussianLoss>(witness)) {}

  bool composes() const override { return false; }
  std::shared_ptr<const KnownPair> witness() const override { return witness_; }
  // Not one of each part: no solver makes both as telling as they can be.
  std::shared_ptr<const PrivacyLoss> witness_near(double) const override { return witness_; }

 private:
  std::shared_ptr<const KnownPair> witness_;
};

/// The supremum of objective perturbation, followed by a Gaussian mechanism of small mu: that one is (e,
/// delta_mu(e))-private for every e, and whoever sees its output can do what a test of the first one's can do
/// at e^e the false-positive rate, plus delta_mu(e).
class FinishedLoss final : public ApproximateLoss, public KnownProfile {
 public:
  FinishedLoss(std::shared_ptr<const PrivacyLoss> minimum, DoubleDouble mu, DoubleDouble witness)
      : ApproximateLoss(minimum, mu, witness), minimum_(std::move(minimum)), output_(mu), mu_(mu.hi) {}

  const KnownProfile* profile() const override { return this; }
  bool is_tight() const override { return false; }
  Bounds delta(double epsilon) const override {
    const double lower = witness()->delta(epsilon).lower;
    const auto upper = [&](double part) {
      return minimum_->profile()->delta(epsilon - part).upper + output_.delta(part).upper;
    };
    return {lower, std::max(lower, least(upper, share(lower), epsilon))};
  }

  Bounds power(double false_positive) const override {
    const Bounds own = witness()->power(false_positive);
    if (false_positive == 0) return {0, 0};
    const auto upper = [&](double part) {
      const double rate = std::min(1.0, rounded_up(std::exp(part) * false_positive));
      return minimum_->profile()->power(rate).upper + output_.delta(part).upper;
    };
    const double part = share(std::min(own.lower, 1 - own.lower)), gain = own.lower / false_positive - 1;
    return {own.lower, std::max(own.lower, least(upper, part, gain))};
  }

 private:
  // The first that costs next to nothing in delta.
  double share(double delta) const {
    double deviations = 4;
    while (deviations < most && output_.delta(deviations * mu_).upper > 1e-6 * delta) deviations += 0.25;
    return deviations * mu_;
  }

  // Any share is a valid one. Where the first choice is not small beside the whole, that with the least sum
  // is looked for, in the quarters of a deviation: one term rises with the share, the other falls.
  template <class Upper>
  double least(const Upper& upper, double part, double whole) const {
    double found = upper(part);
    if (part > whole / 64) {
      const auto at = [&](int quarters) { return upper(quarters / 4.0 * mu_); };
      int low = 0, high = 4 * most;
      while (low < high) {
        const int middle = (low + high) / 2;
        const double here = at(middle), next = at(middle + 1);
        found = std::min({found, here, next});
        if (here <= next)
          high = middle;
        else
          low = middle + 1;
      }
    }
    return std::min(1.0, rounded_up(found));
  }

  // Deviations of the Gaussian part, beyond which nothing is left of it.
  static constexpr int most = 38;

  std::shared_ptr<const PrivacyLoss> minimum_;
  GaussianLoss output_;
  double mu_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> approximate_minima_perturbation(const Description& description) {
  const DoubleDouble tolerance{description.number("gradientTolerance", 0, 1e100)};
  const DoubleDouble noise =
      DoubleDouble{description.scale("lambda")} * DoubleDouble{description.scale("outputSigma")};
  auto exact = objective_perturbation(description);
  if (tolerance.hi == 0) return exact;
  const DoubleDouble mu = DoubleDouble{2 * tolerance.hi} / noise;
  const DoubleDouble sigma{description.scale("sigma")};
  const DoubleDouble distance = DoubleDouble{description.scale("lipschitz")} + DoubleDouble{2 * tolerance.hi};
  const DoubleDouble witness = distance / square_root(sigma * sigma + noise * noise);
  if (mu.hi < finish) return std::make_shared<FinishedLoss>(std::move(exact), mu, witness);
  return std::make_shared<ApproximateLoss>(exact, mu, witness);
}

}  // namespace epsilometer::mechanisms
