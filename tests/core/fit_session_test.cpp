// Tables that come in parts: the same model as from the whole, and sums in place of records.
#include "core/release/fit_session.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/refusal.h"

namespace epsilometer::fit_session_test {

namespace {

struct Table {
  std::size_t dimension;
  std::vector<double> features, labels;
};

Table table(std::size_t count, std::size_t dimension) {
  Table table{dimension, std::vector<double>(count * dimension), std::vector<double>(count)};
  for (std::size_t i = 0; i < table.features.size(); ++i)
    table.features[i] =
        std::sin(static_cast<double>(i) * 12.9898) / std::sqrt(static_cast<double>(dimension));
  for (std::size_t i = 0; i < count; ++i) table.labels[i] = std::cos(static_cast<double>(i) * 78.233);
  return table;
}

FitRequest linear(std::size_t dimension, const char* algorithm = "ada-ssp") {
  return {algorithm,
          {{"dimension", static_cast<double>(dimension)},
           {"featureBound", 1},
           {"labelBound", 1},
           {"epsilon", 1},
           {"delta", 1e-5}},
          {}};
}

FitRequest model(std::size_t dimension) {
  return {"output-perturbation",
          {{"dimension", static_cast<double>(dimension)},
           {"featureBound", 1},
           {"lambda", 10},
           {"epsilon", 1},
           {"delta", 1e-5}},
          {{"loss", "logistic"}}};
}

std::vector<double> in_parts(const FitRequest& request, const Table& table, std::size_t rows) {
  FitSession session(request);
  for (std::size_t i = 0; i < table.labels.size(); i += rows) {
    const std::size_t some = std::min(rows, table.labels.size() - i);
    session.add(std::span(table.features).subspan(i * table.dimension, some * table.dimension),
                std::span(table.labels).subspan(i, some));
  }
  TestRng rng(5);
  return session.run(rng, {}).coefficients();
}

std::vector<double> at_once(const FitRequest& request, const Table& table) {
  TestRng rng(5);
  return fit(request, Records{table.labels.size(), table.dimension, table.features, table.labels}, rng, {})
      .coefficients();
}

}  // namespace

TEST_CASE("a table in parts is the table, however it is cut") {
  const Table small = table(777, 3);
  for (const FitRequest& request : {linear(3), linear(3, "linear-mixing"), model(3)}) {
    const auto whole = at_once(request, small);
    for (const std::size_t rows : {1u, 10u, 776u, 777u}) CHECK(in_parts(request, small, rows) == whole);
    CHECK(in_parts(request, table(776, 3), 100) != whole);
  }
}

TEST_CASE("records go on from one piece of memory to the next") {
  // Three pieces of 2^20 numbers, the last one not full.
  const Table wide = table(50'000, 50);
  FitRequest request = model(50);
  CHECK(in_parts(request, wide, 999) == at_once(request, wide));
}

TEST_CASE("no records at all, and requests that cannot be kept") {
  for (const FitRequest& request : {linear(3), model(3)})
    CHECK(in_parts(request, table(0, 3), 1) == at_once(request, table(0, 3)));
  FitRequest open = model(3);
  open.numbers.erase("dimension");
  CHECK_THROWS_AS(FitSession{open}, Refusal);
  FitRequest broken = linear(3);
  broken.numbers.erase("epsilon");
  CHECK_THROWS_AS(FitSession{broken}, Refusal);
}

TEST_CASE("sums are taken where they are enough and rows were bounded in the same norm") {
  // One record, x = (1, 0) and y = 1/2, in steps of 2^-20.
  const __int128 one = __int128{1} << 40;
  const IntegerSum sums({one, 0, 0, one / 2, 0, one / 4});
  const Table same{2, {1, 0}, {0.5}};
  FitSession session(linear(2));
  session.add(sums, 1);
  TestRng rng(5);
  CHECK(session.run(rng, {}).coefficients() == at_once(linear(2), same));
  FitSession needs_records(model(2));
  CHECK_THROWS_AS(needs_records.add(sums, 1), Refusal);
  CHECK_THROWS_AS(session.add(IntegerSum(5), 1), Refusal);
  FitRequest other = linear(2, "covariance-laplace");
  other.texts["norm"] = "l1";
  FitSession bounded_otherwise(other);
  CHECK_THROWS_AS(bounded_otherwise.add(sums, 1), Refusal);
}

}  // namespace epsilometer::fit_session_test
