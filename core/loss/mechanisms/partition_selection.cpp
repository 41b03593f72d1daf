// Whether a group of a table is named, when every person is in one group at most: a group of n persons with
// the largest probability that any (epsilon, delta)-private choice has,
//   pi_0 = 0,  pi_{n+1} = min(e^epsilon pi_n + delta, 1 - e^-epsilon (1 - pi_n - delta), 1).
// Desfontaines, Voss, Gipson and Mandayam 2022, Theorem 1. The first of the three is the least up to some n,
// the turn, the second one from there on.
//
// Of n + 1 persons against n, in both directions, a test finds the record with the probability y = pi_{n+1}
// or 1 - pi_n, at the false-positive rate x = pi_n or 1 - pi_{n+1}. Every such point lies on the line
// y = e^epsilon x + delta, up to some x = s, or on its mirror image, which starts at (1 - delta - e^epsilon
// s, 1 - s); between these two points the least concave curve above all n has the slope 1. So all n together
// tell what one pair tells: the losses epsilon, 0 and -epsilon with the probabilities e^epsilon s, what is
// left, and s, and an infinite one with probability delta. No n alone is that pair.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/loss/atomic_loss.h"
#include "core/loss/laws/atomic_law.h"
#include "core/loss/pair_loss.h"
#include "core/loss/response_loss.h"
#include "core/numerics/exponential.h"
#include "core/numerics/logarithm.h"

namespace epsilometer::mechanisms {
namespace {

// pi at the turn and one person before, and 1 - pi one person after, right to 2^-88 of themselves or of
// delta; and 1 - pi at the turn, right to 2^-100.
struct Turn {
  DoubleDouble before, at, missing_at, missing_after;
};

// As long as only the first rule counts: delta (e^{n epsilon} - 1) / (e^epsilon - 1).
DoubleDouble grown(double persons, double epsilon, double delta) {
  if (persons <= 1) return {persons * delta};
  const DoubleDouble all = exponential_minus_one(two_product(persons, epsilon));
  return DoubleDouble{delta} * (all / exponential_minus_one({epsilon}));
}

// Both rules agree at pi_n = (1 - delta) / (e^epsilon + 1). The number of persons there is near 7e8 at most,
// so that doubles hold it and one person more or less is seen.
Turn turn_of(double epsilon, double delta) {
  const DoubleDouble step = exponential_minus_one({epsilon}), all{1};
  const DoubleDouble agreed = (all - DoubleDouble{delta}) / (step + DoubleDouble{2});
  // There delta e^{n epsilon} > 1 for every delta, and nearly e^epsilon + 1 is enough.
  const auto beyond = [&](double persons) {
    return persons * epsilon >= 700 || (grown(persons, epsilon, delta) - agreed).hi > 0;
  };
  double persons = std::max(0.0, std::floor(std::log1p(agreed.hi * step.hi / delta) / epsilon));
  while (persons > 0 && beyond(persons)) --persons;
  while (!beyond(persons + 1)) ++persons;
  const DoubleDouble before = grown(persons, epsilon, delta);
  // By the rule itself: e^{n epsilon} might be too large.
  const DoubleDouble at = (step + all) * before + DoubleDouble{delta};
  const DoubleDouble missing = all - at, left = missing - DoubleDouble{delta};
  return {before, at, missing, left.hi > 0 ? left / (step + all) : DoubleDouble{0}};
}

// The masses of a law right to 2^-60 of the whole sum, those of its own size to a few roundings.
constexpr double nothing = 0x1p-60;

LossTable worst_of(const Turn& turn, double epsilon, double delta) {
  const DoubleDouble grow = exponential_minus_one({epsilon}) + DoubleDouble{1};
  const bool first = (turn.before - turn.missing_after).hi >= 0;
  const DoubleDouble last = first ? turn.before : turn.missing_after;
  // 1 - delta - (e^epsilon + 1) s, each time without most of the cancellation.
  const DoubleDouble middle = first ? DoubleDouble{1} - turn.at - turn.before : turn.at - turn.missing_after;
  LossTable table{{}, delta, delta};
  table.both = true;
  if (last.hi > 0) table.atoms.push_back({-epsilon, last.hi});
  if (middle.hi > nothing * turn.at.hi) table.atoms.push_back({0, middle.hi});
  if (last.hi > 0) table.atoms.push_back({epsilon, (grow * last).hi});
  return table;
}

// A group of n + 1 persons against one of n: the probabilities `more` and `less` with which they are named,
// and those with which they are not, by themselves, because hardly anything may be left of 1.
std::shared_ptr<const PrivacyLoss> group_of(DoubleDouble more, DoubleDouble less, DoubleDouble not_more,
                                            DoubleDouble not_less) {
  const DoubleDouble grown = more - less;
  std::vector<Atom> with, without;
  double only_with = 0, only_without = 0;
  // Where most of it is left, less is lost by what is gone.
  const auto loss_of = [&](DoubleDouble from, DoubleDouble to) {
    return (to.hi < from.hi / 2 ? logarithm((to / from).hi) : log_one_plus(-(grown / from))).hi;
  };
  if (not_more.hi > 0) {
    const double loss = loss_of(not_less, not_more);
    with.push_back({loss, not_more.hi});
    without.push_back({-loss, not_less.hi});
  } else {
    only_without = not_less.hi;
  }
  if (less.hi > 0) {
    const double loss = log_one_plus(grown / less).hi;
    with.push_back({loss, more.hi});
    without.insert(without.begin(), {-loss, less.hi});
  } else {
    only_with = more.hi;
  }
  return std::make_shared<PairLoss>(std::make_shared<AtomicLaw>(std::move(with), only_with),
                                    std::make_shared<AtomicLaw>(std::move(without), only_without));
}

class PartitionLoss final : public Knowing<KnownProfile, KnownLaw, ClassBound, Unsteady> {
 public:
  PartitionLoss(double epsilon, double delta)
      : epsilon_(epsilon),
        delta_(delta),
        turn_(turn_of(epsilon, delta)),
        worst_(worst_of(turn_, epsilon, delta)) {}

  Bounds delta(double epsilon) const override { return worst_.delta(epsilon); }
  Bounds delta_between(DoubleDouble epsilon) const override { return worst_.delta_between(epsilon); }
  // From below what single groups tell, of which the worst for every false-positive rate is another one.
  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return worst_.power(false_positive);
    const auto& [before, at, missing_at, missing] = turn_;
    const DoubleDouble all{1};
    double least = false_positive;
    for (const auto& [x, y] : {std::pair{DoubleDouble{0}, DoubleDouble{delta_}},
                               {before, at},
                               {at, all - missing},
                               {missing_at, all - before},
                               {missing, missing_at}}) {
      const double rest = (DoubleDouble{false_positive} - x).hi;
      const double hit =
          rest <= 0 ? y.hi * (false_positive / x.hi) : y.hi + (all - y).hi * (rest / (all - x).hi);
      least = std::max(least, hit);
    }
    const double most = worst_.power(false_positive).upper;
    return {std::min(rounded_down(least), most), most};
  }
  bool is_tight() const override { return false; }
  bool has_two_sided_bounds() const override { return true; }
  double renyi(double order) const override { return worst_.renyi(order); }
  double largest_loss() const override { return worst_.largest_loss(); }
  double infinite_mass() const override { return delta_; }
  std::shared_ptr<const Law> law(Direction direction) const override { return worst_.law(direction); }

  // Of the n beside the turn the one that shows the larger loss of epsilon; and the group of one person
  // where only infinite losses count.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    const DoubleDouble all{1};
    if (tilt > 0x1p29) return group_of({delta_}, {0}, all - DoubleDouble{delta_}, all);
    const auto& [before, at, missing_at, missing] = turn_;
    // As often as that may be off, it is not named: a coin between these two, which tells less.
    const DoubleDouble rest = missing_at + DoubleDouble{0x1p-100};
    return before.hi >= missing.hi ? group_of(at, before, rest, all - before)
                                   : group_of(all - missing, at, missing, missing_at);
  }

  // The n of the turn jumps, and s with it. All that is (epsilon, delta)-private shrinks.
  std::vector<std::string> parameters() const override { return {"epsilon", "delta"}; }
  std::shared_ptr<const PrivacyLoss> shrinking() const override {
    return std::make_shared<ResponseLoss>(epsilon_, 2, delta_);
  }

 private:
  double epsilon_, delta_;
  Turn turn_;
  AtomicLoss worst_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> partition_selection(const Description& description) {
  return std::make_shared<PartitionLoss>(description.number("epsilon", 1e-6, 700),
                                         description.number("delta", 1e-300, 1));
}

}  // namespace epsilometer::mechanisms
