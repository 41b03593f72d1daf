// Renyi divergences of sampled mechanisms: against exact sums and integrals of another program, and by what
// must hold for every base, rate, way of sampling and order.
#include <doctest/doctest.h>

#include <cmath>

#include "core/loss/privacy_loss.h"
#include "tests/core/table_lines.h"

namespace epsilometer::sampled_renyi_test {

namespace {

// What the header of the sampled moment promises.
constexpr double promised = 1e-12;

Description base(const std::string& kind, std::map<std::string, double> numbers) {
  return {kind, std::move(numbers), {}, {}, {}};
}

std::vector<Description> bases() {
  std::vector<Description> result;
  for (const double sigma : {0.3, 1.0, 5.0, 100.0}) {
    result.push_back(base("gaussian", {{"sigma", sigma}, {"sensitivity", 1}}));
    result.push_back(base("discrete-gaussian", {{"sigma", sigma}, {"sensitivity", 2}}));
  }
  for (const double scale : {0.05, 1.0, 30.0}) {
    result.push_back(base("laplace", {{"scale", scale}, {"sensitivity", 1}}));
    result.push_back(base("discrete-laplace", {{"scale", scale}, {"sensitivity", 3}}));
  }
  result.push_back(base("gdp", {{"mu", 2}}));
  result.push_back(base("randomized-response", {{"epsilon", 3}, {"categories", 10}}));
  result.push_back(base("pure", {{"epsilon", 1e-3}}));
  return result;
}

Description described(const nlohmann::json& value) {
  Description result;
  for (const auto& [name, entry] : value.items()) {
    if (name == "of") {
      result.parts = {{described(entry), 1}};
    } else if (name == "kind") {
      result.kind = entry;
    } else if (entry.is_string()) {
      result.texts[name] = entry;
    } else {
      result.numbers[name] = entry;
    }
  }
  return result;
}

std::shared_ptr<const PrivacyLoss> sampled(const Description& of, double rate, const char* sampling) {
  Description result{"subsampled", {{"rate", rate}}, {}, {}, {}};
  result.texts = {{"sampling", sampling}};
  result.parts = {{of, 1}};
  return privacy_loss(result);
}

constexpr double rates[] = {1e-30, 1e-10, 1e-5, 0.01, 0.3, 0.9, 0.999999};
constexpr double orders[] = {1.000001, 1.01, 1.5, 2, 2.5, 3, 7, 16, 63.5, 256, 700, 700.25, 1e4, 1e6};

// Every base, rate and way of sampling; how many there were.
template <class Check>
int for_every_sample(const Check& check) {
  int cases = 0;
  for (const Description& of : bases()) {
    for (const double rate : rates) {
      for (const char* sampling : {"poisson", "without-replacement"}) {
        CAPTURE(of.kind);
        CAPTURE(of.numbers.begin()->second);
        CAPTURE(rate);
        CAPTURE(sampling);
        check(of, rate, sampling);
        ++cases;
      }
    }
  }
  return cases;
}

// log sum_j binomial(n, j) (1 - q)^(n - j) q^j e^((j - 1) D_j), less 1 where that keeps digits: for whole
// orders the moment with the record. `blur` is what the sum may lose: the base's
// divergences are rounded up by 256u at most.
struct Sum {
  double divergence, blur;
};
Sum binomial_sum(const PrivacyLoss& of, double rate, int n) {
  long double largest = 0, sum = 0, blur = 0;
  for (int pass = 0; pass < 2; ++pass) {
    long double log_ways = 0;
    for (int j = 1; j <= n; ++j) {
      log_ways += std::log((n - j + 1.0L) / j);
      if (j == 1) continue;
      const long double gained = (j - 1) * static_cast<long double>(of.renyi(j));
      const long double log_rest = (n - j) * std::log1p(-static_cast<long double>(rate)) +
                                   j * std::log(static_cast<long double>(rate)) + log_ways;
      const long double exponent = log_rest + (gained < 30 ? std::log(std::expm1(gained)) : gained);
      if (pass == 0) largest = std::max(largest, exponent);
      if (pass == 1) sum += std::exp(exponent - largest), blur += std::exp(exponent - largest) * gained;
    }
  }
  const long double log_moment = largest > 0 ? largest + std::log(sum + std::exp(-largest)) : std::log1p(sum);
  // log(1 + F) / F falls with F, so that a relative error of the sum is no larger in the divergence.
  return {static_cast<double>(log_moment / (n - 1)),
          static_cast<double>(400 * unit_roundoff * (1 + blur / sum))};
}

}  // namespace

TEST_CASE("sampled Renyi divergences agree with exact sums and integrals") {
  int cases = 0;
  for (const nlohmann::json& table : table_lines("renyi/sampled.ndjson")) {
    const auto loss = privacy_loss(described(table["description"]));
    for (std::size_t i = 0; i < table["orders"].size(); ++i, ++cases) {
      const double order = table["orders"][i], found = loss->renyi(order);
      const long double truth = std::strtold(table["truths"][i].get<std::string>().c_str(), nullptr);
      CAPTURE(table["description"].dump());
      CAPTURE(order);
      CHECK(found >= truth * (1 - 1e-18L));
      CHECK(found <= truth * (1 + promised));
    }
  }
  CHECK(cases > 450);
}

TEST_CASE("a sampled divergence grows with the order, and never costs more than without sampling") {
  const int cases = for_every_sample([](const Description& of, double rate, const char* sampling) {
    const auto loss = sampled(of, rate, sampling), whole = privacy_loss(of);
    double before = 0;
    for (const double order : orders) {
      CAPTURE(order);
      const double found = loss->renyi(order);
      CHECK(found > 0);
      CHECK(found >= before * (1 - promised));
      CHECK(found <= whole->renyi(order));
      before = found;
    }
  });
  CHECK(cases == 15 * 7 * 2 + 2 * 7 * 2);
}

TEST_CASE("(order - 1) times a sampled divergence is convex") {
  for_every_sample([](const Description& of, double rate, const char* sampling) {
    const auto loss = sampled(of, rate, sampling);
    const auto moment = [&](double order) { return (order - 1) * loss->renyi(order); };
    for (const double order : {1.5, 2.25, 6.5, 63.5, 599.5, 20000.5}) {
      CAPTURE(order);
      // Between the neighbouring whole orders below their chord, and above those of the next ones extended.
      const double left = std::floor(order), share = order - left, middle = moment(order);
      const double at_left = left > 1 ? moment(left) : 0, at_right = moment(left + 1);
      CHECK(middle <= ((1 - share) * at_left + share * at_right) * (1 + promised));
      const double next = moment(left + 2), blurred = promised * (2 * at_right + next);
      CHECK(middle >= at_right - (1 - share) * (next - at_right) - blurred);
    }
  });
}

TEST_CASE("a sampled divergence grows with the rate and falls with the noise") {
  int cases = 0;
  for (const Description& of : bases()) {
    for (const char* sampling : {"poisson", "without-replacement"}) {
      for (const double order : orders) {
        CAPTURE(of.kind);
        CAPTURE(of.numbers.begin()->second);
        CAPTURE(sampling);
        CAPTURE(order);
        double before = 0;
        for (const double rate : rates) {
          const double found = sampled(of, rate, sampling)->renyi(order);
          CHECK(found >= before * (1 - promised));
          before = found;
          ++cases;
        }
      }
    }
  }
  CHECK(cases > 3000);
  for (const double rate : rates) {
    for (const double order : orders) {
      double before = HUGE_VAL;
      for (const double sigma : {1e-3, 0.1, 0.3, 0.31, 1.0, 1.01, 5.0, 40.0, 1e6, 1e30}) {
        const double found =
            sampled(base("gaussian", {{"sigma", sigma}, {"sensitivity", 1}}), rate, "poisson")->renyi(order);
        CHECK(found <= before * (1 + promised));
        before = found;
      }
    }
  }
}

TEST_CASE("at whole orders a Poisson-sampled divergence is the binomial sum of the base's own") {
  for_every_sample([](const Description& of, double rate, const char* sampling) {
    const auto loss = sampled(of, rate, sampling), whole = privacy_loss(of);
    for (const int order : {2, 3, 5, 16, 64}) {
      CAPTURE(order);
      const Sum exact = binomial_sum(*whole, rate, order);
      const double found = loss->renyi(order);
      CHECK(found >= exact.divergence * (1 - exact.blur));
      // Without replacement the losses below 0 are those of the other direction, which leak a little more.
      if (sampling == std::string("poisson")) CHECK(found <= exact.divergence * (1 + exact.blur + promised));
    }
  });
}

TEST_CASE("no part of a sampled response is lost, however unlikely it is on one side") {
  int compared = 0;
  for (const double epsilon : {1.0, 100.0, 744.0, 746.0, 800.0, 1e4})
    for (const double rate : {1e-6, 0.1, 0.9})
      for (const double order : {1.001, 1.01, 1.1, 2.0, 40.0}) {
        CAPTURE(epsilon);
        CAPTURE(rate);
        CAPTURE(order);
        const Description pure{"pure", {{"epsilon", epsilon}}, {}, {}, {}};
        const auto loss =
            privacy_loss({"subsampled", {{"rate", rate}}, {}, {{"sampling", "poisson"}}, {{pure, 1}}});
        // Q has 1/(1 + e^epsilon) of the large loss, and r there is q e^epsilon + 1 - q.
        const long double e = epsilon, q = rate, whole = e + std::log1p(std::exp(-e));
        const long double rare = order * (e + std::log(q + (1 - q) * std::exp(-e))) - whole;
        const long double usual = order * std::log1p(q * std::expm1(-e)) - std::log1p(std::exp(-e));
        const long double top = std::max(rare, usual), other = std::min(rare, usual);
        const long double moment = top + std::log1p(std::exp(other - top));
        const auto least = static_cast<double>(moment / (order - 1));
        // What the logarithms here lose where the moment is near 1; in WebAssembly they have a double's
        // digits.
        const double lost = 1e-14 / (order - 1);
        CHECK(loss->renyi(order) >= least * (1 - 1e-12) - lost);
        CHECK(loss->renyi(order) <= least * (1 + 1e-12) + lost);
        ++compared;
      }
  CHECK(compared == 6 * 3 * 5);
}

// The moment less 1 is about t order (q mu)^2 / 2, far below the smallest double here.
TEST_CASE("a sample that tells less than doubles hold has a divergence of next to nothing") {
  for (const double sensitivity : {1e-100, 1e-30, 1.0})
    for (const Description& noisy : {base("gaussian", {{"sigma", 1e65}, {"sensitivity", sensitivity}}),
                                     base("laplace", {{"scale", 1e65}, {"sensitivity", sensitivity}}),
                                     base("discrete-laplace", {{"scale", 1e65}, {"sensitivity", 1}})})
      for (const char* sampling : {"poisson", "without-replacement"})
        for (const double order : {1.001, 2.0, 1e3, 1e9}) {
          CAPTURE(noisy.kind);
          CAPTURE(sensitivity);
          CAPTURE(sampling);
          CAPTURE(order);
          const double found = sampled(noisy, 1e-100, sampling)->renyi(order);
          CHECK(found >= 0);
          CHECK(found <= 1e-300);
        }
  // The same loss of which only the square underflows.
  const Description faint = base("laplace", {{"scale", 1e60}, {"sensitivity", 1e-85}});
  const double least = 2 * (0.5 * 1e-145) * (0.5 * 1e-145) / 2;
  for (const char* sampling : {"poisson", "without-replacement"})
    CHECK(sampled(faint, 0.5, sampling)->renyi(2) >= least);
}

}  // namespace epsilometer::sampled_renyi_test
