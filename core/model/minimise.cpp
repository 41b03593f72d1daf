#include "core/model/minimise.h"

#include <cmath>
#include <optional>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"
#include "core/numerics/double_double.h"

namespace epsilometer {
namespace {

// A few matrices of this dimension, 128 MiB each, fit into the memory of a tab.
constexpr double most_coefficients = 4096;

constexpr int most_steps = 100, most_halvings = 50, most_corrections = 40;

[[noreturn]] void give_up(double tolerance) {
  throw Refusal("unreachable", "solver", shown(tolerance),
                "the gradient could not be brought to it; no model is released, and the budget is spent");
}

class Search {
 public:
  Search(const Objective& objective, const Progress& progress) : objective_(objective), progress_(progress) {
    theta_ = tail_ = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(objective.dimension()));
    here_ = look(theta_);
  }

  // Until the value says no more: then its rounding hides what a step gains.
  void descend() {
    for (int i = 0; i < most_steps; ++i) {
      if (!factorise(here_.hessian)) return;
      const Eigen::VectorXd step = -solved(here_.gradient);
      const double gain = -here_.gradient.dot(step);
      if (!(gain > 1e-13 * (1 + std::abs(here_.value))) || !moved(step, gain)) return;
    }
  }

  // The last digits, by gradients that are certified; the Hessian is renewed when it proves too old.
  Minimum corrected(double tolerance) {
    double before = HUGE_VAL;
    for (int i = 0; i < most_corrections; ++i) {
      const CertifiedGradient at = objective_.gradient(theta_, step_progress(), tail_);
      const double size = at.value.norm();
      // The tail is not part of the answer.
      const double certified = rounded_up(size + at.error + objective_.lambda() * tail_.norm(), 1e-12);
      if (certified <= tolerance) return {{theta_.begin(), theta_.end()}, certified};
      if (!std::isfinite(certified)) break;
      if ((size > before / 4 || !factor_) && !factorise(look(theta_).hessian)) break;
      before = size;
      correct(solved(at.value));
    }
    give_up(tolerance);
  }

 private:
  // In two doubles for each coordinate: a large coefficient in one would leave a gradient that no other
  // cancels.
  void correct(const Eigen::VectorXd& step) {
    for (Eigen::Index j = 0; j < theta_.size(); ++j) {
      const DoubleDouble moved = two_sum(theta_[j], -step[j]), sum = two_sum(moved.hi, moved.lo + tail_[j]);
      theta_[j] = sum.hi;
      tail_[j] = sum.lo;
    }
  }

  bool moved(const Eigen::VectorXd& step, double gain) {
    double length = 1;
    for (int i = 0; i < most_halvings; ++i, length /= 2) {
      Eigen::VectorXd there = theta_ + length * step;
      Objective::Local local = look(there);
      if (!(local.value <= here_.value - 1e-4 * length * gain)) continue;
      theta_ = std::move(there);
      here_ = std::move(local);
      return true;
    }
    return false;
  }

  bool factorise(const Eigen::MatrixXd& hessian) {
    std::vector<double> triangle;
    for (Eigen::Index row = 0; row < hessian.rows(); ++row)
      for (Eigen::Index column = 0; column <= row; ++column) triangle.push_back(hessian(row, column));
    factor_ = Cholesky::of(triangle, objective_.dimension());
    return factor_.has_value();
  }

  Eigen::VectorXd solved(const Eigen::VectorXd& right) const {
    const std::vector<double> x = factor_->solve({right.data(), objective_.dimension()});
    return Eigen::Map<const Eigen::VectorXd>(x.data(), right.size());
  }

  Objective::Local look(const Eigen::VectorXd& theta) { return objective_.local(theta, step_progress()); }

  // Nobody knows how many passes over the table it takes: each leaves a tenth less to do.
  Progress step_progress() {
    const double left = left_;
    left_ *= 0.9;
    return [this, left](double share) { return !progress_ || progress_(1 - left * (1 - 0.1 * share)); };
  }

  const Objective& objective_;
  const Progress& progress_;
  double left_ = 1;
  Eigen::VectorXd theta_, tail_;
  Objective::Local here_;
  std::optional<Cholesky> factor_;
};

}  // namespace

Minimum minimised(const Objective& objective, double tolerance, const Progress& progress) {
  in_range("dimension", static_cast<double>(objective.dimension()), 1, most_coefficients);
  Search search(objective, progress);
  search.descend();
  return search.corrected(tolerance);
}

}  // namespace epsilometer
