// Normal vectors of a covariance that is known from sums, for the inside of an algorithm that ends with
// finishing noise.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/noise/generator.h"
#include "core/numerics/cholesky.h"

namespace epsilometer {

class NormalRows {
 public:
  /// Of covariance A + variance I, A positive semidefinite and given as a lower triangle that was correctly
  /// rounded, of which no eigenvalue is below `floor` >= variance. Nothing when doubles cannot hold that.
  static std::optional<NormalRows> of(std::span<const double> matrix, std::size_t dimension, double variance,
                                      double floor);

  /// Independent vectors, one after the other, and how far they are in the l2 norm, all together, from ideal
  /// ones, except with probability 2^-260.
  struct Drawn {
    std::vector<double> values;
    double error;
  };
  Drawn draw(Generator& generator, std::size_t rows) const;

  /// The same error where A has that trace and the deviates have the norm `deviates`.
  static double error(double trace, std::size_t dimension, double floor, std::size_t rows, double deviates);

 private:
  NormalRows(Cholesky factor, double trace, std::size_t dimension, double floor)
      : factor_(std::move(factor)), trace_(trace), dimension_(dimension), floor_(floor) {}

  Cholesky factor_;
  double trace_;
  std::size_t dimension_;
  double floor_;
};

}  // namespace epsilometer
