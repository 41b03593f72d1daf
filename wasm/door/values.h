// Plain JavaScript values as the core's and back. Only this folder knows Emscripten. A refusal becomes {
// refusal }, because exceptions must not cross.
#pragma once

#include <emscripten/bind.h>

#include <new>
#include <vector>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/loss/description.h"

namespace epsilometer::door {

std::vector<double> numbers(const emscripten::val& list);

/// A Float64Array of its own: a view would be detached when memory grows.
emscripten::val typed(const std::vector<double>& values);

Description description(const emscripten::val& value);

/// One part is the mechanism inside another, save for a composition.
emscripten::val plain(const Description& description);

/// { lower, upper }
emscripten::val plain(const Bounds& bounds);

/// What its ends are worth, as "kind".
emscripten::val answered(emscripten::val result, Certainty certainty);

/// { refusal: { kind, field, value, rule } }
emscripten::val refused(const Refusal& refusal);

/// The answer, or why there is none. `subject`: what is too large when memory runs out.
template <class Answer>
emscripten::val guarded(const Answer& answer, const char* subject = "description") {
  try {
    return answer();
  } catch (const std::bad_alloc&) {
    return refused({"unsupported", subject, "of this size", "needs more memory than there is"});
  } catch (const Refusal& refusal) {
    return refused(refusal);
  }
}

}  // namespace epsilometer::door
