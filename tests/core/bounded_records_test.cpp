// What a model sees of a table: every record bounded by itself, wherever it stands.
#include "core/model/bounded_records.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace epsilometer::bounded_records_test {

namespace {

double length(std::span<const double> x) {
  long double sum = 0;
  for (const double one : x) sum += static_cast<long double>(one) * one;
  return static_cast<double>(std::sqrt(sum));
}

}  // namespace

TEST_CASE("every record is bounded by itself, in every row of every piece") {
  std::mt19937_64 stream(20261130);
  std::uniform_real_distribution<double> even(-1, 1), octave(-30, 30);
  const auto loss = make_loss("squared", {2, 1});
  int shortened = 0, kept = 0, dropped = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t d = 1 + trial % 4, each = 3, last = trial % 3 + 1;
    const double bound = std::exp2(even(stream) * 5), intercept = trial % 2 ? 0.75 : 0,
                 gradient = trial % 5 ? 0.3 : std::numeric_limits<double>::infinity();
    std::vector<double> features, labels;
    for (std::size_t row = 0; row < 2 * each + last; ++row) {
      for (std::size_t j = 0; j < d; ++j)
        features.push_back(bound * even(stream) * std::exp2(octave(stream)));
      if (stream() % 8 == 0) features.back() = stream() % 2 ? std::nan("") : HUGE_VAL;
      labels.push_back(stream() % 8 == 0 ? std::nan("") : 9 * even(stream));
    }
    const std::span all(features), marks(labels);
    std::vector<Records> table;
    for (std::size_t from = 0; from < labels.size(); from += each) {
      const std::size_t count = std::min(each, labels.size() - from);
      table.push_back({count, d, all.subspan(from * d, count * d), marks.subspan(from, count)});
    }
    const RecordBounds bounds{bound, intercept, gradient};
    const BoundedRecords records(table, *loss, bounds);
    CHECK(bounds.norm() >= std::hypot(bound, intercept));
    CHECK(bounds.norm() <= std::hypot(bound, intercept) * (1 + 1e-12));
    REQUIRE(records.count() == labels.size());
    std::vector<double> x(d, 77);
    for (std::size_t i = 0; i < records.count(); ++i) {
      const std::size_t own = intercept > 0 ? d - 1 : d;
      const std::span<const double> given = all.subspan(i * d, own);
      const double size = length(given), y = labels[i];
      const auto record = records.read(i, x);
      CAPTURE(trial);
      CAPTURE(i);
      CHECK(std::abs(record.label) <= 2);
      const double seen = length(std::span(x).first(own));
      CHECK(seen <= bound);
      CHECK(length(x) <= record.norm);
      CHECK(length(x) <= bounds.norm());
      if (record.norm > 0) CHECK(record.limit * record.norm <= gradient * (1 + 1e-15));
      // No derivative times the record is longer than the bound of gradients, whatever the prediction is.
      for (const double u : {-1e9, 0.0, 3.0})
        CHECK(std::abs(records.at(record, u).first) * length(x) <= gradient);
      if (!std::isfinite(size) || std::isnan(y)) {
        for (const double one : x) CHECK(one == 0);
        ++dropped;
        continue;
      }
      CHECK(record.label == std::clamp(y, -2.0, 2.0));
      if (own < d) CHECK(x[own] == intercept);
      // Shortened, not turned; 26 bits of each.
      const double scale = size > bound ? bound / size : 1;
      for (std::size_t j = 0; j < own; ++j)
        CHECK(std::abs(x[j] - given[j] * scale) <= 0x1p-24 * scale * size);
      ++(size > bound ? shortened : kept);
    }
  }
  CHECK(shortened >= 400);
  CHECK(kept >= 200);
  CHECK(dropped >= 200);
}

}  // namespace epsilometer::bounded_records_test
