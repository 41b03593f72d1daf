#include "core/accounting/composition/contour.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/accounting/composition/cut_off.h"
#include "core/accounting/composition/law_nodes.h"
#include "core/accounting/composition/steering/effort.h"
#include "core/accounting/margins.h"
#include "core/base/bounds.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

using std::numbers::pi;

}  // namespace

// The characteristic function of the sum at the nodes of the rule: the log of its size and its phase, the log
// of the most that it may be, and what rounding may cost relative to that.
struct Contour::Product {
  std::vector<double> log_size, phase, log_most, relative;

  explicit Product(std::size_t size) : log_size(size), phase(size), log_most(size), relative(size) {}

  void multiply(const LawNodes& law, const Plan& plan, double half, std::vector<Value>& sums) {
    std::fill(sums.begin(), sums.end(), 0);
    law.add_turns(half, sums);
    const double mu = law.gaussian(), times = law.part().count;
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const double turns = 2 * static_cast<double>(j) + 1, t = turns * half;
      const double size = mu > 0 ? std::exp(-t * t * mu * mu / 2) : std::abs(sums[j]) / law.total();
      const double turn = mu > 0 ? t * mu * mu * (0.5 + plan.theta) : std::arg(sums[j]);
      const double log_of_size = mu > 0 ? -t * t * mu * mu / 2 : std::log(size);
      log_size[j] += times * log_of_size;
      log_most[j] += times * std::log(size + law.doubt(plan, t, turns));
      phase[j] += std::remainder(times * turn, 2 * pi);
      relative[j] += unit_roundoff * (8 * (times * std::abs(log_of_size) + 4) + 16 * times * std::abs(turn));
    }
  }
};

std::optional<Contour> Contour::along(const Plan& plan, const std::vector<TiltedPart>& parts,
                                      double most_terms) {
  const auto without_strip = [](const TiltedPart& part) {
    return part.law->has_density() && !(part.law->analytic_halfwidth() > 0);
  };
  if (std::any_of(parts.begin(), parts.end(), without_strip)) return std::nullopt;
  const CutOff cut = cut_off(plan, parts);
  const double last = cut.at;
  if (!std::isfinite(last)) return std::nullopt;
  std::vector<LawNodes> laws;
  double nodes = 0;
  for (const TiltedPart& part : parts) {
    LawNodes& law = laws.emplace_back(part, last);
    if (law.gaussian() > 0) continue;
    if (!law.fill(plan.theta, plan.theta + last, part.to_x)) return std::nullopt;
    nodes += static_cast<double>(law.size());
    if (nodes > effort::most_kept) return std::nullopt;
  }
  return of(plan, laws, cut, most_terms);
}

std::optional<Contour> Contour::along_samples(const Plan& plan, const std::vector<TiltedPart>& parts) {
  std::vector<LawNodes> laws;
  const CutOff cut = cut_off_of_samples(plan, parts, laws);
  return std::isfinite(cut.at) ? of(plan, laws, cut, infinite) : std::nullopt;
}

std::optional<Contour> Contour::of(const Plan& plan, const std::vector<LawNodes>& laws, const CutOff& cut,
                                   double most_terms) {
  double nodes = 0;
  for (const LawNodes& law : laws) nodes += static_cast<double>(law.size());
  const double affordable =
      std::min(effort::terms_of_law * static_cast<double>(laws.size()), effort::most_terms);
  if (!(nodes * plan.frequencies(cut.at) < std::min(affordable, most_terms))) return std::nullopt;
  Contour line(plan, laws, cut);
  // Out of the range of doubles nothing is known of what wraps around, nor how far apart nodes may be.
  if (!std::isfinite(line.log_rise_) || !std::isfinite(line.log_fall_) || !(line.half_ > 0))
    return std::nullopt;
  line.multiply(laws, plan, cut);
  return line;
}

Contour::Contour(const Plan& plan, const std::vector<LawNodes>& laws, const CutOff& cut)
    : theta_(plan.theta),
      rise_(std::min(plan.rise, cut.at)),
      fall_(std::min({plan.fall, plan.theta, cut.at})) {
  double below = 0;
  for (const LawNodes& law : laws) add_moments(law, plan, below);
  below_ = rounded_up(std::expm1(below), charge_margin);
  doubt_ += 8 * unit_roundoff * (std::abs(log_scale_) + theta_ * std::abs(plan.centre) + 16);
  const double above = (log_rise_ - log_scale_ + plan.depth) / rise_ - plan.centre;
  const double under = (log_fall_ - log_scale_ + plan.depth) / fall_ + plan.centre;
  half_ = pi / (std::max(above, under) + plan.spread / 2);
}

// `below` adds up the logs of 1 + the tilted mass that is cut below.
void Contour::add_moments(const LawNodes& nodes, const Plan& plan, double& below) {
  const TiltedPart& part = nodes.part();
  const Law& law = *part.law;
  const double log_total = nodes.log_moment(theta_, 0);
  log_scale_ += part.count * log_total;
  log_rise_ += part.count * nodes.log_moment(theta_, rise_);
  log_fall_ += part.count * nodes.log_moment(theta_, -fall_);
  doubt_ +=
      part.count * (nodes.doubt(plan, std::max(rise_, fall_), 0) + 8 * unit_roundoff * std::abs(log_total));
  log_finite_upper_ += part.count * std::log1p(-law.infinite_mass());
  // Losses above the cut count as infinite from above; below it they are left out from below.
  double infinitely = law.infinite_mass();
  if (nodes.gaussian() == 0 && part.to_x < law.highest_x()) infinitely += std::exp(law.log_above(part.to_x));
  log_finite_lower_ += part.count * std::log1p(-std::min(1.0, rounded_up(infinitely)));
  if (nodes.gaussian() > 0 || !(part.from_x > law.lowest_x())) return;
  const double tilted = law.log_below(part.from_x) + theta_ * law.loss(part.from_x);
  below += part.count * std::log1p(std::exp(tilted - log_total));
}

void Contour::multiply(const std::vector<LawNodes>& laws, const Plan& plan, const CutOff& cut) {
  // Only nodes below the cut-off: beyond it the quadrature of M is not known to be right.
  const auto count =
      static_cast<std::size_t>(std::min(std::ceil((cut.at / half_ - 1) / 2), effort::most_frequencies));
  Product product(count);
  std::vector<Value> sums(count);
  for (const LawNodes& law : laws) product.multiply(law, plan, half_, sums);
  weigh(product);
  charge_rest(cut);
  error_ *= 1 + charge_margin;
}

void Contour::weigh(const Product& product) {
  const std::size_t count = product.phase.size();
  values_.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const double turns = 2 * static_cast<double>(j) + 1, t = turns * half_;
    const double log_size = product.log_size[j], log_most = product.log_most[j];
    const Value kernel = 2 * half_ / pi / (Value(theta_, t) * Value(1 + theta_, t));
    values_[j] = log_size > composition::least_log_value
                     ? std::polar(std::exp(log_size), product.phase[j]) * kernel
                     : 0;
    const double most = std::exp(log_most);
    const double lost = most * (-std::expm1(std::min(0.0, log_size - log_most)) + 2 * product.relative[j]);
    error_ += std::abs(kernel) * (lost + most * 16 * unit_roundoff * (turns + static_cast<double>(count))) +
              composition::left_out_value;
    turning_ += std::abs(kernel) * most * 16 * unit_roundoff * t;
  }
}

// The first node left out has to lie beyond the cut-off: what needed more of them is worth nothing. From
// there on M is below e^-depth, and the kernels at the midpoints sum to less than 1 / (pi covered).
void Contour::charge_rest(const CutOff& cut) {
  const double covered = 2 * static_cast<double>(values_.size()) * half_;
  const bool enough = (covered + half_) * (1 + 4 * unit_roundoff) >= cut.at;
  error_ += enough ? std::exp(-cut.depth) / (pi * covered) : infinite;
  // Around each multiple of the period the nodes sum to no more than the integral and the largest of them,
  // and the squares of the least t there to pi^2 / 2 over that of the period.
  if (cut.decay > 0)
    error_ += (std::sqrt(2 * pi) / cut.decay + 2 * half_) * pi / (2 * cut.period * cut.period);
}

double Contour::value(double epsilon, double& error) const {
  const Value turn = std::polar(1.0, -2 * half_ * epsilon);
  Value factor = std::polar(1.0, -half_ * epsilon);
  double sum = 0;
  for (const Value& value : values_) {
    sum += value.real() * factor.real() - value.imag() * factor.imag();
    factor *= turn;
  }
  // The copies of the rule, one period and more away: e^{-rise (...)} and e^{-fall (...)} each time.
  const double period = pi / half_;
  const double far =
      std::exp(log_rise_ - log_scale_ - rise_ * (epsilon + period) + doubt_) / -std::expm1(-rise_ * period);
  const double near =
      std::exp(log_fall_ - log_scale_ + fall_ * (epsilon - period) + doubt_) / -std::expm1(-fall_ * period);
  error = (error_ + turning_ * std::abs(epsilon) + far + near) * (1 + charge_margin);
  return sum;
}

double Contour::scale(double epsilon, double side) const {
  const double lost = doubt_ + 4 * unit_roundoff * theta_ * std::abs(epsilon);
  return std::exp(log_scale_ - theta_ * epsilon + side * lost);
}

double Contour::upper(double epsilon) const {
  double error;
  const double sum = value(epsilon, error);
  const double inside = scale(epsilon, 1) * (std::max(0.0, sum) + error + below_);
  return std::min(1.0, rounded_up(-std::expm1(log_finite_lower_)) + rounded_up(inside));
}

double Contour::lower(double epsilon) const {
  double error;
  const double sum = value(epsilon, error);
  const double inside = scale(epsilon, -1) * std::max(0.0, sum - error);
  return std::min(1.0, rounded_down(-std::expm1(log_finite_upper_)) + rounded_down(inside));
}

}  // namespace epsilometer
