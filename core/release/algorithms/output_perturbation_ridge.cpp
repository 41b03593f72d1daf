// Ridge regression with Gaussian noise on the coefficients, priced for tables of at most N records; of more,
// by a count that is paid for, lambda is as much more, on which the price depends through N / lambda. For a
// record (x, y) and a table without it, with H = X^T X + lambda I, adding it moves the coefficients by H^{-1}
// x (y - x^T theta) / (1 + x^T H^{-1} x); the derivation of the bound is in sensitivity(). Wang 2019, Section
// 3, for the influence.
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/ridge.h"
#include "core/release/row_count.h"

namespace epsilometer::algorithms {
namespace {

class OutputPerturbationRidge final : public LinearAlgorithm {
 public:
  explicit OutputPerturbationRidge(const Request& request)
      : LinearAlgorithm(request, Norm::l2),
        lambda_(request.number("lambda", 1e-30, 1e30)),
        rows_(request.whole("rows", 1, 1e12)),
        failure_(unnoticed_failure(request)),
        // Dwork and Roth 2014, Theorem A.1: proven for epsilon < 1 only, and false beyond 2 or so.
        sigma_(request.noise(
            "sigma", [this](double sigma) { return described(sigma); },
            [&](double epsilon, double delta) {
              request.must_be_proven_by_paper();
              return sensitivity() * std::sqrt(2 * std::log(1.25 / delta)) / epsilon;
            })),
        counted_(count(sigma_).guarantee()) {
    must_be_solvable(dimension(), bounds(), rows_, lambda_);
  }

  Plan planned() const override {
    return {described(sigma_), {{"sigma", sigma_}, {"lambda", lambda_}, {"sensitivity", sensitivity()}}};
  }

  FactsNeeded facts_needed(const Release& run) const override {
    return {FactsNeeded::Of::ridge, run.holds("lambda") ? run.number("lambda") : lambda_,
            largest_ridge_norm(bounds(), rows_, lambda_)};
  }
  Description personal(const RecordFacts& facts, const Release&) const override {
    return described(sigma_, std::min(facts.moved, facts.records * sensitivity()),
                     facts.records == 1 ? counted_ : count(sigma_).guarantee(facts.records));
  }
  std::vector<NoisyOutput> noisy_outputs(const Release& run) const override {
    return {count(sigma_).noisy_output(run), noisy_output(NoisyOutput::Of::coefficients, "coefficients",
                                                          GaussianNoise::of(sigma_), largest_error())};
  }

 private:
  // With a = x^T H^{-1} x <= C^2/lambda, |H^{-1} x| <= sqrt(a / lambda), and sqrt(a) / (1 + a) is largest at
  // a = 1 or, where a cannot reach it, at C^2/lambda. |y - x^T theta| <= C_Y + C |theta|.
  double sensitivity() const {
    const double c = bounds().features;
    const double moved = lambda_ >= c * c ? c / (lambda_ + c * c) : 0.5 / std::sqrt(lambda_);
    return rounded_up(moved * (bounds().label + c * largest_ridge_norm(bounds(), rows_, lambda_)));
  }

  RowCount count(double sigma) const { return priced_count(rows_, sensitivity() / sigma, failure_); }

  // That too depends on N / lambda.
  double largest_error() const {
    const double c = bounds().features;
    return largest_ridge_error(dimension(), rows_ * c * c, lambda_,
                               largest_ridge_norm(bounds(), rows_, lambda_), rows_ * c * bounds().label);
  }

  Description described(double sigma) const {
    return described(sigma, sensitivity(), count(sigma).guarantee());
  }

  // Where records move the coefficients by at most that.
  Description described(double sigma, double moved, const std::vector<Description>& counted) const {
    const GaussianNoise noise = GaussianNoise::of(sigma);
    const double steps =
        moved > 0 ? rounded_sensitivity(moved, largest_error(), dimension(), noise.exponent) : 0;
    std::vector<Description> parts{noise.guarantee(steps, static_cast<double>(dimension()))};
    parts.insert(parts.end(), counted.begin(), counted.end());
    return composed(std::move(parts));
  }

  Release run(const LinearStatistics& statistics, Generator& generator, const Progress&) const override {
    Release release(plan());
    const auto [most, equations, weight] = count(sigma_).counted(statistics, release, generator);
    const double lambda = lambda_for(most, rows_, lambda_);
    release.add(number_output("lambda", lambda, OutputKind::parameter));
    const RidgeSolution solution = ridge(equations, lambda, lambda);
    if (!(solution.error <= largest_error()))
      throw Refusal("unreachable", "coefficients", "none",
                    "could be computed as accurately as priced; the budget is spent");
    const GaussianNoise noise = GaussianNoise::of(sigma_);
    release.add(
        coefficients_output(released(generator, rounded(solution.coefficients, noise.exponent), noise)));
    release.spread = noise.spread(dimension());
    return release;
  }

  double lambda_, rows_, failure_, sigma_;
  // What the count costs at that sigma.
  std::vector<Description> counted_;
};

}  // namespace

std::unique_ptr<const Algorithm> output_perturbation_ridge(const FitRequest& request) {
  return std::make_unique<OutputPerturbationRidge>(
      Request(request, {"dimension", "featureBound", "labelBound", "lambda", "rows", "sigma"}, {}));
}

}  // namespace epsilometer::algorithms
