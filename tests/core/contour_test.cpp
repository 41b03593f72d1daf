// The contour integral where the characteristic function ceases to decay: rare large losses beside an atom.
#include "core/accounting/composition/contour.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "core/accounting/composition/enumeration.h"
#include "core/loss/laws/atomic_law.h"
#include "core/numerics/normal.h"

namespace epsilometer::contour_test {

namespace {

// Nothing, or with probability `share` the loss N(mu^2/2, mu^2) of a Gaussian release.
class RareGaussian final : public Law {
 public:
  // `off`: the relative error of the atom's mass.
  RareGaussian(double share, double mu, double off) : share_(share), mu_(mu), off_(off) {}

  std::vector<Atom> atoms() const override { return {{0, (1 - share_) * (1 + off_)}}; }
  double loss(double z) const override { return mu_ * mu_ / 2 + mu_ * z; }
  double x_at(double loss) const override { return loss / mu_ - mu_ / 2; }
  double slope(double) const override { return mu_; }
  double log_density(double z) const override { return std::log(share_) - z * z / 2 - 0.91893853320467274; }
  double log_slope_bound(double from, double to) const override {
    return std::max(std::abs(from), std::abs(to)) + mu_;
  }
  double length_scale() const override { return 1; }
  double analytic_halfwidth() const override { return std::numeric_limits<double>::infinity(); }
  int max_modes() const override { return 1; }
  double log_above(double z) const override { return std::log(share_) + log_normal_upper_tail(z); }
  double log_below(double z) const override { return std::log(share_) + log_normal_upper_tail(-z); }

 private:
  double share_, mu_, off_;
};

struct Rare {
  double share, mu, count;

  // delta(epsilon), the expectation over the number of releases that show something; all terms are positive.
  double delta(double epsilon) const {
    double log_choices = count * std::log1p(-share);
    double sum = epsilon < 0 ? std::exp(log_choices) * -std::expm1(epsilon) : 0;
    for (int shown = 1; shown <= std::min(count, 400.0); ++shown) {
      log_choices += std::log((count - shown + 1) / shown) + std::log(share) - std::log1p(-share);
      const double size = mu * std::sqrt(static_cast<double>(shown)), at = epsilon / size;
      const double more = log_normal_upper_tail(at - size / 2), less = log_normal_upper_tail(at + size / 2);
      sum += std::exp(log_choices + more) * -std::expm1(epsilon + less - more);
    }
    return sum;
  }

  double log_moment(double theta) const { return std::log1p(share * std::expm1(exponent(theta))); }
  double exponent(double theta) const { return theta * (1 + theta) * mu * mu / 2; }
  // The expected number of releases that show something under the tilted law, and the sum's mean and spread.
  double shown(double theta) const {
    return count * std::exp(std::log(share) + exponent(theta) - log_moment(theta));
  }
  double mean(double theta) const { return shown(theta) * mu * mu * (0.5 + theta); }
  double spread(double theta) const {
    return std::sqrt(shown(theta) * mu * mu * (1 + mu * mu * (0.5 + theta) * (0.5 + theta)));
  }
  // The smooth part of a loss within so many of its standard deviations around the tilt.
  std::optional<Contour> line(double theta, double under, double over, double off = 0) const {
    const auto law = std::make_shared<RareGaussian>(share, mu, off);
    const double log_delta = std::log(delta(mean(theta)));
    const double from = theta * mu - under, to = theta * mu + over;
    const TiltedPart part{
        law, count, std::min(0.0, law->loss(from)), law->loss(to), from, to, log_moment(theta)};
    const double depth = 30, fast = 4 / spread(theta);
    return Contour::along({theta, mean(theta), spread(theta), fast, fast, depth, log_delta}, {part});
  }
  // As far as it weighs: what is above counts as infinite, what is below is e^-98 of the tilted mass.
  std::optional<Contour> line(double theta, double off = 0) const {
    return line(theta, 14, 14 + std::sqrt(-2 * std::log(delta(mean(theta)))), off);
  }
};

// So many are expected to be shown under the tilted law.
Rare rare(double expected, double mu, double count, double theta) {
  const double odds = expected / (count - expected) * std::exp(-Rare{0, mu, count}.exponent(theta));
  return {odds / (1 + odds), mu, count};
}

}  // namespace

TEST_CASE("a characteristic function that stays above a floor is charged for what the cut-off leaves") {
  // With s shown releases expected, |phi| stays above e^-s. The atom of "nothing is shown" at 0 is what the
  // cut-off leaves, so that at epsilon = 0 the error is as large as its bound, but for the tenth of the
  // exponent that the bound does not use: no part of the bound can be missing unnoticed.
  for (const double expected : {7.5, 9.0, 12.0, 16.0, 24.0}) {
    for (const double mu : {0.3, 1.0, 3.0}) {
      for (const double tilt : {0.2, 1.0, 4.0}) {
        for (const double count : {60.0, 1e3, 1e6}) {
          const double theta = tilt / std::max(1.0, mu);
          const Rare sum = rare(expected, mu, count, theta);
          CAPTURE(expected);
          CAPTURE(mu);
          CAPTURE(theta);
          CAPTURE(count);
          const auto line = sum.line(theta);
          REQUIRE(line);
          const double mean = sum.mean(theta);
          // The terms of the truth are exponentials of sums of up to 1e3, in doubles.
          const double doubt = 1e-10;
          for (const double epsilon : {0.0, mean / 2, mean}) {
            CAPTURE(epsilon);
            const double truth = sum.delta(epsilon);
            CHECK(line->upper(epsilon) >= truth * (1 - doubt));
            CHECK(line->lower(epsilon) <= truth * (1 + doubt));
          }
          CHECK(line->upper(mean) <= 1.1 * line->lower(mean));
        }
      }
    }
  }
}

TEST_CASE("what is cut off a loss counts as infinite above, and by its tilted mass below, in every release") {
  int asked = 0, told = 0;
  for (const double expected : {16.0, 40.0})
    for (const double mu : {0.3, 1.0})
      for (const double theta : {0.2, 1.0, 4.0})
        for (const double count : {60.0, 1e3, 1e6})
          for (const double cut : {0.5, 1.0, 1.5, 2.0, 3.0})
            for (const bool above : {true, false}) {
              const Rare sum = rare(expected, mu, count, theta);
              const auto line = above ? sum.line(theta, 14, cut) : sum.line(theta, cut, 40);
              CAPTURE(expected);
              CAPTURE(mu);
              CAPTURE(theta);
              CAPTURE(count);
              CAPTURE(cut);
              CAPTURE(above);
              REQUIRE(line);
              for (const double share : {0.8, 1.0, 1.2}) {
                const double epsilon = share * sum.mean(theta), truth = sum.delta(epsilon);
                CHECK(line->upper(epsilon) >= truth * (1 - 1e-10));
                CHECK(line->lower(epsilon) <= truth * (1 + 1e-10));
                // The rest of the loss alone is not enough.
                told += line->lower(epsilon) < 0.999 * truth;
                ++asked;
              }
            }
  CHECK(asked == 1080);
  CHECK(told >= 1000);
}

TEST_CASE("masses may be as wrong as a law allows itself, in every release the same way") {
  // An atom's mass is right to 5 rounding margins, which the count raises far above all other errors.
  const double off = 4.9 * rounding_margin;
  for (const double expected : {16.0, 40.0})
    for (const double mu : {0.3, 1.0})
      for (const double theta : {0.2, 1.0, 4.0})
        for (const double count : {1e6, 1e8, 1e10})
          for (const double sign : {-1.0, 1.0}) {
            const Rare sum = rare(expected, mu, count, theta);
            CAPTURE(expected);
            CAPTURE(mu);
            CAPTURE(theta);
            CAPTURE(count);
            CAPTURE(sign);
            const auto line = sum.line(theta, sign * off);
            REQUIRE(line);
            const double epsilon = sum.mean(theta), truth = sum.delta(epsilon);
            CHECK(line->upper(epsilon) >= truth * (1 - 1e-10));
            CHECK(line->lower(epsilon) <= truth * (1 + 1e-10));
          }
}

TEST_CASE("on a lattice what returns at every period is charged, and no more than thrice what can return") {
  // Two outcomes, and epsilon from one point of the sum's lattice to the next: on a point all that returns
  // adds up.
  int held = 0;
  double furthest = 0;
  for (const double count : {100.0, 400.0, 3000.0})
    for (const double mean_shift : {-0.2, 0.0, 0.3})
      for (const double theta : {0.5, 2.0, 5.0}) {
        const double loss = 1.5 / std::sqrt(count), top = 1 / (1 + std::exp(-loss - mean_shift * loss));
        const auto law = std::make_shared<AtomicLaw>(std::vector<Atom>{{-loss, 1 - top}, {loss, top}}, 0);
        const Enumeration exact = *Enumeration::of({{law, count}}, 1e6);
        const double up = top * std::exp(theta * loss), down = (1 - top) * std::exp(-theta * loss);
        const double share = up / (up + down), mean = count * loss * (2 * share - 1);
        const double spread = std::sqrt(count * 4 * share * (1 - share)) * loss, fast = 5 / spread;
        const TiltedPart part{law, count, -loss, loss, 0, 0, std::log(up + down)};
        const double log_delta = std::log(exact.delta(mean).upper);
        const auto line = Contour::along({theta, mean, spread, fast, fast, 24, log_delta}, {part});
        CAPTURE(count);
        CAPTURE(mean_shift);
        CAPTURE(theta);
        // Where one outcome is all but certain, nothing decays.
        if (!line) continue;
        const double first = -count * loss + 2 * loss * std::floor((mean + count * loss) / (2 * loss));
        for (double part_way = -1; part_way <= 1; part_way += 0.0625) {
          const double epsilon = first + 2 * loss * part_way;
          CAPTURE(part_way);
          const Bounds truth = exact.delta(epsilon);
          const double lower = line->lower(epsilon), upper = line->upper(epsilon);
          CHECK(lower <= truth.upper);
          CHECK(upper >= truth.lower);
          const double half = (upper - lower) / 2;
          furthest = std::max(furthest, std::abs(lower + half - truth.upper) / half);
          ++held;
        }
      }
  CHECK(held >= 20 * 33);
  CHECK(furthest > 1.0 / 3);
}

TEST_CASE("where the floor of the characteristic function is high there is no integral") {
  for (const double expected : {0.5, 3.0, 6.0}) CHECK_FALSE(rare(expected, 1, 1e3, 1).line(1));
}

}  // namespace epsilometer::contour_test
