#include "core/report/published/privacy_report_price.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/refusal.h"
#include "core/release/model_request.h"

namespace epsilometer {
namespace {

Description nothing() { return {"pure", {{"epsilon", 0}}, {}, {}, {}}; }

double norm_of(std::span<const double> x) {
  if (std::all_of(x.begin(), x.end(), [](double value) { return value == 0; })) return 0;
  const double norm = square_root(dot(x, x)).upper();
  return std::isnan(norm) ? HUGE_VAL : norm;
}

// Of a bound: 1 at most, and 0 for nothing. Truncation to a grid of 2^20 steps adds less than 2^-18.
double share_of(double size, double bound) {
  if (size == 0) return 0;
  return std::clamp(rounded_up(size / bound * (1 + 0x1p-18)), 1e-30, 1.0);
}

// A record's largest gradient and curvature, wherever the coefficients are.
struct Largest {
  double gradient, curvature, all_gradients;
};

Largest largest(const FitRequest& request, std::span<const double> features, double label) {
  const PublicModel model = public_model(request);
  const Records one{1, features.size(), features, std::span(&label, 1)};
  const BoundedRecords bounded(one, *model.loss, model.bounds);
  std::vector<double> x(features.size());
  const BoundedRecords::Record record = bounded.read(0, x);
  if (record.norm == 0) return {0, 0, model.lipschitz};
  const std::string name = request.texts.contains("loss") ? request.texts.at("loss") : "logistic";
  const double threshold = name == "huber" ? request.numbers.at("threshold") : HUGE_VAL;
  const auto own = make_loss(name, {std::abs(record.label), threshold});
  const double gradient = std::min(rounded_up(own->steepness() * record.norm), model.lipschitz);
  const double curvature =
      rounded_up(own->curvature(rounded_up(gradient / record.norm)) * record.norm * record.norm);
  return {gradient, std::min(curvature, model.smoothness), model.lipschitz};
}

// The minimum's own loss is that of objective perturbation with her bounds (its proof looks at one record at
// a time); what the solver leaves may depend on the table in any way.
Description approximate_minima(const Plan& plan, const Largest& own) {
  Description description = plan.description;
  auto& numbers = description.numbers;
  if (own.gradient == 0)
    return {"gaussian",
            {{"sigma", numbers.at("outputSigma")},
             {"sensitivity", rounded_up(2 * numbers.at("gradientTolerance") / numbers.at("lambda"))}},
            {},
            {},
            {}};
  numbers["lipschitz"] = std::clamp(own.gradient, 1e-100, numbers["lipschitz"]);
  numbers["smoothness"] = std::clamp(own.curvature, 1e-100, numbers["smoothness"]);
  return description;
}

// Gaussian noise on a minimum that she moves by less: what of the sensitivity is for rounding stays.
Description less_moved(const Description& whole, double less) {
  Description description = whole;
  double& sensitivity = description.numbers.at("sensitivity");
  const double left = sensitivity * (1 + 0x1p-48) - rounded_down(less);
  sensitivity = std::clamp(left, sensitivity * 1e-30, sensitivity);
  return description;
}

Description with_smaller_sensitivity(Description description, double share) {
  if (description.kind == "gaussian") {
    if (share == 0) return nothing();
    double& sensitivity = description.numbers["sensitivity"];
    sensitivity = std::min(sensitivity, rounded_up(sensitivity * share));
  }
  for (Part& part : description.parts) part.mechanism = with_smaller_sensitivity(part.mechanism, share);
  return description;
}

struct Shares {
  double features, label;
};

Shares shares(const FitRequest& request, std::span<const double> features, double label) {
  double size = norm_of(features);
  if (request.texts.contains("norm") && request.texts.at("norm") == "l1") {
    size = 0;
    for (const double value : features) size += std::abs(value);
    size *= 1 + 2 * static_cast<double>(features.size()) * unit_roundoff;
  }
  // A record that is not finite counts as nothing: no more than any other.
  const double y = std::isnan(label) ? HUGE_VAL : std::abs(label);
  return {share_of(std::isnan(size) ? HUGE_VAL : size, request.numbers.at("featureBound")),
          share_of(y, request.numbers.at("labelBound"))};
}

// Sums that are rounded to a coarser grid may move by as many steps more as they have entries: 2^-33 of the
// noise each.
Description part_of_sum(const Description& whole, double share, double entries) {
  if (share == 0 || whole.kind != "gaussian") return share == 0 ? nothing() : whole;
  Description description = whole;
  double& sensitivity = description.numbers.at("sensitivity");
  const double own = sensitivity * share + entries * 0x1p-33 * description.numbers.at("sigma");
  sensitivity = std::min(sensitivity, rounded_up(own));
  return description;
}

Description ada_ssp(const Plan& plan, const Shares& own, double dimension) {
  Description description = plan.description;
  const std::array shares{own.features * own.features, own.features * own.label};
  for (std::size_t i = 0; i < shares.size(); ++i)
    description.parts.at(i).mechanism = part_of_sum(description.parts.at(i).mechanism, shares[i], dimension);
  return description;
}

Description covariance_laplace(const Plan& plan, const Shares& own, double dimension) {
  Description description = plan.description;
  double& epsilon = description.numbers.at("epsilon");
  const double share = own.features * std::max(own.features, own.label);
  if (share == 0) return nothing();
  epsilon = std::min(epsilon, rounded_up(epsilon * share + dimension * (dimension + 1) * 0x1p-32));
  return description;
}

// t <= |z|^2 / (|z|^2 + variance) with z = (x, y), and gamma = 1 / t; the variance is (gamma - 1) C^2.
Description mixing(const Plan& plan, double share_of_square) {
  Description description = plan.description;
  const auto shrink = [&](Description& part) {
    if (part.kind != "gaussian-mixing") return;
    if (share_of_square == 0)
      part = nothing();
    else
      part.numbers["gamma"] = std::min(1e12, rounded_down(1 + (part.numbers["gamma"] - 1) / share_of_square));
  };
  shrink(description);
  for (Part& part : description.parts) shrink(part.mechanism);
  return description;
}

// Leverage and residual shrink with her record: |y| + |x| |theta| <= max of both shares of what it may be.
Description posterior_sampling(const Plan& plan, const Shares& own) {
  Description description = plan.description;
  Description& sample = description.parts.at(0).mechanism;
  const double share = std::max(own.features, own.label);
  if (own.features == 0) {
    sample = nothing();
    return description;
  }
  const double most = sample.numbers.at("leverage"),
               leverage = rounded_up(most * own.features * own.features);
  const double residual = sample.numbers.at("residual") * share * std::sqrt((1 + leverage) / (1 + most));
  sample.numbers["leverage"] = std::min(most, leverage);
  sample.numbers["residual"] = std::min(sample.numbers["residual"], rounded_up(residual));
  return description;
}

// |H^{-1} x| / (1 + x^T H^{-1} x) <= c / (lambda + c^2) where c = |x| <= sqrt(lambda), else 1 / (2
// sqrt(lambda)).
Description output_ridge(const FitRequest& request, const Plan& plan, const Shares& own) {
  const double lambda = plan.parameters.at("lambda"), whole = plan.parameters.at("sensitivity");
  const auto moved = [lambda](double c) {
    return lambda >= c * c ? c / (lambda + c * c) : 0.5 / std::sqrt(lambda);
  };
  const double bound = request.numbers.at("featureBound");
  const double share =
      rounded_up(moved(bound * own.features) / moved(bound) * std::max(own.features, own.label));
  Description description = plan.description;
  Description& output = description.parts.at(0).mechanism;
  output = less_moved(output, whole * std::max(0.0, 1 - share));
  return description;
}

double square_share(const FitRequest& request, const Shares& own) {
  const double x = request.numbers.at("featureBound"), y = request.numbers.at("labelBound");
  const double all = x * x + y * y,
               mine = x * own.features * x * own.features + y * own.label * y * own.label;
  return std::min(1.0, rounded_up(mine / all));
}

}  // namespace

Description own_price(const FitRequest& request, const Plan& plan, std::span<const double> features,
                      double label) {
  const std::string& name = request.algorithm;
  if (name == "approximate-minima-perturbation")
    return approximate_minima(plan, largest(request, features, label));
  if (name == "output-perturbation") {
    const Largest own = largest(request, features, label);
    return less_moved(plan.description, (own.all_gradients - own.gradient) / plan.parameters.at("lambda"));
  }
  if (name == "dp-sgd") {
    const Largest own = largest(request, features, label);
    return with_smaller_sensitivity(plan.description, share_of(own.gradient, own.all_gradients));
  }
  if (name == "adaptive-posterior-sampling")
    throw Refusal(
        "unsupported", "algorithm", name,
        "has no price for one person: its sample's spread follows from what it released on the way, "
        "and is priced for everybody together");
  if (name.ends_with("noise-reduction"))
    throw Refusal("unsupported", "algorithm", name,
                  "has no price for one person: its tests are priced for everybody together");
  const Shares own = shares(request, features, label);
  const auto dimension = static_cast<double>(features.size());
  if (name == "ada-ssp") return ada_ssp(plan, own, dimension);
  if (name == "covariance-laplace") return covariance_laplace(plan, own, dimension);
  if (name == "posterior-sampling") return posterior_sampling(plan, own);
  if (name == "output-perturbation-ridge") return output_ridge(request, plan, own);
  if (name.ends_with("mixing") || name == "johnson-lindenstrauss")
    return mixing(plan, square_share(request, own));
  throw Refusal("unknown", "algorithm", name, "has no price for one person");
}

std::optional<double> own_realised_bound(const FitRequest& request, const Description& own_price,
                                         double failure) {
  // The steps cost what their laws cost, but only the last one is published.
  if (request.algorithm == "dp-sgd") return std::nullopt;
  const auto mu = privacy_loss(own_price)->gaussian();
  if (!mu) return std::nullopt;
  return rounded_up(*mu * (*mu / 2 + upper_quantile(failure / 2) * discreteness));
}

}  // namespace epsilometer
