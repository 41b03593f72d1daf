// The second moments of a table, X^T X, with noise of one law in every direction of symmetric matrices: what
// Dwork, Talwar, Thakurta and Zhang 2014 (Analyze Gauss, Algorithm 1) release with independent noise of one
// variance on the upper triangle. In the Frobenius norm a record moves the matrix by |x|^2, so noise whose
// density depends on that norm alone needs half the variance off the diagonal for the same price. What is
// known of its spectrum follows from the exact law of the ensemble's largest eigenvalue.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/eigensystem.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/released_spectrum.h"

namespace epsilometer::algorithms {
namespace {

class NoisyCovariance final : public LinearAlgorithm {
 public:
  explicit NoisyCovariance(const Request& request)
      : LinearAlgorithm(request, Norm::l2, Labels::unused),
        intercept_(request.number("intercept", 0, 1e30, 0)),
        sigma_(request.noise(
            "sigma", [this](double sigma) { return described(sigma, gram(Norm::l2)); },
            [](double epsilon, double delta) { return std::sqrt(2 * std::log(1.25 / delta)) / epsilon; })) {
    in_range("dimension", static_cast<double>(dimension()), 1, largest_eigensystem);
    margin_ = spectrum_margin(noise(sigma_), dimension());
    const double most = static_cast<double>(dimension()) - (intercept_ > 0 ? 1 : 0);
    if (request.has("components"))
      components_ = static_cast<std::size_t>(request.whole("components", 1, std::max(1.0, most)));
  }

  Plan planned() const override {
    const OrthogonalNoise noise = this->noise(sigma_);
    return {described(sigma_, gram(Norm::l2)),
            {{"sigma", sigma_},
             {"entrySigma", std::ldexp(static_cast<double>(noise.other), noise.exponent)},
             {"eigenvalueMargin", margin_}}};
  }
  OutputType result() const override {
    return {"gram", OutputKind::symmetric_matrix, {dimension(), dimension()}};
  }

  FactsNeeded facts_needed(const Release&) const override { return {FactsNeeded::Of::record}; }
  Description personal(const RecordFacts& facts, const Release&) const override {
    return described(sigma_, own(gram(Norm::l2), facts.square, facts.records));
  }
  std::vector<NoisyOutput> noisy_outputs(const Release&) const override {
    return {noisy_gram_output(noise(sigma_))};
  }

 private:
  double square() const { return bounds().features * bounds().features; }

  // sigma counts in sensitivities: C^2 in the Frobenius norm, which costs 1 / sqrt(2) at the ensemble's.
  OrthogonalNoise noise(double sigma) const {
    const double width = sigma * square() / std::sqrt(2.0);
    return OrthogonalNoise::of(width, gram(Norm::l2).exponent(width));
  }

  Description described(double sigma, const Query& moved) const {
    const OrthogonalNoise noise = this->noise(sigma);
    return noise.guarantee(moved.sensitivity(noise.exponent), dimension());
  }

  Release run(const LinearStatistics& statistics, Generator& generator,
              const Progress& progress) const override {
    Release release(plan());
    const OrthogonalNoise noise = this->noise(sigma_);
    const std::vector<double> matrix = released(generator, statistics.gram(noise.exponent), noise);
    release.add(symmetric_output("gram", matrix, dimension()));
    add_spectrum(release, matrix, margin_, {dimension(), intercept_, components_}, progress);
    return release;
  }

  double intercept_, sigma_;
  // Of the eigenvalues, all together.
  double margin_ = 0;
  std::size_t components_ = 0;
};

}  // namespace

std::unique_ptr<const Algorithm> noisy_covariance(const FitRequest& request) {
  return std::make_unique<NoisyCovariance>(
      Request(request, {"dimension", "featureBound", "sigma", "components"}, {}));
}

}  // namespace epsilometer::algorithms
