// What a whitened fit told one person: against exact probabilities in one dimension, where the length of two
// deviates must be bounded and one of them is not enough; what is read off the released coefficients; and
// reports that do not fit their model.
#include "core/report/published/whitened_report.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <random>

#include "core/numerics/normal.h"
#include "core/release/noisy_gram.h"
#include "core/report/holder/known_person.h"
#include "core/report/published/published_report.h"
#include "tests/core/linear_request.h"

namespace epsilometer::whitened_report_test {

namespace {

double above(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

// Logistic losses of rows of one feature, 1; the minimum of their sum with noise sigma and lambda.
struct Line {
  std::vector<double> labels;
  double sigma, lambda;

  // Of the losses alone.
  double gradient(double theta) const {
    double sum = 0;
    for (const double y : labels) sum -= y / (1 + std::exp(y * theta));
    return sum;
  }
  double log_density(double theta) const {
    double slope = lambda * theta, curvature = lambda;
    for (const double y : labels) {
      const double wrong = 1 / (1 + std::exp(y * theta));
      slope -= y * wrong;
      curvature += wrong * (1 - wrong);
    }
    return std::log(curvature / (sigma * std::sqrt(2 * 3.141592653589793))) -
           slope * slope / (2 * sigma * sigma);
  }
  // After normal noise of that deviation, by the trapezoidal rule.
  double log_density(double theta, double finish) const {
    if (finish == 0) return log_density(theta);
    double sum = 0;
    for (int i = -80; i <= 80; ++i) {
      const double z = i / 10.0;
      sum += std::exp(log_density(theta + finish * z) - z * z / 2) / 10;
    }
    return std::log(sum / std::sqrt(2 * 3.141592653589793));
  }
};

struct Asked {
  Line with;
  Direction direction;
  double mu, finish, failure;
  // Whether the gradient is published, with next to no noise.
  bool has_gradient = false;
};

// How often what came out, the matrix and the minimum, told more than is said of it where the matrix is taken
// to have told `before`: integrated over the minimum, in closed form over the matrix.
double exceeds(const Asked& asked, double before) {
  Line without = asked.with;
  without.labels.pop_back();
  const bool is_in = asked.direction == Direction::remove;
  const Line &used = is_in ? asked.with : without, &other = is_in ? without : asked.with;
  ReportedModel model{"logistic", {1, HUGE_VAL}, {1, 0, HUGE_VAL}, 1, 0.25, used.sigma, used.lambda, 0, 0};
  model.finish = asked.finish;
  model.whitened = true;
  const double reach = (static_cast<double>(used.labels.size()) + 9 * used.sigma) / used.lambda;
  const double step = reach / 1500;
  const std::vector<double> x{1};
  double sum = 0, whole = 0;
  for (double theta = -reach; theta <= reach; theta += step) {
    const double here = used.log_density(theta, asked.finish);
    if (here < -60) continue;
    const double loss = here - other.log_density(theta, asked.finish);
    ReportMaterial material;
    if (asked.has_gradient) material.gradient = {{used.gradient(theta)}, GaussianNoise::of(1e-6), 0, 1};
    const Interval told = ReportReader(privacy_report(model, {theta}, material, {asked.failure}))
                              .of(x, asked.with.labels.back(), asked.direction, before)
                              .model.loss;
    // Of the matrix: N(mu^2 / 2, mu^2).
    const double mean = loss + asked.mu * asked.mu / 2;
    whole += step * std::exp(here);
    sum += step * std::exp(here) *
           (above((told.upper() - mean) / asked.mu) + above((mean - told.lower()) / asked.mu));
  }
  CHECK(whole == doctest::Approx(1).epsilon(1e-6));
  return sum;
}

FitRequest whitened(Numbers more = {}, const char* loss = "logistic") {
  more.insert({{"dimension", 2}, {"featureBound", 1}, {"whiten", 0.15}, {"epsilon", 1}, {"delta", 1e-5}});
  return {"approximate-minima-perturbation", more, {{"loss", loss}}};
}

std::string refused(const std::function<void()>& ask) {
  try {
    ask();
  } catch (const Refusal& refusal) {
    return refusal.field;
  }
  return "";
}

// A release of sixty rows, and a report on it.
struct Reported {
  std::vector<double> features, labels;
  std::shared_ptr<const PlannedRequest> run;
  Release release;
  PublishedReport report;

  explicit Reported(const FitRequest& asked, const ReportPromise& promise = {1e-6}) {
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> uniform(-0.7, 0.7);
    for (int i = 0; i < 60; ++i) {
      const double x = uniform(random), z = uniform(random);
      features.insert(features.end(), {x, 0.1 * z});
      labels.push_back(x + uniform(random) > 0 ? 1 : -1);
    }
    run = std::make_shared<const PlannedRequest>(asked);
    TestRng rng(11);
    release = run->algorithm->fit(records(), rng, {});
    report = {run, 1, release.coefficients(), {}, {}, {}, {}, promise, true, released_whitening(release)};
  }

  Records records() const { return {labels.size(), 2, features, labels}; }
  PersonalBound of(std::size_t i, Direction direction = Direction::remove) const {
    return *told(report, records().row(i), labels[i], direction).realised;
  }
};

}  // namespace

TEST_CASE("what a whitened fit told of a row is bounded as often as is said, by exact probabilities") {
  bool is_sharp = false;
  for (const Direction direction : {Direction::remove, Direction::add})
    for (const double sigma : {0.7, 3.0})
      for (const double mu : {0.2, 1.0})
        for (const double failure : {0.3, 0.02, 1e-5}) {
          CAPTURE(sigma);
          CAPTURE(mu);
          CAPTURE(failure);
          const Asked asked{{{1, 1, -1, 1, -1}, sigma, 1}, direction, mu, 0, failure};
          const double often = exceeds(asked, mu);
          CHECK(often <= failure);
          is_sharp = is_sharp || often > failure / 8;
          // As if the matrix told nothing, or had twice the noise.
          if (mu == 1 && sigma == 3) {
            CHECK(exceeds(asked, 0) > failure);
            CHECK(exceeds(asked, mu / 2) > failure);
          }
        }
  CHECK(is_sharp);
}

TEST_CASE("where the gradient is known, what the matrix told is bounded as often as is said") {
  for (const Direction direction : {Direction::remove, Direction::add})
    for (const double mu : {0.2, 1.0})
      for (const double failure : {0.3, 0.02}) {
        CAPTURE(mu);
        CAPTURE(failure);
        const Asked asked{{{1, 1, -1, 1, -1}, 3, 1}, direction, mu, 0, failure, true};
        CHECK(exceeds(asked, mu) <= failure);
        // As if the matrix told nothing, or had four times the noise.
        CHECK(exceeds(asked, 0) > failure);
        if (mu == 1) CHECK(exceeds(asked, mu / 4) > failure);
      }
}

TEST_CASE("what a hidden minimum and its matrix told is bounded by exact probabilities") {
  for (const Direction direction : {Direction::remove, Direction::add})
    for (const double finish : {0.01, 0.4})
      for (const double failure : {0.3, 0.01}) {
        const Asked asked{{{1, -1, -1}, 1.5, 1}, direction, 0.6, finish, failure};
        CHECK(exceeds(asked, asked.mu) <= failure);
      }
}

TEST_CASE("a multiple of one deviate, chosen after both were drawn, needs the length of both") {
  ReportedModel model{"logistic", {1, HUGE_VAL}, {1, 0, HUGE_VAL}, 1, 0.25, 1, 1, 0, 0};
  const auto plain = privacy_report(model, {0}, {}, {0.05});
  model.whitened = true;
  const auto both = privacy_report(model, {0}, {}, {0.05});
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  int longer = 0, longer_than_one = 0;
  constexpr int runs = 200'000;
  for (int run = 0; run < runs; ++run) {
    const double a = normal(random), b = normal(random), times = b / a;
    // The combination that the chosen multiple makes, over its own deviation: |(a, b)|.
    const double made = std::abs(a + times * b) / std::hypot(1, times);
    longer += made > both.noise;
    longer_than_one += made > plain.noise;
  }
  // Six standard deviations of a count.
  CHECK(longer <= runs * 0.05 + 6 * std::sqrt(runs * 0.05));
  CHECK(longer >= runs * 0.05 - 6 * std::sqrt(runs * 0.05));
  CHECK(longer_than_one > runs * 0.1);
}

TEST_CASE("the coefficients for whitened rows are read off the released ones within what is said") {
  std::mt19937_64 random(9);
  std::normal_distribution<double> normal;
  for (const std::size_t d : {1, 2, 7, 40})
    for (const double smallest : {1.0, 1e-3, 1e-6}) {
      std::vector<double> matrix(d * (d + 1) / 2);
      for (int row = 0; row < 500; ++row) {
        std::vector<double> x(d);
        for (std::size_t j = 0; j < d; ++j)
          x[j] = std::pow(smallest, static_cast<double>(j) / static_cast<double>(d)) * normal(random);
        for (std::size_t i = 0, place = 0; i < d; ++i)
          for (std::size_t j = 0; j <= i; ++j, ++place) matrix[place] += x[i] * x[j];
      }
      const Whitening whitening(matrix, d, 1e-4, 500, {});
      std::vector<double> theta(d);
      for (double& one : theta) one = 100 * normal(random);
      // As a fit comes to what it releases, and a report goes back.
      std::vector<double> divided = theta;
      for (double& one : divided) one /= whitening.bound();
      std::vector<double> released = whitening.coefficients(divided);
      for (double& one : released) one /= 1.7;
      for (double& one : released) one *= 1.7 * whitening.bound();
      const auto [found, error] = whitening.origin(released);
      double away = 0, length = 0;
      for (std::size_t j = 0; j < d; ++j) {
        away = std::hypot(away, found[j] - theta[j]);
        length = std::hypot(length, theta[j]);
      }
      CHECK(away <= error);
      CHECK(error < 1e-6 * length);
    }
}

TEST_CASE("a report on a whitened fit bounds what came out for members, others and all of a table") {
  for (const char* loss : {"logistic", "squared"})
    for (const double intercept : {0.0, 0.5}) {
      Numbers numbers{{"intercept", intercept}};
      if (std::string(loss) == "squared") numbers["labelBound"] = 1;
      const FitRequest asked = whitened(numbers, loss);
      const Reported one(asked), all(asked, {1e-6, {Audience::Kind::fixed, 10'000}});
      for (std::size_t i = 0; i < 5; ++i)
        for (const Direction direction : {Direction::remove, Direction::add}) {
          const PersonalBound told = one.of(i, direction), of_all = all.of(i, direction);
          CHECK(told.failure == 1e-6);
          CHECK(told.size() > 0);
          CHECK(told.size() < 10);
          CHECK(told.model.before > 0);
          CHECK(told.material == 0);
          CHECK(told.model.leverage + told.model.misfit + told.model.before ==
                doctest::Approx(told.size()).epsilon(1e-12));
          CHECK(of_all.size() > told.size() * 1.05);
          // Whoever may see the table is told the same.
          const Records table = one.records();
          if (direction == Direction::add) continue;
          const auto known = known_person(*one.run, one.release, Pieces(&table, 1), table.part(i, 1),
                                          direction, 1e-6, 1, {});
          CHECK(known.realised->size() == told.size());
        }
      // Zeros, and what counts as zeros, are in the count of the rows.
      const std::vector<double> nothing{std::nan(""), 0};
      const auto told_nothing = told(one.report, nothing, 1, Direction::remove).realised;
      CHECK(told_nothing->size() < one.of(0).size());
      if (intercept == 0) CHECK(told_nothing->model.before > 0);
    }
}

TEST_CASE("a whitened report that does not fit its plan is refused by name") {
  const Reported sound(whitened());
  const auto field = [&](const std::function<void(PublishedReport&)>& change) {
    PublishedReport report = sound.report;
    change(report);
    return refused([&] { told(report, sound.records().row(0), 1, Direction::remove); });
  };
  CHECK(field([](PublishedReport&) {}).empty());
  CHECK(field([](PublishedReport& one) { one.whitening->gram.pop_back(); }) == "whitening.gram");
  CHECK(field([](PublishedReport& one) { one.whitening->gram[0] = std::nan(""); }) == "whitening.gram");
  CHECK(field([](PublishedReport& one) { one.whitening->rows = 0.5; }) == "whitening.rows");
  CHECK(field([](PublishedReport& one) { one.whitening->sigma *= 0.8; }) == "whitening.sigma");
  CHECK(field([](PublishedReport& one) { one.whitening->lambda *= 2; }) == "whitening.lambda");
  CHECK(field([](PublishedReport& one) { one.whitening->gram_sigma *= 1.25; }) == "whitening.gramSigma");
  CHECK(field([](PublishedReport& one) { one.noise.gradient = 1; }) == "gradient");
  CHECK(field([](PublishedReport& one) { one.promise.audience.kind = Audience::Kind::all; }) == "audience");
  // A report of an earlier version, which did not hold the matrix, tells what it told.
  PublishedReport without = sound.report;
  without.whitening.reset();
  CHECK_FALSE(told(without, sound.records().row(0), 1, Direction::remove).realised);
  CHECK(refused([&] { price_of(without); }).empty());
  // Beside it nothing can be published: nobody knows the whitened rows.
  without.noise.hessian = 1;
  CHECK(refused([&] { price_of(without); }) == "whitening");
  // Rows as they are have no matrix.
  PublishedReport plain = sound.report;
  plain.run = std::make_shared<const PlannedRequest>(whitened({{"whiten", 0}}));
  CHECK(refused([&] { price_of(plain); }) == "whitening");
  CHECK(refused([&] { told(plain, sound.records().row(0), 1, Direction::remove); }) == "whitening");
  ReportedModel model{"logistic", {1, HUGE_VAL}, {1, 0, HUGE_VAL}, 1, 0.25, 1, 1, 0, 1e-3, true};
  ReportMaterial material;
  material.gradient = {{0}, GaussianNoise::of(1), 0, 1};
  CHECK(refused([&] { privacy_report(model, {0}, material, {0.1}); }) == "hessian");
}

}  // namespace epsilometer::whitened_report_test
