// Rules of quadrature and of summation against closed forms and against sums of every term, in long doubles:
// the errors that they state, and no hundredth of them is enough.
#include "core/numerics/quadrature.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/accounting/composition/panels.h"
#include "core/base/bounds.h"
#include "core/numerics/lattice_sum.h"

namespace epsilometer::quadrature_test {

TEST_CASE("a rule of n nodes integrates every power below 2n and not the next") {
  for (int size = 1; size <= 24; ++size) {
    const Rule rule = gauss_legendre(size);
    REQUIRE(rule.nodes.size() == static_cast<std::size_t>(size));
    const auto integral = [&](int power) {
      long double sum = 0;
      for (std::size_t i = 0; i < rule.nodes.size(); ++i)
        sum += rule.weights[i] * std::pow(static_cast<long double>(rule.nodes[i]), power);
      return static_cast<double>(sum);
    };
    for (int power = 0; power < 2 * size; ++power) {
      CAPTURE(size);
      CAPTURE(power);
      const double truth = power % 2 == 0 ? 2.0 / (power + 1) : 0;
      // The weights are those of nodes that are rounded themselves.
      CHECK(std::abs(integral(power) - truth) <= 64 * unit_roundoff);
    }
    // What is missing from the integral of x^{2n}: that of the squared monic Legendre polynomial.
    double missing = 2.0 / (2 * size + 1);
    for (int k = 1; k <= size; ++k) missing *= (k / (2.0 * k - 1)) * (k / (2.0 * k - 1));
    if (missing > 1e-9)
      CHECK(integral(2 * size) == doctest::Approx(2.0 / (2 * size + 1) - missing).epsilon(1e-6));
  }
}

namespace {

// Against e^{steepness x}, whose logarithm moves by that along the real axis, and along the imaginary one.
double error_of(double from, double to, double steepness, double longest) {
  double sum = 0;
  integrate(from, to, std::abs(steepness), longest,
            [&](double x, double weight) { sum += weight * std::exp(steepness * (x - to)); });
  const long double width = static_cast<long double>(to) - from, slope = steepness;
  const long double truth = slope == 0 ? width : -std::expm1(-slope * width) / slope;
  return static_cast<double>(std::abs(sum / truth - 1));
}

}  // namespace

TEST_CASE("a composite rule integrates exponentials and Gaussians with a relative error of 1e-14") {
  double worst = 0;
  int compared = 0;
  for (double width = 1e-4; width < 40; width *= 1.7)
    for (double change = 1e-4; change < 30; change *= 1.3)
      for (const double sign : {-1.0, 1.0}) {
        const double error = error_of(0, width, sign * change / width, 1e9);
        CAPTURE(width);
        CAPTURE(change);
        // Nodes that are rounded, and sums of at most 8 times 15 terms.
        CHECK(error <= 1e-14 + 40 * unit_roundoff);
        worst = std::max(worst, error);
        ++compared;
      }
  CHECK(compared == 25 * 49 * 2);
  CHECK(worst > 1e-15);
  // A Gaussian in panels of 0.4, where its logarithm bends.
  for (double from = -6; from < 6; from += 0.37)
    for (const double width : {0.1, 0.4, 1.0, 3.0}) {
      const double to = from + width, steepness = std::max(std::abs(from), std::abs(to));
      double sum = 0;
      integrate(from, to, steepness, 0.4,
                [&](double x, double weight) { sum += weight * std::exp(-x * x / 2); });
      const long double root = std::sqrt(2.0L), half = std::sqrt(std::numbers::pi_v<long double> / 2);
      // From the side where nothing cancels.
      const long double a = std::min(std::abs(from), std::abs(to)), b = steepness;
      const long double truth = from < 0 && to > 0 ? half * (std::erf(to / root) - std::erf(from / root))
                                                   : half * (std::erfc(a / root) - std::erfc(b / root));
      CAPTURE(from);
      CAPTURE(width);
      CHECK(std::abs(sum / truth - 1) <= 1e-14L + 100 * unit_roundoff);
    }
}

TEST_CASE("a panel integrates what moves by five over its half to rounding, in modulus and in phase") {
  // e^{(a + ib) x} on a panel of half 1, |a| + |b| = 5; an error relative to the integral of the modulus.
  double worst = 0;
  for (double a = -5; a <= 5; a += 0.25)
    for (const double side : {-1.0, 1.0}) {
      const long double b = side * (5 - std::abs(a));
      const std::complex<long double> z(a, b);
      std::complex<long double> sum = 0;
      for (std::size_t i = 0; i < PanelRule::abscissa().size(); ++i) {
        const long double x = PanelRule::abscissa()[i], weight = PanelRule::weights()[i];
        sum += weight * (std::exp(z * x) + std::exp(-z * x));
      }
      const std::complex<long double> truth = (std::exp(z) - std::exp(-z)) / z;
      const long double modulus = a == 0 ? 2 : 2 * std::sinh(static_cast<long double>(a)) / a;
      const double error = static_cast<double>(std::abs(sum - truth) / modulus);
      CAPTURE(a);
      // The tables of nodes and weights are doubles: a unit each, of which the nodes move a term by five.
      CHECK(error <= panel_error + 6 * unit_roundoff);
      worst = std::max(worst, error);
    }
  CHECK(worst > unit_roundoff / 16);
  // Nodes and ends, and the middle between the two nodes that are furthest apart.
  double widest = 1 - PanelRule::abscissa().back(), before = -PanelRule::abscissa().front();
  for (const double node : PanelRule::abscissa()) {
    widest = std::max(widest, (node - before) / 2);
    before = node;
  }
  CHECK(widest <= widest_gap);
  // It is told in steps of 1e-4.
  CHECK(widest > widest_gap - 1e-4);
}

TEST_CASE("ten nodes sum runs of Gaussian terms as if every term were added") {
  double worst = 0;
  for (const double count : {64.0, 100.0, 1000.0, 30000.0}) {
    const LatticeRule rule(count);
    for (double start = -4; start < 4; start += 0.5) {
      // A run of 0.8 standard deviations.
      const double sigma = count / 0.8, last = std::round(start * sigma);
      const double here = std::max(std::abs(last), std::abs(last - count)) / sigma;
      if (here * 0.4 > 1) continue;
      long double truth = 0;
      const auto term = [&](auto k) { return std::exp(-k * k / (2 * sigma * sigma)); };
      for (double i = 0; i < count; ++i) truth += term(static_cast<long double>(last - i));
      const double error = static_cast<double>(std::abs(rule.sum(term, last) / truth - 1));
      CAPTURE(count);
      CAPTURE(start);
      // Ten terms, whose weights are quotients of 20 operations.
      CHECK(error <= 1e-17 + 32 * unit_roundoff);
      worst = std::max(worst, error);
    }
    CHECK(rule.sum([](double) { return 1.0; }, 7) == doctest::Approx(count).epsilon(1e-14));
    CHECK(rule.sum([](double x) { return x; }, 7) ==
          doctest::Approx(count * (7 - (count - 1) / 2)).epsilon(1e-14));
  }
  CHECK(worst > 0);
}

}  // namespace epsilometer::quadrature_test
