// Attacks on published reports: what is released for them under two neighbouring tables, against the price.
#include <doctest/doctest.h>

#include <cmath>

#include "core/report/published/privacy_report_material.h"
#include "core/report/published/privacy_report_price.h"
#include "tests/audit/attack.h"

using namespace epsilometer;

namespace {

ReportedModel logistic() {
  return {"logistic", {1, HUGE_VAL}, {1 + 1e-8, 0, HUGE_VAL}, 1 + 1e-8, 0.25 * (1 + 3e-8), 1, 1, 0, 0};
}

// The record (1, -1) at theta: its derivative and curvature are p and p (1 - p).
double wrong(double theta) { return 1 / (1 + std::exp(-theta)); }

// log of the densities' ratio of one normal value whose mean is `mean` with the record and 0 without it.
double normal_loss(double value, double mean, double sigma) {
  return mean * (value - mean / 2) / (sigma * sigma);
}

/// Material of the table of one record or of none, at given coefficients, with `share` of the stated noise.
struct Attack {
  MaterialNoise noise;
  double share;

  MaterialNoise drawn() const {
    MaterialNoise less = noise;
    for (std::optional<double>* one : {&less.gradient, &less.hessian, &less.eigenvalue})
      if (*one) **one *= share;
    return less;
  }

  double loss(const MaterialRelease& release, double theta, bool with_record, TestRng& rng) const {
    const std::vector<double> feature{1}, label{-1}, coefficients{theta};
    const Records with{1, 1, feature, label}, without{0, 1, {}, {}};
    const Records& table = with_record ? with : without;
    const ReportMaterial told = release.released(Pieces(&table, 1), coefficients, rng, {});
    const double p = wrong(theta), curvature = p * (1 - p);
    const MaterialNoise sigma = drawn();
    double sum = normal_loss(told.gradient->values[0], p, *sigma.gradient);
    if (told.hessian) sum += normal_loss(told.hessian->values[0], curvature, std::sqrt(2.0) * *sigma.hessian);
    if (told.eigenvalue) sum += normal_loss(told.eigenvalue->value, curvature, *sigma.eigenvalue);
    return sum;
  }

  double excess(double theta, std::uint64_t seed) const {
    TestRng rng(seed);
    const MaterialRelease stated(logistic(), 1, noise), run(logistic(), 1, drawn());
    return certain_excess([&](bool with_record) { return loss(run, theta, with_record, rng); },
                          [](double epsilon) { return epsilon; }, deltas(stated.price()));
  }
};

}  // namespace

TEST_CASE("a published gradient and Hessian keep their price, and a fifth less noise does not") {
  struct Case {
    MaterialNoise noise;
    double theta;
  };
  // Where the Hessian is free the worst record is one that the model is certain of wrongly; with a precise
  // Hessian it is one in between: p = (3 - sqrt(1 - 8 A / B)) / 4.
  const double precise = 0.1, ratio = 2 * precise * precise;
  const double between = (3 - std::sqrt(1 - 8 * ratio)) / 4;
  for (const Case& one :
       {Case{{1.0, 0.3, {}}, 30}, Case{{1.0, {}, {}}, 30},
        Case{{1.0, precise, {}}, std::log(between / (1 - between))}, Case{{1.0, 0.2, 0.2}, 30}}) {
    CAPTURE(one.theta);
    for (const double share : {1.0, 0.8}) {
      CAPTURE(share);
      // Not attained with an eigenvalue: how wrong it may be is paid by all records alike.
      if (share < 1 && one.noise.eigenvalue) continue;
      const double excess = Attack{one.noise, share}.excess(one.theta, 20261123);
      CHECK((share == 1 ? excess <= 0 : excess > 0.02));
    }
  }
}

TEST_CASE("a model and the report on it together keep the price of both") {
  const FitRequest request{
      "approximate-minima-perturbation",
      {{"sigma", 6}, {"lambda", 0.5}, {"featureBound", 1 + 1e-8}, {"rows", 1}, {"dimension", 1}},
      {{"loss", "logistic"}}};
  const Plan run = plan(request);
  const Attack material{{1.2, 0.35, {}}, 1};
  const MaterialRelease release(reported_model(request, run), 1, material.noise);
  const Deltas stated =
      deltas(Description{"composition", {}, {}, {}, {{run.description, 1}, {release.price(), 1}}});
  TestRng rng(20261124);
  const std::vector<double> feature{1}, label{-1};
  const Run loss = [&](bool with_record) {
    const Records with{1, 1, feature, label}, without{0, 1, {}, {}};
    const double theta = fit(request, with_record ? with : without, rng, {}).coefficients()[0];
    const double before = 0.5 * theta / 6, after = before + wrong(theta) / 6;
    const double p = wrong(theta);
    return (before * before - after * after) / 2 + std::log1p(p * (1 - p) / 0.5) +
           material.loss(release, theta, with_record, rng);
  };
  const Excess excess = certain_excess_both_ways(loss, stated);
  CHECK(excess.removing <= 0);
  CHECK(excess.adding <= 0);
  // The price of the model alone does not cover both.
  CHECK(certain_excess_both_ways(loss, deltas(run.description)).removing > 0.02);
}
