#include "core/report/personal/realised_ridge.h"

#include <cmath>

#include "core/numerics/quick_sum.h"
#include "core/release/linear/ridge.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
namespace {

// Normal deviates have their law up to a factor e^{2.1e-34}, each (core/noise/finish.h).
constexpr double of_deviates = 1e-29;

// Of what doubles found again of a release: of a logarithm's unit, and of a finish.
constexpr double found_again = 0x1p-29, finish_margin = 0x1p-6;

// What is not as it should be has a share of that at most.
constexpr double left_over = 0x1p-120;
// Four times: as it came out and as it would have with ideal numbers, under both laws.
constexpr double failed = 4 * 0x1p-260 / left_over;

// What is wrong of the solution of any table with such sums, in the l2 norm.
double computed_error(const NormalEquations& equations, double floor, double length, double square) {
  const std::size_t d = equations.cross.size();
  return largest_ridge_error(d, trace(equations.gram, d) + square, floor, length,
                             length_of(equations.cross) + std::sqrt(equations.square * square));
}

// H (o - theta) = H o - X^T y, in size.
double largest_pull(const NormalEquations& equations, double lambda, std::span<const double> o) {
  std::vector<double> rest = product(equations.gram, o);
  for (std::size_t i = 0; i < o.size(); ++i) rest[i] += lambda * o[i] - equations.cross[i];
  const double d = static_cast<double>(o.size()),
               sizes = (trace(equations.gram, o.size()) + lambda) * length_of(o) + length_of(equations.cross);
  return rounded_up(length_of(rest) + (d + 16) * unit_roundoff * sizes);
}

// (theta' - theta).v, where A^{-1} v is known, A of the table that was used: theta' - theta is A^{-1} x times
// the residual at the other table's.
Interval along(const RecordInfluence& found, std::span<const double> x, const CertifiedFactor::Solution& seen,
               Direction direction) {
  const double off = (square_root(found.square) * Interval(seen.error)).upper();
  const Interval product = quick_dot(x, seen.values) + Interval(-off, off);
  return direction == Direction::add ? found.with.residual * product : -found.without.residual * product;
}

}  // namespace

RealisedRidge::RealisedRidge(const LinearStatistics& table, const RidgeInfluence& influence,
                             std::span<const NoisyOutput> outputs, const Release& run) {
  const std::vector<double>& theta = influence.coefficients();
  const NormalEquations equations = table.values();
  for (const NoisyOutput& output : outputs) {
    if (output.of == NoisyOutput::Of::coefficients) {
      coefficients_ = RealisedNoise::on_coefficients(output, run, theta, influence.error());
      seen_noise_ = influence.factor().solve(coefficients_->noise());
    } else if (output.of == NoisyOutput::Of::sample) {
      const std::vector<double>& values = noisy_values(run, output, theta.size());
      const double finish = std::ldexp(static_cast<double>(output.steps), output.exponent);
      sample_ = {values, length_of(values), in_range("sampleSigma", output.sigma, 1e-100, 1e100),
                 finish * (1 + finish_margin), largest_pull(equations, influence.lambda(), values)};
    } else if (output.of == NoisyOutput::Of::length) {
      const double square = table.bounds().features * table.bounds().features, size = length_of(theta);
      const Interval length =
          larger(Interval::around(size, rounded_up(influence.error() + 0x1p-40 * size)), 0);
      length_ = {output.per_length, length, influence.factor().solve(theta)};
      const double floor = std::max(influence.lambda(), influence.factor().floor() - square);
      // The other table's may be longer by what a residual of C_Y + C |theta| moves them.
      const double longest =
          rounded_up(2 * length.upper() +
                     std::sqrt(square) / floor * (table.bounds().label + std::sqrt(square) * length.upper()));
      const Interval ideal = log_one_plus(Interval(output.per_length) * length);
      const double d = static_cast<double>(theta.size()),
                   unit = unit_of(output.steps, output.exponent) * output.scale;
      const double off = output.per_length * computed_error(equations, floor, longest, square) +
                         std::ldexp(1 / output.scale, output.exponent) +
                         2 * (d + 16) * unit_roundoff * (ideal.upper() + output.per_length * longest);
      const double value = noisy_values(run, output, 1)[0], noise = value - ideal.upper();
      const double doubt = off + (ideal.upper() - ideal.lower()) + found_again * std::abs(noise) +
                           8 * unit_roundoff * std::abs(value);
      length_noise_.emplace(std::vector{noise * unit}, rounded_up(doubt * unit, 0x1p-20),
                            rounded_up(2 * off * unit, 0x1p-20), unit);
    }
  }
}

double RealisedRidge::failure() const { return sample_ ? failed : 0; }

Interval RealisedRidge::coefficients_loss(const RecordInfluence& found, std::span<const double> x,
                                          Direction direction) const {
  return coefficients_->loss(found.moved, along(found, x, seen_noise_, direction));
}

// |theta'| - |theta| = (2 theta.(theta' - theta) + |theta' - theta|^2) / (|theta'| + |theta|), and no more in
// size than both are apart.
Interval RealisedRidge::length_loss(const RecordInfluence& found, std::span<const double> x,
                                    Direction direction) const {
  const Interval both = along(found, x, length_->seen, direction), moved = square(found.moved);
  const Interval other = square_root(larger(square(length_->theta) + Interval(2) * both + moved, 0));
  const double most = found.moved.upper();
  Interval longer(-most, most);
  if (const Interval sum = other + length_->theta; sum.lower() > 0)
    longer = smaller(larger((Interval(2) * both + moved) / sum, -most), most);
  const Interval ratio(length_->ratio),
      grown = log_one_plus(ratio * longer / (Interval(1) + ratio * length_->theta)) *
              Interval(1 - found_again, 1 + found_again);
  return length_noise_->loss(absolute(grown), grown * Interval(length_noise_->noise().front()));
}

Interval RealisedRidge::sample_loss(const RecordInfluence& found, std::span<const double> x, double label,
                                    Direction direction) const {
  if (found.without.leverage.is_zero()) return 0;
  const auto& [values, length, sigma, finish, pull] = *sample_;
  const double d = static_cast<double>(x.size()), size = square_root(found.square).upper();
  // Released values are rounded to doubles.
  const double off = rounded_up(2 * unit_roundoff * size * length);
  const Interval error = Interval(label) - (quick_dot(x, values) + Interval(-off, off));
  const Interval told = realised_posterior_loss(
      direction, found.without.leverage, found.without.residual / Interval(sigma), error / Interval(sigma));
  const double own = size * error.magnitude(), square = size * size, variance = sigma * sigma,
               share = finish * finish / variance;
  const double smoothed =
      share * square / 2 + share / (2 * variance) * (share * square * pull * pull + own * (2 * pull + own));
  constexpr double a = 0x1p-17 * (1 + finish_margin);
  const double centres = 2 * (a * (std::sqrt(d) + finish * (pull + own) / variance) + a * a);
  const double slack = rounded_up(smoothed + centres + of_deviates);
  const Interval ideal = told + Interval(-slack, slack);
  // 2 left_over e^40 < 2^-60.
  if (ideal.upper() < 40) return ideal + Interval(-0x1p-59, 0x1p-59);
  return ideal - log_one_plus(Interval(-2 * left_over, 2 * left_over) * exponential(ideal));
}

Interval RealisedRidge::loss(const RecordInfluence& found, std::span<const double> features, double label,
                             Direction direction) const {
  Interval told = 0;
  if (coefficients_) told = told + coefficients_loss(found, features, direction);
  if (length_) told = told + length_loss(found, features, direction);
  if (sample_) told = told + sample_loss(found, features, label, direction);
  return told;
}

}  // namespace epsilometer
