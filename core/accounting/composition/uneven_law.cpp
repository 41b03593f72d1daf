#include "core/accounting/composition/uneven_law.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/composition/law_quadrature.h"
#include "core/accounting/margins.h"
#include "core/base/bounds.h"

namespace epsilometer {
namespace {

using composition::joining_margin;
using composition::knot_margin;
using composition::smallest_mass;
using composition::underflow;

// 1 - e^-d for d >= 0, to 2e-15. Where d is small, by a series: what it leaves out is 2e-16 of it at most.
double faded(double d) {
  if (d > 0.05) return -std::expm1(-d);
  const double square = d * d;
  const double early = (1 - d / 2) + square * (1.0 / 6 - d * (1.0 / 24));
  const double late = (1.0 / 120 - d * (1.0 / 720)) + square * (1.0 / 5040 - d * (1.0 / 40320));
  return d * (early + square * square * late);
}

}  // namespace

Suffixes::Suffixes(const Masses& law) : law_(law) {
  const std::size_t size = law.losses.size();
  fading_.assign(size + 1, 0.0);
  growing_.assign(size + 1, 0.0);
  for (std::size_t j = size; j-- > 0;) {
    const double apart = j + 1 < size ? law.losses[j + 1] - law.losses[j] : 0;
    fading_[j] = law.masses[j] + std::exp(-apart) * fading_[j + 1];
    growing_[j] = growing_[j + 1] + faded(apart) * fading_[j + 1];
  }
}

double Suffixes::lost(std::size_t j, double t) const {
  return j < law_.losses.size() ? growing_[j] + faded(std::max(0.0, law_.losses[j] - t)) * fading_[j] : 0;
}

double Suffixes::kept(std::size_t j, double t) const {
  return j < law_.losses.size() ? std::exp(std::min(0.0, t - law_.losses[j])) * fading_[j] : 0;
}

Cells::Cells(std::vector<double> at)
    : knots(std::move(at)),
      masses(knots.size() - 1, 0.0),
      moments(knots.size() - 1, 0.0),
      misplaced(knots.size() - 1, 0.0) {}

void Cells::put(double loss, double mass) {
  if (loss >= knots.back()) {
    beyond_lost += mass * faded(loss - knots.back());
    beyond_kept += mass * std::exp(knots.back() - loss);
    return;
  }
  const auto next = std::upper_bound(knots.begin() + 1, knots.end() - 1, loss);
  const auto cell = static_cast<std::size_t>(next - knots.begin()) - 1;
  masses[cell] += mass;
  moments[cell] += mass * faded(std::max(0.0, loss - knots[cell]));
}

CutLaw cut_at(const TiltedPart& part, const std::vector<double>& knots, const std::vector<double>& places) {
  const Law& law = *part.law;
  CutLaw result{Cells(knots)};
  Cells& cells = result.cells;
  cells.infinite = law.infinite_mass();
  for (const Atom& atom : law.atoms()) cells.put(atom.loss, atom.mass);
  if (!(part.from_x < part.to_x)) return result;
  if (part.from_x > law.lowest_x()) result.below = rounded_up(std::exp(law.log_below(part.from_x)));
  if (part.to_x < law.highest_x()) result.above = rounded_up(std::exp(law.log_above(part.to_x)));
  for (std::size_t c = 0; c + 1 < knots.size(); ++c) {
    integrate(law, places[c], places[c + 1], 0, underflow_exponent, [&](double loss, double mass) {
      cells.masses[c] += mass;
      cells.moments[c] += mass * faded(std::max(0.0, loss - knots[c]));
      cells.misplaced[c] += knot_margin * mass;
    });
  }
  integrate(law, places.back(), part.to_x, 0, underflow_exponent, [&](double loss, double mass) {
    const double distance = std::max(0.0, loss - knots.back());
    cells.beyond_lost += mass * faded(distance);
    cells.beyond_kept += mass * std::exp(-distance);
    cells.beyond_misplaced += knot_margin * mass;
  });
  return result;
}

// Row by row, each cell of a row added up by itself: no sum has more than a row's terms and then one of
// every row.
Cells sum_of(const Masses& one, const Masses& other, const std::vector<double>& knots) {
  Cells cells(knots);
  cells.infinite = one.infinite + other.infinite * (1 - one.infinite);
  const Suffixes suffixes(other);
  const std::size_t size = other.losses.size();
  const bool same = &one == &other;
  const double last = knots.back();
  std::size_t start = 0;
  for (std::size_t i = 0; i < one.losses.size(); ++i) {
    const double from = one.losses[i], weight = one.masses[i] * (same ? 2 : 1);
    if (same) cells.put(from + from, one.masses[i] * one.masses[i]);
    std::size_t j = same ? i + 1 : 0;
    if (j < size) {
      while (start + 2 < knots.size() && knots[start + 1] <= from + other.losses[j]) ++start;
    }
    for (std::size_t c = start; j < size; ++c) {
      const double knot = knots[c], next = knots[c + 1];
      double mass = 0, moment = 0;
      for (double loss; j < size && (loss = from + other.losses[j]) < next; ++j) {
        mass += other.masses[j];
        moment += other.masses[j] * faded(std::max(0.0, loss - knot));
      }
      cells.masses[c] += weight * mass;
      cells.moments[c] += weight * moment;
      if (c + 2 == knots.size()) break;
    }
    cells.beyond_lost += weight * suffixes.lost(j, last - from);
    cells.beyond_kept += weight * suffixes.kept(j, last - from);
  }
  return cells;
}

// More mass at the right end and more in all is above, whatever is less at the left one.
Masses from_above(const Cells& cells) {
  constexpr double more = 1 + joining_margin;
  Masses result{cells.knots, std::vector<double>(cells.knots.size(), 0.0)};
  for (std::size_t c = 0; c < cells.masses.size(); ++c) {
    const double mass = more * cells.masses[c], apart = faded(cells.knots[c + 1] - cells.knots[c]);
    const double right = std::min(mass, (more * cells.moments[c] + underflow) / apart + cells.misplaced[c]);
    result.masses[c] += mass - right;
    result.masses[c + 1] += right;
  }
  result.masses.back() += more * cells.beyond_kept;
  // The other masses may add up to more than 1, but this one must not: sum_of takes it for a probability.
  result.infinite = std::min(1.0, cells.infinite + (more * cells.beyond_lost + cells.beyond_misplaced));
  return result;
}

Masses from_below(const Cells& cells) {
  constexpr double less = 1 - joining_margin;
  Masses result;
  result.infinite = cells.infinite;
  // `moment` of the mass, of which no more than `apart` times it.
  const auto gather = [&](double knot, double mass, double moment, double misplaced, double apart) {
    if (!(mass > smallest_mass)) return;
    const double mean = (less * less * moment - misplaced * apart - underflow) / mass;
    result.losses.push_back(knot - std::log1p(-std::clamp(mean, 0.0, apart)));
    result.masses.push_back(less * mass);
  };
  for (std::size_t c = 0; c < cells.masses.size(); ++c)
    gather(cells.knots[c], cells.masses[c], cells.moments[c], cells.misplaced[c],
           faded(cells.knots[c + 1] - cells.knots[c]));
  gather(cells.knots.back(), cells.beyond_lost + cells.beyond_kept, cells.beyond_lost, cells.beyond_misplaced,
         1);
  return result;
}

}  // namespace epsilometer
