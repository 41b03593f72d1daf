// Sums over records: exact, the same in any order, and within the sensitivities that are priced.
#include "core/release/linear_statistics.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/finish.h"
#include "core/noise/symmetric_matrix.h"
#include "tests/core/rows.h"

namespace epsilometer::linear_statistics_test {

namespace {

Rows drawn(TestRng& rng, std::size_t count, std::size_t dimension, double scale) {
  Rows table{{}, {}, dimension};
  for (std::size_t i = 0; i < count * dimension; ++i) table.features.push_back(scale * normal_deviate(rng));
  for (std::size_t i = 0; i < count; ++i) table.labels.push_back(normal_deviate(rng));
  return table;
}

std::vector<std::int64_t> values(const IntegerSum& sum) {
  std::vector<std::int64_t> all(sum.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = sum.value(i);
  return all;
}

}  // namespace

TEST_CASE("sums are the same in any order and in any parts, to the last bit") {
  TestRng rng(1);
  const LinearBounds bounds{1, 1};
  Rows table = drawn(rng, 5000, 4, 0.6);
  LinearStatistics forwards(4, bounds), backwards(4, bounds), first(4, bounds), second(4, bounds);
  forwards.add(table.records(), {});
  for (std::size_t i = table.labels.size(); i-- > 0;) {
    backwards.add(table.records().row(i), table.labels[i]);
    (i % 3 == 0 ? first : second).add(table.records().row(i), table.labels[i]);
  }
  first.add(second);
  for (const auto* other : {&backwards, &first}) {
    CHECK(values(forwards.gram(-40)) == values(other->gram(-40)));
    CHECK(values(forwards.cross(-40)) == values(other->cross(-40)));
    CHECK(forwards.values().square == other->values().square);
  }
}

TEST_CASE("records inside their bounds are summed to what truncation leaves") {
  TestRng rng(2);
  const LinearBounds bounds{3, 6};
  Rows table = drawn(rng, 1000, 3, 0.3);
  LinearStatistics statistics(3, bounds);
  statistics.add(table.records(), {});
  const NormalEquations exact = statistics.values(), plain = normal_equations(table.records());
  // Each number loses less than 2^-19 C, toward zero.
  for (std::size_t i = 0; i < exact.gram.size(); ++i)
    CHECK(std::abs(exact.gram[i] - plain.gram[i]) < 1000 * 2 * 3 * 3 * 0x1p-19);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(std::abs(exact.cross[i] - plain.cross[i]) < 1000 * 2 * 3 * 6 * 0x1p-19);
  CHECK(exact.square == doctest::Approx(plain.square).epsilon(1e-5));
  CHECK(exact.square <= plain.square);
  // On the grid already: exact.
  LinearStatistics one(2, bounds);
  one.add(std::vector<double>{0.5, -1.25}, 3.75);
  CHECK(one.values().gram == std::vector<double>{0.25, -0.625, 1.5625});
  CHECK(one.values().cross == std::vector<double>{1.875, -4.6875});
  CHECK(one.values().square == 14.0625);
}

TEST_CASE("a record moves each block by no more than its sensitivity, on every grid and in both norms") {
  TestRng rng(3);
  for (const Norm row_norm : {Norm::l2, Norm::l1})
    for (const double bound : {1.0, 0.7, 1.9999, 1e-12, 3e7}) {
      const LinearBounds bounds{bound, 1.3, row_norm};
      LinearStatistics before(3, bounds);
      for (int i = 0; i < 3; ++i)
        before.add(std::vector<double>{bound * normal_deviate(rng), bound, -bound}, normal_deviate(rng));
      double most = 0;
      for (int trial = 0; trial < 2000; ++trial) {
        LinearStatistics after = before;
        std::vector<double> x(3);
        for (double& one : x) one = trial % 5 == 0 ? 0 : 4 * bound * normal_deviate(rng);
        x[trial % 3] = 9 * bound;
        after.add(x, trial % 2 ? 9 : -9);
        for (const Norm norm : {Norm::l2, Norm::l1}) {
          const Query gram = gram_query(3, bounds, norm), cross = cross_query(3, bounds, norm);
          for (const int coarse : {0, 7, 33}) {
            const auto a = values(before.gram(gram.finest + coarse)),
                       b = values(after.gram(gram.finest + coarse)),
                       c = values(before.cross(cross.finest + coarse)),
                       d = values(after.cross(cross.finest + coarse));
            double size = 0, length = 0;
            for (std::size_t row = 0, place = 0; row < 3; ++row)
              for (std::size_t column = 0; column <= row; ++column, ++place) {
                const auto moved = static_cast<double>(std::abs(a[place] - b[place]));
                size += (row == column ? 1 : 2) * (norm == Norm::l1 ? moved : moved * moved);
              }
            for (std::size_t i = 0; i < 3; ++i) {
              const auto moved = static_cast<double>(std::abs(c[i] - d[i]));
              length += norm == Norm::l1 ? moved : moved * moved;
            }
            if (norm == Norm::l2) size = std::sqrt(size), length = std::sqrt(length);
            CHECK(size <= gram.sensitivity(gram.finest + coarse) * (1 + 1e-14));
            CHECK(length <= cross.sensitivity(cross.finest + coarse) * (1 + 1e-14));
            if (coarse == 0) most = std::max(most, size / gram.sensitivity(gram.finest));
          }
        }
      }
      // And it is attained, up to the grid.
      CHECK(most > 0.9999);
    }
}

TEST_CASE("nothing overflows: two million full records, and noise as fine as the grid allows") {
  const LinearBounds bounds{1.9999, 1.9999};
  LinearStatistics full(1, bounds);
  for (int i = 0; i < 1 << 21; ++i) full.add(std::vector<double>{9}, -9);
  const double each = 1.9999 * 1.9999;
  CHECK(full.values().gram[0] == doctest::Approx(each * (1 << 21)).epsilon(1e-5));
  CHECK(full.values().cross[0] == doctest::Approx(-each * (1 << 21)).epsilon(1e-5));
  const Query query = gram_query(1, bounds, Norm::l2);
  CHECK(query.exponent(1e-9) == query.finest);
  const int coarse = query.exponent(6);
  CHECK(std::ldexp(static_cast<double>(full.gram(coarse).value(0)), coarse) ==
        doctest::Approx(each * (1 << 21)).epsilon(1e-5));
}

TEST_CASE("what is not finite counts as nothing, and wrong shapes are refused by name") {
  const LinearBounds bounds{1, 1};
  LinearStatistics statistics(2, bounds);
  statistics.add(std::vector<double>{std::nan(""), 1}, 1);
  statistics.add(std::vector<double>{1e308, INFINITY}, 1);
  CHECK(statistics.values().gram == std::vector<double>{0, 0, 0});
  CHECK(statistics.values().cross == std::vector<double>{0, 0});
  CHECK(statistics.values().square == 2);
  CHECK_THROWS_AS(statistics.add(std::vector<double>{1}, 1), Refusal);
  CHECK_THROWS_AS(statistics.add(LinearStatistics(3, bounds)), Refusal);
  CHECK_THROWS_AS(statistics.add(LinearStatistics(2, {1, 2})), Refusal);
  CHECK_THROWS_AS(LinearStatistics(2, {0, 1}), Refusal);
  CHECK_THROWS_AS(LinearStatistics(2, {std::nan(""), 1}), Refusal);
  CHECK_THROWS_AS(LinearStatistics(2, bounds, IntegerSum(5), 0), Refusal);
  CHECK_THROWS_AS(statistics.gram(-41), Refusal);
  CHECK(statistics.count() == 2);
  statistics.add(statistics);
  CHECK(statistics.count() == 4);
}

TEST_CASE("sums from elsewhere are taken as they are, and a long sum can be stopped") {
  TestRng rng(4);
  const LinearBounds bounds{1, 1};
  std::vector<__int128> sums = {__int128{1} << 90, 2, 3, 4, 5, 6};
  const LinearStatistics given(2, bounds, IntegerSum(sums), 7);
  CHECK(given.values().gram[0] == 0x1p50);
  CHECK(given.gram(-40 + 60).value(0) == std::int64_t{1} << 30);
  CHECK(values(given.cross(-40)) == std::vector<std::int64_t>{4, 5});
  Rows table = drawn(rng, 10, 1, 1);
  LinearStatistics stopped(1, bounds);
  CHECK_THROWS_AS(stopped.add(table.records(), [](double) { return false; }), Refusal);
}

TEST_CASE("rounding half up to a coarser grid") {
  const IntegerSum fine({5, 6, -5, -6, -7, 4, -4});
  CHECK(values(fine.coarser(2)) == std::vector<std::int64_t>{1, 2, -1, -1, -2, 1, -1});
  CHECK(values(fine.coarser(0)) == values(fine));
  CHECK_THROWS_AS(fine.coarser(-1), Refusal);
}

TEST_CASE("sums are exact at the longest records, wherever they are asked for") {
  const double most = 1.999999;
  const auto step = static_cast<std::int64_t>(std::ldexp(most, 20));
  LinearStatistics statistics(1, {most, most});
  for (int count = 1; count <= 4100; ++count) {
    statistics.add(std::span(&most, 1), count % 2 == 0 ? most : -most);
    if (count % 8 > 1 && count % 2048 > 1) continue;
    CAPTURE(count);
    const auto square = static_cast<__int128>(step) * step;
    CHECK(statistics.gram(-40).wide_value(0) == square * count);
    CHECK(statistics.cross(-40).wide_value(0) == (count % 2 == 0 ? __int128{0} : -square));
  }
}

}  // namespace epsilometer::linear_statistics_test
