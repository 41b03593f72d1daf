// Rows turned and stretched so that a noisy Gram matrix of theirs has about the same size in every direction:
// gradient steps then go on equally fast along all of them, and a clipped row loses no more in one than in
// another. It follows from the released matrix alone, so it costs nothing more.
#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"

namespace epsilometer {

/// Of rows whose l2 norm is at most 1.
class Whitening {
 public:
  /// `triangle`: the lower triangle of the released sum of x x^T; `edge`: about the largest eigenvalue of its
  /// noise; `rows`: about how many rows there are, from 1, by what was released.
  Whitening(std::span<const double> triangle, std::size_t dimension, double edge, double rows,
            const Progress& progress);

  std::size_t dimension() const { return dimension_; }
  /// To which whitened rows are shortened.
  double bound() const { return bound_; }

  /// The whitened row over its bound: at most 1 long, but for rounding. Always by the same operations, so
  /// that it is a function of the row alone. `scratch` has its size.
  void apply(std::span<const double> row, std::span<float> whitened, std::span<double> scratch) const;

  /// The coefficients for rows of those for whitened rows.
  std::vector<double> coefficients(std::span<const double> whitened) const;

  /// Of what coefficients() answered, or of up to four times as much rounding, what it was asked, within
  /// `error` in the l2 norm; infinite where doubles cannot tell.
  struct Origin {
    std::vector<double> values;
    double error;
  };
  Origin origin(std::span<const double> coefficients) const;

 private:
  std::size_t dimension_;
  // A symmetric matrix, by rows.
  std::vector<double> matrix_;
  double bound_;
};

}  // namespace epsilometer
