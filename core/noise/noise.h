// Additive noise in whole steps of 2^exponent on an exact integer sum, and what it costs. The output is
// (sum + noise) * step; whatever happens after the integer addition only processes it. The grid must come
// from public values.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "core/loss/description.h"
#include "core/noise/generator.h"
#include "core/noise/grid.h"
#include "core/noise/spread.h"

namespace epsilometer {

/// Standard deviations in steps are whole numbers in this range.
inline constexpr double fewest_steps = 0x1p20, most_steps = 0x1p48;

/// The exponent of the grid for noise of that standard deviation (or scale) when nothing else asks for
/// another one: 2^30 to 2^31 steps.
int default_exponent(double sigma);

/// A positive width in steps of 2^exponent, rounded up with room for what the guarantee below takes off;
/// refuses one outside the range of steps.
std::uint64_t width_in_steps(double width, int exponent);

/// The square of so many steps of 2^exponent: the variance of Gaussian noise, half of that of Laplace noise.
double squared_width(std::uint64_t steps, int exponent);

/// Discrete Gaussian noise, P(z) ~ e^{-z^2 / (2 steps^2)}, independent in each coordinate.
struct GaussianNoise {
  int exponent;
  std::uint64_t steps;

  /// At least that sigma, in the sense of guarantee(); sigma from 1e-100 to 1e100.
  static GaussianNoise of(double sigma, std::optional<int> exponent = {});

  /// What it costs to release `dimension` coordinates of which neighbours differ by at most `sensitivity`
  /// steps in the l2 norm: {"kind":"gaussian"}, or {"kind":"pure","epsilon":0} when they do not differ.
  Description guarantee(double sensitivity, double dimension) const;

  std::int64_t draw(Generator& generator) const;

  /// Of several draws.
  std::variant<UnknownSpread, Spread> spread(std::size_t dimension) const;
};

/// Discrete Laplace noise, P(z) ~ e^{-|z| / steps}.
struct LaplaceNoise {
  int exponent;
  std::uint64_t steps;

  static LaplaceNoise of(double scale, std::optional<int> exponent = {});

  /// `sensitivity`: in whole steps, in the l1 norm. {"kind":"laplace"} for one coordinate, {"kind":"pure"}
  /// for several.
  Description guarantee(std::int64_t sensitivity, double dimension) const;

  /// At most 2 * largest_sum in size: after addition and saturation the cap never shows.
  std::int64_t draw(Generator& generator) const;
};

/// What to take off a noisy number, which was rounded to the grid, for a lower bound of the true one, except
/// with that probability.
double lower_margin(const GaussianNoise& noise, double failure);
double lower_margin(const LaplaceNoise& noise, double failure);

/// The released values: sum + noise in the units of the data, saturated with Laplace noise. Starts a release
/// of the generator.
std::vector<double> released(Generator& generator, const IntegerSum& sum, const GaussianNoise& noise);
std::vector<double> released(Generator& generator, const IntegerSum& sum, const LaplaceNoise& noise);

/// The description of a continuous Gaussian release that is at least as revealing, at every epsilon and in
/// composition, as discrete noise whose coordinates have at least the standard deviation
/// sqrt(sigma_squared + 4) in steps. `sensitivity` in steps.
Description gaussian_guarantee(double sensitivity, double sigma_squared, double dimension, int exponent);

}  // namespace epsilometer
