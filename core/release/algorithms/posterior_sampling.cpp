// One sample of the ridge posterior, N(theta, sigma^2 H^{-1}) with H = X^T X + lambda I: "one posterior
// sample", Wang, Fienberg and Smola 2015; Wang 2019, Theorem 14. Priced by its exact pair at the largest
// leverage M = C_X^2 / lambda and the largest residual of tables of at most N records. That residual depends
// on N / lambda, so tables of more records, by a count that is paid for, have as much more lambda, and no
// larger a leverage.
//
// Without the record e = (y - x^T sample) / sigma is N(R, m), with it that law times e^{-e^2/2}. Adding
// N(0, w) to e of the pair (M, S) and scaling gives the pair (m, S sqrt((1 + m) / (1 + M))) for any m <= M.
// And at one leverage the profile grows with R: at the borders of the best set {|e| > c} (or < c) the two
// densities are in the ratio e^epsilon, so its derivative in R is that of the means, which is not negative:
// (p(c) - p(-c)) m / (1 + m). So the pair (M, R sqrt(1 + M)) dominates those of all records of leverage up to
// M and residuals up to R.
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/posterior_sample.h"
#include "core/release/linear/ridge.h"
#include "core/release/row_count.h"

namespace epsilometer::algorithms {
namespace {

// Of the pair (core/loss/mechanisms/posterior_sampling.cpp).
constexpr double least_leverage = 1e-9, most_leverage = 1e3;

class PosteriorSampling final : public LinearAlgorithm {
 public:
  explicit PosteriorSampling(const Request& request)
      : LinearAlgorithm(request, Norm::l2),
        lambda_(asked_lambda(request)),
        rows_(request.whole("rows", 1, 1e12)),
        failure_(unnoticed_failure(request)),
        sigma_(request.noise(
            "sigma", [this](double sigma) { return described(sigma); },
            [this](double epsilon, double delta) { return printed(epsilon, delta); })),
        besides_(besides(sigma_)) {
    must_be_solvable(dimension(), bounds(), rows_, lambda_);
  }

  Plan planned() const override { return {described(sigma_), {{"sigma", sigma_}, {"lambda", lambda_}}}; }

  FactsNeeded facts_needed(const Release& run) const override {
    return {FactsNeeded::Of::ridge, run.holds("lambda") ? run.number("lambda") : lambda_,
            largest_ridge_norm(bounds(), rows_, lambda_), 0, false};
  }
  Description personal(const RecordFacts& facts, const Release&) const override {
    must_be_one(facts);
    return with_sample(personal_sample(facts, sigma_), besides_);
  }
  std::vector<NoisyOutput> noisy_outputs(const Release& run) const override {
    const NoisyOutput rows = count(sigma_).noisy_output(run);
    const PosteriorSample sample(dimension(), bounds(), rows.most, run.number("lambda"));
    return {rows, sample.noisy_output(sigma_, 1)};
  }

 private:
  // At which the largest leverage, rounded up, is one that the pair is known for.
  double asked_lambda(const Request& request) const {
    const double square = bounds().features * bounds().features;
    return request.number("lambda", rounded_up(square / most_leverage, 8 * rounding_margin),
                          square / least_leverage);
  }
  double leverage() const { return rounded_up(bounds().features * bounds().features / lambda_); }
  PosteriorSample sample() const { return {dimension(), bounds(), rows_, lambda_}; }
  double residual() const { return sample().largest_residual(); }
  RowCount count(double sigma) const {
    return priced_count(rows_, residual() / sigma * std::sqrt(leverage()), failure_);
  }

  Description described(double sigma) const {
    const double residual = rounded_up(this->residual() / sigma * std::sqrt(1 + leverage()));
    return with_sample({"posterior-sampling", {{"leverage", leverage()}, {"residual", residual}}, {}, {}, {}},
                       besides(sigma));
  }

  static Description with_sample(Description of_sample, const std::vector<Description>& besides) {
    std::vector<Description> parts{std::move(of_sample)};
    parts.insert(parts.end(), besides.begin(), besides.end());
    return composed(std::move(parts));
  }

  // The finish of the sample, and the count.
  std::vector<Description> besides(double sigma) const {
    return count(sigma).behind({sample().finish(sigma).guarantee()});
  }

  // The closed form of Wang 2019, Theorem 14, corrected (two-sided tails, both directions), at the largest
  // leverage and residual: solved for sigma.
  double printed(double epsilon, double delta) const {
    const double mu = leverage(), tail = std::log(2 / delta);
    // mu R^2 / (2 (1 + mu)) + R sqrt(2 mu tail) + mu tail + log(1 + mu) / 2 = epsilon, R = residual / sigma.
    const double square = mu / (2 * (1 + mu)), linear = std::sqrt(2 * mu * tail),
                 left = epsilon - mu * tail - std::log1p(mu) / 2;
    if (!(left > 0))
      throw Refusal("range", "lambda", shown(lambda_), "is too small for the printed calibration");
    return residual() * (linear + std::sqrt(linear * linear + 4 * square * left)) / (2 * left);
  }

  Release run(const LinearStatistics& statistics, Generator& generator, const Progress&) const override {
    Release release(plan());
    const auto [most, equations, weight] = count(sigma_).counted(statistics, release, generator);
    const double lambda = lambda_for(most, rows_, lambda_);
    release.add(number_output("lambda", lambda, OutputKind::parameter));
    const PosteriorSample sample(dimension(), bounds(), most, lambda);
    release.add(coefficients_output(sample.released(equations, sigma_, generator)));
    return release;
  }

  double lambda_, rows_, failure_, sigma_;
  // At that sigma.
  std::vector<Description> besides_;
};

}  // namespace

std::unique_ptr<const Algorithm> posterior_sampling(const FitRequest& request) {
  return std::make_unique<PosteriorSampling>(
      Request(request, {"dimension", "featureBound", "labelBound", "lambda", "rows", "sigma"}, {}));
}

}  // namespace epsilometer::algorithms
