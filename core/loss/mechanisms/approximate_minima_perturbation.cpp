// Approximate minima perturbation: objective perturbation whose minimum is found to a gradient of norm at
// most tau, and released with Gaussian noise of its own. Such a point lies within tau/lambda of the minimum,
// under both tables, so that the output is that of objective perturbation and then of a Gaussian mechanism
// with mu = 2 tau / (lambda sigma_out). Iyengar, Near, Song, Thakkar, Thakurta and Wang 2019; Redberg 2023
// (thesis), Theorem 4.4.1.
#include "core/loss/gaussian_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> objective_perturbation(const Description& description);

std::shared_ptr<const PrivacyLoss> approximate_minima_perturbation(const Description& description) {
  const DoubleDouble tolerance{description.number("gradientTolerance", 0, 1e100)};
  const DoubleDouble noise =
      DoubleDouble{description.scale("lambda")} * DoubleDouble{description.scale("outputSigma")};
  auto exact = objective_perturbation(description);
  if (tolerance.hi == 0) return exact;
  auto output = std::make_shared<GaussianLoss>(DoubleDouble{2 * tolerance.hi} / noise);
  return std::make_shared<SumLoss>(std::vector<Repeated>{{std::move(exact), 1}, {std::move(output), 1}});
}

}  // namespace epsilometer::mechanisms
