// What compositions of every kind must obey whatever their truth is: no lower end above a valid upper bound.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "core/accounting/closed_form.h"
#include "core/accounting/compare.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "tests/core/descriptions.h"
#include "tests/core/tables.h"

namespace epsilometer::composition_test {

namespace {

// Every kind, and samples of every base that can be sampled, with whether its law composes.
struct Kind {
  Description description;
  bool composes;
};

std::vector<Kind> kinds() {
  const std::map<std::string, double> objective{
      {"sigma", 4}, {"lambda", 10}, {"lipschitz", 1}, {"smoothness", 1}};
  std::map<std::string, double> minima = objective, fine = objective;
  minima["gradientTolerance"] = 0.01, minima["outputSigma"] = 0.05;
  fine["gradientTolerance"] = 1e-6, fine["outputSigma"] = 0.05;
  std::vector<Kind> result = {
      {one("gaussian", {{"sigma", 3}, {"sensitivity", 1}}), true},
      {one("gdp", {{"mu", 0.4}}), true},
      {one("laplace", {{"scale", 3}, {"sensitivity", 1}}), true},
      {one("discrete-laplace", {{"scale", 4}, {"sensitivity", 2}}), true},
      {one("discrete-gaussian", {{"sigma", 4}, {"sensitivity", 1}}), true},
      {one("randomized-response", {{"epsilon", 0.8}, {"categories", 4}}), true},
      {one("pure", {{"epsilon", 0.4}}), true},
      {one("approximate", {{"epsilon", 0.4}, {"delta", 1e-7}}), true},
      {one("exponential", {{"epsilon", 0.6}}), false},
      {one("gaussian-mixing", {{"sketchSize", 4}, {"gamma", 20}}), true},
      {one("posterior-sampling", {{"leverage", 0.05}, {"residual", 1}}), true},
      {one("objective-perturbation", objective), false},
      {one("approximate-minima-perturbation", minima), false},
      {one("approximate-minima-perturbation", fine), false},
      {one("zcdp", {{"rho", 0.05}}), false},
      {one("tcdp", {{"rho", 0.05}, {"omega", 40}}), false},
      {{"rdp", {}, {{"orders", {2, 8, 32}}, {"epsilons", {0.1, 0.5, 2}}}, {}, {}}, false}};
  const std::size_t bases = 9;
  for (std::size_t i = 0; i < bases; ++i) {
    result.push_back({sampled("poisson", 0.1, result[i].description), result[i].composes});
    result.push_back({sampled("without-replacement", 0.1, result[i].description), false});
  }
  return result;
}

// All upper bounds on epsilon at delta that are valid whatever the parts are.
std::vector<double> valid_bounds(const std::vector<Part>& parts, double delta) {
  double rho = 0, sum = 0, largest = 0, count = 0;
  bool concentrated = true;
  for (const Part& part : parts) count += part.count;
  for (const Part& part : parts) {
    const auto loss = privacy_loss(part.mechanism);
    concentrated = concentrated && loss->concentrated();
    if (concentrated) rho += part.count * *loss->concentrated();
    sum += part.count * epsilon(*loss, delta / count).upper;
    largest += part.count * loss->largest_loss();
  }
  std::vector<double> result;
  if (concentrated) result.push_back(epsilon(*privacy_loss(one("zcdp", {{"rho", rho}})), delta).upper);
  const auto whole = together(parts);
  if (std::isfinite(whole->renyi(std::min(2.0, whole->largest_order()))))
    result.push_back(renyi_curve_epsilon(*whole, delta));
  if (whole->infinite_mass() == 0) result.push_back(largest * (1 + 1e-12));
  result.push_back(sum);
  return result;
}

void check_composition(const std::vector<Part>& parts, bool composes, bool game) {
  const auto loss = together(parts);
  const Profile profile(*loss);
  const Bounds found = profile.epsilon(1e-5);
  CHECK(found.lower <= found.upper);
  const std::vector<double> bounds = valid_bounds(parts, 1e-5);
  for (const double bound : bounds) CHECK(found.lower <= bound * (1 + 1e-12));
  if (composes || game) {
    CHECK(profile.certainty() != Certainty::bound);
  } else {
    CHECK(profile.certainty() == Certainty::bound);
    // The lower end is that of a mechanism, which is there.
    CHECK(found.lower > 0);
    for (const Comparison& row : compare({"composition", {}, {}, {}, parts}, 1e-5)) {
      if (row.accountant != "textbook") CHECK(!row.broken);
    }
    // All but the last, which shares delta out, are among those of which the upper end is the least.
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) CHECK(found.upper <= bounds[i] * (1 + 1e-12));
  }
}

}  // namespace

TEST_CASE(
    "no lower end of a composition lies above a valid upper bound, and no accountant that is one is broken" *
    doctest::test_suite("long")) {
  int asked = 0;
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.description.kind);
    for (const double count : {2.0, 12.0}) {
      CAPTURE(count);
      check_composition({{kind.description, count}}, kind.composes, kind.description.kind == "exponential");
      ++asked;
    }
  }
  CHECK(asked == 2 * (17 + 18));
}

TEST_CASE("a composition of two kinds is certain only if both are, and costs no less than either" *
          doctest::test_suite("long")) {
  const std::vector<Kind> all = kinds();
  int asked = 0;
  for (const std::size_t other : {2, 8, 14, 18}) {
    for (const Kind& kind : all) {
      const std::vector<Part> parts{{kind.description, 3}, {all[other].description, 1}};
      if (kind.description == all[other].description) continue;
      CAPTURE(kind.description.kind);
      CAPTURE(all[other].description.kind);
      const auto loss = together(parts), alone = together({{kind.description, 3}});
      const Bounds found = delta(*loss, 0.7), part = delta(*alone, 0.7);
      CHECK(found.lower <= found.upper);
      CHECK(found.upper >= part.lower * (1 - 1e-12));
      const auto rho = loss->concentrated();
      if (rho) CHECK(found.lower <= delta(*privacy_loss(one("zcdp", {{"rho", *rho}})), 0.7).upper);
      if (std::isfinite(loss->renyi(std::min(2.0, loss->largest_order()))))
        CHECK(found.lower <= renyi_curve_delta(*loss, 0.7));
      const bool certain = kind.composes && all[other].composes;
      if (!certain) CHECK(Profile(*loss).certainty() == Certainty::bound);
      ++asked;
    }
  }
  CHECK(asked == 4 * 34);
}

TEST_CASE("more releases cost more, and the lower end of few is below the upper end of more" *
          doctest::test_suite("long")) {
  for (const Kind& kind : kinds()) {
    CAPTURE(kind.description.kind);
    double before = 0;
    for (const double count : {1.0, 2.0, 5.0, 30.0}) {
      const Bounds found = epsilon(*together({{kind.description, count}}), 1e-4);
      CHECK(found.upper >= before);
      before = std::max(before, found.lower);
    }
  }
}

TEST_CASE("sampling without replacement costs between its members and its envelope") {
  for (const Description& base : {one("gaussian", {{"sigma", 1}, {"sensitivity", 1}}),
                                  one("laplace", {{"scale", 1}, {"sensitivity", 1}}),
                                  one("randomized-response", {{"epsilon", 1}, {"categories", 3}})}) {
    for (const double rate : {0.01, 0.3}) {
      const auto fixed = together({{sampled("without-replacement", rate, base), 40}});
      const auto poisson = together({{sampled("poisson", rate, base), 40}});
      CHECK(Profile(*fixed).certainty() == Certainty::bound);
      for (const double target : {1e-2, 1e-6}) {
        const Bounds found = epsilon(*fixed, target), member = epsilon(*poisson, target);
        CHECK(found.lower >= member.lower * (1 - 1e-9));
        CHECK(found.lower <= member.upper * (1 + 1e-9));
        CHECK(found.upper > member.upper);
      }
    }
  }
  // The best actual pairs known: 1.82823667 and, of three values, 1.84953.
  const auto known = together(
      {{sampled("without-replacement", 0.01, one("gaussian", {{"sigma", 1}, {"sensitivity", 1}})), 1000}});
  const Bounds found = epsilon(*known, 1e-5);
  CHECK(found.lower >= 1.828236);
  CHECK(found.lower <= 1.84953139);
  CHECK(found.upper >= 1.84953139);
  CHECK(found.upper <= 2.199);
}

TEST_CASE("a sum of truncated bounds ends where the first of them does") {
  const Part narrow{one("tcdp", {{"rho", 0.05}, {"omega", 7}}), 3};
  const Part wide{one("tcdp", {{"rho", 0.02}, {"omega", 40}}), 1};
  for (const auto& parts : {std::vector{narrow, wide}, std::vector{wide, narrow}}) {
    const auto loss = together(parts);
    CHECK(loss->largest_order() == 7);
    CHECK(loss->renyi(7) >= 7 * 0.17);
    CHECK(loss->renyi(7) <= 7 * 0.17 * (1 + rounding_margin));
    CHECK(std::isinf(loss->renyi(7.001)));
  }
}

// e is normal with mean R and variance mu without the record, with mean R / (1 + mu) and variance mu / (1 +
// mu) with it; the loss is (e^2 - R^2 / (1 + mu) - log(1 + mu)) / 2 and its opposite. What holds at the means
// is passed with probability 1/2.
TEST_CASE("a sample of a posterior far from a record costs what its residual tells") {
  for (const double leverage : {1.0, 1000.0}) {
    for (const double residual : {1e4, 3e5, 1e6}) {
      CAPTURE(leverage);
      CAPTURE(residual);
      const auto loss =
          privacy_loss(one("posterior-sampling", {{"leverage", leverage}, {"residual", residual}}));
      const double least = residual * residual / (1 + leverage), most = residual * residual;
      const Bounds found = epsilon(*loss, 1e-6);
      CHECK(found.upper >= (most - least) / 2);
      CHECK(found.lower <= (residual + 6 * std::sqrt(leverage)) * (residual + 6 * std::sqrt(leverage)) / 2);
    }
  }
}

// With so little noise everything is known.
TEST_CASE("compositions with a law that cannot be cut are answered") {
  const Description skellam = one("skellam", {{"variance", 30}, {"sensitivity", 1}});
  for (const double sigma : {1e-8, 1e-39, 1e-100}) {
    CAPTURE(sigma);
    const Description gaussian = one("gaussian", {{"sigma", sigma}, {"sensitivity", 1}});
    const Description laplace = one("laplace", {{"scale", 1}, {"sensitivity", 1}});
    for (const auto& loss :
         {together({{skellam, 22}, {gaussian, 1}}), together({{laplace, 2}, {gaussian, 3}})}) {
      const Bounds found = epsilon(*loss, 1e-9);
      CHECK(found.upper >= 0.4 / (sigma * sigma));
      CHECK(found.lower <= 1.6 / (sigma * sigma));
      CHECK(delta(*loss, 0).upper >= 1 - 1e-12);
      CHECK(delta(*loss, 0.1 / (sigma * sigma)).upper >= 1 - 1e-12);
    }
  }
}

// The loss of Laplace noise is c - 2 X at least, where X is half the time 0 and exponential otherwise: all of
// them are below log k + 50 but once in e^50.
TEST_CASE("releases that lose enormously cost about all of their largest losses, from both sides" *
          doctest::test_suite("long")) {
  for (const double scale : {1e-6, 1e-30})
    for (const double count : {57.0, 4000.0}) {
      const auto loss = together({{one("laplace", {{"scale", scale}, {"sensitivity", 1}}), count},
                                  {one("discrete-laplace", {{"scale", 1}, {"sensitivity", 1}}), 2}});
      const double largest = count / scale + 2;
      const double most_times = largest - 2 * count * (std::log(count) + 50) - 4;
      for (const double delta : {1e-12, 0.2}) {
        CAPTURE(scale);
        CAPTURE(count);
        CAPTURE(delta);
        const Bounds found = epsilon(*loss, delta);
        CHECK(found.upper <= largest * (1 + 1e-12));
        CHECK(found.upper >= (most_times + std::log1p(-delta - 1e-20)) * (1 - 1e-12));
        CHECK(found.lower >= found.upper * (1 - 1e-3));
      }
      const Bounds found = delta(*loss, 0.9 * largest);
      CHECK(found.upper == 1);
      CHECK(found.lower >= 0.99);
    }
}

TEST_CASE("what happens less often than delta costs nothing, however much it tells then" *
          doctest::test_suite("long")) {
  for (const double mu : {1e3, 1e97}) {
    const Description rare = sampled("poisson", 1e-14, one("gdp", {{"mu", mu}}));
    const auto loss = together({{rare, 340}});
    // A release holds the record with that probability, which is all of delta where it tells everything.
    CHECK(epsilon(*loss, 3.5e-12).upper == 0);
    CHECK(epsilon(*loss, 3.3e-12).upper > 0);
    CHECK(delta(*loss, 0).upper <= 3.41e-12);
  }
}

TEST_CASE("no test of a composition is said to gain more than its own profile allows" *
          doctest::test_suite("long")) {
  // One description of each kind and of what it is told in words, itself or inside.
  std::vector<Description> asked;
  std::set<std::string> seen;
  for (const Question& question : tables()) {
    std::string name;
    for (const Description* part = &question.description; part;
         part = part->parts.empty() ? nullptr : &part->parts.front().mechanism) {
      name += part->kind + " ";
      for (const auto& [key, word] : part->texts) name += word + " ";
    }
    if (seen.insert(name).second) asked.push_back(question.description);
  }
  const Description vector{"sparse-vector",
                           {{"thresholdScale", 2}, {"queryScale", 4}, {"sensitivity", 1}, {"answers", 1}},
                           {},
                           {{"queries", "any"}},
                           {}};
  asked.push_back(vector);
  int compared = 0;
  for (const Description& one_release : asked)
    for (const std::vector<Part>& parts :
         {std::vector<Part>{{one_release, 2}}, {{one_release, 1}, {one("pure", {{"epsilon", 0.3}}), 1}}}) {
      std::shared_ptr<const PrivacyLoss> loss;
      try {
        loss = together(parts);
      } catch (const Refusal&) {
        continue;
      }
      CAPTURE(one_release.kind);
      CAPTURE(parts.size());
      const Profile profile(*loss);
      TradeOff tests(*loss, profile);
      for (const double rate : {1e-3, 0.05, 0.3}) {
        const double least = tests.power(rate).lower;
        CHECK(least >= rate * (1 - 1e-12));
        for (const double epsilon : {0.0, 0.4, 1.8, 5.0}) {
          CAPTURE(rate);
          CAPTURE(epsilon);
          CHECK(least <= (std::exp(epsilon) * rate + profile.delta(epsilon).upper) * (1 + 1e-9));
        }
        ++compared;
      }
    }
  CHECK(compared > 200);
}

}  // namespace epsilometer::composition_test
