// Relations between ways of sampling that hold whatever the truth is.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"
#include "core/base/refusal.h"
#include "tests/core/descriptions.h"

namespace epsilometer::samplings_test {

namespace {

Description normal(double mu, const char* neighbours = nullptr) {
  Description result = one("gaussian", {{"sigma", 1}, {"sensitivity", mu}});
  if (neighbours) result.texts["neighbours"] = neighbours;
  return result;
}

Description way(const char* sampling, const char* neighbours, std::map<std::string, double> numbers,
                const Description& of) {
  return {
      "subsampled", std::move(numbers), {}, {{"sampling", sampling}, {"neighbours", neighbours}}, {{of, 1}}};
}

Bounds cost(const Description& asked, double epsilon) { return delta(*privacy_loss(asked), epsilon); }

// The probabilities of noise on the whole numbers from -middle to middle, by its definition.
std::vector<double> masses_of(const Description& noise) {
  const auto numbers = noise.numbers;
  const bool is_laplace = noise.kind == "discrete-laplace", is_skellam = noise.kind == "skellam";
  const double clients = numbers.contains("clients") ? numbers.at("clients") : 1;
  const int middle = 250;
  std::vector<double> one(2 * middle + 1);
  for (int i = 0; i <= 2 * middle; ++i) {
    const double x = i - middle;
    if (is_laplace) one[i] = std::exp(-std::abs(x) / numbers.at("scale"));
    if (is_skellam)
      one[i] = x < 0 ? 0 : std::exp(x * std::log(numbers.at("variance") / 2) - std::lgamma(x + 1));
    if (!is_laplace && !is_skellam) one[i] = std::exp(-x * x / (2 * std::pow(numbers.at("sigma"), 2)));
  }
  const double all = std::accumulate(one.begin(), one.end(), 0.0);
  for (double& mass : one) mass /= all;
  const auto summed = [&](const std::vector<double>& a, const std::vector<double>& b, int sign) {
    std::vector<double> sum(a.size());
    for (int i = 0; i <= 2 * middle; ++i)
      for (int j = 0; j <= 2 * middle; ++j)
        if (const int k = i + sign * (j - middle); a[i] > 0 && k >= 0 && k <= 2 * middle)
          sum[k] += a[i] * b[j];
    return sum;
  };
  // The difference of two Poisson variables.
  if (is_skellam) return summed(one, one, -1);
  std::vector<double> result = one;
  for (int i = 1; i < clients; ++i) result = summed(result, one, 1);
  return result;
}

}  // namespace

TEST_CASE("what tells everything now and then does so under every sample of it, or is refused") {
  const Description all[] = {one("truncated-laplace", {{"scale", 1}, {"sensitivity", 1}, {"bound", 5}}),
                             one("truncated-gaussian", {{"sigma", 1}, {"sensitivity", 1}, {"bound", 2}}),
                             one("approximate", {{"epsilon", 1}, {"delta", 1e-3}}),
                             one("partition-selection", {{"epsilon", 1}, {"delta", 1e-3}})};
  int answered = 0;
  for (const Description& base : all) {
    const double mass = 0.25 * privacy_loss(base)->infinite_mass();
    CHECK(mass > 0);
    for (const char* sampling : {"poisson", "without-replacement"}) {
      for (const char* neighbours : {"add-remove", "zero-out", "replace"}) {
        Description inner = base;
        if (sampling == std::string("poisson") && neighbours == std::string("replace"))
          inner.texts["neighbours"] = "add-remove";
        CAPTURE(base.kind);
        CAPTURE(sampling);
        CAPTURE(neighbours);
        try {
          const auto loss = privacy_loss(way(sampling, neighbours, {{"rate", 0.25}}, inner));
          CHECK(delta(*loss, 100).upper >= mass * (1 - 1e-12));
          CHECK(std::isinf(loss->renyi(2)));
          ++answered;
        } catch (const Refusal&) {
        }
      }
    }
  }
  CHECK(answered > 6);
}

TEST_CASE("who tells more of a record does so under every way of sampling") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 60; ++i) {
    const double mu = std::exp(3 * unit(random) - 2), rate = std::exp(-5 * unit(random)),
                 epsilon = 3 * unit(random);
    CAPTURE(mu);
    CAPTURE(rate);
    CAPTURE(epsilon);
    const Description added = normal(mu, "add-remove");
    const Bounds poisson = cost(way("poisson", "add-remove", {{"rate", rate}}, added), epsilon);
    const Bounds replaced = cost(way("poisson", "replace", {{"rate", rate}}, added), epsilon);
    const Bounds zeroed = cost(way("without-replacement", "zero-out", {{"rate", rate}}, normal(mu)), epsilon);
    const Bounds drawn =
        cost(way("without-replacement", "add-remove", {{"rate", rate}}, normal(2 * mu)), epsilon);
    const Bounds fixed =
        cost(way("without-replacement", "replace", {{"rate", rate}}, normal(2 * mu)), epsilon);
    // A record of no effect is one that it may be replaced by, and that others may be.
    CHECK(poisson.lower <= replaced.upper);
    CHECK(poisson.lower <= zeroed.upper);
    CHECK(fixed.lower <= drawn.upper);
    // Two values of a record are no further apart than twice its norm; advanced joint convexity bounds both.
    CHECK(replaced.lower <= fixed.upper + poisson.upper);
    CHECK(replaced.lower <= cost(normal(2 * mu), epsilon).upper);
    CHECK(zeroed.lower <= fixed.upper);
  }
}

TEST_CASE(
    "whatever noise there is on the whole numbers, a Poisson sample costs what adding up its outcomes "
    "finds") {
  for (const auto& base :
       {one("discrete-gaussian", {{"sigma", 0.8}}), one("discrete-gaussian", {{"sigma", 3}}),
        one("discrete-laplace", {{"scale", 1.5}}), one("skellam", {{"variance", 0.3}}),
        one("skellam", {{"variance", 12}}),
        one("distributed-discrete-gaussian", {{"sigma", 0.578}, {"clients", 3}}),
        one("distributed-discrete-gaussian", {{"sigma", 2}, {"clients", 3}})}) {
    const std::vector<double> masses = masses_of(base);
    for (const int sensitivity : {1, 2, 5})
      for (const double rate : {0.01, 0.3, 1.0})
        for (const char* neighbours : {"add-remove", "replace"}) {
          Description of = base;
          of.numbers["sensitivity"] = sensitivity;
          of.texts["neighbours"] = "add-remove";
          const auto loss = privacy_loss(way("poisson", neighbours, {{"rate", rate}}, of));
          const int other = neighbours == std::string("replace") ? -sensitivity : 0;
          const auto at = [&](int i) {
            return i < 0 || i >= static_cast<int>(masses.size()) ? 0 : masses[i];
          };
          const auto mixed = [&](int i, int shift) {
            return shift == 0 ? at(i) : (1 - rate) * at(i) + rate * at(i - shift);
          };
          CAPTURE(base.kind);
          CAPTURE(sensitivity);
          CAPTURE(rate);
          CAPTURE(neighbours);
          for (const double epsilon : {0.0, 0.5, 3.0, 10.0}) {
            double ahead = 0, behind = 0;
            for (int i = -sensitivity; i < static_cast<int>(masses.size()) + sensitivity; ++i) {
              const double p = mixed(i, sensitivity), r = mixed(i, other);
              ahead += std::max(0.0, p - std::exp(epsilon) * r);
              behind += std::max(0.0, r - std::exp(epsilon) * p);
            }
            const double truth = std::max(ahead, behind);
            const Bounds found = delta(*loss, epsilon);
            CHECK(found.lower <= truth * (1 + 1e-9) + 1e-14);
            CHECK(found.upper >= truth * (1 - 1e-9) - 1e-14);
          }
          // Where nothing is impossible, nothing tells everything; a test of the largest ratios is the best
          // one.
          CHECK(loss->infinite_mass() == 0);
          CHECK(std::isfinite(loss->renyi(2)));
          CHECK(loss->renyi(2) <= loss->largest_loss());
          const Bounds power = TradeOff(*loss, Profile(*loss)).power(0.05);
          CHECK(power.lower <= power.upper);
          CHECK(power.lower <= 0.05 * std::exp(0.5) + delta(*loss, 0.5).upper);
        }
  }
}

TEST_CASE("no record of a count tells more on a Poisson sample than the farthest two") {
  const double q = 0.3, scale = 1.5;
  const auto noise = [scale](int x) { return std::tanh(0.5 / scale) * std::exp(-std::abs(x) / scale); };
  const Description of{
      "discrete-laplace", {{"scale", scale}, {"sensitivity", 3}}, {}, {{"neighbours", "add-remove"}}, {}};
  const Description asked = way("poisson", "replace", {{"rate", q}}, of);
  for (const double epsilon : {0.0, 0.05, 0.2, 0.5}) {
    double most = 0;
    for (int first = -3; first <= 3; ++first) {
      for (int second = -3; second <= 3; ++second) {
        double sum = 0;
        for (int x = -80; x <= 80; ++x) {
          const double p = (1 - q) * noise(x) + q * noise(x - first),
                       r = (1 - q) * noise(x) + q * noise(x - second);
          sum += std::max(0.0, p - std::exp(epsilon) * r);
        }
        most = std::max(most, sum);
      }
    }
    CAPTURE(epsilon);
    const Bounds found = cost(asked, epsilon);
    // Sums of 161 products.
    CHECK(most <= found.upper + 1e-13);
    CHECK(most >= found.lower - 1e-13);
  }
}

TEST_CASE("a replaced record fails no more often than it is drawn and its release fails") {
  for (const double rate : {0.5, 0.25, 0x1p-6})
    for (const double failure : {0x1p-10, 0x1p-30}) {
      const Description of{
          "approximate", {{"epsilon", 1}, {"delta", failure}}, {}, {{"neighbours", "add-remove"}}, {}};
      const auto loss = privacy_loss(way("poisson", "replace", {{"rate", rate}}, of));
      CAPTURE(rate);
      CAPTURE(failure);
      // Both are powers of two. What does not fail loses no more than this.
      CHECK(epsilon(*loss, rate * failure).lower <= std::log1p(rate / (1 - rate) * std::exp(1)) + 1e-12);
      CHECK(std::isinf(epsilon(*loss, rate * failure * (1 - 1e-11)).lower));
    }
}

TEST_CASE("batches cost between what their order can hide and what it cannot") {
  for (const double epochs : {1.0, 4.0}) {
    const Bounds order = cost(way("fixed-order", "zero-out", {{"epochs", epochs}}, normal(1)), 1);
    double last = 2;
    for (const double batches : {1.0, 2.0, 10.0, 1000.0}) {
      const Bounds found =
          cost(way("shuffle", "zero-out", {{"epochs", epochs}, {"batches", batches}}, normal(1)), 1);
      CHECK(found.upper == order.upper);
      CHECK(found.lower <= last);
      CHECK(found.lower > 0);
      last = found.lower;
    }
  }
  const Description shuffled = way("shuffle", "zero-out", {{"epochs", 1}, {"batches", 100}}, normal(1));
  const Bounds composed = cost(repeated(shuffled, 4), 1), alone = cost(shuffled, 1);
  CHECK(composed.lower > 0);
  CHECK(composed.upper >= alone.upper);
}

TEST_CASE("draws with replacement grow with their number, and end with those without") {
  const auto drawn = [](double draws) {
    return cost(way("with-replacement", "add-remove", {{"draws", draws}, {"records", 1000}}, normal(1)), 0.5);
  };
  CHECK(drawn(1).lower < drawn(2).lower);
  CHECK(drawn(2).upper < drawn(30).upper);
  const Bounds one = cost(way("without-replacement", "add-remove", {{"rate", 0.001}}, normal(1)), 0.5);
  CHECK(drawn(1).lower <= one.upper);
  CHECK(drawn(1).upper >= one.lower);
  for (const char* neighbours : {"replace", "zero-out"}) {
    const Bounds bound =
        cost(way("with-replacement", neighbours, {{"draws", 10}, {"records", 1000}}, normal(1)), 0.5);
    CHECK(bound.lower > 0);
    CHECK(bound.lower < bound.upper);
  }
}

// P(J >= j) for J ~ Bin(3, 1/467) is told where the shift of j draws is far below epsilon and that of j - 1
// far above.
TEST_CASE("draws that tell more than doubles have powers of e cost what their numbers say") {
  const double rate = 1 / 467.0, mu = 25.4;
  const double twice = 3 * rate * rate * (1 - rate) + rate * rate * rate;
  const auto loss = privacy_loss(
      way("with-replacement", "add-remove", {{"draws", 3}, {"records", 467}}, one("gdp", {{"mu", mu}})));
  double before = 1;
  for (double epsilon = 500; epsilon < 1.2e4; epsilon *= 1.01) {
    CAPTURE(epsilon);
    const Bounds found = delta(*loss, epsilon);
    CHECK(found.upper <= before * (1 + 1e-9));
    CHECK(found.lower >= found.upper * (1 - 1e-6) - 1e-300);
    before = found.upper;
    // The distances of the middle of all between one and two shifts, in standard deviations.
    if (epsilon > 600 && epsilon < 1200) CHECK(found.lower == doctest::Approx(twice).epsilon(1e-3));
  }
  CHECK(before < 1e-9);
}

TEST_CASE("what is cut off a Poisson sample is paid for once, and not where nothing can be") {
  const auto cut = [](double records, double largest) {
    const std::map<std::string, double> numbers{
        {"rate", 0.01}, {"steps", 100}, {"records", records}, {"largestBatch", largest}};
    return cost(way("truncated-poisson", "add-remove", numbers, normal(1)), 1);
  };
  const Bounds whole = cost(repeated(way("poisson", "add-remove", {{"rate", 0.01}}, normal(1)), 100), 1);
  CHECK(cut(1000, 1000).upper == whole.upper);
  // P(Bin(1000, 0.01) > 30) = 6.42e-8, to the three digits of Chua et al. 2024b.
  CHECK(cut(1000, 30).upper ==
        doctest::Approx(whole.upper + (1 + std::exp(1)) * 100 * 6.42e-8).epsilon(1e-3));
  CHECK(cut(1000, 30).lower == whole.lower);
  CHECK(cut(2000, 30).upper > cut(1000, 30).upper);
}

TEST_CASE("what needs another number is refused by its name") {
  CHECK(refused_field(way("poisson", "replace", {{"rate", 0.1}}, normal(1))) == "of.neighbours");
  CHECK(refused_field(way("poisson", "replace", {{"rate", 0.1}}, normal(1, "replace"))) == "of.neighbours");
  CHECK(refused_field(way("without-replacement", "add-remove", {{"rate", 0.1}}, normal(1, "add-remove"))) ==
        "of.neighbours");
  const Description laplace = one("laplace", {{"scale", 1}, {"sensitivity", 1}});
  CHECK(refused_field(way("without-replacement", "zero-out", {{"rate", 0.1}}, laplace)) == "of");
  CHECK(refused_field(way("shuffle", "zero-out", {{"epochs", 1}, {"batches", 9}}, laplace)) == "of");
  CHECK(refused_field(way("bootstrap", "replace", {{"rate", 0.1}}, normal(1))) == "sampling");
}

TEST_CASE("balls and bins enclose known prices") {
  struct Price {
    double sigma, batches, epochs, delta, truth;
  };
  // Of the pair (1/t) sum N(mu e_i, I) against N(0, I), by integrals of the sum of log-normal ratios; 9
  // digits.
  const Price prices[] = {{1, 100, 10, 1e-5, 1.70149844},
                          {1, 100, 1, 1e-5, 0.62093967},
                          {1, 240, 20, 1e-5, 1.49308393},
                          {0.5, 1000, 1, 1e-6, 4.10600464}};
  for (const Price& price : prices) {
    const auto& [sigma, batches, epochs, level, truth] = price;
    CAPTURE(price.truth);
    const Description asked = way("balls-and-bins", "add-remove", {{"epochs", epochs}, {"batches", batches}},
                                  one("gaussian", {{"sigma", sigma}, {"sensitivity", 1}}));
    const Bounds found = epsilon(*privacy_loss(asked), level);
    CHECK(found.lower <= truth * (1 + 1e-8));
    CHECK(found.upper >= truth * (1 - 1e-8));
    CHECK(found.upper - found.lower < 1e-3 * truth);
    // A record in a batch of its own choice tells no more than one in a known batch.
    const Description known = way("fixed-order", "zero-out", {{"epochs", epochs}}, asked.parts[0].mechanism);
    CHECK(found.lower <= epsilon(*privacy_loss(known), level).upper);
  }
  CHECK(refused_field(way("balls-and-bins", "add-remove", {{"epochs", 1}, {"batches", 1.5}}, normal(1))) ==
        "batches");
  CHECK(refused_field(way("balls-and-bins", "add-remove", {{"epochs", 0}, {"batches", 2}}, normal(1))) ==
        "epochs");
}

// A witness of shuffled batches had losses that are no numbers where the noise is tiny, which the laws beside
// it showed.
TEST_CASE("samples that have witnesses are composed with others, however much or little noise they have" *
          doctest::test_suite("long")) {
  const Description whole = one("discrete-gaussian", {{"sigma", 4}, {"sensitivity", 2}});
  const auto ways = [](double mu) -> std::vector<Description> {
    return {way("without-replacement", "replace", {{"rate", 0.01}}, normal(mu)),
            way("without-replacement", "zero-out", {{"rate", 0.01}}, normal(mu)),
            way("shuffle", "zero-out", {{"epochs", 1}, {"batches", 218}}, normal(mu)),
            way("shuffle", "replace", {{"epochs", 2}, {"batches", 3}}, normal(mu))};
  };
  for (const double mu : {1e-8, 0.1, 3.0, 20.0, 40.0, 300.0, 2e4})
    for (const Description& sampled : ways(mu)) {
      CAPTURE(mu);
      CAPTURE(sampled.text("sampling"));
      const Description together{"composition", {}, {}, {}, {{whole, 32}, {sampled, 3}}};
      if (!refused_field(together).empty()) continue;
      const auto loss = privacy_loss(together), alone = privacy_loss(whole);
      const Bounds found = epsilon(*loss, 7e-10), least = epsilon(*alone, 7e-10);
      CHECK(found.lower >= 0);
      CHECK(found.lower <= found.upper);
      CHECK(found.upper >= least.lower);
      // What is enough for the composition is enough for the sampled one in it.
      CHECK(cost(sampled, std::min(found.upper, 1e6)).lower <= (found.upper <= 1e6 ? 7e-10 * (1 + 1e-9) : 1));
    }
}

// As if a sample told for certain whether it holds the record, which none of k samples does with probability
// (1-q)^k: with noise below 0.01 of the sensitivity that is e^-1000 from the truth at most.
TEST_CASE("samples of hardly any noise are priced by whether they hold the record") {
  for (const double sigma : {1e-5, 1e-10, 1e-100}) {
    const Description noisy = one("gaussian", {{"sigma", sigma}, {"sensitivity", 1}});
    for (const double rate : {1e-4, 0.01, 0.5}) {
      const double count = 1 / rate, none = count * std::log1p(-rate);
      const auto loss = privacy_loss(repeated(sampled("poisson", rate, noisy), count));
      CAPTURE(sigma);
      CAPTURE(rate);
      for (const double share : {0.0, 0.5}) {
        // Without the record, what is told ends at -none.
        const double least = -std::expm1(none * (1 - share));
        const Bounds found = delta(*loss, -none * share);
        CHECK(found.lower >= least * (1 - 1e-6));
        CHECK(found.lower <= -std::expm1(none) * (1 + 1e-12));
        CHECK(found.upper >= -std::expm1(none) * (1 - 1e-12));
      }
      const Bounds found = epsilon(*loss, 1e-9);
      CHECK(found.lower >= (-none - 1.1e-9) * (1 - 1e-6));
      CHECK(found.upper >= 0.4 / (sigma * sigma));
    }
  }
}

}  // namespace epsilometer::samplings_test
