// Private fits of generalised linear models: what a request costs, and that the same request gives the same
// answer.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <tuple>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/model/minimise.h"
#include "core/noise/exact_sampler.h"
#include "core/noise/finish.h"
#include "core/release/release.h"

namespace epsilometer::model_fit_test {

namespace {

using Numbers = std::map<std::string, double>;
using Texts = std::map<std::string, std::string>;

FitRequest logistic(const std::string& algorithm, Numbers numbers, Texts texts = {}) {
  numbers.merge(Numbers{{"featureBound", 1}, {"intercept", 1}, {"dimension", 4}});
  texts.merge(Texts{{"loss", "logistic"}});
  return {algorithm, numbers, texts};
}

FitRequest descent(Numbers numbers, Texts texts = {}) {
  numbers.merge(Numbers{{"steps", 200}, {"rate", 0.05}, {"rows", 400}, {"learningRate", 1}});
  return logistic("dp-sgd", numbers, texts);
}

double price(const Plan& release, double delta) {
  return epsilon(*privacy_loss(release.description), delta).upper;
}

// Exactly, where a price that is looked for ends within an ulp or two of where it is.
bool keeps(const Plan& release, double epsilon, double delta) {
  return epsilometer::delta(*privacy_loss(release.description), epsilon).upper <= delta;
}

struct Sample {
  std::vector<double> features, labels;
  Records records() const { return {labels.size(), 4, features, labels}; }
};

Sample sample(std::size_t count) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  Sample made;
  for (std::size_t i = 0; i < count; ++i) {
    const double a = uniform(random), b = uniform(random), c = uniform(random);
    made.features.insert(made.features.end(), {a, b, c, 1});
    made.labels.push_back(a - b > 0.1 * uniform(random) ? 1 : -1);
  }
  return made;
}

// The field of the refusal, or nothing.
std::string refused(const FitRequest& request) {
  try {
    plan(request);
  } catch (const Refusal& refusal) {
    return refusal.field;
  }
  return "";
}

const char* const amp = "approximate-minima-perturbation";

}  // namespace

TEST_CASE("what is calibrated costs the budget, from below and within a millionth") {
  for (const double epsilon : {0.025, 0.1, 1.0, 8.0})
    for (const double delta : {1e-5, 1e-9}) {
      CAPTURE(epsilon);
      CAPTURE(delta);
      for (const auto& more : std::vector<Numbers>{{},
                                                   {{"lambda", 50}},
                                                   {{"sigma", 500}},
                                                   {{"noiseRatio", 1.3}},
                                                   {{"predictorScale", 3}},
                                                   {{"gradientBound", 0.2}}}) {
        Numbers numbers{{"epsilon", epsilon}, {"delta", delta}};
        numbers.insert(more.begin(), more.end());
        const Plan release = plan(logistic(amp, numbers));
        CHECK(keeps(release, epsilon, delta));
        // With enough noise for any lambda, the search ends where the finishing noise would blur the model.
        if (!more.contains("sigma")) CHECK(price(release, delta) >= epsilon - 1e-6);
      }
      const Plan output =
          plan(logistic("output-perturbation", {{"epsilon", epsilon}, {"delta", delta}, {"lambda", 3}}));
      CHECK(keeps(output, epsilon, delta));
      CHECK(price(output, delta) >= epsilon - 1e-6);
    }
}

TEST_CASE("descent keeps its budget, however tiny, and uses it up to a millionth") {
  for (const auto& [epsilon, delta] :
       {std::pair{1e-4, 1e-11}, {0.025, 1e-5}, {0.06, 1e-8}, {0.3, 1e-6}, {4.0, 1e-6}}) {
    const Plan release = plan(descent({{"epsilon", epsilon}, {"delta", delta}}));
    const double cost = Profile(*privacy_loss(release.description), 1e-7).epsilon(delta).upper;
    CHECK(cost <= epsilon);
    CHECK(cost >= epsilon * (1 - 1e-6));
    const Plan paper = plan(descent({{"epsilon", epsilon}, {"delta", delta}}, {{"accounting", "paper"}}));
    CHECK(paper.parameters.at("noiseMultiplier") >= release.parameters.at("noiseMultiplier"));
  }
}

TEST_CASE("the thesis' recipe comes out as its authors' exact accounting says") {
  // Smallest lambda at sigma = 1.3 sigma_G, L = sqrt(2), beta = 1/2, delta = 1e-5, of the exact supremum; the
  // derivative of one sign needs a little less, the finish a little more.
  for (const auto& [epsilon, sigma, lambda] :
       {std::tuple{0.1, 56.532, 10.61}, {1.0, 6.8587, 1.005}, {8.0, 1.1035, 0.03087}}) {
    const Plan release = plan(logistic(amp, {{"epsilon", epsilon}, {"delta", 1e-5}, {"noiseRatio", 1.3}}));
    CHECK(release.parameters.at("sigma") == doctest::Approx(sigma).epsilon(1e-4));
    CHECK(release.parameters.at("lambda") == doctest::Approx(lambda).epsilon(4e-3));
    CHECK(release.parameters.at("lipschitz") == doctest::Approx(std::sqrt(2)).epsilon(1e-12));
    CHECK(release.parameters.at("smoothness") == doctest::Approx(0.5).epsilon(1e-12));
  }
}

// What the default claims: the greatest of h (sigma^2 + lambda^2 tau^2) / (2 (h + lambda)^2) over h.
double worst_risk(double sigma, double lambda, double tau) {
  double worst = 0;
  for (double h = 1e-6; h < 1e9; h *= 1.01)
    worst =
        std::max(worst, h * (sigma * sigma + lambda * lambda * tau * tau) / (2 * std::pow(h + lambda, 2)));
  return worst;
}

TEST_CASE("without a word, lambda is the best against the worst curvature, on the curve of the budget") {
  for (const double epsilon : {0.025, 0.1, 1.0, 8.0, 50.0})
    for (const double scale : {0.3, 1.0, 4.0}) {
      CAPTURE(epsilon);
      CAPTURE(scale);
      const Numbers budget{{"epsilon", epsilon}, {"delta", 1e-5}};
      Numbers numbers = budget;
      numbers["predictorScale"] = scale;
      const Plan release = plan(logistic(amp, numbers));
      const double sigma = release.parameters.at("sigma"), lambda = release.parameters.at("lambda");
      const double tau = scale / std::sqrt(2);
      CHECK(lambda == doctest::Approx(sigma / tau).epsilon(1e-9));
      CHECK(worst_risk(sigma, lambda, tau) == doctest::Approx(sigma * tau / 4).epsilon(1e-3));
      for (const double factor : {0.5, 0.8, 1.25, 2.0})
        CHECK(worst_risk(sigma, factor * lambda, tau) > 1.01 * worst_risk(sigma, lambda, tau));
      // Typed, the same lambda needs the same noise.
      Numbers typed = budget;
      typed["lambda"] = lambda;
      CHECK(plan(logistic(amp, typed)).parameters.at("sigma") == doctest::Approx(sigma).epsilon(1e-6));
    }
  // Half-ranges are 1 but for counts, which are e to their predictions.
  for (const auto& [loss, bound, scale] : {std::tuple("logistic", 1.0, 3.0),
                                           {"squared", 1.0, 1.0},
                                           {"squared", 50.0, 1.0},
                                           {"huber", 1.0, 1.0},
                                           {"poisson", 1.0, std::log(2.0)},
                                           {"poisson", 2.0, std::log(2.0)},
                                           {"poisson", 2.5, std::log(2.5)},
                                           {"poisson", 1e6, std::log(1e6)}})
    for (const char* name : {amp, "dp-sgd"}) {
      Numbers numbers{{"epsilon", 1}, {"delta", 1e-5}, {"labelBound", bound}, {"gradientBound", 1}};
      if (std::string("huber") == loss) numbers["threshold"] = 1;
      if (std::string("dp-sgd") == name) numbers["rows"] = 1000;
      const auto left_out = plan(logistic(name, numbers, {{"loss", loss}})).parameters;
      numbers["predictorScale"] = scale;
      CHECK(plan(logistic(name, numbers, {{"loss", loss}})).parameters == left_out);
    }
}

TEST_CASE(
    "without a word, gradients are clipped where a prediction is off by a quarter of the labels' range") {
  // sqrt(0.6^2 + 0.8^2) times 2 * 3 / 4, or 3 / 4 where labels begin at 0.
  for (const auto& [loss, bound] :
       {std::pair{"squared", 1.5}, {"poisson", 0.75}, {"logistic", 0.0}, {"huber", 0.0}})
    for (const char* const name : {amp, "output-perturbation", "dp-sgd"}) {
      CAPTURE(name);
      Numbers numbers{{"featureBound", 0.6}, {"intercept", 0.8}, {"dimension", 4}, {"labelBound", 3},
                      {"threshold", 0.2},    {"epsilon", 1},     {"delta", 1e-5}};
      if (name == std::string("dp-sgd")) numbers["rows"] = 100;
      if (name == std::string("output-perturbation")) numbers["lambda"] = 1;
      const Plan found = plan({name, numbers, {{"loss", loss}}});
      const auto& told = found.parameters;
      const double lipschitz = bound > 0 ? bound : loss == std::string("huber") ? 0.2 : 1;
      CHECK(told.at(name == std::string("dp-sgd") ? "gradientBound" : "lipschitz") ==
            doctest::Approx(lipschitz).epsilon(1e-12));
      if (bound == 0) {
        CHECK(told.contains("gradientBound") == (name == std::string("dp-sgd")));
        continue;
      }
      // What is told can be typed, and is what is priced.
      numbers["gradientBound"] = told.at("gradientBound");
      const Plan typed = plan({name, numbers, {{"loss", loss}}});
      CHECK(typed.parameters == told);
      CHECK(keeps(typed, 1, 1e-5));
      CHECK(price(typed, 1e-5) == price(found, 1e-5));
      numbers["gradientBound"] *= 2;
      const Plan doubled = plan({name, numbers, {{"loss", loss}}});
      CHECK(doubled.parameters != told);
      CHECK(keeps(doubled, 1, 1e-5));
    }
}

// Of a deviation in a direction of curvature z / a, by momentum's own recursion: what is left of it after all
// steps, and the sum of the squares of what is left of kicks of 1, one at each step.
struct Left {
  double way, kicks;
};
Left left_after(double steps, double momentum, double z) {
  Left left{0, 0};
  const auto walk = [&](double theta, double last) {
    double squares = 0;
    for (int t = 0; t < steps; ++t) {
      squares += theta * theta;
      const double ahead = theta + momentum * (theta - last);
      last = theta;
      theta = ahead - z * ahead;
    }
    return std::pair(theta, squares);
  };
  left.way = walk(1, 1).first;
  left.kicks = walk(1, 0).second;
  return left;
}

// The same risk for noisy steps, in units of tau L / mu.
double worst_descent(double steps, double momentum, double rho) {
  double worst = 0;
  for (double z = 1; z > 1e-3 * rho; z /= 1.1) {
    const Left left = left_after(steps, momentum, z);
    worst = std::max(worst, z * (left.way * left.way + steps * rho * rho * left.kicks) / (2 * rho));
  }
  return worst;
}

TEST_CASE("without a word, descent takes the steps that are best against the worst curvature") {
  const double tau = 3 / std::sqrt(2), lipschitz = std::sqrt(2);
  for (const auto& [epsilon, rows] :
       {std::pair{0.1, 1e3}, {0.1, 3e4}, {1.0, 2e3}, {8.0, 3e4}, {100.0, 1e3}}) {
    const Numbers numbers{{"epsilon", epsilon}, {"delta", 1e-5}, {"rows", rows}};
    const auto told = plan(logistic("dp-sgd", numbers)).parameters;
    // Curvatures are at most |x|^2 / 4 = 1/2. At rate 1 the price is that of a Gaussian release.
    CHECK(told.at("learningRate") == doctest::Approx(2).epsilon(1e-12));
    CHECK(told.at("rate") == 1);
    const double steps = told.at("steps"), mu = std::sqrt(steps) / told.at("noiseMultiplier"),
                 rho = lipschitz * 2 / rows / (mu * tau);
    CHECK(steps == std::ceil(2 / std::sqrt(rho) * (1 - 1e-6)));
    const double momentum = told.at("momentum"), worst = worst_descent(steps, momentum, rho);
    CHECK(worst < 0.262);
    for (const double factor : {0.4, 0.6, 1.6, 2.5}) {
      CHECK(worst_descent(std::ceil(factor * steps), momentum, rho) > 1.01 * worst);
      const double other = 1 - factor * (1 - momentum);
      if (factor < 0.5 || factor > 2) CHECK(worst_descent(steps, std::max(0.0, other), rho) > worst);
    }
    // Told back, with the noise or with the budget, it is the same.
    for (const bool budget : {false, true}) {
      Numbers typed = budget ? numbers : Numbers{{"rows", rows}};
      for (const char* const name : {"steps", "rate", "learningRate", "momentum", "gradientBound"})
        typed[name] = told.at(name);
      if (!budget) typed["noiseMultiplier"] = told.at("noiseMultiplier");
      CHECK(plan(logistic("dp-sgd", typed)).parameters == told);
    }
    // The noise alone leads to the same steps, to the next whole one.
    const Numbers noise{{"rows", rows}, {"noiseMultiplier", told.at("noiseMultiplier")}};
    CHECK(std::abs(plan(logistic("dp-sgd", noise)).parameters.at("steps") - steps) <= 1);
  }
}

TEST_CASE(
    "with any budget descent is as near to the optimum as its noise and its steps allow, and ever nearer") {
  // Records along the axes: the optimum is the mean label of each, and the curvature their number. No
  // derivative comes near the bound of gradients, 1/2.
  const std::array counts{200, 60, 20};
  const std::array best{0.15, -0.1, 0.2};
  Sample table;
  for (std::size_t j = 0; j < 3; ++j)
    for (int i = 0; i < counts[j]; ++i) {
      for (std::size_t k = 0; k < 3; ++k) table.features.push_back(k == j ? 1 : 0);
      table.labels.push_back(best[j] + (i % 2 == 0 ? 0.05 : -0.05));
    }
  const Records records{table.labels.size(), 3, table.features, table.labels};
  const double rows = 300;
  for (const double epsilon : {1.0, 1e2, 1e4, 1e6}) {
    CAPTURE(epsilon);
    TestRng rng(12);
    const FitRequest asked{"dp-sgd",
                           {{"featureBound", 1},
                            {"labelBound", 1},
                            {"dimension", 3},
                            {"rows", rows},
                            {"epsilon", epsilon},
                            {"delta", 1e-5}},
                           {{"loss", "squared"}}};
    const Release found = fit(asked, records, rng, {});
    const auto& told = found.parameters;
    REQUIRE(told.at("gradientBound") == doctest::Approx(0.5).epsilon(1e-12));
    REQUIRE(told.at("learningRate") == doctest::Approx(1).epsilon(1e-12));
    for (std::size_t j = 0; j < 3; ++j) {
      const Left left = left_after(told.at("steps"), told.at("momentum"), counts[j] / rows);
      // Six standard deviations: 2e-9 each. The grid's truncation is 2^-30 of the noise for each record.
      const double distance = std::abs(best[j] * left.way) +
                              6.01 * told.at("noiseMultiplier") * 0.5 / rows * std::sqrt(left.kicks);
      CHECK(std::abs(found.coefficients()[j] - best[j]) <= distance);
      // The worst risk, 0.26 tau L / mu, is h / 2 times squared way and variance, which a way and six
      // standard deviations exceed 37 times at most: as far as 1 at epsilon = 1, and 0.02 at 1e6.
      const double mu = std::sqrt(told.at("steps")) / told.at("noiseMultiplier");
      CHECK(distance <= std::sqrt(37 * 2 * 0.262 * 0.5 / (mu * counts[j])));
    }
  }
}

TEST_CASE("what is not typed is the same for every table") {
  std::array tables{sample(3), sample(300), sample(300)};
  for (double& one : tables[2].features) one *= -7;
  for (const auto& [name, more] : std::vector<std::pair<const char*, Numbers>>{
           {amp, {}}, {"output-perturbation", {{"lambda", 2}}}, {"dp-sgd", {{"rows", 50}}}})
    for (const char* const loss : {"logistic", "squared", "poisson"}) {
      Numbers numbers{{"epsilon", 2}, {"delta", 1e-6}, {"labelBound", 1}};
      numbers.insert(more.begin(), more.end());
      const FitRequest asked = logistic(name, numbers, {{"loss", loss}});
      const Plan planned = plan(asked);
      for (const Sample& table : tables) {
        TestRng rng(2);
        const Release found = fit(asked, table.records(), rng, {});
        CHECK(found.parameters == planned.parameters);
        CHECK(price(found, 1e-6) == price(planned, 1e-6));
      }
      CHECK(keeps(planned, 2, 1e-6));
      CHECK(price(planned, 1e-6) >= 2 * (1 - 1e-6));
    }
}

TEST_CASE("the finishing noise never blurs the model, whatever the budget and the rows") {
  for (const double epsilon : {1.0, 50.0, 1e4})
    for (const double rows : {1e3, 1e6, 4e9})
      for (const auto& more : std::vector<Numbers>{{}, {{"noiseRatio", 1.3}}, {{"noiseRatio", 1e3}}}) {
        CAPTURE(epsilon);
        CAPTURE(rows);
        Numbers numbers{{"epsilon", epsilon}, {"delta", 1e-5}, {"rows", rows}};
        numbers.insert(more.begin(), more.end());
        const Plan release = plan(logistic(amp, numbers));
        // An eighth of the coefficients guessed.
        CHECK(release.parameters.at("outputSigma") <= 0.1251 * 3 / std::sqrt(2));
        CHECK(keeps(release, epsilon, 1e-5));
      }
}

TEST_CASE("typed noise is priced as typed, and the finish costs next to nothing") {
  const Plan release = plan(logistic(amp, {{"sigma", 7}, {"lambda", 2}}));
  CHECK(release.parameters.at("sigma") == 7);
  CHECK(release.parameters.at("lambda") == 2);
  const Description exact{"objective-perturbation",
                          {{"sigma", 7}, {"lambda", 2}, {"lipschitz", std::sqrt(2)}, {"smoothness", 0.5}},
                          {},
                          {{"derivative", "one-signed"}},
                          {}};
  const double alone = epsilon(*privacy_loss(exact), 1e-5).upper;
  CHECK(price(release, 1e-5) > alone);
  CHECK(price(release, 1e-5) < alone + 2e-4);
}

TEST_CASE("our calibration never needs more noise than the printed one") {
  for (const double epsilon : {0.05, 0.5, 1.0, 3.0}) {
    const Plan paper =
        plan(logistic(amp, {{"epsilon", epsilon}, {"delta", 1e-6}}, {{"accounting", "paper"}}));
    const double lambda = paper.parameters.at("lambda");
    const Plan tight = plan(logistic(amp, {{"epsilon", epsilon}, {"delta", 1e-6}, {"lambda", lambda}}));
    CHECK(tight.parameters.at("sigma") < 0.6 * paper.parameters.at("sigma"));
    CHECK(price(paper, 1e-6) <= epsilon);
    if (epsilon <= 1) {
      const Numbers numbers{{"epsilon", epsilon}, {"delta", 1e-6}, {"lambda", 1}};
      const double ours = plan(logistic("output-perturbation", numbers)).parameters.at("sigma");
      const Plan theirs = plan(logistic("output-perturbation", numbers, {{"accounting", "paper"}}));
      CHECK(ours < theirs.parameters.at("sigma"));
      CHECK(price(theirs, 1e-6) <= epsilon);
    }
  }
  const Plan composed = plan(descent({{"epsilon", 1}, {"delta", 1e-6}}));
  const double ours = composed.parameters.at("noiseMultiplier");
  const double theirs = plan(descent({{"epsilon", 1}, {"delta", 1e-6}}, {{"accounting", "paper"}}))
                            .parameters.at("noiseMultiplier");
  CHECK(ours < theirs);
  // A thousandth less noise would not be enough: its price is known to a ten-thousandth.
  const Plan less =
      plan(descent({{"noiseMultiplier", 0.999 * ours}, {"steps", composed.parameters.at("steps")}}));
  CHECK(epsilon(*privacy_loss(less.description), 1e-6).lower > 1);
}

TEST_CASE("the printed noise of objective perturbation is Kifer's, less what the finish costs") {
  // lambda >= 2 beta / epsilon, sigma = (L / epsilon) sqrt(8 log(2 / delta) + 4 epsilon).
  const Plan release = plan(logistic(amp, {{"epsilon", 1}, {"delta", 1e-5}}, {{"accounting", "paper"}}));
  CHECK(release.parameters.at("sigma") >= 14.2579);
  CHECK(release.parameters.at("sigma") <= 14.2579 * (1 + 3e-4));
  // The finish takes ten standard deviations of mu = 2^-16.
  CHECK(release.parameters.at("lambda") >= 1 / (1 - 10 * 0x1p-16));
  CHECK(release.parameters.at("lambda") <= 1 / (1 - 10 * 0x1p-16) * (1 + 2e-6));
}

TEST_CASE("only where no derivative of a record changes its sign is half of its range priced") {
  // Of the losses only the logistic one pulls each record one way; the others pull towards the label.
  for (const std::string name : {"logistic", "squared", "huber", "poisson"}) {
    CAPTURE(name);
    FitRequest request =
        logistic(amp, {{"epsilon", 1}, {"delta", 1e-5}, {"labelBound", 2}}, {{"loss", name}});
    if (name == "huber") request.numbers["threshold"] = 1;
    const Description description = plan(request).description;
    CHECK((description.texts.count("derivative") > 0) == (name == "logistic"));
  }
}

TEST_CASE("replacing a record costs twice what adding one does") {
  const Numbers numbers{{"epsilon", 1}, {"delta", 1e-6}, {"lambda", 1}};
  const Plan add = plan(logistic("output-perturbation", numbers));
  const Plan replace = plan(logistic("output-perturbation", numbers, {{"neighbours", "replace"}}));
  CHECK(replace.parameters.at("sigma") == doctest::Approx(2 * add.parameters.at("sigma")).epsilon(1e-7));
}

TEST_CASE("a fit is what was planned, repeats with its seed, and approaches the model without noise") {
  const Sample table = sample(397);
  for (const FitRequest& request :
       {logistic(amp, {{"sigma", 1e-3}, {"lambda", 0.1}}),
        logistic("output-perturbation", {{"sigma", 1e-3}, {"lambda", 0.1}}),
        descent({{"noiseMultiplier", 0.01}, {"rate", 1}, {"steps", 400}, {"learningRate", 8}})}) {
    CAPTURE(request.algorithm);
    TestRng one(1), same(1), other(2);
    const Release first = fit(request, table.records(), one, {});
    CHECK(first.description.numbers == plan(request).description.numbers);
    CHECK(first.parameters == plan(request).parameters);
    CHECK(first.coefficients() == fit(request, table.records(), same, {}).coefficients());
    CHECK(first.coefficients() != fit(request, table.records(), other, {}).coefficients());
    REQUIRE(first.coefficients().size() == 4);
    CHECK(first.coefficients()[0] > 3);
    CHECK(first.coefficients()[1] < -3);
    CHECK(std::abs(first.coefficients()[2]) < 2);
    // Nothing of the table is among the public parameters.
    for (const auto& [name, value] : first.parameters) CHECK(value != 397);
  }
}

TEST_CASE("an empty table is fitted as any other") {
  for (const FitRequest& request :
       {logistic(amp, {{"sigma", 2}, {"lambda", 1}}),
        logistic("output-perturbation", {{"sigma", 2}, {"lambda", 1}}), descent({{"noiseMultiplier", 2}})}) {
    TestRng rng(3);
    const Release release = fit(request, Sample{}.records(), rng, {});
    for (const double value : release.coefficients()) CHECK(std::isfinite(value));
  }
}

TEST_CASE("rows are a guess: neither the plan nor the table is held to it") {
  const Sample table = sample(4000);
  for (const char* const name : {amp, "output-perturbation"}) {
    const FitRequest request = logistic(name, {{"sigma", 1e-6}, {"lambda", 0.1}});
    TestRng rng(4), same(4);
    FitRequest guessed = request;
    guessed.numbers["rows"] = 1;
    CHECK(fit(request, table.records(), rng, {}).coefficients() ==
          fit(guessed, table.records(), same, {}).coefficients());
  }
}

TEST_CASE("less regularisation than doubles can work with is raised, by public numbers alone") {
  const Texts texts{{"loss", "poisson"}};
  const Numbers numbers{
      {"featureBound", 1}, {"labelBound", 1000}, {"gradientBound", 1}, {"dimension", 1}, {"sigma", 5}};
  for (const char* const name : {amp, "output-perturbation"})
    for (const double lambda : {1e-12, 1e-4, 0.0152, 0.0154, 3.0}) {
      Numbers asked = numbers;
      asked["lambda"] = lambda;
      // 2^-16 (1000 + 1).
      const double used = plan({name, asked, texts}).parameters.at("lambda");
      CHECK(used ==
            (lambda < 0.0153 ? doctest::Approx(1001 * 0x1p-16).epsilon(1e-12) : doctest::Approx(lambda)));
    }
}

TEST_CASE("no table is refused, whatever its records are, nor its neighbour") {
  // One that is told the tables apart, at any price. Labels far beyond the bound of gradients, features that
  // cancel, tiny ones, not finite ones, one row over and over, hardly any regularisation, and a linear term
  // that throws the minimum far away.
  std::mt19937_64 random(20261128);
  const auto between = [&](double low, double high) {
    return std::exp(std::uniform_real_distribution(std::log(low), std::log(high))(random));
  };
  for (int i = 0; i < 600; ++i) {
    const char* const loss = std::array{"logistic", "squared", "huber", "poisson"}[random() % 4];
    const std::size_t dimension = 1 + random() % 4, count = std::array{0, 1, 2, 10, 100}[random() % 5];
    const double features = between(1e-2, 1e2), labels = between(1e-3, 1e4);
    Numbers numbers{{"featureBound", features},        {"labelBound", labels},
                    {"threshold", between(1e-3, 1e2)}, {"gradientBound", between(1e-3, 1e2)},
                    {"dimension", dimension},          {"rows", 1}};
    const Texts texts{{"loss", loss}};
    numbers["lambda"] = std::max(1e-12, features * features * between(1e-8, 10));
    numbers["sigma"] = between(1e-3, 1e3);
    const double nan = std::nan("");
    const bool wild = i % 5 == 0, alike = i % 7 == 0;
    Sample table;
    for (std::size_t row = 0; row < count + 1; ++row) {
      for (std::size_t j = 0; j < dimension; ++j) {
        const std::array choices{features, -features * (1 - 1e-9), features * between(1e-9, 1),
                                 wild ? nan : 0, wild ? HUGE_VAL : -features};
        table.features.push_back(alike ? features : choices[random() % choices.size()]);
      }
      table.labels.push_back(random() % 2 ? labels : wild ? -HUGE_VAL : -labels * between(1e-6, 1));
    }
    CAPTURE(loss);
    CAPTURE(count);
    CAPTURE(i);
    for (const std::size_t rows : {count, count + 1})
      for (const char* const name : {amp, "output-perturbation"}) {
        TestRng rng(static_cast<std::uint64_t>(i));
        const std::span whole(table.features);
        const Records records{rows, dimension, whole.first(rows * dimension),
                              std::span(table.labels).first(rows)};
        CHECK_NOTHROW(fit({name, numbers, texts}, records, rng, {}));
      }
  }
}

TEST_CASE("the Poisson tables that a row told apart are both released") {
  std::vector<double> features{.5, 1, .5, 1, 1}, labels{770, 389, 650, 306, 409};
  for (const double lambda : {1e-4, 1.0})
    for (const double sigma : {0.01, 10.0})
      for (const char* const name : {amp, "output-perturbation"})
        for (const std::size_t rows : {4, 5})
          for (std::uint64_t seed = 0; seed < 50; ++seed) {
            TestRng rng(seed);
            const Records records{rows, 1, std::span(features).first(rows), std::span(labels).first(rows)};
            const Numbers numbers{{"featureBound", 1}, {"labelBound", 1000}, {"gradientBound", 1},
                                  {"dimension", 1},    {"lambda", lambda},   {"sigma", sigma}};
            CHECK_NOTHROW(fit({name, numbers, {{"loss", "poisson"}}}, records, rng, {}));
          }
}

TEST_CASE("what is released is the priced noise on the priced minimum, draw for draw") {
  const Sample table = sample(50);
  const auto loss = make_loss("logistic", {1, 1});
  const BoundedRecords records(table.records(), *loss, {1, 1, std::numeric_limits<double>::infinity()});
  for (const double sigma : {0.02, 3.0, 500.0})
    for (const double lambda : {0.05, 7.0}) {
      const Numbers numbers{{"sigma", sigma}, {"lambda", lambda}};
      TestRng rng(8), same(8);
      const Release found = fit(logistic(amp, numbers), table.records(), rng, {});
      const auto& priced = found.description.numbers;
      // What a minimum may be wrong by, in gradient: the certificate's part, and the rounding of the linear
      // term, whose deviates are within 40 steps of 2^-48, and one more for their own rounding.
      const double certificate = 0x1p-50 * (std::sqrt(2.0) + sigma * (2 + 21)),
                   term = 41 * 0x1p-48 * sigma * 2;
      CHECK(priced.at("gradientTolerance") >= certificate + term);
      CHECK(priced.at("gradientTolerance") <= (certificate + term) * (1 + 1e-3));
      CHECK(2 * priced.at("gradientTolerance") <= lambda * priced.at("outputSigma") * 0x1p-16 * (1 + 1e-9));
      std::vector<double> linear(4);
      for (double& one : linear) one = sigma * normal_deviate(same);
      const Minimum minimum = minimised({records, lambda, linear}, 0.5, certificate, {});
      const double output = found.parameters.at("outputSigma");
      // The grid is chosen before the rounding of four coordinates to it joins the noise: 2^17 steps.
      const int exponent = std::ilogb(output * (1 - 0x1p-13)) - 30;
      const double steps = std::ldexp(output, -exponent);
      CHECK(output >= priced.at("outputSigma"));
      CHECK(steps == std::floor(steps));
      for (std::size_t j = 0; j < 4; ++j) {
        const auto noise =
            static_cast<double>(exact::discrete_gaussian(same, static_cast<std::uint64_t>(steps)));
        const double centre = std::ldexp(found.coefficients()[j], -exponent) - noise;
        CHECK(std::abs(std::ldexp(centre, exponent) - minimum.theta[j]) <=
              2 * certificate / lambda + 0x1p-20 * output);
      }
    }
}

TEST_CASE(
    "output perturbation releases the minimum of its own lambda, with the noise that a record's move costs") {
  const Sample table = sample(50);
  const auto loss = make_loss("logistic", {1, 1});
  const BoundedRecords records(table.records(), *loss, {1, 1, std::numeric_limits<double>::infinity()});
  for (const double sigma : {0.02, 3.0})
    for (const double lambda : {0.05, 0.7, 20.0})
      for (const double moved : {1.0, 2.0}) {
        TestRng rng(8), same(8);
        const Release found = fit(logistic("output-perturbation", {{"sigma", sigma}, {"lambda", lambda}},
                                           {{"neighbours", moved == 2 ? "replace" : "add-remove"}}),
                                  table.records(), rng, {});
        // No derivative of the logistic loss is above 1, and no row above sqrt(2) with its intercept.
        const double sensitivity = moved * std::sqrt(2.0) / lambda;
        CHECK(found.parameters.at("sensitivity") == doctest::Approx(sensitivity).epsilon(1e-12));
        const GaussianNoise grid = GaussianNoise::of(found.parameters.at("sigma"));
        const double noise = std::ldexp(static_cast<double>(grid.steps), grid.exponent);
        const auto& priced = found.description.numbers;
        const double mu = priced.at("sensitivity") / priced.at("sigma");
        CHECK(mu >= sensitivity / noise * (1 - 1e-12));
        CHECK(mu <= sensitivity / noise * (1 + 1e-6) + 1e-6);
        const std::vector<double> none(4);
        const Minimum minimum = minimised({records, lambda, none}, 0.5, 0x1p-50, {});
        for (std::size_t j = 0; j < 4; ++j) {
          const auto drawn = static_cast<double>(exact::discrete_gaussian(same, grid.steps));
          const double centre = found.coefficients()[j] - std::ldexp(drawn, grid.exponent);
          CHECK(std::abs(centre - minimum.theta[j]) <= 0x1p-49 / lambda + std::ldexp(1, grid.exponent));
        }
      }
}

TEST_CASE("what a request lacks or has too much of is named") {
  const Numbers budget{{"epsilon", 1}, {"delta", 1e-5}};
  const auto with = [&](Numbers more) {
    more.insert(budget.begin(), budget.end());
    return more;
  };
  CHECK(refused(logistic("nothing", budget)) == "algorithm");
  CHECK(refused(logistic(amp, {{"epsilon", 1}})) == "delta");
  CHECK(refused(logistic(amp, {{"delta", 1e-5}})) == "epsilon");
  CHECK(refused(logistic(amp, {{"sigma", 1}})) == "epsilon");
  CHECK(refused(logistic(amp, with({{"sigma", 1}, {"lambda", 1}}))) == "sigma");
  CHECK(refused(logistic(amp, with({{"steps", 5}}))) == "steps");
  CHECK(refused(logistic(amp, with({{"noiseRatio", 1}}))) == "noiseRatio");
  CHECK(refused(logistic(amp, with({{"predictorScale", 0}}))) == "predictorScale");
  CHECK(refused(logistic(amp, with({{"intercept", -1}}))) == "intercept");
  CHECK(refused(logistic(amp, with({{"rows", 0.5}}))) == "rows");
  CHECK(refused(logistic(amp, with({{"featureBound", std::nan("")}}))) == "featureBound");
  CHECK(refused(logistic(amp, budget, {{"accounting", "loose"}})) == "accounting");
  CHECK(refused(logistic(amp, budget, {{"neighbours", "replace"}})) == "neighbours");
  CHECK(refused(logistic(amp, budget, {{"loss", "hinge"}})) == "loss");
  CHECK(refused(logistic(amp, budget, {{"loss", "squared"}})) == "labelBound");
  CHECK(refused(logistic(amp, with({{"labelBound", 1}}), {{"loss", "huber"}})) == "threshold");
  CHECK(refused(logistic(amp, with({{"lambda", 0.9}}), {{"accounting", "paper"}})) == "lambda");
  CHECK(refused(logistic(amp, {{"epsilon", 1e-4}, {"delta", 1e-5}}, {{"accounting", "paper"}})) ==
        "accounting");
  // Less noise than the Gaussian mechanism needs: no lambda helps.
  CHECK(refused(logistic(amp, with({{"sigma", 1}}))) == "epsilon");
  CHECK(refused(logistic("output-perturbation", budget)) == "lambda");
  CHECK(refused(logistic("output-perturbation", {{"epsilon", 1.5}, {"delta", 1e-5}, {"lambda", 1}},
                         {{"accounting", "paper"}})) == "epsilon");
  CHECK(refused(logistic("dp-sgd", with({{"steps", 5}, {"rate", 0.1}, {"learningRate", 1}}))) == "rows");
  CHECK(refused(descent(with({{"rate", 1.5}}))) == "rate");
  CHECK(refused(descent({})) == "epsilon");
  FitRequest planned = logistic(amp, budget);
  planned.numbers.erase("dimension");
  CHECK(refused(planned) == "dimension");
  planned.numbers["dimension"] = 7;
  TestRng rng(1);
  CHECK_THROWS_AS(fit(planned, sample(5).records(), rng, {}), Refusal);
  planned.numbers["dimension"] = 4;
  Records wrong = sample(0).records();
  wrong.count = 3;
  CHECK_THROWS_AS(fit(planned, wrong, rng, {}), Refusal);
}

}  // namespace epsilometer::model_fit_test
