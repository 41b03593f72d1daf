// Normal noise of standard deviation sigma on a number of sensitivity D that never exceeds a bound A. In
// units of sigma, with a the bound and mu the shift, both can show the outcomes in an interval of length 2a -
// mu, whose losses are normal ones, from -mu (a - mu/2) to mu (a - mu/2).
#include <cmath>

#include "core/loss/gaussian_loss.h"
#include "core/loss/laws/atomic_law.h"
#include "core/loss/laws/truncated_gaussian_law.h"
#include "core/loss/truncated_loss.h"
#include "core/numerics/normal.h"

namespace epsilometer::mechanisms {
namespace {

constexpr double log_root_two_pi = 0.91893853320467274;

// The mass of the standard normal law between -x and x >= 0, in which nothing cancels.
double within(DoubleDouble x) {
  if (x.hi > 0.5) return 1 - 2 * normal_upper_tail(x);
  return std::erf((x / square_root(DoubleDouble{2})).hi);
}

// That between a - mu and a, 0 < mu < 2a: with m the Mills ratio, phi(x) (m(x) - e^{-mu (x + mu/2)} m(x +
// mu)).
double beyond(DoubleDouble bound, DoubleDouble shift) {
  const DoubleDouble from = bound - shift;
  if (from.hi < 0) return (within(bound) + within(-from)) / 2;
  const DoubleDouble steps = shift * (from + bound);
  const double faded = -std::expm1(-steps.hi / 2) * mills_ratio(bound.hi);
  return normal_density(from) * (mills_difference(from.hi, shift.hi) + faded);
}

TruncatedNoise truncated(DoubleDouble shift, DoubleDouble bound) {
  const DoubleDouble square = bound * bound, half{shift.hi / 2, shift.lo / 2};
  const double kept = within(bound);
  TruncatedNoise noise{std::make_shared<GaussianLoss>(shift),
                       {-square.hi / 2, -square.lo / 2},
                       mills_ratio(bound.hi) * std::exp(-log_root_two_pi),
                       kept,
                       1,
                       shift * (bound - half),
                       nullptr};
  if (!(noise.range.hi > 0)) {
    noise.law = std::make_shared<AtomicLaw>(std::vector<Atom>{{0, 0}}, 1);
    return noise;
  }
  noise.only_here = beyond(bound, shift) / kept;
  noise.law =
      std::make_shared<TruncatedGaussianLaw>(shift.hi, bound.hi, (bound - shift).hi, kept, noise.only_here);
  return noise;
}

}  // namespace

std::shared_ptr<const PrivacyLoss> truncated_gaussian(const Description& description) {
  const DoubleDouble sigma{description.scale("sigma")}, shift{description.scale("sensitivity")};
  const DoubleDouble bound{description.scale("bound")};
  return std::make_shared<TruncatedLoss>(truncated(shift / sigma, bound / sigma));
}

}  // namespace epsilometer::mechanisms
