#include "core/loss/winner_loss.h"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "core/loss/laws/atomic_law.h"
#include "core/loss/pair_loss.h"

namespace epsilometer {
namespace {

// True with probability p under P and q under Q, 0 < q < p < 1.
std::shared_ptr<const PrivacyLoss> single_test(double p, double q) {
  const double yes = std::log1p((p - q) / q), no = std::log1p((q - p) / (1 - q));
  const auto law = [](Atom low, Atom high) {
    return std::make_shared<AtomicLaw>(std::vector<Atom>{low, high}, 0);
  };
  return std::make_shared<PairLoss>(law({no, 1 - p}, {yes, p}), law({-yes, q}, {-no, 1 - q}));
}

}  // namespace

std::shared_ptr<const PrivacyLoss> WinnerLoss::witness_near(double tilt) const {
  double best = -HUGE_VAL, p = 0, q = 0;
  for (double bits = 1; bits <= 200; bits *= 1.1)
    for (const double x : {std::exp2(-bits), 1 - std::exp2(-std::min(bits, 40.0))}) {
      const double y = power(x).lower;
      if (!(y > x && y < 1)) continue;
      const double told = y * std::pow(y / x, tilt) + (1 - y) * std::pow((1 - y) / (1 - x), tilt);
      if (told > best) std::tie(best, p, q) = std::tuple(told, y, x);
    }
  return best > 0 ? single_test(p, q) : nullptr;
}

}  // namespace epsilometer
