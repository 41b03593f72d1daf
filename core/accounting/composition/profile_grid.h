// Several releases of which some are known by their profiles only, and the others are Gaussian: an upper
// bound on the profile of all together. Every profile is a convex function of e^epsilon, so its chords lie
// above it, and chords between losses on a grid are the profile of point masses there (Doroshenko, Ghazi,
// Kamath, Kumar and Manurangsi 2022, "connect the dots"). With those in the place of a release the whole
// costs no less, in each direction by itself: the profile of two releases is the mean of that of one at
// epsilon less the loss of the other, and so it is whichever of them is replaced, and for every adaptive
// composition (Zhu, Dong and Wang 2022). What is left is a sum over the grid of the Gaussian's profile: no
// quadrature.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/loss/laws/law.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Point masses at the losses (first + i) step, and one at infinity; together no less than 1.
struct GridLaw {
  std::int64_t first = 0;
  std::vector<double> masses;
  double infinite = 0;
};

/// Laws of which the profile is nowhere below the known one in that direction, from chords between losses on
/// the grid. Nothing where doubles do not show that it is so.
struct GridPair {
  std::optional<GridLaw> remove, add;
};
GridPair grids_of(const KnownDirections& known, double step);

/// Of what is known by one profile for both directions, delta(epsilon) from above for every epsilon >= 0: a
/// law for both, with so many losses of each sign up to `reach`. Null where doubles do not show that it is
/// one.
std::shared_ptr<const Law> law_of_chords(const std::function<double(double)>& delta, double reach,
                                         int points);

/// The law of the sum of two losses.
GridLaw joined(const GridLaw& a, const GridLaw& b);

class ProfileGrid {
 public:
  /// Of both directions, for parts that are Gaussian or know their profile in each direction, from one to
  /// eight of the latter; none otherwise.
  static std::vector<ProfileGrid> of(const std::vector<Repeated>& parts);

  /// At least delta(epsilon) of all in that direction, epsilon >= 0.
  double delta(double epsilon) const;
  /// The smallest epsilon >= 0 at which that is at most `delta`, rounded up, at about so many bits; infinity
  /// where there is none.
  double epsilon(double delta, int bits = 52) const;

  /// The same with another Gaussian beside what is known by its profile, or none.
  ProfileGrid beside(std::shared_ptr<const PrivacyLoss> gaussian) const;

  /// Whether chords are short enough, and the grid reaches far enough, that no other bound will be better
  /// where delta is that. Heuristic, no guarantee.
  bool is_fine_at(double delta) const { return is_fine_ && delta > 1e3 * law_.infinite; }

 private:
  ProfileGrid(GridLaw law, double step, std::shared_ptr<const PrivacyLoss> gaussian, bool is_fine);

  GridLaw law_;
  // The sum of all masses up to that one.
  std::vector<double> up_to_;
  double step_;
  // None where nothing else is released.
  std::shared_ptr<const PrivacyLoss> gaussian_;
  bool is_fine_;
};

}  // namespace epsilometer
