// The same question put to several accountants: what each would claim, and what is true.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/accounting/calibrate.h"

namespace epsilometer {

struct Comparison {
  std::string accountant;
  /// The theorem that it rests on, where that is the mechanism's own; otherwise empty.
  std::string source;
  /// The epsilon that it reports at the asked delta, or was asked to reach.
  double claimed;
  /// The value it would choose for the parameter, when it was asked to calibrate one.
  std::optional<double> value;
  /// What the release really costs.
  Bounds actual;
  /// The claim is certifiably too small.
  bool broken;
};

/// Every accountant that can answer, by what it claims for epsilon at `delta`, in (0, 1). The last,
/// "lower-bound", is not a promise but what some mechanism of the class certainly costs.
std::vector<Comparison> compare(const Description& description, double delta);

/// Every accountant that can answer, by the value that it would choose to reach the target.
std::vector<Comparison> compare(const Description& description, const Parameter& parameter, Target target);

}  // namespace epsilometer
