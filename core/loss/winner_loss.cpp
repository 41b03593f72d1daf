#include "core/loss/winner_loss.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {

std::vector<SingleTest> WinnerLoss::events_of(const KnownProfile& known) {
  std::vector<SingleTest> tests;
  for (double bits = 1; bits <= 200; bits *= 1.1)
    for (const double x : {std::exp2(-bits), 1 - std::exp2(-std::min(bits, 40.0))})
      tests.push_back({known.power(x).lower, x});
  return tests;
}

std::shared_ptr<const PrivacyLoss> WinnerLoss::witness_near(double tilt) const {
  if (events_.empty()) events_ = events();
  return most_telling(events_, tilt);
}

}  // namespace epsilometer
