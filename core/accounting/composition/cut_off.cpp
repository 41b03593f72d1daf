#include "core/accounting/composition/cut_off.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/accounting/composition/decay.h"
#include "core/accounting/composition/law_nodes.h"
#include "core/accounting/composition/steering/effort.h"
#include "core/accounting/margins.h"
#include "core/base/bounds.h"

namespace epsilometer {
namespace {

constexpr int halvings = 6;

std::optional<std::vector<Decay>> decays_of(const LinePlan& plan, const std::vector<TiltedPart>& parts) {
  double count = 0;
  for (const TiltedPart& part : parts) count += part.count;
  std::vector<Decay> decays;
  for (const TiltedPart& part : parts) {
    const auto decay = decay_of(part, plan, plan.depth / 2 / count);
    if (!decay) return std::nullopt;
    decays.push_back(*decay);
  }
  return decays;
}

// Of the laws on lattices one is relied on beyond half its period: that which lets least return.
void rely_on_lattice(CutOff& cut, double depth, const std::vector<TiltedPart>& parts,
                     const std::vector<Decay>& decays) {
  double least_return = infinite;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (decays[i].around == 0) continue;
    const double decay = std::sqrt(parts[i].count) * decays[i].around, period = decays[i].period;
    const double returns = 1 / (decay * period * period);
    if (!(decay * period / 2 > std::sqrt(2 * depth)) || !(returns < least_return)) continue;
    cut.decay = decay;
    cut.period = period;
    least_return = returns;
  }
}

// By what is known of the decay of every law, which falls the further t is; infinite when that is too far.
CutOff known_cut_off(const LinePlan& plan, const std::vector<TiltedPart>& parts,
                     const std::vector<Decay>& decays) {
  CutOff cut{infinite, 0, 0, infinite};
  rely_on_lattice(cut, plan.depth, parts, decays);
  const auto known = [&](double t) {
    double sum = cut.decay * cut.decay * t * t / 2;
    for (std::size_t i = 0; i < parts.size(); ++i) sum += parts[i].count * decays[i](t);
    return sum;
  };
  // Where rare large losses are all that decays, |phi| stays above a floor: what can be had must do.
  const double furthest = std::min(effort::most_frequencies / plan.spread, cut.period / 2);
  const double depth = std::min(plan.depth, 0.9 * known(furthest));
  if (!(depth >= effort::least_depth)) return cut;
  double found = 1 / plan.spread;
  while (found < furthest && !(known(found) >= depth)) found *= 1.1;
  if (!(found < furthest)) return cut;
  cut.at = found;
  cut.depth = depth;
  return cut;
}

// The bulk of every law, at which is looked for its own values.
class Bulks {
 public:
  Bulks(const LinePlan& plan, const std::vector<TiltedPart>& parts, const std::vector<Decay>& decays)
      : plan_(plan), parts_(parts), decays_(decays) {}

  // For |t| up to `last`; false when that takes too many nodes.
  bool fill(double last) {
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      LawNodes& bulk = nodes_.emplace_back(parts_[i], last);
      if (decays_[i].gaussian > 0) continue;
      if (!bulk.fill(plan_.theta, plan_.theta + last, decays_[i].bulk_x)) return false;
      variance_ += parts_[i].count * bulk.variance() / decays_[i].total * (1 + composition::variance_margin);
    }
    return true;
  }

  // Between two looks at distance d, sum k (1 - |phi|^2) / 2 is at least the smaller of both less d^2 / 8
  // times this: it bounds the second derivative.
  double variance() const { return variance_; }

  // Sum k (1 - |phi|^2) / 2, which is at most -log |phi|, from below: at `least`, 2 least, 4 least, ...
  std::vector<double> seen(double least, std::size_t doublings) const {
    std::vector<double> sums(doublings + 1);
    std::vector<LawNodes::Value> values(sums.size());
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      if (decays_[i].gaussian > 0) continue;
      std::fill(values.begin(), values.end(), 0);
      nodes_[i].add_doubled(least, values);
      double turns = 1;
      for (std::size_t k = 0; k < sums.size(); ++k, turns *= 2) {
        const double size = std::abs(values[k]) / decays_[i].total;
        const double doubt = nodes_[i].doubt(plan_, turns * least, turns) +
                             unit_roundoff * static_cast<double>(nodes_[i].size());
        sums[k] += parts_[i].count * ((1 - size * size) / 2 - decays_[i].rest - doubt);
      }
    }
    return sums;
  }

  // -log |phi| from below, of the Gaussian ones of which half a period holds all of t up to `last`.
  double gaussian(double t, double last) const {
    double sum = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      const Decay& decay = decays_[i];
      if (2 * last <= decay.period) sum += parts_[i].count * decay.gaussian * decay.gaussian * t * t / 2;
    }
    return sum;
  }

 private:
  const LinePlan& plan_;
  const std::vector<TiltedPart>& parts_;
  const std::vector<Decay>& decays_;
  std::vector<LawNodes> nodes_;
  double variance_ = 0;
};

}  // namespace

CutOff cut_off(const LinePlan& plan, const std::vector<TiltedPart>& parts) {
  const auto decays = decays_of(plan, parts);
  if (!decays) return {infinite, 0, 0, infinite};
  CutOff cut = known_cut_off(plan, parts, *decays);
  Bulks bulks(plan, parts, *decays);
  if (cut.at == infinite || !bulks.fill(cut.at)) return cut;
  // By halves first, which cost little beside the furthest look, then by steps for what is to spare, as long
  // as all of them cost less than the integral.
  const std::vector<double> seen = bulks.seen(std::ldexp(cut.at, -halvings), halvings);
  double above = seen.back();
  const auto nearer = [&](double next, double there) {
    const double least = std::min(above, there) - bulks.variance() * (cut.at - next) * (cut.at - next) / 8;
    if (!(least + bulks.gaussian(next, cut.at) >= cut.depth)) return false;
    cut.at = next;
    above = there;
    return true;
  };
  for (std::size_t k = halvings; k-- > 0 && nearer(cut.at / 2, seen[k]);) continue;
  for (int looks = 0; looks < 200 && looks * effort::frequencies_of_look < plan.frequencies(cut.at);
       ++looks) {
    const double spare = above + bulks.gaussian(cut.at, cut.at) - cut.depth;
    if (!(spare > 0.05 * cut.depth)) break;
    const double next = std::max(0.6 * cut.at, cut.at - std::sqrt(4 * spare / bulks.variance()));
    if (!nearer(next, bulks.seen(next, 0)[0])) break;
  }
  return cut;
}

CutOff cut_off_of_samples(const LinePlan& plan, const std::vector<TiltedPart>& parts,
                          std::vector<LawNodes>& laws) {
  double count = 0;
  for (const TiltedPart& part : parts) count += part.count;
  // What is left out of every law adds up.
  const double left_out = std::clamp(plan.depth + std::log(count) + 3, 20.0, 40.0);
  const double normal = std::sqrt(2 * plan.depth) / plan.spread;
  double next = 1.1 * normal;
  const CutOff none{infinite, 0, 0, infinite};
  for (double last = 1.5 * normal; std::isfinite(last); last = 2 * next) {
    laws.clear();
    double nodes = 0;
    for (const TiltedPart& part : parts) {
      LawNodes& law = laws.emplace_back(part, last);
      if (law.gaussian() > 0) continue;
      if (!law.fill_evenly(plan.theta, last, left_out)) return none;
      nodes += static_cast<double>(law.size());
      if (nodes > effort::most_kept) return none;
    }
    while (next <= last) {
      double found = 0;
      for (const LawNodes& law : laws) found += law.part().count * law.decay(next);
      if (found >= plan.depth) return {next, found, 0, infinite};
      // It grows like the square of t, or more slowly.
      next *= std::clamp(1.03 * std::sqrt(plan.depth / std::max(found, plan.depth / 10)), 1.05, 3.0);
    }
  }
  return none;
}

}  // namespace epsilometer
