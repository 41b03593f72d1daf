// Private fits: planned, begun, given their rows, run. It holds no formula and takes no decision.
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/accounting/filter.h"
#include "core/accounting/menu.h"
#include "core/release/odometer.h"
#include "core/release/price.h"
#include "core/report/holder/persons_told.h"
#include "wasm/door/sessions.h"

using emscripten::val;
using namespace epsilometer;
using namespace epsilometer::door;

namespace {

// Beside those below.
using door::plain;

val plain(const OutputType& type) {
  val shape = val::array();
  for (const std::size_t length : type.shape) shape.call<void>("push", static_cast<double>(length));
  val result = val::object();
  result.set("name", type.name);
  result.set("kind", name_of(type.kind));
  result.set("shape", shape);
  return result;
}

val plain(const Output& output) {
  val result = plain(static_cast<const OutputType&>(output));
  result.set("values", typed(output.values));
  if (!output.edges.empty()) result.set("edges", typed(output.edges));
  return result;
}

val plain(const Plan& plan) {
  val parameters = val::object();
  for (const auto& [name, value] : plan.parameters) parameters.set(name, value);
  val result = val::object();
  result.set("description", plain(plan.description));
  result.set("parameters", parameters);
  result.set("neighbours", plan.neighbours);
  result.set("needs", plan.needs_sums_only ? "sums" : "rows");
  result.set("result", plain(plan.result));
  result.set("guarantee", name_of(plan.guarantee));
  return result;
}

val plain(const Spread& spread) {
  const auto sampling = spread.sampling_deviations();
  val result = val::object();
  result.set("level", interval_level);
  result.set("law", name_of(spread.law));
  result.set("covariance", typed(spread.covariance));
  result.set("deviations", spread.deviations());
  result.set("samplingLaw", name_of(Spread::sampling_law));
  result.set("samplingDeviations", sampling ? val(*sampling) : val::null());
  return result;
}

val plain(const UnknownSpread& reason) {
  val result = val::object();
  result.set("level", interval_level);
  result.set("unknown", name_of(reason));
  return result;
}

val plain(const ExPostLoss& loss) {
  val result = val::object();
  result.set("testing", loss.testing);
  result.set("model", loss.model);
  result.set("total", loss.total);
  return result;
}

val plain(const Release& release) {
  val result = plain(static_cast<const Plan&>(release));
  val outputs = val::array();
  for (const Output& output : release.outputs) outputs.call<void>("push", plain(output));
  result.set("outputs", outputs);
  result.set("exPost", release.ex_post ? plain(*release.ex_post) : val::null());
  if (release.outcome == Outcome::refused_by_test) result.set("outcome", "refused-by-test");
  result.set("spread", std::visit([](const auto& spread) { return plain(spread); }, release.spread));
  return result;
}

val ask_price(const val& run, const val& promise) {
  return guarded([&] {
    const Promise kept{number_or_none(promise["epsilon"]), promise["delta"].as<double>(),
                       promise["rows"].as<double>()};
    const double gap = promise["gap"].isUndefined() ? fine_gap : promise["gap"].as<double>();
    const Price found = price(description(run), kept, gap);
    return answered(plain(found.epsilon), found.certainty);
  });
}

val ask_odometer(const val& runs, double group) {
  return guarded([&] {
    std::vector<OdometerRun> all;
    for (int i = 0; i < runs["length"].as<int>(); ++i) {
      const val run = runs[i], spent = run["spent"];
      all.push_back({description(run["description"]), run["neighbours"].as<std::string>(),
                     run["rows"].as<double>(),
                     spent.isNull() ? std::optional<double>{} : spent.as<double>()});
    }
    const Odometer found = odometer(all, group);
    val result = val::object();
    result.set("spent", found.spent);
    result.set("worst", found.worst);
    return result;
  });
}

val plain(const Charge& charge) {
  val result = val::object();
  result.set("amount", charge.amount);
  result.set("delta", charge.delta);
  return result;
}

// What an entry takes of its budget. Of (epsilon, delta), what all of its runs cost at its own delta.
Charge charge(const val& entry, FilterRule rule, double order) {
  const Description mechanism = description(entry["mechanism"]);
  const double count = entry["count"].as<double>(), delta = entry["delta"].as<double>();
  if (rule != FilterRule::approximate) return charge_of(*privacy_loss(mechanism), count, rule, order);
  const Description all{"composition", {}, {}, {}, {{mechanism, count}}};
  return {epsilon(*privacy_loss(count == 1 ? mechanism : all), delta).upper, delta};
}

// Amounts in what adds up, of gdp the square of mu; of a budget mu itself.
val ask_filter(int rule_number, double order, const val& budget, const val& entries) {
  return guarded([&] {
    const auto rule = static_cast<FilterRule>(rule_number);
    const bool squared = rule == FilterRule::gdp;
    const double amount = budget["amount"].as<double>();
    Filter filter({squared ? square_downward(amount) : amount, budget["delta"].as<double>()});
    val told = val::array();
    for (int i = 0; i < entries["length"].as<int>(); ++i) {
      Charge one = charge(entries[i], rule, order);
      const bool fits = filter.take(one);
      if (squared) one.amount = root_upward(one.amount);
      val entry = plain(one);
      entry.set("fits", fits);
      told.call<void>("push", entry);
    }
    Charge spent = filter.spent(), left = filter.left();
    if (squared) spent.amount = root_upward(spent.amount), left.amount = root_downward(left.amount);
    val result = val::object();
    result.set("entries", told);
    result.set("spent", plain(spent));
    result.set("left", plain(left));
    return result;
  });
}

val ask_menu(const val& choices, double rounds, double delta, double gap) {
  return guarded(
      [&] {
        std::vector<MenuChoice> menu;
        for (int i = 0; i < choices["length"].as<int>(); ++i) {
          const Description one = description(choices[i]), plan{"composition", {}, {}, {}, {{one, rounds}}};
          menu.push_back({privacy_loss(one), privacy_loss(plan)});
        }
        const Menu found(menu, rounds, gap);
        return answered(plain(found.epsilon(delta)), found.certainty());
      },
      "menu");
}

// What is said of a plan and of a release by whoever runs it.
val with_persons(val result, const PersonsTold& told, bool is_private) {
  val persons = val::object();
  persons.set("rows", told.rows);
  persons.set("report", told.report);
  persons.set("votes", told.votes);
  result.set("persons", persons);
  result.set("private", is_private);
  return result;
}

val ask_plan(const val& request, const val& seed, double unit_rows) {
  return guarded(
      [&] {
        const auto run = planned(fit_request(request));
        const PersonsTold told = persons_told(*run->algorithm, run->plan, unit_rows);
        return with_persons(plain(run->plan), told, is_private(seed_of(seed)));
      },
      "algorithm");
}

val ask_ex_post(const val& request, double level) {
  return guarded([&] {
    const auto loss = planned(fit_request(request))->algorithm->ex_post_at(static_cast<std::size_t>(level));
    val result = val::object();
    result.set("loss", loss ? plain(*loss) : val::null());
    return result;
  });
}

val begin_fit(const val& request, bool is_private) {
  return guarded(
      [&] {
        const FitRequest asked = fit_request(request);
        return kept(is_private ? FitSession(planned(asked)->algorithm, asked)
                               : FitSession::without_privacy(asked));
      },
      "algorithm");
}

// Whole numbers beyond those of doubles: high * 2^48 + low.
val add_sums(double session, const val& high, const val& low, double count) {
  return guarded(
      [&] {
        const std::vector<double> upper = numbers(high), lower = numbers(low);
        std::vector<__int128> sums;
        for (std::size_t i = 0; i < upper.size(); ++i)
          sums.push_back((static_cast<__int128>(upper[i]) << 48) + static_cast<std::int64_t>(lower[i]));
        session_of<FitSession>(session).add(IntegerSum(std::move(sums)), count);
        return val::object();
      },
      "statistics");
}

val run_fit(double session, const val& source, const val& seed, double unit_rows, const val& progress) {
  const auto run = [&](Generator& generator) {
    const FitSession& fit = session_of<FitSession>(session);
    const Release release = fit.run(generator, progress_of(progress));
    return with_persons(plain(release), persons_told(fit.algorithm(), release, unit_rows),
                        !generator.demonstration());
  };
  const auto answer = [&] {
    JavaScriptEntropy entropy(source);
    try {
      return with_generator(entropy, seed_of(seed), run);
    } catch (const Refusal& refusal) {
      val told = refused(refusal);
      told["refusal"].set("spent", is_spent(refusal));
      return told;
    }
  };
  return guarded(answer, "table");
}

}  // namespace

EMSCRIPTEN_BINDINGS(fits) {
  emscripten::function("price", &ask_price);
  emscripten::function("odometer", &ask_odometer);
  emscripten::function("filter", &ask_filter);
  emscripten::function("menu", &ask_menu);
  emscripten::function("plan", &ask_plan);
  emscripten::function("exPost", &ask_ex_post);
  emscripten::function("beginFit", &begin_fit);
  emscripten::function("addSums", &add_sums);
  emscripten::function("runFit", &run_fit);
}
