#include "core/goe/determinant.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/goe/hermite.h"
#include "core/numerics/quadrature.h"

namespace epsilometer {
namespace {

// The square of I_j, j even, for j = order: I_{j+2}^2 = I_j^2 (j+1)/(j+2), I_0^2 = 2 sqrt(pi).
double squared_integral(double order) {
  double square = 3.5449077018110318;
  for (double j = 0; j < order; j += 2) square *= (j + 1) / (j + 2);
  return square;
}

template <int size>
const Rule& rule_of() {
  static const Rule rule = gauss_legendre(size);
  return rule;
}

// Nodes enough for a relative error of 1e-14: four more for every half wave that lies right of s. For a draft
// half of them, with an error below 1e-6 where S < 0.9.
const Rule& rule_for(double waves, Effort effort) {
  const bool draft = effort == Effort::draft;
  if (waves <= 0.5) return draft ? rule_of<16>() : rule_of<32>();
  if (waves <= 3) return draft ? rule_of<22>() : rule_of<44>();
  if (waves <= 8) return draft ? rule_of<32>() : rule_of<64>();
  return draft ? rule_of<48>() : rule_of<96>();
}

// Sums over j < N at the points z_i: of phi_j(z_i) phi_j(z_k) for k <= i, of phi_j(s) t_j(z_i), and of
// phi_j(z_i) t_j(s), where s is the last point; then the functions of order N - 1 and N.
struct Sums {
  Sums(double dimension, const std::vector<double>& points)
      : size(points.size()), kernel(size * size), inner(size), outer(size) {
    HermiteFunctions hermite(points);
    for (double j = 0; j < dimension; ++j) {
      read(hermite, last, last_integral);
      // Far left of the turning point all of them count as 0: of many dimensions all but a few thousand.
      if (std::any_of(last.begin(), last.end(), [](double value) { return value != 0; })) add();
      hermite.advance();
    }
    read(hermite, next, next_integral);
  }

  double kernel_at(std::size_t i, std::size_t k) const {
    return kernel[std::max(i, k) * size + std::min(i, k)];
  }

  std::size_t size;
  std::vector<double> kernel, inner, outer, last, last_integral, next, next_integral;

 private:
  void read(const HermiteFunctions& hermite, std::vector<double>& functions, std::vector<double>& integrals) {
    functions.resize(size);
    integrals.resize(size);
    for (std::size_t i = 0; i < size; ++i) {
      functions[i] = hermite.function(i);
      integrals[i] = hermite.integral(i);
    }
  }

  void add() {
    const double at_s = last.back(), integral_at_s = last_integral.back();
    for (std::size_t i = 0; i < size; ++i) {
      double* row = &kernel[i * size];
      const double own = last[i];
      for (std::size_t k = 0; k <= i; ++k) row[k] += own * last[k];
      inner[i] += at_s * last_integral[i];
      outer[i] += own * integral_at_s;
    }
  }
};

// B at the points y_1 ... y_n, s, inf, with its derivative left[0] right[0]^T + left[1] right[1]^T.
struct Matrix {
  explicit Matrix(std::size_t size) : size(size), entries(size * size) {
    for (auto* vector : {&left[0], &left[1], &right[0], &right[1]}) vector->resize(size);
  }
  double* row(std::size_t i) { return &entries[i * size]; }

  std::size_t size;
  std::vector<double> entries, left[2], right[2];
};

Matrix matrix(const Sums& sums, const std::vector<double>& points, const std::vector<double>& weights,
              double a, double c) {
  const std::size_t n = weights.size(), s = n, infinity = n + 1;
  const double rest_at_s = c - sums.next_integral[s], tail = sums.last_integral[s];
  Matrix b(n + 2);
  for (std::size_t i = 0; i < b.size; ++i) {
    const bool finite = i != infinity;
    const double function = finite ? sums.last[i] : 0, integral = finite ? sums.last_integral[i] : 0;
    const double rest = finite ? c - sums.next_integral[i] : c;
    double* row = b.row(i);
    for (std::size_t k = 0; k < n; ++k)
      row[k] = weights[k] * ((finite ? sums.kernel_at(i, k) : 0) + a * sums.last[k] * rest);
    const double g = (finite ? sums.outer[i] : 0) + a * tail * rest;
    const double j = sums.inner[s] - (finite ? sums.inner[i] : 0) + a * (tail - integral) * rest_at_s;
    row[s] = g / 2 - j;
    row[infinity] = g / 2 - a * c * integral;
    b.left[0][i] = function;
    b.left[1][i] = rest;
  }
  for (std::size_t k = 0; k < n; ++k) {
    b.right[0][k] = -a * weights[k] * sums.next[k];
    b.right[1][k] = a * weights[k] * (points[k] * sums.last[k] - 2 * a * sums.next[k]);
  }
  b.right[0][infinity] = a * (c - sums.next_integral[s] / 2);
  b.right[0][s] = -b.right[0][infinity];
  b.right[1][s] = a * sums.last[s] / 2;
  b.right[1][infinity] = -b.right[1][s];
  return b;
}

// log det(1 - B) and its derivative, by elimination without pivoting: `pivot` is 1 minus a pivot of 1 - B.
// -infinity where the determinant is lost to rounding, because it is tiny.
std::pair<double, double> log_determinant(Matrix b) {
  double logarithm = 0, slope = 0;
  for (std::size_t k = 0; k < b.size; ++k) {
    const double* const head = b.row(k);
    const double pivot = head[k], scale = 1 / (1 - pivot);
    if (!(pivot < 1)) return {-std::numeric_limits<double>::infinity(), 0};
    logarithm += std::log1p(-pivot);
    for (int side = 0; side < 2; ++side) slope -= b.left[side][k] * b.right[side][k] * scale;
    for (std::size_t i = k + 1; i < b.size; ++i) {
      double* const row = b.row(i);
      const double factor = row[k] * scale;
      for (std::size_t j = k + 1; j < b.size; ++j) row[j] += factor * head[j];
      for (int side = 0; side < 2; ++side) {
        b.left[side][i] += factor * b.left[side][k];
        b.right[side][i] += head[i] * scale * b.right[side][k];
      }
    }
  }
  return {logarithm, slope};
}

constexpr EigenvalueLaw certain = {0, 1, -std::numeric_limits<double>::infinity(), 0, 0, 0, 0};

}  // namespace

EigenvalueDeterminant::EigenvalueDeterminant(double dimension)
    : dimension_(dimension),
      factor_(std::sqrt(dimension / 2)),
      constant_(leading_factor(dimension) / factor_),
      edge_(dimension) {}

EigenvalueLaw EigenvalueDeterminant::law(DoubleDouble s, Effort effort) const {
  if (s.hi < -edge_.position() - 9 || edge_.airy(s.hi) < -12) return certain;
  const double length = edge_.reach(s.hi);
  const Rule& rule = rule_for(s.hi < edge_.position() ? edge_.phase(s.hi) / 3.141592653589793 : 0, effort);
  std::vector<double> points, weights;
  for (std::size_t k = 0; k < rule.nodes.size(); ++k) {
    points.push_back(s.hi + length / 2 * (1 + rule.nodes[k]));
    weights.push_back(length / 2 * rule.weights[k]);
  }
  points.push_back(s.hi);
  const auto [logarithm, slope] =
      log_determinant(matrix(Sums(dimension_, points), points, weights, factor_, constant_));
  if (!(logarithm > -90)) return certain;
  const double rise = slope / 2, log_below = logarithm / 2;
  // The low part of s by the slope: a whole unit in the last place of s can be a thousand of those of S.
  const double below = std::exp(log_below), density = rise * below;
  return law_of(below * (1 + rise * s.lo), -std::expm1(log_below) - density * s.lo, density);
}

double leading_factor(double dimension) {
  if (std::fmod(dimension, 2) == 1) return 1 / std::sqrt(squared_integral(dimension - 1));
  return std::sqrt(dimension * squared_integral(dimension) / 8);
}

}  // namespace epsilometer
