#include "core/accounting/composition/steering/cumulant_nodes.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/accounting/composition/steering/effort.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

using Coarse = boost::math::quadrature::gauss<double, 7>;
constexpr std::size_t nodes = 7;

constexpr std::size_t most_atoms = 2048;

// Less than the exponential of this does not show in a double, even times the square of a loss that is 1e11
// times as large as the others.
constexpr double negligible = -90;

}  // namespace

CumulantNodes::CumulantNodes(const Law& law, double depth) : gaussian_(law.gaussian()) {
  if (gaussian_ > 0) return;
  // Of very many atoms, neighbours together do as well.
  const std::vector<Atom> atoms = law.atoms();
  const std::size_t together = 1 + atoms.size() / most_atoms;
  for (std::size_t first = 0; first < atoms.size(); first += together) {
    const std::size_t end = std::min(first + together, atoms.size());
    double heaviest = 0;
    for (std::size_t i = first; i < end; ++i) heaviest = std::max(heaviest, atoms[i].mass);
    if (heaviest == 0) continue;
    // Shares, because the product of a loss and the smallest doubles is no loss any more.
    double whole = 0, mean = 0;
    for (std::size_t i = first; i < end; ++i) {
      whole += atoms[i].mass / heaviest;
      mean += atoms[i].mass / heaviest * atoms[i].loss;
    }
    push(together == 1 ? atoms[first].loss : mean / whole, std::log(heaviest) + std::log(whole));
  }
  const double unit = law.length_scale();
  double low = std::max(law.lowest_x(), -unit), high = std::min(law.highest_x(), unit);
  if (!(low < high)) return;
  // Of a bounded law the upper end matters.
  const double most = effort::most_units * unit;
  while (low > std::max(law.lowest_x(), -most) && law.log_below(low) > -depth)
    low = std::max(law.lowest_x(), 1.5 * low);
  while (high < law.highest_x() && (high < most || std::isfinite(law.highest_x())) &&
         law.log_above(high) > -depth)
    high = std::min(law.highest_x(), 1.5 * high);
  low = std::max(low, high - 2 * most);
  // Of a law that reaches so far that its units are lost in rounding, only the atoms are looked at.
  if (!(low < high)) return;
  const double panels = std::ceil((high - low) / unit);
  const double width = (high - low) / panels;
  for (double panel = 0; panel < panels; ++panel)
    panel_of(law, low + panel * width, low + (panel + 1) * width);
  // Towards the end of a density, tilted masses crowd together: ever finer panels there, in place of the
  // last one.
  if (std::isinf(law.highest_x())) return;
  for (std::size_t i = 0; i < nodes; ++i) losses_.pop_back(), log_masses_.pop_back();
  double rest = width;
  for (; rest > 1e-12 * width; rest /= 2) panel_of(law, high - rest, high - rest / 2);
  panel_of(law, high - rest, high);
}

Cumulant CumulantNodes::at(double theta) const {
  // In closed form: its losses are N(s^2 / 2, s^2).
  const double square = gaussian_ * gaussian_;
  if (square > 0) return {theta * (1 + theta) * square / 2, square * (0.5 + theta), square};
  double largest = -infinite;
  for (std::size_t i = 0; i < losses_.size(); ++i)
    largest = std::max(largest, log_masses_[i] + theta * losses_[i]);
  double sum = 0, first = 0, second = 0;
  for (std::size_t i = 0; i < losses_.size(); ++i) {
    const double exponent = log_masses_[i] + theta * losses_[i] - largest;
    // Most of a law that reaches far has no tilted mass that shows beside the largest.
    if (exponent < negligible) continue;
    const double mass = std::exp(exponent);
    sum += mass;
    first += mass * losses_[i];
    second += mass * losses_[i] * losses_[i];
  }
  const double mean = first / sum;
  return {largest + std::log(sum), mean, std::max(0.0, second / sum - mean * mean)};
}

void CumulantNodes::panel_of(const Law& law, double from, double to) {
  const double middle = (from + to) / 2, half = (to - from) / 2;
  for (std::size_t i = 0; i < Coarse::abscissa().size(); ++i) {
    const double away = Coarse::abscissa()[i] * half, log_weight = std::log(Coarse::weights()[i] * half);
    const auto add = [&](double x) {
      const auto [loss, log_density] = law.loss_and_density(x);
      push(loss, log_weight + log_density);
    };
    add(middle + away);
    if (away != 0) add(middle - away);
  }
}

void CumulantNodes::push(double loss, double log_mass) {
  losses_.push_back(loss);
  log_masses_.push_back(log_mass);
}

}  // namespace epsilometer
