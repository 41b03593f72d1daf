// The profile of many releases together, certified: each law on a lattice from above and from below, tilted
// to the asked loss, raised to its count by one Fourier transform, with truncation, wrap-around and rounding
// charged to the interval.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/accounting/composition/contour.h"
#include "core/accounting/composition/enumeration.h"
#include "core/accounting/composition/tilted_sum.h"
#include "core/accounting/composition/uneven_sum.h"
#include "core/base/bounds.h"

namespace epsilometer {

class Composer {
 public:
  /// All of one direction.
  explicit Composer(const std::vector<RepeatedLaw>& laws);
  ~Composer();
  Composer(Composer&&) noexcept;

  /// So many different laws that one pass must do, and the interval is as wide as it comes.
  bool has_many() const;

  /// The smallest epsilon >= 0 with delta(epsilon) <= delta, in an interval of the relative width `gap` if it
  /// can be.
  Bounds epsilon(double delta, double gap) const;
  /// For epsilon >= 0.
  Bounds delta(double epsilon, double gap) const;

  /// What was found out for one epsilon serves for others near it, until it is forgotten: then the next
  /// answer is the same whatever was asked before.
  void forget() const;

  /// The tilt near which the losses lie that decide; for whoever has to choose one.
  double tilt_at_delta(double delta) const;
  double tilt_at_epsilon(double epsilon) const;

 private:
  struct Group;
  struct Guide;
  struct Tilt;
  struct Aim;

  Tilt tilt(double theta) const;
  Tilt tilt_for_delta(double log_delta) const;
  Tilt tilt_for_epsilon(double epsilon) const;
  void align();
  void choose_guides();
  double aligned(double step) const;
  double step_for(const Tilt& tilt, double gap) const;
  std::pair<double, double> border(const Tilt& tilted, double side, double depth) const;
  void cut(TiltedPart& part, double tail, double low, double theta) const;
  std::vector<TiltedPart> parts(const Tilt& tilted, const Aim& aim) const;
  std::optional<TiltedSum> sum(const Tilt& tilted, const Aim& aim, double step) const;
  std::optional<Contour> contour(const Tilt& tilted, double log_delta) const;
  std::size_t most_uneven_cells() const;
  Bounds uneven_delta(double epsilon, Bounds best, double gap) const;
  std::optional<UnevenSum> uneven_sum(const UnevenSum::Target& aim) const;
  Bounds searched_epsilon(double delta, double gap) const;
  Bounds uneven_epsilon(double delta, double gap, Bounds best, const Tilt& tilted) const;
  template <class Sum>
  Bounds invert(const Sum& at, double delta, const Tilt& tilted, double low, double high) const;

  std::vector<Group> groups_;
  std::vector<Guide> guides_;
  // The largest finite loss of the sum, rounded up and down, and the log of the probability of a finite one.
  double largest_ = 0, largest_at_least_ = 0, log_finite_ = 0;
  // The standard deviation of all Gaussian losses together, and the largest finite loss of all others.
  double gaussian_ = 0, others_ = 0;
  // Of the weightiest law with atoms: between the extreme ones, and of its lattice. The spacing of the one
  // lattice on which all losses lie. 0 when there is none.
  double span_ = 0, lattice_ = 0, spacing_ = 0;
  // When there are so few outcomes that they can be listed.
  std::optional<Enumeration> enumerated_;
  // All laws can be cut at uneven knots, where even steps answer badly.
  bool uneven_ = false;
  // Log of the probability of the largest loss.
  double log_top_ = 0;
  // The integral of an earlier question about delta; the sum of one that needed it, and the losses for which
  // it serves.
  mutable std::optional<Contour> line_;
  mutable std::optional<TiltedSum> last_;
  mutable std::optional<UnevenSum> uneven_sum_;
  mutable double last_from_ = 0, last_to_ = 0, last_gap_ = 0;
};

}  // namespace epsilometer
