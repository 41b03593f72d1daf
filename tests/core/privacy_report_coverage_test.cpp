// Reports against the truth: every row of a table, over and over, with what its released minimum really told.
#include <doctest/doctest.h>

#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <eigen3/Eigen/Dense>
#include <functional>
#include <random>

#include "core/report/privacy_report_material.h"
#include "core/report/privacy_report_price.h"

using namespace epsilometer;

namespace {

struct Table {
  std::vector<Eigen::VectorXd> x;
  std::vector<double> y;
  double lambda, sigma;

  Table(std::size_t n, Eigen::Index d, double lambda, double sigma, std::mt19937_64& random)
      : lambda(lambda), sigma(sigma) {
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < n; ++i) {
      Eigen::VectorXd row(d);
      for (double& value : row) value = normal(random);
      // Features with 26 bits, so that the report's records are these.
      row *= 0.9 / std::max(1.0, row.norm());
      for (double& value : row) value = short_number(value);
      x.push_back(row);
      y.push_back(i % 3 == 0 ? -1 : 1);
    }
  }

  Eigen::Index dimension() const { return x.front().size(); }

  // Without the linear term, over the first `count` rows but one.
  Eigen::VectorXd gradient(const Eigen::VectorXd& theta, std::size_t count, std::size_t left_out) const {
    Eigen::VectorXd sum = lambda * theta;
    for (std::size_t i = 0; i < count; ++i)
      if (i != left_out) sum += -y[i] / (1 + std::exp(y[i] * x[i].dot(theta))) * x[i];
    return sum;
  }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& theta, std::size_t count, std::size_t left_out) const {
    Eigen::MatrixXd sum = lambda * Eigen::MatrixXd::Identity(dimension(), dimension());
    for (std::size_t i = 0; i < count; ++i) {
      const double wrong = 1 / (1 + std::exp(y[i] * x[i].dot(theta)));
      if (i != left_out) sum += wrong * (1 - wrong) * x[i] * x[i].transpose();
    }
    return sum;
  }
  double log_density(const Eigen::VectorXd& theta, std::size_t count, std::size_t left_out = SIZE_MAX) const {
    const Eigen::MatrixXd root = hessian(theta, count, left_out).llt().matrixL();
    return -gradient(theta, count, left_out).squaredNorm() / (2 * sigma * sigma) +
           2 * root.diagonal().array().log().sum();
  }

  // Of the first `count` rows.
  Eigen::VectorXd minimum(std::size_t count, std::mt19937_64& random) const {
    std::normal_distribution<double> normal;
    Eigen::VectorXd b(dimension()), theta = Eigen::VectorXd::Zero(dimension());
    for (double& value : b) value = sigma * normal(random);
    for (int step = 0; step < 100; ++step) {
      const Eigen::VectorXd slope = gradient(theta, count, SIZE_MAX) + b;
      if (slope.norm() <= 1e-12 * sigma) break;
      const Eigen::VectorXd move = hessian(theta, count, SIZE_MAX).llt().solve(slope);
      // Far away Newton's step is too long.
      theta -= std::min(1.0, 3 / move.norm()) * move;
    }
    return theta;
  }

  struct Flat {
    std::vector<double> features, labels;
    Records records(std::size_t d) const { return {labels.size(), d, features, labels}; }
  };
  Flat flat(std::size_t count) const {
    Flat all;
    for (std::size_t i = 0; i < count; ++i) {
      all.features.insert(all.features.end(), x[i].begin(), x[i].end());
      all.labels.push_back(y[i]);
    }
    return all;
  }
};

ReportedModel model_of(const Table& table) {
  return {"logistic", {1, HUGE_VAL}, {1, 0, HUGE_VAL}, 1, 0.25, table.sigma, table.lambda, 0, 0};
}

// Whether so many failures are certainly more than the probability allows, but for 1e-9.
bool is_excess(std::size_t failures, std::size_t runs, double probability) {
  return boost::math::binomial_distribution<double>::find_lower_bound_on_p(
             static_cast<double>(runs), static_cast<double>(failures), 1e-9) > probability;
}

struct Counted {
  // For the row that fails most often, and for any row at all.
  std::size_t worst_row = 0, any_row = 0;
};

using Making = std::function<PrivacyReport(const std::vector<double>& theta)>;

// The first `members` rows are in the table, the others ask all the same.
Counted failures(const Table& table, std::size_t members, std::size_t runs, const Making& report,
                 std::mt19937_64& random) {
  std::vector<std::size_t> counts(table.x.size());
  Counted all;
  for (std::size_t run = 0; run < runs; ++run) {
    const Eigen::VectorXd theta = table.minimum(members, random);
    const PrivacyReport told = report({theta.begin(), theta.end()});
    const double here = table.log_density(theta, members);
    bool any = false;
    for (std::size_t i = 0; i < table.x.size(); ++i) {
      const bool is_member = i < members;
      // A row outside is put behind the members, alone.
      Table other = table;
      std::swap(other.x[members], other.x[std::max(i, members)]);
      std::swap(other.y[members], other.y[std::max(i, members)]);
      const double there =
          is_member ? table.log_density(theta, members, i) : other.log_density(theta, members + 1);
      const std::vector<double> row(table.x[i].begin(), table.x[i].end());
      const PersonalBound bound =
          evaluated(told, row, table.y[i], is_member ? Direction::remove : Direction::add);
      const double loss = here - there, rounding = 1e-9 * (1 + std::abs(here));
      const bool fails =
          loss < bound.model.loss.lower() - rounding || loss > bound.model.loss.upper() + rounding;
      counts[i] += fails;
      any = any || fails;
    }
    all.any_row += any;
  }
  all.worst_row = *std::max_element(counts.begin(), counts.end());
  return all;
}

}  // namespace

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

TEST_CASE("what a published gradient, Hessian and eigenvalue tell besides holds as often as it says") {
  std::mt19937_64 random(20261125);
  TestRng rng(20261125);
  constexpr std::size_t runs = 1000, members = 60;
  // Less regularisation than a record has curvature.
  const Table table(63, 4, 0.1, 3, random);
  const auto flat = table.flat(members);
  const Records records = flat.records(4);
  const auto making = [&](const MaterialNoise& noise) -> Making {
    return [&, noise](const std::vector<double>& theta) {
      const MaterialRelease release(model_of(table), 4, noise);
      return privacy_report(model_of(table), theta, release.released(Pieces(&records, 1), theta, rng, {}),
                            {0.1});
    };
  };
  for (const MaterialNoise& noise :
       {MaterialNoise{0.3, 0.1, {}}, MaterialNoise{{}, 0.3, {}}, MaterialNoise{0.5, 0.2, 0.1}})
    CHECK_FALSE(is_excess(failures(table, members, runs, making(noise), random).worst_row, runs, 0.1));
}

TEST_CASE("material told to everybody covers all of them together") {
  std::mt19937_64 random(20261130);
  TestRng rng(20261130);
  constexpr std::size_t runs = 1000, members = 12;
  const Table table(15, 3, 20, 2, random);
  const auto flat = table.flat(members);
  const Records records = flat.records(3);
  for (const Audience audience : {Audience{Audience::Kind::all}, Audience{Audience::Kind::fixed, 15}}) {
    const Making making = [&](const std::vector<double>& theta) {
      const MaterialRelease release(model_of(table), 3, {0.5, 0.2, {}});
      return privacy_report(model_of(table), theta, release.released(Pieces(&records, 1), theta, rng, {}),
                            {0.1, audience});
    };
    CHECK_FALSE(is_excess(failures(table, members, runs, making, random).any_row, runs, 0.1));
  }
}

TEST_CASE("a report that trusts a published gradient too much is found out") {
  std::mt19937_64 random(20261128);
  TestRng rng(20261128);
  constexpr std::size_t runs = 1000, members = 12;
  const Table table(13, 3, 20, 2, random);
  const auto flat = table.flat(members);
  const Records records = flat.records(3);
  for (const double share : {1.0, 0.25}) {
    const Making making = [&](const std::vector<double>& theta) {
      const MaterialRelease release(model_of(table), 3, {0.5, {}, {}});
      PrivacyReport report = privacy_report(model_of(table), theta,
                                            release.released(Pieces(&records, 1), theta, rng, {}), {0.3});
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

TEST_CASE("a report on a hidden minimum bounds what the released coefficients themselves told") {
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
        const PrivacyReport report = privacy_report(model, {released}, material, {0.1});
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
              evaluated(report, row, table.y[i], is_member ? Direction::remove : Direction::add);
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
  const ReportedModel model = reported_model(request, plan(request));
  CHECK(model.hidden());
  CHECK(model.sigma == table.sigma);
  CHECK(model.lambda == table.lambda);
  const MaterialRelease release(model, 2, {0.4, 0.2, {}});
  // The finish moves the loss by its own realised one, and hardly the point where it is taken.
  constexpr double finish = 0x1p-16 * 12;
  std::size_t failed = 0;
  double widest = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const std::vector<double> theta = fit(request, records, rng, {}).coefficients;
    const Eigen::VectorXd point = Eigen::Map<const Eigen::VectorXd>(theta.data(), 2);
    const double here = table.log_density(point, members);
    const ReportPromise promise{0.05, {Audience::Kind::fixed, 10}};
    const PrivacyReport free = privacy_report(model, theta, {}, promise);
    const PrivacyReport told =
        privacy_report(model, theta, release.released(Pieces(&records, 1), theta, rng, {}), promise);
    bool any = false;
    for (std::size_t i = 0; i < members; ++i) {
      const double loss = here - table.log_density(point, members, i);
      const std::vector<double> row(table.x[i].begin(), table.x[i].end());
      for (const PrivacyReport* report : {&free, &told}) {
        const PersonalBound bound = evaluated(*report, row, table.y[i], Direction::remove);
        any = any || loss > bound.model.loss.upper() + finish || loss < bound.model.loss.lower() - finish;
        widest = std::max(widest, bound.model.size());
      }
    }
    failed += any;
  }
  CHECK_FALSE(is_excess(failed, runs, 0.1));
  CHECK(widest < 10);
}
