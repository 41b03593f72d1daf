// Descriptions in one line, for tests.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"

inline epsilometer::Description one(const char* kind, std::map<std::string, double> numbers) {
  return {kind, std::move(numbers), {}, {}, {}};
}

inline epsilometer::Description sampled(const char* sampling, double rate,
                                        const epsilometer::Description& base) {
  return {"subsampled", {{"rate", rate}}, {}, {{"sampling", sampling}}, {{base, 1}}};
}

inline epsilometer::Description repeated(const epsilometer::Description& mechanism, double count) {
  return {"composition", {}, {}, {}, {{mechanism, count}}};
}

/// The field for which it is refused, or nothing.
inline std::string refused_field(const epsilometer::Description& asked) {
  try {
    epsilometer::privacy_loss(asked);
  } catch (const epsilometer::Refusal& refusal) {
    return refusal.field;
  }
  return "";
}

inline std::shared_ptr<const epsilometer::PrivacyLoss> together(const std::vector<epsilometer::Part>& parts) {
  return epsilometer::privacy_loss({"composition", {}, {}, {}, parts});
}
