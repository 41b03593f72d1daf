// What came out of a whitened fit told one person: the sum of x x^T with normal noise that was released
// first, and the hidden minimum for the rows that are whitened by it (core/release/noisy_gram.h). Given the
// matrix her whitened row is a function of her row alone, so that the realised loss of both is that of the
// matrix and, given it, that of a minimum of a random objective. docs/privacy-report.md has the proof.
#pragma once

#include "core/release/algorithm.h"
#include "core/release/fitted_rows.h"
#include "core/release/model_request.h"
#include "core/report/personal/released_whitening.h"
#include "core/report/published/privacy_report.h"

namespace epsilometer {

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

  /// `material`: of the whitened rows, at those coefficients.
  PrivacyReport report(ReportMaterial material, const ReportPromise& promise) const;

  /// By a reader of that report. `features`: a row as it is.
  PersonalBound bound(const ReportReader& reader, std::span<const double> features, double label,
                      Direction direction) const;

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
