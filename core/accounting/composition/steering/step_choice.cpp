#include "core/accounting/composition/steering/step_choice.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/composition/lattice.h"

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
double StepChoice::for_gap(const Tilt& tilt, double gap) const {
  const double level = std::max(tilt.centre, tilt.spread / 100);
  const double share = gap * level / count_;
  const double step =
      std::min(std::max(std::sqrt(6.2 * share / (tilt.theta + 1)), 0.8 * share), 0.6 / tilt.theta);
  return aligned(tilt.spread > 0 ? std::min(step, tilt.spread / 4) : step);
}

double StepChoice::aligned(double step) const {
  if (spacing_ > 0) return spacing_;
  if (lattice_ >= step) return lattice_ / std::ceil(lattice_ / step);
  if (span_ > 0) return span_ / (2 * std::ceil(span_ / 2 / step));
  // Few bits make the multiples of the step exact.
  const double bit = std::exp2(std::floor(std::log2(step)) - 10);
  return bit * std::floor(step / bit);
}

double StepChoice::coarsened(double least) const {
  if (lattice_ > least) return lattice_ / std::floor(lattice_ / least);
  return span_ > 2 * least ? span_ / (2 * std::floor(span_ / 2 / least)) : least;
}

}  // namespace epsilometer
