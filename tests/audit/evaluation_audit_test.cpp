// Attacks on evaluations of models: one row, there or not, or in another cell.
#include <doctest/doctest.h>

#include <numeric>

#include "core/release/algorithm.h"
#include "tests/audit/attack.h"

namespace epsilometer::evaluation_audit_test {

namespace {

FitRequest evaluation(double sigma, std::map<std::string, std::string> texts) {
  FitRequest request{"model-evaluation", {{"dimension", 1}, {"sigma", sigma}}, std::move(texts)};
  if (request.texts["measured"] == "classes") request.numbers["bins"] = 2;
  return request;
}

/// A table of one row at most, whose label is 1.
using Row = std::vector<double>;

/// The likelihood ratio of the noisy numbers depends on the statistic alone, and is as large as `threshold`
/// says.
double excess(const FitRequest& run, const FitRequest& stated, const Row& first, const Row& second,
              const std::function<double(const std::vector<double>&)>& statistic,
              const std::function<double(double epsilon)>& threshold) {
  TestRng rng(20261205);
  const std::shared_ptr<const Algorithm> algorithm = epsilometer::algorithm(run);
  const std::vector<double> label{1};
  const Run noisy = [&](bool is_first) {
    const Row& row = is_first ? first : second;
    const Records table{row.size(), 1, row, std::span(label).first(row.size())};
    return statistic(algorithm->fit(table, rng, {}).outputs[0].values);
  };
  return certain_excess(noisy, threshold, deltas(plan(stated).description));
}

}  // namespace

TEST_CASE("counts of scores tell no more of a row than is stated, and less noise is seen") {
  const auto cell = [](const std::vector<double>& counts) { return counts[3]; };
  const auto threshold = [](double epsilon) { return epsilon + 0.5; };
  const auto asked = [](double sigma) {
    return evaluation(sigma, {{"measured", "classes"}, {"neighbours", "add-remove"}});
  };
  CHECK(excess(asked(1), asked(1), {0.9}, {}, cell, threshold) <= 0);
  CHECK(excess(asked(0.8), asked(1), {0.9}, {}, cell, threshold) > 0);
}

TEST_CASE("counts of scores tell no more of a replaced row than is stated, and less noise is seen") {
  const auto gap = [](const std::vector<double>& counts) { return counts[3] - counts[2]; };
  const auto threshold = [](double epsilon) { return epsilon; };
  const auto asked = [](double sigma, const char* neighbours) {
    return evaluation(sigma, {{"measured", "classes"}, {"neighbours", neighbours}});
  };
  CHECK(excess(asked(1, "replace"), asked(1, "replace"), {0.9}, {0.1}, gap, threshold) <= 0);
  CHECK(excess(asked(0.8, "replace"), asked(1, "replace"), {0.9}, {0.1}, gap, threshold) > 0);
  // What a row that is added may be moved by is not enough for one that is replaced.
  CHECK(excess(asked(1, "add-remove"), asked(1, "add-remove"), {0.9}, {0.1}, gap, threshold) > 0);
}

TEST_CASE("sums of errors tell no more of a row than is stated, and less noise is seen") {
  const auto all = [](const std::vector<double>& sums) {
    return std::accumulate(sums.begin(), sums.end(), 0.0);
  };
  const auto threshold = [](double epsilon) { return epsilon + 1.5; };
  const auto asked = [](double sigma) {
    return evaluation(sigma, {{"measured", "numbers"}, {"neighbours", "replace"}});
  };
  CHECK(excess(asked(1), asked(1), {7}, {}, all, threshold) <= 0);
  CHECK(excess(asked(0.8), asked(1), {7}, {}, all, threshold) > 0);
}

}  // namespace epsilometer::evaluation_audit_test
