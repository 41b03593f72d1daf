// What objective perturbation told about each record of a table, published bounds beside exact numbers, and
// what holds for all people of a table.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/report/personal/normal_pair.h"
#include "core/report/personal/paper_bounds.h"
#include "core/report/personal/people_summary.h"
#include "core/report/personal/records_at_minimum.h"
#include "tests/core/table_lines.h"

namespace epsilometer::report_table_test {

using nlohmann::json;

namespace {

std::vector<json> lines(const std::string& file, const std::string& ask) {
  const std::vector<json> found = table_lines("report/" + file, ask);
  REQUIRE(found.size() > 5);
  return found;
}

std::vector<double> numbers(const json& value) { return value.get<std::vector<double>>(); }

struct Table {
  std::vector<double> features, labels;
  std::size_t dimension;
  Records records() const { return {labels.size(), dimension, features, labels}; }
};

Table table_of(const json& rows, const json& labels, std::size_t dimension) {
  Table table{{}, {}, dimension};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const double one : numbers(rows[i])) table.features.push_back(one);
    table.labels.push_back(labels[i]);
  }
  return table;
}

constexpr double infinite = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("what coefficients told about a record of a table is the ratio of both tables' densities") {
  for (const json& line : lines("realised.ndjson", "objective")) {
    CAPTURE(line.dump());
    const std::size_t d = line["record"].size();
    Table table = table_of(line["rows"], line["labels"], d);
    const Table own = table_of(json::array({line["record"]}), json::array({line["label"]}), d);
    const auto loss = make_loss(line["loss"], {10, line["threshold"]});
    const RecordBounds bounds{100, 0, infinite};
    const BoundedRecords records(table.records(), *loss, bounds), asked(own.records(), *loss, bounds);
    const double sigma = line["sigma"], lambda = line["lambda"];
    const RecordsAtMinimum there(records, *loss, lambda, numbers(line["theta"]));
    const Direction direction = line["member"] ? Direction::remove : Direction::add;
    const Interval found = realised_objective_loss(direction, there.of(asked.read(0, 1)).front(), sigma);
    const double truth = std::stod(line["truth"].get<std::string>());
    CHECK(found.lower() <= truth);
    CHECK(found.upper() >= truth);
    double trace = 0;
    for (const double one : table.features) trace += one * one;
    // e^u of the steepest loss here is below 1e3.
    const double condition = 1 + 1e3 * trace / lambda, noise = 1 + 1e4 * (1 + trace) / (sigma * sigma);
    CHECK(found.upper() - found.lower() <= 1e-12 * (condition * condition + noise));
  }
}

namespace {

struct Unequal {
  // Powers of two.
  int smallest;
  bool cancels;
};

}  // namespace

// Sums in long doubles, of tables that end within a block of rows, with one, and beyond it.
TEST_CASE("a record's product with the gradient lies in its interval, however unequal the records are") {
  constexpr std::size_t d = 5;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const char* const name : {"logistic", "squared", "huber"})
    for (const std::size_t n : {1u, 3u, 63u, 64u, 65u, 700u})
      for (const Unequal& one : {Unequal{-4, false}, {-60, false}, {-900, false}, {-4, true}, {-60, true}}) {
        CAPTURE(name);
        CAPTURE(n);
        CAPTURE(one.smallest);
        CAPTURE(one.cancels);
        Table table{{}, {}, d};
        for (std::size_t i = 0; i < n; ++i) {
          const int exponent = i == 0 ? 0 : static_cast<int>(one.smallest * std::abs(uniform(random)));
          for (std::size_t j = 0; j < d; ++j) table.features.push_back(std::ldexp(uniform(random), exponent));
          table.labels.push_back(uniform(random) > 0 ? 1 : -1);
        }
        // The same rows in another order, with the other label, at coefficients of nearly 0: what is left of
        // the sum is what doubles lost on the way.
        for (std::size_t i = n; one.cancels && i-- > 0;) {
          for (std::size_t j = 0; j < d; ++j) table.features.push_back(table.features[i * d + j]);
          table.labels.push_back(-table.labels[i]);
        }
        const auto loss = make_loss(name, {1, 0.3});
        const BoundedRecords records(table.records(), *loss, {4, 0, infinite});
        const double lambda = 0.7;
        std::vector<double> theta(d);
        for (double& value : theta) value = (one.cancels ? 0x1p-80 : 3) * uniform(random);
        const RecordsAtMinimum there(records, *loss, lambda, theta);
        std::vector<long double> gradient(d);
        std::vector<double> x(d);
        long double sizes = 0, lost = 0;
        for (std::size_t j = 0; j < d; ++j) gradient[j] = static_cast<long double>(lambda) * theta[j];
        for (std::size_t i = 0; i < records.count(); ++i) {
          const auto record = records.read(i, x);
          long double u = 0;
          for (std::size_t j = 0; j < d; ++j) u += static_cast<long double>(x[j]) * theta[j];
          const long double y = record.label, error = u - y;
          const long double first = *name == 'l'   ? -y / (1 + std::exp(y * u))
                                    : *name == 's' ? error
                                                   : std::clamp(error, -0.3L, 0.3L);
          for (std::size_t j = 0; j < d; ++j) {
            gradient[j] += first * x[j];
            lost += 0x1p-64L * std::abs(gradient[j]) + 0x1p-61L * std::abs(first * x[j]);
          }
          sizes += std::abs(first) * record.norm;
        }
        for (std::size_t i = 0; i < n; i += 1 + n / 20) {
          const auto record = records.read(i, x);
          long double truth = 0;
          for (std::size_t j = 0; j < d; ++j) truth += x[j] * gradient[j];
          const Interval pull = there.of(records.read(i, 1)).front().pull;
          CHECK(pull.lower() <= truth + lost * record.norm);
          CHECK(pull.upper() >= truth - lost * record.norm);
          CHECK(pull.upper() - pull.lower() <= 1e-13 * static_cast<double>(sizes + 10) * record.norm);
        }
      }
}

TEST_CASE(
    "what may be told to anybody is above what was told, as often as promised and as large as published") {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform(-1, 1);
  // One record in one dimension: theta solves lambda theta + f'(x theta) x + b = 0.
  const auto loss = make_loss("logistic", {1, 1});
  const double lambda = 0.4, sigma = 0.7, failure = 0.1;
  int missed = 0, missed_all = 0;
  const int runs = 4000;
  for (int run = 0; run < runs; ++run) {
    Table table{{uniform(random)}, {run % 2 ? 1.0 : -1.0}, 1};
    table.features[0] = short_number(table.features[0]);
    const double x = table.features[0], y = table.labels[0], b = sigma * normal(random);
    double theta = 0;
    for (int i = 0; i < 100; ++i) {
      const LossAt at = loss->at(x * theta, y);
      theta -= (lambda * theta + at.first * x + b) / (lambda + at.second * x * x);
    }
    const BoundedRecords records(table.records(), *loss, {2, 0, infinite});
    const RecordAtMinimum own =
        RecordsAtMinimum(records, *loss, lambda, {theta}).of(records.read(0, 1)).front();
    const Interval told = realised_objective_loss(Direction::remove, own, sigma);
    const auto bound =
        public_objective_bound(Direction::remove, own.slope, table.features, lambda, sigma, failure);
    const auto uniformly = public_objective_bound(Direction::remove, own.slope, table.features, lambda, sigma,
                                                  failure, {Audience::Kind::all});
    missed += told.magnitude() > bound.tight;
    missed_all += told.magnitude() > uniformly.tight;
    if (bound.paper) CHECK(*bound.paper >= bound.tight);
    CHECK(uniformly.tight >= bound.tight);
    const std::vector<double> gradient{own.slope.first.upper() * x},
        curvature{own.slope.second.upper() * x * x};
    const auto smooth =
        public_objective_bound(Direction::remove, gradient, curvature, lambda, sigma, failure);
    CHECK(smooth.tight == doctest::Approx(uniformly.tight).epsilon(1e-12));
  }
  // Five standard errors above what is promised.
  const double most = runs * failure + 5 * std::sqrt(runs * failure * (1 - failure));
  CHECK(missed <= most);
  CHECK(missed_all <= most);
  // The bound is of use: the noise alone is told to the promised probability.
  CHECK(missed > 0);
}

TEST_CASE("public bounds are the formulas at 15 digits, and need no condition on lambda") {
  const auto loss = make_loss("logistic", {1, 1});
  const std::vector<double> x{-0.01}, theta{-0.63};
  const RecordSlope slope = slope_at(*loss, x, 1, theta);
  const auto bound = public_objective_bound(Direction::remove, slope, x, 0.6, 1.7, 0.01);
  CHECK(bound.tight == doctest::Approx(0.00759806775648558).epsilon(1e-12));
  CHECK(bound.paper.value() == doctest::Approx(0.00759806949256224).epsilon(1e-12));
  // A second derivative of 1/4 where lambda is less: nothing was published for that.
  const std::vector<double> one{1}, nowhere{0};
  const RecordSlope steep = slope_at(*loss, one, 1, nowhere);
  const double own = 0.125 / 4, grown = std::log(1 + 0.25 / 0.1), noise = 0.5 * upper_quantile(0.005) / 2;
  const auto inside = public_objective_bound(Direction::remove, steep, one, 0.1, 2, 0.01);
  CHECK(!inside.paper);
  CHECK(inside.tight == doctest::Approx(grown + own + noise).epsilon(1e-12));
  const auto outside = public_objective_bound(Direction::add, steep, one, 0.1, 2, 0.01);
  CHECK(outside.tight == doctest::Approx(grown - own + noise).epsilon(1e-12));
  const auto hundred =
      public_objective_bound(Direction::add, steep, one, 0.1, 2, 0.01, {Audience::Kind::fixed, 100});
  CHECK(hundred.tight - outside.tight ==
        doctest::Approx((upper_quantile(5e-5) - upper_quantile(0.005)) / 4).epsilon(1e-9));
  // A record of zeros is told nothing.
  CHECK(public_objective_bound(Direction::remove, steep, nowhere, 0.1, 2, 0.01).tight == 0);
  CHECK_THROWS_AS(public_objective_bound(Direction::add, steep, one, 0, 2, 0.01), Refusal);
  CHECK_THROWS_AS(public_objective_bound(Direction::add, steep, one, 1, 2, 0), Refusal);
}

TEST_CASE("the published bound of a posterior sample is above the exact number") {
  for (const double leverage : {1e-6, 0.01, 0.5, 5.0, 100.0}) {
    for (const double residual : {0.0, 0.3, 3.0, 30.0}) {
      for (const double delta : {1e-2, 1e-6, 1e-10}) {
        const Description exact{
            "posterior-sampling", {{"leverage", leverage}, {"residual", residual}}, {}, {}, {}};
        CHECK(posterior_tail_epsilon(leverage, residual, delta).upper() >=
              epsilon(*privacy_loss(exact), delta).upper);
      }
    }
  }
}

TEST_CASE("published bounds are above the exact numbers, and the textbook's ends where it does not hold") {
  for (const double s : {1e-3, 0.05, 0.2, 1.0, 3.0, 10.0}) {
    for (const double delta : {1e-3, 1e-6, 1e-12}) {
      CAPTURE(s);
      CAPTURE(delta);
      const Description exact{"gdp", {{"mu", s}}, {}, {}, {}};
      const double truth = epsilon(*privacy_loss(exact), delta).upper;
      CHECK(gaussian_tail_epsilon(s, delta).upper() >= truth);
      CHECK(gaussian_log_tail_epsilon(s, delta).lower() >= gaussian_tail_epsilon(s, delta).upper());
      const auto textbook = gaussian_textbook_epsilon(s, delta);
      CHECK(textbook.has_value() == (s * std::sqrt(2 * std::log(1.25 / delta)) <= 1));
      if (textbook) CHECK(textbook->upper() >= truth);
    }
  }
  // Wang's corrected form at three settings: mu = 0.01, R = 10; mu = 0.5, R = 1; to ten digits.
  CHECK(posterior_tail_epsilon(0.01, 10, 1e-6).upper() == doctest::Approx(6.021933185814572).epsilon(1e-12));
  CHECK(posterior_tail_epsilon(0, 10, 1e-6).is_zero());
  CHECK_THROWS_AS(gaussian_tail_epsilon(1, 0), Refusal);
  CHECK_THROWS_AS(gaussian_tail_epsilon(std::nan(""), 0.1), Refusal);
}

// What is within 40 deviations of the narrow law is all of it, but for 1e-300, and 32 times as much as that
// deviation of the wide one at most. No delta is above 1.
TEST_CASE("of two normal laws, one of them next to a point, delta is no less than one event says") {
  for (const double scale : {1.0, 1e50, 1e-50})
    for (const double part : {1e-4, 1e-8, 1e-12, 1e-15, 3e-16, 1e-16, 1e-17, 1e-30, 1e-49})
      for (const double mean : {0.0, 0.5, -0.5, 3.0, -1e3})
        for (const double epsilon : {-2.0, 0.0, 4.0, 30.0}) {
          CAPTURE(scale);
          CAPTURE(part);
          CAPTURE(mean);
          CAPTURE(epsilon);
          const double wide = scale, narrow = part * scale, all = 1e-12;
          const Interval outside = normal_pair_delta(seen_from(mean * scale, wide, 0, narrow), epsilon),
                         inside = normal_pair_delta(seen_from(0, narrow, mean * scale, wide), epsilon);
          CHECK(outside.upper() >= 1 - 33 * part);
          CHECK(outside.lower() >= 1 - 33 * part - all);
          CHECK(inside.upper() >= 1 - std::exp(epsilon) * 33 * part);
          CHECK(inside.upper() <= 1);
        }
}

TEST_CASE("moments, quantiles and the generalisation gap of people are those of their numbers") {
  const PeopleSummary people({0.3, 0.1, 0.2});
  CHECK(people.moment(1) == doctest::Approx(0.2).epsilon(1e-13));
  CHECK(people.moment(2) == doctest::Approx(0.14 / 3).epsilon(1e-13));
  CHECK(people.moment(4) == doctest::Approx(0.0098 / 3).epsilon(1e-13));
  CHECK(people.exponential_moment(1) == doctest::Approx(1.2254774946039402).epsilon(1e-13));
  CHECK(people.exponential_moment(2) == doctest::Approx(1.5117820853973165).epsilon(1e-13));
  CHECK(people.moment(1) >= 0.2);
  CHECK(people.quantile(0) == 0.1);
  CHECK(people.quantile(1.0 / 3) == 0.1);
  CHECK(people.quantile(0.5) == 0.2);
  CHECK(people.quantile(1) == 0.3);
  CHECK(people.share_above(0.1) == doctest::Approx(2.0 / 3));
  CHECK(people.share_above(0.3) == 0);
  const double each = people.exponential_moment(1);
  CHECK(generalisation_gap(people, 1e-3) ==
        doctest::Approx(each * each - 1 + 1e-3 * (1 + each)).epsilon(1e-12));
  const PeopleSummary safe({0, 0}), lost({0.1, infinite});
  // Each mean and product is rounded up by a few margins.
  CHECK(generalisation_gap(safe, 0) <= 8 * rounding_margin);
  CHECK(generalisation_gap(people, lost, 0) == 1);
  CHECK(generalisation_gap(people, safe, 0) == doctest::Approx(each - 1).epsilon(1e-12));
  CHECK(lost.largest() == infinite);
  CHECK(lost.moment(1) == infinite);
  CHECK_THROWS_AS(PeopleSummary({}), Refusal);
  CHECK_THROWS_AS(PeopleSummary({1, std::nan("")}), Refusal);
}

}  // namespace epsilometer::report_table_test
