#include "core/report/personal/people_prices.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

// How wide the interval of a composition may be, of which the upper end is told: levels are further apart. So
// are those of so many bits.
constexpr double level_gap = 1e-3;
constexpr int level_bits = 16;

// The least level that is not below a positive value. Levels are a little above the powers of 2, so that what
// is meant to be one, such as the square of a level over 4, is no level above it by rounding.
double level_above(double value, int per_doubling) {
  if (!(value > 0)) return value;
  constexpr double offset = 1 + 0x1p-20;
  const double place = std::ceil(std::log2(value / offset) * per_doubling);
  return std::max(value, rounded_up(std::exp2(place / per_doubling) * offset));
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

// The smoothness of rows of a model grows with the square of their gradient bound: with half as many levels,
// rows of one level of the one have one level of the other.
void coarsen_minimum(std::map<std::string, double>& numbers, int per_doubling) {
  double &lipschitz = numbers.at("lipschitz"), &smoothness = numbers.at("smoothness");
  lipschitz = level_above(lipschitz, per_doubling);
  smoothness = level_above(smoothness, std::max(1, per_doubling / 2));
}

bool is_gaussian(const Repeated& part) { return part.loss->gaussian().has_value(); }

Description without_gaussians(Description whole) {
  std::erase_if(whole.parts, [](const Part& part) { return part.mechanism.kind == "gaussian"; });
  return whole;
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
    coarsen_minimum(found.numbers, per_doubling);
  } else if (kind == "rdp") {
    for (double& epsilon : found.lists.at("epsilons"))
      epsilon = std::min(1e6, level_above(epsilon, per_doubling));
  }
  // What a sampled mechanism contains dominates inside it as it does alone.
  for (Part& part : found.parts) part.mechanism = coarser(std::move(part.mechanism), per_doubling);
  return found;
}

PeoplePrices::PeoplePrices(double delta, double everybody, int per_doubling)
    : delta_(delta == 0 ? 0 : in_range("delta", delta, 1e-300, 1)),
      most_(everybody),
      per_doubling_(static_cast<int>(in_range("levels", per_doubling, 1, 1024))) {}

const PeoplePrices::Level* PeoplePrices::level(Description person, Unknown unknown) {
  Description coarse = coarser(std::move(person), per_doubling_);
  const auto found = known_.find(coarse);
  if (found != known_.end()) return &*found;
  if (unknown == Unknown::none) return nullptr;
  const double own = std::min(most_, price(coarse));
  return &*known_.emplace(std::move(coarse), own).first;
}

double PeoplePrices::price(const Description& coarse) {
  const auto loss = privacy_loss(coarse);
  if (const auto found = beside_noise(coarse, *loss)) return *found;
  return Profile(*loss, level_gap).epsilon(delta_).upper;
}

// Gaussian noise and what is known by its profile only. Nothing of others, and where its grid is no good.
std::optional<double> PeoplePrices::beside_noise(const Description& coarse, const PrivacyLoss& loss) {
  std::vector<Repeated> known = loss.parts();
  const auto gaussian = std::find_if(known.begin(), known.end(), is_gaussian);
  if (coarse.kind != "composition" || loss.composes() || delta_ == 0) return {};
  if (gaussian == known.end() || gaussian->count != 1) return {};
  const auto noise = gaussian->loss;
  known.erase(gaussian);
  if (std::any_of(known.begin(), known.end(), is_gaussian)) return {};
  const auto [found, is_new] = grids_.try_emplace(without_gaussians(coarse));
  std::vector<ProfileGrid>& directions = found->second;
  if (is_new) directions = ProfileGrid::of(known);
  const auto is_fine = [this](const ProfileGrid& one) { return one.is_fine_at(delta_); };
  if (directions.empty() || !std::all_of(directions.begin(), directions.end(), is_fine)) return {};
  double most = 0;
  for (const ProfileGrid& one : directions) {
    const ProfileGrid whole = one.beside(noise);
    if (whole.delta(most) > delta_) most = whole.epsilon(delta_, level_bits);
  }
  return most;
}

}  // namespace epsilometer
