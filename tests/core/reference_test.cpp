// Every answer against the 25-digit truth of its definition: the interval holds it, and is as narrow as
// promised.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "core/accounting/profile.h"
#include "tests/core/tables.h"

namespace epsilometer::reference_test {

namespace {

// A long double holds 19 digits natively and all 25 in WebAssembly, where the truth's own rounding shows.
constexpr long double last_digit = 1e-24L;

long double read(const std::string& text) { return std::strtold(text.c_str(), nullptr); }

long double truth(const Question& question) { return read(question.truth); }

bool is_ordinary(long double value) { return value != 0 && std::isfinite(static_cast<double>(value)); }

// The relative distance of an end of the interval from what it should be.
double apart(double end, long double value) {
  if (!is_ordinary(value) || std::abs(value) < 1e-300L) return 0;
  return static_cast<double>(std::abs((end - value) / value));
}

// The largest of both ends.
double width(const Question& question, const Bounds& bounds) {
  const double above = apart(bounds.upper, read(question.upper));
  return question.bound || question.ask == "renyi" ? above
                                                   : std::max(above, apart(bounds.lower, truth(question)));
}

// What each kind of answer promises. The exceptions are ill-conditioned by nature: a Renyi bound converted at
// an extreme order; a mixture, whose best half-line is searched; a supremum that is searched (to 13 digits,
// unless the curvature is much larger than lambda; a divergence to what its peak is off by); what has to be
// composed, whose losses are right to 1e-14 of the largest one, and whose trade-off curve is searched; a
// binomial weight that is hundreds of multiplications from the mode; an epsilon so near 0 that delta, as a
// double, cannot tell it from 0 (for those an absolute distance of 1e-13 is asked).
double promised(const Question& question) {
  const std::string& kind = question.description.kind;
  if (kind == "rdp" && question.ask != "renyi") return 1e-10;
  if ((kind == "zcdp" || kind == "xi-zcdp" || kind == "tcdp") && question.ask == "delta") return 2e-11;
  if (kind == "composition" && question.ask == "tradeOff") return 1e-5;
  if (kind == "composition") {
    const auto loss = privacy_loss(question.description);
    return 8e-12 + 4e-14 * std::min(loss->largest_loss(), epsilon(*loss, 1e-300).upper);
  }
  if (kind == "objective-perturbation") {
    const auto& numbers = question.description.numbers;
    if (question.ask == "renyi") return 1e-9;
    return numbers.at("smoothness") > 10 * numbers.at("lambda") ? 1e-8 : 1e-11;
  }
  // Its best half-line ends where a sum of exponentials in doubles crosses a level: known to (24 + n)
  // roundings of logarithms of at most 40, and at its end delta falls by up to 40 of itself.
  if (kind == "gaussian-mixture") return 1e-11;
  // Of a replaced record all outcomes are weighed, with losses known to 40 roundings of the logarithms of
  // both sides.
  if (kind == "subsampled" && question.description.texts.contains("neighbours")) return 4e-12;
  // As many terms as answers, of which each is e^-x with x up to some hundred, and what one is wrong by all
  // after it are.
  if (kind == "sparse-vector") return question.ask == "delta" ? 1e-10 : 1e-11;
  if (kind == "approximate-minima-perturbation") return question.ask == "delta" ? 1e-2 : 2e-4;
  return 1e-12;
}

}  // namespace

TEST_CASE("every interval contains the truth") {
  REQUIRE(tables().size() > 600);
  for (const Question& question : tables()) {
    if (question.ask == "calibrate") continue;
    CAPTURE(question.text);
    const Bounds bounds = answer(question);
    const long double value = truth(question);
    CHECK(bounds.upper >= std::max(value, read(question.upper)) * (1 - last_digit));
    if (question.ask != "renyi") CHECK(bounds.lower <= bounds.upper);
    if (question.ask != "renyi" && !question.bound) CHECK(bounds.lower <= value * (1 + last_digit));
  }
}

TEST_CASE("every interval is narrow") {
  for (const Question& question : tables()) {
    if (question.ask == "calibrate") continue;
    CAPTURE(question.text);
    const Bounds bounds = answer(question);
    const bool near_zero =
        question.ask == "epsilon" && truth(question) < 1e-2L && bounds.upper < 1e-13 + truth(question);
    if (!near_zero) CHECK(width(question, bounds) <= promised(question));
  }
}

TEST_CASE("a calibrated value is the least private one that keeps the promise, to 12 digits") {
  int asked = 0;
  for (const Question& question : tables()) {
    if (question.ask != "calibrate") continue;
    CAPTURE(question.text);
    ++asked;
    CHECK(static_cast<double>(std::abs(answer(question).upper - truth(question)) / truth(question)) <=
          (question.description.kind == "objective-perturbation" ? 1e-11 : 1e-12));
  }
  CHECK(asked > 30);
}

}  // namespace epsilometer::reference_test
