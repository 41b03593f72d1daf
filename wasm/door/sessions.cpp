#include "wasm/door/sessions.h"

#include <algorithm>
#include <map>

#include "core/base/refusal.h"

using emscripten::val;

namespace epsilometer::door {
namespace {

// More than a ranking has of each sort.
constexpr std::size_t most_planned = 64;

std::map<double, Session>& sessions() {
  static std::map<double, Session> waiting;
  return waiting;
}

Session& found(double number) {
  const auto found = sessions().find(number);
  if (found == sessions().end())
    throw Refusal("unknown", "session", shown(number), "no table is waited for under this number");
  return found->second;
}

val add_rows(double session, const val& features, const val& labels) {
  return guarded(
      [&] {
        std::visit([&](auto& waiting) { waiting.add(numbers(features), numbers(labels)); }, found(session));
        return val::object();
      },
      "table");
}

void end_session(double number) { sessions().erase(number); }

Tuning::Candidate candidate(const val& value) {
  Tuning::Candidate result;
  each_field(value, [&](const std::string& name, const val& entry) {
    if (entry.isNumber()) {
      result.numbers[name] = entry.as<double>();
    } else {
      result.texts[name] = entry.as<std::string>();
    }
  });
  return result;
}

Tuning tuning(const val& value) {
  Tuning result{{},
                value["expectedRuns"].as<double>(),
                value["score"].as<std::string>(),
                value["scoreShare"].as<double>()};
  const val candidates = value["candidates"];
  for (int i = 0; i < candidates["length"].as<int>(); ++i)
    result.candidates.push_back(candidate(candidates[i]));
  return result;
}

double number_in(const val& value, const char* name) { return number_or_none(value[name]).value_or(0); }

Statistic statistic(const val& value) {
  Statistic result{value["of"].as<std::string>(), number_in(value, "columns"), value["products"].isTrue(),
                   number_in(value, "cells")};
  if (value["thousandths"].isArray()) result.thousandths = numbers(value["thousandths"]);
  result.delta = number_in(value, "delta");
  result.weight = number_in(value, "weight");
  if (value["levels"].isArray()) result.levels = numbers(value["levels"]);
  if (value["spectra"].isArray())
    for (int i = 0; i < value["spectra"]["length"].as<int>(); ++i) {
      const val one = value["spectra"][i];
      result.spectra.push_back({one["ofCorrelations"].isTrue(), numbers(one["places"])});
    }
  result.persons = value["persons"].isTrue();
  return result;
}

}  // namespace

FitRequest fit_request(const val& value) {
  FitRequest result;
  each_field(value, [&](const std::string& name, const val& entry) {
    if (name == "name") {
      result.algorithm = entry.as<std::string>();
    } else if (name == "tune") {
      result.tuning = tuning(entry);
    } else if (name == "statistics") {
      for (int i = 0; i < entry["length"].as<int>(); ++i) result.statistics.push_back(statistic(entry[i]));
    } else if (entry.isNumber()) {
      result.numbers[name] = entry.as<double>();
    } else {
      result.texts[name] = entry.as<std::string>();
    }
  });
  return result;
}

std::shared_ptr<const PlannedRequest> planned(const FitRequest& asked) {
  static std::vector<std::shared_ptr<const PlannedRequest>> last;
  const auto known =
      std::find_if(last.begin(), last.end(), [&](const auto& one) { return one->request == asked; });
  if (known != last.end()) return *known;
  auto made = std::make_shared<const PlannedRequest>(asked);
  if (last.size() == most_planned) last.erase(last.begin());
  return last.emplace_back(std::move(made));
}

val kept(Session session) {
  static double last = 0;
  sessions().emplace(++last, std::move(session));
  val result = val::object();
  result.set("session", last);
  return result;
}

template <class Kind>
Kind& session_of(double number) {
  if (Kind* session = std::get_if<Kind>(&found(number))) return *session;
  throw Refusal("unknown", "session", shown(number), "what waits under this number is of another kind");
}
template FitSession& session_of(double);
template KeptRecords& session_of(double);

bool JavaScriptEntropy::fill(Key& key) {
  return source_(val(emscripten::typed_memory_view(key.size(), key.data()))).as<bool>();
}

}  // namespace epsilometer::door

EMSCRIPTEN_BINDINGS(sessions) {
  emscripten::function("addRows", &epsilometer::door::add_rows);
  emscripten::function("endSession", &epsilometer::door::end_session);
}
