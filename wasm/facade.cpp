// The only file that knows Emscripten. It turns plain JavaScript values into the core's and back; it holds no
// formula and takes no decision. A refusal becomes { refusal }, because exceptions must not cross.
#include <emscripten/bind.h>

#include <memory>
#include <string>
#include <vector>

#include "core/accounting/calibrate.h"
#include "core/accounting/compare.h"
#include "core/accounting/group.h"
#include "core/accounting/posterior.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/fitting.h"
#include "core/spectrum/goe.h"

using emscripten::val;
using namespace epsilometer;

namespace {

std::vector<double> numbers(const val& list) {
  return emscripten::convertJSArrayToNumberVector<double>(list);
}

val typed(const std::vector<double>& values) {
  // A copy: a view would be detached when memory grows.
  return val::global("Float64Array").new_(val(emscripten::typed_memory_view(values.size(), values.data())));
}

Description description(const val& value) {
  Description result;
  const val names = val::global("Object").call<val>("keys", value);
  for (int i = 0; i < names["length"].as<int>(); ++i) {
    const std::string name = names[i].as<std::string>();
    const val entry = value[name];
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
  }
  return result;
}

Parameter parameter(const val& value) {
  return {value["path"].as<std::string>(), value["minimum"].as<double>(), value["maximum"].as<double>(),
          value["whole"].as<bool>(), value["morePrivate"].as<bool>()};
}

// The description as JavaScript has it. One part is the mechanism inside another, save for a composition.
val plain(const Description& description) {
  val result = val::object();
  result.set("kind", description.kind);
  for (const auto& [name, number] : description.numbers) result.set(name, number);
  for (const auto& [name, text] : description.texts) result.set(name, text);
  for (const auto& [name, list] : description.lists) result.set(name, val::array(list));
  if (description.parts.empty()) return result;
  if (description.kind != "composition") {
    result.set("of", plain(description.parts.front().mechanism));
    return result;
  }
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

Target target(const val& value) { return {value["epsilon"].as<double>(), value["delta"].as<double>()}; }

val plain(const Bounds& bounds) {
  val result = val::object();
  result.set("lower", bounds.lower);
  result.set("upper", bounds.upper);
  return result;
}

// An answer says what its ends are worth.
val answered(val result, Certainty certainty) {
  result.set("kind", certainty == Certainty::exact       ? "exact"
                     : certainty == Certainty::certified ? "certified"
                                                         : "bound");
  return result;
}

val plain(const std::optional<double>& value) { return value ? val(*value) : val::null(); }

// One of the core's answers at every argument.
template <class Evaluate>
val curve(const val& arguments, const Evaluate& evaluate) {
  std::vector<double> lower, upper;
  for (const double argument : numbers(arguments)) {
    const Bounds bounds = evaluate(argument);
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
    entry.set("claimed", row.claimed);
    entry.set("value", plain(row.value));
    entry.set("actual", plain(row.actual));
    entry.set("broken", row.broken);
    result.call<void>("push", entry);
  }
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

template <class Answer>
val guarded(const Answer& answer, const char* subject = "description") {
  try {
    return answer();
  } catch (const std::bad_alloc&) {
    return refused({"unsupported", subject, "of this size", "needs more memory than there is"});
  } catch (const Refusal& refusal) {
    return refused(refusal);
  }
}

// The last description that was asked about, with what its answers have found out: questions come in rows.
struct Known {
  Description description;
  double size, gap;
  Group group;
};

Group& known(const Description& asked, double size, double gap) {
  static std::unique_ptr<Known> last;
  if (!last || !(last->description == asked) || last->size != size || last->gap != gap) {
    last.reset();
    last.reset(new Known{asked, size, gap, Group(privacy_loss(asked), size, gap)});
  }
  return last->group;
}

// What is answered from the profile of a description, for the asked number of records.
template <class Answer>
val from_profile(const val& question, const val& options, const Answer& answer) {
  return guarded([&] {
    Group& group = known(description(question), options["group"].as<double>(), options["gap"].as<double>());
    return answered(answer(group), group.certainty());
  });
}

val ask_delta(const val& question, double level, const val& options) {
  return from_profile(question, options, [&](Group& group) { return plain(group.delta(level)); });
}

val ask_epsilon(const val& question, double level, const val& options) {
  return from_profile(question, options, [&](Group& group) { return plain(group.epsilon(level)); });
}

val ask_profile(const val& question, const val& epsilons, const val& options) {
  return from_profile(question, options, [&](Group& group) {
    return curve(epsilons, [&](double at) { return group.delta(at); });
  });
}

val ask_power(const val& question, const val& false_positives, const val& options) {
  return from_profile(question, options, [&](Group& group) {
    return curve(false_positives, [&](double at) { return group.power(at); });
  });
}

val ask_posterior(const val& question, double prior, double exceptions, const val& options) {
  return from_profile(question, options, [&](Group& group) {
    const Posterior found = posterior(group, prior, exceptions);
    val result = val::object();
    result.set("event", plain(found.event));
    result.set("right", plain(found.right));
    result.set("wrong", plain(found.wrong));
    return result;
  });
}

val ask_renyi(const val& question, const val& orders) {
  return guarded([&] {
    const auto loss = privacy_loss(description(question));
    std::vector<double> values = numbers(orders);
    for (double& value : values) value = loss->renyi(in_range("orders", value, 1.000001, 1e6));
    return typed(values);
  });
}

val ask_calibrate(const val& question, const val& sought, const val& aim) {
  return guarded([&] {
    const Description asked = description(question);
    const Calibrated found = calibrate(asked, parameter(sought), target(aim));
    val result = val::object();
    result.set("value", found.value);
    result.set("insufficient", plain(found.insufficient));
    result.set("epsilon", plain(found.epsilon));
    result.set("lasting", plain(found.lasting));
    return answered(result, Profile(*privacy_loss(asked)).certainty());
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

FitRequest fit_request(const val& value) {
  FitRequest result;
  const val names = val::global("Object").call<val>("keys", value);
  for (int i = 0; i < names["length"].as<int>(); ++i) {
    const std::string name = names[i].as<std::string>();
    const val entry = value[name];
    if (name == "name") {
      result.algorithm = entry.as<std::string>();
    } else if (entry.isNumber()) {
      result.numbers[name] = entry.as<double>();
    } else {
      result.texts[name] = entry.as<std::string>();
    }
  }
  return result;
}

val plain(const Release& release) {
  val parameters = val::object();
  for (const auto& [name, value] : release.parameters) parameters.set(name, value);
  val result = val::object();
  result.set("coefficients", typed(release.coefficients));
  result.set("description", plain(release.description));
  result.set("parameters", parameters);
  val released = val::object();
  for (const auto& [name, values] : release.released) released.set(name, typed(values));
  result.set("released", released);
  result.set("noiseCovariance", typed(release.noise_covariance));
  return result;
}

// A function that fills an array with secret bytes, and says whether it could.
class JavaScriptEntropy final : public Entropy {
 public:
  explicit JavaScriptEntropy(const val& source) : source_(source) {}

  bool fill(Key& key) override {
    return source_(val(emscripten::typed_memory_view(key.size(), key.data()))).as<bool>();
  }

 private:
  val source_;
};

// Without a seed the source is used, and only then is anything private.
template <class Answer>
val with_generator(const val& source, const val& seed, const Answer& answer) {
  if (seed.isNull()) {
    JavaScriptEntropy entropy(source);
    SystemRng generator(entropy);
    return answer(generator);
  }
  TestRng generator(static_cast<std::uint64_t>(seed.as<double>()));
  return answer(generator);
}

val ask_plan(const val& request) {
  return guarded([&] { return plain(plan(fit_request(request))); }, "algorithm");
}

// A fit that waits for its table is a number for JavaScript: its address.
Fitting& fitting(std::uintptr_t handle) { return *reinterpret_cast<Fitting*>(handle); }

val begin_fit(const val& request, bool is_private) {
  return guarded(
      [&] {
        const FitRequest asked = fit_request(request);
        auto* const begun = new Fitting(is_private ? Fitting(asked) : Fitting::without_privacy(asked));
        val result = val::object();
        result.set("handle", reinterpret_cast<std::uintptr_t>(begun));
        return result;
      },
      "algorithm");
}

val add_rows(std::uintptr_t handle, const val& features, const val& labels) {
  return guarded(
      [&] {
        fitting(handle).add(numbers(features), numbers(labels));
        return val::object();
      },
      "table");
}

// Whole numbers beyond those of doubles: high * 2^48 + low.
val add_sums(std::uintptr_t handle, const val& high, const val& low, double count) {
  return guarded(
      [&] {
        const std::vector<double> upper = numbers(high), lower = numbers(low);
        std::vector<__int128> sums;
        for (std::size_t i = 0; i < upper.size(); ++i)
          sums.push_back((static_cast<__int128>(upper[i]) << 48) + static_cast<std::int64_t>(lower[i]));
        fitting(handle).add(IntegerSum(std::move(sums)), count);
        return val::object();
      },
      "statistics");
}

val run_fit(std::uintptr_t handle, const val& source, const val& seed, const val& progress) {
  const auto run = [&](Generator& generator) {
    const auto go_on = [&](double share) { return progress(share).as<bool>(); };
    val result = plain(fitting(handle).run(generator, go_on));
    result.set("private", !generator.demonstration());
    return result;
  };
  return guarded([&] { return with_generator(source, seed, run); }, "table");
}

void end_fit(std::uintptr_t handle) { delete &fitting(handle); }

}  // namespace

EMSCRIPTEN_BINDINGS(epsilometer) {
  emscripten::function("delta", &ask_delta);
  emscripten::function("epsilon", &ask_epsilon);
  emscripten::function("profile", &ask_profile);
  emscripten::function("power", &ask_power);
  emscripten::function("posterior", &ask_posterior);
  emscripten::function("renyi", &ask_renyi);
  emscripten::function("calibrate", &ask_calibrate);
  emscripten::function("compare", &ask_compare);
  emscripten::function("plan", &ask_plan);
  emscripten::function("beginFit", &begin_fit);
  emscripten::function("addRows", &add_rows);
  emscripten::function("addSums", &add_sums);
  emscripten::function("runFit", &run_fit);
  emscripten::function("endFit", &end_fit);
  emscripten::function("goeCdf", &ask_goe<&LargestEigenvalue::cdf>);
  emscripten::function("goeSurvival", &ask_goe<&LargestEigenvalue::survival>);
  emscripten::function("goeLogSurvival", &ask_goe<&LargestEigenvalue::log_survival>);
  emscripten::function("goeDensity", &ask_goe<&LargestEigenvalue::density>);
  emscripten::function("goeUpperQuantile", &ask_goe<&LargestEigenvalue::upper_quantile>);
  emscripten::function("goeLowerQuantile", &ask_goe<&LargestEigenvalue::lower_quantile>);
}
