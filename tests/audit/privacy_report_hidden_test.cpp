// Reports on hidden minima against the truth: what the released coefficients themselves told, the minimum
// beneath their finishing noise averaged over.
#include <doctest/doctest.h>

#include "core/report/published/privacy_report_price.h"
#include "tests/audit/report_coverage.h"

namespace epsilometer::privacy_report_hidden_test {

namespace {

// log of the density of the released coefficient, the minimum's one after normal noise: by summing over
// minima.
double hidden_log_density(const Table& table, double released, double finish, std::size_t count,
                          std::size_t left_out = SIZE_MAX) {
  constexpr int nodes = 150;
  double sum = 0;
  for (int i = -nodes; i <= nodes; ++i) {
    const double z = 8.0 * i / nodes;
    const Eigen::VectorXd minimum = Eigen::VectorXd::Constant(1, released + finish * z);
    sum += std::exp(table.log_density(minimum, count, left_out) - z * z / 2);
  }
  return std::log(sum);
}

}  // namespace

TEST_CASE("a report on a hidden minimum bounds what the released coefficients themselves told" *
          doctest::test_suite("long")) {
  std::mt19937_64 random(20261127);
  TestRng rng(20261127);
  constexpr std::size_t runs = 500, members = 6;
  const Table table(8, 1, 0.5, 1, random);
  const auto flat = table.flat(members);
  const Records records = flat.records(1);
  std::normal_distribution<double> normal;
  // From noise that hardly blurs the minimum to noise as wide as the minimum's own.
  for (const double finish : {1e-4, 0.03, 0.5}) {
    ReportedModel model = model_of(table);
    model.finish = finish;
    std::size_t worst = 0;
    double tightest = HUGE_VAL;
    for (const bool with_material : {false, true}) {
      std::vector<std::size_t> counts(table.x.size());
      for (std::size_t run = 0; run < runs; ++run) {
        const double released = table.minimum(members, random)[0] + finish * normal(random);
        ReportMaterial material;
        if (with_material)
          material = MaterialRelease(model, 1, {0.5, 0.3, {}})
                         .released(Pieces(&records, 1), std::vector{released}, rng, {});
        const ReportReader report(privacy_report(model, {released}, material, {0.1}));
        const double here = hidden_log_density(table, released, finish, members);
        for (std::size_t i = 0; i < table.x.size(); ++i) {
          Table other = table;
          std::swap(other.x[members], other.x[std::max(i, members)]);
          std::swap(other.y[members], other.y[std::max(i, members)]);
          const bool is_member = i < members;
          const double loss = here - (is_member ? hidden_log_density(table, released, finish, members, i)
                                                : hidden_log_density(other, released, finish, members + 1));
          const std::vector<double> row{table.x[i][0]};
          const PersonalBound bound =
              report.of(row, table.y[i], is_member ? Direction::remove : Direction::add);
          counts[i] += loss < bound.model.loss.lower() || loss > bound.model.loss.upper();
          tightest = std::min(tightest, bound.model.size() / std::abs(loss));
        }
      }
      worst = std::max(worst, *std::max_element(counts.begin(), counts.end()));
    }
    CAPTURE(finish);
    CHECK_FALSE(is_excess(worst, runs, 0.1));
    // It is no empty statement: some losses come within a factor of two or so.
    CHECK(tightest < 3);
  }
}

TEST_CASE("a report on what the algorithm really released covers every row, with material and without") {
  std::mt19937_64 random(20261129);
  TestRng rng(20261129);
  constexpr std::size_t runs = 1000, members = 10;
  const Table table(10, 2, 0.2, 1.5, random);
  const auto flat = table.flat(members);
  const Records records = flat.records(2);
  const FitRequest request{
      "approximate-minima-perturbation",
      {{"sigma", table.sigma}, {"lambda", table.lambda}, {"featureBound", 1}, {"dimension", 2}},
      {{"loss", "logistic"}}};
  const auto algorithm = epsilometer::algorithm(request);
  const ReportedModel model = reported_model(request, algorithm->plan());
  CHECK(model.hidden());
  CHECK(model.sigma == table.sigma);
  CHECK(model.lambda == table.lambda);
  const MaterialRelease release(model, 2, {0.4, 0.2, {}});
  // The finish moves the loss by its own realised one, and hardly the point where it is taken.
  constexpr double finish = 0x1p-16 * 12;
  std::size_t failed = 0;
  double widest = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::vector<double> theta = algorithm->fit(records, rng, {}).coefficients();
    const Eigen::VectorXd point = Eigen::Map<const Eigen::VectorXd>(theta.data(), 2);
    const double here = table.log_density(point, members);
    const ReportPromise promise{0.05, {Audience::Kind::fixed, 10}};
    const ReportReader free(privacy_report(model, theta, {}, promise));
    const ReportReader told(
        privacy_report(model, theta, release.released(Pieces(&records, 1), theta, rng, {}), promise));
    bool any = false;
    for (std::size_t i = 0; i < members; ++i) {
      const double loss = here - table.log_density(point, members, i);
      const std::vector<double> row(table.x[i].begin(), table.x[i].end());
      for (const ReportReader* report : {&free, &told}) {
        const PersonalBound bound = report->of(row, table.y[i], Direction::remove);
        any = any || loss > bound.model.loss.upper() + finish || loss < bound.model.loss.lower() - finish;
        widest = std::max(widest, bound.model.size());
      }
    }
    failed += any;
  }
  CHECK_FALSE(is_excess(failed, runs, 0.1));
  CHECK(widest < 10);
}

}  // namespace epsilometer::privacy_report_hidden_test
