#include "core/report/personal/people_prices.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

// How wide the interval of a composition may be, of which the upper end is told: levels are further apart.
constexpr double level_gap = 1e-3;

// The least level that is not below a positive value.
double level_above(double value, int per_doubling) {
  if (!(value > 0)) return value;
  const double place = std::ceil(std::log2(value) * per_doubling);
  return std::max(value, rounded_up(std::exp2(place / per_doubling)));
}

// The one below: 1 / gamma is what dominates when it is larger.
double level_below(double value, int per_doubling) {
  const double place = std::floor(std::log2(value) * per_doubling);
  return std::min(value, rounded_down(std::exp2(place / per_doubling)));
}

// Pairs of smaller leverage m and residuals up to S sqrt((1 + m) / (1 + M)) are post-processings of (M, S):
// core/release/algorithms/posterior_sampling.cpp.
void coarsen_sample(std::map<std::string, double>& numbers, int per_doubling) {
  double &leverage = numbers.at("leverage"), &residual = numbers.at("residual");
  const double most = std::min(1e3, level_above(leverage, per_doubling));
  const double grown = rounded_up(residual * std::sqrt((1 + most) / (1 + leverage)));
  leverage = most;
  residual = std::max(grown, std::min(1e6, level_above(grown, per_doubling)));
}

}  // namespace

Description coarser(Description found, int per_doubling) {
  const std::string& kind = found.kind;
  if (kind == "gaussian" || kind == "laplace") {
    double& moved = found.numbers.at("sensitivity");
    moved = level_above(moved, per_doubling);
  } else if (kind == "pure") {
    double& epsilon = found.numbers.at("epsilon");
    epsilon = level_above(epsilon, per_doubling);
  } else if (kind == "gaussian-mixing") {
    double& gamma = found.numbers.at("gamma");
    gamma = std::max(1.000001, level_below(gamma, per_doubling));
  } else if (kind == "posterior-sampling") {
    coarsen_sample(found.numbers, per_doubling);
  } else if (kind == "approximate-minima-perturbation") {
    for (const char* name : {"lipschitz", "smoothness"})
      found.numbers.at(name) = level_above(found.numbers.at(name), per_doubling);
  } else if (kind == "rdp") {
    for (double& epsilon : found.lists.at("epsilons"))
      epsilon = std::min(1e6, level_above(epsilon, per_doubling));
  }
  // What a sampled mechanism contains dominates inside it as it does alone.
  for (Part& part : found.parts) part.mechanism = coarser(std::move(part.mechanism), per_doubling);
  return found;
}

PeoplePrices::PeoplePrices(double delta, const Description& everybody, int per_doubling)
    : delta_(delta == 0 ? 0 : in_range("delta", delta, 1e-300, 1)),
      most_(epsilometer::epsilon(*privacy_loss(everybody), delta).upper),
      per_doubling_(static_cast<int>(in_range("levels", per_doubling, 1, 1024))) {}

const PeoplePrices::Level* PeoplePrices::level(Description person, Unknown unknown) {
  Description coarse = coarser(std::move(person), per_doubling_);
  const auto found = known_.find(coarse);
  if (found != known_.end()) return &*found;
  if (unknown == Unknown::none) return nullptr;
  const auto loss = privacy_loss(coarse);
  const double own = std::min(most_, Profile(*loss, level_gap).epsilon(delta_).upper);
  return &*known_.emplace(std::move(coarse), own).first;
}

}  // namespace epsilometer
