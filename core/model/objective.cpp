#include "core/model/objective.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/numerics/double_double.h"

namespace epsilometer {
namespace {

// Of records between two looks at whether to go on; of records that join a sum of products together.
constexpr std::size_t block = 128, strip = 4;

// A point in two parts, so that its product with a record can be summed without error: the low part, with
// what the point's own rounding left, is 2^-25 of the high one and its product rounds.
class Point {
 public:
  Point(const Eigen::VectorXd& theta, const Eigen::VectorXd& tail)
      : high_(theta.size()), low_(theta.size()), norm_(theta.norm()) {
    for (Eigen::Index j = 0; j < theta.size(); ++j) {
      high_[j] = short_number(theta[j]);
      low_[j] = theta[j] - high_[j] + (tail.size() > 0 ? tail[j] : 0);
    }
  }

  // x.theta to one rounding, and what cancellation may add: Ogita, Rump and Oishi 2005, Proposition 4.5, for
  // the sum of the exact products; the low parts are 2^-25 of the high ones.
  double times(std::span<const double> x) const {
    double sum = 0, rest = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const DoubleDouble next = two_sum(sum, x[j] * high_[j]);
      sum = next.hi;
      rest += next.lo + x[j] * low_[j];
    }
    return sum + rest;
  }
  double error(double product, double norm) const {
    const double grown = static_cast<double>(high_.size() + 4) * unit_roundoff;
    return 2 * unit_roundoff * std::abs(product) + grown * (grown + 0x1p-23) * norm * norm_;
  }

 private:
  std::vector<double> high_, low_;
  double norm_;
};

// Adds x x^T of each column x to the lower triangle. By hand, because it is where the time goes: a library's
// kernels are built for size in WebAssembly, and indicator columns are mostly zeros.
void add_products(const Eigen::Matrix<double, Eigen::Dynamic, strip>& columns, Eigen::MatrixXd& sum) {
  const Eigen::Index d = sum.rows();
  const double *const a = columns.data(), *const b = a + d, *const c = b + d, *const e = c + d;
  for (Eigen::Index j = 0; j < d; ++j) {
    const double aj = a[j], bj = b[j], cj = c[j], ej = e[j];
    if (aj == 0 && bj == 0 && cj == 0 && ej == 0) continue;
    double* const column = sum.data() + j * d;
    for (Eigen::Index i = j; i < d; ++i) column[i] += aj * a[i] + bj * b[i] + (cj * c[i] + ej * e[i]);
  }
}

}  // namespace

Objective::Objective(const BoundedRecords& records, double lambda, std::span<const double> linear)
    : records_(records),
      lambda_(lambda),
      linear_(Eigen::Map<const Eigen::VectorXd>(linear.data(), static_cast<Eigen::Index>(linear.size()))) {}

Objective::Local Objective::local(const Eigen::VectorXd& theta, const Progress& progress) const {
  const auto d = static_cast<Eigen::Index>(dimension());
  Local here{lambda_ / 2 * theta.squaredNorm() + linear_.dot(theta), lambda_ * theta + linear_,
             lambda_ * Eigen::MatrixXd::Identity(d, d)};
  Eigen::Matrix<double, Eigen::Dynamic, strip> rows(d, strip);
  const std::size_t count = records_.count();
  for (std::size_t start = 0; start < count; start += strip) {
    if (start % block == 0) keep_going(progress, static_cast<double>(start) / static_cast<double>(count));
    for (std::size_t k = 0; k < strip; ++k) {
      auto x = rows.col(static_cast<Eigen::Index>(k));
      if (start + k >= count) {
        x.setZero();
        continue;
      }
      const auto record = records_.read(start + k, {x.data(), dimension()});
      const LossAt at = records_.at(record, x.dot(theta));
      here.value += at.value;
      here.gradient += at.first * x;
      x *= std::sqrt(at.second);
    }
    add_products(rows, here.hessian);
  }
  return here;
}

CertifiedGradient Objective::gradient(const Eigen::VectorXd& theta, const Progress& progress,
                                      const Eigen::VectorXd& tail) const {
  const Point point(theta, tail);
  const std::size_t d = dimension();
  std::vector<double> x(d), sum(d), rest(d);
  const auto count = static_cast<double>(records_.count());
  double error = 0, total = 0;
  for (std::size_t i = 0; i < records_.count(); ++i) {
    if (i % block == 0) keep_going(progress, static_cast<double>(i) / count);
    const auto record = records_.read(i, x);
    const double u = point.times(x);
    const LossAt at = records_.at(record, u, point.error(u, record.norm));
    for (std::size_t j = 0; j < d; ++j) {
      const DoubleDouble next = two_sum(sum[j], at.first * x[j]);
      sum[j] = next.hi;
      rest[j] += next.lo;
    }
    error += record.norm * at.error;
    total += record.norm * std::abs(at.first);
  }
  // One rounding for each product; the sum of what two_sum left over rounds like any sum, but is 2^-53 of the
  // whole; and then a few terms are added, the largest of which cancel.
  const double grown = (count + 4) * unit_roundoff;
  CertifiedGradient found{Eigen::VectorXd(static_cast<Eigen::Index>(d)), 0};
  double last = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    const double pull = lambda_ * theta[at];
    if (tail.size() > 0) rest[j] += lambda_ * tail[at];
    found.value[at] = (sum[j] + linear_[at]) + (pull + rest[j]);
    last =
        std::hypot(last, std::abs(sum[j]) + std::abs(linear_[at]) + 2 * std::abs(pull) + std::abs(rest[j]));
  }
  error += (2 * unit_roundoff + 2 * grown * grown) * total + 4 * unit_roundoff * last;
  found.error = error * (1 + 2 * grown + static_cast<double>(d) * 8 * unit_roundoff);
  return found;
}

}  // namespace epsilometer
