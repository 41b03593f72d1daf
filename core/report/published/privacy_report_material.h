// What may be published beside a model so that reports become tighter: gradient and Hessian of the sum of
// losses at the released coefficients, and the smallest eigenvalue of that Hessian, each with Gaussian noise.
// Redberg 2023 (thesis), Algorithms 8, 10 and 11. Records are truncated to the noise's grid one by one and
// summed as integers, so that the price is exact; the grid is so fine that what truncation takes of 2^32
// records stays far below the noise. Given the coefficients, the price does not depend on how they came
// about.
#pragma once

#include "core/base/progress.h"
#include "core/report/published/privacy_report.h"

namespace epsilometer {

/// Standard deviations in the units of the data; the Hessian's off its diagonal. Nothing: not published.
struct MaterialNoise {
  std::optional<double> gradient, hessian, eigenvalue;
};

class MaterialRelease {
 public:
  /// Refuses widths below 2^-26 of what they hide or above 2^45 of it, an eigenvalue without a Hessian, and
  /// more than 4096 coefficients, or with a Hessian more than largest_eigensystem.
  MaterialRelease(const ReportedModel& model, std::size_t dimension, const MaterialNoise& noise);

  /// Its price: given the coefficients all of it is one Gaussian release. Of the logistic loss no record has
  /// both the largest gradient and the largest curvature: with p = |f'| / |x|, which is f'' = p (1 - p), the
  /// squares of mu are at most the largest p^2 (A + (1 - p)^2 B), which is A alone where B <= 8 A, A the
  /// gradient's and B 16 times that of the others. There the Hessian costs nothing more.
  Description price() const;

  /// Values as they could have been released, at coefficients of that length: with this noise, its errors and
  /// its price. For what to expect of a report, without a table.
  ReportMaterial told(std::vector<double> gradient, std::vector<double> hessian,
                      std::optional<double> eigenvalue, double length) const;

  /// One run, for each release of the model once. Starts releases of the generator.
  ReportMaterial released(Pieces table, std::span<const double> coefficients, Generator& generator,
                          const Progress& progress) const;

 private:
  struct Sums;

  void add(const BoundedRecords& records, std::span<const double> coefficients, Sums& sums,
           const Progress& progress) const;
  double released_eigenvalue(const IntegerSum& hessian, Generator& generator) const;
  double eigenvalue_doubt() const;
  double eigenvalue_sensitivity() const;
  double gradient_mu() const;
  double hessian_mu() const;
  double eigenvalue_mu() const;

  ReportedModel model_;
  std::size_t dimension_;
  std::optional<GaussianNoise> gradient_, eigenvalue_;
  std::optional<OrthogonalNoise> hessian_;
};

/// What a guarantee of Gaussian noise counts: the sensitivity over sigma, rounded up; 0 where nothing moves.
double mu_of(const Description& guarantee);

/// sup of p^2 (A + (1 - p)^2 B) over p in [0, 1], rounded up.
double largest_logistic_square(double gradient, double curvature);

}  // namespace epsilometer
