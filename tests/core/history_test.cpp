// An answer depends on its question alone: not on what was asked before, nor in which order.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>
#include <vector>

#include "core/accounting/group.h"
#include "core/accounting/posterior.h"
#include "tests/core/descriptions.h"

namespace epsilometer::history_test {

namespace {

Description gaussian(double sigma) { return one("gaussian", {{"sigma", sigma}, {"sensitivity", 1}}); }

Description laplace(double scale) { return one("laplace", {{"scale", scale}, {"sensitivity", 1}}); }

Description with_epsilon(const char* kind, double epsilon) { return one(kind, {{"epsilon", epsilon}}); }

Description of_gaussian(double rate, double sigma) { return sampled("poisson", rate, gaussian(sigma)); }

Description composition(const std::vector<Part>& parts) { return {"composition", {}, {}, {}, parts}; }

// Of a random number of runs, which may be none: no member is known.
Description best_of(const Description& run) {
  return {"private-selection", {{"runs", 5}}, {}, {{"stopping", "poisson"}}, {{run, 1}}};
}

struct Asked {
  std::string name;
  Description description;
  double size;
};

// One for each way in which sums are computed, and the answers that are made of them.
const std::vector<Asked> asked = {
    {"contour", composition({{of_gaussian(0.01, 1), 1000}}), 1},
    {"different samples", composition({{of_gaussian(0.01, 1), 50}, {of_gaussian(0.02, 1.5), 70}}), 1},
    {"tilted sum", composition({{sampled("poisson", 0.1, laplace(1)), 40}, {with_epsilon("pure", 0.1), 7}}),
     1},
    {"uneven knots", composition({{of_gaussian(1e-6, 1), 2}}), 1},
    {"enumeration", composition({{with_epsilon("pure", 0.3), 3}, {with_epsilon("pure", 0.21), 4}}), 1},
    {"lattice", composition({{one("discrete-gaussian", {{"sigma", 4}, {"sensitivity", 1}}), 100}}), 1},
    {"game", composition({{with_epsilon("exponential", 0.3), 30}}), 1},
    {"blocks", composition({{with_epsilon("exponential", 0.05), 400}, {gaussian(3), 2}}), 1},
    {"chords", composition({{best_of(composition({{of_gaussian(0.01, 1), 1000}})), 1}, {laplace(3), 2}}), 1},
    {"chain", composition({{laplace(1), 5}}), 3},
    {"pairs of a group", composition({{of_gaussian(0.02, 1), 30}}), 2},
    {"closed form", gaussian(1), 4},
    {"Renyi bound", one("zcdp", {{"rho", 0.3}}), 1},
};

std::vector<double> answer(GroupPrivacy& group, int question) {
  group.forget();
  const auto pair = [](const Bounds& found) { return std::vector<double>{found.lower, found.upper}; };
  switch (question) {
    case 0:
      return pair(group.delta(0.5));
    case 1:
      return pair(group.delta(0.57));
    case 2:
      return pair(group.delta(2));
    case 3:
      return pair(group.epsilon(1e-5));
    case 4:
      return pair(group.epsilon(1e-30));
    case 5:
      return pair(group.power(0.01));
    case 6:
      return pair(group.power(0.011));
    default: {
      const Posterior found = posterior(group, 0.01, 1e-3);
      return {found.event.lower, found.event.upper, found.right.lower,
              found.right.upper, found.wrong.lower, found.wrong.upper};
    }
  }
}

}  // namespace

TEST_CASE("an answer is the same bit for bit whatever was asked before" * doctest::test_suite("long")) {
  std::mt19937 random(5);
  int compared = 0;
  for (const Asked& it : asked) {
    CAPTURE(it.name);
    const auto loss = privacy_loss(it.description);
    const bool is_slow = it.size > 1 || it.name == "blocks" || it.name == "uneven knots";
    const std::vector<int> questions =
        is_slow ? std::vector<int>{0, 1, 3, 4} : std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7};
    std::map<int, std::vector<double>> alone;
    const auto asked_alone = [&](int question) {
      if (alone.count(question) == 0) {
        GroupPrivacy fresh(loss, it.size, 1e-4);
        alone[question] = answer(fresh, question);
      }
      return alone[question];
    };
    GroupPrivacy used(loss, it.size, 1e-4);
    for (int i = 0; i < 8; ++i) {
      const int question = questions[random() % questions.size()];
      CAPTURE(question);
      CHECK(answer(used, question) == asked_alone(question));
      ++compared;
    }
  }
  CHECK(compared == 104);
}

}  // namespace epsilometer::history_test
