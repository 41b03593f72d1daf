// What a calculator is asked: prices, curves, calibration, random symmetric matrices. It holds no formula and
// takes no decision.
#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/accounting/calibrate_risk.h"
#include "core/accounting/compare.h"
#include "core/accounting/effective_mu.h"
#include "core/accounting/group.h"
#include "core/accounting/posterior.h"
#include "core/accounting/profile.h"
#include "core/goe/goe.h"
#include "core/goe/limit_quantile.h"
#include "wasm/door/values.h"

using emscripten::val;
using namespace epsilometer;
using namespace epsilometer::door;

namespace {

// Beside those below.
using door::plain;

Parameter parameter(const val& value) {
  Place place{{}, value["number"].as<std::string>()};
  for (const double part : numbers(value["parts"])) place.parts.push_back(static_cast<std::size_t>(part));
  return {value["path"].as<std::string>(), value["minimum"].as<double>(),   value["maximum"].as<double>(),
          value["whole"].as<bool>(),       value["morePrivate"].as<bool>(), place};
}

Target target(const val& value) { return {value["epsilon"].as<double>(), value["delta"].as<double>()}; }

val plain(const std::optional<double>& value) { return value ? val(*value) : val::null(); }

val plain(const std::vector<Bounds>& curve) {
  std::vector<double> lower, upper;
  for (const Bounds& bounds : curve) {
    lower.push_back(bounds.lower);
    upper.push_back(bounds.upper);
  }
  val result = val::object();
  result.set("lower", typed(lower));
  result.set("upper", typed(upper));
  return result;
}

val rows(const std::vector<Comparison>& comparisons) {
  val result = val::array();
  for (const Comparison& row : comparisons) {
    val entry = val::object();
    entry.set("accountant", row.accountant);
    entry.set("source", row.source);
    entry.set("claimed", row.claimed);
    entry.set("value", plain(row.value));
    entry.set("actual", plain(row.actual));
    entry.set("broken", row.broken);
    result.call<void>("push", entry);
  }
  return result;
}

// The last description that was asked about, with what follows from it alone: questions come in rows.
struct Known {
  Description description;
  double size, gap;
  GroupPrivacy group;
};

GroupPrivacy& known(const Description& asked, double size, double gap) {
  static std::unique_ptr<Known> last;
  if (!last || !(last->description == asked) || last->size != size || last->gap != gap) {
    last.reset();
    last.reset(new Known{asked, size, gap, GroupPrivacy(privacy_loss(asked), size, gap)});
  }
  return last->group;
}

// For the asked number of records, as if nothing had been asked before.
GroupPrivacy& fresh(const val& question, const val& options) {
  GroupPrivacy& group =
      known(description(question), options["group"].as<double>(), options["gap"].as<double>());
  group.forget();
  return group;
}

// Worth what the least certain of its intervals is.
Certainty certainty_of(const std::vector<Bounds>& answer, Certainty certainty) {
  for (const Bounds& bounds : answer) certainty = certainty_of(bounds, certainty);
  return certainty;
}

// One interval that is answered from the profile of a description.
val from_profile(const val& question, const val& options,
                 const std::function<Bounds(GroupPrivacy&)>& answer) {
  return guarded([&] {
    GroupPrivacy& group = fresh(question, options);
    const Bounds found = answer(group);
    return answered(plain(found), certainty_of(found, group.certainty()));
  });
}

// The same at every argument.
val curve(const val& question, const val& arguments, const val& options,
          const std::function<Bounds(GroupPrivacy&, double)>& evaluate) {
  return guarded([&] {
    GroupPrivacy& group = fresh(question, options);
    std::vector<Bounds> found;
    for (const double argument : numbers(arguments)) found.push_back(evaluate(group, argument));
    return answered(plain(found), certainty_of(found, group.certainty()));
  });
}

val ask_delta(const val& question, double level, const val& options) {
  return from_profile(question, options, [&](GroupPrivacy& group) { return group.delta(level); });
}

val ask_epsilon(const val& question, double level, const val& options) {
  return from_profile(question, options, [&](GroupPrivacy& group) { return group.epsilon(level); });
}

val ask_profile(const val& question, const val& epsilons, const val& options) {
  return curve(question, epsilons, options, &GroupPrivacy::delta);
}

val ask_power(const val& question, const val& false_positives, const val& options) {
  return curve(question, false_positives, options,
               [](GroupPrivacy& group, double rate) { return group.power(rate); });
}

val ask_posterior(const val& question, double prior, double exceptions, const val& options) {
  return guarded([&] {
    GroupPrivacy& group = fresh(question, options);
    const Posterior found = posterior(group, prior, exceptions);
    val result = val::object();
    result.set("event", plain(found.event));
    result.set("right", plain(found.right));
    result.set("wrong", plain(found.wrong));
    return answered(result, certainty_of({found.event, found.right, found.wrong}, group.certainty()));
  });
}

val ask_risk(const val& question, const std::string& measure, double prior, double rate, const val& options) {
  return from_profile(question, options, [&](GroupPrivacy& group) {
    return risk(group, {measure, prior, rate});
  });
}

val ask_effective_mu(const val& question, double level, const val& options) {
  return from_profile(question, options, [&](GroupPrivacy& group) { return effective_mu(group, level); });
}

val ask_gaussian_cover(const val& question, double rate, const val& options) {
  return guarded([&] {
    GroupPrivacy& group = fresh(question, options);
    const GaussianCover found = gaussian_cover(group, rate);
    val result = val::object();
    result.set("mu", plain(found.mu));
    result.set("regret", plain(found.regret));
    // A search ends before rounding is all that is left.
    return answered(result, std::max(group.certainty(), Certainty::certified));
  });
}

val ask_renyi(const val& question, const val& orders) {
  return guarded([&] {
    const auto loss = privacy_loss(description(question));
    std::vector<double> values = numbers(orders);
    for (double& value : values) value = loss->renyi(in_range("orders", value, least_order, most_order));
    return typed(values);
  });
}

// A found value, and under that name what it costs: how certain that is, another value need not share.
template <class Found>
val calibration(const Description& asked, const Parameter& sought, const Found& found, const char* name,
                const Bounds& cost) {
  val result = val::object();
  result.set("value", found.value);
  result.set("insufficient", plain(found.insufficient));
  result.set(name, plain(cost));
  result.set("lasting", plain(found.lasting));
  return answered(result, certainty_of(cost, Profile(*loss_with(asked, sought, found.value)).certainty()));
}

val ask_calibrate(const val& question, const val& sought, const val& aim) {
  return guarded([&] {
    const Description asked = description(question);
    const Parameter number = parameter(sought);
    const Calibrated found = calibrate(asked, number, target(aim));
    return calibration(asked, number, found, "epsilon", found.epsilon);
  });
}

val ask_calibrate_risk(const val& question, const val& sought, const std::string& measure, double prior,
                       double rate, double limit) {
  return guarded([&] {
    const Description asked = description(question);
    const Parameter number = parameter(sought);
    const CalibratedRisk found = calibrate(asked, number, {measure, prior, rate}, limit);
    return calibration(asked, number, found, "risk", found.risk);
  });
}

val ask_compare(const val& question, const val& sought, const val& aim) {
  return guarded([&] {
    if (sought.isNull()) return rows(compare(description(question), aim["delta"].as<double>()));
    return rows(compare(description(question), parameter(sought), target(aim)));
  });
}

val plain(const Estimate& estimate) {
  val result = plain(estimate.bounds);
  result.set("value", estimate.value);
  return result;
}

// What is answered from the largest eigenvalue of a random matrix.
template <Estimate (LargestEigenvalue::*ask)(double) const>
val ask_goe(double dimension, bool half, double argument) {
  return guarded([&] {
    const auto variance = half ? OffDiagonalVariance::half : OffDiagonalVariance::one;
    return plain((LargestEigenvalue(dimension, variance).*ask)(argument));
  });
}

val ask_limit(double dimension, bool half, double tail) {
  return guarded([&] {
    val result = val::object();
    const auto variance = half ? OffDiagonalVariance::half : OffDiagonalVariance::one;
    result.set("value", limit_quantile(dimension, variance, tail));
    return result;
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(calculator) {
  emscripten::function("delta", &ask_delta);
  emscripten::function("epsilon", &ask_epsilon);
  emscripten::function("profile", &ask_profile);
  emscripten::function("power", &ask_power);
  emscripten::function("posterior", &ask_posterior);
  emscripten::function("risk", &ask_risk);
  emscripten::function("effectiveMu", &ask_effective_mu);
  emscripten::function("gaussianCover", &ask_gaussian_cover);
  emscripten::function("calibrateRisk", &ask_calibrate_risk);
  emscripten::function("renyi", &ask_renyi);
  emscripten::function("calibrate", &ask_calibrate);
  emscripten::function("compare", &ask_compare);
  emscripten::function("goeCdf", &ask_goe<&LargestEigenvalue::cdf>);
  emscripten::function("goeSurvival", &ask_goe<&LargestEigenvalue::survival>);
  emscripten::function("goeLogSurvival", &ask_goe<&LargestEigenvalue::log_survival>);
  emscripten::function("goeDensity", &ask_goe<&LargestEigenvalue::density>);
  emscripten::function("goeUpperQuantile", &ask_goe<&LargestEigenvalue::upper_quantile>);
  emscripten::function("goeLowerQuantile", &ask_goe<&LargestEigenvalue::lower_quantile>);
  emscripten::function("goeLimitQuantile", &ask_limit);
}
