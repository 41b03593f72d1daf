// What the best attacker can do: the largest true-positive rate of any test at a false-positive rate. One
// minus it is the trade-off function of Dong, Roth and Su (2019).
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/accounting/envelope.h"
#include "core/accounting/profile.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

class TradeOff {
 public:
  /// Both must outlive this.
  TradeOff(const PrivacyLoss& loss, const Profile& profile);

  /// `false_positive` is 0, or in [1e-300, 1], or refused. The answer is for the worse direction. `level` as
  /// in Envelope.
  Bounds power(double false_positive, std::optional<double> level = {});

  /// So that the next answer is the same whatever was asked before.
  void forget();

 private:
  const PrivacyLoss& loss_;
  // Of a composition, one for each direction.
  std::vector<Envelope> directions_;
  // Whether they are of a mechanism that the description fits, or of how it can be played.
  bool is_attained_;
  // The curve of such a mechanism, where they are of none.
  std::unique_ptr<TradeOff> inside_;
  // The profile that follows from another one, of which only upper ends are known; null otherwise.
  const Profile* around_ = nullptr;
};

/// The same for a single question.
Bounds power(const PrivacyLoss& loss, double false_positive);

}  // namespace epsilometer
