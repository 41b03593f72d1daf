// Descriptions in one line, for tests.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

inline Description one(const char* kind, std::map<std::string, double> numbers) {
  return {kind, std::move(numbers), {}, {}, {}};
}

inline Description sampled(const char* sampling, double rate, const Description& base) {
  return {"subsampled", {{"rate", rate}}, {}, {{"sampling", sampling}}, {{base, 1}}};
}

inline Description repeated(const Description& mechanism, double count) {
  return {"composition", {}, {}, {}, {{mechanism, count}}};
}

/// The field for which it is refused, or nothing.
inline std::string refused_field(const Description& asked) {
  try {
    privacy_loss(asked);
  } catch (const Refusal& refusal) {
    return refusal.field;
  }
  return "";
}

inline std::shared_ptr<const PrivacyLoss> together(const std::vector<Part>& parts) {
  return privacy_loss({"composition", {}, {}, {}, parts});
}

}  // namespace epsilometer
