#include "core/release/without_privacy.h"

#include <algorithm>

#include "core/base/refusal.h"
#include "core/model/minimise.h"
#include "core/model/softmax.h"
#include "core/model/softmax_objective.h"
#include "core/numerics/constants.h"
#include "core/release/request.h"

namespace epsilometer {
namespace {

constexpr double regularisation = 1e-4;

// Of the largest sum that gradients can have: far above the rounding, far below what anybody reads.
constexpr double stopping_share = 1e-12;

Request read(const FitRequest& request) {
  return {
      request, {"dimension", "featureBound", "intercept", "labelBound", "threshold", "classes"}, {"loss"}};
}

RecordBounds bounds_of(const Request& request) {
  return {request.number("featureBound", 1e-9, 1e9), request.number("intercept", 0, 1e9, 0), infinite};
}

class Minimisation final : public Algorithm {
 public:
  explicit Minimisation(const FitRequest& request) : Minimisation(read(request)) {}
  explicit Minimisation(const Request& request)
      : bounds_(bounds_of(request)),
        label_(request.number("labelBound", 1e-9, 1e9, 1)),
        loss_name_(request.choice("loss", {"squared", "logistic", "huber", "poisson", "softmax"})),
        classes_(loss_name_ == "softmax" ? static_cast<std::size_t>(request.whole("classes", 3, most_classes))
                                         : 1),
        loss_(classes_ > 1 ? class_places(classes_)
                           : make_loss(loss_name_, {label_, request.number("threshold", 1e-9, 1e9, 1)})) {}

  Plan plan() const override { return {}; }

  Release fit(Pieces table, Generator&, const Progress& progress) const override {
    const BoundedRecords records(table, *loss_, bounds_);
    const std::vector<double> none(records.dimension());
    const double lambda = regularisation * bounds_.features * bounds_.features,
                 gradients =
                     static_cast<double>(records.count() + 1) * bounds_.norm() * std::max(1.0, label_);
    Release release;
    if (classes_ > 1)
      release.add(class_coefficients_output(minimised_in_doubles(SoftmaxObjective(records, classes_, lambda),
                                                                 stopping_share * gradients, progress),
                                            classes_));
    else
      release.add(coefficients_output(
          minimised({records, lambda, none}, infinite, stopping_share * gradients, progress).theta));
    return release;
  }

 private:
  RecordBounds bounds_;
  double label_;
  std::string loss_name_;
  // One, or one predictor for each.
  std::size_t classes_;
  std::unique_ptr<const Loss> loss_;
};

}  // namespace

std::unique_ptr<const Algorithm> without_privacy(const FitRequest& request) {
  return std::make_unique<Minimisation>(request);
}

}  // namespace epsilometer
