// Plain JavaScript values as the core's and back. Only this folder knows Emscripten. A refusal becomes {
// refusal }, because exceptions must not cross.
#pragma once

#include <emscripten/bind.h>

#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/loss/description.h"

namespace epsilometer::door {

std::vector<double> numbers(const emscripten::val& list);

/// Nothing, where there is no number.
inline std::optional<double> number_or_none(const emscripten::val& value) {
  return value.isNumber() ? std::optional<double>(value.as<double>()) : std::nullopt;
}

/// A Float64Array of its own: a view would be detached when memory grows.
emscripten::val typed(const std::vector<double>& values);

/// Tells `visit` of every field of an object: its name, and its value.
template <class Visit>
void each_field(const emscripten::val& value, const Visit& visit) {
  const emscripten::val names = emscripten::val::global("Object").call<emscripten::val>("keys", value);
  for (int i = 0; i < names["length"].as<int>(); ++i) {
    const std::string name = names[i].as<std::string>();
    visit(name, value[name]);
  }
}

Description description(const emscripten::val& value);

/// Whatever is inside is a list of parts; which kinds have one mechanism instead, the catalogue knows.
emscripten::val plain(const Description& description);

/// { lower, upper }
emscripten::val plain(const Bounds& bounds);

/// What its ends are worth, as "kind".
emscripten::val answered(emscripten::val result, Certainty certainty);

/// { refusal: { kind, field, value, rule } }
emscripten::val refused(const Refusal& refusal);

inline Refusal too_large(const char* subject) {
  return {"unsupported", subject, "of this size", "needs more memory than there is"};
}

/// The answer, or why there is none. `subject`: what is too large when memory runs out.
template <class Answer>
emscripten::val guarded(const Answer& answer, const char* subject = "description") {
  try {
    return answer();
  } catch (const std::bad_alloc&) {
    return refused(too_large(subject));
  } catch (const std::length_error&) {
    return refused(too_large(subject));
  } catch (const Refusal& refusal) {
    return refused(refusal);
  }
}

}  // namespace epsilometer::door
