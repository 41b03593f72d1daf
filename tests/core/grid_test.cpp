// Sums whose sensitivity is that of the mathematics.
#include "core/noise/grid.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/base/refusal.h"
#include "tests/core/statistics.h"

namespace epsilometer::grid_test {

namespace {

// Directions, sizes and special values that rounding likes least.
std::vector<double> adversarial(std::mt19937_64& stream, std::size_t dimension, double bound) {
  std::uniform_real_distribution<double> even(-1, 1), octave(-40, 40);
  std::vector<double> record(dimension);
  double norm = 0;
  for (double& x : record) {
    x = stream() % 4 == 0 ? 0 : even(stream) * std::exp2(stream() % 3 == 0 ? octave(stream) : 0);
    norm += x * x;
  }
  // Half of them at the bound, give or take an ulp.
  if (stream() % 2 == 0 && norm > 0)
    for (double& x : record) x *= bound / std::sqrt(norm);
  if (stream() % 8 == 0) record[0] = std::nextafter(bound, stream() % 2 ? 0.0 : HUGE_VAL);
  return record;
}

}  // namespace

TEST_CASE("no contribution leaves the ball, in integers") {
  std::mt19937_64 stream(20261127);
  for (const double bound : {1.0, std::sqrt(2.0), 0.1, 12345.678}) {
    const Truncation euclidean(bound, Norm::l2, -30), manhattan(bound, Norm::l1, -30);
    const auto radius = static_cast<__int128>(euclidean.radius());
    std::size_t outside = 0;
    for (std::size_t i = 0; i < 250'000 / share; ++i) {
      const auto record = adversarial(stream, 1 + i % 7, bound);
      std::vector<std::int64_t> steps(record.size());
      euclidean.apply(record, steps);
      __int128 sum = 0;
      for (const std::int64_t step : steps) sum += static_cast<__int128>(step) * step;
      if (sum > radius * radius) ++outside;
      manhattan.apply(record, steps);
      sum = 0;
      for (const std::int64_t step : steps) sum += std::abs(step);
      if (sum > radius) ++outside;
    }
    CHECK(outside == 0);
  }
}

TEST_CASE("what is inside is truncated toward zero, what is outside keeps its direction") {
  const Truncation truncation(1, Norm::l2, -4);
  CHECK(truncation.radius() == 16);
  std::vector<std::int64_t> steps(2);
  truncation.apply(std::vector<double>{0.249, -0.999 / 16}, steps);
  CHECK(steps == std::vector<std::int64_t>{3, 0});
  truncation.apply(std::vector<double>{1, 0}, steps);
  CHECK(steps == std::vector<std::int64_t>{16, 0});
  const Truncation fine(5, Norm::l2, -30);
  for (const double size : {1.0, 7.0, 1e300, 1.7e308}) {
    fine.apply(std::vector<double>{0.6 * size, -0.8 * size}, steps);
    const double kept = std::min(size, 5.0) * 0x1p30;
    CHECK(std::abs(static_cast<double>(steps[0]) - 0.6 * kept) <= 2);
    CHECK(std::abs(static_cast<double>(steps[1]) + 0.8 * kept) <= 2);
  }
}

TEST_CASE("what keeps the bound is truncated and nothing else, up to the bound itself") {
  std::mt19937_64 stream(20261129);
  for (const double bound : {1.0, std::sqrt(2.0), 0.7, 12345.678})
    for (const Norm norm : {Norm::l2, Norm::l1}) {
      const Truncation truncation(bound, norm, std::ilogb(bound) - 20);
      std::size_t changed = 0;
      for (int i = 0; i < 20'000; ++i) {
        std::vector<double> record = adversarial(stream, 1 + i % 7, bound);
        double size = 0;
        for (const double x : record) size += norm == Norm::l2 ? x * x : std::abs(x);
        const double longest = (norm == Norm::l2 ? std::sqrt(size) : size) * (1 + 1e-14);
        // Whole steps of the largest bound may round up to one more than there are in the bound, in the l1
        // norm.
        const double most = norm == Norm::l2 ? bound : std::floor(std::ldexp(bound, 20 - std::ilogb(bound)));
        const double kept = norm == Norm::l2 ? most : std::ldexp(most, std::ilogb(bound) - 20);
        if (longest > kept)
          for (double& x : record) x *= kept / longest;
        std::vector<std::int64_t> steps(record.size());
        truncation.apply(record, steps);
        for (std::size_t j = 0; j < record.size(); ++j)
          if (steps[j] != static_cast<std::int64_t>(std::ldexp(record[j], 20 - std::ilogb(bound)))) ++changed;
      }
      CHECK(changed == 0);
    }
}

TEST_CASE("what is not a number contributes nothing") {
  const Truncation truncation(1, Norm::l2, -20);
  for (const double bad : {std::nan(""), HUGE_VAL, -HUGE_VAL}) {
    std::vector<std::int64_t> steps(3, 5);
    truncation.apply(std::vector<double>{0.5, bad, 0.5}, steps);
    CHECK(steps == std::vector<std::int64_t>(3));
  }
  std::vector<std::int64_t> steps(1, 5);
  truncation.apply(std::vector<double>{std::numeric_limits<double>::denorm_min()}, steps);
  CHECK(steps[0] == 0);
}

TEST_CASE("the order of the records and the way they are split do not matter") {
  std::mt19937_64 stream(20261128);
  const Truncation truncation(1, Norm::l2, -40);
  std::vector<std::vector<double>> records(2000);
  for (auto& record : records) record = adversarial(stream, 3, 1);
  const auto total = [&](std::size_t parts) {
    std::vector<IntegerSum> sums(parts, IntegerSum(3));
    std::vector<std::int64_t> steps(3);
    for (std::size_t i = 0; i < records.size(); ++i) {
      truncation.apply(records[i], steps);
      sums[i % parts].add(steps);
    }
    for (std::size_t i = 1; i < parts; ++i) sums[0].add(sums[i]);
    return std::array{sums[0].value(0), sums[0].value(1), sums[0].value(2)};
  };
  const auto once = total(1);
  CHECK(total(7) == once);
  std::shuffle(records.begin(), records.end(), stream);
  CHECK(total(1) == once);
  // Single precision, one of the sums that the grid replaces, stops counting: one record more changes
  // nothing.
  float naive = 0x1p24F;
  naive += 1.0F;
  CHECK(naive == 0x1p24F);
  IntegerSum exact(1);
  exact.add(std::vector<std::int64_t>{1 << 24});
  exact.add(std::vector<std::int64_t>{1});
  CHECK(exact.value(0) == (1 << 24) + 1);
}

TEST_CASE("rounded values are no further apart than said, ties included") {
  std::mt19937_64 stream(20261209);
  std::uniform_real_distribution<double> even(-8, 8);
  double largest = 0;
  for (std::size_t i = 0; i < 200'000 / share; ++i) {
    std::vector<double> one(3), other(3);
    double gap = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      // Halves of steps half of the time.
      const auto value = [&] { return stream() % 2 ? even(stream) : std::round(2 * even(stream)) / 2; };
      one[j] = value();
      other[j] = value();
      gap += (one[j] - other[j]) * (one[j] - other[j]);
    }
    const IntegerSum left = rounded(one, 0), right = rounded(other, 0);
    double distance = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const auto difference = static_cast<double>(left.value(j) - right.value(j));
      CHECK(std::abs(difference) <= std::ceil(std::abs(one[j] - other[j])));
      distance += difference * difference;
    }
    CHECK(std::sqrt(distance) <= rounded_sensitivity(std::sqrt(gap), 0, 3, 0));
    largest = std::max(largest, std::sqrt(distance) - std::sqrt(gap));
  }
  CHECK(largest > 1);
  CHECK(rounded_sensitivity(3, 0.25, 4, -1) >= 9);
  CHECK(rounded_sensitivity(3, 0.25, 4, -1) < 9 + 1e-12);
  CHECK(rounded(std::vector<double>{1e300, -1e300}, 0).value(0) == largest_sum);
  CHECK_THROWS_AS(rounded(std::vector<double>{std::nan("")}, 0), Refusal);
}

TEST_CASE("a sum is clamped, not wrapped") {
  IntegerSum sum(2);
  for (int i = 0; i < 10; ++i) sum.add(std::vector<std::int64_t>{largest_sum, -largest_sum});
  CHECK(sum.value(0) == largest_sum);
  CHECK(sum.value(1) == -largest_sum);
}

TEST_CASE("a bound that the grid cannot hold is refused") {
  for (const double bound : {0.0, -1.0, std::nan(""), HUGE_VAL, 0x1p-31, 0x1p19})
    CHECK_THROWS_AS(Truncation(bound, Norm::l2, -30), Refusal);
  CHECK(Truncation(0x1p18, Norm::l2, -30).radius() == std::int64_t{1} << 48);
}

}  // namespace epsilometer::grid_test
