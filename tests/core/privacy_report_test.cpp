// The report that may be published: its formulas against another program's, its price, what it refuses, and
// what it says at the ends of what may be given.
#include "core/report/published/privacy_report.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/report/published/privacy_report_material.h"
#include "tests/core/privacy_report_leak.h"
#include "tests/core/table_lines.h"

namespace epsilometer::privacy_report_test {

using nlohmann::json;

namespace {

std::vector<json> lines(const std::string& ask) {
  const std::vector<json> found = table_lines("report/privacy_report.ndjson", ask);
  REQUIRE(found.size() > 5);
  return found;
}

double written(const json& value) { return std::stod(value.get<std::string>()); }

Direction direction_of(const json& line) { return line["member"] ? Direction::remove : Direction::add; }

std::vector<double> triangle_of(const json& rows) {
  std::vector<double> lower;
  for (const json& row : rows)
    for (const double entry : row) lower.push_back(entry);
  return lower;
}

double quantile(const json& line) { return upper_quantile(line["failure"].get<double>() / 2); }

double norm(const std::vector<double>& x) {
  double sum = 0;
  for (const double value : x) sum += value * value;
  return std::sqrt(sum);
}

ReportedModel logistic(double sigma, double lambda) {
  return {"logistic", {1, HUGE_VAL}, {1, 0, HUGE_VAL}, 1, 0.25, sigma, lambda, 0, 0};
}

ReportedModel hidden(double sigma, double lambda, double finish) {
  ReportedModel model = logistic(sigma, lambda);
  model.finish = finish;
  model.moved = finish * 0x1p-17;
  return model;
}

MaterialRelease release_of(const ReportedModel& model, std::size_t d, MaterialNoise noise = {1.0, 0.5, {}}) {
  return MaterialRelease(model, d, noise);
}

void same(double found, double expected, double relative) {
  CHECK(std::abs(found - expected) <= relative * std::abs(expected));
}

}  // namespace

TEST_CASE("the bound of the thesis is what another program makes of it, and ours is never above it") {
  for (const json& line : lines("thesis")) {
    CAPTURE(line.dump());
    const auto x = line["x"].get<std::vector<double>>(),
               gradient = line["gradient"].get<std::vector<double>>();
    const auto hessian = triangle_of(line["hessian"]);
    const double sigma = line["sigma"], z = quantile(line), first = line["first"], second = line["second"];
    Evidence evidence{sigma, line["lambda"], z * norm(x), {}};
    const double noise = line["gradientSigma"].get<double>() * z;
    const NoisyTerms terms{hessian, gradient, line["spectrum"], noise};
    const ThesisBound found =
        thesis_bound(direction_of(line), first, second, x, terms, evidence, line["floor"]);
    const json& expected = line["truth"];
    CHECK(found.regularised == expected["regularised"]);
    // The condition number of these matrices is below 1000.
    same(found.leverage, written(expected["leverage"]), 1e-12);
    same(found.pull, written(expected["pull"]), 1e-12);
    same(found.loss, written(expected["loss"]), 1e-11);
    evidence.leverage = found.leverage;
    evidence.pull = dot(x, gradient) + Interval::around(0, noise * norm(x));
    const RealisedBound ours = realised_bound(direction_of(line), {first, second}, dot(x, x), evidence);
    CHECK(ours.size() <= found.loss * (1 + 1e-11));
    CHECK(ours.leverage + ours.misfit >= ours.size() * (1 - 1e-14));
  }
}

TEST_CASE("the interval of the realised loss has the extremes of the true expression as its ends") {
  for (const json& line : lines("interval")) {
    CAPTURE(line.dump());
    const auto x = line["x"].get<std::vector<double>>(),
               gradient = line["gradient"].get<std::vector<double>>();
    const double z = quantile(line), noise = line["gradientSigma"].get<double>() * z * norm(x);
    const Evidence evidence{line["sigma"], line["lambda"], z * norm(x),
                            dot(x, gradient) + Interval::around(0, noise), line["leverage"]};
    const Interval found =
        realised_bound(direction_of(line), {line["first"].get<double>(), line["second"].get<double>()},
                       dot(x, x), evidence)
            .loss;
    const double low = written(line["truth"][0]), high = written(line["truth"][1]);
    const double rounding = 1e-13 * (1 + std::abs(low) + std::abs(high));
    CHECK(found.lower() <= low + rounding);
    CHECK(found.upper() >= high - rounding);
    CHECK(found.lower() >= low - 1e3 * rounding);
    CHECK(found.upper() <= high + 1e3 * rounding);
  }
}

TEST_CASE("the price of the material is that of one Gaussian release, and its epsilon the exact one") {
  for (const json& line : lines("price")) {
    CAPTURE(line.dump());
    // Not logistic: gradient and curvature may be largest together.
    const ReportedModel model{"huber", {10, 1}, {1, 0, HUGE_VAL}, line["lipschitz"], line["smoothness"], 1, 1,
                              0,       0};
    MaterialNoise noise{{}, line["hessianSigma"].get<double>(), {}};
    if (!line["gradientSigma"].is_null()) noise.gradient = line["gradientSigma"].get<double>();
    const Description price = MaterialRelease(model, 3, noise).price();
    const auto loss = privacy_loss(price);
    REQUIRE(loss->gaussian());
    const double mu = written(line["truth"]["mu"]);
    // The noise is a step of 2^-46 of itself wider than asked.
    CHECK(*loss->gaussian() >= mu * (1 - 0x1p-44));
    same(*loss->gaussian(), mu, 1e-12);
    same(epsilon(*loss, line["delta"]).upper, written(line["truth"]["epsilon"]), 1e-11);
  }
}

TEST_CASE("a logistic record never pays its largest gradient and its largest curvature together") {
  for (const json& line : lines("joint")) {
    CAPTURE(line.dump());
    const double found = largest_logistic_square(line["gradient"], line["curvature"]);
    CHECK(found >= written(line["truth"]));
    same(found, written(line["truth"]), 1e-13);
  }
  // At these widths 16 times the curvature's square is 8 times the gradient's: the Hessian is free.
  const auto mu = [](MaterialNoise noise) {
    return *privacy_loss(MaterialRelease(logistic(1, 1), 4, noise).price())->gaussian();
  };
  same(mu({2.0, 0.5 * (1 + 1e-9), {}}), mu({2.0, {}, {}}), 1e-12);
  CHECK(mu({2.0, 0.4, {}}) > mu({2.0, {}, {}}) * 1.01);
  CHECK(mu({2.0, 0.5, 0.5}) > mu({2.0, 0.5, {}}) * 1.01);
}

TEST_CASE("without material a report is the bound that is told for nothing") {
  const std::vector<double> theta{0.4, -1.2, 0.3}, x{0.5, 0.25, -0.75};
  for (const Direction direction : {Direction::remove, Direction::add})
    for (const Audience audience : {Audience{Audience::Kind::one}, Audience{Audience::Kind::fixed, 1000}}) {
      const PrivacyReport report = privacy_report(logistic(3, 0.7), theta, {}, {1e-3, audience});
      const PersonalBound told = evaluated(report, x, -1, direction);
      const auto loss = make_loss("logistic", {1, HUGE_VAL});
      const double expected =
          public_objective_bound(direction, slope_at(*loss, x, -1, theta), x, 0.7, 3, 1e-3, audience).tight;
      // 2^-20 of the failure is kept back.
      CHECK(told.size() >= expected * (1 - 1e-12));
      same(told.size(), expected, 1e-6);
      CHECK(told.material == 0);
    }
}

TEST_CASE("the worst bound of a setting of the thesis is 0.72 of what it printed") {
  // Its Figure A.1: epsilon = 1 by Kifer, Smith and Thakurta 2012 at delta = 1e-6, failure 1e-6; 0.930 there.
  double worst = 0;
  for (double margin = -6; margin <= 6; margin += 0.01) {
    const PrivacyReport report = privacy_report(logistic(10.957612, 0.5), {margin}, {}, {1e-6});
    worst = std::max(worst, evaluated(report, std::vector{1.0}, 1, Direction::remove).size());
  }
  CHECK(std::abs(worst - 0.667) < 0.001);
}

TEST_CASE("a bound for more people is a larger one, and an asker who looks first gets the largest") {
  const std::vector<double> theta{0.4, -1.2, 0.3}, x{0.5, 0.25, -0.75};
  const auto size = [&](Audience audience) {
    const PrivacyReport report = privacy_report(logistic(3, 0.7), theta, {}, {1e-3, audience});
    return evaluated(report, x, -1, Direction::remove).size();
  };
  const double one = size({Audience::Kind::one}), few = size({Audience::Kind::fixed, 10}),
               many = size({Audience::Kind::fixed, 1e9});
  CHECK(one < few);
  CHECK(few < many);
  CHECK(one < size({Audience::Kind::all}));
}

TEST_CASE("the Hessian's noise is bounded in its own normalisation") {
  // d = 50: the largest eigenvalue exceeds 16.97056 with probability 4.2325e-6 where the variance off the
  // diagonal is 1, and 12 where it is 1/2 (tests/reference/spectrum).
  const std::size_t d = 50;
  const MaterialRelease release = release_of(logistic(1, 1), d, {{}, 0.5, {}});
  const ReportMaterial material = release.told({}, std::vector<double>(triangle(d)), {}, 0);
  const PrivacyReport report =
      privacy_report(logistic(1, 1), std::vector<double>(d), material, {3 * 4.2325e-6});
  CHECK(report.spectrum >= 16.97056 * 0.5);
  CHECK(report.spectrum <= 16.98 * 0.5 + material.hessian->error);
  CHECK(material.hessian->error < 0.01);
}

TEST_CASE(
    "whatever is told of nobody, nothing, the largest and the smallest, no answer is too small or no "
    "number") {
  const double infinite = HUGE_VAL, nan = std::nan("");
  const std::size_t d = 2;
  const ReportedModel model = logistic(2, 0.5);
  const MaterialRelease release = release_of(model, d, {1.0, 0.5, 0.5});
  const PersonalBound free =
      evaluated(privacy_report(model, {0.3, 0.1}, {}, {1e-6}), std::vector{0.6, 0.8}, 1, Direction::remove);
  for (const double entry : {-1e60, -3.0, 0.0, 3.0, 1e60})
    for (const double least : {-1e60, 0.0, 1e60})
      for (const double size : {0.0, 1e-300, 1.0, 1e308, infinite, nan})
        for (const Direction direction : {Direction::remove, Direction::add}) {
          CAPTURE(entry);
          CAPTURE(least);
          CAPTURE(size);
          const ReportMaterial material = release.told({entry, -entry}, {entry, 2 * entry, entry}, least, 1);
          const PrivacyReport report = privacy_report(model, {0.3, 0.1}, material, {1e-6});
          const std::vector<double> x{0.6 * size, 0.8 * size};
          const PersonalBound told = evaluated(report, x, 1, direction);
          CHECK(!std::isnan(told.size()));
          CHECK(told.size() >= 0);
          CHECK(told.size() < infinite);
          const bool is_nothing = size == 0 || !std::isfinite(size);
          if (is_nothing) CHECK(told.size() == 0);
          // An indefinite matrix tells nothing: the cap is left, that of lambda and her own curvature.
          if (entry < 0 && least <= 0 && size == 1)
            CHECK(told.model.leverage <= std::log1p(0.25 / 0.5) * (1 + 1e-12));
        }
  CHECK(free.size() > 0);
  // A loss without a bound on its gradient: infinite, and not NaN.
  const ReportedModel poisson{"poisson", {5, infinite}, {1, 0, infinite}, 1, 1, 2, 0.5, 0, 0};
  const PrivacyReport report = privacy_report(poisson, {800, 0}, {}, {1e-6});
  CHECK(evaluated(report, std::vector{1.0, 0.0}, 2, Direction::remove).size() == infinite);
  // f' = 0, as where the squared loss meets its label: only the determinants are left.
  const ReportedModel squared{"squared", {5, infinite}, {1, 0, infinite}, 1, 1, 2, 0.5, 0, 0};
  const PersonalBound met =
      evaluated(privacy_report(squared, {1, 0}, {}, {1e-6}), std::vector{0.5, 0.0}, 0.5, Direction::remove);
  same(met.size(), std::log1p(0.25 / 0.5), 1e-12);
  same(met.model.leverage, met.size(), 1e-12);
}

TEST_CASE("a clipped gradient has no curvature, and its bound is the limit's") {
  const ReportedModel huber{"huber", {100, 1}, {1, 0, HUGE_VAL}, 1, 1, 2, 0.5, 0, 0};
  const PersonalBound far =
      evaluated(privacy_report(huber, {0.0, 0.0}, {}, {1e-6}), std::vector{1.0, 0.0}, 50, Direction::remove);
  CHECK(far.model.leverage == 0);
  same(far.size(), 1 / 8.0 + upper_quantile(0.5e-6) / 2, 1e-6);
  // Where a hidden minimum may lie on either side of the bend, both are possible.
  ReportedModel away = huber;
  away.finish = 0.5;
  away.moved = 0x1p-18;
  const PersonalBound bend =
      evaluated(privacy_report(away, {0.0, 0.0}, {}, {1e-6}), std::vector{1.0, 0.0}, 1.5, Direction::remove);
  CHECK(bend.model.leverage > 1);
}

TEST_CASE("hiding a minimum costs its report a thousandth and a wider quantile, never less") {
  const std::vector<double> theta{0.4, -1.2, 0.3}, x{0.5, 0.25, -0.75};
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double open =
        evaluated(privacy_report(logistic(3, 0.7), theta, {}, {1e-6}), x, 1, direction).size();
    const double other =
        evaluated(privacy_report(hidden(3, 0.7, 1e-9), theta, {}, {1e-6}), x, 1, direction).size();
    CHECK(other > open);
    CHECK(other < 1.6 * open);
    CHECK(evaluated(privacy_report(hidden(3, 0.7, 1e-3), theta, {}, {1e-6}), x, 1, direction).size() > other);
  }
}

TEST_CASE("what hides a minimum is in every bound, and the side against the table is that of the other law") {
  // f' = 1/2, |x| = 1, sigma = 2: q = 1/32, and chance alone makes 3/4 of it.
  Evidence evidence{2, 0.5, 3, {}};
  for (const Direction direction : {Direction::remove, Direction::add}) {
    const double a = std::log1p(0.25 / 0.5), q = 1.0 / 32, chance = 0.75;
    const bool in = direction == Direction::remove;
    evidence.hidden = false;
    const Interval open = realised_bound(direction, {0.5, 0.25}, 1, evidence).loss;
    same(open.upper(), (in ? a : 0) + q + chance, 1e-14);
    same(-open.lower(), (in ? 0 : a) - q + chance, 1e-14);
    evidence.hidden = true;
    const Interval away = realised_bound(direction, {0.5, 0.25}, 1, evidence).loss;
    same(away.upper(), (in ? a : 0) + q + chance, 1e-14);
    same(-away.lower(), (in ? 0 : a) + q + chance, 1e-14);
  }
  // Even a record of nothing: what computes the minimum may depend on it.
  const PersonalBound nothing = evaluated(privacy_report(hidden(3, 0.7, 1e-9), {1, 2}, {}, {1e-6}),
                                          std::vector{0.0, 0.0}, 1, Direction::remove);
  CHECK(nothing.size() > 0x1p-10);
  CHECK(nothing.size() < 0x1p-9);
}

TEST_CASE("a published eigenvalue counts less its noise and its errors") {
  const ReportedModel model = logistic(1, 0.5);
  const MaterialRelease release = release_of(model, 2, {{}, 0.5, 2.0});
  const ReportMaterial material = release.told({}, {90, 0, 90}, 80, 1);
  // Four things may fail, each a quarter as often.
  const PrivacyReport report = privacy_report(model, {0.0, 0.0}, material, {4e-6});
  const double expected = 0.5 + 80 - 2 * upper_quantile(1e-6) - material.eigenvalue->error;
  CHECK(report.floor <= expected);
  same(report.floor, expected, 1e-6);
  CHECK(material.eigenvalue->error < 0.01);
  CHECK(privacy_report(model, {0.0, 0.0}, release.told({}, {1, 0, 1}, -5, 1), {1e-6}).floor == 0.5);
}

TEST_CASE("a Hessian is published of no more coefficients than whose eigenvalues can be computed") {
  const ReportedModel model = logistic(1, 1);
  CHECK_NOTHROW(release_of(model, 512));
  CHECK_NOTHROW(release_of(model, 4096, {1.0, {}, {}}));
  CHECK_THROWS_AS(release_of(model, 513), Refusal);
  CHECK_THROWS_AS(release_of(model, 4097, {1.0, {}, {}}), Refusal);
}

TEST_CASE("what no report is valid for is refused, with the reason") {
  const auto refused = [](const ReportedModel& model, const ReportMaterial& material,
                          const ReportPromise& promise, const char* field) {
    try {
      privacy_report(model, {0.0, 0.0}, material, promise);
      FAIL("accepted");
    } catch (const Refusal& refusal) {
      CHECK(refusal.field == field);
      CHECK(!refusal.rule.empty());
    }
  };
  const ReportedModel away = hidden(1, 1, 1e-6);
  refused(away, {}, {1e-6, {Audience::Kind::all}}, "audience");
  refused(logistic(1, 1), {}, {0.6}, "failure");
  refused(logistic(1, 1), {}, {1e-41}, "failure");
  refused(logistic(1, 1), {}, {std::nan("")}, "failure");
  refused(logistic(1, 1), {}, {1e-6, {Audience::Kind::fixed, 0.5}}, "records");
  refused(logistic(-1, 1), {}, {1e-6}, "sigma");
  refused(logistic(1, 0), {}, {1e-6}, "lambda");
  const MaterialRelease release = release_of(away, 2);
  ReportMaterial material = release.told({0, 0}, {1, 0, 1}, {}, 0);
  ReportedModel clipped = away;
  clipped.bounds.gradient = 0.5;
  refused(clipped, material, {1e-6}, "gradientBound");
  ReportedModel huber = away;
  huber.loss = "huber";
  refused(huber, material, {1e-6}, "loss");
  material.hessian->values.pop_back();
  refused(away, material, {1e-6}, "hessian");
  material.hessian.reset();
  refused(away, material, {1e-6}, "hessian");
  material.gradient->values.pop_back();
  refused(logistic(1, 1), material, {1e-6}, "gradient");
  CHECK_THROWS_AS(release_of(away, 2, {{}, {}, 1.0}), Refusal);
  CHECK_THROWS_AS(release_of(away, 2, {1e-9, 1.0, {}}), Refusal);
  CHECK_THROWS_AS(release_of(away, 5000), Refusal);
}

TEST_CASE("two published losses give the number of rows and the sum of their labels away") {
  std::vector<double> labels{0.25, -1, 0.5, 0.75, 1, -0.25, 0};
  for (const double lambda : {0.5, 10.0}) {
    const double sigma = 3, mean = released_mean(labels, lambda, 2.1);
    const auto published = [&](double label) { return published_loss(labels, label, mean, lambda, sigma); };
    const Reconstructed found = reconstructed(mean, published(0.25), published(-1), lambda, sigma);
    same(found.rows, 7, 1e-9);
    same(found.sum, 1.25, 1e-8);
    CHECK_THROWS_AS(reconstructed(mean, published(1), published(1), lambda, sigma), Refusal);
  }
}

}  // namespace epsilometer::privacy_report_test
