#include "core/report/questions/question.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/report/personal/realised_loss.h"
#include "core/report/questions/questions.h"

namespace epsilometer {
namespace questions {

bool has(const Description& question, const char* name) { return question.numbers.contains(name); }

std::optional<double> maybe(const Description& question, const char* name, double minimum, double maximum) {
  if (!has(question, name)) return std::nullopt;
  return question.number(name, minimum, maximum);
}

void must_follow(const Description& question, const char* name, double follows, double minimum,
                 double maximum, const char* rule) {
  if (follows >= minimum && follows <= maximum) return;
  throw Refusal("range", name, shown(question.numbers.at(name)),
                rule + (" must be from " + shown(minimum)) + " to " + shown(maximum));
}

std::span<const double> values(const Description& question, const char* name) {
  const auto found = question.lists.find(name);
  if (found == question.lists.end()) throw Refusal("missing", name, "nothing", "must be a list of numbers");
  for (const double value : found->second) in_range(name, value, -1e100, 1e100);
  return found->second;
}

std::span<const double> values(const Description& question, const char* name, std::size_t count) {
  const auto found = values(question, name);
  if (found.size() == count) return found;
  throw Refusal("range", name, shown(static_cast<double>(found.size())),
                "must be " + shown(static_cast<double>(count)) + " numbers");
}

std::vector<double> triangle_of(const Description& question, const char* name, std::size_t dimension) {
  const auto rows = values(question, name, dimension * dimension);
  std::vector<double> lower;
  for (std::size_t i = 0; i < dimension; ++i)
    for (std::size_t j = 0; j <= i; ++j) {
      const double here = rows[i * dimension + j], there = rows[j * dimension + i];
      if (here != there) throw Refusal("range", name, shown(here), "must be a symmetric matrix");
      lower.push_back(here);
    }
  return lower;
}

Direction direction_of(const Description& question) {
  const std::string& text = question.text("direction");
  if (text == "remove") return Direction::remove;
  if (text == "add") return Direction::add;
  throw Refusal("unknown", "direction", text, "must be remove or add");
}

double order_of(const Description& question) { return question.number("order", least_order, most_order); }

std::unique_ptr<const Loss> loss_of(const Description& question) {
  const std::string& name = question.text("loss");
  const double threshold = name == "huber" ? question.number("threshold", 1e-100, 1e100) : HUGE_VAL;
  if (const auto unused = maybe(question, "threshold", -HUGE_VAL, HUGE_VAL); unused && name != "huber")
    throw Refusal("unsupported", "threshold", shown(*unused), "is for the loss huber alone");
  return make_loss(name, {1e100, threshold});
}

double label_for(const Loss& loss, const std::string& field, double given) {
  if (loss.label(given) == given) return given;
  throw Refusal("range", field, shown(given),
                "must be a label of the loss: -1 or 1 of logistic, from 0 on of poisson");
}

Interval logarithm(double x) {
  const double value = std::log(x);
  return Interval::around(value, rounding_margin * std::abs(value));
}

Interval logarithm(Interval x) { return {logarithm(x.lower()).lower(), logarithm(x.upper()).upper()}; }

Description shifted(Interval distance) {
  if (distance.upper() == 0) return {"pure", {{"epsilon", 0}}, {}, {}, {}};
  // No two laws are further apart than where every outcome tells them apart.
  if (distance.upper() > 1e100) return {"approximate", {{"epsilon", 0}, {"delta", 1}}, {}, {}, {}};
  return {"gdp", {{"mu", distance.upper()}}, {}, {}, {}};
}

TypedTable table_of(const Description& question, std::size_t dimension) {
  const auto labels = values(question, "labels");
  return {values(question, "features", labels.size() * dimension), labels, dimension};
}

}  // namespace questions

NumbersAnswer answer_in_numbers(const Description& question) {
  struct Known {
    const char* name;
    NumbersAnswer (*answer)(const Description&);
  };
  static constexpr Known known[] = {{"normal-noise", questions::normal_noise},
                                    {"laplace-noise", questions::laplace_noise},
                                    {"symmetric-noise", questions::symmetric_noise},
                                    {"normal-bounds", questions::normal_bounds},
                                    {"normal-pair", questions::normal_pair},
                                    {"posterior-sample", questions::posterior_sample},
                                    {"ridge", questions::ridge},
                                    {"ridge-law", questions::ridge_law},
                                    {"ridge-objective", questions::ridge_objective},
                                    {"objective", questions::objective},
                                    {"approximate-minima", questions::approximate_minima},
                                    {"general-objective", questions::general_objective},
                                    {"objective-parameters", questions::objective_parameters},
                                    {"excess-risk", questions::excess_risk},
                                    {"objective-outcome", questions::objective_outcome},
                                    {"smooth-outcome", questions::smooth_outcome},
                                    {"slope", questions::slope},
                                    {"report-bound", questions::report_bound},
                                    {"people", questions::people},
                                    {"ada-ops", questions::ada_ops},
                                    {"renyi-order", questions::renyi_order},
                                    {"poisson-selection", questions::poisson_selection},
                                    {"classic-test", questions::classic_test},
                                    {"tested-divergence", questions::tested_divergence},
                                    {"wrong-acceptance", questions::wrong_acceptance},
                                    {"noise-path", questions::noise_path},
                                    {"accuracy-first", questions::accuracy_first},
                                    {"doubling", questions::doubling},
                                    {"logarithm-sensitivity", questions::logarithm_sensitivity},
                                    {"two-class-vote", questions::two_class_vote},
                                    {"noisy-vote", questions::noisy_vote},
                                    {"vote-divergence", questions::vote_divergence},
                                    {"vote-test", questions::vote_test},
                                    {"sketch-pair", questions::sketch_pair},
                                    {"mixing-law", questions::mixing_law},
                                    {"projection-test", questions::projection_test},
                                    {"logistic-parabola", questions::logistic_parabola}};
  for (const Known& one : known)
    if (question.kind == one.name) return one.answer(question);
  throw Refusal("unknown", "about", question.kind, "is no question that is asked in numbers");
}

}  // namespace epsilometer
