// Whether there is a linear model must not depend on the table: every algorithm and form, over neighbouring
// tables, ordinary and hostile, of any size.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <set>

#include "core/accounting/profile.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/algorithm.h"
#include "core/release/row_count.h"
#include "tests/core/linear_request.h"
#include "tests/core/statistics.h"

namespace epsilometer::acceptance_test {

namespace {

// Every algorithm that needs sums only, in every form, with noise that is typed: in units of what one record
// moves a sum by.
std::vector<FitRequest> forms(const Numbers& bounds, double noise, double lambda, double rows) {
  const auto with = [&](const char* name, Numbers numbers, std::map<std::string, std::string> texts = {}) {
    numbers.insert(bounds.begin(), bounds.end());
    return FitRequest{name, numbers, std::move(texts)};
  };
  const double c = bounds.at("featureBound"), y = bounds.at("labelBound");
  const double sketched = noise * std::hypot(c, y), ridged = lambda * c * c;
  const Numbers plain = {{"sigma", noise}}, mixed = {{"sigma", sketched}},
                adaptive = {{"sigma", sketched}, {"failure", 1e-12}},
                ridge = {{"lambda", ridged}, {"rows", rows}, {"sigma", noise * y / c}};
  const std::map<std::string, std::string> released = {{"eigenvalue", "released"}};
  std::vector<FitRequest> all{
      with("ada-ssp", plain),
      with("ada-ssp", {{"sigma", noise}, {"releases", 3}}),
      with("covariance-laplace", {{"scale", noise}}),
      with("covariance-laplace", {{"scale", noise}, {"lambda", ridged}}),
      with("output-perturbation-ridge", ridge),
      with("posterior-sampling",
           {{"lambda", ridged}, {"rows", rows}, {"sigma", noise * y * std::sqrt(rows)}}),
      with("johnson-lindenstrauss", adaptive)};
  for (const char* name : {"linear-mixing", "gaussian-mixing", "logistic-mixing"}) {
    all.push_back(with(name, mixed));
    all.push_back(with(name, adaptive, released));
  }
  const Numbers sample = {{"sigma", std::clamp(noise, 0.02, 1e6)},
                          {"sampleEpsilon", 1},
                          {"sampleDelta", 1e-6},
                          {"failure", 1e-12}};
  all.push_back(with("adaptive-posterior-sampling", sample));
  Numbers typed = sample;
  typed["lambda"] = ridged;
  all.push_back(with("adaptive-posterior-sampling", typed));
  return all;
}

// "released", or why not.
std::string outcome(const Algorithm& algorithm, const LinearStatistics& statistics, std::uint64_t seed) {
  TestRng rng(seed);
  try {
    const Release release = algorithm.fit(statistics, rng);
    for (const double one : release.coefficients())
      if (!std::isfinite(one)) return "not finite";
    return "released";
  } catch (const Refusal& refusal) {
    return refusal.what();
  }
}

struct Hostile {
  std::size_t dimension;
  double features, labels;
  std::vector<double> rows, ends;
  Numbers bounds() const {
    return {
        {"dimension", static_cast<double>(dimension)}, {"featureBound", features}, {"labelBound", labels}};
  }
  LinearStatistics sums(std::size_t count) const {
    LinearStatistics statistics(dimension, {features, labels});
    for (std::size_t i = 0; i < count; ++i)
      statistics.add(std::span(rows).subspan(i * dimension, dimension), ends[i]);
    return statistics;
  }
};

// Entries at the bounds, nearly equal, tiny, infinite and not a number; the same record over and over;
// columns that are equal or constant; labels at both ends.
Hostile hostile(std::mt19937_64& random, std::size_t count, int kind) {
  const auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
  };
  Hostile made{static_cast<std::size_t>(1 + random() % 5), between(1e-6, 1e6), between(1e-6, 1e6), {}, {}};
  const double c = made.features;
  const bool wild = kind % 5 == 0, alike = kind % 7 == 0, collinear = kind % 3 == 0;
  for (std::size_t row = 0; row < count; ++row) {
    for (std::size_t j = 0; j < made.dimension; ++j) {
      const std::array choices{c, -c * (1 - 1e-9), c * between(1e-9, 1), wild ? std::nan("") : 0.0,
                               wild ? HUGE_VAL : -c};
      const bool same = collinear && j > 0;
      made.rows.push_back(alike ? c : same ? made.rows.back() : choices[random() % choices.size()]);
    }
    made.ends.push_back(random() % 2 ? made.labels : wild ? -HUGE_VAL : -made.labels * between(1e-9, 1));
  }
  return made;
}

// `count` times the same few records, which would take too long to add one by one.
LinearStatistics repeated(const LinearStatistics& few, double count) {
  const LinearBounds& bounds = few.bounds();
  const std::size_t d = few.dimension();
  const auto times = static_cast<__int128>(count);
  const IntegerSum gram = few.gram(2 * bounds.features_exponent()),
                   cross = few.cross(bounds.features_exponent() + bounds.label_exponent());
  const double square = std::ldexp(few.values().square, -2 * bounds.label_exponent());
  std::vector<__int128> sums;
  for (std::size_t i = 0; i < gram.size(); ++i) sums.push_back(times * gram.wide_value(i));
  for (std::size_t i = 0; i < d; ++i) sums.push_back(times * cross.wide_value(i));
  sums.push_back(times * static_cast<__int128>(square));
  return {d, bounds, IntegerSum(std::move(sums)), count * few.count()};
}

LinearStatistics and_one_more(LinearStatistics sums, const Hostile& table, std::size_t row) {
  sums.add(std::span(table.rows).subspan(row * table.dimension, table.dimension), table.ends[row]);
  return sums;
}

}  // namespace

// Requests are refused without a table.
std::unique_ptr<const Algorithm> planned(const FitRequest& request) {
  try {
    return algorithm(request);
  } catch (const Refusal&) {
    return nullptr;
  }
}

// What every form answers to neighbouring tables.
class Outcomes {
 public:
  // The forms whose price is found by a composition take longer, and their turns are rarer.
  void add(int turn, const std::vector<FitRequest>& requests, const LinearStatistics& fewer,
           const LinearStatistics& more) {
    for (const FitRequest& request : requests) {
      const bool is_adaptive = request.numbers.contains("failure");
      if (is_adaptive && turn % (request.algorithm.starts_with("adaptive") ? 20 : 5) != 0) continue;
      const auto algorithm = planned(request);
      if (!algorithm) continue;
      for (const LinearStatistics* one : {&fewer, &more})
        found_[request.algorithm].insert(outcome(*algorithm, *one, static_cast<std::uint64_t>(turn + 1)));
      ++asked_[request.algorithm];
    }
  }

  void check(int least) const {
    CHECK(found_.size() == 9);
    for (const auto& found : found_) {
      const auto& [algorithm, outcomes] = found;
      CAPTURE(found.first);
      MESSAGE(algorithm << ": " << asked_.at(algorithm) << " pairs of tables");
      CHECK(asked_.at(algorithm) >= least / static_cast<int>(share));
      for (const std::string& one : outcomes) CHECK(one == "released");
    }
  }

 private:
  std::map<std::string, std::set<std::string>> found_;
  std::map<std::string, int> asked_;
};

TEST_CASE("no linear algorithm refuses a table, whatever its records are, nor its neighbour") {
  std::mt19937_64 random(20261122);
  const auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
  };
  Outcomes found;
  for (int i = 0; i < 80 / static_cast<int>(share); ++i) {
    const std::size_t count = std::array{0, 1, 2, 3, 10, 100, 17}[i % 7];
    const Hostile table = hostile(random, count + 1, i);
    // For tables of as many records as the smaller one has, or of one.
    const double rows = i % 2 ? 1 : std::max<double>(1, static_cast<double>(count));
    const double noise = between(0.3, 1e4), lambda = between(1e-6, 1e3);
    found.add(i, forms(table.bounds(), noise, lambda, rows), table.sums(count), table.sums(count + 1));
  }
  found.check(8);
}

TEST_CASE("nor however many records it has") {
  // Up to more than any table has: the same records over and over, and one more.
  std::mt19937_64 random(20261123);
  Outcomes found;
  for (int i = 0; i < 80 / static_cast<int>(share); ++i) {
    const Hostile table = hostile(random, 6, i);
    const LinearStatistics many = repeated(table.sums(5), std::ldexp(1, i % 47));
    const double rows = i % 2 ? 1 : std::min(1e12, many.count());
    found.add(i, forms(table.bounds(), 3, i % 3 ? 1 : 1e-3, rows), many, and_one_more(many, table, 5));
  }
  found.check(8);
}

TEST_CASE("a bound of the number of records holds as often as said, and then the table is used") {
  const std::vector<double> record = {1};
  LinearStatistics statistics(1, {1, 1});
  for (int i = 0; i < 40; ++i) statistics.add(record, 1);
  TestRng rng(20261124);
  for (const double failure : {0.2, 1e-20}) {
    const RowCount count(3, failure);
    const int n = 20'000 / static_cast<int>(share);
    int failed = 0;
    std::vector<double> noises;
    for (int i = 0; i < n; ++i) {
      Release release;
      const auto [most, equations, weight] = count.counted(statistics, release, rng);
      CHECK(equations.gram[0] == (most >= 40 ? 40 : 0));
      CHECK(equations.cross[0] == equations.gram[0]);
      failed += most < 40;
      noises.push_back((release.number("rows") - 40) / 3);
    }
    // Rounding the bound up to a whole number of records makes it fail less often.
    CHECK(failed <= n * failure + 5 * std::sqrt(n * failure));
    CHECK(failed >= (failure > 0.1 ? n * failure / 4 : 0));
    CHECK(kolmogorov(noises) > 1e-4);
  }
  // What it costs: Gaussian noise of 3 records, and four times the failure.
  const auto parts = RowCount(3, 1e-3).guarantee();
  REQUIRE(parts.size() == 2);
  const double mu = parts[0].numbers.at("sensitivity") / parts[0].numbers.at("sigma");
  CHECK(mu >= 1.0 / 3);
  CHECK(mu <= (1 + 1e-8) / 3);
  CHECK(parts[1].numbers.at("delta") == 4e-3);
}

TEST_CASE("every price that needs a number of records pays for it") {
  const Numbers bounds{{"dimension", 2}, {"featureBound", 1}, {"labelBound", 1}};
  for (const FitRequest& request : forms(bounds, 2, 10, 100)) {
    CAPTURE(request.algorithm);
    const Plan planned = plan(request);
    TestRng rng(3);
    const std::vector<double> features = {0.5, 0.5, -0.5, 0.25}, labels = {1, -1};
    const Release release = fit(request, Records{2, 2, features, labels}, rng, {});
    const bool is_counted = release.holds("rows");
    CHECK(is_counted == (request.algorithm != "covariance-laplace" &&
                         (request.algorithm != "ada-ssp" || request.numbers.contains("releases"))));
    // Noise of the count, from the price: its failure is part of it.
    std::size_t charged = 0;
    for (const auto& [part, times] : planned.description.parts)
      charged += part.kind == "approximate" && part.numbers.at("delta") == 4e-20;
    CHECK(charged == (is_counted ? 1 : 0));
  }
}

TEST_CASE("a table of more records than guessed gets as much more lambda, by the released number") {
  const Numbers bounds{{"dimension", 1}, {"featureBound", 1}, {"labelBound", 1}};
  const std::vector<double> features(3000, 0.5), labels(3000, 0.5);
  for (const char* name : {"output-perturbation-ridge", "posterior-sampling"})
    for (const std::size_t count : {0, 100, 101, 1000, 3000}) {
      Numbers numbers = bounds;
      numbers.insert({{"lambda", 20}, {"rows", 100}, {"sigma", 0.2}});
      TestRng rng(count + 1);
      const Release release =
          fit({name, numbers, {}}, Records{count, 1, std::span(features).first(count), labels}, rng, {});
      const double lambda = release.number("lambda"), noisy = release.number("rows");
      CAPTURE(name);
      CAPTURE(count);
      CHECK(lambda >= 20 * std::max(1.0, static_cast<double>(count) / 100));
      CHECK(lambda >= 20 * std::max(1.0, noisy / 100));
      // The margin is some tens of records here.
      CHECK(lambda <= 20 * std::max(1.0, (noisy + 200) / 100));
    }
}

}  // namespace epsilometer::acceptance_test
