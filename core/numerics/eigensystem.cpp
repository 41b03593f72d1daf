#include "core/numerics/eigensystem.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/base/bounds.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// Cycles for which the error is told: seven or eight are usual at 200 rows.
constexpr double most_cycles = 12;

double squared(double x) { return x * x; }

// A square matrix, row by row.
std::vector<double> squared_out(std::span<const double> triangle, std::size_t dimension) {
  std::vector<double> square(dimension * dimension);
  for (std::size_t row = 0, place = 0; row < dimension; ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place)
      square[row * dimension + column] = square[column * dimension + row] = triangle[place];
  return square;
}

// The root of a sum of so many squares, each right to 4u: rounded up.
double root(double squares, double count) { return std::sqrt(squares) * (1 + (count + 8) * unit_roundoff); }

double frobenius(std::span<const double> square) {
  double sum = 0;
  for (const double entry : square) sum += squared(entry);
  return root(sum, static_cast<double>(square.size()));
}

// Jacobi's rotations: the matrix on its way to a diagonal one, and the basis on its way to its eigenvectors.
class Rotations {
 public:
  Rotations(std::vector<double> square, std::size_t dimension)
      : d_(dimension), a_(std::move(square)), v_(d_ * d_) {
    for (std::size_t i = 0; i < d_; ++i) v_[i * d_ + i] = 1;
    // All such entries together are no more than the rounding of the whole.
    negligible_ = unit_roundoff * frobenius(a_) / static_cast<double>(d_);
  }

  // Whether anything was left to turn.
  bool cycle(const Progress& progress, double from, double to) {
    bool turned = false;
    const auto d = static_cast<double>(d_);
    for (std::size_t p = 0; p < d_; ++p) {
      keep_going(progress, from + (to - from) * static_cast<double>(p) / d);
      for (std::size_t q = p + 1; q < d_; ++q) turned |= turn(p, q);
    }
    return turned;
  }

  double value(std::size_t i) const { return a_[i * d_ + i]; }
  std::span<const double> vector(std::size_t i) const { return std::span(v_).subspan(i * d_, d_); }

 private:
  // Brings the entry (p, q) to 0 by the smaller angle.
  bool turn(std::size_t p, std::size_t q) {
    double *const row_p = &a_[p * d_], *const row_q = &a_[q * d_];
    const double entry = row_p[q], first = row_p[p], last = row_q[q];
    if (!(std::abs(entry) > negligible_)) return false;
    const double slope = (last - first) / (2 * entry);
    const double tangent = std::copysign(1 / (std::abs(slope) + std::sqrt(1 + slope * slope)), slope);
    const double cosine = 1 / std::sqrt(1 + tangent * tangent), sine = tangent * cosine;
    rotate(row_p, row_q, cosine, sine);
    rotate(&v_[p * d_], &v_[q * d_], cosine, sine);
    for (std::size_t i = 0; i < d_; ++i) a_[i * d_ + p] = row_p[i], a_[i * d_ + q] = row_q[i];
    row_p[p] = first - tangent * entry;
    row_q[q] = last + tangent * entry;
    row_p[q] = row_q[p] = 0;
    return true;
  }

  void rotate(double* x, double* y, double cosine, double sine) const {
    for (std::size_t i = 0; i < d_; ++i) {
      const double a = x[i], b = y[i];
      x[i] = cosine * a - sine * b;
      y[i] = sine * a + cosine * b;
    }
  }

  std::size_t d_;
  std::vector<double> a_, v_;
  double negligible_;
};

// Eight sums side by side: an error of dot_error() |x| |y| instead of eight times that.
double dot(std::span<const double> x, const double* y) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + sums.size() <= x.size(); i += sums.size())
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += x[i + k] * y[i + k];
  for (; i < x.size(); ++i) sums[0] += x[i] * y[i];
  return ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

// Higham 2002, Section 3.1: each product goes through this many roundings at most.
double dot_error(std::size_t dimension) { return (static_cast<double>(dimension / 8) + 16) * unit_roundoff; }

// |V^T V - I|, V the matrix whose columns are the vectors.
double skewness(const Eigensystem& system) {
  const std::size_t d = system.dimension();
  double squares = 0;
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j < d; ++j)
      squares += squared(dot({&system.vectors[j * d], d}, &system.vectors[i * d]) - (i == j ? 1 : 0));
  // The vectors' lengths are 1 to far more than a per cent, or the answer is that they are not.
  const auto size = static_cast<double>(d);
  return root(squares, size * size) + 1.02 * size * dot_error(d);
}

// |A V - V D|.
double residual(std::span<const double> square, const Eigensystem& system, double norm) {
  const std::size_t d = system.dimension();
  double squares = 0;
  for (std::size_t j = 0; j < d; ++j) {
    const double* const vector = &system.vectors[j * d];
    for (std::size_t i = 0; i < d; ++i)
      squares += squared(dot(square.subspan(i * d, d), vector) - system.values[j] * vector[i]);
  }
  const auto size = static_cast<double>(d);
  return root(squares, size * size) + 1.02 * std::sqrt(size) * norm * (dot_error(d) + 4 * unit_roundoff);
}

// With V = Q P, P the root of V^T V: A Q - Q D = (A V - V D) P^-1 + Q (P D P^-1 - D), and Q^T A Q - D is
// symmetric. |P - I| <= |V^T V - I|, and |P^-1 - I| is no more than that over 1 - |V^T V - I|.
void certify(Eigensystem& system, std::span<const double> square) {
  const double norm = frobenius(square), skew = skewness(system);
  system.error = system.tilt = infinite;
  if (!(skew < 0.01)) return;
  double largest = 0;
  for (const double value : system.values) largest = std::max(largest, std::abs(value));
  const double whole = residual(square, system, norm) + 2 * largest * skew;
  if (!std::isfinite(whole)) return;
  system.error = rounded_up(whole / (1 - skew));
  system.tilt = rounded_up(skew);
}

}  // namespace

Eigensystem eigensystem(std::span<const double> triangle, std::size_t dimension, const Progress& progress) {
  const std::vector<double> square = squared_out(triangle, dimension);
  Rotations rotations(square, dimension);
  for (double done = 0; rotations.cycle(progress, done, done + (1 - done) / 4);) done += (1 - done) / 4;
  std::vector<std::size_t> order(dimension);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rotations.value(a) > rotations.value(b); });
  Eigensystem system;
  for (const std::size_t i : order) {
    system.values.push_back(rotations.value(i));
    const auto vector = rotations.vector(i);
    system.vectors.insert(system.vectors.end(), vector.begin(), vector.end());
  }
  certify(system, square);
  return system;
}

// A rotation's cosine and sine are right to 6u, so two rows come out within 9u of their norm, and with what
// is mirrored the matrix within 13u of the norm of what is turned. The rotations of a cycle by rows are
// those of 2 d - 3 sets that turn no row twice, in which errors do not meet: 13u |A| for each set, and 9u
// sqrt(d) for the basis. What is found of them adds what finding it costs.
Certificates largest_certificates(std::size_t dimension) {
  const auto d = static_cast<double>(dimension);
  const double sets = most_cycles * 2 * d * unit_roundoff;
  const double tilt = 2.1 * (sets * 9 * std::sqrt(d) + d * dot_error(dimension));
  const double error =
      sets * 13 + unit_roundoff + 2 * std::sqrt(d) * (dot_error(dimension) + 4 * unit_roundoff);
  return {1.1 * (error + 2 * tilt), tilt};
}

std::vector<double> leading_vectors(const Eigensystem& system, std::size_t count) {
  const auto end = static_cast<std::ptrdiff_t>(std::min(count, system.dimension()) * system.dimension());
  return {system.vectors.begin(), system.vectors.begin() + end};
}

std::vector<double> projection(const Eigensystem& system, std::size_t count) {
  const std::size_t d = system.dimension();
  std::vector<double> triangle(d * (d + 1) / 2);
  for (std::size_t k = 0; k < count; ++k) {
    const double* const vector = &system.vectors[k * d];
    for (std::size_t row = 0, place = 0; row < d; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        triangle[place] += vector[row] * vector[column];
  }
  return triangle;
}

// The eigenvectors' matrix is within `error` of the given one: sines of angles are at most error over the gap
// between the given one's eigenvalues and its other ones (Davis and Kahan 1970), and projections sqrt(2) that
// apart; V E V^T - Q E Q^T = Q (P E P - E) Q^T; and each entry is a sum of `count` rounded products.
double projection_error(const Certificates& certificates, double gap, std::size_t count) {
  const double error = certificates.error, tilt = certificates.tilt;
  if (!(gap > error)) return infinite;
  const auto k = static_cast<double>(count);
  return rounded_up(std::sqrt(2.0) * error / (gap - error) + (2 + tilt) * tilt +
                    1.05 * (k + 2) * k * unit_roundoff);
}

// Let G and G' = G + x x^T, and Y the inner products of the eigenvectors that G leaves out with those that G'
// keeps: |Y|_F is that of the sines of the angles between the subspaces, and the projections are sqrt(2)
// |Y|_F apart. No eigenvalue falls from G to G', so those kept in G' are above those left out of G by the gap
// g at least, whichever of the two has it: entry by entry, g |Y|_F <= |P x| |Q' x|, P onto what G leaves out,
// Q' onto what G' keeps (Davis and Kahan 1970). Where G has the gap let q = |P x| and p^2 + q^2 <= 1: |Q' x|
// <= p + q |Y|_F, so |Y|_F <= p q / (g - q^2), and that is at most 1 / (2 sqrt(g (g - 1))). Where G' has it,
// the same with p = |Q' x| and |P x| <= q + p |Y|_F. As large as that for large gaps: see the tests.
double largest_projection_move(double gap) { return rounded_up(1 / std::sqrt(2 * gap * (gap - 1))); }

}  // namespace epsilometer
