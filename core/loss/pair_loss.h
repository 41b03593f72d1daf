// One mechanism, known by the laws of its loss alone: a member of a class, for the lower ends of what the
// class costs.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "core/loss/laws/atomic_law.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

class PairLoss final : public Knowing<KnownLaw> {
 public:
  PairLoss(std::shared_ptr<const Law> removing, std::shared_ptr<const Law> adding)
      : removing_(std::move(removing)), adding_(std::move(adding)) {}

  /// Nobody asks a member for an upper bound: none is stated.
  double renyi(double) const override { return std::numeric_limits<double>::infinity(); }
  double infinite_mass() const override {
    return std::max(removing_->infinite_mass(), adding_->infinite_mass());
  }
  bool symmetric() const override { return false; }
  bool composes() const override { return true; }
  std::shared_ptr<const Law> law(Direction direction) const override {
    return direction == Direction::remove ? removing_ : adding_;
  }

 private:
  std::shared_ptr<const Law> removing_, adding_;
};

/// One test, passed with probability p under P and q under Q.
struct SingleTest {
  double p, q;

  /// Whether it tells anything that a law can have.
  bool tells() const { return 0 < q && q < p && p < 1; }

  /// The mean of e^{tilt loss}.
  double told(double tilt) const {
    return p * std::pow(p / q, tilt) + (1 - p) * std::pow((1 - p) / (1 - q), tilt);
  }

  std::shared_ptr<const PrivacyLoss> loss() const {
    const double yes = std::log1p((p - q) / q), no = std::log1p((q - p) / (1 - q));
    const auto law = [](Atom low, Atom high) {
      return std::make_shared<AtomicLaw>(std::vector<Atom>{low, high}, 0);
    };
    return std::make_shared<PairLoss>(law({no, 1 - p}, {yes, p}), law({-yes, q}, {-no, 1 - q}));
  }
};

/// Of several tests that one with the largest mean of e^{tilt loss}; null where none tells anything.
inline std::shared_ptr<const PrivacyLoss> most_telling(const std::vector<SingleTest>& tests, double tilt) {
  double best = 0;
  const SingleTest* chosen = nullptr;
  for (const SingleTest& test : tests) {
    if (!test.tells() || !(test.told(tilt) > best)) continue;
    best = test.told(tilt);
    chosen = &test;
  }
  return chosen ? chosen->loss() : nullptr;
}

}  // namespace epsilometer
