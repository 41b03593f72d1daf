// What the minimiser sees: the sum of the records' losses + lambda |theta|^2 / 2 + linear.theta, with every
// record bounded by itself and its gradient clipped. Of several classes: core/model/softmax_objective.h.
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

/// Of Objective::curvature() as a share of its trace, for losses whose third derivative is no larger than the
/// second, and records and coefficients whose norms have a product of at most 2^40.
inline constexpr double curvature_error = 64 * 0x1p-53;

/// A strongly convex function of so many coefficients, in doubles, as Newton's method sees it.
class Convex {
 public:
  virtual ~Convex() = default;

  virtual std::size_t dimension() const = 0;

  /// Of about double precision, to search with. Memory: O(dimension^2).
  struct Local {
    Eigen::VectorXd gradient;
    /// Its lower triangle; nothing where only the gradient was asked for.
    Eigen::MatrixXd hessian;
    /// A gradient of this size may be nothing but rounding.
    double rounding;
  };
  enum class Order { first, second };
  virtual Local local(const Eigen::VectorXd& theta, const Progress& progress, Order order) const = 0;

  /// The slopes at theta + length * step along the step, one for each length.
  virtual std::vector<double> slopes(const Eigen::VectorXd& theta, const Eigen::VectorXd& step,
                                     std::span<const double> lengths, const Progress& progress) const = 0;
};

class Objective final : public Convex {
 public:
  /// `records` must outlive it.
  Objective(const BoundedRecords& records, double lambda, std::span<const double> linear);

  std::size_t dimension() const override { return records_.dimension(); }
  std::size_t count() const { return records_.count(); }
  double lambda() const { return lambda_; }
  const Eigen::VectorXd& linear() const { return linear_; }

  Local local(const Eigen::VectorXd& theta, const Progress& progress, Order order) const override;

  std::vector<double> slopes(const Eigen::VectorXd& theta, const Eigen::VectorXd& step,
                             std::span<const double> lengths, const Progress& progress) const override;

  /// In two doubles throughout, at theta + tail, where tail is what rounding took from theta, or nothing. The
  /// error is about (2^-95 + n 2^-111) of the sum of the sizes of the records' gradients.
  CertifiedGradient gradient(const Eigen::VectorXd& theta, const Progress& progress,
                             const Eigen::VectorXd& tail = {}) const;

  /// The sum of the records' second derivatives times x x^T, as a lower triangle by rows, without lambda. It
  /// is no further from that of real numbers, in the Frobenius norm, than curvature_error of its trace.
  std::vector<double> curvature(const Eigen::VectorXd& theta, const Progress& progress,
                                const Eigen::VectorXd& tail) const;

 private:
  const BoundedRecords& records_;
  double lambda_;
  Eigen::VectorXd linear_;
};

}  // namespace epsilometer
