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

struct RowMisses {
  double misfit, gradient;
};

// Derivatives of convex functions rise: one of both ends of u has the largest size.
RowMisses misses_of(const Loss& loss, const BoundedRecords::Record& record, Interval u, std::size_t d) {
  const double misfit = std::max(std::abs(loss.at(u.lower(), record.label).first),
                                 std::abs(loss.at(u.upper(), record.label).first)),
               slope = std::min(misfit, record.limit), margin = (static_cast<double>(d) + 64) * unit_roundoff;
  return {rounded_up(misfit, margin), rounded_up(slope * record.norm, margin)};
}

}  // namespace

double leverage_without(double with) { return with < 1 ? rounded_up(with / (1 - with)) : infinite; }

RowCauses row_causes(const FitRequest& request, const Release& run, Pieces table,
                     std::span<const double> without, const Progress& progress) {
  const std::size_t d = table.front().dimension, count = row_count(table);
  const Output* const released = run.find("coefficients");
  if (!released || released->values.size() != d) return {};
  in_range("coefficients", released->values, -1e100, 1e100);
  // Algorithms that need sums only are asked for no loss, and clip no gradients.
  PublicModel model = public_model(request, "squared");
  if (!request.texts.contains("loss")) model.bounds.gradient = infinite;
  const BoundedRecords records(table, *model.loss, model.bounds);
  RowCauses causes;
  causes.leverages_without.assign(without.begin(), without.end());
  // Finding out that a larger matrix is regular takes longer than anybody waits.
  const bool is_sought = without.empty() && d <= largest_eigensystem;
  const double share_of_factor = is_sought ? 0.5 : 0;
  std::optional<RecordsAtMinimum> there;
  if (is_sought)
    there.emplace(records, *model.loss, regularisation_of(run), released->values,
                  part_of(progress, 0, share_of_factor));
  const bool are_known = there && there->knows_leverages();
  for (auto* column : {&causes.misfits, &causes.gradients}) column->reserve(count);
  if (are_known) causes.leverages_without.reserve(count);
  static_assert(BoundedRecords::strip <= CertifiedFactor::strip);
  std::vector<Interval> predictions;
  records.in_strips(usual_block, part_of(progress, share_of_factor, 1),
                    [&](std::size_t, const BoundedRecords::Several& rows) {
                      predictions.clear();
                      for (std::size_t k = 0; k < rows.size(); ++k) {
                        predictions.push_back(quick_dot(rows.row(k), released->values));
                        const RowMisses row = misses_of(*model.loss, rows.records[k], predictions.back(), d);
                        causes.misfits.push_back(row.misfit);
                        causes.gradients.push_back(row.gradient);
                      }
                      if (!are_known) return;
                      for (const double share : there->shares(rows, predictions))
                        causes.leverages_without.push_back(leverage_without(share));
                    });
  causes.leverages.reserve(causes.leverages_without.size());
  for (const double one : causes.leverages_without)
    causes.leverages.push_back(std::min(1.0, rounded_up(1 / (1 + 1 / one))));
  return causes;
}

}  // namespace epsilometer
