// The best of a random number K of independent runs of one mechanism, by a score that every output has. With
// f(x) = E x^K and S the probability that a run scores higher, the best one has the density of a run times
// f'(1 - S). What follows from the profile of a run, for every e: S' <= e^e S + delta(e) bounds f'(1 - S) by
// e^shift f'(1 - S'), and f' <= E K, so that delta(epsilon) <= E K delta_run(epsilon - shift).
//   Geometric and logarithmic K on 1, 2, ... (negative binomial of the shape 1 and 0, Papernot and Steinke
//   2022): f' is a multiple of (gamma + (1-gamma) S)^-(1+shape), and the shift is (1 + shape) e for any e
//   with delta(e) <= gamma (e^e - 1)/(1 - gamma).
//   Poisson K: f' is m e^{-m S}, and the shift is m delta(0).
// Liu and Talwar 2019, Theorem 3.4, is never below the first: with (e, d) a point of the run's profile and T
// >= log(2/d2)/gamma it claims 3 e + 3 sqrt(2 d) at sqrt(2 d) T + d2. The Renyi divergences are those of
// Papernot and Steinke 2022, Theorems 2 and 6.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"
#include "core/numerics/search.h"

namespace epsilometer::mechanisms {
namespace {

/// How many runs there are.
class Stopping {
 public:
  explicit Stopping(double mean) : mean_(mean) {}
  virtual ~Stopping() = default;

  double mean() const { return mean_; }
  /// The largest log f'(1 - S)/f'(1 - S') that the profile of a run allows, rounded up.
  virtual double shift(const std::function<double(double)>& delta) const = 0;
  /// From the Renyi divergence of a run at that order, or infinity.
  virtual double renyi(const PrivacyLoss& run, double order) const = 0;
  /// About the probability that some run is in a set, and none in another one that scores higher.
  virtual double chosen(double above, double set) const = 0;
  /// Whether there is certainly a run.
  virtual bool always_runs() const { return true; }

 private:
  double mean_;
};

/// About the order of a run at which that is least. Any order is valid, so the search needs no rigour.
double best_order(const PrivacyLoss& run, const std::function<double(double)>& at) {
  const double last = run.largest_order(), most = std::isinf(last) ? 60 : std::log(last - 1) - 1e-12;
  const auto value = [&](double log_t) { return std::min(1e300, at(1 + std::exp(log_t))); };
  return 1 + std::exp(minimum(value, std::min(-20.0, most - 1), most, 40).first);
}

class NegativeBinomial final : public Stopping {
 public:
  /// shape 1 or 0; mean > 1.
  NegativeBinomial(double mean, double shape, const PrivacyLoss& run)
      : Stopping(mean), power_(1 + shape), size_(shape == 1 ? std::log(mean) : logarithmic_size(mean)) {
    // (1 - gamma)/gamma, rounded up.
    against_ = shape == 1 ? rounded_up(mean - 1) : rounded_up(std::expm1(size_));
    orders_ = least_of_orders(run);
  }

  double shift(const std::function<double(double)>& delta) const override {
    if (delta(0) == 0) return 0;
    const auto beyond = [&](double e) { return rounded_up(against_ * delta(e)) / std::expm1(e); };
    // From here on every delta is allowed.
    const double ceiling = rounded_up(std::log1p(against_), 4 * rounding_margin);
    return rounded_up(power_ * std::min(ceiling, crossing(beyond, 1 - rounding_margin, ceiling).above));
  }

  double renyi(const PrivacyLoss& run, double order) const override {
    return rounded_up(run.renyi(order) + orders_ + std::log(mean()) / (order - 1));
  }

  double chosen(double above, double set) const override {
    const double gamma = std::exp(-size_), rest = -std::expm1(-size_);
    const double low = gamma + rest * above;
    return power_ == 2 ? gamma * set / (low * (low + rest * set)) : std::log1p(rest * set / low) / size_;
  }

 private:
  // The x = log(1/gamma) at which the mean (e^x - 1)/x is as stated, rounded up: its logarithm, which is
  // known to 16 roundings, grows by half as much as x at least.
  static double logarithmic_size(double mean) {
    const auto falling = [](double x) { return x == 0 ? 1 : x / std::expm1(x); };
    const double found = crossing(falling, 1 / mean, 700).above;
    return found + 32 * unit_roundoff * (1 + found);
  }

  // The least over other orders of (1 + shape) ((1 - 1/order) divergence + x/order).
  double least_of_orders(const PrivacyLoss& run) const {
    const double size = rounded_up(size_);
    const auto at = [&](double order) {
      return rounded_up(power_ * (run.renyi(order) * (1 - 1 / order) + size / order));
    };
    double least = power_ * size;
    for (const double order : run.stated_orders()) least = std::min(least, at(order));
    return std::min(least, at(best_order(run, at)));
  }

  double power_, size_, against_, orders_;
};

class Poisson final : public Stopping {
 public:
  using Stopping::Stopping;

  double shift(const std::function<double(double)>& delta) const override {
    return rounded_up(mean() * delta(0));
  }

  // With delta(e) of a run at e = log(1 + 1/t), t = order - 1; and without any run nothing is told, which
  // adds e^-mean to the moment.
  double renyi(const PrivacyLoss& run, double order) const override {
    if (!run.profile()) return infinite;
    const double t = order - 1, level = rounded_down(std::log1p(1 / t));
    const double loss = run.renyi(order) + mean() * run.profile()->delta(level).upper;
    const double moment = std::log(mean()) + t * loss;
    return rounded_up(loss + (std::log(mean()) + std::log1p(std::exp(-mean() - moment))) / t);
  }

  double chosen(double above, double set) const override {
    return std::exp(-mean() * above) * -std::expm1(-mean() * set);
  }
  bool always_runs() const override { return false; }
};

/// Members whose cost is known: the pair of a run itself, and scores that put what the other table makes
/// likelier highest, then what this one does. The best run is in the second set where some run is, and none
/// in the first.
class Members {
 public:
  Members(const PrivacyLoss& run, const Stopping& stopping) : stopping_(stopping), known_(run.profile()) {
    if (!known_ || !known_->is_tight() || !run.symmetric() || !run.composes()) return;
    const double middle =
        crossing([&](double e) { return known_->delta(e).lower; }, 0.25 / stopping.mean(), run.largest_loss())
            .below;
    for (double share = 0.125; share <= 1.5; share += 0.125) {
      const double above = mass(share * middle), other = known_->power(above).lower;
      if (above > 0 && above < 0.5) sets_.push_back({above, other});
    }
  }

  /// The largest value(hit, missed) over members and events: the event's probabilities with the record, from
  /// below, and without it, from above.
  template <class Value>
  double largest(double ceiling, const Value& value) const {
    double best = 0;
    for (const Sets& sets : sets_) {
      const auto at = [&](double level) {
        const double likely = mass(level);
        const Bounds hit = known_->power(likely);
        // Where the two sets would overlap.
        if (hit.upper > 1 - sets.above) return 0.0;
        return -value(rounded_down(stopping_.chosen(sets.above, hit.lower), margin),
                      rounded_up(stopping_.chosen(sets.other, likely), margin));
      };
      best = std::max(best, -minimum(at, 0, std::min(ceiling, 1e3), 16).second);
    }
    return best;
  }

 private:
  // The logarithmic family's gamma is known to a thousand roundings.
  static constexpr double margin = 1e-12;

  struct Sets {
    double above, other;
  };

  // About how often a loss is above that level without the record: the slope of the profile in e^level.
  double mass(double level) const {
    const double step = 1e-4;
    const double fall = known_->delta(level).lower - known_->delta(level + step).upper;
    return std::clamp(fall / (std::exp(level) * std::expm1(step)), 0.0, 1.0);
  }

  const Stopping& stopping_;
  const KnownProfile* known_;
  std::vector<Sets> sets_;
};

/// Around the profile of a run.
class SelectionCurve final : public ProfileCurve {
 public:
  SelectionCurve(const ProfileCurve& run, const PrivacyLoss& loss, const Stopping& stopping)
      : run_(run),
        stopping_(stopping),
        members_(loss, stopping),
        shift_(stopping.shift([&run](double e) { return run.delta(e).upper; })),
        some_(rounded_down(stopping.chosen(0, 1), 1e-12)) {}

  Bounds delta(double epsilon) const override {
    const double level = epsilon - shift_ - 4 * unit_roundoff * (epsilon + shift_);
    const double upper = std::min(1.0, rounded_up(stopping_.mean() * run_.delta(level).upper));
    // With scores that are all the same, any run is the best one.
    const double alike = rounded_down(some_ * run_.delta(epsilon).lower),
                 grown = rounded_up(std::exp(epsilon));
    const double ordered = members_.largest(
        epsilon, [&](double hit, double missed) { return hit - rounded_up(grown * missed); });
    return {std::min(std::max(alike, ordered), upper), upper};
  }

  Bounds epsilon(double delta) const override {
    const double share = rounded_down(delta / stopping_.mean()), own = delta / some_;
    const double level = run_.epsilon(share < 1e-300 ? 0 : share).upper, upper = rounded_up(shift_ + level);
    const double alike = own < 1 ? run_.epsilon(own).lower : 0;
    const double ordered =
        members_.largest(level, [&](double hit, double missed) { return (hit - delta) / missed; });
    const double lower = std::max(alike, ordered > 1 ? std::log(ordered) : 0);
    return {std::min(rounded_down(lower), upper), upper};
  }

 private:
  const ProfileCurve& run_;
  const Stopping& stopping_;
  Members members_;
  double shift_, some_;
};

class SelectionLoss final : public Knowing<AroundProfile, ClassBound> {
 public:
  SelectionLoss(std::shared_ptr<const PrivacyLoss> run, std::unique_ptr<const Stopping> stopping)
      : run_(std::move(run)), stopping_(std::move(stopping)), largest_(largest_of(*run_, *stopping_)) {
    for (const double order : run_->stated_orders()) turns_.emplace_back(order, own_renyi(order));
    const double order = best_order(*run_, [this](double at) { return own_renyi(at); });
    turns_.emplace_back(order, own_renyi(order));
  }

  const std::shared_ptr<const PrivacyLoss>& inside() const override { return run_; }
  std::unique_ptr<const ProfileCurve> around(const ProfileCurve& run) const override {
    return std::make_unique<SelectionCurve>(run, *run_, *stopping_);
  }

  // A divergence grows with the order: what bounds it at a larger one bounds it here. The bounds themselves
  // fall first, down to their turns.
  double renyi(double order) const override {
    double least = own_renyi(order);
    for (const auto& [turn, bound] : turns_) least = turn >= order ? std::min(least, bound) : least;
    return least;
  }
  double largest_order() const override { return run_->largest_order(); }
  double largest_loss() const override { return largest_; }
  bool reaches_largest_loss() const override { return false; }
  bool symmetric() const override { return run_->symmetric(); }

  // With scores that are all the same, where there is always a run.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    return stopping_->always_runs() ? composing_near(run_, tilt) : nullptr;
  }

 private:
  static double largest_of(const PrivacyLoss& run, const Stopping& stopping) {
    const double largest = run.largest_loss();
    const KnownProfile* known = run.profile();
    if (std::isinf(largest) || run.infinite_mass() > 0 || !known) return infinite;
    return rounded_up(largest + stopping.shift([known](double e) { return known->delta(e).upper; }));
  }

  double own_renyi(double order) const { return std::min(stopping_->renyi(*run_, order), largest_); }

  std::shared_ptr<const PrivacyLoss> run_;
  std::unique_ptr<const Stopping> stopping_;
  double largest_;
  // Orders, and the bounds there.
  std::vector<std::pair<double, double>> turns_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> private_selection(const Description& description) {
  const double runs = description.number("runs", 1, 1e6);
  const std::string& stopping = description.text("stopping");
  auto run = inner_loss(description.parts.at(0).mechanism, "of.");
  std::unique_ptr<const Stopping> law;
  if (stopping == "poisson") {
    law = std::make_unique<Poisson>(runs);
  } else if (stopping != "geometric" && stopping != "logarithmic") {
    throw Refusal("unknown", "stopping", stopping, "must be geometric, logarithmic or poisson");
  } else if (runs > 1) {
    law = std::make_unique<NegativeBinomial>(runs, stopping == "geometric" ? 1 : 0, *run);
  }
  // A mean of 1 without 0 is one run.
  if (!law) return run;
  return std::make_shared<SelectionLoss>(std::move(run), std::move(law));
}

}  // namespace epsilometer::mechanisms
