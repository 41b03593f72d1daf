// Whether anything is told of single persons is said beforehand, and is what asking for it comes to.
#include "core/report/holder/persons_told.h"

#include <doctest/doctest.h>

#include "core/noise/noise_source.h"
#include "core/report/holder/people_losses.h"
#include "core/report/personal/vote_loss.h"
#include "core/report/published/privacy_report_price.h"

namespace epsilometer::persons_told_test {

namespace {

FitRequest request(const std::string& name, std::map<std::string, double> numbers = {},
                   std::map<std::string, std::string> texts = {}) {
  numbers.merge(
      std::map<std::string, double>{{"dimension", 2}, {"featureBound", 1}, {"epsilon", 1}, {"delta", 1e-5}});
  return {name, std::move(numbers), std::move(texts)};
}

FitRequest linear(const std::string& name, std::map<std::string, double> numbers = {}) {
  numbers["labelBound"] = 1;
  return request(name, std::move(numbers));
}

struct Table {
  std::vector<double> features, labels;

  Table() {
    for (int i = 0; i < 200; ++i) {
      const double x = std::sin(i * 12.9898);
      features.insert(features.end(), {0.9 * x, 0.3});
      labels.push_back(x > 0 ? 1 : -1);
    }
  }
  Records records() const { return {labels.size(), 2, features, labels}; }
};

template <class Ask>
bool answers(const Ask& ask) {
  try {
    ask();
    return true;
  } catch (const Refusal&) {
    return false;
  }
}

// Of a release of that request: what is said of it, and what comes of asking.
void check_of(const FitRequest& asked, const PersonsTold& expected) {
  CAPTURE(asked.algorithm);
  const Table table;
  const Records records = table.records();
  TestRng generator(7);
  const PlannedRequest run(asked);
  const Release release = run.algorithm->fit(records, generator, {});
  CHECK(persons_told(*run.algorithm, run.plan, 1) == expected);
  CHECK(persons_told(*run.algorithm, release, 1) == expected);
  CHECK(answers([&] { people_losses(run, release, Pieces(&records, 1), {1e-5}, 1, {}); }) == expected.rows);
  CHECK(answers([&] { vote_loss(run, Pieces(&records, 1), 1, 1e-5, 0.5, {}); }) == expected.votes);
  CHECK((answers([&] { must_have_own_price(run); }) && !release.coefficients().empty()) == expected.report);
  CHECK(persons_told(*run.algorithm, run.plan, 2) == PersonsTold{false, false});
}

}  // namespace

TEST_CASE("what is said of rows and of a report is what asking for them comes to") {
  check_of(linear("ada-ssp"), {true, true});
  check_of(request("output-perturbation", {{"lambda", 50}}, {{"loss", "logistic"}}), {true, true});
  check_of(request("dp-sgd", {{"rows", 200}, {"steps", 3}}, {{"loss", "logistic"}}), {false, true});
  check_of(request("noisy-covariance"), {true, false});
  check_of(request("principal-subspace", {{"components", 1}}), {false, false});
  check_of(linear("adaptive-posterior-sampling", {{"lambda", 50}}), {true, false});
  const FitRequest votes{
      "noisy-voting", {{"dimension", 2}, {"questions", 2}, {"classes", 2}, {"scale", 5}}, {}};
  check_of(votes, {false, false, true});
  FitRequest laplace = votes;
  laplace.texts["noise"] = "laplace";
  check_of(laplace, {false, false});
  FitRequest tuned = request("output-perturbation", {{"lambda", 50}}, {{"loss", "logistic"}});
  tuned.tuning = Tuning{{{{{"lambda", 10}}, {}}, {{{"lambda", 100}}, {}}}, 3, "misclassified", 0.1};
  check_of(tuned, {false, false});
}

TEST_CASE("a release that a test refused is told nothing of") {
  FitRequest asked = linear("ops-ptr", {{"lambda", 1e-3}});
  const PlannedRequest run(asked);
  CHECK(persons_told(*run.algorithm, run.plan, 1).rows);
  Release release(run.plan);
  release.outcome = Outcome::refused_by_test;
  CHECK(persons_told(*run.algorithm, release, 1) == PersonsTold{false, false});
}

TEST_CASE("a run is private exactly where its noise cannot be drawn again") {
  struct Fixed final : Entropy {
    bool fill(Key& key) override {
      key.fill(1);
      return true;
    }
  } entropy;
  const auto demonstrates = [&](const Seed& seed) {
    return with_generator(entropy, seed,
                          [](const Generator& generator) { return generator.demonstration(); });
  };
  CHECK(is_private({}));
  CHECK_FALSE(is_private(0));
  for (const Seed& seed : {Seed(), Seed(0), Seed(20)}) CHECK(demonstrates(seed) == !is_private(seed));
}

}  // namespace epsilometer::persons_told_test
