#include "core/accounting/menu_game.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"

namespace epsilometer {
namespace {

// 1 - e^epsilon, and what it is known to be on that side.
double first_value(double epsilon, bool above) {
  const double value = std::max(0.0, -std::expm1(epsilon));
  return above ? std::min(1.0, rounded_up(value)) : rounded_down(value);
}

// One more choice: its own sum at every place, where that is more.
void choose(const LatticeMasses& choice, const std::vector<double>& before, int pad, std::vector<double>& sum,
            std::vector<double>& best) {
  const int size = static_cast<int>(best.size());
  std::fill(sum.begin(), sum.end(), choice.infinite);
  for (std::size_t k = 0; k < choice.masses.size(); ++k) {
    const double mass = choice.masses[k];
    if (mass == 0) continue;
    const double* from = before.data() + pad - (choice.first + static_cast<int>(k));
    for (int i = 0; i < size; ++i) sum[static_cast<std::size_t>(i)] += mass * from[i];
  }
  for (std::size_t i = 0; i < best.size(); ++i) best[i] = std::max(best[i], sum[i]);
}

// What is left however large epsilon is: infinite losses, of the choice that has most of them.
double least_value(const std::vector<LatticeMasses>& menu, double before) {
  double best = before;
  for (const LatticeMasses& choice : menu) {
    double sum = choice.infinite;
    for (const double mass : choice.masses) sum += mass * before;
    best = std::max(best, sum);
  }
  return best;
}

}  // namespace

// As far below the origin as it would take all that is likely. Beyond the last level a value is from above
// that of the last, and from below that of infinite losses; before the first one it is at most 1, and at
// least what it was without any release. Every round adds up as many products as there are masses.
MenuValues menu_game(const std::vector<LatticeMasses>& menu, double rounds, double step, double origin,
                     double reach, bool above) {
  const int before = static_cast<int>(std::ceil(reach / step)),
            after = std::max(1, static_cast<int>(std::ceil((reach - origin) / step)));
  MenuValues found{origin, step, before, std::vector<double>(static_cast<std::size_t>(before + after + 1))};
  std::vector<double>& best = found.values;
  int pad = 1;
  double terms = 0;
  for (const LatticeMasses& choice : menu) {
    pad = std::max({pad, -choice.first, choice.first + static_cast<int>(choice.masses.size()) - 1});
    terms = std::max(terms, static_cast<double>(choice.masses.size()));
  }
  const auto wide = static_cast<std::size_t>(pad);
  std::vector<double> padded(best.size() + 2 * wide), sum(best.size());
  for (std::size_t i = 0; i < best.size(); ++i) best[i] = first_value(found.level(i), above);
  for (std::size_t i = 0; i < wide; ++i)
    padded[i] = above ? 1 : first_value(found.level(0) - (pad - static_cast<double>(i)) * step, false);
  double beyond = 0;
  for (double round = 0; round < rounds; ++round) {
    std::copy(best.begin(), best.end(), padded.begin() + pad);
    std::fill(padded.end() - pad, padded.end(), above ? best.back() : beyond);
    beyond = least_value(menu, beyond);
    for (const LatticeMasses& choice : menu) choose(choice, padded, pad, sum, best);
  }
  const double margin = rounds * (terms + 8) * unit_roundoff;
  for (double& value : best)
    value = above ? std::min(1.0, rounded_up(value, margin)) : rounded_down(value, margin);
  return found;
}

}  // namespace epsilometer
