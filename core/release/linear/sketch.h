// A Gaussian sketch: random normal combinations of the rows z of a table, plus noise. Its rows are
// independent N(0, Z^T Z + variance I), so they are drawn from that covariance and no record is visited;
// finishing noise hides with what error.
#pragma once

#include <span>
#include <vector>

#include "core/noise/finish.h"

namespace epsilometer {

class Sketch {
 public:
  /// With noise of standard deviation sigma in all, a thousandth of whose variance is that of the finish.
  static Sketch with_noise(std::size_t rows, std::size_t width, double sigma);
  /// With that variance besides the finish, of a table whose Z^T Z has no eigenvalue below `floor`.
  static Sketch with_variance(std::size_t rows, std::size_t width, double variance, double floor);

  /// Whether doubles can compute it for every table in which Z^T Z has at most that trace.
  bool holds(double trace) const;

  /// Without that of the finish: it is what hides a record among the others.
  double variance() const { return variance_; }
  double sigma() const;

  /// What it costs when no record's leverage in the table that has it is above 1/gamma.
  std::vector<Description> guarantee(double gamma) const;

  /// `products`: the lower triangle of Z^T Z, correctly rounded. Refuses a table that it does not hold, which
  /// is an answer about the data. Rows one after the other.
  std::vector<double> released(std::span<const double> products, Generator& generator) const;

 private:
  Sketch(std::size_t rows, std::size_t width, double scale, double variance);

  std::size_t rows_, width_;
  double tolerance_, variance_;
  double floor_ = 0;
  Finish finish_;
};

/// The lower triangle of the average of the products of a sketch's rows.
std::vector<double> mean_products(std::span<const double> sketch, std::size_t width);

}  // namespace epsilometer
