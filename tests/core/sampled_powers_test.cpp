// The nodes of a Poisson sample of normal noise, and how fast its characteristic function decays, against
// sums of a great many points; and integrals along their line against those of panels.
#include "core/accounting/composition/sampled_powers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <random>
#include <string>

#include "core/accounting/composition/contour.h"
#include "core/accounting/composition/cut_off.h"
#include "core/accounting/composition/law_nodes.h"
#include "core/accounting/composition/steering/steering.h"
#include "tests/core/descriptions.h"

namespace epsilometer::sampled_powers_test {

namespace {

std::shared_ptr<const Law> sampled_law(double sigma, double rate, Direction direction) {
  const Description asked = sampled("poisson", rate, one("gaussian", {{"sigma", sigma}, {"sensitivity", 1}}));
  return privacy_loss(asked)->laws()->law(direction);
}

// E e^{(theta + more + it) L} over E e^{theta L}, and the log of the latter, from the density with respect to
// the output.
class Plain {
 public:
  Plain(double sigma, double rate, Direction direction, double theta) {
    const double mu = 1 / sigma, step = std::min(1.0, sigma) / 48;
    const double far = 14 + (2 + std::abs(theta)) * mu;
    for (double x = -far; x <= far; x += step) {
      const double without = -x * x / 2, ratio = std::log1p(rate * std::expm1(mu * (x - mu / 2)));
      const bool removing = direction == Direction::remove;
      losses_.push_back(removing ? ratio : -ratio);
      exponents_.push_back(without + (removing ? ratio : 0) + theta * losses_.back());
      top_ = std::max(top_, exponents_.back());
    }
    for (const double exponent : exponents_) total_ += std::exp(exponent - top_);
    log_moment_ = top_ + std::log(total_ * step) - 0.91893853320467274;
  }

  double log_moment() const { return log_moment_; }
  std::complex<double> at(double more, double t) const {
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < losses_.size(); ++i)
      sum += std::exp(exponents_[i] - top_ + more * losses_[i]) * std::polar(1.0, t * losses_[i]);
    return sum / total_;
  }

 private:
  std::vector<double> losses_, exponents_;
  double top_ = -1e300, total_ = 0, log_moment_ = 0;
};

struct Case {
  double sigma, rate, theta;
  Direction direction;

  std::string text() const {
    return std::to_string(sigma) + " " + std::to_string(rate) + " " + std::to_string(theta) +
           (direction == Direction::remove ? " remove" : " add");
  }
  Plain plain() const { return {sigma, rate, direction, theta}; }
  /// So many of them, of which nothing is cut.
  TiltedPart part(double count) const { return {sampled_law(sigma, rate, direction), count, 0, 0, 0, 0, 0}; }
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const double sigma : {0.4, 1.0, 3.0, 20.0})
    for (const double rate : {1e-3, 0.02, 0.5})
      for (const double theta : {0.1, 2.0, 9.0})
        for (const Direction direction : {Direction::remove, Direction::add})
          all.push_back({sigma, rate, theta, direction});
  return all;
}

}  // namespace

TEST_CASE("moments of a sample by few even nodes are as right as they say, along the line and beside it") {
  int asked = 0, wrong = 0;
  for (const Case& one : cases()) {
    const double theta = one.theta;
    const Plain plain = one.plain();
    const TiltedPart part = one.part(1);
    const LinePlan plan{theta, 0, 1, 1, 1, 20, -20};
    for (const double depth : {8.0, 14.0, 24.0})
      for (const double last : {2.0, 15.0}) {
        CAPTURE(one.text());
        CAPTURE(depth);
        CAPTURE(last);
        LawNodes nodes(part, last);
        // Too large a tilt beside the noise takes more nodes than panels do.
        if (!nodes.fill_evenly(theta, last, depth)) continue;
        const double doubt = nodes.doubt(plan, 0, 0) + 1e-13 * (1 + std::abs(plain.log_moment()));
        CHECK(std::abs(nodes.log_moment(theta, 0) - plain.log_moment()) <= doubt);
        CHECK(doubt <= 100 * std::exp(-depth) + 1e-10);
        std::vector<LawNodes::Value> sums(8);
        nodes.add_turns(last / 15, sums);
        for (std::size_t j = 0; j < sums.size(); ++j) {
          const double turns = 2 * static_cast<double>(j) + 1, t = turns * last / 15;
          const double off = std::abs(sums[j] / nodes.total() - plain.at(0, t));
          CHECK(off <= nodes.doubt(plan, t, turns) + 1e-12);
          wrong += off > 1e-3 * std::exp(-depth);
          ++asked;
        }
        for (const double more : {-std::min(theta, last), last / 4}) {
          const double truth = plain.log_moment() + std::log(plain.at(more, 0).real());
          CHECK(nodes.log_moment(theta, more) >=
                truth - 2 * nodes.doubt(plan, last, 0) - 1e-12 * (1 + std::abs(truth)));
        }
      }
  }
  CHECK(asked > 2500);
  CHECK(wrong > asked / 10);
}

TEST_CASE("from some frequency on no characteristic function of a sample is larger than its decay says") {
  int asked = 0, told = 0;
  for (const Case& one : cases()) {
    const Plain plain = one.plain();
    const TiltedPart part = one.part(1);
    for (const double depth : {10.0, 20.0}) {
      LawNodes nodes(part, 15);
      if (!nodes.fill_evenly(one.theta, 15, depth)) continue;
      for (const double t : {0.3, 1.0, 4.0, 15.0}) {
        const double decay = nodes.decay(t);
        CAPTURE(one.text());
        CAPTURE(depth);
        CAPTURE(t);
        for (const double further : {1.0, 1.3, 2.0, 5.0}) {
          const double truth = -std::log(std::abs(plain.at(0, further * t)));
          CHECK(decay <= truth + 1e-12);
          told += further == 1.0 && decay > truth / 3;
        }
        ++asked;
      }
    }
  }
  CHECK(asked > 400);
  CHECK(told > asked / 2);
}

TEST_CASE("what a cut-off leaves out of many samples is no more than it says, and not far less") {
  int asked = 0, near = 0;
  for (const Case& one : cases()) {
    const Plain plain = one.plain();
    const double slope = plain.at(0, 1e-3).imag() / 1e-3;
    const double spread = std::sqrt(-2e6 * std::log(std::abs(plain.at(0, 1e-3))));
    for (const double count : {1e3, 1e5}) {
      const LinePlan plan{one.theta, count * slope, std::sqrt(count) * spread, 1, 1, 20, -20};
      const std::vector<TiltedPart> parts{one.part(count)};
      std::vector<LawNodes> laws;
      const CutOff cut = cut_off_of_samples(plan, parts, laws);
      if (!std::isfinite(cut.at)) continue;
      CAPTURE(one.text());
      CAPTURE(count);
      CHECK(cut.depth >= plan.depth);
      for (const double further : {1.0, 1.2, 1.6, 3.0})
        CHECK(-count * std::log(std::abs(plain.at(0, further * cut.at))) >= cut.depth - count * 1e-12);
      near += -count * std::log(std::abs(plain.at(0, cut.at))) <= 3 * cut.depth;
      ++asked;
    }
  }
  CHECK(asked > 100);
  CHECK(near > asked / 2);
}

TEST_CASE("an integral of samples is steered badly and still agrees with one over panels") {
  std::mt19937_64 stream(20261130);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto factor = [&](double most) { return std::exp(most * (2 * uniform(stream) - 1)); };
  int held = 0, narrow = 0;
  for (int i = 0; i < 60; ++i) {
    const Direction direction = i % 2 == 0 ? Direction::remove : Direction::add;
    const auto law = sampled_law(factor(1), 0.05 * factor(2), direction);
    const std::vector<RepeatedLaw> laws{{law, std::round(300 * factor(2))}};
    const Steering steering(laws);
    const double log_delta = -30 * uniform(stream) - 3;
    const Tilt tilt = steering.tilts().for_delta(log_delta);
    const auto good = steering.line(tilt, log_delta, 0);
    REQUIRE(good);
    const auto panels = Contour::along(good->plan, good->parts);
    const auto line = steering.line_of_samples(steering.tilts().at(tilt.theta * factor(1)), log_delta, 0);
    REQUIRE(line);
    LinePlan bad = line->plan;
    bad.centre += bad.spread * (4 * uniform(stream) - 2);
    bad.spread *= factor(1);
    bad.rise *= factor(1);
    bad.fall *= factor(1);
    bad.depth *= 1.2 * uniform(stream);
    const auto found = Contour::along_samples(bad, line->parts);
    if (!panels || !found) continue;
    for (double away = -3; away <= 3; away += 0.25) {
      const double epsilon = tilt.centre + away * tilt.spread;
      CAPTURE(i);
      CAPTURE(away);
      CHECK(found->lower(epsilon) <= panels->upper(epsilon));
      CHECK(found->upper(epsilon) >= panels->lower(epsilon));
      narrow += found->upper(epsilon) < 1.001 * found->lower(epsilon);
      ++held;
    }
  }
  CHECK(held > 700);
  CHECK(narrow > held / 8);
}

}  // namespace epsilometer::sampled_powers_test
