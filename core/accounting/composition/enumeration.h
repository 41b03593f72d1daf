// The profile of a few releases whose losses are point masses, to rounding: every way in which their outcomes
// can occur is listed by how often each occurs, with its multinomial probability. Outcomes of some releases
// are listed one by one (outer), those of the others are sorted (inner):
//   delta(epsilon) = p_infinite + sum over outer of p * (inner delta at epsilon - loss),
// in which all terms are positive.
#pragma once

#include <optional>
#include <vector>

#include "core/base/bounds.h"
#include "core/loss/laws/law.h"

namespace epsilometer {

/// Finitely many point masses, sorted by loss, and sums over those above a level.
class PointMasses {
 public:
  explicit PointMasses(std::vector<Atom> atoms);

  /// The sum of p (1 - e^{level - l}) over the losses l above the level, to 32u.
  double above(double level) const;

 private:
  /// Sums over a run of atoms from the smallest loss on: of p e^{smallest - l}, and of p (1 - e^{smallest -
  /// l}).
  struct Block {
    double fading, growing;
  };

  std::vector<Atom> atoms_;
  std::size_t run_;
  std::vector<Block> blocks_;
};

class Enumeration {
 public:
  /// How long an enumeration may take, in units of about ten nanoseconds: about 0.3 seconds.
  static constexpr double patience = 3e7;

  /// Nothing when a law is more than point masses, or when it would take longer.
  static std::optional<Enumeration> of(const std::vector<RepeatedLaw>& laws, double patience);

  /// For any real epsilon.
  Bounds delta(double epsilon) const;
  /// The smallest epsilon >= 0 with delta(epsilon) <= delta; infinity when there is none.
  Bounds epsilon(double delta) const;

 private:
  struct Split;
  Enumeration(const std::vector<RepeatedLaw>& laws, const std::vector<Split>& splits);

  double finite_delta(double epsilon) const;

  std::vector<Atom> outer_;
  PointMasses inner_;
  double infinite_ = 0, largest_ = 0;
  // What rounding may cost: in losses, and relative to delta.
  double slack_ = 0, margin_ = 0;
};

}  // namespace epsilometer
