#include "core/noise/noise.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

// Draw y ~ N(x, s^2 - 4), x whole, then z whole with P(z) ~ e^{-(z - y)^2 / 8}. By Poisson summation the
// normaliser of z is constant but for a factor 1 +- eta, eta = 2 sum_{m >= 1} e^{-8 pi^2 m^2} < 1.04e-34, so
// the law of z is within e^{+-kappa}, kappa = log((1 + eta) / (1 - eta)), of x + discrete Gaussian noise: up
// to e^{+-d kappa} that noise processes the output of a continuous Gaussian of variance s^2 - 4 per
// coordinate. 2.1e-34 covers what the sampler is off by as well.
constexpr double kappa = 2.1e-34;

// Hence delta(eps) <= (1 + c)(delta' + c (1 - delta')) at eps - c, c = 2 d kappa, of the continuous release
// with mu = sensitivity / sigma. With a, b = eps/mu -+ mu/2 and m the Mills ratio, raising mu by mu t raises
// delta' by mu t phi(a). That covers the shift c e^eps (1 - Phi(b)) = c phi(a) m(b) <= 1.26 c phi(a) for mu t
// >= 1.26 c; the factor on delta' = phi(a) (m(a) - m(b)) <= mu phi(a) where a >= 0 for t >= c; and the one on
// 1 - delta' <= 2.51 phi(a) where a < 0 for mu t >= 2.51 c. Eight c is more than their sum, second order
// included; 2^-50 covers the rounding here.
double dilution(double mu, double dimension) {
  return 0x1p-50 + 8 * (2 * dimension * kappa) / std::min(1.0, mu);
}

Description described(const char* kind, std::map<std::string, double> numbers) {
  return {kind, std::move(numbers), {}, {}, {}};
}

// Half a step is rounded away; and at least `a` steps of discrete noise are no likelier than a - 1 of the
// continuous kind: the sum of its weights is below the integral, their total above.
double beyond(double tail, int exponent) { return std::ldexp(tail + 2, exponent) * (1 + 0x1p-40); }

}  // namespace

int default_exponent(double sigma) { return std::ilogb(in_range("sigma", sigma, 1e-100, 1e100)) - 30; }

std::uint64_t width_in_steps(double width, int exponent) {
  const double steps = std::ceil(std::ldexp(width, -exponent)) + 1;
  if (steps >= fewest_steps && steps <= most_steps) return static_cast<std::uint64_t>(steps);
  throw Refusal("range", "sigma", shown(width), "must be from 2^20 to 2^48 steps of the noise's grid");
}

Description gaussian_guarantee(double sensitivity, double sigma_squared, double dimension, int exponent) {
  if (sensitivity == 0) return described("pure", {{"epsilon", 0}});
  const double sigma = std::sqrt(sigma_squared);
  const double safe = sigma * (1 - dilution(sensitivity / sigma, dimension)) * (1 - 4 * unit_roundoff);
  return described("gaussian", {{"sigma", std::ldexp(safe, exponent)},
                                {"sensitivity", std::ldexp(sensitivity, exponent)}});
}

GaussianNoise GaussianNoise::of(double sigma, std::optional<int> exponent) {
  const int chosen = exponent.value_or(default_exponent(sigma));
  return {chosen, width_in_steps(sigma, chosen)};
}

Description GaussianNoise::guarantee(double sensitivity, double dimension) const {
  const auto s = static_cast<double>(steps);
  return gaussian_guarantee(sensitivity, (s - 2) * (s + 2), dimension, exponent);
}

double squared_width(std::uint64_t steps, int exponent) {
  const double width = std::ldexp(static_cast<double>(steps), exponent);
  return width * width;
}

std::variant<UnknownSpread, Spread> GaussianNoise::spread(std::size_t dimension) const {
  if (dimension > most_covariances) return UnknownSpread::too_many;
  std::vector<double> covariance(dimension * (dimension + 1) / 2);
  for (std::size_t row = 0; row < dimension; ++row)
    covariance[row * (row + 3) / 2] = squared_width(steps, exponent);
  return Spread{Spread::Law::exact, std::move(covariance)};
}

std::int64_t GaussianNoise::draw(Generator& generator) const {
  return exact::discrete_gaussian(generator, steps);
}

LaplaceNoise LaplaceNoise::of(double scale, std::optional<int> exponent) {
  const int chosen = exponent.value_or(default_exponent(scale));
  return {chosen, width_in_steps(scale, chosen)};
}

Description LaplaceNoise::guarantee(std::int64_t sensitivity, double dimension) const {
  const auto whole = static_cast<double>(sensitivity), scale = static_cast<double>(steps);
  if (sensitivity == 0) return described("pure", {{"epsilon", 0}});
  if (dimension > 1) return described("pure", {{"epsilon", rounded_up(whole / scale)}});
  // The profiles of the discrete and the continuous law agree at eps = (v - 2m) / t; between, 1 - delta is a
  // chord of e^{eps/2} as a function of e^eps, below it by at most a factor cosh(1 / 2t) <= e^{1 / 8t^2}:
  // less than a quarter of a t-th of a step more of sensitivity takes off.
  return described("laplace", {{"scale", std::ldexp(scale, exponent)},
                               {"sensitivity", std::ldexp(rounded_up(whole + 0.25 / scale), exponent)}});
}

std::int64_t LaplaceNoise::draw(Generator& generator) const {
  return exact::discrete_laplace(generator, steps, 2 * largest_sum);
}

double lower_margin(const GaussianNoise& noise, double failure) {
  return beyond(normal_upper_quantile(failure) * static_cast<double>(noise.steps), noise.exponent);
}

double lower_margin(const LaplaceNoise& noise, double failure) {
  return beyond(-std::log(2 * failure) * static_cast<double>(noise.steps), noise.exponent);
}

std::vector<double> released(Generator& generator, const IntegerSum& sum, const GaussianNoise& noise) {
  generator.begin_release();
  std::vector<double> values(sum.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = std::ldexp(static_cast<double>(sum.wide_value(i) + noise.draw(generator)), noise.exponent);
  return values;
}

std::vector<double> released(Generator& generator, const IntegerSum& sum, const LaplaceNoise& noise) {
  generator.begin_release();
  std::vector<double> values(sum.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::int64_t value = std::clamp(sum.value(i) + noise.draw(generator), -largest_sum, largest_sum);
    values[i] = std::ldexp(static_cast<double>(value), noise.exponent);
  }
  return values;
}

}  // namespace epsilometer
