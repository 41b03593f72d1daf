// The sparse vector technique: a stream of queries, each told to be above or below a threshold, until so many
// were above. The threshold gets Laplace noise of scale s once, every query its own of scale b. With queries
// that move by at most D the release is (D/s + c 2D/b)-private, or (D/s + c D/b) where between two neighbours
// all of them move in one direction: Dwork and Roth 2014, Section 3.6; Lyu, Su and Li 2017, Theorems 2 and 5.
// However many queries are below, they cost nothing. Which profile the worst queries have is not known: the
// upper end is that of everything that private (Kairouz, Oh and Viswanath 2015, Theorem 3.3), the lower one
// that of a single query, which tells whether the difference of both noises exceeds a bound.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/response_loss.h"
#include "core/numerics/search.h"

namespace epsilometer::mechanisms {
namespace {

/// The sum of Laplace noise of two scales.
class TwoNoises {
 public:
  TwoNoises(double one, double other) : wide_(std::max(one, other)), narrow_(std::min(one, other)) {}

  /// The probability that it exceeds z.
  double above(double z) const { return z < 0 ? 1 - tail(-z) : tail(z); }
  double wide() const { return wide_; }

 private:
  // (w^2 e^{-z/w} - n^2 e^{-z/n}) / (2 (w^2 - n^2)), in positive terms.
  double tail(double z) const {
    const double x = z * (wide_ - narrow_) / (wide_ * narrow_);
    const double mean = x > 0 ? -std::expm1(-x) / x : 1;
    return std::exp(-z / wide_) / 2 * (1 + narrow_ / (wide_ + narrow_) * (z / wide_) * mean);
  }

  double wide_, narrow_;
};

class SparseVectorLoss final : public Knowing<KnownProfile, KnownLaw> {
 public:
  /// epsilon: its largest loss. The noises in units of the sensitivity.
  SparseVectorLoss(double epsilon, const TwoNoises& noises) : whole_(epsilon, 2, 0), noises_(noises) {}

  bool is_tight() const override { return false; }
  bool has_two_sided_bounds() const override { return true; }

  Bounds delta(double epsilon) const override {
    const double upper = whole_.delta(epsilon).upper, grown = std::exp(epsilon);
    if (upper == 0 || std::isinf(grown)) return {0, upper};
    const auto missing = [&](double z) { return grown * noises_.above(z) - noises_.above(z - 1); };
    // Beyond the narrow noise both tails fall alike.
    const double far = 1 + noises_.wide() * (4 + std::abs(epsilon));
    const double best = minimum(missing, epsilon < 0 ? -far : 0, far, 40).first;
    // The tails are exponentials of up to far / wide, whose rounding they show as often.
    const double margin = rounding_margin + 2 * unit_roundoff * far / noises_.wide();
    const double lower = rounded_down(noises_.above(best - 1), margin) -
                         rounded_up(grown * noises_.above(best), margin + rounding_margin);
    return {std::clamp(lower, epsilon < 0 ? rounded_down(-std::expm1(epsilon)) : 0, upper), upper};
  }

  Bounds power(double false_positive) const override {
    return {false_positive, std::max(false_positive, whole_.power(false_positive).upper)};
  }

  std::shared_ptr<const Law> law(Direction direction) const override { return whole_.law(direction); }
  double renyi(double order) const override { return whole_.renyi(order); }
  double largest_loss() const override { return whole_.largest_loss(); }
  bool reaches_largest_loss() const override { return false; }
  std::optional<double> concentrated() const override { return whole_.concentrated(); }

 private:
  ResponseLoss whole_;
  TwoNoises noises_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> sparse_vector(const Description& description) {
  const std::string& queries = description.text("queries");
  if (queries != "any" && queries != "monotone") {
    throw Refusal("unknown", "queries", queries, "must be any or monotone");
  }
  const double sensitivity = description.scale("sensitivity"), answers = description.whole("answers", 1, 1e9);
  const double threshold = description.scale("thresholdScale"), query = description.scale("queryScale");
  const double twice = queries == "any" ? 2 : 1;
  const double epsilon =
      rounded_up(sensitivity / threshold + answers * twice * sensitivity / query, 4 * unit_roundoff);
  return std::make_shared<SparseVectorLoss>(epsilon, TwoNoises(threshold / sensitivity, query / sensitivity));
}

}  // namespace epsilometer::mechanisms
