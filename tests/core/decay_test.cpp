// What is proven of characteristic functions, from which an integral takes its cut-off, against the functions
// themselves by a rule of a great many points; and integrals that are steered badly.
#include "core/accounting/composition/decay.h"

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <random>

#include "core/accounting/composition/contour.h"
#include "core/accounting/composition/cut_off.h"
#include "core/accounting/composition/enumeration.h"
#include "core/accounting/composition/steering/steering.h"
#include "core/loss/laws/atomic_law.h"
#include "tests/core/descriptions.h"

namespace epsilometer::decay_test {

namespace {

const Description gaussian = one("gaussian", {{"sigma", 1.2}, {"sensitivity", 1}});
const Description laplace = one("laplace", {{"scale", 0.9}, {"sensitivity", 1}});
const Description kinds[] = {laplace,
                             sampled("poisson", 0.1, gaussian),
                             sampled("poisson", 1e-3, gaussian),
                             sampled("poisson", 0.2, laplace),
                             one("randomized-response", {{"epsilon", 0.7}, {"categories", 3}}),
                             one("discrete-laplace", {{"scale", 2}, {"sensitivity", 1}}),
                             one("discrete-gaussian", {{"sigma", 2.5}, {"sensitivity", 1}}),
                             one("discrete-gaussian", {{"sigma", 9}, {"sensitivity", 1}})};

// The tilted law at many points, from the same masses and densities as the bounds are, but summed plainly: by
// Simpson's rule on both sides of the breakpoint.
class Plain {
 public:
  Plain(const TiltedPart& part, double theta) {
    const Law& law = *part.law;
    for (const Atom& atom : law.atoms()) add(atom.loss, atom.mass, theta);
    if (!(part.from_x < part.to_x)) return;
    const double middle = std::clamp(law.breakpoint(), part.from_x, part.to_x);
    simpson(law, part.from_x, middle, theta);
    simpson(law, middle, part.to_x, theta);
  }

  double size(double t) const {
    std::complex<double> sum = 0;
    for (const Atom& one : points_) sum += one.mass * std::polar(1.0, t * one.loss);
    return std::abs(sum) / total_;
  }
  double spread() const {
    double mean = 0, square = 0;
    for (const Atom& one : points_) mean += one.mass * one.loss / total_;
    for (const Atom& one : points_) square += one.mass * (one.loss - mean) * (one.loss - mean) / total_;
    return std::sqrt(square);
  }

 private:
  void add(double loss, double mass, double theta) {
    points_.push_back({loss, mass * std::exp(theta * loss)});
    total_ += points_.back().mass;
  }
  void simpson(const Law& law, double from, double to, double theta) {
    constexpr int cells = 2000;
    const double width = (to - from) / cells;
    if (!(width > 0)) return;
    for (int i = 0; i <= cells; ++i) {
      const double x = i == 0 ? from + 1e-12 * width : i == cells ? to - 1e-12 * width : from + i * width;
      const double weight = i == 0 || i == cells ? 1 : i % 2 == 1 ? 4 : 2;
      add(law.loss(x), weight * width / 3 * std::exp(law.log_density(x)), theta);
    }
  }

  std::vector<Atom> points_;
  double total_ = 0;
};

struct Asked {
  LinePlan plan;
  std::vector<TiltedPart> parts;
};

Asked asked(const Description& kind, Direction direction, double count, double log_delta) {
  const std::vector<RepeatedLaw> laws{{privacy_loss(kind)->laws()->law(direction), count}};
  Steering steering(laws);
  const Tilt tilt = steering.tilts().for_delta(log_delta);
  const double fast = 4 / tilt.spread;
  return {{tilt.theta, tilt.centre, tilt.spread, fast, fast, 24, log_delta},
          steering.parts(tilt, {tilt.centre, log_delta, 24})};
}

}  // namespace

TEST_CASE("no characteristic function is larger than its proven decay, nor than its cut-off says") {
  int looked = 0, told = 0, cut = 0;
  for (const Description& kind : kinds)
    for (const Direction direction : {Direction::remove, Direction::add})
      for (const double count : {3.0, 100.0, 1e4}) {
        const auto [plan, parts] = asked(kind, direction, count, -18);
        const auto decay = decay_of(parts[0], plan, 1e-3);
        // Of some laws with smooth parts it is not known where they are analytic.
        if (!decay) continue;
        const Plain plain(parts[0], plan.theta);
        CAPTURE(kind.kind);
        CAPTURE(count);
        const CutOff off = cut_off(plan, parts);
        for (double t = 0.03 / plain.spread(); t < 60 / plain.spread(); t *= 1.09) {
          const double size = plain.size(t), half = decay->period / 2;
          CAPTURE(t);
          if (decay->gaussian == 0 || t <= half) CHECK(size <= std::exp(-(*decay)(t)) + 1e-7);
          told += (*decay)(t) > 0.1;
          if (decay->around > 0) {
            const double apart = std::remainder(t, decay->period);
            CHECK(size <= std::exp(-decay->around * decay->around * apart * apart / 2) + 1e-7);
          }
          ++looked;
          if (!(t >= off.at) || (off.decay > 0 && t > off.period / 2)) continue;
          CHECK(-count * std::log(size) >= off.depth * (1 - 1e-6) - 1e-6);
          ++cut;
        }
      }
  CHECK(looked >= 6 * 2 * 3 * 88);
  CHECK(told > looked / 8);
  CHECK(cut > looked / 8);
}

TEST_CASE("an integral that is steered badly is wide, and never untrue") {
  // Two outcomes close together, whose sums can be listed; everything that steers is drawn anew.
  std::mt19937_64 stream(20261123);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto factor = [&] { return std::exp(6 * uniform(stream) - 3); };
  int held = 0, useless = 0;
  for (int i = 0; i < 400; ++i) {
    const double count = i % 2 == 0 ? 400 : 3000, loss = 1.5 / std::sqrt(count);
    const double top = 1 / (1 + std::exp(-loss));
    const auto law = std::make_shared<AtomicLaw>(std::vector<Atom>{{-loss, 1 - top}, {loss, top}}, 0);
    const Enumeration exact = *Enumeration::of({{law, count}}, 1e6);
    const double theta = 5 * uniform(stream) + 0.05;
    const double up = top * std::exp(theta * loss), down = (1 - top) * std::exp(-theta * loss);
    const double mean = count * loss * (up - down) / (up + down), spread = std::sqrt(count) * loss;
    const TiltedPart part{law, count, -loss, loss, 0, 0, std::log(up + down) + uniform(stream) - 0.5};
    const auto line =
        Contour::along({theta, mean + spread * (4 * uniform(stream) - 2), spread * factor(),
                        5 / spread * factor(), 5 / spread * factor(), 30 * uniform(stream), -20},
                       {part});
    if (!line) continue;
    for (double away = -6; away <= 6; away += 0.3) {
      const double epsilon = mean + away * spread;
      const Bounds truth = exact.delta(epsilon);
      CAPTURE(i);
      CAPTURE(away);
      CHECK(line->lower(epsilon) <= truth.upper);
      CHECK(line->upper(epsilon) >= truth.lower);
      useless += line->upper(epsilon) > 2 * line->lower(epsilon);
      ++held;
    }
  }
  CHECK(held > 4000);
  CHECK(useless > held / 8);
}

}  // namespace epsilometer::decay_test
