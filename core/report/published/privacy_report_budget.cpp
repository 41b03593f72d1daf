#include "core/report/published/privacy_report_budget.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/release/model_request.h"
#include "core/release/tuning.h"
#include "core/report/published/privacy_report_price.h"

namespace epsilometer {
namespace {

// So near is the noise to the least that keeps the budget: 2^-12 of it.
constexpr int noise_bits = 12;

Request read(const FitRequest& request) {
  must_not_be_tuned(request);
  if (request.algorithm != "approximate-minima-perturbation")
    throw Refusal("unsupported", "algorithm", request.algorithm,
                  "has no report that could be paid for: it must be approximate-minima-perturbation");
  if (request.numbers.contains("unitRows") && request.numbers.at("unitRows") != 1)
    throw Refusal("unsupported", "unitRows", shown(request.numbers.at("unitRows")),
                  "must be 1: a report is about one record");
  if (const auto found = request.numbers.find("whiten"); found != request.numbers.end() && found->second != 0)
    throw Refusal("range", "whiten", shown(found->second), "must be 0 where a report is paid for");
  return model_request(request, {"predictorScale", "whiten"}, {});
}

// Of what the material is given: with less of it the noise would be wider than MaterialRelease takes.
constexpr double least_mu = 0x1p-44;

// The gradient's mu is the report's; the curvature's are 1 / sqrt(2) of it together, which costs no more.
MaterialNoise material_noise(const PublicModel& model, double mu, bool eigenvalue) {
  if (mu == 0) return {};
  const double share = eigenvalue ? std::sqrt(2.0) : 1;
  MaterialNoise noise{model.lipschitz / mu, share * model.smoothness / mu, {}};
  if (eigenvalue) noise.eigenvalue = 2 * model.smoothness / mu;
  return noise;
}

FitRequest with_noise(const FitRequest& request, double sigma, double lambda) {
  FitRequest chosen = request;
  for (const char* name : {"epsilon", "delta"}) chosen.numbers.erase(name);
  chosen.numbers["sigma"] = sigma;
  chosen.numbers["lambda"] = lambda;
  return chosen;
}

Description together(const Plan& plan, const std::optional<Description>& material) {
  if (!material) return plan.description;
  return {"composition", {}, {}, {}, {{plan.description, 1}, {*material, 1}}};
}

// x along the first axis, and coefficients that give her that probability.
void expect(ReportSplit& split, const ReportedModel& model, const std::optional<MaterialRelease>& release,
            std::size_t dimension, const TypicalPerson& person, const ReportPromise& promise) {
  const double wrong = in_range("wrong", person.wrong, 1e-9, 1 - 1e-9), norm = model.bounds.norm();
  const double rows = in_range("rows", person.rows, 0, 0x1p32);
  std::vector<double> x(dimension), coefficients(dimension);
  x[0] = model.bounds.intercept > 0 && dimension > 1 ? model.bounds.features : norm;
  coefficients[0] = (std::log1p(-wrong) - std::log(wrong)) / x[0];
  const auto told = [&](ReportMaterial material) {
    return evaluated(privacy_report(model, coefficients, std::move(material), promise), x, 1,
                     Direction::remove);
  };
  split.without = split.with = told({});
  if (!release) return;
  const double curvature = rows * wrong * (1 - wrong) * norm * norm / static_cast<double>(dimension);
  std::vector<double> hessian(triangle(dimension)), gradient(dimension);
  for (std::size_t row = 0; row < dimension; ++row) hessian[row * (row + 3) / 2] = curvature;
  // At the minimum the losses' gradient is that of the regularisation, but for the noise.
  for (std::size_t i = 0; i < dimension; ++i) gradient[i] = -model.lambda * coefficients[i];
  const std::optional<double> least =
      split.noise.eigenvalue ? std::optional<double>(curvature) : std::nullopt;
  split.with = told(release->told(gradient, hessian, least, std::abs(coefficients[0])));
}

}  // namespace

ReportSplit report_split(const FitRequest& request, double share, bool eigenvalue,
                         const TypicalPerson& person, const ReportPromise& promise) {
  in_range("share", share, 0, 0.99);
  const Request asked = read(request);
  const PublicModel model(asked);
  const Target budget = asked.budget();
  const double whole = asked.budget_mu(), mu = std::sqrt(share) * whole;
  if (share > 0 && !(mu >= least_mu))
    throw Refusal("range", "share", shown(share),
                  "must be 0, or at least " + shown(rounded_up(least_mu / whole * (least_mu / whole))) +
                      " at this budget");
  const auto dimension = static_cast<std::size_t>(model.dimension_for(nullptr));
  ReportSplit split{share, {}, {}, material_noise(model, mu, eigenvalue), {}, {}, {}, {}};
  // The price of the material needs the model's bounds only, not its noise.
  const auto planned = [&](double sigma) {
    split.request = with_noise(request, sigma, sigma / model.coefficient_scale);
    split.plan = plan(split.request);
  };
  const double start = model.lipschitz / (std::sqrt(1 - share) * whole);
  planned(start);
  std::optional<MaterialRelease> release;
  if (share > 0) release.emplace(reported_model(split.request, split.plan), dimension, split.noise);
  const auto material = release ? std::optional(release->price()) : std::nullopt;
  const auto cost = [&](double sigma) {
    planned(sigma);
    return delta(*privacy_loss(together(split.plan, material)), budget.epsilon).upper / budget.delta;
  };
  planned(least_private(cost, {"noise", 1e-12, 1e12, false, true}, start, 1, asked.aim(), noise_bits).value);
  split.price = together(split.plan, material);
  split.epsilon = price(split.price, {budget.epsilon, budget.delta, 1}).epsilon;
  expect(split, reported_model(split.request, split.plan), release, dimension, person, promise);
  return split;
}

std::vector<ReportSplit> report_curve(const FitRequest& request, std::span<const double> shares,
                                      bool eigenvalue, const TypicalPerson& person,
                                      const ReportPromise& promise) {
  std::vector<ReportSplit> curve;
  for (const double share : shares)
    curve.push_back(report_split(request, share, eigenvalue, person, promise));
  return curve;
}

}  // namespace epsilometer
