// The best of a random number K of independent runs of one mechanism, by a score that every output has. With
// f(x) = E x^K and S the probability that a run scores higher, the best one has the density of a run times
// f'(1 - S). What follows from the profile of a run, for every e: S' <= e^e S + delta(e) bounds f'(1 - S) by
// e^shift f'(1 - S'), and f' <= E K, so that delta(epsilon) <= E K delta_run(epsilon - shift); the shift is
// that of the law of K (core/loss/stopping.h).
#include <algorithm>
#include <cmath>

#include "core/loss/stopping.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"
#include "core/numerics/search.h"

namespace epsilometer::mechanisms {
namespace {

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
    for (double share = 0.125; share < 12; share += share < 1.5 ? 0.125 : share / 4) {
      const double above = mass(share * middle), other = known_->power(above).lower;
      if (above > 0 && above < 0.5) sets_.push_back({above, other});
    }
  }

  /// The largest value(hit, missed) that is found over members and events: the event's probabilities with the
  /// record, from below, and without it, from above. Every member is one of the class, so a search that
  /// misses the largest leaves the interval wider and never untrue. Whether other scores cost more than
  /// these members is not known.
  template <class Value>
  double largest(double ceiling, const Value& value) const {
    double best = 0;
    for (const Sets& sets : sets_) {
      const auto at = [&](double level) {
        const double likely = mass(level);
        const Bounds hit = known_->power(likely);
        // Where the two sets would overlap.
        if (hit.upper > 1 - sets.above) return 0.0;
        return -value(
            rounded_down(stopping_.chosen(sets.above, hit.lower), stopping_.margin()),
            std::max(least_missed, rounded_up(stopping_.chosen(sets.other, likely), stopping_.margin())));
      };
      best = std::max(best, -minimum(at, 0, std::min(ceiling, 1e3), 16).second);
    }
    return best;
  }

 private:
  // Of very many runs hardly any stays outside a set: that probability may underflow.
  static constexpr double least_missed = 1e-300;

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
        some_(rounded_down(stopping.chosen(0, 1), stopping.margin())) {}

  double delta_upper(double epsilon) const override {
    const double level = epsilon - shift_ - 4 * unit_roundoff * (epsilon + shift_);
    const double run = level < 0 ? run_.delta(level).upper : run_.delta_upper(level);
    return std::min(1.0, rounded_up(stopping_.mean() * run));
  }

  Bounds delta(double epsilon) const override {
    const double upper = delta_upper(epsilon);
    // With scores that are all the same, any run is the best one.
    const double alike = rounded_down(some_ * run_.delta(epsilon).lower),
                 grown = rounded_up(std::exp(epsilon));
    const double ordered = members_.largest(
        epsilon, [&](double hit, double missed) { return hit - rounded_up(grown * missed); });
    return {std::min(std::max(alike, ordered), upper), upper};
  }

  Bounds epsilon(double delta) const override {
    const double share = rounded_down(delta / stopping_.mean()), own = delta / some_;
    const double level = run_.epsilon(share < 1e-300 ? 0 : share).upper;
    double upper = rounded_up(shift_ + level);
    // The profile of a run is known below 0 too.
    if (level == 0 && shift_ > 0)
      upper = std::min(upper, crossing([this](double e) { return delta_upper(e); }, delta, upper).above);
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

/// Liu and Talwar 2019, Theorem 3.4, of a geometric number of runs: with (e, d) a point of the run's profile
/// and T = E K log(2/f) it claims 3 e + 3 sqrt(2 d) at delta = T sqrt(2 d) + f, for any f; never less than
/// what follows from the whole profile. With sqrt(2 d) = u/E K the least delta is u (log(2/u) + 1), at f = u.
/// Its limit of T runs is left out, as it is where a run is pure, which costs 3 e.
class OnePointCurve final : public ProfileCurve {
 public:
  OnePointCurve(const ProfileCurve& run, double mean) : run_(run), mean_(mean) {}

  Bounds epsilon(double delta) const override {
    // delta/u.
    const auto share = [delta](double more) { return (std::log(2 * (1 + more) / delta) + 1) / (1 + more); };
    const double slack = rounded_down(delta / (mean_ * (1 + crossing(share, 1, 1e4).above)));
    const double point = rounded_down(slack * slack / 2);
    const double own = run_.epsilon(point < 1e-300 ? 0 : point).upper;
    return {0, rounded_up(3 * std::min(run_.epsilon(0).upper, own + slack))};
  }

  // Asked at no epsilon: what the theorem says is compared at one delta.
  Bounds delta(double) const override { return {0, 1}; }

 private:
  const ProfileCurve& run_;
  double mean_;
};

class OnePointLoss final : public Knowing<AroundProfile> {
 public:
  OnePointLoss(std::shared_ptr<const PrivacyLoss> run, double mean) : run_(std::move(run)), mean_(mean) {}

  const std::shared_ptr<const PrivacyLoss>& inside() const override { return run_; }
  std::unique_ptr<const ProfileCurve> around(const ProfileCurve& run) const override {
    return std::make_unique<OnePointCurve>(run, mean_);
  }
  double renyi(double) const override { return infinite; }
  bool symmetric() const override { return run_->symmetric(); }

 private:
  std::shared_ptr<const PrivacyLoss> run_;
  double mean_;
};

class SelectionLoss final : public Knowing<AroundProfile, ClassBound> {
 public:
  SelectionLoss(std::shared_ptr<const PrivacyLoss> run, std::unique_ptr<const Stopping> stopping)
      : run_(std::move(run)), stopping_(std::move(stopping)), largest_(largest_of(*run_, *stopping_)) {}

  const std::shared_ptr<const PrivacyLoss>& inside() const override { return run_; }
  std::unique_ptr<const ProfileCurve> around(const ProfileCurve& run) const override {
    return std::make_unique<SelectionCurve>(run, *run_, *stopping_);
  }

  // A divergence grows with the order: what bounds it at a larger one bounds it here. The bounds themselves
  // fall first, down to their turns.
  double renyi(double order) const override {
    double least = own_renyi(order);
    if (turns_.empty()) turns_ = turns();
    for (const auto& [turn, bound] : turns_) least = turn >= order ? std::min(least, bound) : least;
    return least;
  }
  std::string_view renyi_source() const override { return stopping_->renyi_source(); }
  double largest_order() const override { return run_->largest_order(); }
  double largest_loss() const override { return largest_; }
  bool reaches_largest_loss() const override { return false; }
  bool symmetric() const override { return run_->symmetric(); }
  Published published() const override {
    if (!stopping_->is_geometric()) return {};
    return {"Liu and Talwar 2019, Theorem 3.4, at its best",
            std::make_shared<OnePointLoss>(run_, stopping_->mean())};
  }

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

  // At orders that are stated, and where the bounds stop to fall: they may more than once, where the
  // divergence of a run has a kink. Heuristic, no guarantee: any order's bound is one.
  std::vector<std::pair<double, double>> turns() const {
    std::vector<std::pair<double, double>> found;
    const auto add = [&](double order) { found.emplace_back(order, own_renyi(order)); };
    for (const double order : run_->stated_orders()) add(order);
    // Below the largest loss, at which the search could not tell orders apart.
    const auto value = [this](double order) { return stopping_->renyi(*run_, order); };
    add(best_order(*run_, value));
    double before = infinite, here = infinite;
    for (double t = 0x1p-16; t < 0x1p16 && 1 + t <= run_->largest_order(); t *= 2) {
      const double next = value(1 + t);
      const auto there = [&](double log_t) { return value(1 + std::exp(log_t)); };
      if (here < before && here < next)
        add(1 + std::exp(minimum(there, std::log(t / 4), std::log(t), 24).first));
      before = here, here = next;
    }
    return found;
  }

  std::shared_ptr<const PrivacyLoss> run_;
  std::unique_ptr<const Stopping> stopping_;
  double largest_;
  // Orders, and the bounds there, once they were asked for.
  mutable std::vector<std::pair<double, double>> turns_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> private_selection(const Description& description) {
  auto run = inner_loss(description.parts.at(0).mechanism, "of.");
  auto law = stopping_of(description, *run);
  if (!law) return run;
  return std::make_shared<SelectionLoss>(std::move(run), std::move(law));
}

}  // namespace epsilometer::mechanisms
