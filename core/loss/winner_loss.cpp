#include "core/loss/winner_loss.h"

#include <algorithm>
#include <cmath>

#include "core/loss/pair_loss.h"

namespace epsilometer {

std::shared_ptr<const PrivacyLoss> WinnerLoss::witness_near(double tilt) const {
  double best = -HUGE_VAL;
  SingleTest chosen{0, 0};
  for (double bits = 1; bits <= 200; bits *= 1.1)
    for (const double x : {std::exp2(-bits), 1 - std::exp2(-std::min(bits, 40.0))}) {
      const SingleTest test{power(x).lower, x};
      if (!test.tells() || !(test.told(tilt) > best)) continue;
      best = test.told(tilt);
      chosen = test;
    }
  return best > 0 ? chosen.loss() : nullptr;
}

}  // namespace epsilometer
