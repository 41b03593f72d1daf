// The privacy profile and its inverse, for whatever is known about a loss: the exact pair where there is one,
// the certified composition of its parts, otherwise the best conversion of its Renyi bound.
#pragma once

#include <vector>

#include "core/accounting/compose.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// exact: both ends differ by rounding only. certified: a proven interval around the profile of the
/// dominating pair, or around the largest profile of a class. bound: only the upper end is a guarantee.
enum class Certainty { exact, certified, bound };

class Profile {
 public:
  /// The loss must outlive the profile. `gap`: the relative width that a certified interval of epsilon should
  /// have.
  explicit Profile(const PrivacyLoss& loss, double gap = 1e-4);

  Certainty certainty() const;

  /// delta(epsilon) for any finite epsilon, the larger of both directions.
  Bounds delta(double epsilon) const;

  /// Of a composition: how many directions differ, and delta(epsilon) of one of them.
  std::size_t directions() const { return composers_.size(); }
  Bounds delta(std::size_t direction, double epsilon) const;

  /// The smallest epsilon >= 0 with delta(epsilon) <= delta; infinity when there is none. `delta` is 0 or in
  /// [1e-300, 1], or it is refused: below that doubles lose the accuracy that we promise.
  Bounds epsilon(double delta) const;

 private:
  bool worth_bounding(const Bounds& found) const;
  Bounds composed_delta(double epsilon) const;
  Bounds composed_epsilon(double delta) const;

  const PrivacyLoss& loss_;
  double gap_;
  // One composer for each direction, or one for both when all parts are symmetric; none when no law is known.
  std::vector<Composer> composers_;
};

/// The same for a single question.
Bounds delta(const PrivacyLoss& loss, double epsilon);
Bounds epsilon(const PrivacyLoss& loss, double delta);

/// A probability that may be 0 but not too small to be accurate; refused otherwise.
double accurate_probability(const char* field, double value);

}  // namespace epsilometer
