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
//
// Whitened: a share of the budget, as the square of Gaussian noise counts it, buys X^T X with noise; the rows
// are whitened by it and shortened to 1, and all of the above is done with them, in a model whose longest row
// is 1. Given what was released, a whitened row is a function of that row alone, so that the minimum costs
// what it costs in any table, and both are composed. core/release/noisy_gram.h.
//
// Of several classes there is a minimum of the logistic loss for each, against all others, with noise of its
// own. A row is in the objective of every one of them, and each may follow from those before: they are
// composed, one as dear as the other. The matrix is released once, for all.
#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/model/minimise.h"
#include "core/model/softmax.h"
#include "core/noise/finish.h"
#include "core/numerics/eigensystem.h"
#include "core/release/algorithm.h"
#include "core/release/fitted_rows.h"
#include "core/release/model_request.h"
#include "core/release/predictors.h"

namespace epsilometer::algorithms {
namespace {

// The linear term: each entry is this close to an ideal normal deviate times sigma, one more rounding
// included.
constexpr double linear_error = normal_error + 0x1p-48;

// What the finish costs at most: mu = 2^-16 at ten standard deviations.
constexpr double finish_mu = 0x1p-16 * (1 + 1e-6), finish_epsilon = 10 * finish_mu;

// So near is the noise of a whitened fit, or of several minima, to the least: 2^-24 of it.
constexpr int composed_bits = 24;

struct Noise {
  double sigma, lambda;
};

class ApproximateMinimaPerturbation final : public Algorithm {
 public:
  explicit ApproximateMinimaPerturbation(const FitRequest& asked)
      : ApproximateMinimaPerturbation(one_against_rest(asked), predictors_asked(read(asked))) {}

  Plan plan() const override { return planned(table_.dimension_for(nullptr)); }

  FactsNeeded facts_needed(const Release&) const override {
    return {share_ > 0 ? FactsNeeded::Of::whitened : FactsNeeded::Of::record};
  }
  // A public function of the record itself, by its longest gradient and its largest curvature: the proof
  // looks at one record at a time. What the solver leaves may depend on the table in any way. Whitened, its
  // product x x^T besides, and that of the row that the released matrix makes of it.
  Description personal(const RecordFacts& facts, const Release& run) const override {
    must_be_one(facts);
    const Noise noise{run.parameters.at("sigma"), run.parameters.at("lambda")};
    const auto dimension = static_cast<double>(facts.dimension);
    const Description everybody = minimum_described(noise, dimension);
    if (share_ == 0) return of_all({}, personal_minimum(everybody, facts.gradient, facts.curvature));
    const double square = facts.leverage.upper();
    const double longest = square == 0 ? 0 : std::min(1.0, rounded_up(std::sqrt(square)));
    const double gradient =
        longest == 0 ? 0 : std::min(model_.lipschitz, rounded_up(model_.loss->steepness() * longest));
    const double limit = longest == 0 ? 0 : rounded_up(gradient / longest);
    const double curvature =
        std::min(model_.smoothness, rounded_up(model_.loss->curvature(limit) * longest * longest));
    return of_all(gram(dimension).guarantee(run.parameters.at("gramSigma"), facts.square, 1),
                  personal_minimum(everybody, gradient, curvature));
  }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    const double dimension = table_.dimension_for(&table.front());
    Release release(planned(dimension));
    if (share_ == 0) {
      release.add(predictors_output(released_minima(table, release, generator, progress)));
      return release;
    }
    // The matrix, the rows, and each minimum.
    const double part = 1 / (2 + static_cast<double>(predictors_));
    const NoisyGram gram = this->gram(dimension);
    const std::unique_ptr<const Loss> places = several() ? class_places(predictors_) : nullptr;
    const BoundedRecords records(table, places ? *places : *table_.loss, table_.bounds);
    const Whitening whitening = gram.released(records, release.parameters.at("gramSigma"), release, generator,
                                              part_of(progress, 0, part));
    const WhitenedTable whitened(gram, records, whitening, part_of(progress, part, 2 * part));
    Minima minima = released_minima(whitened.pieces(), release, generator, part_of(progress, 2 * part, 1));
    for (std::vector<double>& theta : minima) {
      for (double& one : theta) one /= whitening.bound();
      theta = gram.coefficients(whitening, std::move(theta));
    }
    release.add(predictors_output(minima));
    return release;
  }

 private:
  // Of each predictor.
  using Minima = std::vector<std::vector<double>>;

  // `one`: of one predictor, of which there are as many.
  ApproximateMinimaPerturbation(const FitRequest& one, std::size_t predictors)
      : predictors_(predictors),
        request_(read(one)),
        table_(request_),
        share_(share_asked()),
        model_(share_ > 0 ? PublicModel(read(whitened_request(one, table_.bounds))) : PublicModel(request_)) {
    if (several() && request_.paper())
      throw Refusal("unsupported", "accounting", "paper", "is for one minimum, not for several classes");
    // Its noise takes a while to find, and a tuned algorithm is run again and again.
    if (table_.dimension) known_ = planned(*table_.dimension);
  }

  static Request read(const FitRequest& asked) {
    return model_request(asked, {"classes", "sigma", "lambda", "noiseRatio", "predictorScale", "whiten"}, {});
  }
  static std::size_t predictors_asked(const Request& request) {
    return predictors_of(request,
                         request.choice("loss", {"logistic", "squared", "huber", "poisson", "softmax"}));
  }

  bool several() const { return predictors_ > 1; }
  bool is_composed() const { return several() || share_ > 0; }

  // The matrix's part of the budget, as the square of Gaussian noise counts it. None where the noise or the
  // regularisation is named, which are those of rows as they are.
  double share_asked() const {
    const double share = request_.number("whiten", 0, 0.9, 0);
    if (share == 0) return 0;
    if (share < 0.001)
      throw Refusal("range", "whiten", shown(share), "must be 0 or a number from 0.001 to 0.9");
    if (request_.has("sigma") || request_.has("lambda") || request_.has("noiseRatio") || request_.paper())
      throw Refusal("range", "whiten", shown(share),
                    "must be 0 where the noise, lambda or the paper's accounting is asked for");
    if (table_.dimension)
      in_range("dimension", *table_.dimension, 1, static_cast<double>(largest_eigensystem));
    return share;
  }

  NoisyGram gram(double dimension) const {
    return NoisyGram(static_cast<std::size_t>(dimension), table_.bounds, Change::add_or_remove);
  }
  double gram_width(double dimension) const {
    return gram(dimension).width(std::sqrt(share_) * request_.budget_mu());
  }

  Minima released_minima(Pieces rows, const Plan& run, Generator& generator, const Progress& progress) const {
    if (!several()) return {released_minimum(rows, run, generator, progress)};
    const double part = 1 / static_cast<double>(predictors_);
    Minima minima;
    for (std::size_t k = 0; k < predictors_; ++k) {
      const OneAgainstRest sides(rows, k, predictors_);
      const double before = static_cast<double>(k) * part;
      minima.push_back(
          released_minimum(sides.pieces(), run, generator, part_of(progress, before, before + part)));
    }
    return minima;
  }

  std::vector<double> released_minimum(Pieces rows, const Plan& run, Generator& generator,
                                       const Progress& progress) const {
    const Noise noise{run.parameters.at("sigma"), run.parameters.at("lambda")};
    generator.begin_release();
    std::vector<double> linear(rows.front().dimension);
    const auto dimension = static_cast<double>(linear.size());
    for (double& entry : linear) entry = noise.sigma * normal_deviate(generator);
    const BoundedRecords bounded(rows, *model_.loss, model_.bounds);
    const Minimum minimum = minimised({bounded, noise.lambda, linear}, model_.smoothness,
                                      solver_tolerance(noise, dimension), progress);
    const double error = distance(minimum.gradient, noise, dimension);
    return finish(noise, dimension)
        .released(generator, minimum.theta, {error, dimension * 0x1p-289}, minimum.tail);
  }

  // Of a record with such a gradient and such a curvature; without any gradient only the solver's part.
  static Description personal_minimum(Description everybody, double gradient, double curvature) {
    if (gradient == 0) {
      const double moved = 2 * everybody.numbers.at("gradientTolerance") / everybody.numbers.at("lambda");
      return {"gaussian",
              {{"sigma", everybody.numbers.at("outputSigma")}, {"sensitivity", rounded_up(moved)}},
              {},
              {},
              {}};
    }
    everybody.numbers["lipschitz"] = std::max(1e-100, gradient);
    everybody.numbers["smoothness"] = std::max(1e-100, curvature);
    return everybody;
  }

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
    std::optional<Description> matrix;
    if (share_ > 0) matrix = gram(dimension).guarantee(gram_width(dimension));
    return of_all(std::move(matrix), minimum_described(noise, dimension));
  }

  // Of the matrix, where there is one, and of a minimum for each predictor.
  Description of_all(std::optional<Description> matrix, Description minimum) const {
    if (!is_composed()) return minimum;
    Description all{"composition", {}, {}, {}, {}};
    if (matrix) all.parts.push_back({std::move(*matrix), 1});
    all.parts.push_back({std::move(minimum), static_cast<double>(predictors_)});
    return all;
  }

  Description minimum_described(const Noise& noise, double dimension) const {
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
    if (known_) return *known_;
    const Noise noise = request_.paper() ? printed(dimension) : tight(dimension);
    Plan plan;
    plan.description = described(noise, dimension);
    plan.parameters = {{"sigma", noise.sigma},
                       {"lambda", noise.lambda},
                       {"lipschitz", model_.lipschitz},
                       {"smoothness", model_.smoothness},
                       {"outputSigma", finish(noise, dimension).sigma()}};
    plan.result = predictors_type(static_cast<std::size_t>(dimension), predictors_);
    // As it is typed.
    table_.tell_gradient_bound(plan);
    if (share_ == 0) return plan;
    plan.parameters["whiten"] = share_;
    plan.parameters["gramSigma"] = gram_width(dimension);
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
    if (request_.has("noiseRatio"))
      return with_least_lambda(gaussian_sigma(request_.number("noiseRatio", 1.001, 1e6)), dimension, target);
    const auto balanced = [&](double sigma) {
      return Noise{sigma, std::max(sigma / model_.coefficient_scale, least_lambda(sigma, dimension))};
    };
    const auto cost = [&](double sigma) { return cost_of(balanced(sigma), dimension, target.epsilon); };
    const double start = is_composed() ? gaussian_sigma(1) : 1;
    return balanced(least_private(cost, {"noise", 1e-12, 1e12, false, true}, start, target.delta,
                                  request_.aim(), is_composed() ? composed_bits : 52)
                        .value);
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
    return {
        sigma,
        least_private(cost, {"lambda", least, 1e12, false, true}, least, target.delta, request_.aim()).value};
  }

  double cost_of(const Noise& noise, double dimension, double epsilon) const {
    return delta(*privacy_loss(described(noise, dimension)), epsilon).upper;
  }

  // So many times that of the Gaussian mechanism that keeps the budget with as many releases.
  double gaussian_sigma(double ratio) const {
    return ratio * std::sqrt(static_cast<double>(predictors_)) * model_.lipschitz / request_.budget_mu();
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

  // One, or one for each class.
  std::size_t predictors_;
  // Of one predictor.
  Request request_;
  // Of the rows as they are.
  PublicModel table_;
  double share_;
  // Whose minimum is released: of whitened rows where there is a share for the matrix.
  PublicModel model_;
  // Where the dimension is.
  std::optional<Plan> known_;
};

}  // namespace

std::unique_ptr<const Algorithm> approximate_minima_perturbation(const FitRequest& request) {
  return std::make_unique<ApproximateMinimaPerturbation>(request);
}

}  // namespace epsilometer::algorithms
