#include "core/accounting/composition/steering/tilt_choice.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/accounting/composition/steering/effort.h"
#include "core/numerics/constants.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// Nodes reach down to probabilities of e^-this.
constexpr double deepest = 760;

// The root of 2 pi but for its last bits, which are kept: others would move the last bits of answers.
constexpr double about_root_two_pi = 2.5066282746309994;

// Exponents that are tried for a border, in standard deviations of the tilted sum: from 0.05 to 170.
constexpr std::size_t border_sizes = 32;
constexpr double border_ratio = 1.3;

// Tails that a search with that delta comes across.
double depth_of(double log_delta) { return 60 - log_delta; }

// The root of a decreasing function of theta, from 1e-9 to 1e9 per nat, or per standard deviation of the sum
// where that goes further.
template <class Function>
double theta_where(double spread, const Function& falling) {
  const auto f = [&](double log_theta) { return falling(std::exp(log_theta)); };
  const double log_spread = std::log(std::clamp(spread, 1e-15, 1e15));
  const double low = std::log(1e-9) - std::max(0.0, log_spread);
  const double high = std::log(1e9) - std::min(0.0, log_spread);
  if (!(f(low) > 0)) return std::exp(low);
  if (!(f(high) < 0)) return std::exp(high);
  const auto [from, to] = sign_change(f, low, high, 20);
  return std::exp((from + to) / 2);
}

}  // namespace

TiltChoice::TiltChoice(const std::vector<RepeatedLaw>& laws) {
  if (laws.size() <= effort::many_laws) {
    for (const RepeatedLaw& one : laws) representatives_.push_back({{*one.law, deepest}, one.count});
    return;
  }
  struct Rank {
    double variance, count;
    std::size_t place;
  };
  std::vector<Rank> ranks;
  double whole = 0;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const double variance = CumulantNodes(*laws[i].law, depth_of(0)).at(0).curvature;
    ranks.push_back({variance, laws[i].count, i});
    whole += laws[i].count * variance;
  }
  std::sort(ranks.begin(), ranks.end(), [](auto& a, auto& b) { return a.variance < b.variance; });
  for (std::size_t i = 0, first = 0; i < ranks.size(); ++i) {
    double share = 0;
    for (std::size_t j = first; j <= i; ++j) share += ranks[j].count * ranks[j].variance;
    if (share < whole / effort::many_laws && i + 1 < ranks.size()) continue;
    const Rank& middle = ranks[(first + i) / 2];
    if (middle.variance > 0)
      representatives_.push_back({{*laws[middle.place].law, deepest}, share / middle.variance});
    first = i + 1;
  }
}

Tilt TiltChoice::at(double theta) const {
  Tilt result{theta, 0, 0, 0};
  for (const RepresentativeLaw& one : representatives_) {
    const Cumulant cumulant = one.nodes.at(theta);
    result.log_scale += one.count * cumulant.value;
    result.centre += one.count * cumulant.slope;
    result.spread += one.count * cumulant.curvature;
  }
  result.spread = std::sqrt(result.spread);
  return result;
}

Tilt TiltChoice::for_delta(double log_delta) const {
  return at(theta_where(at(0).spread, [&](double theta) {
    const Tilt there = at(theta);
    return there.log_scale - theta * there.centre - std::log1p(theta * about_root_two_pi * there.spread) -
           std::log1p(theta) - log_delta;
  }));
}

Tilt TiltChoice::for_epsilon(double epsilon) const {
  return at(theta_where(at(0).spread, [&](double theta) { return epsilon - at(theta).centre; }));
}

double TiltChoice::log_moment(const std::vector<RepeatedLaw>& laws, std::size_t place, double theta,
                              double log_delta) const {
  return laws.size() <= effort::many_laws
             ? representatives_[place].nodes.at(theta).value
             : CumulantNodes(*laws[place].law, depth_of(log_delta)).at(theta).value;
}

TailBorder TiltChoice::border(const Tilt& tilted, double side, double depth) const {
  std::array<double, border_sizes> sizes{0.05 / std::max(tilted.spread, 1e-300)};
  for (std::size_t i = 1; i < sizes.size(); ++i) sizes[i] = border_ratio * sizes[i - 1];
  const auto border_at = [&](std::size_t i) {
    return (at(tilted.theta + side * sizes[i]).log_scale - tilted.log_scale + depth) / sizes[i];
  };
  // Falls, and then rises: a normal law's is best where half its square is the depth, and others' is near.
  const double usual = std::round(std::log(std::sqrt(2 * depth) / 0.05) / std::log(border_ratio));
  auto best = static_cast<std::size_t>(std::clamp(usual, 0.0, static_cast<double>(border_sizes - 1)));
  double least = border_at(best);
  const auto try_at = [&](std::size_t i, bool also_equal) {
    const double there = border_at(i);
    if (!(also_equal ? there <= least : there < least)) return false;
    least = there;
    best = i;
    return true;
  };
  const std::size_t first = best;
  while (best + 1 < border_sizes && try_at(best + 1, true)) continue;
  if (best == first)
    while (best > 0 && try_at(best - 1, false)) continue;
  return {side * least, side * sizes[best]};
}

}  // namespace epsilometer
