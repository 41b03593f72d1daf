// One epsilon for each of very many people at one delta: personal descriptions are moved to the next of a few
// levels that cost no less, and each level is priced once.
#pragma once

#include <map>

#include "core/accounting/composition/profile_grid.h"
#include "core/loss/description.h"

namespace epsilometer {

/// A description that dominates a personal one, of which there are `per_doubling` for each factor of 2 in
/// each of its own numbers. Kinds without a rule stay as they are.
Description coarser(Description description, int per_doubling);

class PeoplePrices {
 public:
  /// `everybody`: the price of the release at that delta, above which nobody pays; refuses delta other than 0
  /// and 1e-300 to 1.
  PeoplePrices(double delta, double everybody, int per_doubling = 16);

  /// At most the price of the release, and at least the person's own epsilon, by about 1 / per_doubling of
  /// it.
  double epsilon(Description person) { return level(std::move(person), Unknown::priced)->second; }

  /// A description that people's own are moved to, and its price.
  using Level = std::pair<const Description, double>;
  enum class Unknown { priced, none };
  /// That of one person's description: always the same for the same one. Where it has no price yet it is
  /// priced, or there is none.
  const Level* level(Description person, Unknown unknown);

  /// The price of the release.
  double everybody() const { return most_; }

  /// How many different ones were priced so far.
  std::size_t priced() const { return known_.size(); }

 private:
  double price(const Description& coarse);
  std::optional<double> beside_noise(const Description& coarse, const PrivacyLoss& loss);

  double delta_, most_;
  int per_doubling_;
  std::map<Description, double> known_;
  // Of what is known by its profile only, without the Gaussian noise beside it: found once for every width of
  // that.
  std::map<Description, std::vector<ProfileGrid>> grids_;
};

}  // namespace epsilometer
