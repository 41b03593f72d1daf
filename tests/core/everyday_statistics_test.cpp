// Everyday statistics: what they cost, how a budget is split, what is counted, and how often intervals hold.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/goe/goe.h"
#include "core/numerics/eigensystem.h"
#include "core/numerics/normal.h"
#include "core/release/algorithm.h"
#include "core/release/fit_session.h"
#include "core/release/price.h"
#include "core/release/statistics/estimates.h"
#include "tests/core/rows.h"

namespace epsilometer::everyday_statistics_test {

namespace {

Statistic moments_of(double columns, bool products) { return {"moments", columns, products}; }
Statistic moments_with_levels(double numbers, std::vector<double> levels, bool products) {
  Statistic asked = moments_of(numbers, products);
  asked.levels = std::move(levels);
  return asked;
}
Statistic with_spectra(Statistic asked, std::vector<AskedSpectrum> spectra) {
  asked.spectra = std::move(spectra);
  return asked;
}
Statistic cells_of(double cells) { return {"cells", 0, false, cells}; }
Statistic groups_of(double groups, double columns) { return {"groups", columns, false, groups}; }
Statistic found_of(double columns, double delta = 0) {
  return {"found-groups", columns, false, 0, {}, delta};
}
Statistic persons_of(double columns, double delta = 0) {
  Statistic asked = found_of(columns, delta);
  asked.persons = true;
  return asked;
}
Statistic quantiles_of(std::vector<double> thousandths, double candidates) {
  return {"quantiles", 0, false, candidates, std::move(thousandths)};
}

FitRequest asked(std::vector<Statistic> statistics, std::map<std::string, double> numbers = {{"noise", 1}},
                 std::map<std::string, std::string> texts = {}) {
  FitRequest request{"everyday-statistics", std::move(numbers), std::move(texts)};
  request.statistics = std::move(statistics);
  return request;
}

FitRequest replaced(FitRequest request) {
  request.texts["neighbours"] = "replace";
  return request;
}

double mu(const FitRequest& request) { return *privacy_loss(plan(request).description)->gaussian(); }

double number(const FitRequest& request, const char* name) { return plan(request).parameters.at(name); }

std::vector<double> values(const Release& release, const std::string& name) { return release.values(name); }

std::string field(const FitRequest& request) {
  try {
    plan(request);
  } catch (const Refusal& refusal) {
    return refusal.field;
  }
  return "nothing";
}

}  // namespace

// By hand: sqrt(w0^2 + w1^2 d + w2^2 d^2), and sqrt(2 d^2 + 2 d + 1/2) where a row is replaced.
TEST_CASE("noise is in proportion to what a row moves, and the price is one Gaussian release") {
  for (const double noise : {1e-3, 0.5, 1.0, 40.0}) {
    CAPTURE(noise);
    const auto with = [noise](std::vector<Statistic> all) {
      return asked(std::move(all), {{"noise", noise}});
    };
    const auto deviation = [](const FitRequest& request, const char* name, double moved) {
      const double truth = moved * request.numbers.at("noise");
      CHECK(std::abs(number(request, name) / truth - 1) < 1e-9);
    };
    for (const double d : {1.0, 2.0, 5.0}) {
      const double both = std::sqrt(1 + d + d * d), weight = std::sqrt(std::sqrt(d) / 2);
      const FitRequest products = with({moments_of(d, true)}), sums = with({moments_of(d, false)});
      deviation(products, "0.count", both);
      deviation(products, "0.sum", both);
      deviation(products, "0.square", both);
      deviation(products, "0.product", both / std::sqrt(2.0));
      deviation(replaced(products), "0.sum", std::sqrt(2 * d * d + 2 * d + 0.5));
      deviation(sums, "0.sum", std::sqrt(weight * weight + d));
      deviation(sums, "0.count", std::sqrt(weight * weight + d) / weight);
      deviation(replaced(sums), "0.sum", 2 * std::sqrt(d));
      deviation(with({groups_of(7, d)}), "0.sum", std::sqrt(weight * weight + d));
    }
    // However many levels a column has, a row has one of them.
    for (const std::vector<double>& levels : {std::vector<double>{2.0}, {7.0, 2.0}, {1.0, 30.0, 4.0}})
      for (const double numbers : {0.0, 1.0, 6.0}) {
        const double square = numbers + static_cast<double>(levels.size());
        const double weight = std::sqrt(std::sqrt(square) / 2);
        const FitRequest products = with({moments_with_levels(numbers, levels, true)}),
                         sums = with({moments_with_levels(numbers, levels, false)});
        deviation(products, "0.count", std::sqrt(1 + square + square * square));
        deviation(products, "0.product", std::sqrt((1 + square + square * square) / 2));
        deviation(sums, "0.sum", std::sqrt(weight * weight + square));
        // At right angles at best where there is no number.
        deviation(replaced(products), "0.square",
                  std::sqrt(2 * square + 2 * square * square + (numbers > 0 ? 0.5 : 0)));
        deviation(replaced(sums), "0.sum",
                  std::max(std::sqrt(4 * numbers + 2.0 * static_cast<double>(levels.size())),
                           std::sqrt(weight * weight + square)));
      }
    deviation(with({persons_of(0, 1e-6)}), "0.count", 1);
    deviation(with({persons_of(2, 1e-6)}), "0.sum", std::sqrt(std::sqrt(2.0) + 2));
    deviation(with({cells_of(9)}), "0.count", 1);
    deviation(replaced(with({cells_of(9)})), "0.count", std::sqrt(2.0));
    deviation(with({groups_of(7, 0)}), "0.count", 1);
    deviation(replaced(with({groups_of(7, 0)})), "0.count", std::sqrt(2.0));
    for (const FitRequest& request :
         {with({moments_of(3, true)}), with({cells_of(50)}), with({groups_of(4, 2)}),
          with({moments_of(2, false), cells_of(3), groups_of(4, 2), cells_of(2)})}) {
      CHECK(std::abs(mu(request) * noise - 1) < 1e-6);
      CHECK(std::abs(mu(replaced(request)) * noise - 1) < 1e-6);
      CHECK(plan(replaced(request)).neighbours == "replace");
    }
  }
}

// What whoever replaces a row can do at most, by search: on the corners, which hold the largest distance.
TEST_CASE(
    "no row of numbers and levels that takes another's place moves the moments by more than is stated") {
  const std::vector<double> levels{2, 3};
  for (const bool products : {false, true})
    for (const std::size_t numbers : {0U, 1U, 2U}) {
      CAPTURE(products);
      CAPTURE(numbers);
      const double weight = products ? 1 : std::sqrt(std::sqrt(static_cast<double>(numbers) + 2) / 2);
      std::vector<std::vector<double>> rows{{}};
      const auto widened = [&](const std::vector<std::vector<double>>& by) {
        std::vector<std::vector<double>> wider;
        for (const auto& row : rows)
          for (const auto& more : by) {
            wider.push_back(row);
            wider.back().insert(wider.back().end(), more.begin(), more.end());
          }
        rows = std::move(wider);
      };
      for (std::size_t i = 0; i < numbers; ++i) widened({{-1}, {-0.5}, {0}, {0.5}, {1}});
      widened({{0, 0}, {1, 0}, {0, 1}});
      widened({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
      std::vector<std::vector<double>> vectors;
      for (const auto& row : rows) {
        std::vector<double> vector{weight};
        vector.insert(vector.end(), row.begin(), row.end());
        for (std::size_t i = 0; products && i < row.size(); ++i)
          for (std::size_t j = 0; j <= i; ++j)
            vector.push_back(row[i] * row[j] * (i == j ? 1 : std::sqrt(2.0)));
        vectors.push_back(std::move(vector));
      }
      // A row that counts nothing.
      vectors.emplace_back(vectors[0].size());
      double most = 0;
      for (const auto& one : vectors)
        for (const auto& other : vectors) {
          double square = 0;
          for (std::size_t i = 0; i < one.size(); ++i) square += (one[i] - other[i]) * (one[i] - other[i]);
          most = std::max(most, std::sqrt(square));
        }
      const double stated = number(
          replaced(asked({moments_with_levels(static_cast<double>(numbers), levels, products)})), "0.sum");
      CHECK(most <= stated * (1 + 1e-12));
      // Attained, but for the half where there are numbers: of corners t is a whole number.
      CHECK(most * most >= stated * stated - (products && numbers > 0 ? 0.5 : 0) - 1e-9);
    }
}

// Of ten numeric columns joint moments gain nothing; of one-hot columns see the sum of squares that is least.
TEST_CASE("shares of the budget make the sum of squared errors least") {
  const std::vector<Statistic> all{cells_of(100), cells_of(4), moments_of(2, true)};
  const FitRequest request = asked(all);
  const auto sum = [&](double a, double b) {
    const double c = 1 - a - b, moved = std::sqrt(1.0 + 2 + 4);
    return 100 / a + 4 / b + 6 * moved * moved / c;
  };
  const double a = number(request, "0.share"), b = number(request, "1.share");
  CHECK(a + b + number(request, "2.share") == doctest::Approx(1).epsilon(1e-14));
  for (const double da : {-1e-3, 0.0, 1e-3})
    for (const double db : {-1e-3, 0.0, 1e-3}) CHECK(sum(a + da, b + db) >= sum(a, b));
  std::vector<Statistic> weighted = all;
  weighted[1].weight = 625;
  // 25 times the square root.
  CHECK(number(asked(weighted), "1.share") / number(asked(weighted), "0.share") ==
        doctest::Approx(25 * b / a).epsilon(1e-12));
}

TEST_CASE("a budget is kept, with all rows of a person, and nearly used up") {
  const std::vector<std::vector<Statistic>> requests{
      {moments_of(3, true)},
      {cells_of(20), groups_of(5, 1)},
      {found_of(2), moments_of(1, false), found_of(0)},
      {quantiles_of({500}, 1001)},
      {moments_of(1, false), quantiles_of({250, 500, 750}, 1001)}};
  for (const auto& statistics : requests)
    for (const double rows : {1.0, 3.0}) {
      CAPTURE(statistics[0].of);
      CAPTURE(rows);
      const Plan planned = plan(asked(statistics, {{"epsilon", 1}, {"delta", 1e-6}, {"unitRows", rows}}));
      const Bounds cost = price(planned.description, {1, 1e-6, rows}).epsilon;
      CHECK(cost.upper <= 1);
      if (rows == 1) CHECK(cost.upper > 0.995);
    }
}

namespace {

void check_near(const Release& release, const std::string& name, const std::vector<double>& truth) {
  const std::vector<double> found = values(release, name);
  REQUIRE(found.size() == truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) CHECK(std::abs(found[i] - truth[i]) < 1e-3);
}

}  // namespace

TEST_CASE("exact sums: rows that lack a number, or have one outside, count as they should") {
  const FitRequest request = asked({moments_of(2, true), cells_of(3), groups_of(2, 1)}, {{"noise", 1e-6}});
  Rows rows{{}, {}, 5};
  rows.add(std::vector<double>{0.5, -1, 0, 1, 0.25}, 0);
  rows.add(std::vector<double>{NAN, 1, 2, 0, NAN}, 0);
  rows.add(std::vector<double>{7, 1, 3, -1, 1}, 0);
  rows.add(std::vector<double>{-0.5, -0.5, NAN, 1, -9}, 0);
  TestRng rng(20261125);
  const Release release = fit(request, rows.records(), rng, {});
  check_near(release, "0.count", {3});
  check_near(release, "0.sums", {1, -0.5});
  check_near(release, "0.products", {1.5, 0.75, 2.25});
  check_near(release, "1.counts", {1, 0, 1});
  check_near(release, "2.counts", {0, 2});
  check_near(release, "2.sums", {0, -0.75});
  CHECK(values(release, "2.means")[3] == doctest::Approx(-0.375).epsilon(1e-3));
  CHECK(std::isinf(values(release, "2.means")[0]));
}

TEST_CASE("levels count as indicators, and a row without one of them, or with none known, as it should") {
  const FitRequest request = asked({moments_with_levels(1, {2, 3}, true)}, {{"noise", 1e-6}});
  Rows rows{{}, {}, 3};
  rows.add(std::vector<double>{0.5, 0, 2}, 0);
  rows.add(std::vector<double>{-1, 1, -1}, 0);
  rows.add(std::vector<double>{1, 0, 3}, 0);
  rows.add(std::vector<double>{1, NAN, 0}, 0);
  rows.add(std::vector<double>{NAN, 1, 0}, 0);
  TestRng rng(20261129);
  const Release release = fit(request, rows.records(), rng, {});
  check_near(release, "0.count", {3});
  check_near(release, "0.sums", {0.5, 2, 1, 0, 0, 1});
  check_near(release, "0.products", {2.25,        //
                                     1.5,  2,     //
                                     -1,   0, 1,  //
                                     0,    0, 0, 0, 0, 0, 0, 0, 0, 0.5, 1, 0, 0, 0, 1});
}

// With as much noise as rows: an indicator is from 0 to 1, and its variance at most 1/4.
TEST_CASE("intervals of indicators are no wider than their range") {
  TestRng rng(20261130);
  const std::vector<double> rows(60, 1), labels(30);
  const auto algorithm = epsilometer::algorithm(asked({moments_with_levels(1, {2}, true)}, {{"noise", 2}}));
  int told = 0;
  for (int run = 0; run < 200; ++run) {
    const Release release = algorithm->fit(Records{30, 2, rows, labels}, rng, {});
    const std::vector<double> means = values(release, "0.means"),
                              covariances = values(release, "0.covariances");
    if (std::isinf(means[0])) continue;
    ++told;
    for (std::size_t i : {3U, 6U})
      for (std::size_t k = 0; k < 3; ++k) CHECK(std::clamp(means[i + k], 0.0, 1.0) == means[i + k]);
    for (std::size_t i : {6U, 12U, 15U})
      for (std::size_t k = 0; k < 3; ++k) CHECK(std::abs(covariances[i + k]) <= 0.25);
  }
  CHECK(told > 20);
}

TEST_CASE("sums that were made elsewhere, in the steps that are told, are those of the rows") {
  std::vector<Statistic> all{moments_of(2, true), cells_of(3), groups_of(2, 1)};
  for (const bool products : {false, true}) {
    all[0].products = products;
    const FitRequest request = asked(all, {{"noise", 0.3}, {"dimension", 5}});
    Rows rows{{}, {}, 5};
    rows.add(std::vector<double>{0.3, -1, 0, 1, 0.7}, 0);
    rows.add(std::vector<double>{0.1, 0.9, 2, 0, -0.2}, 0);
    const auto steps = [&](double value, const char* name) {
      return static_cast<__int128>(std::trunc(value / number(request, name)));
    };
    const auto row = [&](const char* name) { return static_cast<__int128>(number(request, name)); };
    std::vector<__int128> sums{2 * row("0.row"), steps(0.3, "0.step") + steps(0.1, "0.step"),
                               steps(-1, "0.step") + steps(0.9, "0.step")};
    if (products)
      for (const auto& [one, other, weight] :
           {std::tuple(0, 0, 1.0), std::tuple(1, 0, std::sqrt(2.0)), std::tuple(1, 1, 1.0)}) {
        const double first[] = {0.3, -1}, second[] = {0.1, 0.9};
        sums.push_back(steps(first[one] * first[other] * weight, "0.step") +
                       steps(second[one] * second[other] * weight, "0.step"));
      }
    for (const int count : {1, 0, 1}) sums.push_back(count);
    for (const auto& [value, name] : {std::pair(-0.2, "2.step"), std::pair(0.7, "2.step")}) {
      sums.push_back(row("2.row"));
      sums.push_back(steps(value, name));
    }
    FitSession ours(request), theirs(request);
    ours.add(rows.records().features, rows.records().labels);
    theirs.add(IntegerSum(sums), 0);
    TestRng one(5), other(5);
    const Release first = ours.run(one, {}), second = theirs.run(other, {});
    for (const char* name : {"0.count", "0.sums", "1.counts", "2.counts", "2.sums"})
      CHECK(values(first, name) == values(second, name));
    if (products) CHECK(values(first, "0.products") == values(second, "0.products"));
    sums.pop_back();
    CHECK_THROWS_AS(theirs.add(IntegerSum(sums), 0), Refusal);
  }
}

TEST_CASE("the widest noise that may be asked for counts rows all the same") {
  std::vector<Statistic> all{cells_of(1), cells_of(0x1p20)};
  all[0].weight = 1e-6;
  all[1].weight = 1e6;
  const FitRequest request = asked(all, {{"noise", 1e6}});
  const double sigma = number(request, "0.count");
  CHECK(sigma > 1e10);
  TestRng rng(20261129);
  const std::vector<double> row{0, 5}, label{0};
  CHECK(std::abs(values(fit(request, Records{1, 2, row, label}, rng, {}), "0.counts")[0]) < 9 * sigma);
}

TEST_CASE("a table in pieces, and none at all, give what they should") {
  const FitRequest request =
      asked({moments_of(2, true), cells_of(4), quantiles_of({500}, 11)}, {{"noise", 0.1}, {"dimension", 4}});
  FitSession session(request), whole(request);
  const std::vector<double> rows{0.1, 0.2, 1, 0.2, -0.4, 0.6, 3, 0.4}, labels{0, 0};
  session.add(std::span(rows).first(4), std::span(labels).first(1));
  session.add(std::span(rows).last(4), std::span(labels).first(1));
  whole.add(rows, labels);
  TestRng one(1), other(1), empty(1);
  const Release pieces = session.run(one, {}), all = whole.run(other, {});
  for (const Output& output : pieces.outputs)
    if (std::isfinite(output.values[0])) CHECK(output.values == values(all, output.name));
  const Release nothing = FitSession(request).run(empty, {});
  CHECK(std::isinf(values(nothing, "0.means")[0]));
  CHECK(std::isfinite(values(nothing, "2.quantiles")[0]));
}

// The weights of three candidates by hand.
TEST_CASE("quantiles are drawn with the weights of their scores") {
  const FitRequest request = asked({quantiles_of({250}, 3)}, {{"noise", 1.88 / 0.8}});
  CHECK(number(request, "0.epsilon") == doctest::Approx(0.8).epsilon(1e-12));
  // Two rows at -1, one between 0 and 1, one at 1: scores of -1, 0 and 1.
  const std::vector<double> rows{-1, -1, 0.3, 1}, labels(4);
  const std::vector<double> scores{0, -1000, -2000};
  double all = 0;
  std::vector<double> weights;
  for (const double score : scores) weights.push_back(std::exp(0.8 * score / (2 * 750)));
  for (const double weight : weights) all += weight;
  TestRng rng(20261126);
  const auto algorithm = epsilometer::algorithm(request);
  constexpr int runs = 20000;
  std::vector<int> drawn(3);
  for (int i = 0; i < runs; ++i)
    ++drawn[static_cast<std::size_t>(
        algorithm->fit(Records{4, 1, rows, labels}, rng, {}).values("0.quantiles")[0] + 1)];
  for (std::size_t i = 0; i < 3; ++i) {
    const double p = weights[i] / all;
    CHECK(std::abs(drawn[i] - runs * p) < 4.5 * std::sqrt(runs * p * (1 - p)));
  }
}

TEST_CASE("deciles of a long-tailed column are nearly right, and each is off by no more than is said") {
  constexpr double count = 20000;
  Rows rows{{}, {}, 1};
  TestRng made(7);
  for (int i = 0; i < count; ++i) {
    double normal = -6;
    for (int k = 0; k < 12; ++k) normal += made.word() * 0x1p-32;
    rows.add(std::vector{std::min(1.0, 2 * std::exp(normal) / 50 - 1)}, 0);
  }
  std::vector<double> sorted = rows.features;
  std::sort(sorted.begin(), sorted.end());
  const FitRequest request = asked({quantiles_of({100, 200, 300, 400, 500, 600, 700, 800, 900}, 1001)},
                                   {{"epsilon", 1}, {"delta", 1e-6}});
  const double said = number(request, "0.rankError");
  TestRng rng(20261127);
  const auto algorithm = epsilometer::algorithm(request);
  double total = 0;
  for (int run = 0; run < 20; ++run) {
    const Release release = algorithm->fit(rows.records(), rng, {});
    for (int k = 0; k < 9; ++k) {
      const double found = values(release, "0.quantiles")[static_cast<std::size_t>(k)];
      const auto rank =
          static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), found) - sorted.begin());
      total += std::abs(rank - (k + 1) * count / 10);
    }
  }
  // Of the rows between two candidates some are on the wrong side of each.
  CHECK(total / 180 / count < 0.01);
  CHECK(said / count < 0.1);
}

// All rows are at the lowest candidate: from any other a quantile is off by about half of them. Values are
// told in order, so that the last one is the worst of all that were drawn: what is enough for each of them is
// not for it.
TEST_CASE("no quantile of an entry is off by more than is said, as often as is said of all of them" *
          doctest::test_suite("long")) {
  std::vector<double> thousandths(20);
  std::iota(thousandths.begin(), thousandths.end(), 501);
  const FitRequest request = asked({quantiles_of(thousandths, 1001)}, {{"noise", 1}});
  const auto algorithm = epsilometer::algorithm(request);
  TestRng rng(20261128);
  constexpr int runs = 2000;
  const auto share_beyond = [&](double rows_off) {
    const auto count = static_cast<std::size_t>(std::ceil(rows_off / (1 - thousandths.back() / 1000))) + 1;
    const std::vector<double> rows(count, -1), labels(count);
    int beyond = 0;
    for (int run = 0; run < runs; ++run)
      if (algorithm->fit(Records{count, 1, rows, labels}, rng, {}).values("0.quantiles").back() > -1)
        ++beyond;
    return beyond / static_cast<double>(runs);
  };
  const double said = number(request, "0.rankError");
  const double of_one = said * std::log(1001 / 0.05) / std::log(20 * 1001 / 0.05);
  CHECK(share_beyond(said) < 0.05 + 4.5 * std::sqrt(0.05 / runs));
  CHECK(share_beyond(of_one) > 0.2);
}

// 95 % is said of each: the audit counts how often it is so, within what 2 000 runs allow.
TEST_CASE("intervals contain the numbers of the table as often as they say" * doctest::test_suite("long")) {
  constexpr int runs = 2000;
  constexpr double count = 400;
  Rows rows{{}, {}, 3};
  TestRng made(11);
  const auto uniform = [&] { return 2 * (made.word() * 0x1p-32) - 1; };
  for (int i = 0; i < count; ++i) {
    const double x = 0.8 + 0.2 * uniform(), y = std::clamp(x * uniform() + 0.3 * uniform(), -1.0, 1.0);
    rows.add(std::vector{x, y, 0.1 * uniform() - 0.9 * y}, 0);
  }
  const auto at = [&](std::size_t i, std::size_t k) { return rows.features[3 * i + k]; };
  std::vector<double> mean(3), covariance;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < 3; ++k) mean[k] += at(i, k) / count;
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t j = 0; j <= k; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < count; ++i) sum += (at(i, k) - mean[k]) * (at(i, j) - mean[j]) / count;
      covariance.push_back(sum);
    }
  const auto correlation = [&](std::size_t entry, std::size_t one, std::size_t other) {
    return covariance[entry] / std::sqrt(covariance[one] * covariance[other]);
  };
  const std::vector<double> correlations{correlation(1, 0, 2), correlation(3, 0, 5), correlation(4, 2, 5)};
  const auto spectrum = [](const std::vector<double>& triangle, std::size_t size) {
    return eigensystem(triangle, size, {}).values;
  };
  // Of all, and of the first and the last.
  const std::vector<std::vector<double>> spectra{
      spectrum(covariance, 3), spectrum({covariance[0], covariance[3], covariance[5]}, 2),
      spectrum({1, correlations[0], 1, correlations[1], correlations[2], 1}, 3),
      spectrum({1, correlations[1], 1}, 2)};
  const Statistic moments = with_spectra(
      moments_of(3, true), {{false, {0, 1, 2}}, {false, {0, 2}}, {true, {0, 1, 2}}, {true, {0, 2}}});
  const auto algorithm = epsilometer::algorithm(asked({moments}, {{"noise", 2}}));
  TestRng rng(20261128);
  std::vector<int> held(12), all_eigenvalues(spectra.size());
  for (int run = 0; run < runs; ++run) {
    const Release release = algorithm->fit(rows.records(), rng, {});
    std::size_t place = 0;
    const auto count_held = [&](const char* name, const std::vector<double>& truth) {
      const std::vector<double> found = values(release, name);
      for (std::size_t k = 0; k < truth.size(); ++k, ++place)
        held[place] += found[3 * k + 1] <= truth[k] && truth[k] <= found[3 * k + 2];
    };
    count_held("0.means", mean);
    count_held("0.covariances", covariance);
    count_held("0.correlations", correlations);
    for (std::size_t one = 0; one < spectra.size(); ++one) {
      const std::vector<double> found = values(release, "0.eigenvalues." + std::to_string(one));
      bool all = true;
      for (std::size_t k = 0; k < spectra[one].size(); ++k)
        all = all && found[3 * k + 1] <= spectra[one][k] && spectra[one][k] <= found[3 * k + 2];
      all_eigenvalues[one] += all;
    }
  }
  // Four standard deviations of a binomial number.
  const double least = runs * 0.95 - 4 * std::sqrt(runs * 0.95 * 0.05);
  for (const int one : held) CHECK(one >= least);
  for (const int one : all_eigenvalues) CHECK(one >= least);
  // Those of quotients say 95 % exactly.
  for (std::size_t k = 0; k < 3; ++k) CHECK(held[k] <= runs * 0.95 + 4 * std::sqrt(runs * 0.95 * 0.05));
}

// Not by chance: the number of rows, the sums and the products are each as far off as they are said to be at
// most, in whatever directions, and all eigenvalues must be held every time. With little noise the intervals
// say something too.
TEST_CASE("eigenvalues are held whatever the noise is, as long as none of it is too large") {
  constexpr std::size_t d = 3;
  TestRng rng(20261202);
  const auto uniform = [&] { return 2 * (rng.word() * 0x1p-32) - 1; };
  const auto direction = [&] {
    std::vector<double> vector{uniform(), uniform(), uniform()};
    const double length = std::hypot(vector[0], vector[1], vector[2]);
    for (double& one : vector) one /= length;
    return vector;
  };
  const double spectrum = LargestEigenvalue(d, OffDiagonalVariance::one).upper_quantile(0.02).bounds.upper;
  const double length = std::sqrt(3.0) + std::sqrt(2 * std::log(200.0));
  const double rows_off = normal_upper_quantile(0.0025);
  int said = 0;
  for (int trial = 0; trial < 400; ++trial) {
    CAPTURE(trial);
    const double rows = 500, noise = trial % 2 == 0 ? 0.3 : 3;
    // Means anywhere, and columns that vary each by itself and together.
    const std::vector<double> means{0.6 * uniform(), 0.6 * uniform(), 0.6 * uniform()}, along = direction();
    std::vector<double> covariance, products, sums;
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        covariance.push_back(0.1 * along[i] * along[j] + (i == j ? 0.02 + 0.02 * std::abs(uniform()) : 0));
    const auto at = [&](std::size_t i, std::size_t j) { return covariance[i * (i + 1) / 2 + j]; };
    const std::vector<double> off = direction(), pushed = direction();
    const double side = uniform() < 0 ? -1 : 1;
    for (std::size_t i = 0; i < d; ++i) {
      sums.push_back(rows * means[i] + noise * length * off[i]);
      for (std::size_t j = 0; j <= i; ++j)
        products.push_back(rows * (at(i, j) + means[i] * means[j]) +
                           side * noise * spectrum * (trial % 3 == 0 ? (i == j) : pushed[i] * pushed[j]));
    }
    const double shift = (uniform() < 0 ? -1 : 1) * rows_off * noise;
    const NoisyMoments noisy{rows + shift, sums, products, {noise, noise, noise * std::sqrt(2.0), noise}};
    std::vector<double> correlation;
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j <= i; ++j) correlation.push_back(at(i, j) / std::sqrt(at(i, i) * at(j, j)));
    const auto holds = [&](const std::vector<IntervalEstimate>& found, const std::vector<double>& matrix) {
      const std::vector<double> truth = eigensystem(matrix, d, {}).values;
      for (std::size_t k = 0; k < d; ++k) {
        CHECK(found[k].lower <= truth[k] * (1 + 1e-12));
        CHECK(truth[k] <= found[k].upper * (1 + 1e-12));
      }
      return found[0].upper;
    };
    holds(noisy.eigenvalues(), covariance);
    said += holds(noisy.correlation_eigenvalues(), correlation) < 2.9;
  }
  CHECK(said > 100);
}

// One row of a group of its own, and with all it may count: how likely its group is told.
TEST_CASE("a group of one row is told at most as often as is stated, and nearly so" *
          doctest::test_suite("long")) {
  TestRng rng(20261126);
  for (const double columns : {0.0, 3.0})
    for (const double noise : {0.3, 2.0}) {
      CAPTURE(columns);
      CAPTURE(noise);
      const auto algorithm = epsilometer::algorithm(asked({found_of(columns, 0.05)}, {{"noise", noise}}));
      // Of the second group, so that the first one has no row and is asked for all the same.
      const std::vector<double> row(static_cast<std::size_t>(columns) + 1, 1.0);
      const std::vector<double> label{0};
      const int runs = 20000;
      int told = 0;
      for (int run = 0; run < runs; ++run) {
        const Release release = algorithm->fit(Records{1, row.size(), row, label}, rng, {});
        for (const double group : values(release, "0.groups")) told += group == 1 ? 1 : 0;
      }
      const double deviation = std::sqrt(runs * 0.05 * 0.95);
      CHECK(told <= runs * 0.05 + 4 * deviation);
      CHECK(told >= runs * 0.05 - 4 * deviation);
      CHECK(number(asked({found_of(columns, 0.05)}, {{"noise", noise}}), "0.threshold") ==
            doctest::Approx(1 + number(asked({found_of(columns, 0.05)}, {{"noise", noise}}), "0.count") *
                                    1.6448536269514722)
                .epsilon(1e-9));
    }
}

TEST_CASE("found groups are told with their sums, whatever their numbers are, and others never") {
  std::vector<double> rows;
  for (int i = 0; i < 90; ++i) rows.insert(rows.end(), {i % 3 == 0 ? 7.0 : 2.0, i % 3 == 0 ? 0.5 : -1.0});
  // Of no group, without a number, far outside, alone.
  for (const double odd : {std::nan(""), -1.0, 1e300, 4.0}) rows.insert(rows.end(), {odd, odd});
  const std::vector<double> labels(94);
  TestRng rng(20261127);
  const FitRequest request = asked({found_of(1, 1e-6)}, {{"noise", 1e-3}});
  const Release release = fit(request, Records{94, 2, rows, labels}, rng, {});
  CHECK(values(release, "0.groups") == std::vector<double>{2, 7});
  const std::vector<double> counts = values(release, "0.counts"), sums = values(release, "0.sums");
  CHECK(std::abs(counts[0] - 60) < 0.1);
  CHECK(std::abs(counts[1] - 30) < 0.1);
  CHECK(std::abs(sums[0] + 60) < 0.1);
  CHECK(std::abs(sums[1] - 15) < 0.1);
  CHECK(values(release, "0.means").size() == 6);
  const Release nothing = fit(request, Records{0, 2, {}, {}}, rng, {});
  CHECK(values(nothing, "0.groups").empty());
  CHECK(values(nothing, "0.means").empty());
}

// Two persons with thirty rows each, and one row of a third one.
TEST_CASE("groups that are found count persons where that is asked, and rows beside them for means") {
  std::vector<double> rows;
  for (int i = 0; i < 60; ++i) rows.insert(rows.end(), {3.0, i % 30 == 0 ? 1.0 : 0.0, i < 30 ? 0.5 : -0.25});
  rows.insert(rows.end(), {1.0, 1.0, 1.0});
  const std::vector<double> labels(61);
  TestRng rng(20261201);
  const FitRequest request = asked({persons_of(1, 1e-3)}, {{"noise", 1e-3}});
  const Release release = fit(request, Records{61, 3, rows, labels}, rng, {});
  CHECK(values(release, "0.groups") == std::vector<double>{3});
  CHECK(std::abs(values(release, "0.counts")[0] - 2) < 0.1);
  CHECK(std::abs(values(release, "0.rows")[0] - 60) < 0.1);
  CHECK(std::abs(values(release, "0.sums")[0] - 7.5) < 0.1);
  CHECK(std::abs(values(release, "0.means")[0] - 0.125) < 0.01);
  std::vector<double> alone;
  for (std::size_t i = 0; i < rows.size(); i += 3) alone.insert(alone.end(), {rows[i], rows[i + 1]});
  const Release counted =
      fit(asked({persons_of(0, 1e-3)}, {{"noise", 1e-3}}), Records{61, 2, alone, labels}, rng, {});
  CHECK(std::abs(values(counted, "0.counts")[0] - 2) < 0.1);
}

// The mean of a row costs what it costs in a group that is declared; the threshold its probability besides.
TEST_CASE("found groups cost one Gaussian release and the threshold's probability, once each") {
  const Description price = plan(asked({found_of(2, 1e-7)}, {{"noise", 0.5}})).description;
  const double declared = mu(asked({groups_of(7, 2)}, {{"noise", 0.5}}));
  const Description by_hand{"composition",
                            {},
                            {},
                            {},
                            {{{"gaussian", {{"sigma", 1 / declared}, {"sensitivity", 1}}, {}, {}, {}}, 1},
                             {{"approximate", {{"epsilon", 0}, {"delta", 1e-7}}, {}, {}, {}}, 1}}};
  for (const double delta : {1.5e-7, 1e-5, 1e-2}) {
    const Bounds found = epsilon(*privacy_loss(price), delta), hand = epsilon(*privacy_loss(by_hand), delta);
    CHECK(found.upper == doctest::Approx(hand.upper).epsilon(1e-6));
  }
}

TEST_CASE("what cannot be asked is refused by name") {
  CHECK(field(asked({found_of(0)})) == "delta");
  CHECK(field(asked({found_of(0, 0.6)})) == "delta");
  CHECK(field(replaced(asked({found_of(0, 1e-6)}))) == "neighbours");
  CHECK(field(asked({found_of(301, 1e-6)})) == "columns");
  CHECK(field(asked({})) == "statistics");
  CHECK(field(asked({{"minimum"}})) == "of");
  CHECK(field(asked({moments_of(0, false)})) == "columns");
  CHECK(field(asked({moments_of(301, false)})) == "columns");
  CHECK(field(asked({moments_with_levels(0, {}, true)})) == "columns");
  CHECK(field(asked({moments_with_levels(1, {300}, true)})) == "columns");
  CHECK(field(asked({moments_with_levels(1, {0}, true)})) == "levels");
  CHECK(field(asked({moments_with_levels(1, {1e300}, true)})) == "levels");
  for (const std::vector<double>& places : {std::vector<double>{}, {2.0}, {0.0, 0.0}, {-1.0}, {std::nan("")}})
    CHECK(field(asked({with_spectra(moments_of(2, true), {{false, places}})})) == "spectra");
  CHECK(field(asked({cells_of(0)})) == "cells");
  CHECK(field(asked({cells_of(0x1p20 + 1)})) == "cells");
  CHECK(field(asked({groups_of(0x1p19, 2)})) == "cells");
  CHECK(field(asked({quantiles_of({}, 11)})) == "probabilities");
  CHECK(field(asked({quantiles_of({0}, 11)})) == "probabilities");
  CHECK(field(asked({quantiles_of({1000}, 11)})) == "probabilities");
  CHECK(field(asked({quantiles_of({0.5}, 11)})) == "probabilities");
  CHECK(field(asked({quantiles_of({500}, 1)})) == "candidates");
  CHECK(field(asked({cells_of(2)}, {{"noise", 1}, {"epsilon", 1}, {"delta", 1e-6}})) == "noise");
  CHECK(field(asked({cells_of(2)}, {{"epsilon", 1}, {"delta", 0}})) == "delta");
  CHECK(field(asked({quantiles_of({500}, 11)}, {{"epsilon", 1}, {"delta", 0}})) == "nothing");
  CHECK(field(asked({cells_of(2)}, {{"noise", 1}, {"dimension", 2}})) == "dimension");
  CHECK(field(asked({cells_of(2)}, {{"noise", 1}}, {{"neighbours", "zero-out"}})) == "neighbours");
  CHECK(field(asked({cells_of(2)}, {{"epsilon", 1}, {"delta", 1e-6}}, {{"accounting", "paper"}})) ==
        "accounting");
  Statistic declared = groups_of(3, 1);
  declared.persons = true;
  CHECK(field(asked({declared})) == "persons");
  Statistic weightless = cells_of(2);
  weightless.weight = 0;
  CHECK(field(asked({weightless})) == "weight");
}

}  // namespace epsilometer::everyday_statistics_test
