// Laplace noise of scale b on a query of sensitivity D that never exceeds a bound A: Geng, Ding, Guo and
// Kumar 2020. In units of b, with a the bound and d the shift, D = d <= a leaves the losses d with
// probability (1 - e^{d-a}) / 2(1 - e^-a), -d, and a density between them; a larger shift leaves that density
// alone, on [d - 2a, 2a - d].
#include <cmath>

#include "core/loss/laws/atomic_law.h"
#include "core/loss/laws/exponential_law.h"
#include "core/loss/truncated_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> laplace(const Description& description);

namespace {

// All exponents in units of the noise.
TruncatedNoise truncated(std::shared_ptr<const PrivacyLoss> whole, DoubleDouble shift, DoubleDouble bound) {
  const DoubleDouble beside = bound - shift;
  const double kept = -std::expm1(-bound.hi), d = shift.hi;
  TruncatedNoise noise{std::move(whole), -bound, 0.5, kept, 1, beside + bound, nullptr};
  std::vector<Atom> atoms;
  if (beside.hi >= 0) {
    const double all = exponential(-beside);
    noise.only_here = all * -std::expm1(-d) / (2 * kept);
    noise.range = shift;
    const double top = -std::expm1(-beside.hi) / (2 * kept);
    if (top > 0) atoms = {{d, top}, {-d, top * std::exp(-d)}};
  } else {
    noise.only_here = 0.5 - std::expm1(beside.hi) / (2 * kept);
    if (!(noise.range.hi > 0)) {
      noise.law = std::make_shared<AtomicLaw>(std::vector<Atom>{{0, 0}}, 1);
      return noise;
    }
  }
  noise.law = std::make_shared<ExponentialLaw>(noise.range.hi, -d / 2 - std::log(4 * kept), std::move(atoms),
                                               noise.only_here);
  return noise;
}

}  // namespace

std::shared_ptr<const PrivacyLoss> truncated_laplace(const Description& description) {
  const DoubleDouble scale{description.scale("scale")}, shift{description.scale("sensitivity")};
  const DoubleDouble bound{description.scale("bound")};
  return std::make_shared<TruncatedLoss>(truncated(laplace(description), shift / scale, bound / scale));
}

}  // namespace epsilometer::mechanisms
