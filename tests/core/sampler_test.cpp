// The samplers against their laws. Seeds are fixed; a true sampler fails one of these tests with probability
// 1e-4 for a seed chosen beforehand.
#include <doctest/doctest.h>

#include <random>
#include <set>

#include "core/noise/exact_sampler.h"
#include "core/noise/generator.h"
#include "core/noise/noise.h"
#include "tests/core/statistics.h"

namespace epsilometer::sampler_test {

namespace {

struct CountingSource {
  std::uint32_t word() {
    ++words;
    return rng.word();
  }

  TestRng rng;
  double words = 0;
};

template <class Draw>
std::vector<std::int64_t> drawn(std::size_t count, Draw draw) {
  std::vector<std::int64_t> all(count);
  for (std::int64_t& one : all) one = draw();
  return all;
}

const auto gaussian_weight = [](double s) {
  return [s](std::int64_t z) { return std::exp(-0.5 * static_cast<double>(z * z) / (s * s)); };
};

const auto laplace_weight = [](double t) {
  return [t](std::int64_t z) { return std::exp(-std::abs(static_cast<double>(z)) / t); };
};

}  // namespace

TEST_CASE("discrete Gaussian draws have their law" * doctest::test_suite("long")) {
  for (const std::uint64_t s : {1, 2, 3, 5, 20, 1024}) {
    TestRng rng(20261121, s);
    const auto draws = drawn(2'000'000 / share, [&] { return exact::discrete_gaussian(rng, s); });
    CAPTURE(s);
    CHECK(chi_square(draws, 16 * s, gaussian_weight(static_cast<double>(s))) > 1e-4);
  }
}

TEST_CASE("discrete Laplace draws have their law") {
  for (const std::uint64_t t : {1, 2, 7, 50}) {
    TestRng rng(20261122, t);
    const auto draws =
        drawn(2'000'000 / share, [&] { return exact::discrete_laplace(rng, t, 2 * largest_sum); });
    CAPTURE(t);
    CHECK(chi_square(draws, 30 * t, laplace_weight(static_cast<double>(t))) > 1e-4);
  }
}

TEST_CASE("the test of laws can fail") {
  TestRng rng(3);
  const auto draws = drawn(2'000'000 / share, [&] { return exact::discrete_gaussian(rng, 20); });
  CHECK(chi_square(draws, 320, gaussian_weight(20.5)) < 1e-4);
}

TEST_CASE("the tail of the table has its law, and no end") {
  TestRng rng(20261127);
  const auto draws = drawn(2'000'000 / share, [&] {
    const auto k = static_cast<std::int64_t>(exact::half_normal_tail(rng));
    return k - 6;
  });
  CHECK(chi_square(draws, 4, [](std::int64_t i) {
          return i < 0 ? 0 : std::exp(-6.0 * static_cast<double>(i) - 0.5 * static_cast<double>(i * i));
        }) > 1e-4);
  // A word of ones fails a coin, which makes e^-1/2 come true; 0 and then ones make it fail.
  struct Script {
    std::uint32_t word() { return next++ == fails ? 0 : 0xffffffff; }
    std::size_t fails, next = 0;
  };
  // One word for the table, and 12 for each step beyond 6: past the 17 deviations beyond which nothing came.
  Script script{1 + 12 * 94};
  CHECK(exact::half_normal(script) == 100);
}

TEST_CASE("wide discrete Gaussian draws are normal") {
  for (const int exponent : {30, 48}) {
    TestRng rng(20261123, exponent);
    std::vector<double> draws(1'000'000 / share);
    for (double& draw : draws)
      draw = std::ldexp(static_cast<double>(exact::discrete_gaussian(rng, std::uint64_t{1} << exponent)),
                        -exponent);
    double second = 0, fourth = 0;
    for (const double z : draws) second += z * z, fourth += z * z * z * z;
    const auto n = static_cast<double>(draws.size());
    CAPTURE(exponent);
    CHECK(kolmogorov(draws) > 1e-4);
    // Variances of z^2 and z^4: 2 and 96; four standard errors.
    CHECK(std::abs(second / n - 1) < 4 * std::sqrt(2 / n));
    CHECK(std::abs(fourth / n - 3) < 4 * std::sqrt(96 / n));
  }
}

TEST_CASE("wide discrete Laplace draws, as they are used, have Laplace's law") {
  TestRng rng(20261128);
  const LaplaceNoise noise = LaplaceNoise::of(1);
  CHECK(noise.steps >= (std::uint64_t{1} << 30));
  std::vector<double> draws(1'000'000 / share);
  for (double& draw : draws) draw = static_cast<double>(noise.draw(rng)) / static_cast<double>(noise.steps);
  const auto law = [](double scale) {
    return [scale](double x) { return x < 0 ? std::exp(x / scale) / 2 : 1 - std::exp(-x / scale) / 2; };
  };
  CHECK(kolmogorov(draws, law(1)) > 1e-4);
  CHECK(kolmogorov(draws, law(1.05)) < 1e-4);
}

TEST_CASE("the exact continuation of a coin decides as it should" * doctest::test_suite("long")) {
  const std::size_t count = 5'000'000 / share;
  CountingSource coarse{TestRng(20261124)}, fine{TestRng(20261125)};
  const auto draws = drawn(count, [&] { return exact::discrete_gaussian<8>(coarse, 5); });
  CHECK(chi_square(draws, 80, gaussian_weight(5)) > 1e-4);
  for (std::size_t i = 0; i < count; ++i) exact::discrete_gaussian(fine, 5);
  // Fewer draws could not tell the words that it took from chance.
  if (share == 1) CHECK(coarse.words - fine.words > 5e4);
  const auto others = drawn(count, [&] { return exact::discrete_laplace<8>(coarse, 7, 2 * largest_sum); });
  CHECK(chi_square(others, 210, laplace_weight(7)) > 1e-4);
}

TEST_CASE("whole numbers below a bound that no power of two divides are equally likely") {
  // Of 2^64 words 4/3 fall on each number: without the rejection every third number would have two of them.
  TestRng rng(20);
  const std::uint64_t bound = std::uint64_t{3} << 62;
  constexpr int draws = 100000;
  int third = 0;
  for (int i = 0; i < draws; ++i) third += exact::uniform_below(rng, bound) % 3 == 0;
  // Four standard errors of a share of 1/3; with two words it would be 1/2.
  CHECK(std::abs(third / static_cast<double>(draws) - 1.0 / 3) < 4 * std::sqrt(2.0 / 9 / draws));
}

TEST_CASE("a coin between two first words is exact") {
  // a/b just above and below u / 2^32: the first word u decides nothing, the next one all but 2^-32 of it.
  struct Script {
    std::vector<std::uint32_t> words;
    std::size_t next = 0;
    std::uint32_t word() { return words.at(next++); }
  };
  const std::uint64_t b = (std::uint64_t{1} << 62) - 1;
  Script none{{0}};
  CHECK(!exact::coin(none, 0, b));
  Script sure{{0xffffffff}};
  CHECK(exact::coin(sure, b, b));
  // 2^32 U = 5 + 1/3 against 2^32 a/b = 5 + 1/4 and 5 + 1/2.
  const std::vector<std::uint32_t> third = {5, 0x55555555, 0x55555555};
  const std::uint64_t whole = std::uint64_t{1} << 61;
  for (const std::uint64_t quarters : {21, 22}) {
    Script script{third};
    CHECK(exact::coin(script, quarters * (whole >> 34), whole) == (quarters == 22));
    CHECK(script.next == 2);
  }
}

TEST_CASE("a draw takes as many words as its acceptance rates say") {
  // k + 1 coins of probability e^-y at most, each a run of trials: e^y first coins and x (e^y - 1) / y second
  // ones on average; one word for k, two for j and the sign.
  double words = 0, accepted = 0, total = 0;
  for (int k = 0; k < 12; ++k) {
    const double weight = std::exp(-0.5 * k * k);
    total += weight;
    for (double x = 0.5 / 4096; x < 1; x += 1.0 / 4096) {
      const double y = x * (2 * k + x) / (2 * k + 2), pass = std::exp(-y);
      const double runs = (1 - std::pow(pass, k + 1)) / (1 - pass);
      words += weight / 4096 * (3 + runs * (1 / pass + x * (1 / pass - 1) / y));
      accepted += weight / 4096 * std::pow(pass, k + 1);
    }
  }
  CHECK(accepted / total == doctest::Approx(0.715).epsilon(0.001));
  CountingSource source{TestRng(20261126)};
  const std::size_t count = 1'000'000 / share;
  for (std::size_t i = 0; i < count; ++i) exact::discrete_gaussian(source, std::uint64_t{1} << 30);
  CHECK(source.words / count == doctest::Approx(words / accepted).epsilon(0.01));
  source.words = 0;
  for (std::size_t i = 0; i < count; ++i)
    exact::discrete_laplace(source, std::uint64_t{1} << 30, 2 * largest_sum);
  CHECK(source.words / count == doctest::Approx(2 * std::exp(1.0) / (1 - std::exp(-1.0))).epsilon(0.01));
}

TEST_CASE("floating-point noise tells the data, noise on a grid does not") {
  // Mironov 2012: low bits of x + noise are left only where x = 0.
  const auto low_bits = [](const auto& outputs) {
    int within = 0, fine = 0;
    for (const double y : outputs) {
      if (y <= 0 || y >= 0.5) continue;
      ++within;
      if (std::ldexp(y, 53) != std::floor(std::ldexp(y, 53))) ++fine;
    }
    return within == 0 ? 0.0 : static_cast<double>(fine) / within;
  };
  std::mt19937_64 stream(7);
  std::exponential_distribution<double> exponential;
  const auto naive = [&](double x) {
    std::vector<double> outputs(100'000);
    for (double& y : outputs) y = x + (stream() & 1 ? 1 : -1) * exponential(stream);
    return outputs;
  };
  CHECK(low_bits(naive(0)) > 0.3);
  CHECK(low_bits(naive(1)) == 0);
  TestRng rng(8);
  const LaplaceNoise noise{-10, 1 << 20};
  const auto ours = [&](std::int64_t x) {
    IntegerSum sum(100'000);
    sum.add(std::vector<std::int64_t>(sum.size(), x));
    return released(rng, sum, noise);
  };
  for (const std::int64_t x : {0, 1024})
    for (const double y : ours(x)) CHECK(std::ldexp(y, 10) == std::floor(std::ldexp(y, 10)));
  CHECK(low_bits(ours(0)) == 0);
}

TEST_CASE("textbook noise leaves doubles out that the neighbour has, noise on a grid leaves out none") {
  // Of so many outputs from 4 on, those that x + noise of scale 1 can be.
  constexpr int many = 2000;
  // Of x - log(k / 2^53), k = 1 .. 2^53: those k that are near what would be needed.
  const auto textbook = [](double x) {
    std::vector<bool> reached(many);
    for (int i = 0; i < many; ++i) {
      const double y = 4 + i * 0x1p-50, needed = std::floor(std::ldexp(std::exp(x - y), 53));
      for (double k = needed - 3; k <= needed + 4; ++k)
        reached[i] = reached[i] || x - std::log(k * 0x1p-53) == y;
    }
    return reached;
  };
  const auto from_zero = textbook(0), from_one = textbook(1);
  int reached = 0, told = 0;
  for (int i = 0; i < many; ++i) reached += from_zero[i], told += from_zero[i] != from_one[i];
  CHECK(reached == doctest::Approx(0.15 * many).epsilon(0.2));
  CHECK(told > 0.3 * many);
  // Words that accept j of z = q t + j at once, and that are q passed runs of coins.
  struct Script {
    std::uint32_t word() { return next < words.size() ? words[next++] : 0xffffffff; }
    std::vector<std::uint32_t> words;
    std::size_t next = 0;
  };
  constexpr std::int64_t t = 1 << 30;
  for (const std::int64_t x : {std::int64_t{0}, t}) {
    int ours = 0;
    for (std::int64_t y = 4 * t; y < 4 * t + many; ++y) {
      Script script{{static_cast<std::uint32_t>((y - x) % t) << 2, 0, 0xffffffff}};
      for (std::int64_t q = 0; q < (y - x) / t; ++q) script.words.insert(script.words.end(), {0, 0xffffffff});
      ours += x + exact::discrete_laplace(script, t, 2 * largest_sum) == y;
    }
    CHECK(ours == many);
  }
}

TEST_CASE("every value near the centre is reached from both neighbours") {
  for (const std::int64_t x : {0, 1}) {
    TestRng rng(9, x);
    std::set<std::int64_t> reached;
    for (int i = 0; i < 1'000'000; ++i) reached.insert(x + exact::discrete_gaussian(rng, 5));
    for (std::int64_t y = -20; y <= 20; ++y) CHECK(reached.contains(y));
  }
}

TEST_CASE("a Laplace draw is capped where the saturated sum does not show it") {
  TestRng rng(10);
  const std::uint64_t t = 1 << 20;
  for (int i = 0; i < 1000; ++i) {
    const std::int64_t z = exact::discrete_laplace(rng, t, 1000);
    CHECK(std::abs(z) <= 1000);
  }
}

}  // namespace epsilometer::sampler_test
