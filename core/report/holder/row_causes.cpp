#include "core/report/holder/row_causes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/numerics/certified_factor.h"
#include "core/numerics/constants.h"
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

}  // namespace

RowCauses row_causes(const FitRequest& request, const Release& run, Pieces table, const Progress& progress) {
  const std::size_t d = table.front().dimension, count = row_count(table);
  const Output* const released = run.find("coefficients");
  if (!released || released->values.size() != d) return {};
  FitRequest asked = request;
  // Algorithms that need sums only have no other loss, and clip no gradients.
  asked.texts.try_emplace("loss", "squared");
  PublicModel model = public_model(asked);
  if (asked.texts != request.texts) model.bounds.gradient = infinite;
  const BoundedRecords records(table, *model.loss, model.bounds);
  const Rows rows(records, *model.loss, released->values);
  RowCauses causes;
  ProductSum sum(d);
  std::vector<double> x(strip * d);
  each_row(count, usual_block, part_of(progress, 0, 0.5), [&](std::size_t i) {
    const auto z = std::span(x).first(d);
    const Row row = rows.read(i, z);
    causes.misfits.push_back(row.misfit);
    causes.gradients.push_back(row.gradient);
    const double root = std::sqrt(row.second);
    for (double& one : z) one *= root;
    sum.add(z);
  });
  const std::vector<double> hessian = sum.values();
  const auto factor = CertifiedFactor::of(hessian, d, regularisation_of(run),
                                          rounded_up((sum.error() + 8 * unit_roundoff) * trace(hessian, d)));
  if (!factor) return causes;
  static_assert(usual_block % strip == 0);
  in_blocks(count, usual_block, part_of(progress, 0.5, 1), [&](std::size_t first, std::size_t end) {
    for (std::size_t i = first; i < end; i += strip) {
      const std::size_t together = std::min(strip, end - i);
      std::array<double, strip> seconds{};
      for (std::size_t k = 0; k < together; ++k)
        seconds[k] = rows.read(i + k, std::span(x).subspan(k * d, d)).second;
      const auto forms = factor->forms(x, together, false);
      for (std::size_t k = 0; k < together; ++k) {
        const double leverage = std::min(1.0, rounded_up(seconds[k] * forms[k].once.upper()));
        causes.leverages.push_back(leverage);
        causes.leverages_without.push_back(leverage < 1 ? rounded_up(leverage / (1 - leverage)) : infinite);
      }
    }
  });
  return causes;
}

}  // namespace epsilometer
