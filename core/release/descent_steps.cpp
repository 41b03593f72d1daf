#include "core/release/descent_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {
namespace {

// A record's own gradients are told apart in so many lengths.
constexpr double gradient_shares = 256;

// At which their divergences are added up, and the largest sum that is.
constexpr double path_orders[] = {1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256};
constexpr double largest_divergence = 1e6;

}  // namespace

Truncation DescentSteps::truncation(const GaussianNoise& noise) const {
  return {longest_, Norm::l2, noise.exponent};
}

// In steps of the grid.
double DescentSteps::radius_of(const GaussianNoise& noise, double length) const {
  const auto most = static_cast<double>(truncation(noise).radius());
  return length > 0 ? std::min(most, rounded_up(rounded_up(length / longest_) * most)) : 0;
}

// A step in which the record's part is at most so many steps of the grid long.
Description DescentSteps::sampled(const GaussianNoise& noise, double radius, double dimension) const {
  Description sampled{"subsampled", {{"rate", rate_}}, {}, {{"sampling", "poisson"}}, {}};
  sampled.parts.push_back({noise.guarantee(radius, dimension), 1});
  return sampled;
}

Description DescentSteps::everybody(const GaussianNoise& noise, double count, double dimension) const {
  const auto radius = static_cast<double>(truncation(noise).radius());
  return {"composition", {}, {}, {}, {{sampled(noise, radius, dimension), count}}};
}

// Lengths that are all the same are known before there is a path, and compose as everybody's do. Others are
// one path's, and are added up where a filter may add what follows from outputs: personal-loss.md.
Description DescentSteps::personal(const std::vector<double>& lengths, const GaussianNoise& noise,
                                   double dimension) const {
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  if (*most == 0) return {"pure", {{"epsilon", 0}}, {}, {}, {}};
  if (*least == *most)
    return {"composition",
            {},
            {},
            {},
            {{sampled(noise, radius_of(noise, *most), dimension), static_cast<double>(lengths.size())}}};
  return rate_ == 1 ? summed_squares(lengths, noise, dimension)
                    : summed_divergences(lengths, noise, dimension);
}

// Of normal noise, in every step: the sum of the squares is all that counts, adaptively too, where its
// bound is fixed beforehand (Smith and Thakurta 2022; Koskela, Tobaben and Honkela 2023).
Description DescentSteps::summed_squares(const std::vector<double>& lengths, const GaussianNoise& noise,
                                         double dimension) const {
  double squares = 0, most = 0;
  for (const double length : lengths) {
    const double radius = radius_of(noise, length);
    squares += radius * radius;
    most = std::max(most, radius);
  }
  // The longest one takes the most off the noise.
  Description whole = noise.guarantee(most, dimension);
  const double margin = (static_cast<double>(lengths.size()) + 64) * unit_roundoff;
  whole.numbers.at("sensitivity") = std::ldexp(rounded_up(std::sqrt(squares), margin), noise.exponent);
  return whole;
}

// Sampled: Renyi divergences add up, adaptively too, where the bound of their sum is fixed beforehand
// (Feldman and Zrnic 2021, Theorem 3.1), each order by itself. Lengths are rounded up to few.
Description DescentSteps::summed_divergences(const std::vector<double>& lengths, const GaussianNoise& noise,
                                             double dimension) const {
  std::map<int, double> counts;
  for (const double length : lengths)
    if (length > 0)
      ++counts[static_cast<int>(
          std::min(gradient_shares, std::ceil(rounded_up(length / longest_) * gradient_shares)))];
  std::vector<double> orders, sums;
  for (std::size_t k = 0; k < std::size(path_orders); ++k) {
    double sum = 0;
    for (const auto& [share, count] : counts) sum += count * divergences(share, noise, dimension)[k];
    sum = rounded_up(sum, (static_cast<double>(counts.size()) + 64) * unit_roundoff);
    if (!(sum <= largest_divergence)) break;
    orders.push_back(path_orders[k]);
    sums.push_back(std::max(sum, std::numeric_limits<double>::min()));
  }
  if (orders.empty())
    throw Refusal("unsupported", "noiseMultiplier", shown(static_cast<double>(noise.steps)),
                  "must be larger: no Renyi divergence of these steps is known");
  return {"rdp", {}, {{"epsilons", std::move(sums)}, {"orders", std::move(orders)}}, {}, {}};
}

// Of a step at so many shares of the longest gradient, found once for each.
const std::vector<double>& DescentSteps::divergences(int share, const GaussianNoise& noise,
                                                     double dimension) const {
  std::vector<double>& found = divergences_[{noise.steps, dimension, share}];
  if (!found.empty()) return found;
  const double length = longest_ * share / gradient_shares;
  const auto loss = privacy_loss(sampled(noise, radius_of(noise, length), dimension));
  for (const double order : path_orders) found.push_back(loss->renyi(order));
  return found;
}

}  // namespace epsilometer
