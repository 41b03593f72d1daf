#include "core/loss/sampled_moment.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/loss/sampled_nodes.h"
#include "core/numerics/constants.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/tangent_excess.h"

namespace epsilometer {
namespace {

// What is left out of a sum weighs at most e^-42 of it at each of at most six places.
constexpr double enough = 42;

// How far a quadrature may be off before it is repeated with a smaller step, relative to the moment less 1.
constexpr double most_aliased = 1e-15;

// Normal noise that is smaller than its sensitivity by more than this would take too many nodes.
constexpr double largest_distance = 3000;
// Beyond this order places on the line lose their digits.
constexpr double largest_order = 1e9;

// The moment less 1 as a sum over outcomes of Q: of r^order - 1 - order (r - 1), which has the same mean as
// r^order - 1; without replacement of (r^t - 1)(r - r^-t) where r > 1, t = order - 1.
class Moment {
 public:
  Moment(double rate, Sampling sampling, double order)
      : rate_(rate),
        t_(order - 1),
        order_(order),
        sampling_(sampling),
        log_rate_(log_one_plus(DoubleDouble{rate} - DoubleDouble{1})),
        logit_(log_rate_.hi - std::log1p(-rate)) {}

  /// How large r^order times the weighted density is at a node, the slope of its logarithm, and what the node
  /// adds to the sum.
  struct Size {
    double log_power, slope, log_term;
  };
  Size add(const Node& node);
  double log_power(const Node& node) const { return power(node).log_power.hi + std::log(node.weight); }

  bool negligible(double log_size) const { return log_size <= log_total() - enough; }
  // No sum is told from 0 below what rounding may have lost of it.
  double log_total() const {
    return peak_ + std::log(std::max(sum_, std::numeric_limits<double>::denorm_min()));
  }

  /// An upper bound on the divergence when the quadrature is off by at most `aliased` times the moment.
  double divergence(double aliased) const;
  /// The same error relative to the moment less 1.
  double relative(double aliased) const {
    const double total = log_total(), constant = constant_part();
    return aliased * (1 + constant * (total < -700 ? 1e300 : std::exp(-total)));
  }

 private:
  struct Power {
    DoubleDouble log_power;  // of r^order and the density
    double log_r, slope, doubt;
  };
  Power power(const Node& node) const;
  double log_mixture(double l, double lower_part) const;
  // The integrand's parts besides r^order have this integral at most.
  double constant_part() const { return sampling_ == Sampling::poisson ? 2 + 2 * order_ * rate_ : 6; }

  double rate_, t_, order_;
  Sampling sampling_;
  DoubleDouble log_rate_;
  double logit_;
  // The sum is e^peak sum_, its rounding unit_roundoff e^peak doubt_.
  double peak_ = 0, sum_ = 0, doubt_ = 0, count_ = 0;
};

// log(1 - q + q e^l) for l <= 1 or q e^l <= 1 - q, right to 28u.
double Moment::log_mixture(double l, double lower_part) const {
  // Close to the smallest loss of a large rate, the sum keeps the digits.
  const double log_r = l < -0.5 && rate_ > 0.5 ? std::log((1 - rate_) + rate_ * std::exp(l))
                                               : std::log1p(rate_ * std::expm1(l));
  return log_r + rate_ * std::exp(l - log_r) * lower_part;
}

Moment::Power Moment::power(const Node& node) const {
  const double l = node.loss.hi, s = l + logit_;
  Power result{};
  double share, slack;
  if (s > 0 && l > 1) {
    // Large exponents cancel against those of the density: in double-doubles but for a small part.
    const double tail = std::log1p(std::exp(-s));
    share = 1 / (1 + std::exp(-s));
    result.log_power = node.log_density + DoubleDouble{order_} * (node.loss + log_rate_);
    result.log_power = result.log_power + DoubleDouble{order_ * tail};
    result.log_r = (l + log_rate_.hi) + tail;
    slack = order_ * (10 * tail + 2 * (1 - share) * s);
  } else {
    result.log_r = log_mixture(l, node.loss.lo);
    share = rate_ * std::exp(l - result.log_r);
    result.log_power = node.log_density + DoubleDouble{order_ * result.log_r};
    slack = 28 * order_ * std::abs(result.log_r);
  }
  result.slope = node.density_slope + order_ * share * node.loss_slope;
  result.doubt = 160 + slack + 4 * std::abs(result.slope * node.place);
  return result;
}

Moment::Size Moment::add(const Node& node) {
  const Power at = power(node);
  DoubleDouble exponent = at.log_power;
  double factor;
  if (sampling_ == Sampling::without_replacement) {
    factor = std::expm1(-t_ * at.log_r) * std::expm1(-order_ * at.log_r);
  } else if (order_ * at.log_r > 1) {
    factor = tangent_excess_share(t_, at.log_r);
  } else {
    factor = tangent_excess(t_, at.log_r);
    exponent = node.log_density;
  }
  if (exponent.hi > peak_ + 300) {
    const double shrink = std::exp(peak_ - exponent.hi);
    sum_ *= shrink;
    doubt_ *= shrink;
    peak_ = exponent.hi;
  }
  const double term = node.weight * factor * exponential(exponent - DoubleDouble{peak_});
  sum_ += term;
  doubt_ += term * at.doubt;
  ++count_;
  return {at.log_power.hi + std::log(node.weight), at.slope, peak_ + std::log(term)};
}

double Moment::divergence(double aliased) const {
  const double relative_doubt = unit_roundoff * (doubt_ / sum_ + count_) + 6 * std::exp(-enough);
  const double lost = count_ * std::numeric_limits<double>::denorm_min();
  const double margin = sum_ > 0 ? relative_doubt : 0;
  const double sum =
      rounded_up(sum_ * (1 + margin) + lost + aliased * (sum_ + constant_part() * std::exp(-peak_)));
  const double whole = peak_ + std::log(sum);
  if (whole > 40) return rounded_up((whole + 1e-17) / t_);
  return rounded_up(std::log1p(sum * std::exp(peak_)) / t_);
}

// All nodes that matter. r^order times the density has at most two peaks: one near the start, one at `far`.
template <class Nodes>
void walk(const Nodes& nodes, Moment& moment) {
  for (double k = nodes.near() - 1; k >= nodes.first(); --k) {
    const auto size = moment.add(nodes.at(k));
    if (moment.negligible(size.log_term + std::log(nodes.rest_below(k)))) break;
  }
  // Where r < 1 terms fall by themselves, elsewhere they are below r^order times the density: up to the
  // second peak this may fall and rise again, but not above where the walk down from there ends.
  const auto ends = [&](double k, const Moment::Size& size) {
    const double here = std::max(size.log_power, size.log_term);
    const Node beyond = nodes.beyond(k);
    if (k >= nodes.far() && beyond.weight > 0) {
      return moment.negligible(moment.log_power(beyond)) &&
             moment.negligible(here + std::log(beyond.weight / nodes.at(k).weight));
    }
    return size.slope < 0 && moment.negligible(here + std::log(nodes.rest_above(k)));
  };
  double k = nodes.near();
  while (!ends(k, moment.add(nodes.at(k)))) ++k;
  const double from = std::max(k + 1, nodes.far());
  if (from == k + 1) return;
  double high = from;
  while (!ends(high, moment.add(nodes.at(high)))) ++high;
  for (double low = from - 1; low > k; --low) {
    const auto size = moment.add(nodes.at(low));
    if (size.slope > 0 && moment.negligible(size.log_power + std::log(nodes.rest_above(k)))) break;
  }
}

// Where the second peak of r^order times a normal density is at most: the largest root of x = order mu p(x),
// p = q e^l / r, approached from above, so that the density falls from here on.
double far_peak(double mu, double logit, double order) {
  double x = order * mu;
  for (int i = 0; i < 1000; ++i) {
    const double next = order * mu / (1 + std::exp(-(mu * (x - mu / 2) + logit)));
    if (x - next < 0.5) break;
    x = next;
  }
  return x;
}

// The step of a trapezoidal rule on the line whose error is e^-depth, and the error: between the lines at the
// distance d <= pi / mu of the real one, |r| is at most what it is there.
struct Spacing {
  double step, aliased;
};
Spacing spacing_on_line(double mu, double depth) {
  const double pi = nodes::pi;
  double step = pi * std::sqrt(2 / depth);
  if (step < 2 * mu) step = 2 * pi * pi / (mu * (depth + pi * pi / (2 * mu * mu)));
  step = std::ldexp(std::floor(std::ldexp(step, 24)), -24);
  const double distance = std::min(2 * pi / step, pi / mu);
  return {step, 4.1 * std::exp(distance * distance / 2 - 2 * pi * distance / step)};
}
// The same for a finite end or two: lines at pi/4.
Spacing spacing_at_end(double depth) {
  const double step = nodes::pi * nodes::pi / (2 * depth);
  return {step, 4.1 * std::exp(-depth)};
}

// Sums with ever smaller steps until the quadrature is good enough. A first guess of the moment less 1.
template <class Sum>
double refined(double guess, double constant, const Sum& sum) {
  double depth = 40 + std::log(constant / std::max(guess, 1e-300));
  for (int attempt = 0;; ++attempt, depth *= 1.3) {
    const auto [moment, aliased] = sum(depth);
    if (moment.relative(aliased) <= most_aliased || attempt == 6) return moment.divergence(aliased);
  }
}

struct Summed {
  Moment moment;
  double aliased;
};

double of_normal(const NormalNoise& noise, const Moment& empty, double rate, Sampling sampling,
                 double order) {
  const double mu = noise.distance.hi, logit = std::log(rate) - std::log1p(-rate);
  const double far = far_peak(mu, logit, order);
  const nodes::Normal normal{noise.distance, order * mu};
  const bool poisson = sampling == Sampling::poisson;
  return refined(
      (order - 1) * order * rate * rate * std::min(1.0, mu * mu) / 8, 2 + 2 * order * rate,
      [&](double depth) {
        Moment moment = empty;
        const Spacing line = poisson ? spacing_on_line(mu, depth) : spacing_at_end(depth);
        const double sigma = noise.sigma;
        if (sigma > 0 && (!poisson || 1 / sigma > line.step)) {
          const double shift = std::round(mu * sigma);
          walk(nodes::Lattice{sigma, shift, noise.whole, order * shift, far * sigma, !poisson}, moment);
          return Summed{moment, 0};
        }
        if (poisson) {
          walk(nodes::Line{normal, line.step, far - mu / 2}, moment);
        } else {
          walk(nodes::HalfLine{normal, line.step, far - mu / 2}, moment);
        }
        return Summed{moment, line.aliased};
      });
}

// Atoms are as heavy under Q as those of the opposite loss are under P. Only the heavier ones are taken from
// there: what Q has of a large loss, e^-l of what P has, may be below the smallest double.
double of_law(const Law& law, const Moment& empty, double rate, Sampling sampling, double order) {
  const bool poisson = sampling == Sampling::poisson;
  Moment atoms = empty;
  for (const Atom& atom : law.atoms()) {
    const double loss = atom.loss;
    if (!(atom.mass > 0 && loss >= 0)) continue;
    if (poisson) atoms.add({atom.mass, {0}, {-loss}, 0, 1, loss});
    if (loss > 0) atoms.add({atom.mass, {-loss}, {loss}, -1, 1, loss});
  }
  const auto log_scale = law.exponential();
  if (!log_scale) return atoms.divergence(0);
  const double range = law.highest_x();
  const double guess = (order - 1) * order * rate * rate * std::min(1.0, range * range) / 8;
  // Where squares of losses underflow, no sum would be seen to end. Every ratio of densities is within x of
  // 1, and r^a - 1 - a (r - 1) <= a (a - 1) / 2 x^2 (1 + x)^a for such an r and a > 1, but for a factor 1 +
  // 2x.
  if (guess < 1e-290) {
    const double x = rate * std::expm1(range);
    return rounded_up(order / 2 * x * x * std::exp(2 * (order + 1) * x));
  }
  return refined(guess, 2 + 2 * order * rate, [&](double depth) {
    Moment moment = atoms;
    const Spacing spacing = spacing_at_end(depth);
    walk(nodes::Interval{poisson ? -range : 0, range, *log_scale, spacing.step}, moment);
    return Summed{moment, spacing.aliased};
  });
}

// By Minkowski's inequality (E r^a)^{1/a} <= 1 - q + q (E e^{al})^{1/a}; without replacement the half of the
// losses below 0 adds at most t q to the moment.
double by_minkowski(const PrivacyLoss& base, double rate, Sampling sampling, double order) {
  const double t = order - 1, least = t / order * base.pair_renyi(order);
  const double log_norm = log_mixed(rate, least);
  const double log_moment = rounded_up(
      order * log_norm, 32 * unit_roundoff * (1 + std::abs(std::log(rate)) / std::max(log_norm, 1.0)));
  if (sampling == Sampling::poisson) return rounded_up(log_moment / t);
  if (log_moment < 1) return rounded_up(std::log1p(std::expm1(log_moment) + t * rate) / t);
  return rounded_up((log_moment + t * rate * std::exp(-log_moment)) / t);
}

// Whether that bound is within 1e-13 of (q e^l)^order alone, which the moment exceeds.
bool is_sharp(const PrivacyLoss& base, double rate, double order) {
  const double log_base = (order - 1) * base.pair_renyi(order), log_least = log_base + order * std::log(rate);
  const double rest = order * (1 - rate) / rate * std::exp(-log_base / order);
  return log_least > 45 && log_least > 0.2 * log_base && rest < 1e-13 * log_least;
}

}  // namespace

double sampled_renyi(const PrivacyLoss& base, double rate, Sampling sampling, double order) {
  const double bound = by_minkowski(base, rate, sampling, order);
  if (is_sharp(base, rate, order) || order > largest_order) return bound;
  const Moment empty(rate, sampling, order);
  if (const auto noise = base.normal_noise()) {
    if (noise->distance.hi == 0) return 0;
    if (noise->distance.hi > largest_distance) return bound;
    return std::min(bound, of_normal(*noise, empty, rate, sampling, order));
  }
  const auto law = base.laws()->law(Direction::remove);
  if (!law->exponential() && !law->is_atomic()) return bound;
  return std::min(bound, of_law(*law, empty, rate, sampling, order));
}

}  // namespace epsilometer
