#include "core/loss/winner_loss.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/loss/pair_loss.h"

namespace epsilometer {

std::shared_ptr<const PrivacyLoss> WinnerLoss::witness_near(double tilt) const {
  std::vector<SingleTest> tests;
  for (double bits = 1; bits <= 200; bits *= 1.1)
    for (const double x : {std::exp2(-bits), 1 - std::exp2(-std::min(bits, 40.0))})
      tests.push_back({power(x).lower, x});
  return most_telling(tests, tilt);
}

}  // namespace epsilometer
