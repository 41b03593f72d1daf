// What a suspicion can become, against values from the definition and against every test on the trade-off
// curve.
#include "core/accounting/posterior.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/base/refusal.h"
#include "tests/core/tables.h"

namespace epsilometer::posterior_sentence_test {

namespace {

Posterior of(const Description& description, double prior, double exceptions, double size = 1) {
  GroupPrivacy group(privacy_loss(description), size, 1e-4);
  return posterior(group, prior, exceptions);
}

Description gdp(double mu) { return {"gdp", {{"mu", mu}}, {}, {}, {}}; }

Description laplace(double epsilon) {
  return {"laplace", {{"scale", 1}, {"sensitivity", epsilon}}, {}, {}, {}};
}

struct Row {
  Description (*kind)(double);
  double parameter, prior, exceptions, event, right, wrong;
};

constexpr auto mu = &gdp, scaled = &laplace;

// Printed by tests/reference/posterior.py.
const Row rows[] = {
    {mu, 0.5, 1e-9, 1e-30, 2.84554096755250754e-7, 3.64709525170905156e-7, 2.84554093288866018e-7},
    {mu, 0.5, 1e-9, 1e-6, 1.05263059349585534e-8, 1.33961120389940586e-8, 1.05263059252196985e-8},
    {mu, 0.5, 1e-9, 0.001, 4.79555919343766464e-9, 6.05357323268955881e-9, 4.79555919094034535e-9},
    {mu, 0.5, 1e-9, 0.25, 1.72296116983368083e-9, 2.08160806774353506e-9, 1.7229611694819526e-9},
    {mu, 0.5, 0.01, 1e-30, 0.753090341498574349, 0.786504338802055826, 0.741887830410214469},
    {mu, 0.5, 0.01, 1e-6, 0.0968840139704357612, 0.119186615464190627, 0.0961075599778385871},
    {mu, 0.5, 0.01, 0.001, 0.0464288706180342882, 0.0576236778553973842, 0.0462019690021554175},
    {mu, 0.5, 0.01, 0.25, 0.017140306773775834, 0.0205933414568710435, 0.0171059423859384981},
    {mu, 0.5, 0.5, 1e-30, 0.997183249272145557, 0.997265590397686031, 0.996498037531448361},
    {mu, 0.5, 0.5, 1e-6, 0.926489441394795989, 0.930536801481100622, 0.913241935639399805},
    {mu, 0.5, 0.5, 0.001, 0.848816758667683207, 0.85822788497772807, 0.82745409650503521},
    {mu, 0.5, 0.5, 0.25, 0.655746218782808085, 0.675494100065224596, 0.632752750663427252},
    {mu, 0.5, 0.9, 1e-30, 0.999694057801065306, 0.999695436442840482, 0.999609678043189015},
    {mu, 0.5, 0.9, 1e-6, 0.991696081411479824, 0.991773948759835933, 0.989554690797192378},
    {mu, 0.5, 0.9, 0.001, 0.981759641910014854, 0.981976188177183958, 0.977355089325549904},
    {mu, 0.5, 0.9, 0.25, 0.948528031810643739, 0.949327249896605351, 0.939418357601631838},
    {mu, 1, 1e-9, 1e-30, 0.0000631819493471623609, 0.00017047671500842027, 0.0000631816064854962782},
    {mu, 1, 1e-9, 1e-6, 8.72176040753353634e-8, 2.28692611363624801e-7, 8.72176026206959461e-8},
    {mu, 1, 1e-9, 0.001, 1.82984681750183959e-8, 4.64100268897599508e-8, 1.82984680891211269e-8},
    {mu, 1, 1e-9, 0.25, 2.5104101453247472e-9, 5.31720376963618054e-9, 2.51041014333135078e-9},
    {mu, 1, 0.01, 1e-30, 0.999132050427272747, 0.999419711459553921, 0.998435638335300479},
    {mu, 1, 0.01, 1e-6, 0.501059862196253626, 0.69788765191699084, 0.468363921514382905},
    {mu, 1, 0.01, 0.001, 0.162013627669110261, 0.31916663050883044, 0.155999210001399928},
    {mu, 1, 0.01, 0.25, 0.0249235497802316865, 0.0509714946267496499, 0.0247305684558328722},
    {mu, 1, 0.5, 1e-30, 0.999993773954022232, 0.999994135130651914, 0.999984173859294284},
    {mu, 1, 0.5, 1e-6, 0.995012132142448687, 0.995646356374452167, 0.988664394802708853},
    {mu, 1, 0.5, 0.001, 0.97455233605562353, 0.978907416402166669, 0.948182416398034532},
    {mu, 1, 0.5, 0.25, 0.793137196644653675, 0.841702114917880454, 0.715133002102465438},
    {mu, 1, 0.9, 1e-30, 0.999999342410807355, 0.999999348344452991, 0.999998241515183784},
    {mu, 1, 0.9, 1e-6, 0.999504284831461911, 0.999514382525675532, 0.998727668176989341},
    {mu, 1, 0.9, 0.001, 0.997541544037599676, 0.997611599568447296, 0.993964494897348987},
    {mu, 1, 0.9, 0.25, 0.97840834176713486, 0.979531196497955498, 0.957615788633370583},
    {mu, 3, 1e-9, 1e-30, 0.999996496126586497, 0.999999989775853775, 0.999922578179560891},
    {mu, 3, 1e-9, 1e-6, 0.0000397639115538813314, 0.182736658819137137, 0.0000397630195867381542},
    {mu, 3, 1e-9, 0.001, 4.64051251569294927e-7, 0.00177074261592894087, 4.640510913305617e-7},
    {mu, 3, 1e-9, 0.25, 3.95991061478087847e-9, 2.09796919849573117e-6, 3.95991060330863093e-9},
    {mu, 3, 0.01, 1e-30, 0.999999999999996605, 0.999999999999998988, 0.999999999992334646},
    {mu, 3, 0.01, 1e-6, 0.999990943859163955, 0.999999557236979394, 0.997516531416059579},
    {mu, 3, 0.01, 0.001, 0.991022670973505633, 0.999944193368015524, 0.82417232868815746},
    {mu, 3, 0.01, 0.25, 0.0395730925257525877, 0.954938011045989546, 0.038460703698897372},
    {mu, 3, 0.5, 1e-30, 0.999999999999999988, 0.99999999999999999, 0.999999999999922572},
    {mu, 3, 0.5, 1e-6, 0.99999999322050859, 0.999999995527644296, 0.999974852636897056},
    {mu, 3, 0.5, 0.001, 0.999998962883334338, 0.999999436265504277, 0.997849699620995405},
    {mu, 3, 0.5, 0.25, 0.99732971965340887, 0.99952357666575264, 0.798383463409646606},
    {mu, 3, 0.9, 1e-30, 0.999999999999999999, 0.999999999999999999, 0.999999999999991397},
    {mu, 3, 0.9, 1e-6, 0.999999999471015433, 0.999999999503071587, 0.999997205786084462},
    {mu, 3, 0.9, 0.001, 0.999999931431475521, 0.999999937362802421, 0.999760620190336872},
    {mu, 3, 0.9, 0.25, 0.999933740150373607, 0.999947041646776765, 0.972706824334135155},
    {scaled, 0.25, 1e-9, 1e-30, 1.28402541632304571e-9, 1.28402541632304571e-9, 1.28402541632304571e-9},
    {scaled, 0.25, 1e-9, 1e-6, 1.28402541632304571e-9, 1.28402541632304571e-9, 1.28402541632304571e-9},
    {scaled, 0.25, 1e-9, 0.001, 1.28402541632304571e-9, 1.28402541632304571e-9, 1.28402541632304571e-9},
    {scaled, 0.25, 1e-9, 0.25, 1.28402541632304571e-9, 1.28402541632304571e-9, 1.28402541632304571e-9},
    {scaled, 0.25, 0.01, 1e-30, 0.0128038878709995774, 0.0128038878709995774, 0.0128038878709995774},
    {scaled, 0.25, 0.01, 1e-6, 0.0128038878709995774, 0.0128038878709995774, 0.0128038878709995774},
    {scaled, 0.25, 0.01, 0.001, 0.0128038878709995774, 0.0128038878709995774, 0.0128038878709995774},
    {scaled, 0.25, 0.01, 0.25, 0.0128038878709995774, 0.0128038878709995774, 0.0128038878709995774},
    {scaled, 0.25, 0.5, 1e-30, 0.562176500885798104, 0.562176500885798104, 0.562176500885798104},
    {scaled, 0.25, 0.5, 1e-6, 0.562176500885798104, 0.562176500885798104, 0.562176500885798104},
    {scaled, 0.25, 0.5, 0.001, 0.562176500885798104, 0.562176500885798104, 0.562176500885798104},
    {scaled, 0.25, 0.5, 0.25, 0.562176500885798104, 0.562176500885798104, 0.562176500885798104},
    {scaled, 0.25, 0.9, 1e-30, 0.920358252474104229, 0.920358252474104229, 0.920358252474104229},
    {scaled, 0.25, 0.9, 1e-6, 0.920358252474104229, 0.920358252474104229, 0.920358252474104229},
    {scaled, 0.25, 0.9, 0.001, 0.920358252474104229, 0.920358252474104229, 0.920358252474104229},
    {scaled, 0.25, 0.9, 0.25, 0.920358252474104229, 0.920358252474104229, 0.920358252474104229},
    {scaled, 2, 1e-9, 1e-30, 7.38905605172155705e-9, 7.38905605172155705e-9, 7.38905605172155705e-9},
    {scaled, 2, 1e-9, 1e-6, 7.38905605172155705e-9, 7.38905605172155705e-9, 7.38905605172155705e-9},
    {scaled, 2, 1e-9, 0.001, 7.38905605172155705e-9, 7.38905605172155705e-9, 7.38905605172155705e-9},
    {scaled, 2, 1e-9, 0.25, 3.45865886572257627e-9, 7.38905605172155705e-9, 3.45865885854988718e-9},
    {scaled, 2, 0.01, 1e-30, 0.0694531596563804845, 0.0694531596563804845, 0.0694531596563804845},
    {scaled, 2, 0.01, 1e-6, 0.0694531596563804845, 0.0694531596563804845, 0.0694531596563804845},
    {scaled, 2, 0.01, 0.001, 0.0694531596563804845, 0.0694531596563804845, 0.0694531596563804845},
    {scaled, 2, 0.01, 0.25, 0.0344495111564917167, 0.0694531596563804845, 0.0337566283347644949},
    {scaled, 2, 0.5, 1e-30, 0.880797077977882444, 0.880797077977882444, 0.880797077977882444},
    {scaled, 2, 0.5, 1e-6, 0.880797077977882444, 0.880797077977882444, 0.880797077977882444},
    {scaled, 2, 0.5, 0.001, 0.880797077977882444, 0.880797077977882444, 0.880797077977882444},
    {scaled, 2, 0.5, 0.25, 0.880797077977882444, 0.880797077977882444, 0.775717311008178138},
    {scaled, 2, 0.9, 1e-30, 0.98518551546926213, 0.98518551546926213, 0.98518551546926213},
    {scaled, 2, 0.9, 1e-6, 0.98518551546926213, 0.98518551546926213, 0.98518551546926213},
    {scaled, 2, 0.9, 0.001, 0.98518551546926213, 0.98518551546926213, 0.98518551546926213},
    {scaled, 2, 0.9, 0.25, 0.98518551546926213, 0.98518551546926213, 0.968874433985733425},
};

// The truth lies inside, and closed forms leave no more than their rounding: a rate is found to a few ulp of
// its logarithm, at most 690, and likelihood ratios here follow it no faster.
void check_holds(const Bounds& found, double truth) {
  CHECK(found.lower <= truth * (1 + 2e-16));
  CHECK(found.upper >= truth * (1 - 2e-16));
  CHECK(found.upper - found.lower <= 4 * 690 * 0x1p-52 * truth);
}

double share(double prior, double a, double b) { return prior * a / (prior * a + (1 - prior) * b); }

constexpr double rates[] = {1e-60, 1e-4, 0.3};
constexpr double priors[] = {0.01, 0.9};

// Whatever the curve, a test on it is an event: none may beat what is said about events of its probability.
int check_against_tests(const Description& description, double size, bool all) {
  GroupPrivacy group(privacy_loss(description), size, 1e-4);
  int tried = 0;
  for (const double rate : rates) {
    const double power = group.power(rate).lower;
    for (const double prior : priors) {
      if (!all && (prior != 0.01 || rate != 1e-4)) continue;
      CAPTURE(rate);
      CAPTURE(prior);
      const double posterior_of_test = share(prior, power, rate) * (1 - 1e-14);
      const double probability = std::min(1.0, prior * power + (1 - prior) * rate);
      const Posterior by_event = posterior(group, prior, probability);
      CHECK(by_event.event.upper >= posterior_of_test);
      CHECK(by_event.event.lower >= prior);
      CHECK(by_event.event.lower <= by_event.event.upper);
      CHECK(posterior(group, prior, power).right.upper >= posterior_of_test);
      const Bounds wrong = posterior(group, prior, rate).wrong;
      CHECK(wrong.upper >= posterior_of_test);
      CHECK(wrong.lower <= posterior_of_test * (1 + 1e-13));
      ++tried;
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("posteriors of Gaussian and Laplace noise are those of the definition") {
  for (const Row& row : rows) {
    CAPTURE(row.parameter);
    CAPTURE(row.prior);
    CAPTURE(row.exceptions);
    const Posterior found = of(row.kind(row.parameter), row.prior, row.exceptions);
    check_holds(found.event, row.event);
    check_holds(found.right, row.right);
    check_holds(found.wrong, row.wrong);
  }
}

TEST_CASE("of a mere statement of epsilon and delta it is the formula of its two lines") {
  for (const double delta : {1e-5, 1e-9}) {
    for (const double prior : {0.01, 0.3}) {
      const double tau = 1e-3, grown = std::exp(1.0);
      const double out = (tau - prior * delta) / (prior * grown + 1 - prior);
      const double expected = prior * (grown * out + delta) / tau;
      const Bounds found =
          of({"approximate", {{"epsilon", 1}, {"delta", delta}}, {}, {}, {}}, prior, tau).event;
      CHECK(found.lower <= expected * (1 + 1e-14));
      CHECK(found.upper >= expected * (1 - 1e-14));
      CHECK(found.upper <= found.lower * (1 + 1e-12));
    }
  }
  // 1e-5, 0.01, in 18 digits.
  const Bounds found = of({"approximate", {{"epsilon", 1}, {"delta", 1e-5}}, {}, {}, {}}, 0.01, 1e-3).event;
  check_holds(found, 0.0268209586262962845);
}

TEST_CASE("it is never read off the law of the loss") {
  // The law of N(0, 1) against N(1, 1) has P(L > 5.2534243) = 1e-6; a bit of the release has a ratio of
  // e^5.4323.
  const double right = of(gdp(1), 0.5, 1e-6).right.upper;
  CHECK(std::log(right / (1 - right)) > 5.43237902);
  CHECK(std::log(right / (1 - right)) < 5.43237903);
}

TEST_CASE("outcomes that give a person away leave no doubt") {
  const Description failing{"approximate", {{"epsilon", 1}, {"delta", 1e-3}}, {}, {}, {}};
  for (const double prior : priors) {
    CHECK(of(failing, prior, 1e-3 * prior / 2).event.upper == 1);
    CHECK(of(failing, prior, 1e-3 * prior / 2).event.lower > 1 - 1e-9);
    CHECK(of(failing, prior, 0.9e-3).right.upper == 1);
    CHECK(of(failing, prior, 0.9e-3).right.lower > 1 - 1e-9);
    // Rarely, and in one world only: where the suspicion is wrong they do not occur.
    CHECK(of(failing, prior, 0.01).right.upper < 1);
    CHECK(of(failing, prior, 0.01).event.upper < 1);
  }
}

TEST_CASE("exceptions as likely as what gives away leave no doubt either, and the lower end says so") {
  const Description answer{
      "randomized-response", {{"categories", 3}, {"epsilon", 0.4}}, {}, {{"other", "another"}}, {}};
  for (const double delta : {1e-30, 1e-6, 0.1}) {
    CAPTURE(delta);
    const Description stated{"approximate", {{"epsilon", 1}, {"delta", delta}}, {}, {}, {}};
    const Description both{"composition", {}, {}, {}, {{answer, 2}, {stated, 1}}};
    for (const double prior : {1e-3, 0.5}) {
      CHECK(of(stated, prior, delta).right.upper == 1);
      CHECK(of(stated, prior, delta).right.lower > 1 - 1e-8);
      CHECK(of(both, prior, delta).right.upper == 1);
      CHECK(of(both, prior, delta).right.lower > 1 - 1e-8);
      // Any more exceptions, and there is some doubt: p delta' / (p delta' + (1 - p) (delta' - delta) / e).
      const double more = 1.001 * delta, odds = (1 - prior) / prior * (more - delta) / std::exp(1.0) / more;
      CHECK(of(stated, prior, more).right.lower <= 1 / (1 + odds) * (1 + 1e-9));
      CHECK(of(stated, prior, more).right.upper >= 1 / (1 + odds) * (1 - 1e-9));
    }
  }
}

TEST_CASE("no test on the curve of any description beats it") {
  std::string before;
  int tried = 0;
  std::map<std::string, int> seen;
  for (const Question& question : tables()) {
    const std::string text = question.text.substr(question.text.find("description"));
    const std::string about = text.substr(0, text.rfind("},\""));
    if (about == before) continue;
    before = about;
    CAPTURE(question.text);
    const auto loss = privacy_loss(question.description);
    // A few of each kind; what has no closed form takes a while.
    const bool closed = loss->profile() != nullptr;
    if (++seen[question.description.kind + (closed ? "" : " composed")] > (closed ? 2 : 1)) continue;
    tried += check_against_tests(question.description, 1, closed);
  }
  CHECK(tried > 80);
}

TEST_CASE("nor of a group") {
  for (const Description& one : {gdp(0.4), laplace(0.3)}) {
    CHECK(check_against_tests(one, 3, one.kind == "gdp") > 0);
  }
}

TEST_CASE("what cannot be meant is refused by name") {
  for (const double wrong : {0.0, 1.0, -0.1, std::nan(""), 1e-101}) {
    CHECK_THROWS_AS(of(gdp(1), wrong, 0.1), Refusal);
    if (wrong != 1) CHECK_THROWS_AS(of(gdp(1), 0.1, wrong), Refusal);
  }
  CHECK(of(gdp(1), 0.3, 1).event.upper == doctest::Approx(0.3).epsilon(1e-14));
}

}  // namespace epsilometer::posterior_sentence_test
