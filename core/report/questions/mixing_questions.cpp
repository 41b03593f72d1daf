// Least squares on a noisy sketch: the law of what comes out, the sources' test, and the parabola that stands
// for a logistic loss.
#include <cmath>

#include "core/base/refusal.h"
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

}  // namespace

// Lev, Srinivasan, Shenfeld, Ligett, Sekhari and Wilson 2025, Algorithm 2: coefficients are those of ridge
// regression plus a Student law, as is known of least squares on normal rows.
NumbersAnswer mixing_law(const Description& question) {
  const auto dimension = static_cast<std::size_t>(question.whole("dimension", 1, 64));
  const double d = static_cast<double>(dimension), size = question.whole("sketchSize", d + 2, 1e9),
               variance = question.scale("variance");
  const TypedTable table = table_of(question, dimension);
  const RidgeInfluence found = ridge_of(table, variance);
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
