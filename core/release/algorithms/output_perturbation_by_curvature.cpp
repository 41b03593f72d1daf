// Logistic regression: the minimum of the sum of losses + lambda |theta|^2 / 2 with Gaussian noise, as wide
// as one record can move the minimum of a table whose losses curve at least so much. That curvature, its
// smallest eigenvalue, is released first with noise of its own, and a lower bound of it decides the noise of
// the coefficients: core/model/movement.h. No table is refused: one without curvature has the noise of
// output_perturbation. As a release of a data-dependent bound, Redberg 2023 (thesis), Theorem 3.5.7.
//
// It is enough that the bound holds for the table that there is: then its minimum is no further from any
// neighbour's than is priced, whichever of both is the larger table.
#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/model/movement.h"
#include "core/noise/eigenvalue.h"
#include "core/release/algorithm.h"
#include "core/release/linear/failing_bound.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/model_request.h"
#include "core/release/noisy_minimum.h"
#include "core/release/row_count.h"

namespace epsilometer::algorithms {
namespace {

// The noise of the eigenvalue, in that of the coefficients: a tenth of the price.
constexpr double eigenvalue_ratio = 3;

// What the matrix of so many records at most is off by, and what its minimum is, in units of what one record
// moves the eigenvalue by: each has a trace of a quarter of a unit.
constexpr double most_rows = 0x1p27, matrix_error = 2 * (curvature_error * most_rows / 4 + 0x1p-45);

class OutputPerturbationByCurvature final : public Algorithm {
 public:
  explicit OutputPerturbationByCurvature(const Request& request)
      : model_(request), lambda_(std::max(request.number("lambda", 1e-12, 1e12), model_.least_lambda)) {
    if (request.paper())
      throw Refusal("unsupported", "accounting", "paper", "is not offered: what is printed is not private");
    count_failure_ = unnoticed_failure(request);
    if (request.has("eigenvalueNoise")) typed_noise_ = request.number("eigenvalueNoise", 0.01, 1e9);
    failure_ = share_for_failure(request, 10);
    sigma_ = request.noise("sigma", [this](double sigma) { return described(sigma); }, {});
    margin_ = eigenvalue_margin(eigenvalue_noise(sigma_), 1,
                                chance_of_failure(successful(sigma_), failure_, request)) +
              matrix_error;
  }

  Plan plan() const override { return planned(model_.dimension_for(nullptr)); }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    const double dimension = model_.dimension_for(&table.front());
    Release release(planned(dimension));
    const BoundedRecords bounded(table, *model_.loss, model_.bounds);
    const std::vector<double> none(bounded.dimension());
    const Objective objective(bounded, lambda_, none);
    const Minimum minimum = minimised(objective, model_.smoothness, tolerance(dimension), progress);
    const double curvature = released_curvature(objective, minimum, release, generator, progress);
    const GaussianNoise noise = coefficient_noise(curvature, dimension);
    release.add(number_output("coefficientSigma",
                              std::ldexp(static_cast<double>(noise.steps), noise.exponent),
                              OutputKind::parameter));
    add_noisy_minimum(minimum, noise, generator, release);
    return release;
  }

 private:
  double tolerance(double dimension) const { return model_.gradient_tolerance(dimension, 0); }

  // What a record moves the eigenvalue by, with the errors of both tables.
  double unit() const {
    const double norm = model_.bounds.norm();
    return rounded_up(norm * norm * (1 + 2 * matrix_error));
  }

  double eigenvalue_width(double sigma) const {
    return typed_noise_ > 0 ? typed_noise_ : eigenvalue_ratio * sigma;
  }
  GaussianNoise eigenvalue_noise(double sigma) const {
    return GaussianNoise::of(in_range("eigenvalueNoise", eigenvalue_width(sigma), 0.01, 1e12));
  }

  // Costs next to nothing.
  RowCount count(double sigma) const { return {64 * eigenvalue_width(sigma), count_failure_}; }

  std::vector<Description> successful(double sigma) const {
    const GaussianNoise noise = eigenvalue_noise(sigma);
    return count(sigma).behind(
        {{"gaussian", {{"sigma", in_range("sigma", sigma, 1e-6, 1e12)}, {"sensitivity", 1}}, {}, {}, {}},
         noise.guarantee(eigenvalue_sensitivity(1, noise.exponent), 1)});
  }

  Description described(double sigma) const { return with_failing_bound(successful(sigma), failure_); }

  Plan planned(double dimension) const {
    Plan plan;
    plan.description = described(sigma_);
    plan.parameters = {{"sigma", sigma_},
                       {"lambda", lambda_},
                       {"eigenvalueNoise", eigenvalue_width(sigma_)},
                       {"failure", failure_}};
    plan.result = coefficients_type(static_cast<std::size_t>(dimension));
    return plan;
  }

  // In units, of no more records than doubles know it of: of larger tables nothing is said to curve.
  std::vector<double> matrix(const Objective& objective, const Minimum& minimum, Release& release,
                             Generator& generator, const Progress& progress) const {
    const auto rows = static_cast<double>(objective.count());
    const double most = count(sigma_).bounded(rows, release, generator);
    const std::size_t d = objective.dimension();
    if (rows > most || most > std::min(most_rows, most_rows_with_eigenvalue(d)))
      return std::vector<double>(d * (d + 1) / 2);
    const auto at = [](const std::vector<double>& values) {
      return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
    };
    std::vector<double> curvature = objective.curvature(at(minimum.theta), progress, at(minimum.tail));
    for (double& entry : curvature) entry /= unit();
    return curvature;
  }

  // A lower bound.
  double released_curvature(const Objective& objective, const Minimum& minimum, Release& release,
                            Generator& generator, const Progress& progress) const {
    const GaussianNoise noise = eigenvalue_noise(sigma_);
    const std::vector<double> curvature = matrix(objective, minimum, release, generator, progress);
    const IntegerSum least = smallest_eigenvalue_sum(curvature, objective.dimension(), 1, noise.exponent);
    const double noisy = released(generator, least, noise)[0];
    const double bound = rounded_down(std::max(0.0, noisy - margin_) * unit(), 0x1p-40);
    release.add(number_output("curvature", noisy * unit()));
    release.add(number_output("curvatureAtLeast", bound));
    return bound;
  }

  // At least sigma in units of what a record moves the coefficients by, with all rounding. Public: it follows
  // from the curvature's bound alone.
  GaussianNoise coefficient_noise(double curvature, double dimension) const {
    const double moved = largest_movement(model_.lipschitz, lambda_, curvature, model_.bounds.norm()),
                 error = tolerance(dimension) / lambda_;
    for (double more = 0x1p-24;; more *= 2) {
      const GaussianNoise noise = GaussianNoise::of(sigma_ * moved * (1 + more));
      const Description cost = noise.guarantee(
          rounded_sensitivity(moved, error, static_cast<std::size_t>(dimension), noise.exponent), dimension);
      if (cost.numbers.at("sigma") >= rounded_up(sigma_ * cost.numbers.at("sensitivity"))) return noise;
    }
  }

  PublicModel model_;
  double lambda_, typed_noise_ = 0, failure_ = 0, count_failure_ = 0, sigma_ = 0;
  // Taken off the noisy eigenvalue for a lower bound of the true one.
  double margin_ = 0;
};

}  // namespace

std::unique_ptr<const Algorithm> output_perturbation_by_curvature(const FitRequest& request) {
  return std::make_unique<OutputPerturbationByCurvature>(
      Request(request,
              {"featureBound", "intercept", "labelBound", "dimension", "lambda", "sigma", "eigenvalueNoise",
               "failure"},
              {}));
}

}  // namespace epsilometer::algorithms
