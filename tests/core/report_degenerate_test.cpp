// Tables at the ends of what can be given, fitted by every algorithm that tells what it cost each row: the
// limit or a refusal by name, no NaN, nothing above what was promised, nothing below what two refits say.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <eigen3/Eigen/Dense>
#include <numeric>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/noise/noise_source.h"
#include "core/report/holder/people_losses.h"
#include "tests/core/linear_request.h"
#include "tests/core/rows.h"

namespace epsilometer::report_degenerate_test {

namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double delta_asked = 1e-6;
constexpr std::size_t columns = 3;

// Multiples of 1/64, the last column the intercept's place: what truncation to a grid leaves as it is.
const std::map<std::string, Rows>& degenerate_tables() {
  static const std::map<std::string, Rows> tables = [] {
    std::map<std::string, Rows> made;
    const auto table = [&made](const char* name) -> Rows& {
      return made.emplace(name, Rows{{}, {}, columns}).first->second;
    };
    using Row = std::vector<double>;
    const auto sixty_fourths = [](int i) { return (i * 37 % 41 - 20) / 64.0; };
    Rows& singular = table("a singular matrix: all rows along one line");
    for (int i = 1; i < 9; ++i) singular.add(Row{i / 64.0, 2 * i / 64.0, 4 * i / 64.0}, i % 2 ? 0.5 : -0.25);
    Rows& lonely = table("a row that alone determines a direction");
    for (int i = 0; i < 8; ++i)
      lonely.add(Row{sixty_fourths(i), sixty_fourths(i + 5), 0}, sixty_fourths(i + 2));
    lonely.add(Row{0, 0, 0.75}, 0.5);
    Rows& zeros = table("rows of zeros");
    for (int i = 0; i < 6; ++i) zeros.add(Row{sixty_fourths(i), 0.25, sixty_fourths(i + 1)}, -0.5);
    zeros.add(Row{0, 0, 0}, 0), zeros.add(Row{0, 0, 0}, 1);
    Rows& alike = table("twelve times the same row");
    for (int i = 0; i < 12; ++i) alike.add(Row{0.5, -0.25, 0.25}, 0.75);
    Rows& wide = table("fewer rows than columns");
    wide.add(Row{0.5, 0.25, 0}, 1), wide.add(Row{0, 0.5, 0.5}, -1);
    table("one row").add(Row{0.25, 0.5, -0.25}, 1);
    Rows& one_class = table("one class");
    for (int i = 0; i < 10; ++i) one_class.add(Row{sixty_fourths(i), sixty_fourths(i + 3), 0.25}, 1);
    Rows& constant = table("a constant column and one of zeros");
    for (int i = 0; i < 10; ++i) constant.add(Row{0.5, 0, sixty_fourths(i)}, i % 3 ? 1 : -1);
    Rows& broken = table("numbers that are not finite");
    for (int i = 0; i < 6; ++i) broken.add(Row{sixty_fourths(i), 0.25, sixty_fourths(i + 1)}, i % 2 ? 1 : -1);
    broken.add(Row{std::nan(""), 0.5, HUGE_VAL}, std::nan("")), broken.add(Row{0.25, -HUGE_VAL, 0}, 1);
    broken.add(Row{0.5, 0.25, -0.25}, std::nan(""));
    return made;
  }();
  return tables;
}

// As releases take what is not finite: sums take features or a label of zeros, gradients a record of zeros.
Rows counted(const Rows& rows, bool by_sums) {
  Rows taken{{}, {}, rows.dimension};
  for (std::size_t i = 0; i < rows.labels.size(); ++i) {
    const auto row = rows.records().row(i);
    const bool has_label = std::isfinite(rows.labels[i]),
               has_features = std::all_of(row.begin(), row.end(), [](double x) { return std::isfinite(x); });
    const bool counts = has_features && (has_label || by_sums);
    const std::vector<double> none(rows.dimension);
    taken.add(counts ? row : std::span<const double>(none), has_label ? rows.labels[i] : 0);
  }
  return taken;
}

struct Refit {
  Vector moved;
  double leverage, residual;
};

// Of ridge regressions with row i and without it, by their definitions.
Refit refit(const Rows& rows, std::size_t i, double lambda) {
  const auto d = static_cast<Eigen::Index>(rows.dimension);
  Matrix without = lambda * Matrix::Identity(d, d);
  Vector products = Vector::Zero(d), own(d);
  for (std::size_t j = 0; j < rows.labels.size(); ++j) {
    const Vector x = Eigen::Map<const Vector>(rows.records().row(j).data(), d);
    if (j == i) {
      own = x;
      continue;
    }
    without += x * x.transpose();
    products += rows.labels[j] * x;
  }
  const double y = rows.labels[i];
  const Vector before = without.ldlt().solve(products);
  const Vector after = (without + own * own.transpose()).ldlt().solve(products + y * own);
  const Vector solved = without.ldlt().solve(own);
  return {after - before, own.dot(solved), y - own.dot(before)};
}

// The minimum of the logistic losses and lambda |theta|^2 / 2 without row `left_out`, by Newton's method.
Vector minimum(const Rows& rows, double lambda, std::size_t left_out) {
  const auto d = static_cast<Eigen::Index>(rows.dimension);
  Vector theta = Vector::Zero(d);
  for (int step = 0; step < 200; ++step) {
    Vector gradient = lambda * theta;
    Matrix hessian = lambda * Matrix::Identity(d, d);
    for (std::size_t i = 0; i < rows.labels.size(); ++i) {
      if (i == left_out) continue;
      const Vector x = Eigen::Map<const Vector>(rows.records().row(i).data(), d);
      const double y = rows.labels[i] > 0 ? 1 : -1, wrong = 1 / (1 + std::exp(y * x.dot(theta)));
      gradient -= y * wrong * x;
      hessian += wrong * (1 - wrong) * x * x.transpose();
    }
    const Vector move = hessian.ldlt().solve(gradient);
    theta -= std::min(1.0, 3 / std::max(move.norm(), 1e-300)) * move;
  }
  return theta;
}

double least_epsilon(const char* kind, std::map<std::string, double> numbers) {
  return epsilon(*privacy_loss({kind, std::move(numbers), {}, {}, {}}), delta_asked).lower;
}

double gaussian_epsilon(double distance) {
  return distance == 0 ? 0 : least_epsilon("gdp", {{"mu", distance}});
}

// The leverage of (x, y) in the sketched rows and their noise.
double sketch_leverage(const Rows& rows, double variance, std::size_t i) {
  const auto d = static_cast<Eigen::Index>(rows.dimension + 1);
  Matrix whole = variance * Matrix::Identity(d, d);
  Vector own;
  for (std::size_t j = 0; j < rows.labels.size(); ++j) {
    Vector z(d);
    z << Eigen::Map<const Vector>(rows.records().row(j).data(), d - 1), rows.labels[j];
    whole += z * z.transpose();
    if (j == i) own = z;
  }
  return own.dot(whole.ldlt().solve(own));
}

// What a row's own pair costs at least, the rest of the release left out; 0 where this file has no formula.
double least_cost(const FitRequest& asked, const Release& run, const Rows& rows, std::size_t i) {
  const std::string& name = asked.algorithm;
  const auto number = [&](const char* key) {
    return asked.numbers.contains(key) ? asked.numbers.at(key) : 0;
  };
  const auto row = rows.records().row(i);
  const double square = std::inner_product(row.begin(), row.end(), row.begin(), 0.0), y = rows.labels[i],
               sigma = number("sigma");
  if (name == "ada-ssp") return gaussian_epsilon(std::sqrt(square * square + square * y * y) / sigma);
  if (name == "noisy-covariance") return gaussian_epsilon(square / sigma);
  if (name == "output-perturbation-ridge")
    return gaussian_epsilon(refit(rows, i, number("lambda")).moved.norm() / sigma);
  if (name == "posterior-sampling") {
    const Refit found = refit(rows, i, number("lambda"));
    if (found.leverage < 1e-9 || found.leverage > 1e3) return 0;
    return least_epsilon("posterior-sampling",
                         {{"leverage", found.leverage}, {"residual", std::abs(found.residual) / sigma}});
  }
  if (name == "output-perturbation") {
    const double lambda = number("lambda");
    return gaussian_epsilon((minimum(rows, lambda, i) - minimum(rows, lambda, rows.labels.size())).norm() /
                            sigma);
  }
  if (name == "gaussian-mixing" || name == "linear-mixing") {
    const double leverage = sketch_leverage(rows, sigma * sigma, i);
    if (leverage == 0) return 0;
    return least_epsilon("gaussian-mixing",
                         {{"sketchSize", run.parameters.at("sketchSize")}, {"gamma", 1 / leverage}});
  }
  return 0;
}

std::vector<FitRequest> requests_of_people() {
  const Numbers linear{{"sigma", 1}};
  std::vector<FitRequest> all;
  for (const std::string name : {"ada-ssp", "linear-mixing", "gaussian-mixing", "logistic-mixing"})
    all.push_back(request(name, linear));
  all.push_back({"noisy-covariance", {{"dimension", 3}, {"featureBound", 1}, {"sigma", 1}}, {}});
  for (const std::string name : {"adaptive-posterior-sampling", "johnson-lindenstrauss"})
    all.push_back(request(name, {{"epsilon", 4}, {"delta", 1e-4}}));
  all.push_back(request("ops-ptr", {{"epsilon", 4}, {"delta", 1e-4}, {"lambda", 1}}));
  all.push_back(request("covariance-laplace", {{"scale", 1}}));
  for (const double lambda : {1e-2, 0.5})
    for (const std::string name : {"output-perturbation-ridge", "posterior-sampling"})
      all.push_back(request(name, {{"sigma", 1}, {"lambda", lambda}, {"rows", 20}}));
  // lambda below and above the largest curvature of a row.
  for (const double lambda : {1e-3, 2.0})
    for (const std::string name : {"output-perturbation", "approximate-minima-perturbation"})
      all.push_back({name,
                     {{"dimension", 3}, {"featureBound", 1}, {"lambda", lambda}, {"sigma", 1}},
                     {{"loss", "logistic"}}});
  for (const double rate : {0.5, 1.0})
    all.push_back({"dp-sgd",
                   {{"dimension", 3},
                    {"featureBound", 1},
                    {"noiseMultiplier", 2},
                    {"steps", 4},
                    {"rate", rate},
                    {"rows", 12}},
                   {{"loss", "logistic"}, {"path", "released"}}});
  return all;
}

}  // namespace

TEST_CASE("degenerate tables cost their rows the limit, or are refused by name, with every algorithm" *
          doctest::test_suite("long")) {
  for (const FitRequest& asked : requests_of_people()) {
    CAPTURE(asked.algorithm);
    std::size_t answered = 0;
    for (const auto& [kind, rows] : degenerate_tables()) {
      const std::string table = kind;
      CAPTURE(table);
      const Records records = rows.records();
      const Rows taken = counted(rows, !asked.texts.contains("loss"));
      try {
        const PlannedRequest planned(asked);
        TestRng generator(3);
        const Release run = planned.algorithm->fit(records, generator, {});
        const PeopleLosses people = people_losses(planned, run, Pieces(&records, 1), {delta_asked, 3}, 1, {});
        ++answered;
        REQUIRE(people.losses.size() == records.count);
        REQUIRE(people.divergences.size() == records.count);
        for (const auto* column : {&people.leverages, &people.residuals, &people.lengths, &people.moves})
          for (const double value : *column) CHECK(value >= 0);
        for (std::size_t i = 0; i < records.count; ++i) {
          CAPTURE(i);
          CHECK(people.losses[i] >= least_cost(asked, run, taken, i) * (1 - 1e-6));
          CHECK(people.losses[i] >= 0);
          CHECK(people.losses[i] <= people.promised);
          CHECK(people.divergences[i] >= 0);
          CHECK(people.divergences[i] <= people.promised_divergence);
        }
      } catch (const Refusal& refusal) {
        // Its test, which so small a table does not pass, comes before all others.
        CHECK(asked.algorithm == "ops-ptr");
        CHECK(refusal.field == "release");
      }
    }
    CHECK(answered == (asked.algorithm == "ops-ptr" ? 0 : degenerate_tables().size()));
  }
}

}  // namespace epsilometer::report_degenerate_test
