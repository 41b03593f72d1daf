// Every release drawn again, from the same words and at the widths that its price names: no draw is a hair
// narrower than the priced one, none is missing, and none is unpaid.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <utility>

#include "core/model/bounded_records.h"
#include "core/noise/eigenvalue.h"
#include "core/noise/exact_sampler.h"
#include "core/noise/normal_rows.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/linear/posterior_sample.h"
#include "core/release/linear/sketch.h"
#include "core/release/release.h"
#include "tests/core/linear_request.h"

namespace epsilometer::replay_test {

namespace {

class CountingEntropy final : public Entropy {
 public:
  bool fill(Key& key) override {
    key.fill(static_cast<std::uint8_t>(++calls));
    return true;
  }
  int calls = 0;
};

const std::vector<double> nothing;
const Records no_rows{0, 3, nothing, nothing};

// The steps of discrete noise whose continuous counterpart has that variance, `less` having been taken off.
// Squares of neighbouring widths are further apart than all roundings.
std::uint64_t priced_steps(double sigma, int exponent, double less) {
  const double steps = std::ldexp(sigma, -exponent);
  return static_cast<std::uint64_t>(std::llround(std::sqrt(steps * steps + less)));
}

std::uint64_t gaussian_steps(const Description& price, int exponent) {
  REQUIRE(price.kind == "gaussian");
  return priced_steps(price.numbers.at("sigma"), exponent, 4);
}

double gaussian_draw(Generator& generator, std::uint64_t steps, int exponent) {
  return std::ldexp(static_cast<double>(exact::discrete_gaussian(generator, steps)), exponent);
}

double mu(const Description& price) { return price.numbers.at("sensitivity") / price.numbers.at("sigma"); }

const Description& part(const Release& release, std::size_t i) {
  return release.description.parts.at(i).mechanism;
}

// Draws the noisy count of a table without records, priced in two parts from the i-th on: the bound on the
// number of records.
double counted(const Release& release, std::size_t i, Generator& generator) {
  const int exponent = default_exponent(part(release, i).numbers.at("sigma"));
  const std::uint64_t steps = gaussian_steps(part(release, i), exponent);
  const double noisy = gaussian_draw(generator, steps, exponent);
  CHECK(release.number("rows") == noisy);
  // That the bound is too small, of both tables and twice over.
  const double failure = part(release, i + 1).numbers.at("delta") / 4;
  return std::max(1.0, std::ceil(noisy + eigenvalue_margin(GaussianNoise{exponent, steps}, 0, failure)));
}

// Both have drawn as many words.
void check_same_words(Generator& one, Generator& other) {
  for (int i = 0; i < 3; ++i) CHECK(one.word() == other.word());
}

}  // namespace

TEST_CASE("noise has its own width in every coordinate, and begins with fresh bytes") {
  // Widths at which a thousandth, and a step, show.
  const std::uint64_t wide = (std::uint64_t{1} << 31) + 12345, narrow = std::uint64_t{1} << 20;
  IntegerSum sum(std::vector<__int128>{0, 7, -1'000'000, __int128{1} << 40, 5, -3});
  CountingEntropy entropy;
  SystemRng system(entropy);
  for (const std::uint64_t steps : {narrow, wide})
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      TestRng rng(seed), same(seed);
      const GaussianNoise gaussian{-3, steps};
      const LaplaceNoise laplace{-3, steps};
      const OrthogonalNoise matrix{-3, steps, steps - steps / 3};
      const auto first = released(rng, sum, gaussian), second = released(rng, sum, laplace),
                 third = released(rng, sum, matrix);
      const auto value = [&](std::size_t i, std::int64_t noise) {
        return std::ldexp(static_cast<double>(sum.value(i) + noise), -3);
      };
      for (std::size_t i = 0; i < 6; ++i) CHECK(first[i] == value(i, exact::discrete_gaussian(same, steps)));
      for (std::size_t i = 0; i < 6; ++i)
        CHECK(second[i] == value(i, exact::discrete_laplace(same, steps, 2 * largest_sum)));
      for (std::size_t i = 0; i < 6; ++i) {
        const bool on_diagonal = i == 0 || i == 2 || i == 5;
        const std::uint64_t width = on_diagonal ? matrix.diagonal : matrix.other;
        CHECK(third[i] == value(i, exact::discrete_gaussian(same, width)));
      }
      check_same_words(rng, same);
      const int before = entropy.calls;
      released(system, sum, gaussian);
      CHECK(entropy.calls == before + 1);
      released(system, sum, laplace);
      CHECK(entropy.calls == before + 2);
      released(system, sum, matrix);
      CHECK(entropy.calls == before + 3);
    }
}

TEST_CASE("noisy sufficient statistics have the priced noise, of the size that was asked") {
  for (const double releases : {2.0, 3.0})
    for (const double features : {1.0, 0.7})
      for (const double label : {1.0, 3.0})
        for (const double sigma : {0.3, 5.0, 777.0}) {
          TestRng rng(3), same(3);
          const FitRequest asked = request(
              "ada-ssp",
              {{"sigma", sigma}, {"releases", releases}, {"featureBound", features}, {"labelBound", label}});
          const Release found = fit(asked, no_rows, rng, {});
          REQUIRE(found.description.parts.size() == (releases == 3 ? 5 : 2));
          // Each release costs what Gaussian noise of that sigma does; a coarser grid takes up to 2^-18.
          for (std::size_t i = 0; i < releases; ++i) {
            CHECK(mu(part(found, i)) <= (1 + 0x1p-17) / sigma);
            CHECK(mu(part(found, i)) >= (1 - 0x1p-17) / sigma);
          }
          const LinearBounds bounds{features, label};
          const double width = part(found, 0).numbers.at("sigma");
          const int grid = gram_query(3, bounds, Norm::l2).exponent(width);
          // The variance priced is half of that on the diagonal, less 8 steps.
          const std::uint64_t diagonal = priced_steps(std::sqrt(2.0) * width, grid, 8);
          const auto other = static_cast<std::uint64_t>(
              std::ceil(std::sqrt(static_cast<long double>(diagonal) * diagonal / 2)));
          const auto& gram = found.values("gram");
          for (std::size_t i = 0; i < 6; ++i)
            CHECK(gram[i] == gaussian_draw(same, i == 0 || i == 2 || i == 5 ? diagonal : other, grid));
          const int cross_grid =
              cross_query(3, bounds, Norm::l2).exponent(part(found, 1).numbers.at("sigma"));
          const std::uint64_t cross_steps = gaussian_steps(part(found, 1), cross_grid);
          for (const double value : found.values("cross"))
            CHECK(value == gaussian_draw(same, cross_steps, cross_grid));
          if (releases == 3) {
            counted(found, 3, same);
            const int last = default_exponent(part(found, 2).numbers.at("sigma"));
            CHECK(found.number("eigenvalue") ==
                  gaussian_draw(same, gaussian_steps(part(found, 2), last), last));
          }
          check_same_words(rng, same);
        }
}

TEST_CASE("Laplace noise on a matrix and a vector has the scales that add up to its price") {
  for (const char* const norm : {"l2", "l1"})
    for (const double features : {1.0, 0.7})
      for (const double scale : {0.4, 6.0, 900.0}) {
        TestRng rng(4), same(4);
        FitRequest asked = request("covariance-laplace", {{"scale", scale}, {"featureBound", features}});
        asked.texts["norm"] = norm;
        const Release found = fit(asked, no_rows, rng, {});
        const LinearBounds bounds{features, 1, std::string(norm) == "l1" ? Norm::l1 : Norm::l2};
        const Query matrix = gram_query(3, bounds, Norm::l1), vector = cross_query(3, bounds, Norm::l1);
        const auto noise = [&](const Query& query) {
          const double width = scale * std::ldexp(query.radius, query.finest);
          return LaplaceNoise::of(width, query.exponent(width));
        };
        const LaplaceNoise diagonal = noise(matrix), cross = noise(vector);
        // An entry off the diagonal stands in the matrix twice.
        const std::uint64_t other = (diagonal.steps + 1) / 2;
        const double price = matrix.sensitivity(diagonal.exponent) / static_cast<double>(diagonal.steps) +
                             vector.sensitivity(cross.exponent) / static_cast<double>(cross.steps);
        CHECK(found.description.kind == "pure");
        CHECK(found.description.numbers.at("epsilon") >= price);
        CHECK(found.description.numbers.at("epsilon") <= price * (1 + 1e-12));
        // A coarser grid takes up to 2^-18.
        CHECK(price <= (1 + 0x1p-17) * 2 / scale);
        const auto draw = [&](std::uint64_t steps, int exponent) {
          return std::ldexp(static_cast<double>(exact::discrete_laplace(same, steps, 2 * largest_sum)),
                            exponent);
        };
        for (std::size_t i = 0; i < 6; ++i)
          CHECK(found.values("gram")[i] ==
                draw(i == 0 || i == 2 || i == 5 ? diagonal.steps : other, diagonal.exponent));
        for (const double value : found.values("cross")) CHECK(value == draw(cross.steps, cross.exponent));
        check_same_words(rng, same);
      }
}

TEST_CASE("the minimum of no records is released with the priced noise alone") {
  for (const double sigma : {0.03, 1.1, 600.0}) {
    const FitRequest asked[] = {
        {"output-perturbation",
         {{"featureBound", 1}, {"intercept", 1}, {"dimension", 3}, {"lambda", 2}, {"sigma", sigma}},
         {{"loss", "logistic"}}},
        request("output-perturbation-ridge", {{"sigma", sigma}})};
    for (const FitRequest& one : asked) {
      TestRng rng(5), same(5);
      const Release found = fit(one, no_rows, rng, {});
      const int exponent = default_exponent(sigma);
      const bool counts = one.algorithm == "output-perturbation-ridge";
      const std::uint64_t steps = gaussian_steps(counts ? part(found, 0) : found.description, exponent);
      if (counts) counted(found, 1, same);
      REQUIRE(found.coefficients().size() == 3);
      for (const double value : found.coefficients()) CHECK(value == gaussian_draw(same, steps, exponent));
      check_same_words(rng, same);
    }
  }
}

TEST_CASE("descent takes as many noisy steps as are paid for, at the priced rate, width and clipping") {
  const std::vector<double> features = {0.5, -0.8, 1, 3, 4, 1, 0.1, 0, 1, -0.6, 0.2, 1, 0.3, 0.9, 1},
                            labels = {1, -1, 1, 1, -1};
  const Records table{5, 3, features, labels};
  const auto loss = make_loss("logistic", {1, 1});
  for (const double bound : {std::sqrt(2.0), 0.3})
    for (const double rate : {0.3, 1.0})
      for (const auto& [steps, momentum] : {std::pair{1.0, 0.5}, {7.0, 0.0}, {7.0, 0.6}}) {
        TestRng rng(6), same(6);
        const FitRequest asked{"dp-sgd",
                               {{"featureBound", 1},
                                {"intercept", 1},
                                {"dimension", 3},
                                {"gradientBound", bound},
                                {"noiseMultiplier", 0.9},
                                {"steps", steps},
                                {"rate", rate},
                                {"rows", 5},
                                {"learningRate", 2},
                                {"momentum", momentum}},
                               {{"loss", "logistic"}}};
        const Release found = fit(asked, table, rng, {});
        REQUIRE(found.description.parts.size() == 1);
        CHECK(found.description.parts[0].count == steps);
        const Description& sampled = part(found, 0);
        const double priced_rate = sampled.numbers.at("rate");
        const auto share = static_cast<std::uint64_t>(std::ldexp(priced_rate, 32));
        const Description& once = sampled.parts.at(0).mechanism;
        const int exponent = default_exponent(once.numbers.at("sigma"));
        const std::uint64_t width = gaussian_steps(once, exponent);
        const Truncation truncation(std::min(bound, std::sqrt(2.0)), Norm::l2, exponent);
        CHECK(std::ldexp(once.numbers.at("sensitivity"), -exponent) ==
              static_cast<double>(truncation.radius()));
        const BoundedRecords records(table, *loss, {1, 1, bound});
        std::vector<double> theta(3), ahead(3), x(3);
        std::vector<std::int64_t> whole(3);
        for (int step = 0; step < steps; ++step) {
          IntegerSum sum(3);
          for (std::size_t i = 0; i < 5; ++i) {
            if (!exact::coin(same, share, std::uint64_t{1} << 32)) continue;
            const auto record = records.read(i, x);
            const double slope =
                records.at(record, x[0] * ahead[0] + x[1] * ahead[1] + x[2] * ahead[2]).first;
            for (double& one : x) one *= slope;
            CHECK(std::hypot(x[0], x[1], x[2]) <= bound * (1 + 1e-15));
            truncation.apply(x, whole);
            sum.add(whole);
          }
          for (std::size_t j = 0; j < 3; ++j) {
            const auto noise = static_cast<double>(exact::discrete_gaussian(same, width));
            const double gradient = std::ldexp(static_cast<double>(sum.value(j)) + noise, exponent);
            const double before = std::exchange(theta[j], ahead[j] - 2 / (5 * priced_rate) * gradient);
            ahead[j] = theta[j] + momentum * (theta[j] - before);
          }
        }
        // Where products are contracted, a truncated contribution may differ by a step of 2^-30.
        for (std::size_t j = 0; j < 3; ++j)
          CHECK(std::abs(found.coefficients()[j] - theta[j]) <= 0x1p-20 * steps);
        check_same_words(rng, same);
      }
}

TEST_CASE("a sketch of no records is its priced noise and its priced finish") {
  struct Form {
    const char *algorithm, *eigenvalue;
  };
  for (const Form& form : {Form{"gaussian-mixing", "unused"}, Form{"gaussian-mixing", "released"},
                           Form{"linear-mixing", "unused"}, Form{"logistic-mixing", "unused"},
                           Form{"johnson-lindenstrauss", "tested"}})
    for (const double sigma : {0.7, 30.0}) {
      CAPTURE(form.algorithm);
      CAPTURE(form.eigenvalue);
      const std::string use = form.eigenvalue;
      const std::size_t size = 9, width = 3;
      Numbers numbers{{"dimension", 2}, {"sigma", sigma}, {"sketchSize", size}, {"featureBound", 0.8}};
      if (use != "unused") numbers.insert({{"failure", 1e-7}, {"eigenvalueNoise", 3}});
      FitRequest asked = request(form.algorithm, numbers);
      if (use == "released") asked.texts["eigenvalue"] = use;
      TestRng rng(7), same(7);
      const Release found = fit(asked, Records{0, 2, nothing, nothing}, rng, {});
      const Description& mixing = part(found, 0);
      CHECK(mixing.numbers.at("sketchSize") == size);
      // z, of norm^2 at most 0.64 + 1, is hidden by that variance.
      const double variance = (mixing.numbers.at("gamma") - 1) * 1.64;
      const Finish asked_finish(0x1p-22 * sigma, size * width);
      CHECK(part(found, 1).numbers == asked_finish.guarantee().numbers);
      CHECK(variance + asked_finish.sigma() * asked_finish.sigma() >= sigma * sigma * (1 - 1e-12));
      CHECK(variance + asked_finish.sigma() * asked_finish.sigma() <= sigma * sigma * (1 + 1e-12));
      // Where an eigenvalue might have helped, the finish is a share of what is left of the noise: of all.
      const double drawn_variance = use == "unused" ? variance : variance * (1 + 0x1p-40);
      const Finish finish(0x1p-22 * (use == "unused" ? sigma : std::sqrt(drawn_variance)), size * width);
      CHECK(mu(finish.guarantee()) <= mu(part(found, 1)) * (1 + 1e-9));
      counted(found, 2, same);
      if (use == "released") {
        const int exponent = default_exponent(3 * 1.64);
        const double noisy = gaussian_draw(same, gaussian_steps(part(found, 4), exponent), exponent);
        CHECK(found.number("eigenvalue") == noisy);
        // Less than the margin: no eigenvalue is known to help.
        REQUIRE(noisy < 1.64 * 3 * 4);
      }
      if (use == "tested") {
        exact::discrete_laplace(same, LaplaceNoise::of(3 * 1.64).steps, 2 * largest_sum);
        REQUIRE(found.number("passed") == 0);
      }
      CHECK(found.description.parts.size() == (use == "unused" ? 4 : 6));
      if (use != "unused") CHECK(part(found, 5).numbers.at("delta") == 1e-7);
      const auto drawn =
          NormalRows::of(std::vector<double>(6), width, drawn_variance, drawn_variance)->draw(same, size);
      const auto rows = finish.released(same, drawn.values, {drawn.error, 0});
      const auto gram = mean_products(rows, width);
      for (std::size_t i = 0; i < 3; ++i)
        CHECK(std::abs(found.values("gram")[i] - gram[i]) <= 1e-9 * sigma * sigma);
      if (found.holds("sketch"))
        for (std::size_t i = 0; i < rows.size(); ++i)
          CHECK(std::abs(found.values("sketch")[i] - rows[i]) <= 1e-9 * sigma);
      check_same_words(rng, same);
    }
}

TEST_CASE("a posterior sample of no records has the priced spread, and its statistics the priced noise") {
  for (const double sigma : {0.05, 0.4}) {
    const double lambda = 1000;
    TestRng rng(8), same(8);
    const Release found = fit(request("posterior-sampling", {{"sigma", sigma}}), no_rows, rng, {});
    // The leverage of a record is at most 1 / (lambda + 1) of the table that has it.
    const auto& price = part(found, 0).numbers;
    CHECK(price.at("leverage") >= 1 / lambda);
    PosteriorSample sample(3, {1, 1}, 1000, lambda);
    const double residual = sample.largest_residual() * std::sqrt(1 + price.at("leverage"));
    const double priced = residual / price.at("residual");
    CHECK(priced <= sigma);
    CHECK(part(found, 1).numbers == sample.finish(sigma).guarantee().numbers);
    REQUIRE(found.description.parts.size() == 4);
    // Fewer records than are priced: no more regularisation is needed than was asked.
    const double most = counted(found, 2, same);
    REQUIRE(most < 1000);
    CHECK(found.number("lambda") == lambda);
    const Finish finish = PosteriorSample(3, {1, 1}, most, lambda).finish(sigma);
    const auto drawn = NormalRows::of(std::vector<double>(6), 3, lambda, lambda)->draw(same, 1);
    std::vector<double> centre(3);
    for (std::size_t i = 0; i < 3; ++i) centre[i] = priced * drawn.values[i] / lambda;
    const auto values = finish.released(same, centre, {0, 0});
    for (std::size_t i = 0; i < 3; ++i)
      CHECK(std::abs(found.coefficients()[i] - values[i]) <= 1e-9 * sigma / std::sqrt(lambda));
    check_same_words(rng, same);
  }
  for (const double sigma : {0.4, 50.0}) {
    TestRng rng(9), same(9);
    const FitRequest asked = request(
        "adaptive-posterior-sampling",
        {{"sigma", sigma}, {"sampleEpsilon", 1}, {"sampleDelta", 1e-4}, {"failure", 1e-4}, {"lambda", 1000}});
    const Release found = fit(asked, no_rows, rng, {});
    REQUIRE(found.description.parts.size() == 7);
    counted(found, 4, same);
    REQUIRE(found.number("lambda") == 1000);
    // What one record moves the logarithm of the norm by.
    const double units[] = {1, std::log1p(1e-3)};
    for (std::size_t i = 0; i < 2; ++i) {
      const int exponent = default_exponent(sigma);
      const double noise = gaussian_draw(same, gaussian_steps(part(found, i), exponent), exponent);
      CHECK(mu(part(found, i)) >= (1 - 0x1p-17) / sigma);
      // Less than its margin: no eigenvalue is known to help.
      if (i == 0) REQUIRE(noise < 3 * sigma);
      const double value = found.number(i == 0 ? "eigenvalue" : "logNorm");
      CHECK(std::abs(value - noise * units[i]) <= 1e-12 * sigma);
    }
    CHECK(part(found, 2).numbers == Numbers{{"epsilon", 1}, {"delta", 1e-4}});
    CHECK(part(found, 6).numbers == Numbers{{"epsilon", 0}, {"delta", 1e-4}});
  }
}

}  // namespace epsilometer::replay_test
