// What one person is told, by a report or to whoever may see the table, as a JavaScript value.
#pragma once

#include "core/report/published/published_report.h"
#include "wasm/door/sessions.h"

namespace epsilometer::door {

emscripten::val plain(const PersonalBound& bound);

/// { ownPrice, price, realised }
emscripten::val told(const Description& own, const Description& everybody,
                     const std::optional<PersonalBound>& realised);

}  // namespace epsilometer::door
