#include "core/release/score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/model/softmax.h"

namespace epsilometer {
namespace {

double squared_range(double label_bound, bool is_count) {
  const double range = is_count ? label_bound : 2 * label_bound;
  return rounded_up(range * range);
}

}  // namespace

Score::Score(Kind kind, double label_bound, bool is_count, std::size_t predictors)
    : kind_(kind),
      is_count_(is_count),
      predictors_(predictors),
      label_bound_(label_bound),
      bound_(kind == Kind::misclassified ? 1 : squared_range(label_bound, is_count)) {}

double Score::missed_class(std::span<const double> features, double label,
                           std::span<const double> coefficients) const {
  std::vector<double> u(predictors_);
  for (std::size_t j = 0; j < features.size(); ++j)
    for (std::size_t k = 0; k < predictors_; ++k) u[k] += features[j] * coefficients[j * predictors_ + k];
  if (!is_class(label, predictors_)) return 1;
  const double own = u[static_cast<std::size_t>(label)];
  const auto unbeaten = std::count_if(u.begin(), u.end(), [own](double one) { return !(one < own); });
  return unbeaten == 1 ? 0 : 1;
}

double Score::of(std::span<const double> features, double label, std::span<const double> coefficients) const {
  if (predictors_ > 1) return missed_class(features, label, coefficients);
  double u = 0;
  for (std::size_t j = 0; j < features.size(); ++j) u += features[j] * coefficients[j];
  if (kind_ == Kind::misclassified) return (label > 0 ? u > 0 : u < 0) ? 0 : 1;
  const double least = is_count_ ? 0 : -label_bound_;
  const double missed =
      std::clamp(is_count_ ? std::exp(u) : u, least, label_bound_) - std::clamp(label, least, label_bound_);
  // What is no number is as bad as can be, or coefficients without bounds would win.
  return std::isnan(missed) ? bound_ : missed * missed;
}

Truncation Score::truncation(const Noise& noise) const {
  return {bound_, Norm::l1, std::visit([](const auto& one) { return one.exponent; }, noise)};
}

Description Score::guarantee(const Noise& noise) const {
  const std::int64_t radius = truncation(noise).radius();
  if (const auto* laplace = std::get_if<LaplaceNoise>(&noise)) return laplace->guarantee(radius, 1);
  return std::get<GaussianNoise>(noise).guarantee(static_cast<double>(radius), 1);
}

double Score::released(Pieces table, std::span<const double> coefficients, const Noise& noise,
                       Generator& generator) const {
  const Truncation truncation = this->truncation(noise);
  IntegerSum sum(1);
  std::array<std::int64_t, 1> steps{};
  for (const Records& piece : table) {
    if (coefficients.size() != piece.dimension * predictors_)
      throw Refusal("range", "coefficients", shown(static_cast<double>(coefficients.size())),
                    "must be one for each feature and predictor");
    for (std::size_t i = 0; i < piece.count; ++i) {
      const std::array contribution{of(piece.row(i), piece.labels[i], coefficients)};
      truncation.apply(contribution, steps);
      sum.add(steps);
    }
  }
  return std::visit([&](const auto& one) { return epsilometer::released(generator, sum, one)[0]; }, noise);
}

}  // namespace epsilometer
