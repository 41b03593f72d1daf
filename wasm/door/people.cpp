// What a release cost each row of its table, or one person. It holds no formula and takes no decision.
#include <cmath>

#include "core/report/holder/known_person.h"
#include "core/report/holder/people_losses.h"
#include "core/report/personal/people_summary.h"
#include "wasm/door/told.h"

using emscripten::val;
using namespace epsilometer;
using namespace epsilometer::door;

namespace {

// The outputs of a release as it was told: what is found again in it are their names and values.
Release release_of(const FitRequest& request, const val& outputs) {
  Release release(planned(request)->plan);
  for (int i = 0; i < outputs["length"].as<int>(); ++i)
    release.add(
        {{outputs[i]["name"].as<std::string>(), OutputKind::vector, {}}, numbers(outputs[i]["values"])});
  return release;
}

// Where the sizes of all people lie.
void set_places(val& result, const PeopleSummary& summary) {
  result.set("median", summary.quantile(0.5));
  result.set("ninetieth", summary.quantile(0.9));
  result.set("largest", summary.largest());
}

// The first four.
val moments_of(const PeopleSummary& summary) {
  std::vector<double> moments;
  for (int power = 1; power <= 4; ++power) moments.push_back(summary.moment(power));
  return typed(moments);
}

val plain(const RowCauses& causes) {
  val result = val::object();
  result.set("leverages", typed(causes.leverages));
  result.set("leveragesWithout", typed(causes.leverages_without));
  result.set("misfits", typed(causes.misfits));
  result.set("gradients", typed(causes.gradients));
  return result;
}

val plain_divergences(const PeopleLosses& people, const val& order) {
  const PeopleSummary summary(people.divergences);
  val result = val::object();
  result.set("order", order);
  result.set("divergences", typed(people.divergences));
  result.set("promised", people.promised_divergence);
  result.set("failure", people.failure);
  result.set("moments", moments_of(summary));
  set_places(result, summary);
  return result;
}

val plain_realised(const PeopleLosses& people) {
  std::vector<double> sizes;
  for (std::size_t i = 0; i < people.told_lower.size(); ++i)
    sizes.push_back(Interval(people.told_lower[i], people.told_upper[i]).magnitude());
  val result = val::object();
  result.set("lower", typed(people.told_lower));
  result.set("upper", typed(people.told_upper));
  result.set("failure", people.told_failure);
  set_places(result, PeopleSummary(sizes));
  return result;
}

// `question`: { delta, order, failure, epsilon }.
val run_people(double session, const val& request, const val& outputs, const val& question, double unit_rows,
               const val& progress) {
  return guarded(
      [&] {
        const auto records = session_of<KeptRecords>(session).records();
        const FitRequest asked = fit_request(request);
        const PeopleLosses people =
            people_losses(*planned(asked), release_of(asked, outputs), records,
                          {question["delta"].as<double>(), number_or_none(question["order"]),
                           number_or_none(question["failure"]), number_or_none(question["epsilon"])},
                          unit_rows, progress_of(progress));
        const PeopleSummary summary(people.losses);
        val result = val::object();
        result.set("losses", typed(people.losses));
        result.set("leverages", typed(people.leverages));
        result.set("residuals", typed(people.residuals));
        result.set("lengths", typed(people.lengths));
        result.set("moves", typed(people.moves));
        result.set("causes", plain(people.causes));
        result.set("promised", people.promised);
        result.set("mean", summary.moment(1));
        result.set("moments", moments_of(summary));
        set_places(result, summary);
        if (!people.divergences.empty()) result.set("renyi", plain_divergences(people, question["order"]));
        if (!people.told_lower.empty()) result.set("realised", plain_realised(people));
        return result;
      },
      "table");
}

// `person`: { features, labels, member, failure, unitRows }.
val run_person(double session, const val& request, const val& outputs, const val& person,
               const val& progress) {
  return guarded(
      [&] {
        const auto records = session_of<KeptRecords>(session).records();
        const FitRequest asked = fit_request(request);
        const std::vector<double> features = numbers(person["features"]), labels = numbers(person["labels"]);
        const Records rows{labels.size(), records.front().dimension, features, labels};
        const auto run = planned(asked);
        const KnownPerson known = known_person(
            *run, release_of(asked, outputs), records, rows,
            person["member"].as<bool>() ? Direction::remove : Direction::add,
            number_or_none(person["failure"]), person["unitRows"].as<double>(), progress_of(progress));
        const RecordFacts& facts = known.cost.facts;
        val result = told(known.cost.description, run->plan.description, known.realised);
        result.set("leverage", facts.leverage.upper());
        result.set("residual", facts.residual);
        result.set("length", std::sqrt(facts.square));
        result.set("move", facts.moved);
        return result;
      },
      "table");
}

}  // namespace

EMSCRIPTEN_BINDINGS(people) {
  emscripten::function("runPeople", &run_people);
  emscripten::function("runPerson", &run_person);
}
