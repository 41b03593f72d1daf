#include "core/release/odometer.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/release/price.h"

namespace epsilometer {
namespace {

double worst_of(const OdometerRun& run, double rows) {
  const double worst = price(run.description, {std::nullopt, 0, rows}).epsilon.upper;
  if (std::isfinite(worst)) return worst;
  throw Refusal("unsupported", "releases", run.description.kind,
                "may fail with a probability delta: losses after the fact are not added to such releases");
}

}  // namespace

Odometer odometer(std::span<const OdometerRun> runs, double group) {
  Odometer sum{0, 0};
  for (const OdometerRun& run : runs) group = std::max(group, run.rows);
  for (const OdometerRun& run : runs) {
    if (run.neighbours != runs[0].neighbours)
      throw Refusal("unsupported", "neighbours", run.neighbours,
                    "must be those of the other releases, " + runs[0].neighbours);
    const double own = worst_of(run, run.rows), spent = run.spent.value_or(own);
    // Both were rounded up, each by itself.
    if (!(0 <= spent && spent <= own * (1 + 1e-9)))
      throw Refusal("range", "spent", shown(spent),
                    "must be from 0 to what it might have cost, " + shown(own));
    const double worst = group == run.rows ? own : worst_of(run, group);
    const double all = std::min(worst, rounded_up(std::ceil(group / run.rows) * spent));
    sum = {rounded_up(sum.spent + all), rounded_up(sum.worst + worst)};
  }
  return sum;
}

}  // namespace epsilometer
