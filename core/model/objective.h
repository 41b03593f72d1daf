// What the minimiser sees: the sum of the records' losses + lambda |theta|^2 / 2 + linear.theta, with every
// record bounded by itself and its gradient clipped.
#pragma once

#include <eigen3/Eigen/Core>
#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/model/bounded_records.h"

namespace epsilometer {

/// Certified: the norm of value - (the gradient of the real-number objective) is at most `error`.
struct CertifiedGradient {
  Eigen::VectorXd value;
  double error;
};

class Objective {
 public:
  /// `records` must outlive it.
  Objective(const BoundedRecords& records, double lambda, std::span<const double> linear);

  std::size_t dimension() const { return records_.dimension(); }
  double lambda() const { return lambda_; }

  /// Of about double precision, to search with. Memory: O(dimension^2).
  struct Local {
    double value;
    Eigen::VectorXd gradient;
    /// Its lower triangle.
    Eigen::MatrixXd hessian;
  };
  Local local(const Eigen::VectorXd& theta, const Progress& progress) const;

  /// At theta + tail, where tail is what rounding took from theta, or nothing.
  CertifiedGradient gradient(const Eigen::VectorXd& theta, const Progress& progress,
                             const Eigen::VectorXd& tail = {}) const;

 private:
  const BoundedRecords& records_;
  double lambda_;
  Eigen::VectorXd linear_;
};

}  // namespace epsilometer
