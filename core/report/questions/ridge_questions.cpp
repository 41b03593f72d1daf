// What one record does to a ridge regression, and what releases of it cost that record.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/report/personal/largest_addition.h"
#include "core/report/personal/ridge_influence.h"
#include "core/report/personal/ridge_objective_loss.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

void add_side(NumbersAnswer& answer, const std::string& side, const RecordInfluence::Side& found) {
  answer.numbers.emplace("leverage" + side, found.leverage);
  answer.numbers.emplace("squaredSolution" + side, found.squared_solution);
  answer.numbers.emplace("residual" + side, found.residual);
}

// Of one posterior sample with noise `sigma`; nothing where the leverage is more than closed forms take. A
// smaller leverage m is a post-processing of M with residuals up to sqrt((1 + M) / (1 + m)) as large
// (core/release/algorithms/posterior_sampling.cpp).
std::optional<Description> sampled(const RecordInfluence& found, double sigma) {
  constexpr double least = 1e-9, most = 1e3, most_residual = 1e6;
  const Interval leverage = found.without.leverage;
  if (leverage.upper() == 0) return shifted(0);
  const Interval taken = larger(Interval(leverage.upper()), least),
                 grown = square_root((Interval(1) + taken) / (Interval(1) + leverage));
  const double residual = (Interval(found.without.residual.magnitude()) / Interval(sigma) * grown).upper();
  if (!(taken.upper() <= most && residual <= most_residual)) return std::nullopt;
  return Description{"posterior-sampling", {{"leverage", taken.upper()}, {"residual", residual}}, {}, {}, {}};
}

Interval worse(const RidgeObjectiveLoss& loss, Direction direction, double epsilon) {
  const Bounds delta = loss.delta(direction, epsilon);
  return {delta.lower, delta.upper};
}

// Nothing where the leverage or the residual is more than RidgeObjectiveLoss takes.
void add_objective(NumbersAnswer& answer, const RecordInfluence& found, double sigma, double epsilon) {
  const Interval residual = absolute(found.without.residual);
  const double mean = (square_root(found.square) * residual / Interval(sigma)).upper();
  if (!(found.without.leverage.upper() <= 1e6 && residual.upper() <= 1e100 && mean <= 1e6)) return;
  const RidgeObjectiveLoss loss(found, sigma);
  answer.numbers.emplace("objectiveDeltaAdd", worse(loss, Direction::add, epsilon));
  answer.numbers.emplace("objectiveDeltaRemove", worse(loss, Direction::remove, epsilon));
}

}  // namespace

std::vector<Interval> around(std::span<const double> middles, double error) {
  std::vector<Interval> found;
  for (const double middle : middles) found.push_back(Interval::around(middle, error));
  return found;
}

// Entry by entry: forms of unit vectors, and of sums of two of them.
std::vector<Interval> inverse(const CertifiedFactor& factor, Interval CertifiedFactor::Forms::*form) {
  const std::size_t d = factor.dimension();
  const auto of = [&](std::size_t i, std::size_t j) {
    std::vector<double> x(d);
    x[i] += 1;
    if (i != j) x[j] += 1;
    return factor.forms(x).*form;
  };
  std::vector<Interval> diagonal, all(d * d, 0);
  for (std::size_t i = 0; i < d; ++i) diagonal.push_back(of(i, i));
  for (std::size_t i = 0; i < d; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      all[i * d + j] = all[j * d + i] =
          i == j ? diagonal[i] : (of(i, j) - diagonal[i] - diagonal[j]) / Interval(2);
  return all;
}

RidgeInfluence ridge_of(const TypedTable& table, double lambda, const char* name) {
  try {
    return {table_sums(Records{table.count(), table.dimension, table.features, table.labels}), lambda};
  } catch (const Refusal& refusal) {
    if (refusal.field != "lambda" && refusal.field != "coefficients") throw;
    throw Refusal("range", name, shown(lambda),
                  "must be larger: doubles cannot tell what coefficients this table determines");
  }
}

// The most that anybody within declared bounds moves the coefficients: who joins, and of the table's own rows
// who leaves.
Interval most_moved(const Description& question, const RidgeInfluence& influence, const TypedTable& table) {
  const LinearBounds bounds{question.scale("featureBound"), question.scale("labelBound")};
  Interval most = largest_addition(influence, bounds);
  for (std::size_t i = 0; i < table.count(); ++i) {
    const Interval moved = influence.of(table.row(i), table.labels[i], Direction::remove).moved;
    most = {std::max(most.lower(), moved.lower()), std::max(most.upper(), moved.upper())};
  }
  return most;
}

NumbersAnswer ridge(const Description& question) {
  const auto record = values(question, "record");
  const TypedTable table = table_of(question, record.size());
  const double label = question.number("label", -1e100, 1e100), lambda = question.number("lambda", 0, 1e100);
  const RidgeInfluence influence = ridge_of(table, lambda);
  const RecordInfluence found = influence.of(record, label, direction_of(question));
  NumbersAnswer answer{{{"moved", found.moved}, {"gradient", found.gradient()}}, {}, {}};
  add_side(answer, "Without", found.without);
  add_side(answer, "With", found.with);
  answer.lists["coefficients"] = around(influence.coefficients(), influence.error());
  const auto sigma = maybe(question, "sigma", 1e-100, 1e100);
  if (has(question, "featureBound")) {
    const Interval most = most_moved(question, influence, table);
    answer.numbers.emplace("mostMoved", most);
    if (sigma) answer.descriptions["outputForAll"] = shifted(most / Interval(*sigma));
  }
  if (sigma) {
    answer.descriptions["output"] = shifted(found.moved / Interval(*sigma));
    if (const auto epsilon = maybe(question, "epsilon", 0, 700))
      add_objective(answer, found, *sigma, *epsilon);
  }
  if (const auto of_sample = maybe(question, "sampleSigma", 1e-100, 1e100))
    if (const auto sample = sampled(found, *of_sample)) answer.descriptions["sample"] = *sample;
  return answer;
}

NumbersAnswer ridge_law(const Description& question) {
  const auto dimension = static_cast<std::size_t>(question.whole("dimension", 1, 64));
  const std::string& law = question.text("law");
  if (law != "sample" && law != "objective")
    throw Refusal("unknown", "law", law, "must be sample or objective");
  const RidgeInfluence influence =
      ridge_of(table_of(question, dimension), question.number("lambda", 0, 1e100));
  const Interval variance = square(Interval(question.scale("sigma")));
  const bool is_sample = law == "sample";
  std::vector<Interval> covariance =
      inverse(influence.factor(), is_sample ? &CertifiedFactor::Forms::once : &CertifiedFactor::Forms::twice);
  for (Interval& entry : covariance) entry = variance * entry;
  NumbersAnswer answer;
  answer.lists["mean"] = around(influence.coefficients(), influence.error());
  answer.lists["covariance"] = std::move(covariance);
  // Of the objective (|y - X theta|^2 + lambda |theta|^2) / 2 above its minimum.
  if (is_sample)
    answer.numbers.emplace("excess", Interval(static_cast<double>(dimension)) * variance / Interval(2));
  return answer;
}

NumbersAnswer ridge_objective(const Description& question) {
  const double leverage = question.number("leverage", 0, 1e6), length = question.number("length", 0, 1e100),
               solution = question.number("squaredSolution", 0, 1e100);
  // A smaller one has no square in doubles.
  if (length > 0) in_range("length", length, 1e-100, 1e100);
  const double residual = question.number("residual", -1e100, 1e100);
  // Only what the table without the record makes of it is asked for.
  const RecordInfluence::Side without{leverage, solution, residual};
  const RecordInfluence influence{without, without, 0, square(Interval(length))};
  if ((influence.square * influence.without.squared_solution).upper() < (square(Interval(leverage))).lower())
    throw Refusal("range", "squaredSolution", shown(solution), "must be at least (leverage / length)^2");
  const double sigma = question.scale("sigma");
  must_follow(question, "residual", length * std::abs(residual) / sigma, 0, 0.999e6,
              "length |residual| / sigma");
  const RidgeObjectiveLoss loss(influence, sigma);
  const double epsilon = question.number("epsilon", 0, 700);
  return {{{"deltaAdd", worse(loss, Direction::add, epsilon)},
           {"deltaRemove", worse(loss, Direction::remove, epsilon)}},
          {},
          {}};
}

}  // namespace epsilometer::questions
