// Absurd input to the core itself, without the engine's checks: a refusal that names field, value and rule.
#include "core/base/refusal.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/calibrate.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"

namespace epsilometer::refusal_test {

namespace {

const Description gaussian{"gaussian", {{"sigma", 1}, {"sensitivity", 1}}, {}, {}, {}};

template <class Ask>
std::string refused_field(const Ask& ask) {
  try {
    ask();
  } catch (const Refusal& refusal) {
    CHECK(!refusal.kind.empty());
    CHECK(!refusal.value.empty());
    CHECK(!refusal.rule.empty());
    return refusal.field;
  }
  return "";
}

std::string refused_loss(const Description& description) {
  return refused_field([&] { privacy_loss(description); });
}

}  // namespace

TEST_CASE("numbers that no mechanism can have") {
  for (const double bad : {-1.0, 0.0, double(NAN), HUGE_VAL, 1e101, 1e-101}) {
    CAPTURE(bad);
    CHECK(refused_loss({"gaussian", {{"sigma", bad}, {"sensitivity", 1}}, {}, {}, {}}) == "sigma");
    CHECK(refused_loss({"laplace", {{"scale", 1}, {"sensitivity", bad}}, {}, {}, {}}) == "sensitivity");
  }
  CHECK(refused_loss({"gaussian", {{"sigma", 1}}, {}, {}, {}}) == "sensitivity");
  CHECK(refused_loss({"discrete-laplace", {{"scale", 1}, {"sensitivity", 1.5}}, {}, {}, {}}) ==
        "sensitivity");
  CHECK(refused_loss({"randomized-response", {{"categories", 1}, {"epsilon", 1}}, {}, {}, {}}) ==
        "categories");
  CHECK(refused_loss({"rdp", {}, {{"orders", {2, 2}}, {"epsilons", {1, 1}}}, {}, {}}) == "orders");
  CHECK(refused_loss({"rdp", {}, {{"orders", {2}}, {"epsilons", {1, 1}}}, {}, {}}) == "epsilons");
  CHECK(refused_loss({"rdp", {}, {{"orders", {}}, {"epsilons", {}}}, {}, {}}) == "orders");
  CHECK(refused_loss({"rdp", {}, {{"orders", {2}}, {"epsilons", {-0.1}}}, {}, {}}) == "epsilons");
  CHECK(refused_loss({"rdp", {}, {{"orders", {2, 3}}, {"epsilons", {1, NAN}}}, {}, {}}) == "epsilons");
  CHECK(refused_loss({"rdp", {}, {{"orders", {1}}, {"epsilons", {1}}}, {}, {}}) == "orders");
}

TEST_CASE("kinds and compositions that cannot be answered") {
  CHECK(refused_loss({"gauss", {}, {}, {}, {}}) == "kind");
  CHECK(refused_loss({"composition", {}, {}, {}, {}}) == "of");
  CHECK(refused_loss({"composition", {}, {}, {}, {{gaussian, 0}}}) == "of.0.count");
  const Description bound{"zcdp", {{"rho", 1}}, {}, {}, {}};
  CHECK(refused_loss({"subsampled", {{"rate", 0.1}}, {}, {{"sampling", "poisson"}}, {{bound, 1}}}) == "of");
  CHECK(refused_loss({"subsampled", {{"rate", 1.1}}, {}, {{"sampling", "poisson"}}, {{gaussian, 1}}}) ==
        "rate");
  CHECK(refused_loss({"subsampled", {{"rate", 0.1}}, {}, {}, {{gaussian, 1}}}) == "sampling");
  CHECK(refused_loss({"subsampled", {{"rate", 0.1}}, {}, {{"sampling", "some"}}, {{gaussian, 1}}}) ==
        "sampling");
}

TEST_CASE("arguments out of range") {
  const auto loss = privacy_loss(gaussian);
  for (const double bad : {-0.1, 1.5, 1e-301, double(NAN)}) {
    CHECK(refused_field([&] { epsilon(*loss, bad); }) == "delta");
    CHECK(refused_field([&] { power(*loss, bad); }) == "falsePositives");
  }
  CHECK(refused_field([&] { delta(*loss, NAN); }) == "epsilon");
  CHECK(refused_field([&] { delta(*loss, HUGE_VAL); }) == "epsilon");
}

TEST_CASE("targets out of reach and paths that lead nowhere") {
  for (const Place& nowhere : {Place{{3}, "sigma"}, Place{{}, "epsilon"}, Place{{}, ""}, Place{{0}, ""}}) {
    const Parameter parameter{"sigma", 1e-100, 1e100, false, true, nowhere};
    CHECK(refused_field([&] { calibrate(gaussian, parameter, {1, 1e-5}); }) == "parameter");
  }
  const Parameter sigma{"sigma", 1e-100, 1e100, false, true};
  CHECK(refused_field([&] { calibrate(gaussian, sigma, {0, 0}); }) == "epsilon");
  CHECK(refused_field([&] { calibrate(gaussian, sigma, {-1, 1e-5}); }) == "epsilon");
  // What is wrong with the description is told, and not that no sigma would do.
  Description other = gaussian;
  other.numbers["sensitivity"] = -1;
  for (const double delta : {0.0, 1e-5})
    CHECK(refused_field([&] { calibrate(other, sigma, {1, delta}); }) == "sensitivity");
}

}  // namespace epsilometer::refusal_test
