#include "wasm/door/values.h"

#include <utility>

using emscripten::val;

// Embind would tell of a type that nobody bound by its address, and bring all of printf for that: 2 KB. Here
// every type is bound.
extern "C" int siprintf(char* text, const char*, ...) {
  *text = 0;
  return 0;
}

namespace epsilometer::door {

std::vector<double> numbers(const val& list) {
  return emscripten::convertJSArrayToNumberVector<double>(list);
}

val typed(const std::vector<double>& values) {
  // A copy: a view would be detached when memory grows.
  return val::global("Float64Array").new_(val(emscripten::typed_memory_view(values.size(), values.data())));
}

Description description(const val& value) {
  Description result;
  each_field(value, [&](const std::string& name, const val& entry) {
    if (name == "kind") {
      result.kind = entry.as<std::string>();
    } else if (name == "of" && !entry.isArray()) {
      result.parts.push_back({description(entry), 1});
    } else if (name == "of") {
      for (int j = 0; j < entry["length"].as<int>(); ++j) {
        result.parts.push_back({description(entry[j]["mechanism"]), entry[j]["count"].as<double>()});
      }
    } else if (entry.isNumber()) {
      result.numbers[name] = entry.as<double>();
    } else if (entry.isString()) {
      result.texts[name] = entry.as<std::string>();
    } else if (entry.isArray()) {
      result.lists[name] = numbers(entry);
    }
  });
  return result;
}

val plain(const Description& description) {
  val result = val::object();
  result.set("kind", description.kind);
  for (const auto& [name, number] : description.numbers) result.set(name, number);
  for (const auto& [name, text] : description.texts) result.set(name, text);
  for (const auto& [name, list] : description.lists) result.set(name, val::array(list));
  if (description.parts.empty()) return result;
  val parts = val::array();
  for (const Part& part : description.parts) {
    val entry = val::object();
    entry.set("mechanism", plain(part.mechanism));
    entry.set("count", part.count);
    parts.call<void>("push", entry);
  }
  result.set("of", parts);
  return result;
}

val plain(const Bounds& bounds) {
  val result = val::object();
  result.set("lower", bounds.lower);
  result.set("upper", bounds.upper);
  return result;
}

val answered(val result, Certainty certainty) {
  result.set("kind", certainty == Certainty::exact       ? "exact"
                     : certainty == Certainty::certified ? "certified"
                                                         : "bound");
  return result;
}

val refused(const Refusal& refusal) {
  val reason = val::object();
  reason.set("kind", refusal.kind);
  reason.set("field", refusal.field);
  reason.set("value", refusal.value);
  reason.set("rule", refusal.rule);
  val result = val::object();
  result.set("refusal", reason);
  return result;
}

}  // namespace epsilometer::door
