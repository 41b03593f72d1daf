// A pair that shows finitely many losses, given by those of one direction: a loss l of probability p with the
// record has -l of probability p e^-l without it.
#pragma once

#include <vector>

#include "core/loss/laws/law.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// What is known of such a pair.
struct LossTable {
  /// Ascending losses of positive probability, in the direction of the table.
  std::vector<Atom> atoms;
  /// The probability of an infinite loss in that direction, and in the other, rounded up.
  double infinite, infinite_back;
  Direction direction = Direction::remove;
  /// Whether the table holds for both directions, whatever its mirror image is.
  bool both = false;
  /// What every loss may be wrong by, relatively.
  double loss_error = 0;
  /// By how much infinite_back may exceed the truth, relatively.
  double infinite_back_error = 0;
  /// Whether this is the mechanism; otherwise it is everything that the table dominates, the worst of which
  /// is the table, or, of what it dominates in both directions, may be a pair that tells less.
  bool exact = true;
};

class AtomicLoss final : public Knowing<KnownProfile, KnownLaw, ClassBound> {
 public:
  explicit AtomicLoss(LossTable table);

  Bounds delta(double epsilon) const override { return delta_between({epsilon}); }
  Bounds delta_between(DoubleDouble epsilon) const override;
  Bounds power(double false_positive) const override;
  bool is_tight() const override { return table_.exact; }
  double renyi(double order) const override;
  double largest_loss() const override;
  bool reaches_largest_loss() const override;
  double infinite_mass() const override;
  double least_infinite_mass() const override;
  bool symmetric() const override { return table_.both; }
  bool composes() const override { return table_.exact; }
  bool chains() const override { return table_.both; }
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override;
  std::shared_ptr<const Law> law(Direction direction) const override;

 private:
  struct Side {
    std::vector<Atom> atoms;
    double infinite, infinite_back;

    double delta(DoubleDouble epsilon) const;
    double power(double false_positive) const;
    double moment(double order) const;
  };

  LossTable table_;
  // One direction, or both of them.
  std::vector<Side> sides_;
  // Of everything that a table dominates in both directions: the worst of it, which is not the table. Null
  // elsewhere.
  std::shared_ptr<const AtomicLoss> member_;
};

}  // namespace epsilometer
