// Chebyshev tables by tests/reference/mills.py (50 digits); the error stated above each was measured there.
#include "core/numerics/normal.h"

#include <array>
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>

#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// (1 + x) m(x) in t = (x - 4.5) / (x + 4.5), x >= 0: truncation 5e-17, evaluated in doubles 3.4e-16.
constexpr std::array<double, 26> mills_series = {
    1.1622890943668538,      -0.16244622078463714,    -0.020442087834082801,   0.03153832633685455,
    -0.014396293456628505,   0.0041743557391115821,   -0.00079865916092940626, 7.9098278112087187e-05,
    4.8399984455485288e-06,  -2.6875369141045505e-06, 1.8469327970966853e-07,  6.0651187770460674e-08,
    -1.0348101767189742e-08, -1.3782705896431845e-09, 4.1438506799746544e-10,  3.8212921114738199e-11,
    -1.6081662082563121e-11, -1.4793610582723638e-12, 6.3417104736859763e-13,  7.63822929407988e-14,
    -2.4847197145454417e-14, -4.4899732086149836e-15, 8.9773402184804232e-16,  2.6763696237508087e-16,
    -2.4120044880240295e-17, -1.5162266967670302e-17,
};

// (1 + x)^2 (1 - x m(x)) in t = (x - 4) / (x + 4), x >= 0: truncation 1.2e-16, evaluated in doubles 6.7e-16.
constexpr std::array<double, 30> slope_series = {
    1.1838578106672011,      -0.08349183424091261,    -0.16929107857734638,    0.085773752301233602,
    -0.016486567403064586,   -0.0018565842308912394,  0.0019122228197821925,   -0.00044059354120629503,
    9.5020231010739101e-06,  1.5740775327095933e-05,  -1.9934667974794594e-06, -4.9914149496639913e-07,
    1.0881199082272735e-07,  1.8961082301393669e-08,  -5.089148344736358e-09,  -9.3513394329321719e-10,
    2.22549489755215e-10,    5.5251290253164014e-11,  -8.4662464878522378e-12, -3.4517565057701383e-12,
    1.9033898454068721e-13,  2.0699851535825261e-13,  9.6119400505960875e-15,  -1.0891215377791668e-14,
    -1.8459774409384437e-15, 4.2036780476662306e-16,  1.6975040863439396e-16,  -1.8854000813170548e-18,
    -1.1055233817394778e-17, -1.6326423594173594e-18,
};

// Clenshaw's recurrence, at several places at once: at one, each step would wait for the step before.
template <std::size_t terms, std::size_t places>
std::array<double, places> chebyshev(const std::array<double, terms>& series,
                                     const std::array<double, places>& t) {
  std::array<double, places> next{}, after{};
  for (std::size_t i = terms - 1; i > 0; --i) {
    for (std::size_t k = 0; k < places; ++k) {
      const double current = series[i] + 2 * t[k] * next[k] - after[k];
      after[k] = next[k];
      next[k] = current;
    }
  }
  for (std::size_t k = 0; k < places; ++k) next[k] = series[0] + t[k] * next[k] - after[k];
  return next;
}

// D(x) = -m'(x) = 1 - x m(x), positive everywhere.
template <std::size_t places>
std::array<double, places> mills_slopes(const std::array<double, places>& x) {
  std::array<double, places> result;
  for (std::size_t k = 0; k < places; ++k) result[k] = (x[k] - 4) / (x[k] + 4);
  result = chebyshev(slope_series, result);
  for (std::size_t k = 0; k < places; ++k)
    result[k] = x[k] < 0 ? 1 - x[k] * mills_ratio(x[k]) : result[k] / ((1 + x[k]) * (1 + x[k]));
  return result;
}

}  // namespace

double mills_ratio(double x) {
  if (x < 0) return root_two_pi * std::exp(x * x / 2) - mills_ratio(-x);
  return chebyshev(mills_series, std::array{(x - 4.5) / (x + 4.5)})[0] / (1 + x);
}

double mills_difference(double a, double width) {
  // No ratio is infinite times 0, nor one at an infinite place.
  if (width == 0) return 0;
  const double near = mills_ratio(a), end = a + width;
  const double far = end == infinite ? 0 : mills_ratio(end);
  if (far < near / 2) return near - far;
  // The ratio of at most 2 bounds the width by the scale on which D varies, so 20 points are exact to
  // rounding. From 0, because a + width may not tell the width any more.
  using Rule = boost::math::quadrature::gauss<double, 20>;
  const auto& abscissas = Rule::abscissa();
  const double half = width / 2;
  std::array<double, 20> x;
  for (std::size_t i = 0; i < 10; ++i) {
    x[2 * i] = a + (half + half * abscissas[i]);
    x[2 * i + 1] = a + (half - half * abscissas[i]);
  }
  const std::array<double, 20> slopes = mills_slopes(x);
  double sum = 0;
  for (std::size_t i = 0; i < 10; ++i) sum += Rule::weights()[i] * (slopes[2 * i] + slopes[2 * i + 1]);
  return half * sum;
}

double normal_density(DoubleDouble a) {
  if (std::abs(a.hi) > 40) return std::exp(-a.hi * a.hi / 2) / root_two_pi;  // 0, or denormal
  const DoubleDouble square = a * a;
  return std::exp(-square.hi / 2) * (1 - square.lo / 2) / root_two_pi;
}

double normal_upper_tail(DoubleDouble a) {
  if (a.hi < 0) return 1 - normal_upper_tail(-a);
  return normal_density(a) * mills_ratio(a.hi);
}

double log_normal_upper_tail(double x) {
  if (x < 0) return std::log1p(-normal_upper_tail({-x}));
  if (x > 1e150) return -infinite;
  return -x * x / 2 - std::log(root_two_pi) + std::log(mills_ratio(x));
}

double normal_upper_quantile(double p) { return std::sqrt(2.0) * boost::math::erfc_inv(2 * p); }

}  // namespace epsilometer
