#include "core/accounting/contour.h"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "core/base/bounds.h"

namespace epsilometer {
namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double infinite = std::numeric_limits<double>::infinity();

// A cut-off that leaves more than e^-this is not worth its nodes.
constexpr double least_depth = 6;
constexpr std::size_t most_heights = 60;
// Beyond these a transform is faster, of which each law needs one, while all of them together are worth the
// most terms.
constexpr double most_nodes = 5e4, most_frequencies = 1e4, terms_of_law = 1e7, most_terms = 3e8;
// No more nodes than this are kept at a time.
constexpr double most_kept = 1e7;

// Sixteen nodes a panel, and the Bernstein ellipse of parameter 5, whose semi-axes are 2.6 and 2.4 halves of
// the panel. The error is at most 64/15 * 5^-32 / (1 - 5^-2) halves times the largest modulus on the ellipse.
// Where a logarithm moves by at most 5 over a half, which is at most half a unit, that modulus is at most
// e^{13 + 0.72} times the value in the middle, of which the real integral has at least 2/5 (1 - e^-5) halves:
// together less than 5e-16 of that integral.
using Rule = boost::math::quadrature::gauss<double, 16>;
constexpr double most_change = 5, real_axis = 2.6, imaginary_axis = 2.4, quadrature_error = 5e-16;
// No point of a panel is further than this from its nearest node, in halves.
constexpr double widest_gap = 0.0951;

struct Panel {
  double middle, half;
  // Bounds |d log(density e^{order loss} / slope) / dx|.
  double steepness;
};

// For the density times e^{z loss}, |z| <= order. Nothing when there would be too many.
std::optional<std::vector<Panel>> panels_of(const TiltedPart& part, double to_x, double order) {
  const Law& law = *part.law;
  std::vector<Panel> panels;
  if (!law.has_density()) return panels;
  double half = law.length_scale() / 2;
  for (double x = part.from_x; x < to_x; x += 2 * half) {
    half = std::min(
        {1.5 * half, law.length_scale() / 2, law.analytic_halfwidth() / imaginary_axis, (to_x - x) / 2});
    double steepness = 0;
    for (bool fits = false; !fits && half > 0;) {
      const double outside = (real_axis - 1) * half, to = x + 2 * half;
      const double steepest = 1.5 * std::max(law.slope(x - outside), law.slope(to + outside));
      const double change = half * (law.log_slope_bound(x, to) + (1 + order) * steepest);
      steepness = 2 * law.log_slope_bound(x, to) + (1 + order) * steepest;
      fits = change <= most_change;
      if (!fits) half *= std::clamp(0.95 * most_change / change, 0.01, 0.9);
    }
    if (!(half > 1e-9 * law.length_scale()) || static_cast<double>(panels.size()) * 16 > most_nodes)
      return std::nullopt;
    panels.push_back({x + half, half, steepness});
  }
  return panels;
}

template <class Visit>
void visit_nodes(const Panel& panel, const Visit& visit) {
  for (std::size_t i = 0; i < Rule::abscissa().size(); ++i) {
    const double away = panel.half * Rule::abscissa()[i], weight = panel.half * Rule::weights()[i];
    visit(panel.middle - away, weight);
    visit(panel.middle + away, weight);
  }
}

// How fast the characteristic function of a tilted law decays at least: -log |phi(t)| from every t on. The
// density f of the smooth losses is min(f, H) and what is above: min(f, H) has no more local maxima than f,
// so that its transform is at most 2 * peaks * H / t, and the rest counts as if it were atoms. Every height H
// gives a bound: a low one for the tail of a law that crowds together elsewhere, a high one for all of it.
struct Decay {
  // |phi(t)| <= 1 - share + variation / t, hence -log |phi(t)| >= share - variation / t. From `reach` on,
  // -log |phi| >= most; below it by folding.
  struct Height {
    double share, variation, most, reach;
  };
  // |phi(t)| <= e^{-(gaussian t)^2 / 2} up to half the period.
  double gaussian = 0;
  // On a lattice: |phi(t)| <= e^{-(around d)^2 / 2}, d the distance from the multiples of the period.
  double around = 0, period = infinite;
  std::vector<Height> heights;
  // Up to here the smooth part has all but the share `rest` of the mass, and all of it has `total`.
  double bulk_x = 0, rest = 0, total = 0;

  double operator()(double t) const {
    double most = 0;
    for (const Height& height : heights) {
      const double fold = height.reach / t + 1;
      most = std::max({most, height.most / (fold * fold), height.share - height.variation / t});
    }
    return around > 0 ? most : gaussian * gaussian * t * t / 2 + most;
  }
};

// From the mass of every panel and a bound on its density, `doubt` being what rounding may cost, relatively.
// Where f <= d, min(f, H) is at least f min(1, H / d).
std::vector<Decay::Height> heights_of(int peaks, const std::vector<double>& masses,
                                      const std::vector<double>& densities, double total, double doubt) {
  std::vector<Decay::Height> result;
  std::vector<double> sorted = densities;
  std::sort(sorted.begin(), sorted.end());
  const std::size_t stride = 1 + sorted.size() / most_heights;
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
  return lattice.spacing / pi * std::sqrt(2 * apart) * (1 - 1e-6);
}

// `most_rest`: what bulk_x may leave out.
std::optional<Decay> decay_of(const TiltedPart& part, const Contour::Plan& plan, double most_rest) {
  const Law& law = *part.law;
  const double theta = plan.theta;
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
  const auto panels = panels_of(part, part.to_x, theta);
  if (!panels) return std::nullopt;
  // Of every panel the mass and a bound on the density.
  std::vector<double> masses, densities;
  for (const Panel& panel : *panels) {
    double largest = 0, mass = 0;
    visit_nodes(panel, [&](double x, double weight) {
      const double density = std::exp(law.log_density(x) + theta * law.loss(x) - part.log_moment);
      largest = std::max(largest, density / law.slope(x));
      mass += weight * density;
    });
    densities.push_back(largest * std::exp(widest_gap * panel.half * panel.steepness));
    masses.push_back(mass);
    decay.total += mass;
  }
  for (const Atom& atom : law.atoms())
    decay.total += atom.mass * std::exp(theta * atom.loss - part.log_moment);
  decay.bulk_x = part.to_x;
  double left = most_rest * decay.total;
  for (std::size_t i = masses.size(); i-- > 1 && masses[i] < left;) {
    left -= masses[i];
    decay.rest += masses[i] / decay.total * (1 + 1e-9);
    decay.bulk_x = (*panels)[i].middle - (*panels)[i].half;
  }
  // Every mass and density is an exponential, whose argument is rounded.
  const double doubt =
      1e-9 + 16 * unit_roundoff * (1 + plan.theta) * part.exponent(plan.theta, plan.log_delta);
  if (law.max_modes() > 0) decay.heights = heights_of(law.max_modes(), masses, densities, decay.total, doubt);
  if (has_period) decay.around = decay_of_neighbours(part, theta, decay.total, *lattice);
  return decay;
}

}  // namespace

// The tilted law of one loss at the nodes of its quadrature, or the Gaussian one in closed form.
struct Contour::Group {
  const TiltedPart& part;
  // So many atoms are summed like a panel, and so many nodes are turned at a time.
  static constexpr std::size_t most_together = 1024, abreast = 4;
  std::vector<double> losses, masses;
  // The first node after each panel: the error of a sum grows with the panels and their nodes, not with their
  // product.
  std::vector<std::size_t> ends;
  double total = 0, mu;

  // For |t| up to `last`.
  Group(const TiltedPart& of, double last) : part(of), mu(of.law->gaussian()) {
    const auto lattice = part.law->lattice();
    if (!lattice) return;
    // The factor 1 + e is 1 in doubles from ten standard deviations on, up to a quarter of the period.
    const bool is_gaussian = lattice->gaussian > 10 * lattice->spacing && last * lattice->spacing < pi / 2;
    if (is_gaussian) mu = lattice->gaussian;
  }

  double gaussian() const { return mu; }

  // Nodes for orders of modulus up to `order`; false when there would be too many.
  bool fill(double theta, double order, double to_x) {
    const Law& law = *part.law;
    const auto add = [&](double loss, double log_mass, double weight) {
      losses.push_back(loss);
      masses.push_back(weight * std::exp(log_mass + theta * loss - part.log_moment));
    };
    for (const Atom& atom : law.atoms()) {
      add(atom.loss, 0, atom.mass);
      if (masses.size() % most_together == 0) end();
    }
    end();
    const auto panels = panels_of(part, to_x, order);
    if (!panels) return false;
    for (const Panel& panel : *panels) {
      visit_nodes(panel, [&](double x, double weight) { add(law.loss(x), law.log_density(x), weight); });
      end();
    }
    return true;
  }

  void end() {
    masses.resize((masses.size() + abreast - 1) / abreast * abreast);
    losses.resize(masses.size());
    double sum = 0;
    for (std::size_t i = ends.empty() ? 0 : ends.back(); i < masses.size(); ++i) sum += masses[i];
    total += sum;
    ends.push_back(masses.size());
  }

  // Of the finite losses, not divided by their mass.
  double variance() const {
    double mean = 0, sum = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) mean += masses[i] * losses[i] / total;
    for (std::size_t i = 0; i < masses.size(); ++i)
      sum += masses[i] * (losses[i] - mean) * (losses[i] - mean);
    return sum;
  }

  Value at(double t) const {
    double re = 0, im = 0;
    for (std::size_t i = 0; i < masses.size(); ++i) {
      re += masses[i] * std::cos(t * losses[i]);
      im += masses[i] * std::sin(t * losses[i]);
    }
    return {re, im};
  }

  // log E e^{(theta + more) L}, without what a double cannot hold at theta: to every value on the line that
  // adds less than the 1e-300 it is charged. The common factor e^top, that none overflows.
  double log_moment(double theta, double more) const {
    if (gaussian() > 0) {
      const double order = theta + more;
      return (order + order * order) * gaussian() * gaussian() / 2;
    }
    double top = -infinite, sum = 0;
    for (std::size_t i = 0; i < masses.size(); ++i)
      if (masses[i] > 0) top = std::max(top, more * losses[i]);
    for (std::size_t i = 0; i < masses.size(); ++i)
      if (masses[i] > 0) sum += masses[i] * std::exp(more * losses[i] - top);
    return part.log_moment + top + std::log(sum);
  }

  // What may be wrong with a value of the moment generating function at theta + it, relative to its value at
  // theta: arguments of exponentials, the rotation to node `turns`, the losses themselves, the sums.
  double doubt(const Plan& plan, double t, double turns) const {
    if (gaussian() > 0) return 8 * unit_roundoff;
    const double sums =
        static_cast<double>(ends.size()) + static_cast<double>(ends.empty() ? 0 : ends[0]) + 16;
    return quadrature_error +
           unit_roundoff * (4 * part.exponent(plan.theta, plan.log_delta) + 16 * t * part.reach() +
                            (plan.theta + t) * off() + 4 * turns + sums);
  }

  // How far a loss may be off, in roundoffs, beyond those of its own size: x and the loss before sampling,
  // steepness times x at most, can be much larger.
  double off() const {
    const Law& law = *part.law;
    const double x = std::max(std::abs(part.from_x), std::abs(part.to_x));
    return 4 * std::max(law.slope(part.from_x), law.slope(part.to_x)) *
           (x + law.log_slope_bound(part.from_x, part.to_x));
  }

  // A turn waits for the one before it; those of several nodes need not wait for each other.
  void phases(double half, std::vector<Value>& sums) const {
    if (gaussian() > 0) return;
    std::vector<Value> sum_of_panel(sums.size());
    for (std::size_t panel = 0, i = 0; panel < ends.size(); ++panel) {
      std::fill(sum_of_panel.begin(), sum_of_panel.end(), 0);
      for (; i < ends[panel]; i += abreast) {
        double re[abreast], im[abreast], turn_re[abreast], turn_im[abreast];
        for (std::size_t k = 0; k < abreast; ++k) {
          const double angle = half * losses[i + k];
          re[k] = masses[i + k] * std::cos(angle), im[k] = masses[i + k] * std::sin(angle);
          turn_re[k] = std::cos(2 * angle), turn_im[k] = std::sin(2 * angle);
        }
        for (Value& sum : sum_of_panel) {
          sum += Value((re[0] + re[1]) + (re[2] + re[3]), (im[0] + im[1]) + (im[2] + im[3]));
          for (std::size_t k = 0; k < abreast; ++k) {
            const double next = re[k] * turn_re[k] - im[k] * turn_im[k];
            im[k] = re[k] * turn_im[k] + im[k] * turn_re[k];
            re[k] = next;
          }
        }
      }
      for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += sum_of_panel[j];
    }
  }
};

// Where -log |phi| of the sum is at least the depth from there on: first by what is known of the decay of any
// density, then, from that point down, by looking. Between two looks at distance d, sum k (1 - |phi|^2) / 2
// is at least the smaller of both less d^2 / 8 times sum k variance, which bounds its second derivative.
Contour::CutOff Contour::cut_off(const Plan& plan, const std::vector<TiltedPart>& parts) {
  // Nowhere yet.
  CutOff cut{infinite, 0, 0, infinite};
  double count = 0;
  for (const TiltedPart& part : parts) count += part.count;
  std::vector<Decay> decays;
  for (const TiltedPart& part : parts) {
    const auto decay = decay_of(part, plan, plan.depth / 2 / count);
    if (!decay) return cut;
    decays.push_back(*decay);
  }
  // Of the laws on lattices one is relied on beyond half its period: that which lets least return.
  double least_return = infinite;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (decays[i].around == 0) continue;
    const double decay = std::sqrt(parts[i].count) * decays[i].around, period = decays[i].period;
    const double returns = 1 / (decay * period * period);
    if (!(decay * period / 2 > std::sqrt(2 * plan.depth)) || !(returns < least_return)) continue;
    cut.decay = decay;
    cut.period = period;
    least_return = returns;
  }
  const auto known = [&](double t) {
    double sum = cut.decay * cut.decay * t * t / 2;
    for (std::size_t i = 0; i < parts.size(); ++i) sum += parts[i].count * decays[i](t);
    return sum;
  };
  // Where rare large losses are all that decays, |phi| stays above a floor: what can be had must do.
  const double furthest = std::min(most_frequencies / plan.spread, cut.period / 2);
  const double depth = std::min(plan.depth, 0.9 * known(furthest));
  if (!(depth >= least_depth)) return cut;
  double found = 1 / plan.spread;
  while (found < furthest && !(known(found) >= depth)) found *= 1.1;
  if (!(found < furthest)) return cut;
  cut.at = found;
  cut.depth = depth;
  std::vector<Group> bulks;
  double variance = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Group& bulk = bulks.emplace_back(parts[i], found);
    if (decays[i].gaussian > 0) continue;
    if (!bulk.fill(plan.theta, plan.theta + found, decays[i].bulk_x)) return cut;
    variance += parts[i].count * bulk.variance() / decays[i].total * 1.01;
  }
  const auto seen = [&](double t) {
    double sum = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (decays[i].gaussian > 0) continue;
      const double size = std::abs(bulks[i].at(t)) / decays[i].total;
      const double doubt =
          bulks[i].doubt(plan, t, 0) + unit_roundoff * static_cast<double>(bulks[i].masses.size());
      sum += parts[i].count * ((1 - size * size) / 2 - decays[i].rest - doubt);
    }
    return sum;
  };
  const auto gaussian = [&](double t) {
    double sum = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const Decay& decay = decays[i];
      if (2 * found <= decay.period) sum += parts[i].count * decay.gaussian * decay.gaussian * t * t / 2;
    }
    return sum;
  };
  double above = seen(found);
  for (int looks = 0; looks < 200; ++looks) {
    const double spare = above + gaussian(found) - depth;
    if (!(spare > 0.05 * depth)) break;
    const double next = std::max(0.6 * found, found - std::sqrt(4 * spare / variance));
    const double there = seen(next);
    const double least = std::min(above, there) - variance * (found - next) * (found - next) / 8;
    if (!(least + gaussian(next) >= depth)) break;
    found = next;
    above = there;
  }
  cut.at = found;
  return cut;
}

std::optional<Contour> Contour::along(const Plan& plan, const std::vector<TiltedPart>& parts) {
  const auto without_strip = [](const TiltedPart& part) {
    return part.law->has_density() && !(part.law->analytic_halfwidth() > 0);
  };
  if (std::any_of(parts.begin(), parts.end(), without_strip)) return std::nullopt;
  const CutOff cut = cut_off(plan, parts);
  const double last = cut.at;
  if (!std::isfinite(last)) return std::nullopt;
  std::vector<Group> groups;
  double nodes = 0;
  for (const TiltedPart& part : parts) {
    Group& group = groups.emplace_back(part, last);
    if (group.gaussian() > 0) continue;
    if (!group.fill(plan.theta, plan.theta + last, part.to_x)) return std::nullopt;
    nodes += static_cast<double>(group.masses.size());
    if (nodes > most_kept) return std::nullopt;
  }
  const double width = plan.depth / std::min(plan.rise, plan.fall);
  const double affordable = std::min(terms_of_law * static_cast<double>(parts.size()), most_terms);
  if (!(nodes * last * width / 6 < affordable)) return std::nullopt;
  Contour line(plan, groups, cut);
  // Out of the range of doubles nothing is known of what wraps around.
  if (!std::isfinite(line.log_rise_) || !std::isfinite(line.log_fall_)) return std::nullopt;
  line.multiply(groups, plan, cut);
  return line;
}

Contour::Contour(const Plan& plan, const std::vector<Group>& groups, const CutOff& cut)
    : theta_(plan.theta),
      rise_(std::min(plan.rise, cut.at)),
      fall_(std::min({plan.fall, plan.theta, cut.at})) {
  double below = 0;
  for (const Group& group : groups) {
    const TiltedPart& part = group.part;
    const Law& law = *part.law;
    const double log_total = group.log_moment(theta_, 0);
    log_scale_ += part.count * log_total;
    log_rise_ += part.count * group.log_moment(theta_, rise_);
    log_fall_ += part.count * group.log_moment(theta_, -fall_);
    doubt_ +=
        part.count * (group.doubt(plan, std::max(rise_, fall_), 0) + 8 * unit_roundoff * std::abs(log_total));
    log_finite_upper_ += part.count * std::log1p(-law.infinite_mass());
    // Losses above the cut count as infinite from above; below it they are left out from below.
    double infinite = law.infinite_mass();
    if (group.gaussian() == 0 && part.to_x < law.highest_x()) infinite += std::exp(law.log_above(part.to_x));
    log_finite_lower_ += part.count * std::log1p(-std::min(1.0, rounded_up(infinite)));
    if (group.gaussian() > 0 || !(part.from_x > law.lowest_x())) continue;
    const double tilted = law.log_below(part.from_x) + theta_ * law.loss(part.from_x);
    below += part.count * std::log1p(std::exp(tilted - log_total));
  }
  below_ = rounded_up(std::expm1(below), 1e-9);
  doubt_ += 8 * unit_roundoff * (std::abs(log_scale_) + theta_ * std::abs(plan.centre) + 16);
  const double above = (log_rise_ - log_scale_ + plan.depth) / rise_ - plan.centre;
  const double under = (log_fall_ - log_scale_ + plan.depth) / fall_ + plan.centre;
  half_ = pi / (std::max(above, under) + plan.spread / 2);
}

void Contour::multiply(const std::vector<Group>& groups, const Plan& plan, const CutOff& cut) {
  // Only nodes below the cut-off: beyond it the quadrature of M is not known to be right.
  const auto count =
      static_cast<std::size_t>(std::min(std::ceil((cut.at / half_ - 1) / 2), most_frequencies));
  std::vector<double> log_size(count, 0.0), log_most(count, 0.0), phase(count, 0.0), relative(count, 0.0);
  std::vector<Value> sums(count);
  for (const Group& group : groups) {
    std::fill(sums.begin(), sums.end(), 0);
    group.phases(half_, sums);
    const double mu = group.gaussian(), times = group.part.count;
    for (std::size_t j = 0; j < count; ++j) {
      const double turns = 2 * static_cast<double>(j) + 1, t = turns * half_;
      const double size = mu > 0 ? std::exp(-t * t * mu * mu / 2) : std::abs(sums[j]) / group.total;
      const double turn = mu > 0 ? t * mu * mu * (0.5 + theta_) : std::arg(sums[j]);
      const double log_of_size = mu > 0 ? -t * t * mu * mu / 2 : std::log(size);
      log_size[j] += times * log_of_size;
      log_most[j] += times * std::log(size + group.doubt(plan, t, turns));
      phase[j] += std::remainder(times * turn, 2 * pi);
      relative[j] += unit_roundoff * (8 * (times * std::abs(log_of_size) + 4) + 16 * times * std::abs(turn));
    }
  }
  values_.resize(count);
  for (std::size_t j = 0; j < count; ++j) {
    const double turns = 2 * static_cast<double>(j) + 1, t = turns * half_;
    const Value kernel = 2 * half_ / pi / (Value(theta_, t) * Value(1 + theta_, t));
    values_[j] = log_size[j] > -700 ? std::polar(std::exp(log_size[j]), phase[j]) * kernel : 0;
    const double most = std::exp(log_most[j]);
    const double lost = most * (-std::expm1(std::min(0.0, log_size[j] - log_most[j])) + 2 * relative[j]);
    error_ +=
        std::abs(kernel) * (lost + most * 16 * unit_roundoff * (turns + static_cast<double>(count))) + 1e-300;
    turning_ += std::abs(kernel) * most * 16 * unit_roundoff * t;
  }
  // The first node left out has to lie beyond the cut-off: what needed more of them is worth nothing. From
  // there on M is below e^-depth, and the kernels at the midpoints sum to less than 1 / (pi covered).
  const double covered = 2 * static_cast<double>(count) * half_;
  const bool enough = (covered + half_) * (1 + 4 * unit_roundoff) >= cut.at;
  error_ += enough ? std::exp(-cut.depth) / (pi * covered) : infinite;
  // Around each multiple of the period the nodes sum to no more than the integral and the largest of them,
  // and the squares of the least t there to pi^2 / 2 over that of the period.
  if (cut.decay > 0)
    error_ += (std::sqrt(2 * pi) / cut.decay + 2 * half_) * pi / (2 * cut.period * cut.period);
  error_ *= 1 + 1e-9;
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
  error = (error_ + turning_ * std::abs(epsilon) + far + near) * (1 + 1e-9);
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
