// What correlated noise hides of a record against brute force: every set of steps in which the record may
// take part, of random columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <random>

#include "core/loss/privacy_loss.h"
#include "tests/core/descriptions.h"

namespace epsilometer::matrix_test {

namespace {

Description noise(const char* scheme, const char* schedule, double steps, double most, double separation) {
  return {"matrix",
          {{"sigma", 1},
           {"sensitivity", 1},
           {"steps", steps},
           {"participations", most},
           {"separation", separation}},
          {},
          {{"scheme", scheme}, {"schedule", schedule}},
          {}};
}

double mu_of(const Description& description) { return *privacy_loss(description)->gaussian(); }

// The largest |C p|^2 over the sets of steps, as bits, at least that far apart, or exactly.
double largest(const std::vector<double>& column, unsigned steps, int most, unsigned separation, bool exact) {
  double result = 0;
  for (unsigned chosen = 1; chosen < 1u << steps; ++chosen) {
    if (std::popcount(chosen) > most) continue;
    bool fits = true;
    for (unsigned i = 0, last = steps; i < steps; ++i) {
      if (!(chosen >> i & 1)) continue;
      if (last < steps) fits = fits && (exact ? i - last == separation : i - last >= separation);
      last = i;
    }
    if (!fits) continue;
    double square = 0;
    for (unsigned row = 0; row < steps; ++row) {
      double sum = 0;
      for (unsigned j = 0; j < column.size() && j <= row; ++j)
        if (chosen >> (row - j) & 1) sum += column[j];
      square += sum * sum;
    }
    result = std::max(result, square);
  }
  return result;
}

}  // namespace

TEST_CASE(
    "no steps in which a record may take part tell more of it than what is charged, and some do as much") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0, 1);
  int refused = 0;
  for (int i = 0; i < 200; ++i) {
    const unsigned steps = 1 + random() % 9, separation = 1 + random() % 5, length = 1 + random() % 6;
    const int most = 1 + static_cast<int>(random() % 4);
    const bool exact = random() % 2 == 0;
    std::vector<double> column(length);
    for (double& entry : column) entry = uniform(random) < 0.2 ? 0 : uniform(random);
    if (random() % 3 > 0) std::sort(column.begin(), column.end(), std::greater<>());
    Description asked = noise("columns", exact ? "fixed-order" : "min-separation", steps, most, separation);
    asked.lists["columns"] = column;
    CAPTURE(i);
    if (!refused_field(asked).empty()) {
      ++refused;
      CHECK(!exact);
      CHECK(!std::is_sorted(column.begin(), column.end(), std::greater<>()));
      continue;
    }
    const double truth = largest(column, steps, most, separation, exact);
    // 9 rows of at most 6 products each, then their squares: relative roundings of doubles.
    CHECK(mu_of(asked) == doctest::Approx(std::sqrt(truth)).epsilon(32 * 0x1p-53));
  }
  CHECK(refused > 0);
  CHECK(refused < 60);
}

TEST_CASE("one step is normal noise, separate steps add up, and more of anything costs more") {
  for (const char* scheme : {"tree", "sqrt-toeplitz"}) {
    CAPTURE(scheme);
    CHECK(mu_of(noise(scheme, "fixed-order", 1, 1, 1)) == 1);
    double last = 0;
    for (const double most : {1.0, 2.0, 3.0, 7.0, 8.0, 50.0}) {
      const double mu = mu_of(noise(scheme, "fixed-order", 64, most, 8));
      CHECK(mu >= last);
      CHECK((mu > last || most > 8));
      last = mu;
    }
    for (const double steps : {64.0, 65.0, 128.0, 1000.0, 100000.0}) {
      const double mu = mu_of(noise(scheme, "fixed-order", steps, 8, 8));
      CHECK(mu >= last);
      last = mu;
    }
  }
  Description alone = noise("columns", "min-separation", 1e5, 100, 3);
  alone.lists["columns"] = {2};
  CHECK(mu_of(alone) == 20);
  // All diagonals of the band are the whole root, and the inverse of its whole inverse.
  const double whole = mu_of(noise("sqrt-toeplitz", "min-separation", 200, 3, 50));
  for (const char* scheme : {"banded", "banded-inverse"}) {
    Description band = noise(scheme, "min-separation", 200, 3, 50);
    for (const double bandwidth : {200.0, 1e5}) {
      band.numbers["bandwidth"] = bandwidth;
      if (bandwidth * 200 <= 2e7) CHECK(mu_of(band) == doctest::Approx(whole).epsilon(0x1p-52));
    }
    band.numbers["bandwidth"] = 7;
    CHECK(mu_of(band) < whole);
  }
}

TEST_CASE("what nobody can answer is refused by its name") {
  const auto with = [](const char* name, double value) {
    Description asked = noise("banded", "fixed-order", 10, 2, 3);
    asked.numbers["bandwidth"] = 2;
    asked.numbers[name] = value;
    return refused_field(asked);
  };
  CHECK(with("sigma", 1).empty());
  for (const char* name : {"steps", "participations", "separation", "bandwidth"})
    for (const double bad : {0.0, 1.5, -3.0, 1e6, static_cast<double>(NAN)}) CHECK(with(name, bad) == name);
  CHECK(refused_field(noise("banded", "fixed-order", 10, 2, 3)) == "bandwidth");
  CHECK(refused_field(noise("columns", "fixed-order", 10, 2, 3)) == "columns");
  CHECK(refused_field(noise("forest", "fixed-order", 10, 2, 3)) == "scheme");
  CHECK(refused_field(noise("tree", "any", 10, 2, 3)) == "schedule");
  CHECK(refused_field(noise("tree", "min-separation", 10, 2, 3)) == "schedule");
  CHECK(refused_field(noise("sqrt-toeplitz", "fixed-order", 1e5, 1e3, 1)) == "participations");
}

}  // namespace epsilometer::matrix_test
