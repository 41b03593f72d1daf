// Attacks on tuned fits through the door of any fit, by whoever knows the law of what is released: the price
// of all runs is kept, and is not where the noise is less, the runs are more, their number is no secret or
// the score has no noise.
//
// Frequencies would not do: at the epsilon where the price of a choice among runs is near to what it costs,
// e^epsilon times what is seen once in 10^5 releases is more than all of delta. But delta(epsilon) is also
// the mean of (1 - e^(epsilon - L))+ over releases of one table alone, L the logarithm of the ratio of both
// densities, which is known; that the releases have these densities is tested, too.
#include <doctest/doctest.h>

#include <cmath>

#include "core/release/algorithm.h"
#include "core/release/random_stopping.h"
#include "core/release/score.h"
#include "tests/audit/attack.h"

namespace epsilometer::tuning_audit_test {

namespace {

constexpr std::array asked_epsilons = {0.0, 0.25, 0.5, 1.0, 1.5,  2.0,  3.0,
                                       4.0, 5.0,  6.0, 8.0, 10.0, 12.0, 15.0};
using Stated = std::array<double, asked_epsilons.size()>;

Stated stated_of(const Description& description) {
  const auto loss = privacy_loss(description);
  const Profile profile(*loss, 1e-4);
  Stated all;
  std::transform(asked_epsilons.begin(), asked_epsilons.end(), all.begin(),
                 [&](double epsilon) { return profile.delta(epsilon).upper; });
  return all;
}

// Of numbers from 0 to 1 with that average: what their mean is at least, except with probability 1e-7
// (Hoeffding 1963, Theorem 1).
double least_mean(double average, double count) {
  double least = 0, most = average;
  for (int i = 0; i < 60; ++i) {
    const double mean = (least + most) / 2, rest = 1 - average;
    const double divergence =
        average * std::log(average / mean) + (rest > 0 ? rest * std::log(rest / (1 - mean)) : 0);
    (count * divergence > std::log(1e7) ? least : most) = mean;
  }
  return least;
}

// By how much delta is certainly above what is stated, at the worst epsilon, where such losses are those of
// what the first of two tables releases.
double mean_excess(const std::vector<double>& losses, const Stated& stated) {
  double worst = -1;
  for (std::size_t i = 0; i < stated.size(); ++i) {
    double sum = 0;
    for (const double loss : losses) sum += std::max(0.0, -std::expm1(asked_epsilons[i] - loss));
    const auto count = static_cast<double>(losses.size());
    worst = std::max(worst, least_mean(sum / count, count) - stated[i]);
  }
  return worst;
}

// How many runs there are: the probability f(x) that all of them do what one does with probability x.
struct Runs {
  bool are_counted;
  double mean;

  double all(double x) const { return are_counted ? std::pow(x, mean) : x / (mean - (mean - 1) * x); }
  // The logarithm of f'(x), but for a constant.
  double log_slope(double x) const {
    return are_counted ? (mean - 1) * std::log(x) : -2 * std::log(mean - (mean - 1) * x);
  }
};

struct Noise {
  double width;
  bool is_laplace = false;

  double log_density(double x) const {
    return is_laplace ? -std::abs(x) / width : -x * x / (2 * width * width);
  }
  double above(double x) const {
    if (!is_laplace) return std::erfc(x / width / std::sqrt(2)) / 2;
    const double tail = std::exp(-std::abs(x) / width) / 2;
    return x > 0 ? tail : 1 - tail;
  }
};

// What a release tells: by its model, the logarithm of the ratio of both densities, and whether the record's
// class is wrong by it; and how often that is wrong by models of its candidate, where the record is there.
struct Told {
  double score;
  std::size_t candidate = 0;
  double model = 0;
  bool is_wrong = true;
  double wrong = 1;
};

// Of a table with the record, and of one without it.
struct Seen {
  std::vector<Told> with, without;

  // Of either question: whether the record is there, and whether it is not.
  double excess(const std::function<double(const Told&)>& loss, const Stated& stated) const {
    std::vector<double> losses(with.size()), others(without.size());
    std::transform(with.begin(), with.end(), losses.begin(), loss);
    std::transform(without.begin(), without.end(), others.begin(),
                   [&](const Told& one) { return -loss(one); });
    return std::max(mean_excess(losses, stated), mean_excess(others, stated));
  }
};

// Where the record's class is wrong whatever the model is, since its features are 0, all that it changes is
// the score, by 1.
struct BestScore {
  Noise noise;
  Runs runs;

  double log_density(double score, double mean) const {
    return noise.log_density(score - mean) + runs.log_slope(noise.above(score - mean));
  }
  double loss(const Told& told) const { return log_density(told.score, 1) - log_density(told.score, 0); }

  // The probability that a true sampler does worse, of both tables.
  double fit(const Seen& seen) const {
    const auto of = [&](const std::vector<Told>& all, double mean) {
      std::vector<double> scores(all.size());
      std::transform(all.begin(), all.end(), scores.begin(), [](const Told& one) { return one.score; });
      return kolmogorov(scores, [&](double score) { return 1 - runs.all(noise.above(score - mean)); });
    };
    return std::min(of(seen.with, 1), of(seen.without, 0));
  }
};

// Where the record's class is right if the model moved its way, it changes the model and the score, and so
// which run is the best.
struct BestModel {
  Noise noise;
  Runs runs;
  // Of each candidate.
  std::array<double, 2> wrong;

  double above(double score, bool with_record) const {
    if (!with_record) return noise.above(score);
    double sum = 0;
    for (const double share : wrong)
      sum += (share * noise.above(score - 1) + (1 - share) * noise.above(score)) / 2;
    return sum;
  }
  double loss(const Told& told) const {
    const double missed = told.is_wrong ? 1 : 0;
    return told.model + noise.log_density(told.score - missed) - noise.log_density(told.score) +
           runs.log_slope(above(told.score, true)) - runs.log_slope(above(told.score, false));
  }
};

struct Case {
  std::string algorithm;
  std::map<std::string, double> numbers;
  // What differs between both candidates.
  const char* differs;
  double first, second;
  std::map<std::string, std::string> texts = {{"loss", "logistic"}};
};

struct Budget {
  double runs, epsilon, delta;
};

FitRequest request(const Case& one, const Budget& budget, double share = 0.9) {
  std::map<std::string, double> numbers = one.numbers;
  numbers.insert(
      {{"dimension", 1}, {"featureBound", 1}, {"epsilon", budget.epsilon}, {"delta", budget.delta}});
  return {one.algorithm, numbers, one.texts,
          Tuning{{{{{one.differs, one.first}}, {}}, {{{one.differs, one.second}}, {}}},
                 budget.runs,
                 "misclassified",
                 share}};
}

using Releases = std::function<Told(const Records& table, Generator& generator)>;

// The record's label is 1.
Seen seen(const Releases& released, double feature, std::size_t count) {
  const std::vector<double> features{feature}, label{1};
  const Records with{1, 1, features, label}, without{0, 1, {}, {}};
  TestRng rng(20261217);
  const auto many = [&](const Records& table) {
    std::vector<Told> all(count);
    for (Told& one : all) one = released(table, rng);
    return all;
  };
  return {many(with), many(without)};
}

Told score_of(const Release& release) { return {release.number("score")}; }

Seen scores(const Algorithm& algorithm, std::size_t count) {
  return seen([&](const Records& table, Generator& rng) { return score_of(algorithm.fit(table, rng, {})); },
              0, count);
}

const Description& run_of(const Plan& plan) { return plan.description.parts.at(0).mechanism; }

Noise noise_of(const Plan& plan) {
  const Description& run = run_of(plan);
  return {plan.parameters.at("scoreNoise"), run.kind == "pure" || run.kind == "approximate"};
}

const Case outputs{"output-perturbation", {}, "lambda", 1, 2};
const Case steps{"dp-sgd", {{"rows", 1}, {"rate", 0.5}}, "steps", 1, 2};
const Case minima{"approximate-minima-perturbation", {}, "lambda", 1, 4};

// The regularisation is so strong that the record (1, 1) is farther from its prediction than where its loss
// becomes linear, and moves the model as far as any may.
constexpr double threshold = 0.1;
const std::map<std::string, double> linear_beyond{{"labelBound", 1}, {"threshold", threshold}};
const std::vector<Case> moved_models{
    {"output-perturbation", linear_beyond, "lambda", 100, 200, {{"loss", "huber"}}},
    {"approximate-minima-perturbation", linear_beyond, "lambda", 100, 300, {{"loss", "huber"}}},
    {"dp-sgd",
     {{"labelBound", 1}, {"threshold", threshold}, {"rows", 1}, {"steps", 1}},
     "learningRate",
     0.01,
     0.02,
     {{"loss", "huber"}}}};

BestModel best_model(const Plan& planned, const Budget& budget, const Seen& seen) {
  BestModel law{noise_of(planned), {false, budget.runs}, {}};
  for (const Told& one : seen.without) law.wrong[one.candidate] = one.wrong;
  return law;
}

// That at which every noise is a quarter wider.
Budget for_more_noise(const Budget& budget) {
  const auto noise = [&](double epsilon) {
    return plan(request(outputs, {budget.runs, epsilon, budget.delta})).parameters.at("scoreNoise");
  };
  const double wanted = 1.25 * noise(budget.epsilon);
  double least = budget.epsilon / 2, most = budget.epsilon;
  for (int i = 0; i < 20; ++i) {
    const double epsilon = (least + most) / 2;
    (noise(epsilon) > wanted ? least : most) = epsilon;
  }
  return {budget.runs, least, budget.delta};
}

// So many runs by the door of tuned fits of one run each, and what is paid is for others.
struct Dishonest {
  std::unique_ptr<const Algorithm> one;
  Plan plan;

  Dishonest(const Case& asked, const Budget& of_one)
      : one(algorithm(request(asked, of_one))), plan(one->plan()) {}

  Description paid(double runs) const {
    return {"private-selection", {{"runs", runs}}, {}, {{"stopping", "geometric"}}, {{run_of(plan), 1}}};
  }
  Told best(const Records& table, Generator& rng, const Runs& runs) const {
    const auto run = [&] { return std::optional(score_of(one->fit(table, rng, {}))); };
    const auto number = static_cast<std::uint64_t>(runs.mean);
    if (!runs.are_counted) return *best_run(rng, number, run);
    Told best = *run();
    for (std::uint64_t i = 1; i < number; ++i)
      if (const Told other = *run(); other.score < best.score) best = other;
    return best;
  }
  Seen scores(const Runs& runs, std::size_t count) const {
    return seen([&](const Records& table, Generator& rng) { return best(table, rng, runs); }, 0, count);
  }
};

}  // namespace

TEST_CASE(
    "what tuned fits tell by their scores keeps the price of all runs, and not that of a quarter more noise" *
    doctest::test_suite("long")) {
  const std::vector<Case> few{outputs, steps, minima};
  std::vector<Case> all{{"dp-sgd", {{"rows", 1}, {"steps", 1}}, "learningRate", 1, 2},
                        {"approximate-minima-perturbation", {}, "whiten", 0.2, 0.4},
                        {"noisy-newton", {}, "steps", 1, 2},
                        {"output-perturbation-by-curvature", {}, "lambda", 1, 2, {}},
                        {"ada-ssp", {{"labelBound", 1}}, "releases", 2, 3, {}},
                        {"output-perturbation-ridge", {{"labelBound", 1}, {"rows", 1}}, "lambda", 1, 2, {}}};
  all.insert(all.end(), few.begin(), few.end());
  struct Attacked {
    Budget budget;
    const std::vector<Case>& cases;
    std::size_t count;
  };
  for (const auto& [budget, cases, count] :
       {Attacked{{1, 1, 1e-5}, few, 20'000}, {{2, 9, 1e-5}, few, 30'000}, {{2, 14, 1e-8}, all, 20'000}}) {
    const Budget less = for_more_noise(budget);
    for (const Case& one : cases) {
      CAPTURE(one.algorithm);
      const double epsilon = budget.epsilon;
      CAPTURE(epsilon);
      const auto algorithm = epsilometer::algorithm(request(one, budget));
      const Plan planned = algorithm->plan(), quieter = plan(request(one, less));
      const BestScore law{noise_of(planned), {false, budget.runs}};
      REQUIRE(!law.noise.is_laplace);
      CHECK(noise_of(quieter).width / law.noise.width == doctest::Approx(1.25).epsilon(0.01));
      const Seen seen = scores(*algorithm, count);
      const auto loss = [&](const Told& told) { return law.loss(told); };
      CHECK(law.fit(seen) > 1e-4);
      CHECK(seen.excess(loss, stated_of(planned.description)) <= 0);
      CHECK(seen.excess(loss, stated_of(quieter.description)) > 0);
    }
  }
}

TEST_CASE("so does what they tell by the model and the choice of it" * doctest::test_suite("long")) {
  for (const Case& one : moved_models) {
    for (const Budget& budget : {Budget{1, 1, 1e-5}, Budget{2, 11, 1e-5}}) {
      CAPTURE(one.algorithm);
      CAPTURE(budget.epsilon);
      const auto algorithm = epsilometer::algorithm(request(one, budget, 0.1));
      const Plan planned = algorithm->plan(), quieter = plan(request(one, for_more_noise(budget), 0.1));
      const auto told = [&](const Release& release) {
        const auto& is = release.parameters;
        const double coefficient = release.values("coefficients")[0];
        Told all{release.number("score"), static_cast<std::size_t>(release.number("candidate"))};
        // How far the record moves it, and how wide the noise is.
        double by = 0, width = 0;
        if (one.algorithm == "dp-sgd") {
          by = is.at("learningRate") * threshold;
          width = is.at("learningRate") * is.at("noiseMultiplier") * threshold;
        } else {
          const double lambda = all.candidate == 0 ? one.first : one.second;
          by = threshold / lambda;
          width = one.algorithm == "output-perturbation" ? is.at("sigma") : is.at("sigma") / lambda;
        }
        // In units of how far the record moves it.
        const double moved = coefficient / by;
        const Noise own{width / by};
        all.model = own.log_density(moved - 1) - own.log_density(moved);
        all.is_wrong = !(moved > 0);
        all.wrong = own.above(1);
        return all;
      };
      const Seen seen = tuning_audit_test::seen(
          [&](const Records& table, Generator& rng) { return told(algorithm->fit(table, rng, {})); }, 1,
          20'000);
      const auto loss = [law = best_model(planned, budget, seen)](const Told& each) {
        return law.loss(each);
      };
      CHECK(seen.excess(loss, stated_of(planned.description)) <= 0);
      CHECK(seen.excess(loss, stated_of(quieter.description)) > 0);
    }
  }
}

TEST_CASE("so do sketches, a posterior sample and noisy sums, and not the price of more noise" *
          doctest::test_suite("long")) {
  struct Attacked {
    Case asked;
    // Of the record.
    double feature;
    std::function<void(const Release&, double differing, Told&)> tell;
    // Whether the attack shows nearly all that is priced where there is one run: half of it pays for a test
    // in which the record does not show, and of noisy sums whatever keeps their epsilon is priced.
    bool shows_all = true;
    // Sketches are planned alike, which takes most of the time: more than one run of one kind tells of all.
    bool runs_often = true;
  };
  // Features are so short that (0, 1) is nearly as long as any record: it widens the label's entries, and no
  // model predicts its class.
  const auto by_sketch = [](const Release& release, double size, Told& all) {
    const double without = std::pow(
        release.holds("sketchSigma") ? release.number("sketchSigma") : release.parameters.at("sigma"), 2);
    all.model = size * release.number("square") * (1 / without - 1 / (without + 1)) / 2 -
                size / 2 * std::log1p(1 / without);
  };
  // Regularised so strongly that no residual is much larger than that of (1, 1).
  const auto by_sample = [](const Release& release, double lambda, Told& all) {
    CHECK(release.number("lambda") == lambda);
    const double theta = release.coefficients()[0], moved = theta - 1 / (lambda + 1),
                 variance = std::pow(release.parameters.at("sigma"), 2);
    all.model =
        (theta * theta * lambda - moved * moved * (lambda + 1)) / (2 * variance) + std::log1p(1 / lambda) / 2;
    all.is_wrong = !(theta > 0);
    all.wrong = Noise{std::sqrt(variance * (lambda + 1))}.above(1);
  };
  const auto by_sums = [](const Release& release, double, Told& all) {
    const Noise own{release.parameters.at("scale"), true};
    for (const char* sum : {"gram", "cross"})
      all.model += own.log_density(release.number(sum) - 1) - own.log_density(release.number(sum));
    all.is_wrong = !(release.coefficients()[0] > 0);
    all.wrong = own.above(1);
  };
  const std::map<std::string, double> short_features{{"featureBound", 1e-3}, {"labelBound", 1}};
  const Attacked all[] = {
      {{"linear-mixing", short_features, "sketchSize", 3, 5, {}}, 0, by_sketch},
      {{"gaussian-mixing", short_features, "sketchSize", 3, 5, {}}, 0, by_sketch, true, false},
      {{"johnson-lindenstrauss", short_features, "sketchSize", 3, 5, {}}, 0, by_sketch, false, false},
      {{"logistic-mixing", short_features, "sketchSize", 3, 5, {}}, 0, by_sketch, true, false},
      {{"posterior-sampling", {{"labelBound", 1}, {"rows", 400}}, "lambda", 1e6, 2e6, {}}, 1, by_sample},
      {{"covariance-laplace", {{"labelBound", 1}}, "lambda", 1, 2, {}}, 1, by_sums, false}};
  for (const Attacked& attacked : all) {
    const Case& one = attacked.asked;
    for (const Budget& budget : {Budget{1, 1, 1e-5}, Budget{2, 11, 1e-5}}) {
      if (budget.runs > 1 && !attacked.runs_often) continue;
      CAPTURE(one.algorithm);
      CAPTURE(budget.epsilon);
      const auto algorithm = epsilometer::algorithm(request(one, budget, 0.1));
      const Plan planned = algorithm->plan();
      const auto told = [&](const Release& release) {
        Told result{release.number("score"), static_cast<std::size_t>(release.number("candidate"))};
        attacked.tell(release, result.candidate == 0 ? one.first : one.second, result);
        return result;
      };
      const Seen seen = tuning_audit_test::seen(
          [&](const Records& table, Generator& rng) { return told(algorithm->fit(table, rng, {})); },
          attacked.feature, 20'000);
      const auto loss = [law = best_model(planned, budget, seen)](const Told& each) {
        return law.loss(each);
      };
      CHECK(seen.excess(loss, stated_of(planned.description)) <= 0);
      if (budget.runs > 1) continue;
      const Budget less =
          attacked.shows_all ? for_more_noise(budget) : Budget{1, budget.epsilon / 4, budget.delta};
      CHECK(seen.excess(loss, stated_of(plan(request(one, less, 0.1)).description)) > 0);
    }
  }
}

TEST_CASE("more runs than are paid for, or a number of them that is no secret, cost more" *
          doctest::test_suite("long")) {
  struct Twin {
    double epsilon, paid;
    Runs runs;
    std::size_t count;
  };
  for (const Case& one : {outputs, steps, minima}) {
    for (const Twin& twin : {Twin{4, 1, {false, 16}, 2'000}, Twin{4, 2, {false, 128}, 2'000},
                             Twin{10, 4, {true, 4}, 4'000}, Twin{2, 4, {true, 16}, 5'000}}) {
      CAPTURE(one.algorithm);
      CAPTURE(twin.runs.mean);
      const Dishonest dishonest(one, {1, twin.epsilon, 1e-5});
      const BestScore promised{noise_of(dishonest.plan), {false, twin.paid}}, dear{promised.noise, twin.runs};
      const Stated paid = stated_of(dishonest.paid(twin.paid));
      const auto excess = [&](const BestScore& law, const Seen& seen) {
        CHECK(law.fit(seen) > 1e-4);
        return seen.excess([&](const Told& told) { return law.loss(told); }, paid);
      };
      CHECK(excess(promised, dishonest.scores(promised.runs, twin.count)) <= 0);
      const Seen of_more = dishonest.scores(twin.runs, twin.count);
      CHECK(excess(dear, of_more) > 0);
      // What no price refutes, such as twice as many runs, would still show.
      CHECK(promised.fit(of_more) < 1e-6);
    }
  }
}

// All that is told is which way the best model went: half of all without the record, and with it only where
// all runs went that way.
TEST_CASE("the best of several runs by a score without noise costs more than is paid for noisy ones" *
          doctest::test_suite("long")) {
  constexpr std::uint64_t expected = 16;
  const Score score(Score::Kind::misclassified, 1, false);
  for (const Case& one : moved_models) {
    CAPTURE(one.algorithm);
    const Dishonest dishonest(one, {1, 0.3, 1e-6});
    const Deltas paid = deltas(dishonest.paid(expected));
    for (const bool is_exact : {false, true}) {
      struct Scored {
        double score, coefficient;
      };
      const Seen seen = tuning_audit_test::seen(
          [&](const Records& table, Generator& rng) {
            const auto run = [&] {
              const Release release = dishonest.one->fit(table, rng, {});
              const std::vector<double>& coefficients = release.values("coefficients");
              const double missed =
                  table.count == 0 ? 0 : score.of(table.row(0), table.labels[0], coefficients);
              return std::optional(Scored{is_exact ? missed : release.number("score"), coefficients[0]});
            };
            return Told{best_run(rng, expected, run)->coefficient};
          },
          1, 5'000);
      const auto wrong = [](const std::vector<Told>& all) {
        std::vector<double> ways;
        for (const Told& told : all) ways.push_back(told.score > 0 ? 0 : 1);
        return ways;
      };
      const double found = certain_excess(
          wrong(seen.without), wrong(seen.with), [](double) { return 0.5; }, paid);
      CAPTURE(is_exact);
      CHECK((is_exact ? found > 0.1 : found <= 0));
    }
  }
}

// A run is bad or good, as often as randomized response with the record and without it may be; the best one
// is bad where all are. Where a cap lets no run count after so many, nearly always that many count, and the
// record shows in each of them.
TEST_CASE("the best of a random number of runs keeps its price, and a cap on their number does not") {
  constexpr double epsilon = 0.33;
  constexpr std::uint64_t expected = 200, whole = std::uint64_t{1} << 40;
  const Deltas stated = deltas({"private-selection",
                                {{"runs", expected}},
                                {},
                                {{"stopping", "geometric"}},
                                {{{"pure", {{"epsilon", epsilon}}, {}, {}, {}}, 1}}});
  struct Scored {
    double score;
  };
  TestRng rng(20261216);
  const auto often = static_cast<std::uint64_t>(whole / (1 + std::exp(-epsilon)));
  for (const double cap : {HUGE_VAL, 5.0}) {
    const Run best_score = [&](bool with_record) {
      const std::uint64_t bad = with_record ? often : whole - often;
      double done = 0;
      return best_run(rng, expected,
                      [&] {
                        const bool is_bad = exact::coin(rng, bad, whole);
                        return done++ < cap ? std::optional(Scored{is_bad ? 1.0 : 0.0}) : std::nullopt;
                      })
          ->score;
    };
    const auto is_bad = [](double) { return 0.5; };
    const double found =
        certain_excess(many(best_score, true, 60'000), many(best_score, false, 60'000), is_bad, stated);
    CAPTURE(cap);
    CHECK((cap == HUGE_VAL ? found <= 0 : found > 0.01));
  }
}

}  // namespace epsilometer::tuning_audit_test
