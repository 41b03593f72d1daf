#include "core/accounting/composition/steering/step_choice.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/composition/lattice.h"
#include "core/numerics/normal.h"

namespace epsilometer {

StepChoice::StepChoice(const std::vector<RepeatedLaw>& laws) {
  double weight = 0;
  bool only_lattices = true;
  std::vector<double> spacings;
  for (const RepeatedLaw& one : laws) {
    count_ += one.count;
    const auto lattice = one.law->lattice();
    only_lattices = only_lattices && lattice;
    if (lattice) spacings.push_back(lattice->spacing);
    const std::vector<Atom> atoms = one.law->atoms();
    if (atoms.size() < 2) continue;
    const auto by_loss = [](const Atom& a, const Atom& b) { return a.loss < b.loss; };
    const auto [lowest, highest] = std::minmax_element(atoms.begin(), atoms.end(), by_loss);
    const double heaviest = one.count * highest->mass;
    if (heaviest <= weight || lowest->loss == highest->loss) continue;
    weight = heaviest;
    span_ = highest->loss - lowest->loss;
    lattice_ = lattice ? lattice->spacing : 0;
  }
  if (only_lattices) spacing_ = common_spacing(spacings);
}

// The upper law adds about k h^2 (theta + 1) / 12 to epsilon and the lower one takes half of that away; but
// of steps of many units no more than k h together.
double StepChoice::within(const Tilt& tilt, double width) const {
  const double share = width / count_;
  const double step =
      std::min(std::max(std::sqrt(6.2 * share / (tilt.theta + 1)), 0.8 * share), 0.6 / tilt.theta);
  return aligned(tilt.spread > 0 ? std::min(step, tilt.spread / 4) : step);
}

double StepChoice::for_gap(const Tilt& tilt, double gap) const {
  return within(tilt, gap * std::max(tilt.centre, tilt.spread / 100));
}

// Near the tilt's centre delta falls about like e^{-theta epsilon}, or like a bulk of that spread; far below
// it hardly at all: there as if losses were normal, N(centre, spread^2).
double StepChoice::for_gap_of_delta(const Tilt& tilt, double epsilon, double gap) const {
  double fall = tilt.theta + 1 / tilt.spread;
  if (const double z = (tilt.centre - epsilon) / tilt.spread; z > 0) {
    const double falling =
        std::exp(log_normal_upper_tail(tilt.spread - z) + (tilt.spread / 2 - z) * tilt.spread);
    const double delta = std::exp(log_normal_upper_tail(-z)) - falling;
    if (delta > 0) fall = std::min(fall, falling / delta);
  }
  return within(tilt, gap / fall);
}

double StepChoice::aligned(double step) const {
  if (spacing_ > 0) return spacing_;
  if (lattice_ >= step) return lattice_ / std::ceil(lattice_ / step);
  // Atoms nearer to each other are seen by no point.
  if (span_ > 2 * step) return span_ / (2 * std::ceil(span_ / 2 / step));
  // Few bits make the multiples of the step exact.
  const double bit = std::exp2(std::floor(std::log2(step)) - 10);
  return bit * std::floor(step / bit);
}

double StepChoice::coarsened(double least) const {
  if (lattice_ > least) return lattice_ / std::floor(lattice_ / least);
  return span_ > 2 * least ? span_ / (2 * std::floor(span_ / 2 / least)) : least;
}

}  // namespace epsilometer
