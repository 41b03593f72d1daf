// How little one Laplace number and the largest of several others can be dispersed, and what a shift of the
// one tells then at most: whether it is the largest.
#pragma once

#include <vector>

namespace epsilometer {

/// All in units of the noise's scale.
class LaplaceCrowdBound {
 public:
  /// At least two others, each with Laplace noise around a place of its own, and one number that moves by
  /// `shift` in (0, 300] at most.
  LaplaceCrowdBound(double others, double shift);

  /// Which of the two tables is the one whose output is looked at: that with the number moved up, or the
  /// other one.
  enum class Moved { up, down };

  /// No less than sup P(E) - e^epsilon Q(E), over all places and all sets E of winners, P
  /// the law of the winner where the number has moved from Q's.
  double told(double epsilon, Moved moved) const;

  /// The same where one of the numbers moves up and another one down, by the shift each, for epsilon >= 0.
  double told_of_two(double epsilon) const;

 private:
  // The density of the largest number between two places, and what its integrals need there.
  struct Piece {
    // The upper end; the density and the mass below it, and the integrals of density e^{-|t - end|} on each
    // side of it.
    double end, density, below, left, right;
  };
  // The density of the gap, the mass of it on each side of a place, and what these may be off by, relatively.
  struct Gap {
    double density, below, above, margin;
  };
  Gap at(double x) const;

  double shift_;
  std::vector<Piece> pieces_;
};

}  // namespace epsilometer
