// The sum of the records' losses of multinomial logistic regression (softmax.h) + lambda |theta|^2 / 2, with
// every record bounded by itself.
#pragma once

#include "core/model/objective.h"

namespace epsilometer {

/// Coefficients: for each feature one for each class. A record of no class that there is adds nothing.
class SoftmaxObjective final : public Convex {
 public:
  /// `records`, with the labels of class_places(), must outlive it.
  SoftmaxObjective(const BoundedRecords& records, std::size_t classes, double lambda)
      : records_(records), classes_(classes), lambda_(lambda) {}

  std::size_t dimension() const override { return records_.dimension() * classes_; }
  Local local(const Eigen::VectorXd& theta, const Progress& progress, Order order) const override;
  std::vector<double> slopes(const Eigen::VectorXd& theta, const Eigen::VectorXd& step,
                             std::span<const double> lengths, const Progress& progress) const override;

 private:
  const BoundedRecords& records_;
  std::size_t classes_;
  double lambda_;
};

}  // namespace epsilometer
