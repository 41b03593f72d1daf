#include "core/report/published/persons_told.h"

#include "core/base/refusal.h"
#include "core/report/personal/people_losses.h"
#include "core/report/published/published_report.h"

namespace epsilometer {
namespace {

// The refusal, if it is one.
template <class Ask>
std::optional<Refusal> refused(const Ask& ask) {
  try {
    ask();
    return std::nullopt;
  } catch (const Refusal& refusal) {
    return refusal;
  }
}

// A report holds the coefficients, and is read off them.
bool has_report(const Algorithm& algorithm, const Plan& plan, double unit_rows) {
  return plan.result.kind == OutputKind::coefficients &&
         !refused([&] { must_have_report(algorithm, plan, unit_rows); });
}

}  // namespace

PersonsTold persons_told(const Algorithm& algorithm, const Plan& plan, double unit_rows) {
  const auto refusal = refused([&] { must_have_losses(algorithm, Release(plan), unit_rows); });
  // What will be there once it is released is not missing for good.
  const bool rows = !refusal || refusal->kind == "missing";
  return {rows, has_report(algorithm, plan, unit_rows)};
}

PersonsTold persons_told(const Algorithm& algorithm, const Release& run, double unit_rows) {
  const bool rows = !refused([&] { must_have_losses(algorithm, run, unit_rows); });
  return {rows, !run.coefficients().empty() && has_report(algorithm, run, unit_rows)};
}

}  // namespace epsilometer
