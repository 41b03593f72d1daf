#include "core/release/linear/posterior_sample.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/normal_rows.h"
#include "core/release/linear/ridge.h"

namespace epsilometer {

Description personal_sample(const RecordFacts& facts, double sigma) {
  // No row, or one without a leverage, tells nothing.
  if (facts.leverage.is_zero()) return {"pure", {{"epsilon", 0}}, {}, {}, {}};
  const double most = in_range("leverage", std::max(1e-9, facts.leverage.upper()), 0, 1e3);
  const double grown = std::sqrt((1 + most) / (1 + facts.leverage.lower()));
  const double residual = in_range("residual", rounded_up(facts.residual / sigma * grown), 0, 1e6);
  return {"posterior-sampling", {{"leverage", most}, {"residual", residual}}, {}, {}, {}};
}

double PosteriorSample::largest_residual() const {
  return std::min(residual_, rounded_up(bounds_.label + bounds_.features * largest_norm()));
}

void PosteriorSample::tighten(double floor, double residual) {
  floor_ = std::max(floor_, floor);
  residual_ = residual;
}

double PosteriorSample::largest_norm() const {
  return std::min(largest_ridge_norm(bounds_, rows_, lambda_), rounded_up(residual_ / bounds_.features));
}

// Twenty standard deviations more than the deviates' norm ever has: less than 2^-280 of all.
double PosteriorSample::deviates() const { return std::sqrt(static_cast<double>(dimension_)) + 21; }

// The error of any table's sample: the right side's, and the solution's.
Finish PosteriorSample::finish(double sigma) const {
  const double c = bounds_.features, trace = rows_ * c * c, d = static_cast<double>(dimension_);
  const double side = NormalRows::error(trace, dimension_, floor_, 1, deviates());
  const double spread = sigma * deviates();
  const double coefficients = largest_norm() + spread / std::sqrt(floor_),
               right = rows_ * c * bounds_.label + spread * std::sqrt(trace + d * floor_);
  const double solution = largest_ridge_error(dimension_, trace, floor_, coefficients, right);
  return Finish(rounded_up(solution + sigma * side / floor_), dimension_);
}

NoisyOutput PosteriorSample::noisy_output(double sigma, double weight) const {
  NoisyOutput output =
      epsilometer::noisy_output(NoisyOutput::Of::sample, "coefficients", finish(sigma).noise());
  output.sigma = sigma / std::sqrt(weight);
  return output;
}

std::vector<double> PosteriorSample::released(NormalEquations equations, double sigma,
                                              Generator& generator) const {
  const auto rows = NormalRows::of(equations.gram, dimension_, lambda_, floor_);
  if (!rows)
    throw Refusal("unreachable", "lambda", shown(lambda_), "is too small for doubles; the budget is spent");
  // H^{-1} (X^T y + sigma w), w ~ N(0, H).
  const NormalRows::Drawn drawn = rows->draw(generator, 1);
  for (std::size_t i = 0; i < dimension_; ++i) equations.cross[i] += sigma * drawn.values[i];
  const RidgeSolution solution = ridge(equations, lambda_, floor_);
  return finish(sigma).released(generator, solution.coefficients,
                                {rounded_up(solution.error + sigma * drawn.error / floor_), 0x1p-260});
}

}  // namespace epsilometer
