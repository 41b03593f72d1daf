// What a release told about single people: reports that may be published, and reading them. It holds no
// formula and takes no decision.
#include <optional>
#include <string>

#include "core/report/personal/vote_loss.h"
#include "core/report/published/privacy_report_budget.h"
#include "core/report/published/published_report.h"
#include "core/report/questions/question.h"
#include "wasm/door/told.h"

using emscripten::val;
using namespace epsilometer;
using namespace epsilometer::door;

namespace {

using door::plain;

std::vector<double> numbers_or_none(const val& value) {
  return value.isNull() || value.isUndefined() ? std::vector<double>() : numbers(value);
}

MaterialNoise noise_of(const val& value) {
  return {number_or_none(value["gradient"]), number_or_none(value["hessian"]),
          number_or_none(value["eigenvalue"])};
}

val plain(const MaterialNoise& noise) {
  val result = val::object();
  const auto set = [&](const char* name, const std::optional<double>& sigma) {
    result.set(name, sigma ? val(*sigma) : val::null());
  };
  set("gradient", noise.gradient);
  set("hessian", noise.hessian);
  set("eigenvalue", noise.eigenvalue);
  return result;
}

ReportPromise promise_of(const val& value) {
  const std::string audience = value["audience"].as<std::string>();
  return {value["failure"].as<double>(),
          {audience == "one"    ? Audience::Kind::one
           : audience == "rows" ? Audience::Kind::fixed
                                : Audience::Kind::all,
           number_or_none(value["rows"]).value_or(1)}};
}

std::optional<ReleasedWhitening> whitening_of(const val& value) {
  if (value.isNull() || value.isUndefined()) return {};
  return ReleasedWhitening{numbers(value["gram"]), value["rows"].as<double>(), value["sigma"].as<double>(),
                           value["lambda"].as<double>(), value["gramSigma"].as<double>()};
}

PublishedReport report_of(const val& value) {
  const val material = value["material"];
  return {planned(fit_request(value["request"])), value["unitRows"].as<double>(),
          numbers(value["coefficients"]),         noise_of(value["noise"]),
          numbers_or_none(material["gradient"]),  numbers_or_none(material["hessian"]),
          number_or_none(material["eigenvalue"]), promise_of(value["promise"]),
          is_private(seed_of(value["seed"])),     whitening_of(value["whitening"])};
}

val plain(const Interval& interval) { return door::plain(interval.bounds()); }

val plain(const NumbersAnswer& answer) {
  val result = val::object();
  for (const auto& [name, number] : answer.numbers) result.set(name, plain(number));
  for (const auto& [name, list] : answer.lists) {
    val entries = val::array();
    for (const Interval& one : list) entries.call<void>("push", plain(one));
    result.set(name, entries);
  }
  for (const auto& [name, found] : answer.descriptions) result.set(name, door::plain(found));
  return result;
}

val ask_in_numbers(const val& question) {
  return guarded([&] { return plain(answer_in_numbers(description(question))); }, "question");
}

val ask_told(const val& report, const val& features, double label, bool is_member) {
  return guarded(
      [&] {
        const Told found = epsilometer::told(report_of(report), numbers(features), label,
                                             is_member ? Direction::remove : Direction::add);
        return door::told(found.own_price, found.price, found.realised);
      },
      "report");
}

val begin_records(double dimension) {
  return guarded([&] { return kept(KeptRecords(static_cast<std::size_t>(dimension))); }, "table");
}

val run_material(double session, const val& report, const val& source, const val& seed, const val& progress) {
  const auto run = [&](Generator& generator) {
    const auto records = session_of<KeptRecords>(session).records();
    const PublishedReport asked = report_of(report);
    const ReportMaterial found = published(asked, records, generator, progress_of(progress));
    val result = val::object();
    result.set("gradient", found.gradient ? typed(found.gradient->values) : val::null());
    result.set("hessian", found.hessian ? typed(found.hessian->values) : val::null());
    result.set("eigenvalue", found.eigenvalue ? val(found.eigenvalue->value) : val::null());
    result.set("private", asked.is_private && !generator.demonstration());
    return result;
  };
  JavaScriptEntropy entropy(source);
  return guarded([&] { return with_generator(entropy, seed_of(seed), run); }, "table");
}

val ask_report_price(const val& report) {
  return guarded(
      [&] {
        const PublishedReport asked = report_of(report);
        val result = val::object();
        result.set("price", plain(price_of(asked)));
        result.set("private", asked.is_private);
        return result;
      },
      "report");
}

val ask_split(const val& request, double share, bool eigenvalue, const val& person, const val& promise) {
  return guarded(
      [&] {
        const ReportSplit split =
            report_split(fit_request(request), share, eigenvalue,
                         {person["rows"].as<double>(), person["wrong"].as<double>()}, promise_of(promise));
        val numbers = val::object();
        for (const auto& [name, value] : split.request.numbers) numbers.set(name, value);
        val result = val::object();
        result.set("numbers", numbers);
        result.set("noise", plain(split.noise));
        result.set("price", plain(split.price));
        result.set("epsilon", plain(split.epsilon));
        result.set("without", plain(split.without));
        result.set("with", plain(split.with));
        return result;
      },
      "request");
}

val plain(const VoteLoss& found) {
  val result = val::object();
  result.set("order", found.order);
  result.set("renyi", found.renyi);
  result.set("epsilon", found.epsilon);
  result.set("plainEpsilon", found.plain_epsilon);
  result.set("testedOrder", found.tested_order);
  result.set("smoothSensitivity", found.smooth_sensitivity);
  result.set("testedEpsilon", found.tested_epsilon);
  return result;
}

// Question by question.
val ask_vote_loss(const val& votes, double questions, const val& told) {
  return guarded(
      [&] {
        const std::vector<double> all = numbers(votes);
        const auto rows = static_cast<std::size_t>(questions);
        VoteCounts counts(rows, all.size() / rows, VoteForm::counts);
        for (std::size_t question = 0; question < rows; ++question) {
          const double label = static_cast<double>(question);
          const auto row = std::span(all).subspan(question * counts.classes(), counts.classes());
          counts.add({1, counts.classes(), row, std::span(&label, 1)});
        }
        Vote vote{told["scale"].as<double>(), told["isSwitched"].as<bool>(), false, {}};
        const auto least = number_or_none(told["leastVotes"]),
                   scale = number_or_none(told["leastVotesScale"]);
        if (least && scale) vote.least = {*least, *scale};
        return plain(vote_loss(counts, vote, told["delta"].as<double>(), told["testEpsilon"].as<double>()));
      },
      "votes");
}

val run_voters(double session, const val& request, double unit_rows, double delta, double test,
               const val& progress) {
  return guarded(
      [&] {
        return plain(vote_loss(*planned(fit_request(request)), session_of<KeptRecords>(session).records(),
                               unit_rows, delta, test, progress_of(progress)));
      },
      "table");
}

}  // namespace

EMSCRIPTEN_BINDINGS(reports) {
  emscripten::function("inNumbers", &ask_in_numbers);
  emscripten::function("voteLoss", &ask_vote_loss);
  emscripten::function("runVoters", &run_voters);
  emscripten::function("told", &ask_told);
  emscripten::function("beginRecords", &begin_records);
  emscripten::function("runMaterial", &run_material);
  emscripten::function("reportPrice", &ask_report_price);
  emscripten::function("reportSplit", &ask_split);
}
