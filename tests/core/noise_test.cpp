// What noise costs: the stated continuous release against the exact profile of the discrete one.
#include "core/noise/noise.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "core/noise/finish.h"
#include "tests/core/statistics.h"

namespace epsilometer::noise_test {

namespace {

double stated(const Description& description, double epsilon) {
  return privacy_loss(description)->profile()->delta(epsilon).upper;
}

Description discrete(double sensitivity, double sigma) {
  return {"discrete-gaussian", {{"sensitivity", sensitivity}, {"sigma", sigma}}, {}, {}, {}};
}

// delta of discrete Gaussian noise under the shift, by summation over a box: never above the truth.
double summed(const std::vector<int>& shift, int s, double epsilon) {
  const int reach = 6 * s;
  std::vector<double> mass(2 * (reach + s) + 1);
  const int middle = reach + s;
  double total = 0;
  for (int z = -middle; z <= middle; ++z) total += mass[z + middle] = std::exp(-0.5 * z * z / (s * s));
  for (double& one : mass) one /= total;
  const auto inner = [&](const auto& self, std::size_t i, double p, double q) -> double {
    if (i == shift.size()) return std::max(0.0, p - std::exp(epsilon) * q);
    double sum = 0;
    for (int z = -reach; z <= reach; ++z)
      sum += self(self, i + 1, p * mass[z + middle], q * mass[z - shift[i] + middle]);
    return sum;
  };
  return inner(inner, 0, 1, 1);
}

}  // namespace

TEST_CASE("one coordinate of Gaussian noise leaks no more than stated, at any size of the grid") {
  bool needed = false;
  for (const std::uint64_t s : {6, 16, 64, 1024, 1 << 16})
    for (const double v : {1.0, 3.0, 6.0, 40.0})
      for (double epsilon = 0; epsilon < 12; epsilon += 0.37) {
        const double truth =
            privacy_loss(discrete(v, static_cast<double>(s)))->profile()->delta(epsilon).lower;
        CAPTURE(s);
        CAPTURE(v);
        CAPTURE(epsilon);
        CHECK(truth <= stated(GaussianNoise{0, s}.guarantee(v, 1), epsilon));
        const Description same{"gaussian", {{"sensitivity", v}, {"sigma", double(s)}}, {}, {}, {}};
        needed |= truth > stated(same, epsilon);
      }
  // The noise's own sigma would have understated it somewhere.
  CHECK(needed);
}

TEST_CASE("several coordinates of Gaussian noise leak no more than stated") {
  for (const auto& shift : std::vector<std::vector<int>>{{1, 1}, {5, 2}, {1, 0}, {1, 1, 1}, {3, 2, 1}}) {
    if (share > 1 && shift.size() == 3) continue;
    double norm = 0;
    for (const int step : shift) norm += step * step;
    for (const double epsilon : {0.0, 0.1, 0.5, 1.3}) {
      const double truth = summed(shift, 6, epsilon);
      const Description description =
          GaussianNoise{0, 6}.guarantee(std::sqrt(norm), static_cast<double>(shift.size()));
      CAPTURE(shift.size());
      CAPTURE(epsilon);
      CHECK(truth <= stated(description, epsilon));
      if (epsilon < 1) CHECK(truth >= 0.5 * stated(description, epsilon));
    }
  }
}

TEST_CASE("one coordinate of Laplace noise leaks no more than stated") {
  for (const std::uint64_t t : {1, 3, 50, 1 << 20})
    for (const std::int64_t v : {1, 2, 7, 10'000})
      for (double share_of_loss = 0; share_of_loss < 1.2; share_of_loss += 0.0437) {
        const double epsilon = share_of_loss * static_cast<double>(v) / static_cast<double>(t);
        const Description exact{
            "discrete-laplace", {{"sensitivity", double(v)}, {"scale", double(t)}}, {}, {}, {}};
        const double truth = privacy_loss(exact)->profile()->delta(epsilon).lower;
        CAPTURE(t);
        CAPTURE(v);
        CAPTURE(epsilon);
        CHECK(truth <= stated(LaplaceNoise{0, t}.guarantee(v, 1), epsilon));
      }
  const Description several = LaplaceNoise{0, 1000}.guarantee(500, 3);
  CHECK(several.kind == "pure");
  CHECK(several.numbers.at("epsilon") >= 0.5);
  CHECK(several.numbers.at("epsilon") < 0.5 + 1e-14);
}

TEST_CASE("asked noise is had, and hardly more") {
  for (const double sigma : {1e-90, 1e-3, 1.0, std::nextafter(2.0, 1.0), 2.0, 3.7, 1e90}) {
    const GaussianNoise noise = GaussianNoise::of(sigma);
    CHECK(noise.steps >= (std::uint64_t{1} << 30));
    CHECK(noise.steps <= (std::uint64_t{1} << 31) + 2);
    const double got = noise.guarantee(0x1p30, 50).numbers.at("sigma");
    CHECK(got >= sigma);
    CHECK(got <= sigma * (1 + 0x1p-28));
    CHECK(LaplaceNoise::of(sigma).guarantee(1, 1).numbers.at("scale") >= sigma);
  }
  CHECK(GaussianNoise::of(1, -47).guarantee(1, 1).numbers.at("sigma") >= 1);
  CHECK(GaussianNoise::of(1).guarantee(0, 5).kind == "pure");
}

TEST_CASE("many coordinates and tiny shifts only ever cost more") {
  const GaussianNoise noise{0, std::uint64_t{1} << 48};
  double before = 1e300;
  for (const double dimension : {1.0, 1e3, 1e6, 1e9}) {
    const double sigma = noise.guarantee(1, dimension).numbers.at("sigma");
    CHECK(sigma <= before);
    CHECK(sigma >= 0x1p48 * (1 - 1e-8));
    before = sigma;
  }
}

TEST_CASE("noise that no grid can hold is refused") {
  for (const double sigma : {0.0, -1.0, std::nan(""), HUGE_VAL, 1e-101, 1e101}) {
    CHECK_THROWS_AS(GaussianNoise::of(sigma), Refusal);
    CHECK_THROWS_AS(LaplaceNoise::of(sigma), Refusal);
  }
  CHECK_THROWS_AS(GaussianNoise::of(1, -19), Refusal);
  CHECK_THROWS_AS(GaussianNoise::of(1, -48), Refusal);
}

TEST_CASE("a release is the exact sum plus noise in whole steps, and a new draw each time") {
  TestRng rng(5);
  const GaussianNoise noise = GaussianNoise::of(1);
  IntegerSum sum(3);
  sum.add(std::vector<std::int64_t>{0, std::int64_t{100} << 30, -largest_sum});
  const auto first = released(rng, sum, noise), second = released(rng, sum, noise);
  for (int i = 0; i < 2; ++i) {
    CHECK(std::abs(first[i] - 100 * i) < 6);
    CHECK(first[i] != second[i]);
  }
  CHECK(std::abs(first[2] + 0x1p31) < 6);
}

TEST_CASE("finishing noise costs what it says, and does not finish without a certificate") {
  const Finish finish(1e-9, 10);
  const Description price = finish.guarantee();
  const double mu = price.numbers.at("sensitivity") / price.numbers.at("sigma");
  CHECK(mu <= 0x1p-16 * (1 + 1e-9));
  CHECK(mu >= 0x1p-16 * (1 - 1e-6));
  CHECK(price.numbers.at("sensitivity") >= 2e-9);
  TestRng rng(6);
  const std::vector<double> computed = {1, -2, 0.3, 0, 1e-12, 5, 6, 7, 8, 9};
  const auto values = finish.released(rng, computed, {1e-9, 1e-80});
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(values[i] != computed[i]);
    CHECK(std::abs(values[i] - computed[i]) < 7 * finish.sigma());
  }
  CHECK_THROWS_AS(finish.released(rng, computed, {1.1e-9, 0}), Refusal);
  CHECK_THROWS_AS(finish.released(rng, computed, {std::nan(""), 0}), Refusal);
  CHECK_THROWS_AS(finish.released(rng, std::vector<double>(10, std::nan("")), {0, 0}), Refusal);
  CHECK_THROWS_AS(Finish(0, 10), Refusal);
  CHECK_THROWS_AS(Finish(1e-9, 0), Refusal);
}

TEST_CASE("an error within the tolerance moves finished centres by no more than priced") {
  // The same noise on both sides leaves the difference of the centres.
  const double tolerance = 1e-9;
  const std::size_t d = 4;
  const Finish finish(tolerance, d);
  const double most = finish.guarantee().numbers.at("sensitivity");
  TestRng source(7);
  double largest = 0;
  for (std::uint64_t i = 0; i < 20'000 / share; ++i) {
    std::vector<double> ideal(d), off(d);
    double norm = 0;
    for (double& x : ideal) x = normal_deviate(source);
    for (double& x : off) {
      x = normal_deviate(source);
      norm += x * x;
    }
    std::vector<double> left = ideal, right = ideal;
    for (std::size_t j = 0; j < d; ++j) {
      left[j] += 0.9999 * tolerance * off[j] / std::sqrt(norm);
      right[j] -= 0.9999 * tolerance * off[j] / std::sqrt(norm);
    }
    TestRng one(i), other(i);
    const auto a = finish.released(one, left, {tolerance, 0}),
               b = finish.released(other, right, {tolerance, 0});
    double distance = 0;
    for (std::size_t j = 0; j < d; ++j) distance += (a[j] - b[j]) * (a[j] - b[j]);
    largest = std::max(largest, std::sqrt(distance));
  }
  CHECK(largest <= most);
  CHECK(largest >= 1.9 * tolerance);
}

TEST_CASE("inner normal deviates are normal") {
  TestRng rng(20261129);
  std::vector<double> draws(500'000 / share);
  for (double& draw : draws) draw = normal_deviate(rng);
  CHECK(kolmogorov(draws) > 1e-4);
}

}  // namespace epsilometer::noise_test
