// Output perturbation of a generalised linear model: the minimum of the sum of losses + lambda |theta|^2 / 2,
// with Gaussian noise. A record whose gradient is at most L moves the minimum by at most L / lambda when it
// is added or removed, and by 2 L / lambda when it is replaced: Chaudhuri, Monteleoni and Sarwate 2011, there
// Corollary 8. "paper": the noise of Dwork and Roth 2014, Theorem A.1, proven for epsilon < 1 only.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/release/algorithm.h"
#include "core/release/model_request.h"
#include "core/release/noisy_minimum.h"

namespace epsilometer::algorithms {
namespace {

class OutputPerturbation final : public Algorithm {
 public:
  explicit OutputPerturbation(const FitRequest& asked)
      : request_(model_request(asked, {"sigma", "lambda"}, {"neighbours"})),
        model_(request_),
        lambda_(std::max(request_.number("lambda", 1e-12, 1e12), model_.least_lambda)),
        moved_(request_.choice("neighbours", {"add-remove", "replace"}) == "replace" ? 2 : 1) {}

  Plan plan() const override { return planned(model_.dimension_for(nullptr)); }

  FactsNeeded facts_needed(const Release&) const override {
    if (moved_ == 1) return {FactsNeeded::Of::minimum, lambda_};
    throw Refusal("unsupported", "neighbours", "replace", "has no rule for what it costs one record alone");
  }
  FactsNeeded facts_needed_before(const Plan&) const override { return {FactsNeeded::Of::minimum, lambda_}; }
  // Whatever record takes its place moves the minimum as well.
  Description personal(const RecordFacts& facts, const Release& run) const override {
    const double other = (moved_ - 1) * model_.lipschitz / lambda_;
    Description own = described(run.parameters.at("sigma"), static_cast<double>(facts.dimension),
                                std::min(rounded_up(facts.moved + other, other > 0 ? rounding_margin : 0),
                                         facts.records * sensitivity()));
    if (moved_ == 2) own.texts["neighbours"] = "replace";
    return own;
  }
  std::vector<NoisyOutput> noisy_outputs(const Release& run) const override {
    return {noisy_output(NoisyOutput::Of::coefficients, "coefficients",
                         GaussianNoise::of(run.parameters.at("sigma")),
                         tolerance(static_cast<double>(run.values("coefficients").size())) / lambda_)};
  }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    const double dimension = model_.dimension_for(&table.front());
    Release release(planned(dimension));
    const GaussianNoise noise = GaussianNoise::of(release.parameters.at("sigma"));
    const BoundedRecords bounded(table, *model_.loss, model_.bounds);
    const std::vector<double> none(bounded.dimension());
    const Minimum minimum =
        minimised({bounded, lambda_, none}, model_.smoothness, tolerance(dimension), progress);
    add_noisy_minimum(minimum, noise, generator, release);
    return release;
  }

 private:
  double tolerance(double dimension) const { return model_.gradient_tolerance(dimension, 0); }

  double sensitivity() const { return moved_ * model_.lipschitz / lambda_; }

  Description described(double sigma, double dimension) const {
    return described(sigma, dimension, sensitivity());
  }

  // Where neighbours' minima are at most that far apart. The same minimum may be computed differently.
  Description described(double sigma, double dimension, double moved) const {
    const GaussianNoise noise = GaussianNoise::of(sigma);
    const double steps = rounded_sensitivity(moved, tolerance(dimension) / lambda_,
                                             static_cast<std::size_t>(dimension), noise.exponent);
    return noise.guarantee(steps, dimension);
  }

  Plan planned(double dimension) const {
    const auto printed = [this](double epsilon, double delta) {
      request_.must_be_proven_by_paper();
      return sensitivity() * std::sqrt(2 * std::log(1.25 / delta)) / epsilon;
    };
    const double sigma = request_.noise(
        "sigma", [&](double value) { return described(value, dimension); }, printed);
    Plan plan;
    plan.description = described(sigma, dimension);
    plan.result = coefficients_type(static_cast<std::size_t>(dimension));
    if (moved_ == 2) plan.description.texts["neighbours"] = plan.neighbours = "replace";
    plan.parameters = {{"sigma", sigma},
                       {"lambda", lambda_},
                       {"lipschitz", model_.lipschitz},
                       {"sensitivity", sensitivity()}};
    model_.tell_gradient_bound(plan);
    return plan;
  }

  Request request_;
  PublicModel model_;
  double lambda_, moved_;
};

}  // namespace

std::unique_ptr<const Algorithm> output_perturbation(const FitRequest& request) {
  return std::make_unique<OutputPerturbation>(request);
}

}  // namespace epsilometer::algorithms
