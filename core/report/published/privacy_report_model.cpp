// Which released models a report on their realised losses is valid for.
#include "core/base/refusal.h"
#include "core/release/model_request.h"
#include "core/release/noisy_gram.h"
#include "core/release/tuning.h"
#include "core/report/published/privacy_report_price.h"

namespace epsilometer {
namespace {

ReportedModel minimum_of(const PublicModel& model, const Description& minimum, const Plan& plan) {
  const auto& numbers = minimum.numbers;
  return {model.name,
          model.numbers,
          model.bounds,
          numbers.at("lipschitz"),
          numbers.at("smoothness"),
          plan.parameters.at("sigma"),
          plan.parameters.at("lambda"),
          rounded_up(numbers.at("gradientTolerance") / numbers.at("lambda")),
          plan.parameters.at("outputSigma")};
}

}  // namespace

ReportedModel reported_model(const FitRequest& request, const Plan& plan) {
  must_not_be_tuned(request);
  const std::string& name = request.algorithm;
  if (name == "dp-sgd")
    throw Refusal("unsupported", "algorithm", name,
                  "publishes its last step only: what the steps before it told stays hidden");
  if (name != "approximate-minima-perturbation")
    throw Refusal("unsupported", "algorithm", name,
                  "is no minimum of a random objective: ask for one's own price instead");
  if (plan.result.kind != OutputKind::coefficients)
    throw Refusal("unsupported", "classes", shown(static_cast<double>(plan.result.shape.back())),
                  "are fitted one against the rest, each by a minimum of its own: a report is about one");
  if (!plan.parameters.contains("whiten")) return minimum_of(public_model(request), plan.description, plan);
  const RecordBounds table = public_model(request).bounds;
  ReportedModel model = minimum_of(public_model(whitened_request(request, table)),
                                   plan.description.parts.at(1).mechanism, plan);
  model.whitened = true;
  return model;
}

std::optional<ReportedModel> reported_minimum(const PlannedRequest& run) {
  if (run.request.algorithm != "approximate-minima-perturbation" ||
      run.plan.result.kind != OutputKind::coefficients)
    return std::nullopt;
  return reported_model(run.request, run.plan);
}

}  // namespace epsilometer
