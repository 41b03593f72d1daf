// A noisy sketch: what it costs in each direction, the law of least squares on it, the sources' test, and the
// parabola that stands for a logistic loss.
#include <cmath>
#include <functional>
#include <limits>

#include "core/accounting/composition/compose.h"
#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"
#include "core/loss/mixing_loss.h"
#include "core/numerics/invert.h"
#include "core/report/personal/realised_loss.h"
#include "core/report/personal/ridge_influence.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

// The least of |y - X theta|^2 + variance (|theta|^2 + 1), which is y^T y + variance - v^T H^{-1} v: at the
// computed coefficients it is more by the error's square in H, at most trace H times that.
Interval least_sum(const TypedTable& table, const RidgeInfluence& found, Interval variance) {
  Interval left = variance, trace = variance * Interval(static_cast<double>(table.dimension));
  const auto& theta = found.coefficients();
  left = left + variance * dot(theta, theta);
  for (std::size_t i = 0; i < table.count(); ++i) {
    left = left + square(Interval(table.labels[i]) - dot(table.row(i), theta));
    trace = trace + dot(table.row(i), table.row(i));
  }
  const Interval off = trace * square(Interval(found.error()));
  return {std::max(0.0, (left - off).lower()), left.upper()};
}

// log cosh x = log(1 + 2 sinh^2(x / 2)), without cancellation; x from 0 to 1400.
Interval log_cosh(Interval x) {
  const auto sinh = [](double x) { return std::sinh(x / 2); };
  const Interval root(rounded_down(sinh(x.lower())), rounded_up(sinh(x.upper())));
  return log_one_plus(Interval(2) * square(root));
}

// The most by which log cosh(s / 2) exceeds curvature s^2 on [0, range], which is concave in s^2: below its
// tangent anywhere.
Interval largest_excess(double range, Interval curvature) {
  const auto slope = [&](double s) {
    return rounded(std::tanh(s / 2)) / (Interval(4) * Interval(s)) - curvature;
  };
  double low = 0, high = range;
  while (high - low > 0x1p-40 * high) {
    const double middle = low + (high - low) / 2;
    (slope(middle).lower() > 0 ? low : high) = middle;
  }
  const Interval there = log_cosh(Interval(high) / Interval(2)) - curvature * square(Interval(high));
  const Interval more = absolute(slope(high)) * square(Interval(range));
  return {std::max(0.0, there.lower()), (there + more).upper()};
}

// A sketch in one direction, and beside it, where mu > 0, N(0, 1) against N(mu, 1).
class DirectedSketch {
 public:
  DirectedSketch(Direction direction, double size, double gamma, double mu)
      : direction_(direction), sketch_(size, gamma), mu_(mu) {
    const GaussianLoss beside(DoubleDouble{mu});
    if (mu > 0)
      together_.emplace(std::vector<RepeatedLaw>{{sketch_.law(direction), 1}, {beside.law(direction), 1}});
  }

  Bounds delta(double epsilon) const {
    return together_ ? together_->delta(epsilon, gap) : sketch_.delta(direction_, epsilon);
  }

  Bounds epsilon(double delta) const {
    if (together_) return together_->epsilon(delta, gap);
    const double most = std::numeric_limits<double>::max();
    const auto where = [&](double Bounds::*end) {
      return crossing([&](double x) { return this->delta(x).*end; }, delta, most);
    };
    return {where(&Bounds::lower).below, where(&Bounds::upper).above};
  }

  Bounds renyi(double order) const {
    const Bounds alone = sketch_.renyi(direction_, order);
    const Interval beside = Interval(order) * square(Interval(mu_)) / Interval(2);
    return (Interval(alone.lower, alone.upper) + beside).bounds();
  }

 private:
  // The relative width of an epsilon of both together.
  static constexpr double gap = 1e-5;

  Direction direction_;
  MixingLoss sketch_;
  double mu_;
  std::optional<Composer> together_;
};

// rho order + log(1/delta) / (order - 1) at the order up to omega where it is least: Bun, Dwork, Rothblum and
// Steinke 2018, Lemma 6, with the rho = k t^2/2 and omega = 2/(5t) of Lev et al. 2025, Proposition 2.
// Nothing where omega is not above 1.
std::optional<Interval> truncated_epsilon(double size, Interval leverage, double delta) {
  const Interval rho = Interval(size) * square(leverage) / Interval(2),
                 omega = Interval(2) / (Interval(5) * leverage), level = -logarithm(delta);
  const Interval above = smaller(square_root(level / rho), omega - Interval(1));
  if (!(above.lower() > 0)) return std::nullopt;
  return rho * (Interval(1) + above) + level / above;
}

}  // namespace

// Both directions of one record that comes or goes; docs/adaptive-releases.md. Whatever is asked grows with
// the leverage, which is 1/gamma only up to rounding.
NumbersAnswer sketch_pair(const Description& question) {
  const double size = question.whole("sketchSize", 1, 1e6),
               leverage = question.number("leverage", 1e-12, 0.999999);
  const auto mu = maybe(question, "mu", 1e-3, 10);
  // Beyond that a composition of both may take minutes.
  if (mu) in_range("leverage", leverage, 1e-12, 0.5);
  const auto epsilon = maybe(question, "epsilon", 0, 700), delta = maybe(question, "delta", 1e-300, 0.5);
  const auto order = has(question, "order") ? std::optional(order_of(question)) : std::nullopt;
  const Interval gamma = Interval(1) / Interval(leverage);
  NumbersAnswer answer;
  for (const bool removes : {true, false}) {
    const Direction direction = removes ? Direction::remove : Direction::add;
    const DirectedSketch least(direction, size, gamma.upper(), mu.value_or(0)),
        most(direction, size, gamma.lower(), mu.value_or(0));
    const auto tell = [&](const char* name, const std::function<Bounds(const DirectedSketch&)>& ask) {
      const Interval found(ask(least).lower, ask(most).upper);
      if (std::isfinite(found.upper()))
        answer.numbers.emplace(name + std::string(removes ? "Remove" : "Add"), found);
    };
    if (epsilon) tell("delta", [&](const DirectedSketch& one) { return one.delta(*epsilon); });
    if (delta) tell("epsilon", [&](const DirectedSketch& one) { return one.epsilon(*delta); });
    if (order) tell("renyi", [&](const DirectedSketch& one) { return one.renyi(*order); });
  }
  if (!delta || mu) return answer;
  if (const auto published = truncated_epsilon(size, leverage, *delta))
    answer.numbers.emplace("publishedEpsilon", *published);
  // What Lev et al. 2025 draw of Sheffet 2019: no bound, below the truth for k = 150 and a leverage of 9/16.
  const Interval tail = logarithm(4) - logarithm(*delta);
  answer.numbers.emplace("olderEpsilon",
                         Interval(2 * leverage) * (square_root(Interval(2 * size) * tail) + tail));
  return answer;
}

// Lev, Srinivasan, Shenfeld, Ligett, Sekhari and Wilson 2025, Algorithm 2: coefficients are those of ridge
// regression plus a Student law, as is known of least squares on normal rows.
NumbersAnswer mixing_law(const Description& question) {
  const auto dimension = static_cast<std::size_t>(question.whole("dimension", 1, 64));
  const double d = static_cast<double>(dimension), size = question.whole("sketchSize", d + 2, 1e9),
               variance = question.scale("variance");
  const TypedTable table = table_of(question, dimension);
  const RidgeInfluence found = ridge_of(table, variance, "variance");
  const Interval scale = least_sum(table, found, variance), free(size - d - 1), spread = scale / free;
  NumbersAnswer answer{
      {{"degrees", size - d + 1}, {"scale", scale}, {"excess", spread * Interval(d)}}, {}, {}};
  answer.lists["mean"] = around(found.coefficients(), found.error());
  answer.lists["covariance"] = inverse(found.factor(), &CertifiedFactor::Forms::once);
  for (Interval& entry : answer.lists["covariance"]) entry = spread * entry;
  return answer;
}

// Sheffet 2017, Algorithm 1, for neighbours that add or remove a record of squared length `square`.
NumbersAnswer projection_test(const Description& question) {
  const Interval unit(question.scale("square")),
      share = Interval(4) * unit / Interval(question.number("epsilon", 1e-6, 700)),
      size(question.whole("sketchSize", 1, 1e9));
  const Interval level = -logarithm(question.number("delta", 1e-300, 0.5)),
                 tail = level + Interval(3) * logarithm(2),
                 needed = share * (square_root(Interval(2) * size * tail) + Interval(2) * tail);
  return {
      {{"threshold", needed}, {"sigma", square_root(needed)}, {"scale", share}, {"margin", share * level}},
      {},
      {}};
}

// core/release/algorithms/logistic_mixing.cpp says why; `interpolatedCurvature` is that of the polynomial
// that meets the loss at the three Chebyshev nodes, as the authors' program has it.
NumbersAnswer logistic_parabola(const Description& question) {
  const double range = question.number("range", 1e-2, 100);
  const Interval most(range), curvature = log_cosh(most / Interval(2)) / square(most);
  const Interval error = largest_excess(range, curvature) / Interval(2);
  const Interval node = most * square_root(3) / Interval(2);
  return {{{"constant", logarithm(2) + error},
           {"slope", -0.5},
           {"curvature", curvature},
           {"error", error},
           {"interpolatedCurvature", log_cosh(node / Interval(2)) / square(node)},
           {"factor", Interval(1) / (Interval(4) * curvature)}},
          {},
          {}};
}

}  // namespace epsilometer::questions
