#include "core/model/objective.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/bounds.h"
#include "core/numerics/double_double.h"
#include "core/numerics/triple_sum.h"

namespace epsilometer {
namespace {

// Of records between two looks at whether to go on, and that are summed by themselves; of records that join a
// sum of products together.
constexpr std::size_t block = 128, strip = 4;
static_assert(BoundedRecords::strip % strip == 0);

// What is left of a number beside its 26 leading bits: its product with 26 bits is exact as well.
double beside(double value) { return value - short_number(value); }

// That of 0 is 0, whatever the other factor is.
Pair product(Pair values, double factor) {
  const Pair found = values * factor;
  return values != 0 ? found : Pair{};
}

// A point in three parts, of 26, 27 and the last bits, so that products of the first two with a record are
// exact.
class Point {
 public:
  Point(const Eigen::VectorXd& theta, const Eigen::VectorXd& tail)
      : high_(theta.size()), middle_(theta.size()), low_(theta.size()), norm_(theta.norm()) {
    for (Eigen::Index j = 0; j < theta.size(); ++j) {
      high_[j] = short_number(theta[j]);
      middle_[j] = beside(theta[j]);
      low_[j] = tail.size() > 0 ? tail[j] : 0;
    }
  }

  DoubleDouble times(std::span<const double> x) const { return times(x, x)[0]; }
  // Of two records side by side.
  std::array<DoubleDouble, 2> times(std::span<const double> x, std::span<const double> y) const {
    TripleSums<Pair> sums;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Pair both = {x[j], y[j]};
      if (x[j] != 0 || y[j] != 0)
        sums.add(product(both, high_[j]), product(both, middle_[j]), product(both, low_[j]));
    }
    return {TripleSum::of(sums, 0).value(), TripleSum::of(sums, 1).value()};
  }
  // Of that product, for a record of that norm.
  double error(DoubleDouble product, double norm) const {
    const double terms = TripleSum::error(static_cast<double>(high_.size()), 0x1p-25, 0x1p-53);
    return 0x1p-103 * std::abs(product.hi) + (terms + 0x1p-104) * norm * norm_;
  }

 private:
  std::vector<double> high_, middle_, low_;
  double norm_;
};

// Adds x x^T of `strip` records x, one after the other, to the lower triangle. By hand, because it is where
// the time goes: a library's kernels are built for size in WebAssembly, and indicator columns are mostly
// zeros.
void add_products(const double* records, Eigen::MatrixXd& sum) {
  const Eigen::Index d = sum.rows();
  const double *const a = records, *const b = a + d, *const c = b + d, *const e = c + d;
  for (Eigen::Index j = 0; j < d; ++j) {
    const double aj = a[j], bj = b[j], cj = c[j], ej = e[j];
    if (aj == 0 && bj == 0 && cj == 0 && ej == 0) continue;
    double* const column = sum.data() + j * d;
    for (Eigen::Index i = j; i < d; ++i) column[i] += aj * a[i] + bj * b[i] + (cj * c[i] + ej * e[i]);
  }
}

// Sums of slope * x: those of a block of records, which then join those of all.
class GradientSum {
 public:
  explicit GradientSum(std::size_t dimension) : block_((dimension + 1) / 2), all_(block_.size()) {}

  void add(DoubleDouble slope, std::span<const double> x) {
    const double high = short_number(slope.hi), middle = beside(slope.hi);
    for (std::size_t j = 0; j < x.size(); j += 2) {
      const Pair both = {x[j], j + 1 < x.size() ? x[j + 1] : 0};
      if (both[0] != 0 || both[1] != 0)
        block_[j / 2].add(product(both, high), product(both, middle), product(both, slope.lo));
    }
  }
  void end_block() {
    for (std::size_t j = 0; j < all_.size(); ++j)
      all_[j].add(block_[j].first, block_[j].second, block_[j].third);
    std::fill(block_.begin(), block_.end(), TripleSums<Pair>{});
    ++blocks_;
  }

  TripleSum operator[](std::size_t j) const { return TripleSum::of(all_[j / 2], j % 2); }
  // As a share of the sum of the sizes of what was added.
  double error() const {
    return TripleSum::error(block, 0x1p-25, 0x1p-53) + TripleSum::error(blocks_, 0x1p-24, 0x1p-52) + 0x1p-104;
  }

 private:
  std::vector<TripleSums<Pair>> block_, all_;
  double blocks_ = 0;
};

}  // namespace

Objective::Objective(const BoundedRecords& records, double lambda, std::span<const double> linear)
    : records_(records),
      lambda_(lambda),
      linear_(Eigen::Map<const Eigen::VectorXd>(linear.data(), static_cast<Eigen::Index>(linear.size()))) {}

Objective::Local Objective::local(const Eigen::VectorXd& theta, const Progress& progress, Order order) const {
  const auto d = static_cast<Eigen::Index>(dimension());
  Local here{lambda_ * theta + linear_, {}, lambda_ * theta.norm() + linear_.norm()};
  if (order == Order::second) here.hessian = lambda_ * Eigen::MatrixXd::Identity(d, d);
  const double reach = theta.norm();
  records_.in_strips(block, progress, [&](std::size_t, BoundedRecords::Several& rows) {
    const std::size_t count = rows.size();
    for (std::size_t k = 0; k < count; ++k) {
      Eigen::Map<Eigen::VectorXd> x(rows.row(k).data(), d);
      const auto& record = rows.records[k];
      const LossAt at = records_.at(record, x.dot(theta));
      here.gradient += at.first * x;
      here.rounding += (std::abs(at.first) + at.second * record.norm * reach) * record.norm;
      if (order == Order::second) x *= std::sqrt(at.second);
    }
    if (order == Order::first) return;
    rows.features.resize(BoundedRecords::strip * dimension());
    for (std::size_t k = 0; k < count; k += strip) add_products(rows.row(k).data(), here.hessian);
  });
  here.rounding *= static_cast<double>(d + 4) * 0x1p-50;
  return here;
}

std::vector<double> Objective::slopes(const Eigen::VectorXd& theta, const Eigen::VectorXd& step,
                                      std::span<const double> lengths, const Progress& progress) const {
  const double pull = lambda_ * theta.dot(step) + linear_.dot(step), growth = lambda_ * step.squaredNorm();
  std::vector<double> sums(lengths.size());
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = pull + lengths[k] * growth;
  Eigen::VectorXd x(theta.size());
  each_row(records_.count(), block, progress, [&](std::size_t i) {
    const auto record = records_.read(i, {x.data(), dimension()});
    const double u = x.dot(theta), v = x.dot(step);
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] += records_.at(record, u + lengths[k] * v).first * v;
  });
  return sums;
}

CertifiedGradient Objective::gradient(const Eigen::VectorXd& theta, const Progress& progress,
                                      const Eigen::VectorXd& tail) const {
  const Point point(theta, tail);
  const std::size_t d = dimension();
  GradientSum sum(d);
  const auto count = static_cast<double>(records_.count());
  double error = 0, total = 0;
  const auto add = [&](const BoundedRecords::Record& record, std::span<const double> x, DoubleDouble u) {
    const PreciseLossAt at = records_.at(record, u, point.error(u, record.norm));
    sum.add(at.first, x);
    error += record.norm * at.error;
    total += record.norm * std::abs(at.first.hi);
  };
  records_.in_strips(block, progress, [&](std::size_t first, const BoundedRecords::Several& rows) {
    if (first > 0 && first % block == 0) sum.end_block();
    for (std::size_t k = 0; k < rows.size(); k += 2) {
      const std::size_t other = std::min(k + 1, rows.size() - 1);
      const auto u = point.times(rows.row(k), rows.row(other));
      add(rows.records[k], rows.row(k), u[0]);
      if (other > k) add(rows.records[other], rows.row(other), u[1]);
    }
  });
  sum.end_block();
  // Then a few terms are added in two doubles, the largest of which cancel, and the result is rounded to one.
  CertifiedGradient found{Eigen::VectorXd(static_cast<Eigen::Index>(d)), 0};
  double terms = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const auto at = static_cast<Eigen::Index>(j);
    const DoubleDouble pull = two_product(lambda_, theta[at]);
    const double rest = tail.size() > 0 ? lambda_ * tail[at] : 0;
    const DoubleDouble value = (two_sum(sum[j].first, linear_[at]) + pull) +
                               (two_sum(sum[j].second, rest) + DoubleDouble{sum[j].third});
    found.value[at] = value.hi;
    terms = std::hypot(terms, std::abs(sum[j].first) + std::abs(linear_[at]) + 2 * std::abs(pull.hi) +
                                  std::abs(sum[j].second) + std::abs(sum[j].third));
  }
  error += sum.error() * total + 0x1p-99 * terms + 2 * unit_roundoff * found.value.norm();
  found.error = error * (1 + (4 * count + 8 * static_cast<double>(d)) * unit_roundoff);
  return found;
}

// A derivative of 16 roundings and its root, the products, at most 40 sums in a block (32 strips of 4 and the
// products in one), and the last rounding; blocks are added in two doubles.
std::vector<double> Objective::curvature(const Eigen::VectorXd& theta, const Progress& progress,
                                         const Eigen::VectorXd& tail) const {
  const Point point(theta, tail);
  const auto d = static_cast<Eigen::Index>(dimension());
  std::vector<DoubleDouble> all(dimension() * (dimension() + 1) / 2, DoubleDouble{0});
  Eigen::Matrix<double, Eigen::Dynamic, strip> rows(d, strip);
  in_blocks(records_.count(), block, progress, [&](std::size_t first, std::size_t end) {
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(d, d);
    for (std::size_t i = first; i < end; i += strip) {
      rows.setZero();
      for (std::size_t k = 0; k < strip && i + k < end; ++k) {
        auto x = rows.col(static_cast<Eigen::Index>(k));
        const auto record = records_.read(i + k, {x.data(), dimension()});
        const DoubleDouble u = point.times({x.data(), dimension()});
        x *= std::sqrt(records_.at(record, u, point.error(u, record.norm)).second);
      }
      add_products(rows.data(), sum);
    }
    std::size_t place = 0;
    for (Eigen::Index row = 0; row < d; ++row)
      for (Eigen::Index column = 0; column <= row; ++column, ++place)
        all[place] = all[place] + DoubleDouble{sum(row, column)};
  });
  std::vector<double> values(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) values[i] = all[i].hi;
  return values;
}

}  // namespace epsilometer
