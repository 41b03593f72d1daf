// A report as it travels: public numbers, and the request that the model was made by. From these alone it is
// read again, on any machine, and evaluated on anybody's own record.
#pragma once

#include "core/report/published/privacy_report_material.h"
#include "core/report/published/privacy_report_price.h"
#include "core/report/published/whitened_report.h"

namespace epsilometer {

struct PublishedReport {
  /// With its noise, or with a budget that decided it.
  std::shared_ptr<const PlannedRequest> run;
  /// How many rows each of those who are protected has at most.
  double unit_rows = 1;
  /// As they were released, of features as the algorithm is given them.
  std::vector<double> coefficients;
  /// What was published besides, and with which noise: empty for what was not.
  MaterialNoise noise;
  std::vector<double> gradient, hessian;
  std::optional<double> eigenvalue;
  ReportPromise promise;
  /// Whether the model's noise is nobody's to draw again; nobody is protected otherwise.
  bool is_private = true;
  /// Of a whitened fit; without it nothing is told of what came out.
  std::optional<ReleasedWhitening> whitening{};
};

/// What one person is told.
struct Told {
  /// The mechanism that was run, with her own norms, and everything that was published besides: at most what
  /// they cost her whatever came out.
  Description own_price;
  /// price_of() the report: what everybody was promised.
  Description price;
  /// What came out told about her at most, where its law is known: the released minimum of a random
  /// objective, or noise that is Gaussian.
  std::optional<PersonalBound> realised;
};

/// Refuses reports about several records, and coefficients or material that do not fit the model.
Told told(const PublishedReport& report, std::span<const double> features, double label, Direction direction);

/// Publishes it, with values in place of `report.gradient`, `hessian` and `eigenvalue`, which are not read.
ReportMaterial published(const PublishedReport& report, Pieces table, Generator& generator,
                         const Progress& progress);

/// Refuses what price_of() refuses of any report without material, by the plan of `run` alone.
void must_have_report(const Algorithm& algorithm, const Release& run, double unit_rows);

/// What the model and all that is published beside it cost together. Refuses a report that told() would
/// refuse of any record.
Description price_of(const PublishedReport& report);

}  // namespace epsilometer
