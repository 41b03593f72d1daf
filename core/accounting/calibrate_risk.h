// The least noisy value of a parameter that keeps a risk within a limit.
#pragma once

#include <optional>

#include "core/accounting/calibrate.h"
#include "core/accounting/risk.h"

namespace epsilometer {

struct CalibratedRisk {
  /// Keeps the limit, by evaluation; so does what `risk` says of it, where a hair more noise makes it.
  double value;
  /// Certifiably breaks it; nothing when no value in range does.
  std::optional<double> insufficient;
  /// The risk at that value; its guaranteed end never exceeds the limit (never is below it, for bayes-error).
  Bounds risk;
  /// `value` where privacy moves one way with the parameter; nothing is known where it does not.
  std::optional<double> lasting;
};

/// Refuses what `threshold` refuses, and a limit that no value in range keeps.
CalibratedRisk calibrate(const Description& description, const Parameter& parameter, const Risk& asked,
                         double limit);

}  // namespace epsilometer
