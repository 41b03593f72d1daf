// Reports on published minima against the truth: every row of a table, over and over, with what its minimum
// really told.
#include <doctest/doctest.h>

#include "tests/audit/report_coverage.h"

namespace epsilometer::privacy_report_coverage_test {

TEST_CASE("what is told of the minimum alone holds as often as it says, for one row and for all of them") {
  std::mt19937_64 random(20261123);
  constexpr std::size_t runs = 2000, members = 12;
  // Of much regularisation the determinants say little, so that the quantile decides.
  const Table table(15, 3, 20, 2, random);
  const auto making = [&](Audience audience, double share) -> Making {
    return [&, audience, share](const std::vector<double>& theta) {
      PrivacyReport report = privacy_report(model_of(table), theta, {}, {0.1, audience});
      report.noise *= share;
      if (report.noise_entry) *report.noise_entry *= share;
      return report;
    };
  };
  const auto one = failures(table, members, runs, making({Audience::Kind::one}, 1), random);
  CHECK_FALSE(is_excess(one.worst_row, runs, 0.1));
  CHECK(one.worst_row > runs / 40);
  CHECK(is_excess(failures(table, members, runs, making({Audience::Kind::one}, 0.8), random).worst_row, runs,
                  0.1));
  const auto fixed = failures(table, members, runs, making({Audience::Kind::fixed, 15}, 1), random);
  CHECK_FALSE(is_excess(fixed.any_row, runs, 0.1));
  CHECK(fixed.any_row > 0);
  const auto all = failures(table, members, runs, making({Audience::Kind::all}, 1), random);
  CHECK_FALSE(is_excess(all.any_row, runs, 0.1));
  CHECK(all.any_row <= fixed.any_row);
}

TEST_CASE("whoever chooses a record after seeing the output is still covered by a bound for all") {
  std::mt19937_64 random(20261124);
  constexpr std::size_t runs = 2000;
  const Table table(10, 3, 20, 2, random);
  std::size_t for_all = 0, for_one = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const Eigen::VectorXd theta = table.minimum(10, random);
    // Along the linear term, which she reads off the table that she knows.
    const Eigen::VectorXd pull = table.gradient(theta, 10, SIZE_MAX);
    Table asking = table;
    Eigen::VectorXd row = 0.9 / pull.norm() * pull;
    for (double& value : row) value = short_number(value);
    asking.x.push_back(row);
    asking.y.push_back(-1);
    const double loss = asking.log_density(theta, 10) - asking.log_density(theta, 11);
    const auto exceeds = [&](Audience::Kind kind) {
      const PrivacyReport report =
          privacy_report(model_of(table), {theta.begin(), theta.end()}, {}, {0.1, {kind}});
      const std::vector<double> x(row.begin(), row.end());
      return std::abs(loss) > evaluated(report, x, -1, Direction::add).size() + 1e-9;
    };
    for_all += exceeds(Audience::Kind::all);
    for_one += exceeds(Audience::Kind::one);
  }
  CHECK_FALSE(is_excess(for_all, runs, 0.1));
  CHECK(is_excess(for_one, runs, 0.1));
}

TEST_CASE("what a published gradient, Hessian and eigenvalue tell besides holds as often as it says" *
          doctest::test_suite("long")) {
  std::mt19937_64 random(20261125);
  TestRng rng(20261125);
  constexpr std::size_t runs = 1000, members = 60;
  // Less regularisation than a record has curvature.
  const Table table(63, 4, 0.1, 3, random);
  for (const MaterialNoise& noise :
       {MaterialNoise{0.3, 0.1, {}}, MaterialNoise{{}, 0.3, {}}, MaterialNoise{0.5, 0.2, 0.1}}) {
    const WithMaterial making(table, members, noise, {0.1}, rng);
    CHECK_FALSE(is_excess(failures(table, members, runs, making, random).worst_row, runs, 0.1));
  }
}

TEST_CASE("material told to everybody covers all of them together") {
  std::mt19937_64 random(20261130);
  TestRng rng(20261130);
  constexpr std::size_t runs = 1000, members = 12;
  const Table table(15, 3, 20, 2, random);
  for (const Audience audience : {Audience{Audience::Kind::all}, Audience{Audience::Kind::fixed, 15}}) {
    const WithMaterial making(table, members, {0.5, 0.2, {}}, {0.1, audience}, rng);
    CHECK_FALSE(is_excess(failures(table, members, runs, making, random).any_row, runs, 0.1));
  }
}

TEST_CASE("a report that trusts a published gradient too much is found out") {
  std::mt19937_64 random(20261128);
  TestRng rng(20261128);
  constexpr std::size_t runs = 1000, members = 12;
  const Table table(13, 3, 20, 2, random);
  const WithMaterial honest(table, members, {0.5, {}, {}}, {0.3}, rng);
  for (const double share : {1.0, 0.25}) {
    const Making making = [&](const std::vector<double>& theta) {
      PrivacyReport report = honest(theta);
      report.gradient_margin *= share;
      return report;
    };
    CHECK(is_excess(failures(table, members, runs, making, random).worst_row, runs, 0.3) == (share < 1));
  }
}

TEST_CASE(
    "the noise of a published Hessian stays below its bound, which in the other normalisation it does not") {
  TestRng rng(20261126);
  std::mt19937_64 random(20261126);
  constexpr std::size_t runs = 2000;
  const Table table(1, 6, 1, 1, random);
  const MaterialRelease release(model_of(table), 6, {{}, 0.7, {}});
  const std::vector<double> theta(6);
  const Records nobody{0, 6, {}, {}};
  std::size_t above = 0, above_other = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const ReportMaterial material = release.released(Pieces(&nobody, 1), theta, rng, {});
    const PrivacyReport report = privacy_report(model_of(table), theta, material, {0.3});
    Eigen::MatrixXd noise(6, 6);
    for (int i = 0, place = 0; i < 6; ++i)
      for (int j = 0; j <= i; ++j, ++place) noise(i, j) = noise(j, i) = material.hessian->values[place];
    const double largest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(noise).eigenvalues()(5);
    above += largest > report.spectrum;
    above_other += largest > report.spectrum / std::sqrt(2.0);
  }
  // A third of the failures are the Hessian's.
  CHECK_FALSE(is_excess(above, runs, 0.1));
  CHECK(above > runs / 15);
  CHECK(is_excess(above_other, runs, 0.3));
}

}  // namespace epsilometer::privacy_report_coverage_test
