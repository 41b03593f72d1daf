#include "core/report/published/whitened_report.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/release/model_request.h"
#include "core/release/noisy_gram.h"
#include "core/report/published/privacy_report_material.h"

namespace epsilometer {

WhitenedModel::WhitenedModel(const PlannedRequest& run, ReportedModel model, const ReleasedWhitening& told,
                             std::span<const double> coefficients)
    : table_(public_model(run.request)),
      gram_(coefficients.size(), table_.bounds, Change::add_or_remove),
      gram_sigma_(told.gram_sigma),
      whitening_(whitening_of(gram_, told, run.plan, coefficients.size())),
      model_(std::move(model)) {
  // In the unit of whitened rows, as they were before they were divided by it.
  std::vector<double> divided(coefficients.begin(), coefficients.end());
  for (double& one : divided) one *= table_.bounds.norm() * whitening_.bound();
  auto [values, doubt] = whitening_.origin(divided);
  if (!(doubt <= 1e100))
    throw Refusal("range", "whitening.gram", "a matrix",
                  "must be one by which the coefficients for whitened rows can be told");
  model_.doubt = doubt;
  coefficients_ = std::move(values);
}

PrivacyReport WhitenedModel::report(ReportMaterial material, const ReportPromise& promise) const {
  return privacy_report(model_, coefficients_, std::move(material), promise);
}

PersonalBound WhitenedModel::bound(const ReportReader& reader, std::span<const double> features, double label,
                                   Direction direction) const {
  const Records one{1, features.size(), features, std::span(&label, 1)};
  const BoundedRecords bounded(one, *table_.loss, table_.bounds);
  std::vector<double> x(features.size());
  bounded.read(0, x);
  const double before = mu_of(gram_.guarantee(gram_sigma_, dot(x, x).upper(), 1));
  double bounded_label = 0;
  gram_.whiten(bounded, whitening_, {}, [&](std::span<const float> row, double of_row) {
    x.assign(row.begin(), row.end());
    bounded_label = of_row;
  });
  return reader.of(x, bounded_label, direction, before);
}

WhitenedTable WhitenedModel::whitened(Pieces table, const Progress& progress) const {
  return {gram_, BoundedRecords(table, *table_.loss, table_.bounds), whitening_, progress};
}

}  // namespace epsilometer
