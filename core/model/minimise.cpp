#include "core/model/minimise.h"

#include <array>
#include <cmath>
#include <optional>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/double_double.h"

namespace epsilometer {
namespace {

// A few matrices of this dimension, 128 MiB each, fit into the memory of a tab.
constexpr double most_coefficients = 4096;

// A matrix that brings the gradient down by as much is good for the next step too. Heuristic: of fewer, the
// steps that are certified become more, and of more, the matrices do.
constexpr double much_nearer = 128;

// One pass over the table halves four times.
constexpr int most_steps = 100, most_halvings = 60, halvings_in_a_pass = 4;
// From about where the minimum is a few steps are enough, or it is not there.
constexpr int most_near_steps = 12;

[[noreturn]] void refuse_minimum() {
  throw Refusal("unreachable", "coefficients", "none", "cannot be computed for this table in doubles");
}

// In doubles.
class Descent {
 public:
  Descent(const Convex& objective, const Progress& progress)
      : theta_(Eigen::VectorXd::Zero(static_cast<Eigen::Index>(objective.dimension()))),
        convex_(objective),
        progress_(progress) {
    in_range("dimension", static_cast<double>(objective.dimension()), 1, most_coefficients);
  }

  // Until rounding hides what a step gains. What is known where it ends. A step that comes much nearer is
  // followed by others with the same matrix, which is what takes time, for as long as they do.
  Convex::Local descend() {
    Convex::Local here = look(theta_);
    bool is_near = false;
    for (int i = 0; i < most_steps; ++i) {
      if (here.gradient.norm() <= here.rounding) break;
      if (here.hessian.size() == 0 && !is_near) here = look(theta_);
      if (here.hessian.size() > 0 && !factorise(here.hessian)) break;
      const Eigen::VectorXd step = -solved(here.gradient);
      Eigen::VectorXd there = theta_ + step;
      Convex::Local next = look(there, is_near ? Convex::Order::first : Convex::Order::second);
      if (!(next.gradient.dot(step) <= 0)) {
        const double length = falling_length(step);
        if (length == 0) break;
        there = theta_ + length * step;
        next = look(there);
      }
      is_near = next.gradient.norm() <= here.gradient.norm() / much_nearer;
      theta_ = std::move(there);
      here = std::move(next);
    }
    return here;
  }

  const Eigen::VectorXd& theta() const { return theta_; }

 protected:
  // Where rounding has the matrix look indefinite, the least that helps is added to its diagonal: steps
  // become shorter, and still lead down. Only what is not finite has no factor.
  bool factorise(const Eigen::MatrixXd& hessian) {
    std::vector<double> triangle;
    for (Eigen::Index row = 0; row < hessian.rows(); ++row)
      for (Eigen::Index column = 0; column <= row; ++column) triangle.push_back(hessian(row, column));
    factor_ = Cholesky::shifted(triangle, convex_.dimension());
    return factor_.has_value();
  }

  Eigen::VectorXd solved(const Eigen::VectorXd& right) const {
    const std::vector<double> x = factor_->solve({right.data(), convex_.dimension()});
    return Eigen::Map<const Eigen::VectorXd>(x.data(), right.size());
  }

  Convex::Local look(const Eigen::VectorXd& theta, Convex::Order order = Convex::Order::second) {
    return convex_.local(theta, step_progress(), order);
  }

  // Nobody knows how many passes over the table it takes: each leaves a tenth less to do.
  Progress step_progress() {
    const double left = left_;
    left_ *= 0.9;
    return [this, left](double share) { return !progress_ || progress_(1 - left * (1 - 0.1 * share)); };
  }

  Eigen::VectorXd theta_;
  std::optional<Cholesky> factor_;

 private:
  // The longest part of a step, to a sixteenth, along which the objective falls all the way.
  double falling_length(const Eigen::VectorXd& step) {
    constexpr std::size_t parts = std::size_t{1} << halvings_in_a_pass;
    double low = 0, width = 1;
    for (int done = 0; done < most_halvings && !(width <= low / 16); done += halvings_in_a_pass) {
      width /= parts;
      std::array<double, parts - 1> lengths;
      for (std::size_t k = 0; k < lengths.size(); ++k) lengths[k] = low + static_cast<double>(k + 1) * width;
      const std::vector<double> slopes = convex_.slopes(theta_, step, lengths, step_progress());
      for (std::size_t k = 0; k < slopes.size() && slopes[k] <= 0; ++k) low = lengths[k];
    }
    return low;
  }

  const Convex& convex_;
  const Progress& progress_;
  double left_ = 1;
};

class Approach : public Descent {
 public:
  Approach(const Convex& objective, std::span<const double> start, const Cholesky& factor,
           const Progress& progress)
      : Descent(objective, progress) {
    std::copy(start.begin(), start.end(), theta_.begin());
    factor_ = factor;
  }

  // Whether what is left to the minimum is about the tolerance, or nothing but rounding. The last step is not
  // looked at where it is expected to bring it there.
  bool arrives(Eigen::VectorXd gradient, double tolerance) {
    double size = gradient.norm(), gain = 1 / much_nearer;
    for (int i = 0; i < most_near_steps; ++i) {
      const Eigen::VectorXd step = solved(gradient);
      const double length = step.norm();
      if (length <= tolerance) break;
      theta_ -= step;
      if (i > 0 && length * gain <= tolerance) break;
      Convex::Local next =
          look(theta_, gain <= 1 / much_nearer ? Convex::Order::first : Convex::Order::second);
      const double left = next.gradient.norm();
      if (!(left <= size / 2) || (next.hessian.size() > 0 && !factorise(next.hessian))) return false;
      if (left <= next.rounding) break;
      gain = left / size;
      size = left;
      gradient = std::move(next.gradient);
    }
    return true;
  }
};

class Search : public Descent {
 public:
  Search(const Objective& objective, const Progress& progress)
      : Descent(objective, progress), objective_(objective), tail_(theta_) {}

  void begin_at(std::span<const double> start) { std::copy(start.begin(), start.end(), theta_.begin()); }

  void restart() {
    tail_.setZero();
    descend();
  }

  // The last digits, by gradients that are certified; the Hessian is renewed when it proves too old.
  std::optional<Minimum> corrected(double tolerance) {
    double before = HUGE_VAL;
    CertifiedGradient here = certified();
    for (int i = 0; i < most_steps; ++i) {
      const double size = here.value.norm(), most = rounded_up(size + here.error, 1e-12);
      if (most <= tolerance)
        return Minimum{{theta_.begin(), theta_.end()}, {tail_.begin(), tail_.end()}, most};
      if (!std::isfinite(most)) return {};
      if ((!factor_ || size > before / 4) && !factorise(look(theta_).hessian)) return {};
      before = size;
      here = moved(-solved(here.value), size);
    }
    return {};
  }

  void accelerate(double smoothness, double tolerance) {
    theta_ = accelerated(objective_, theta_, smoothness, tolerance, step_progress());
    factor_.reset();
  }

 private:
  // The whole step where it brings the gradient down or the objective falls all along it, else half of it,
  // and so on.
  CertifiedGradient moved(Eigen::VectorXd step, double size) {
    const Eigen::VectorXd theta = theta_, tail = tail_;
    for (int i = 0;; ++i, step /= 2) {
      add(step);
      CertifiedGradient there = certified();
      if (there.value.norm() <= size / 4 || there.value.dot(step) <= there.error * step.norm() ||
          i == most_halvings)
        return there;
      theta_ = theta;
      tail_ = tail;
    }
  }

  // In two doubles for each coordinate: a large coefficient in one would leave a gradient that no other
  // cancels.
  void add(const Eigen::VectorXd& step) {
    for (Eigen::Index j = 0; j < theta_.size(); ++j) {
      const DoubleDouble moved = two_sum(theta_[j], step[j]), sum = two_sum(moved.hi, moved.lo + tail_[j]);
      theta_[j] = sum.hi;
      tail_[j] = sum.lo;
    }
  }

  CertifiedGradient certified() { return objective_.gradient(theta_, step_progress(), tail_); }

  const Objective& objective_;
  Eigen::VectorXd tail_;
};

}  // namespace

Eigen::VectorXd accelerated(const Objective& objective, const Eigen::VectorXd& start, double smoothness,
                            double tolerance, const Progress& progress) {
  const double spread = static_cast<double>(objective.count()) * smoothness,
               condition = 1 + spread / objective.lambda(), root = std::sqrt(condition);
  Eigen::VectorXd theta = start, ahead = start;
  double steps = HUGE_VAL;
  for (double i = 0; i < steps; ++i) {
    const Objective::Local here = objective.local(ahead, progress, Objective::Order::first);
    const double size = here.gradient.norm();
    if (size <= std::max(tolerance, here.rounding)) break;
    if (i == 0) steps = std::ceil(2 * root * std::log(1.5 * condition * size / tolerance));
    const Eigen::VectorXd next = ahead - here.gradient / (objective.lambda() + spread);
    ahead = next + (root - 1) / (root + 1) * (next - theta);
    theta = next;
  }
  return ahead;
}

Minimum minimised(const Objective& objective, double smoothness, double tolerance, const Progress& progress,
                  std::span<const double> start) {
  if (!objective.linear().allFinite())
    throw Refusal("range", "linear", "not finite", "must be a list of finite numbers");
  Search search(objective, progress);
  if (!start.empty()) {
    search.begin_at(start);
    if (const auto found = search.corrected(tolerance)) return *found;
  }
  for (;;) {
    search.restart();
    if (const auto found = search.corrected(tolerance)) return *found;
    if (std::isinf(smoothness)) refuse_minimum();
    search.accelerate(smoothness, tolerance);
  }
}

std::optional<std::vector<double>> approached(const Convex& objective, std::span<const double> start,
                                              std::span<const double> gradient, const Cholesky& factor,
                                              double tolerance, const Progress& progress) {
  Approach approach(objective, start, factor, progress);
  const Eigen::Map<const Eigen::VectorXd> first(gradient.data(), approach.theta().size());
  if (!approach.arrives(first, tolerance)) return std::nullopt;
  return std::vector<double>(approach.theta().begin(), approach.theta().end());
}

std::vector<double> minimised_in_doubles(const Convex& objective, double tolerance,
                                         const Progress& progress) {
  Descent descent(objective, progress);
  const Convex::Local found = descent.descend();
  if (!(found.gradient.norm() <= std::max(tolerance, found.rounding))) refuse_minimum();
  return {descent.theta().begin(), descent.theta().end()};
}

}  // namespace epsilometer
