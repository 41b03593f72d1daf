// The release of which of several candidates wins when each has noise of its own. Noise of one pair tells all
// that the winner can; each test of whether a candidate wins belongs to other scores, so that no two tables
// have the whole of it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/loss/pair_loss.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Profile and power are said by the mechanism: the lower end of every power is what one test of some scores
/// tells.
class WinnerLoss : public Knowing<KnownProfile, KnownLaw, ClassBound> {
 public:
  /// A pair that dominates the winner.
  explicit WinnerLoss(std::shared_ptr<const PrivacyLoss> noise) : noise_(std::move(noise)) {}

  double renyi(double order) const override { return noise_->renyi(order); }
  double largest_loss() const override { return noise_->largest_loss(); }
  double largest_loss_of(double count) const override { return noise_->largest_loss_of(count); }
  std::optional<double> concentrated() const override { return noise_->concentrated(); }
  std::shared_ptr<const Law> law(Direction direction) const override {
    return noise_->laws()->law(direction);
  }
  /// A single test.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override;

 protected:
  /// Tests of whether a candidate wins, which belong to one table each.
  virtual std::vector<SingleTest> events() const { return events_of(*this); }
  /// At rates of every size, by the power that is known.
  static std::vector<SingleTest> events_of(const KnownProfile& known);

  const PrivacyLoss& noise() const { return *noise_; }
  const KnownProfile& of_noise() const { return *noise_->profile(); }

 private:
  std::shared_ptr<const PrivacyLoss> noise_;
  // Found once.
  mutable std::vector<SingleTest> events_;
};

}  // namespace epsilometer
