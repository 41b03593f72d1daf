// What private fits and reports share at the door: requests, tables that wait for their rows, and randomness.
#pragma once

#include <memory>
#include <variant>

#include "core/noise/noise_source.h"
#include "core/release/fit_session.h"
#include "wasm/door/values.h"

namespace epsilometer::door {

FitRequest fit_request(const emscripten::val& value);

/// The last requests that were asked about are kept: questions about a release come in rows, a fit after its
/// plan, and simulations fit the same again and again.
std::shared_ptr<const PlannedRequest> planned(const FitRequest& asked);

/// A fit, or the rows themselves for what is told about single records.
using Session = std::variant<FitSession, KeptRecords>;

/// Keeps it under a number that JavaScript knows it by: { session }. No number is given twice.
emscripten::val kept(Session session);

/// What waits under that number; refuses numbers under which nothing does, or something else.
template <class Kind>
Kind& session_of(double number);

/// A function that fills an array with secret bytes, and says whether it could.
class JavaScriptEntropy final : public Entropy {
 public:
  explicit JavaScriptEntropy(const emscripten::val& source) : source_(source) {}
  bool fill(Key& key) override;

 private:
  emscripten::val source_;
};

/// null is none.
inline Seed seed_of(const emscripten::val& seed) {
  return seed.isNull() ? Seed() : static_cast<std::uint64_t>(seed.as<double>());
}

/// Whether to go on, told of the share that is done.
inline Progress progress_of(const emscripten::val& told) {
  return [told](double share) { return told(share).template as<bool>(); };
}

}  // namespace epsilometer::door
