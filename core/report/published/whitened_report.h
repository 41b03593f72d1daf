// What came out of a whitened fit told one person: the sum of x x^T with normal noise that was released
// first, and the hidden minimum for the rows that are whitened by it (core/release/noisy_gram.h). Given the
// matrix her whitened row is a function of her row alone, so that the realised loss of both is that of the
// matrix and, given it, that of a minimum of a random objective. docs/privacy-report.md has the proof.
#pragma once

#include "core/release/algorithm.h"
#include "core/release/fitted_rows.h"
#include "core/release/model_request.h"
#include "core/report/published/privacy_report.h"

namespace epsilometer {

/// By what the rows of a fit were whitened, as it was released, and with which noise.
struct ReleasedWhitening {
  /// A lower triangle, row by row; and about how many rows there are.
  std::vector<double> gram;
  double rows;
  /// Of the minimum and of the matrix.
  double sigma, lambda, gram_sigma;
};

/// Refuses, by name, what cannot have come of that plan: another number of entries, less than one row, other
/// noise than it runs.
void must_fit(const ReleasedWhitening& whitening, const Plan& plan, std::size_t dimension);

/// Of a release of that kind.
ReleasedWhitening released_whitening(const Release& run);

/// The model of whitened rows, as whoever has the release reads it.
class WhitenedModel {
 public:
  /// `model`: that of `run` (reported_model()). `coefficients`: as released, for rows as they are. Refuses
  /// what does not fit the plan, and a matrix by which doubles cannot tell what the coefficients for whitened
  /// rows were.
  WhitenedModel(const PlannedRequest& run, ReportedModel model, const ReleasedWhitening& told,
                std::span<const double> coefficients);

  /// Of whitened rows.
  const std::vector<double>& coefficients() const { return coefficients_; }

  /// `material`: of the whitened rows, at those coefficients. `features`: a row as it is.
  PersonalBound bound(ReportMaterial material, const ReportPromise& promise, std::span<const double> features,
                      double label, Direction direction) const;

  /// The rows of a table, whitened.
  WhitenedTable whitened(Pieces table, const Progress& progress) const;

 private:
  PublicModel table_;
  NoisyGram gram_;
  double gram_sigma_;
  Whitening whitening_;
  ReportedModel model_;
  std::vector<double> coefficients_;
};

}  // namespace epsilometer
