#include "core/report/holder/row_causes.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/certified_factor.h"
#include "core/numerics/constants.h"
#include "core/numerics/eigensystem.h"
#include "core/numerics/quick_sum.h"
#include "core/release/model_request.h"
#include "core/report/personal/records_at_minimum.h"

namespace epsilometer {
namespace {

constexpr std::size_t strip = CertifiedFactor::strip;

// That of the model as it was released, or planned.
double regularisation_of(const Release& run) {
  for (const char* name : {"lambda", "ridge"})
    if (run.holds(name)) return run.number(name);
  const auto planned = run.parameters.find("lambda");
  return planned == run.parameters.end() ? 1 : planned->second;
}

struct Row {
  double misfit, gradient;
};

class Rows {
 public:
  Rows(const BoundedRecords& records, const Loss& loss, const std::vector<double>& coefficients)
      : records_(records), loss_(loss), coefficients_(coefficients) {}

  // Fills x.
  Row read(std::size_t i, std::span<double> x) const {
    const auto record = records_.read(i, x);
    const Interval u = quick_dot(x, coefficients_);
    // Derivatives of convex functions rise: one of both ends has the largest size.
    double misfit = 0, slope = 0;
    for (const double end : {u.lower(), u.upper()}) {
      misfit = std::max(misfit, std::abs(loss_.at(end, record.label).first));
      slope = std::max(slope, std::abs(records_.at(record, end).first));
    }
    const double margin = (static_cast<double>(x.size()) + 64) * unit_roundoff;
    return {rounded_up(misfit, margin), rounded_up(slope * record.norm, margin)};
  }

 private:
  const BoundedRecords& records_;
  const Loss& loss_;
  const std::vector<double>& coefficients_;
};

// Without each row, by the Hessian of the losses of all; nothing where doubles cannot tell them.
std::vector<double> leverages_without(const BoundedRecords& records, const Loss& loss, double lambda,
                                      const std::vector<double>& coefficients, const Progress& progress) {
  const RecordsAtMinimum there(records, loss, lambda, coefficients, part_of(progress, 0, 0.5));
  std::vector<double> found;
  if (!there.knows_leverages()) return found;
  found.reserve(records.count());
  static_assert(usual_block % strip == 0);
  in_blocks(records.count(), usual_block, part_of(progress, 0.5, 1), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; i += strip)
      for (const double share : there.shares(records.read(i, std::min(strip, end - i))))
        found.push_back(leverage_without(share));
  });
  return found;
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
  const Rows rows(records, *model.loss, released->values);
  RowCauses causes;
  causes.leverages_without.assign(without.begin(), without.end());
  // Finding out that a larger matrix is regular takes longer than anybody waits.
  const bool is_sought = without.empty() && d <= largest_eigensystem;
  for (auto* column : {&causes.misfits, &causes.gradients}) column->reserve(count);
  std::vector<double> x(d);
  each_row(count, usual_block, part_of(progress, 0, is_sought ? 0.2 : 1), [&](std::size_t i) {
    const Row row = rows.read(i, x);
    causes.misfits.push_back(row.misfit);
    causes.gradients.push_back(row.gradient);
  });
  if (is_sought)
    causes.leverages_without = leverages_without(records, *model.loss, regularisation_of(run),
                                                 released->values, part_of(progress, 0.2, 1));
  causes.leverages.reserve(causes.leverages_without.size());
  for (const double one : causes.leverages_without)
    causes.leverages.push_back(std::min(1.0, rounded_up(1 / (1 + 1 / one))));
  return causes;
}

}  // namespace epsilometer
