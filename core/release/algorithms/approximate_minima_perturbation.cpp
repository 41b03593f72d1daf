// Objective perturbation as it can be run: minimise the sum of losses + lambda |theta|^2 / 2 + b.theta, b ~
// N(0, sigma^2 I) but for a certified rounding, to a certified gradient, and hide what is left of the error
// beneath finishing noise (finish.h). Iyengar et al. 2019; Redberg 2023 (thesis), Algorithm 7. "paper":
// Kifer, Smith and Thakurta 2012, lambda = 2 beta / epsilon and their sigma, with what the finish costs taken
// off the budget.
//
// The budget leaves a curve of sigma and lambda. In a direction in which the losses curve by h, and in which
// the coefficient is guessed as N(0, tau^2), noise and shrinkage together cost
//     F(h, lambda) = h (sigma^2 + lambda^2 tau^2) / (2 (h + lambda)^2)
// of expected risk to second order. lambda = sigma / tau is its saddle point: least against the worst
// curvature, which is h = lambda, for any table. Hence the default, from public values alone:
// lambda = sigma / tau, tau = predictorScale / C, so that x.theta of no record, of norm C, has a greater
// standard deviation than predictorScale. Section 4.5 of the thesis takes the least lambda instead that keeps
// the budget at a sigma of 1.3 times the Gaussian mechanism's. Under accounting that is tight this lambda
// shrinks far below the best one (to 2e-8 at epsilon = 50), so it is taken only when noiseRatio is given.
#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/model/minimise.h"
#include "core/noise/finish.h"
#include "core/release/algorithm.h"
#include "core/release/model_request.h"

namespace epsilometer::algorithms {
namespace {

// The linear term: each entry is this close to an ideal normal deviate times sigma, one more rounding
// included.
constexpr double linear_error = normal_error + 0x1p-48;

// What the finish costs at most: mu = 2^-16 at ten standard deviations.
constexpr double finish_mu = 0x1p-16 * (1 + 1e-6), finish_epsilon = 10 * finish_mu;

struct Noise {
  double sigma, lambda;
};

class ApproximateMinimaPerturbation final : public Algorithm {
 public:
  explicit ApproximateMinimaPerturbation(const FitRequest& asked)
      : request_(model_request(asked, {"sigma", "lambda", "noiseRatio", "predictorScale"}, {})),
        model_(request_) {}

  Plan plan() const override { return planned(model_.dimension_for(nullptr)); }

  FactsNeeded facts_needed(const Release&) const override { return {FactsNeeded::Of::record}; }
  // A public function of the record itself, by its longest gradient and its largest curvature: the proof
  // looks at one record at a time. What the solver leaves may depend on the table in any way.
  Description personal(const RecordFacts& facts, const Release& run) const override {
    must_be_one(facts);
    Description description = described({run.parameters.at("sigma"), run.parameters.at("lambda")},
                                        static_cast<double>(facts.dimension));
    if (facts.gradient == 0) {
      const double moved =
          2 * description.number("gradientTolerance", 0, 1e100) / run.parameters.at("lambda");
      return {"gaussian",
              {{"sigma", description.numbers.at("outputSigma")}, {"sensitivity", rounded_up(moved)}},
              {},
              {},
              {}};
    }
    description.numbers["lipschitz"] = std::max(1e-100, facts.gradient);
    description.numbers["smoothness"] = std::max(1e-100, facts.curvature);
    return description;
  }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    const double dimension = model_.dimension_for(&table.front());
    Release release(planned(dimension));
    const Noise noise{release.parameters.at("sigma"), release.parameters.at("lambda")};
    generator.begin_release();
    std::vector<double> linear(table.front().dimension);
    for (double& entry : linear) entry = noise.sigma * normal_deviate(generator);
    const BoundedRecords bounded(table, *model_.loss, model_.bounds);
    const Minimum minimum = minimised({bounded, noise.lambda, linear}, model_.smoothness,
                                      solver_tolerance(noise, dimension), progress);
    const double error = distance(minimum.gradient, noise, dimension);
    release.add(coefficients_output(
        finish(noise, dimension)
            .released(generator, minimum.theta, {error, dimension * 0x1p-289}, minimum.tail)));
    return release;
  }

 private:
  double solver_tolerance(const Noise& noise, double dimension) const {
    return model_.gradient_tolerance(dimension, noise.sigma);
  }

  // Of a point with that gradient from the ideal minimum.
  static double distance(double gradient, const Noise& noise, double dimension) {
    return rounded_up((gradient + linear_error * noise.sigma * std::sqrt(dimension)) / noise.lambda);
  }

  Finish finish(const Noise& noise, double dimension) const {
    return Finish(distance(solver_tolerance(noise, dimension), noise, dimension),
                  static_cast<std::size_t>(dimension));
  }

  Description described(const Noise& noise, double dimension) const {
    const Description output = finish(noise, dimension).guarantee();
    // The law of the linear term is within a factor e^{1e-33 dimension} of its formula, which 2^-40 more of
    // the finish covers many times over.
    const double gradient = output.numbers.at("sensitivity") * noise.lambda / 2 * (1 + 0x1p-40);
    Description description{"approximate-minima-perturbation",
                            {{"sigma", noise.sigma},
                             {"lambda", noise.lambda},
                             {"lipschitz", model_.lipschitz},
                             {"smoothness", model_.smoothness},
                             {"gradientTolerance", gradient},
                             {"outputSigma", output.numbers.at("sigma")}},
                            {},
                            {},
                            {}};
    if (model_.loss->one_signed()) description.texts["derivative"] = "one-signed";
    return description;
  }

  Plan planned(double dimension) const {
    const Noise noise = request_.paper() ? printed(dimension) : tight(dimension);
    Plan plan;
    plan.description = described(noise, dimension);
    plan.parameters = {{"sigma", noise.sigma},
                       {"lambda", noise.lambda},
                       {"lipschitz", model_.lipschitz},
                       {"smoothness", model_.smoothness},
                       {"outputSigma", finish(noise, dimension).sigma()}};
    plan.result = coefficients_type(static_cast<std::size_t>(dimension));
    model_.tell_gradient_bound(plan);
    return plan;
  }

  Noise tight(double dimension) const {
    if (request_.has("lambda")) {
      const double lambda = std::max(request_.scale("lambda"), model_.least_lambda);
      return {request_.noise("sigma",
                             [&](double sigma) {
                               return described({sigma, lambda}, dimension);
                             },
                             {}),
              lambda};
    }
    const Target target = request_.budget();
    if (request_.has("sigma")) return with_least_lambda(request_.scale("sigma"), dimension, target);
    if (request_.has("noiseRatio")) return with_least_lambda(thesis_sigma(), dimension, target);
    const auto balanced = [&](double sigma) {
      return Noise{sigma, std::max(sigma / model_.coefficient_scale, least_lambda(sigma, dimension))};
    };
    const auto cost = [&](double sigma) { return cost_of(balanced(sigma), dimension, target.epsilon); };
    return balanced(least_private(cost, {"sigma", 1e-12, 1e12, false, true}, 1, target.delta).value);
  }

  // With less, the minimum could not be found, or the finishing noise would blur the coefficients: it is to
  // stay at an eighth of tau, a 64th in variance.
  double least_lambda(double sigma, double dimension) const {
    return std::max(8 * finish({sigma, 1}, dimension).sigma() / model_.coefficient_scale,
                    model_.least_lambda);
  }

  Noise with_least_lambda(double sigma, double dimension, Target target) const {
    const auto cost = [&](double lambda) { return cost_of({sigma, lambda}, dimension, target.epsilon); };
    const double least = least_lambda(sigma, dimension);
    return {sigma, least_private(cost, {"lambda", least, 1e12, false, true}, least, target.delta).value};
  }

  double cost_of(const Noise& noise, double dimension, double epsilon) const {
    return delta(*privacy_loss(described(noise, dimension)), epsilon).upper;
  }

  double thesis_sigma() const {
    const double ratio = request_.number("noiseRatio", 1.001, 1e6);
    return ratio * model_.lipschitz / request_.budget_mu();
  }

  Noise printed(double dimension) const {
    const Target target = request_.budget();
    const Description finish{"gaussian", {{"sigma", 1}, {"sensitivity", finish_mu}}, {}, {}, {}};
    const double epsilon = target.epsilon - finish_epsilon;
    const double rest = target.delta - delta(*privacy_loss(finish), finish_epsilon).upper;
    if (!(epsilon > 0 && rest > 0))
      throw Refusal("unreachable", "accounting", "paper", "has nothing left for the model at this budget");
    const double least = std::max(rounded_up(2 * model_.smoothness / epsilon), model_.least_lambda);
    const double lambda = request_.number("lambda", least, 1e12, least);
    const auto kifer = [&](double, double) {
      return rounded_up(model_.lipschitz / epsilon * std::sqrt(8 * std::log(2 / rest) + 4 * epsilon));
    };
    return {request_.noise(
                "sigma",
                [&](double sigma) {
                  return described({sigma, lambda}, dimension);
                },
                kifer),
            lambda};
  }

  Request request_;
  PublicModel model_;
};

}  // namespace

std::unique_ptr<const Algorithm> approximate_minima_perturbation(const FitRequest& request) {
  return std::make_unique<ApproximateMinimaPerturbation>(request);
}

}  // namespace epsilometer::algorithms
