#include "core/model/softmax_objective.h"

#include <algorithm>
#include <cmath>

#include "core/model/softmax.h"

namespace epsilometer {
namespace {

// Of records between two looks at whether to go on.
constexpr std::size_t records_at_once = 128;

// Of the record x: for each class the product with its coefficients.
void predict(std::span<const double> x, const Eigen::VectorXd& theta, std::vector<double>& u) {
  std::fill(u.begin(), u.end(), 0.0);
  const double* coefficient = theta.data();
  for (const double one : x)
    for (double& sum : u) sum += one * *coefficient++;
}

double length(std::span<const double> values) {
  double square = 0;
  for (const double value : values) square += value * value;
  return std::sqrt(square);
}

}  // namespace

// The second derivatives of a record are those of its loss, diag(p) - p p^T, times x x^T.
Convex::Local SoftmaxObjective::local(const Eigen::VectorXd& theta, const Progress& progress,
                                      Order order) const {
  const std::size_t size = dimension();
  const auto width = static_cast<Eigen::Index>(size);
  const double reach = theta.norm();
  Local here{lambda_ * theta, {}, lambda_ * reach};
  if (order == Order::second) here.hessian = lambda_ * Eigen::MatrixXd::Identity(width, width);
  std::vector<double> x(records_.dimension()), u(classes_), slope(classes_), column(size);
  each_row(records_.count(), records_at_once, progress, [&](std::size_t i) {
    const auto record = records_.read(i, x);
    if (!is_class(record.label, classes_)) return;
    predict(x, theta, u);
    softmax_derivative(u, record.label, slope);
    here.rounding += (length(slope) + record.norm * reach) * record.norm;
    const auto own = static_cast<std::size_t>(record.label);
    for (std::size_t a = 0; a < classes_; ++a) {
      const double likely = slope[a] + (a == own ? 1 : 0);
      double* entry = column.data();
      if (order == Order::second)
        for (const double one : x)
          for (std::size_t b = 0; b < classes_; ++b)
            *entry++ = one * likely * ((a == b ? 1 : 0) - (b == own ? 1 : 0) - slope[b]);
      for (std::size_t j = 0; j < x.size(); ++j) {
        // Indicators are mostly zeros.
        if (x[j] == 0) continue;
        const std::size_t place = j * classes_ + a;
        here.gradient.data()[place] += x[j] * slope[a];
        if (order == Order::first) continue;
        double* const into = here.hessian.data() + place * size;
        for (std::size_t r = j * classes_; r < size; ++r) into[r] += x[j] * column[r];
      }
    }
  });
  here.rounding *= static_cast<double>(size + 4) * 0x1p-50;
  return here;
}

std::vector<double> SoftmaxObjective::slopes(const Eigen::VectorXd& theta, const Eigen::VectorXd& step,
                                             std::span<const double> lengths,
                                             const Progress& progress) const {
  const double pull = lambda_ * theta.dot(step), growth = lambda_ * step.squaredNorm();
  std::vector<double> sums;
  for (const double one : lengths) sums.push_back(pull + one * growth);
  std::vector<double> x(records_.dimension()), u(classes_), v(classes_), at(classes_), slope(classes_);
  each_row(records_.count(), records_at_once, progress, [&](std::size_t i) {
    const auto record = records_.read(i, x);
    predict(x, theta, u);
    predict(x, step, v);
    for (std::size_t l = 0; l < sums.size(); ++l) {
      for (std::size_t k = 0; k < classes_; ++k) at[k] = u[k] + lengths[l] * v[k];
      softmax_derivative(at, record.label, slope);
      for (std::size_t k = 0; k < classes_; ++k) sums[l] += slope[k] * v[k];
    }
  });
  return sums;
}

}  // namespace epsilometer
