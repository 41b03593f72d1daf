// The envelope of a profile against the lemma of Neyman and Pearson: pairs of a few outcomes, whose best
// tests can be listed.
#include "core/accounting/envelope.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace epsilometer::envelope_test {

namespace {

struct Outcome {
  long double p, q;
};

class Pair {
 public:
  explicit Pair(std::vector<Outcome> outcomes) : outcomes_(std::move(outcomes)) {
    std::sort(outcomes_.begin(), outcomes_.end(), [](auto& a, auto& b) { return a.p * b.q > b.p * a.q; });
  }

  long double delta(double epsilon) const {
    long double sum = 0;
    for (const Outcome& one : outcomes_)
      sum += std::max(0.0L, one.p - std::exp(static_cast<long double>(epsilon)) * one.q);
    return sum;
  }

  // The likeliest under P first, in proportion to Q, the last of them at random.
  long double power(long double false_positive) const {
    long double sum = 0, left = false_positive;
    for (const Outcome& one : outcomes_) {
      if (one.q > left) return sum + one.p * (left / one.q);
      sum += one.p;
      left -= one.q;
    }
    return sum;
  }

  double infinite_mass() const {
    double sum = 0;
    for (const Outcome& one : outcomes_) sum += one.q == 0 ? static_cast<double>(one.p) : 0;
    return sum;
  }

 private:
  std::vector<Outcome> outcomes_;
};

Pair random_pair(std::mt19937_64& stream) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const std::size_t count = 2 + stream() % 7;
  const double spread = 20 * uniform(stream);
  std::vector<Outcome> outcomes;
  long double p = 0, q = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const bool never_p = i > 0 && stream() % 12 == 0, never_q = i > 1 && !never_p && stream() % 12 == 0;
    outcomes.push_back({never_p ? 0 : std::exp(-spread * uniform(stream)),
                        never_q ? 0 : std::exp(-spread * uniform(stream))});
    p += outcomes.back().p;
    q += outcomes.back().q;
  }
  for (Outcome& one : outcomes) one.p /= p, one.q /= q;
  return Pair(outcomes);
}

}  // namespace

TEST_CASE("the envelope holds the power of the best test, and is narrow where the profile is known") {
  std::mt19937_64 stream(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  int compared = 0, wide = 0;
  for (int i = 0; i < 300; ++i) {
    const Pair pair = random_pair(stream);
    // Known to rounding, or to a thousandth and a tenth, somewhere between two ends that are not even
    // monotone; half of them say no more of what is negligible than that it is.
    const double doubt = i % 3 == 0 ? 0 : i % 3 == 1 ? 1e-3 : 0.1;
    Envelope envelope(
        [&](double epsilon, double negligible) {
          const auto truth = static_cast<double>(pair.delta(epsilon));
          if (i % 2 == 0 && truth * (1 + 1e-15) <= negligible) return Bounds{0, negligible};
          return Bounds{truth * (1 - 1e-15) * (1 - doubt * uniform(stream)),
                        truth * (1 + 1e-15) * (1 + doubt * uniform(stream))};
        },
        pair.infinite_mass() * (1 - 1e-15));
    for (int j = 0; j < 8; ++j) {
      const double x = j < 4 ? uniform(stream) : std::pow(10, -300 * std::pow(uniform(stream), 3));
      const auto truth = static_cast<double>(pair.power(x));
      const Bounds found = envelope.power(x);
      CAPTURE(i);
      CAPTURE(x);
      // The truth and the sums that are given are rounded.
      CHECK(found.lower <= truth * (1 + 1e-14));
      CHECK(found.upper >= truth * (1 - 1e-14));
      CHECK(found.lower >= x);
      if (doubt == 0)
        wide += found.upper - found.lower > 2e-5 * std::min(found.upper, 1 - found.lower) + 1e-12;
      ++compared;
    }
  }
  CHECK(compared == 2400);
  CHECK(wide <= compared / 100);
}

TEST_CASE("an envelope that forgets answers as one that was never asked") {
  std::mt19937_64 stream(20261124);
  for (int i = 0; i < 20; ++i) {
    const Pair pair = random_pair(stream);
    const auto delta = [&](double epsilon, double) {
      const auto truth = static_cast<double>(pair.delta(epsilon));
      return Bounds{truth, truth};
    };
    Envelope used(delta, pair.infinite_mass()), fresh(delta, pair.infinite_mass());
    used.power(0.3);
    used.power(1e-5);
    used.forget();
    const Bounds again = used.power(0.01), first = fresh.power(0.01);
    CHECK(again.lower == first.lower);
    CHECK(again.upper == first.upper);
  }
}

}  // namespace epsilometer::envelope_test
