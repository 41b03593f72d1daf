#include "core/accounting/composition/sampled_powers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/base/bounds.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

using std::numbers::pi;

// Finer steps and more nodes than these are no better than panels.
constexpr double least_step = 1.0 / 32;
constexpr std::size_t most_places = 2000;

// Where e^l is still a double.
constexpr double most_exponent = 700;

// How far the next look beyond the nodes is.
constexpr double stride = 0.5;

}  // namespace

std::optional<SampledPowers> SampledPowers::of(const SampledNormal& law, double theta, double last,
                                               double depth) {
  SampledPowers powers(law, theta, depth);
  const double mu = law.mu, s = powers.order_;
  const double d = std::min(std::sqrt(2 * depth), (s > 0 ? 3 : 2.2) / mu);
  const double more = d * d / 2 + last * mu * d + std::min(s, 0.0) * std::log(std::cos(mu * d / 2));
  // Few bits make the multiples of the step exact.
  const double step = std::ldexp(std::floor(std::ldexp(2 * pi * d / (depth + more), 12)), -12);
  if (!(step >= least_step)) return std::nullopt;
  powers.step_ = step;
  if (!powers.walk()) return std::nullopt;
  powers.left_out_ =
      2.1 * std::exp(more - 2 * pi * d / step) + powers.beyond(0, 0, powers.total_) / powers.total_;
  return powers;
}

SampledPowers::Node SampledPowers::at(double place) const {
  const double l = law_.mu * (place - law_.mu / 2), joined = law_.rate * std::expm1(l);
  const double loss = std::log1p(joined);
  return {place, loss, (law_.rate + joined) / (1 + joined), order_ * loss - place * place / 2};
}

// Up and down from 0 to where nothing is left. The slope of the logarithm of r^s times the density is mu s
// share - u, which for s > 0 is at most mu s - u, and positive below 0; for s < 0 it falls with u, so that
// after a fall nothing rises again.
bool SampledPowers::walk() {
  const double pull = law_.mu * std::max(order_, 0.0);
  double top = -infinite;
  std::size_t highest = 0;
  const auto take = [&](const Node& node) {
    top = std::max(top, node.exponent);
    losses.push_back(law_.removing ? node.loss : -node.loss);
    masses.push_back(node.exponent);
    shares_.push_back(node.share);
  };
  for (double k = 0;; ++k) {
    high_ = at(k * step_);
    const double over = std::max(0.0, pull - high_.place);
    if (!(law_.mu * high_.place < most_exponent) || masses.size() > most_places) return false;
    take(high_);
    if (high_.exponent + over * over / 2 <= top - depth_) break;
    ++highest;
  }
  for (double k = -1;; --k) {
    low_ = at(k * step_);
    if (masses.size() > most_places) return false;
    take(low_);
    if (low_.exponent <= top - depth_) break;
  }
  for (std::size_t i = 0; i < masses.size(); ++i) {
    const double mass = masses[i] = std::exp(masses[i] - top), share = shares_[i];
    const double place = step_ * (static_cast<double>(i) - (i > highest ? static_cast<double>(highest) : 0));
    total_ += mass;
    mean_share_ += mass * share;
    mean_bend_ += mass * share * (1 - share);
    mean_square_ += mass * place * place;
    mean_off_ += mass * loss_error(std::abs(losses[i]), place, share);
  }
  for (double* mean : {&mean_share_, &mean_bend_, &mean_square_, &mean_off_}) *mean /= total_;
  high_.exponent -= top;
  low_.exponent -= top;
  log_scale = top + std::log(step_) - log_root_two_pi;
  return true;
}

// How far a loss may be off, in roundoffs: by those of its own size, and of l.
double SampledPowers::loss_error(double size, double place, double share) const {
  return 32 * size + 4 * law_.mu * share * (place + law_.mu);
}

// Beyond the low end the logarithm falls at least like that of a normal density, and from any place on it
// rises no further above it than to where mu s lies. Where that says too little, as far as it is known to
// rise from one place to the next.
double SampledPowers::beyond(double more, double top, double known) const {
  const double s = order_ + (law_.removing ? more : -more), pull = law_.mu * std::max(s, 0.0);
  if (!(-low_.place >= law_.mu * std::max(-s, 0.0) * low_.share)) return infinite;
  const double ends = root_two_pi / step_ + 1, turn = law_.removing ? more : -more;
  double sum = ends * std::exp(low_.exponent + turn * low_.loss - top);
  double exponent = high_.exponent + turn * high_.loss - top;
  for (Node here = at(high_.place);;) {
    const double over = std::max(0.0, pull - here.place), most = exponent + over * over / 2;
    if (!(law_.mu * here.place < most_exponent)) return infinite;
    if (over == 0 || most < std::log(known) - depth_) return 1.01 * (sum + ends * std::exp(most));
    const Node next = at(here.place + stride);
    const double rise = std::max(0.0, pull * next.share - here.place);
    sum += (stride / step_ + 1) * std::exp(exponent + stride * rise);
    exponent += next.exponent - here.exponent + turn * (next.loss - here.loss);
    here = next;
  }
}

// Roundings of u^2 / 2, of losses, of exponents and exponentials, each where the mass is.
double SampledPowers::doubt(double t) const {
  return left_out_ + unit_roundoff * (2 * mean_square_ + (std::abs(order_) + t) * mean_off_ +
                                      2 * std::abs(log_scale) + static_cast<double>(shares_.size()) + 32);
}

// With the same at the tilt theta + more, wherever the mass is there.
double SampledPowers::log_beside(double more, double top, double sum) const {
  const double far = std::max(high_.place, -low_.place), reach = std::max(high_.loss, -low_.loss);
  const double roundings =
      2 * far * far + (std::abs(order_) + std::abs(more)) * loss_error(reach, far, high_.share);
  return std::log(sum + beyond(more, top, sum)) + unit_roundoff * roundings;
}

// Where sine and cosine are those of mu y, |r(u + iy)|^2 is r^2 (1 - bulge), and 3 x / (3 + x^2) < arctan x.
double SampledPowers::decay(const std::vector<double>& tilted, double t) const {
  const double mu = law_.mu, s = order_, quarter = pi / 4 / mu;
  const double y = std::min(quarter, t * mu * mean_share_ / std::max(0.25, 1 - s * mu * mu * mean_bend_));
  const double sine = std::sin(mu * y), rest = 1 - std::cos(mu * y);
  double sum = 0;
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    const double share = shares_[i], bulge = 2 * share * (1 - share) * rest;
    const double x = share * sine / (1 - share * rest), angle = 3 * x / (3 + x * x);
    sum += tilted[i] * std::exp(-s / 2 * (s > 0 ? bulge : bulge / (1 - bulge)) - t * angle);
  }
  // That is a sum of values of r(u + iy)^{s/2} r(u - iy)^{s/2} times the power of r(u + iy) / r(u - iy) of
  // which the size is at most 1 up to the distance at which the argument ceases to grow.
  const double d = std::min(quarter, 2 * pi / step_);
  const auto enlarged = [&](double by) { return std::pow(std::cos(mu * by / 2), std::min(s, 0.0)); };
  const double aliased = 2.1 * std::exp((y * y + d * d) / 2 - 2 * pi * d / step_) * enlarged(d + y);
  const double inside = std::exp(y * y / 2) * (sum / total_ + left_out_ * enlarged(y));
  // Of shares, which are differences, to 16 roundoffs of the rate.
  const double roundings = 32 * unit_roundoff * (std::abs(s) + t) * (mean_share_ + law_.rate);
  return std::max(0.0, -std::log((inside + aliased) * (1 + 2 * doubt(t) + roundings)));
}

}  // namespace epsilometer
