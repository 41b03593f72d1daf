#include "core/release/model_request.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/release/predictors.h"

namespace epsilometer {
namespace {

// What certificates of gradients reach for any table of up to 2^27 rows or so, and more: 2^43 roundings of
// two doubles.
constexpr double tolerance = 0x1p-50;

// Least share of a record's curvature that lambda is: with 2^29 rows of the worst kind the condition number
// is 2^45, which doubles can work with.
constexpr double least_share = 0x1p-16;

}  // namespace

Request model_request(const FitRequest& request, std::initializer_list<const char*> numbers,
                      std::initializer_list<const char*> texts) {
  std::vector<const char*> all_numbers{"featureBound",  "intercept", "labelBound", "threshold",
                                       "gradientBound", "rows",      "dimension"};
  std::vector<const char*> all_texts{"loss"};
  all_numbers.insert(all_numbers.end(), numbers);
  all_texts.insert(all_texts.end(), texts);
  return Request(request, all_numbers, all_texts);
}

PublicModel::PublicModel(const Request& request) {
  name = request.choice("loss", {"logistic", "squared", "huber", "poisson"});
  const double labels = name == "logistic" ? 1 : request.number("labelBound", 1e-9, 1e9);
  numbers = {labels, name == "huber" ? request.number("threshold", 1e-9, 1e9) : infinite};
  loss = make_loss(name, numbers);
  bounds.features = request.number("featureBound", 1e-9, 1e9);
  bounds.intercept = request.number("intercept", 0, 1e9, 0);
  const double norm = bounds.norm(), range = name == "poisson" ? labels : 2 * labels;
  bounds.gradient =
      request.number("gradientBound", 1e-9, 1e9, std::isinf(loss->steepness()) ? norm * range / 4 : infinite);
  if (request.has("rows")) rows = request.whole("rows", 1, 0x1p32);
  if (request.has("dimension")) dimension = request.whole("dimension", 1, 0x1p20);
  // Log odds of 1 are hardly a prediction; a count is e to its prediction, and those of none or one have to
  // be told apart all the same; other labels are 1 at most where the table's range is.
  const double scale = name == "logistic" ? 3 : name == "poisson" ? std::log(std::max(labels, 2.0)) : 1;
  coefficient_scale = request.number("predictorScale", 1e-6, 1e6, scale) / norm;
  lipschitz = std::min(rounded_up(loss->steepness() * norm), bounds.gradient);
  // A record of a smaller norm r may have derivatives up to lipschitz / r, and a curvature up to
  // curvature(lipschitz / r) r^2, which grows with r.
  smoothness = rounded_up(loss->curvature(rounded_up(lipschitz / norm)) * norm * norm);
  least_lambda = least_share * smoothness;
  // Derivatives are differences of a prediction and a label, and may cancel.
  magnitude = name == "logistic" ? lipschitz : lipschitz + labels * norm;
}

double PublicModel::dimension_for(const Records* records) const {
  if (!records) {
    if (dimension) return *dimension;
    throw Refusal("missing", "dimension", "nothing", "must be given: how many coefficients the model has");
  }
  const auto found = static_cast<double>(records->dimension);
  if (dimension && *dimension != found)
    throw Refusal("range", "dimension", shown(*dimension), "must be that of the table, " + shown(found));
  return found;
}

double PublicModel::gradient_tolerance(double dimension, double linear) const {
  // No deviate vector of so many entries is longer, but for 2^-280 of all.
  return tolerance * (std::max(lipschitz, 0x1p-16 * magnitude) + linear * (std::sqrt(dimension) + 21));
}

void PublicModel::tell_gradient_bound(Plan& plan) const {
  if (std::isfinite(bounds.gradient)) plan.parameters["gradientBound"] = bounds.gradient;
}

PublicModel public_model(const FitRequest& request, const char* otherwise) {
  FitRequest model{request.algorithm, {}, {}};
  for (const char* name : {"featureBound", "intercept", "labelBound", "threshold", "gradientBound", "rows",
                           "dimension", "predictorScale"})
    if (const auto found = request.numbers.find(name); found != request.numbers.end())
      model.numbers.insert(*found);
  const auto loss = request.texts.find("loss");
  model.texts["loss"] = loss == request.texts.end() ? otherwise : loss->second;
  return PublicModel(model_request(one_against_rest(std::move(model)), {"predictorScale"}, {}));
}

}  // namespace epsilometer
