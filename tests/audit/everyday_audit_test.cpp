// Attacks on everyday statistics: one row, there or not, or another one in its place.
#include <doctest/doctest.h>

#include "core/release/algorithm.h"
#include "tests/audit/attack.h"

namespace epsilometer::everyday_audit_test {

namespace {

using Row = std::vector<double>;

FitRequest statistics(Statistic statistic, double noise, const char* neighbours = "add-remove") {
  FitRequest request{"everyday-statistics", {{"noise", noise}}, {{"neighbours", neighbours}}};
  request.statistics = {std::move(statistic)};
  return request;
}

/// Of tables of one row at most; the likelihood ratio grows with the statistic, which is `threshold` where
/// its logarithm is epsilon.
double excess(const FitRequest& run, const FitRequest& stated, const Row& first, const Row& second,
              const std::function<double(const Release&)>& statistic,
              const std::function<double(double epsilon)>& threshold) {
  TestRng rng(20261207);
  const std::shared_ptr<const Algorithm> algorithm = epsilometer::algorithm(run);
  const std::vector<double> label{0};
  const std::size_t dimension = std::max(first.size(), second.size());
  const Run noisy = [&](bool is_first) {
    const Row& row = is_first ? first : second;
    const std::size_t count = row.empty() ? 0 : 1;
    return statistic(algorithm->fit(Records{count, dimension, row, std::span(label).first(count)}, rng, {}));
  };
  return certain_excess(noisy, threshold, deltas(plan(stated).description));
}

const std::function<double(double)> as_for_one = [](double epsilon) { return epsilon + 0.5; };

}  // namespace

TEST_CASE("a histogram tells no more of a row than is stated, and less noise is seen") {
  const Statistic cells{"cells", 0, false, 4};
  const auto cell = [](const Release& release) { return release.values("0.counts")[2]; };
  CHECK(excess(statistics(cells, 1), statistics(cells, 1), {2}, {}, cell, as_for_one) <= 0);
  CHECK(excess(statistics(cells, 0.8), statistics(cells, 1), {2}, {}, cell, as_for_one) > 0);
}

TEST_CASE("what a row that is added may be moved by is not enough for one that is replaced") {
  const Statistic cells{"cells", 0, false, 4};
  const auto gap = [](const Release& release) {
    return (release.values("0.counts")[2] - release.values("0.counts")[1]) / std::sqrt(2.0);
  };
  // The two means are sqrt(2) apart, 0 in the middle.
  const auto threshold = [](double epsilon) { return epsilon / std::sqrt(2.0); };
  const FitRequest replaced = statistics(cells, 1 / std::sqrt(2.0), "replace"), added = statistics(cells, 1);
  CHECK(excess(added, replaced, {2}, {1}, gap, threshold) <= 0);
  CHECK(excess(added, added, {2}, {1}, gap, threshold) > 0);
}

// A row at a corner: all of its sums, weighted as it is itself.
TEST_CASE("moments tell no more of a row than is stated, and less noise is seen") {
  const Statistic moments{"moments", 2, true};
  const Row corner{1, -1};
  const auto along = [](const Release& release) {
    const std::vector<double>&sums = release.values("0.sums"), &products = release.values("0.products");
    const double all =
        release.number("0.count") + sums[0] - sums[1] + products[0] + products[2] - 2 * products[1];
    // The length of the row is sqrt(7), and so is the noise's deviation.
    return all / 7;
  };
  CHECK(excess(statistics(moments, 1), statistics(moments, 1), corner, {}, along, as_for_one) <= 0);
  CHECK(excess(statistics(moments, 0.8), statistics(moments, 1), corner, {}, along, as_for_one) > 0);
}

// One level in the place of another: of a row two sums and two squares change, by 1 each.
TEST_CASE("moments of levels tell no more of a row than is stated, and less noise is seen") {
  Statistic asked{"moments", 0, true};
  asked.levels = {4};
  const auto gap = [](const Release& release) {
    const std::vector<double>&sums = release.values("0.sums"), &products = release.values("0.products");
    // The tables' means are 2 apart in this direction, 0 in the middle, and so is the noise's deviation.
    return (sums[1] - sums[2] + products[2] - products[5]) / 4;
  };
  const auto as_for_two = [](double epsilon) { return epsilon; };
  const FitRequest stated = statistics(asked, 1, "replace");
  const auto moved = [&](double noise) {
    return excess(statistics(asked, noise, "replace"), stated, {1}, {2}, gap, as_for_two);
  };
  CHECK(moved(1) <= 0);
  CHECK(moved(0.8) > 0);
}

TEST_CASE("sums of groups tell no more of a row than is stated, and less noise is seen") {
  const Statistic groups{"groups", 1, false, 3};
  const auto along = [](const Release& release) {
    // The row is (sqrt(1/2), 1), of length sqrt(3/2).
    return (release.values("0.counts")[1] / 2 + release.values("0.sums")[1]) / 1.5;
  };
  CHECK(excess(statistics(groups, 1), statistics(groups, 1), {1, 1}, {}, along, as_for_one) <= 0);
  CHECK(excess(statistics(groups, 0.8), statistics(groups, 1), {1, 1}, {}, along, as_for_one) > 0);
}

// Whoever sees a group of one row knows for certain. Otherwise its sums, where others are in the group too,
// are those of a declared one.
TEST_CASE("a group of one row that is found tells no more than is stated, and a lower threshold is seen") {
  const Statistic stated{"found-groups", 0, false, 0, {}, 0.02}, lower{"found-groups", 0, false, 0, {}, 0.05};
  const auto is_told = [](const Release& release) {
    return static_cast<double>(release.values("0.groups").size());
  };
  const auto threshold = [](double) { return 0.5; };
  CHECK(excess(statistics(stated, 2), statistics(stated, 2), {0}, {}, is_told, threshold) <= 0);
  CHECK(excess(statistics(lower, 2), statistics(stated, 2), {0}, {}, is_told, threshold) > 0);
}

// Of one row in a thousandth: which candidate is drawn, in the order of its likelihood ratio.
TEST_CASE("a quantile tells no more of a row than is stated, and a larger epsilon is seen") {
  const Statistic extreme{"quantiles", 0, false, 2, {1}};
  const auto drawn = [](const Release& release) { return -release.values("0.quantiles")[0]; };
  const auto threshold = [](double) { return 0.0; };
  const Row low{-1};
  CHECK(excess(statistics(extreme, 1.88), statistics(extreme, 1.88), low, {}, drawn, threshold) <= 0);
  // A row at the upper end as well: only a mechanism of a third of the noise shows more.
  CHECK(excess(statistics(extreme, 1.88 / 4), statistics(extreme, 1.88), low, {}, drawn, threshold) > 0);
}

}  // namespace epsilometer::everyday_audit_test
