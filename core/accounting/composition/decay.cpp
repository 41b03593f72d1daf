#include "core/accounting/composition/decay.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/accounting/composition/panels.h"
#include "core/accounting/composition/steering/effort.h"
#include "core/accounting/margins.h"
#include "core/base/bounds.h"

namespace epsilometer {
namespace {

using std::numbers::pi;

// The smooth part by its panels: of every one its mass and a bound on the density of its losses.
struct Smooth {
  std::vector<double> masses, densities;
  double total = 0;
};

Smooth smooth_of(const TiltedPart& part, double theta, const std::vector<Panel>& panels) {
  const Law& law = *part.law;
  Smooth result;
  for (const Panel& panel : panels) {
    double largest = 0, mass = 0;
    visit_nodes(panel, [&](double x, double weight) {
      const auto [loss, log_density] = law.loss_and_density(x);
      const double density = std::exp(log_density + theta * loss - part.log_moment);
      largest = std::max(largest, density / law.slope(x));
      mass += weight * density;
    });
    result.densities.push_back(largest * std::exp(widest_gap * panel.half * panel.steepness));
    result.masses.push_back(mass);
    result.total += mass;
  }
  return result;
}

// The last panels, up to that share of all mass.
void leave_out(Decay& decay, double most_rest, const Smooth& smooth, const std::vector<Panel>& panels,
               double to_x) {
  const std::vector<double>& masses = smooth.masses;
  decay.bulk_x = to_x;
  double left = most_rest * decay.total;
  for (std::size_t i = masses.size(); i-- > 1 && masses[i] < left;) {
    left -= masses[i];
    decay.rest += masses[i] / decay.total * (1 + charge_margin);
    decay.bulk_x = panels[i].middle - panels[i].half;
  }
}

// From the mass of every panel and a bound on its density, `doubt` being what rounding may cost, relatively.
// Where f <= d, min(f, H) is at least f min(1, H / d).
std::vector<Decay::Height> heights_of(int peaks, const Smooth& part, double total, double doubt) {
  const auto& [masses, densities, all] = part;
  std::vector<Decay::Height> result;
  std::vector<double> sorted = densities;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t stride = 1 + sorted.size() / effort::most_heights;
  for (std::size_t place = 0; place < sorted.size(); place += stride) {
    const double height = sorted[place];
    double smooth = 0;
    for (std::size_t i = 0; i < masses.size(); ++i)
      smooth += densities[i] > height ? masses[i] * (height / densities[i]) : masses[i];
    const double variation = 2 * peaks * height / total * (1 + doubt);
    const double share = smooth / total * (1 - doubt);
    if (!(share > 0 && std::isfinite(variation))) continue;
    // From reach on, |phi| <= 1 - less.
    const double less = share * (1 - 1 / std::sqrt(2.0));
    result.push_back({share, variation, less * (2 - less) / 2 * (1 - doubt),
                      std::sqrt(2.0) * variation / share * (1 + doubt)});
  }
  return result;
}

// For two independent copies, D a spacing apart with probability p: 1 - |phi(t)|^2 >= p (1 - cos(t spacing)),
// and 1 - cos u >= 2 u^2 / pi^2 up to pi.
double decay_of_neighbours(const TiltedPart& part, double theta, double total, const LossLattice& lattice) {
  double apart = 0, before = 0;
  for (const Atom& atom : part.law->atoms()) {
    const double mass = atom.mass * std::exp(theta * atom.loss - part.log_moment) / total;
    apart += 2 * before * mass;
    before = mass;
  }
  return lattice.spacing / pi * std::sqrt(2 * apart) * (1 - composition::neighbour_margin);
}

}  // namespace

double Decay::operator()(double t) const {
  double most = 0;
  for (const Height& height : heights) {
    const double fold = height.reach / t + 1;
    most = std::max({most, height.most / (fold * fold), height.share - height.variation / t});
  }
  return around > 0 ? most : gaussian * gaussian * t * t / 2 + most;
}

std::optional<Decay> decay_of(const TiltedPart& part, const LinePlan& plan, double most_rest) {
  const Law& law = *part.law;
  Decay decay;
  decay.gaussian = law.gaussian();
  if (decay.gaussian > 0) return decay;
  const auto lattice = law.lattice();
  const bool has_period = lattice && lattice->spacing > 0;
  if (has_period) {
    decay.period = 2 * pi / lattice->spacing;
    // (0.99 s u)^2 makes up for the factor 1 + e when s > 3.
    decay.gaussian = decay.around = 0.99 * lattice->gaussian;
    if (decay.gaussian > 0) return decay;
  }
  const auto panels = panels_of(part, part.to_x, plan.theta);
  if (!panels) return std::nullopt;
  const Smooth smooth = smooth_of(part, plan.theta, *panels);
  decay.total = smooth.total;
  for (const Atom& atom : law.atoms())
    decay.total += atom.mass * std::exp(plan.theta * atom.loss - part.log_moment);
  leave_out(decay, most_rest, smooth, *panels, part.to_x);
  // Every mass and density is an exponential, whose argument is rounded.
  const double doubt =
      charge_margin + 16 * unit_roundoff * (1 + plan.theta) * part.exponent(plan.theta, plan.log_delta);
  if (law.max_modes() > 0) decay.heights = heights_of(law.max_modes(), smooth, decay.total, doubt);
  if (has_period) decay.around = decay_of_neighbours(part, plan.theta, decay.total, *lattice);
  return decay;
}

}  // namespace epsilometer
