#include "core/report/holder/row_causes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/certified_factor.h"
#include "core/numerics/constants.h"
#include "core/numerics/eigensystem.h"
#include "core/release/model_request.h"
#include "core/report/personal/table_sums.h"

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
  double misfit, gradient, second;
};

class Rows {
 public:
  Rows(const BoundedRecords& records, const Loss& loss, const std::vector<double>& coefficients)
      : records_(records), loss_(loss), coefficients_(coefficients) {}

  // Fills x.
  Row read(std::size_t i, std::span<double> x) const {
    const auto record = records_.read(i, x);
    double u = 0;
    for (std::size_t j = 0; j < x.size(); ++j) u += x[j] * coefficients_[j];
    const auto [first, second] = records_.at(record, u);
    const double margin = (static_cast<double>(x.size()) + 64) * unit_roundoff;
    return {rounded_up(std::abs(loss_.at(u, record.label).first), margin),
            rounded_up(std::abs(first) * record.norm, margin), second};
  }

 private:
  const BoundedRecords& records_;
  const Loss& loss_;
  const std::vector<double>& coefficients_;
};

// Without each row, by the Hessian of the losses of all; nothing where doubles cannot tell them.
std::vector<double> leverages_without(const Rows& rows, std::size_t count, ProductSum& sum, std::size_t d,
                                      double lambda, const Progress& progress) {
  const std::vector<double> hessian = sum.values();
  const double error = rounded_up((sum.error() + 8 * unit_roundoff) * trace(hessian, d));
  const auto factor = CertifiedFactor::of(hessian, d, lambda, error);
  std::vector<double> found;
  if (!factor) return found;
  static_assert(usual_block % strip == 0);
  std::vector<double> x(strip * d);
  in_blocks(count, usual_block, progress, [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; i += strip) {
      const std::size_t together = std::min(strip, end - i);
      std::array<double, strip> seconds{};
      for (std::size_t k = 0; k < together; ++k)
        seconds[k] = rows.read(i + k, std::span(x).subspan(k * d, d)).second;
      const auto forms = factor->forms(x, together, false);
      for (std::size_t k = 0; k < together; ++k)
        found.push_back(leverage_without(rounded_up(seconds[k] * forms[k].once.upper())));
    }
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
  ProductSum sum(is_sought ? d : 0);
  std::vector<double> x(d);
  each_row(count, usual_block, part_of(progress, 0, is_sought ? 0.5 : 1), [&](std::size_t i) {
    const Row row = rows.read(i, x);
    causes.misfits.push_back(row.misfit);
    causes.gradients.push_back(row.gradient);
    if (!is_sought) return;
    const double root = std::sqrt(row.second);
    for (double& one : x) one *= root;
    sum.add(x);
  });
  if (is_sought)
    causes.leverages_without =
        leverages_without(rows, count, sum, d, regularisation_of(run), part_of(progress, 0.5, 1));
  for (const double one : causes.leverages_without)
    causes.leverages.push_back(std::min(1.0, rounded_up(1 / (1 + 1 / one))));
  return causes;
}

}  // namespace epsilometer
