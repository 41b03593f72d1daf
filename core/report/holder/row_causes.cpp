#include "core/report/holder/row_causes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/refusal.h"
#include "core/numerics/certified_factor.h"
#include "core/numerics/constants.h"
#include "core/numerics/eigensystem.h"
#include "core/numerics/quick_sum.h"
#include "core/release/model_request.h"
#include "core/report/personal/records_at_minimum.h"

namespace epsilometer {
namespace {

// That of the model as it was released, or planned.
double regularisation_of(const Release& run) {
  for (const char* name : {"lambda", "ridge"})
    if (run.holds(name)) return run.number(name);
  const auto planned = run.parameters.find("lambda");
  return planned == run.parameters.end() ? 1 : planned->second;
}

// Adds what the coefficients make of each row, but leverages that are known.
void look(const FitRequest& request, const Release& run, Pieces table,
          const std::vector<double>& coefficients, const Progress& progress, RowCauses& causes) {
  const std::size_t d = coefficients.size();
  // Algorithms that need sums only are asked for no loss, and clip no gradients.
  PublicModel model = public_model(request, "squared");
  if (!request.texts.contains("loss")) model.bounds.gradient = infinite;
  const BoundedRecords records(table, *model.loss, model.bounds);
  // Finding out that a larger matrix is regular takes longer than anybody waits.
  const bool is_sought = causes.leverages_without.empty() && d <= largest_eigensystem;
  const double share_of_factor = is_sought ? 0.5 : 0;
  std::optional<RecordsAtMinimum> there;
  std::vector<RowCause> found;
  if (is_sought)
    there.emplace(records, *model.loss, regularisation_of(run), coefficients,
                  part_of(progress, 0, share_of_factor), &found);
  const bool are_known = there && there->knows_leverages();
  static_assert(BoundedRecords::strip <= CertifiedFactor::strip);
  records.in_strips(usual_block, part_of(progress, share_of_factor, 1),
                    [&](std::size_t first, const BoundedRecords::Several& rows) {
                      if (are_known) {
                        const auto from = std::span(std::as_const(found)).subspan(first);
                        for (const RowCause& row : there->with_leverages(from, rows)) causes.add(row);
                        return;
                      }
                      for (std::size_t k = 0; k < rows.size(); ++k) {
                        const BoundedRecords::Record& record = rows.records[k];
                        const Interval u = quick_dot(rows.row(k), coefficients);
                        const RecordSlope slope = quick_slope_at(*model.loss, u, record.label, record.limit);
                        const RowCause row = cause_of(*model.loss, record, u, slope, d, 0);
                        causes.misfits.push_back(row.misfit);
                        causes.gradients.push_back(row.gradient);
                      }
                    });
}

}  // namespace

double leverage_without(double with) { return with < 1 ? rounded_up(with / (1 - with)) : infinite; }

void RowCauses::add(const RowCause& row) {
  leverages_without.push_back(leverage_without(row.share));
  misfits.push_back(row.misfit);
  gradients.push_back(row.gradient);
}

RowCauses row_causes(const FitRequest& request, const Release& run, Pieces table, RowCauses known,
                     const Progress& progress) {
  const Output* const released = run.find("coefficients");
  if (!released || released->values.size() != table.front().dimension) return {};
  in_range("coefficients", released->values, -1e100, 1e100);
  RowCauses causes = std::move(known);
  if (causes.misfits.empty()) look(request, run, table, released->values, progress, causes);
  causes.leverages.reserve(causes.leverages_without.size());
  for (const double one : causes.leverages_without)
    causes.leverages.push_back(std::min(1.0, rounded_up(1 / (1 + 1 / one))));
  return causes;
}

}  // namespace epsilometer
