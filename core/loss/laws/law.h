// The law of a privacy loss in the form in which it can be cut into cells: a smooth part, written in a
// variable x in which its density is entire, plus point masses. What composition needs to know of a
// mechanism.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

namespace epsilometer {

/// A point mass of the loss. The mass is right to 5 rounding_margin.
struct Atom {
  double loss, mass;
};

/// Where the losses of point masses are, in exact arithmetic: the i-th of them, from the smallest loss on, at
/// origin + (first + i) * spacing. Both numbers are right to 4u; the spacing of a single atom is 0. With
/// `gaussian`, that of a discrete Gaussian of s = gaussian / spacing > 3 standard deviations: by Poisson
/// summation its moment generating function at theta + it is that of the loss N(gaussian^2/2, gaussian^2) but
/// for a factor 1 + e, |e| <= 2.1 e^{-2 pi s^2 (pi - |u|)}, u = t spacing in [-pi, pi].
struct LossLattice {
  double origin, spacing;
  std::int64_t first;
  double gaussian = 0;
};

/// The loss of N(mu, 1) against N(0, 1) where a record joins with probability `rate`, in the direction with
/// it or without it.
struct SampledNormal {
  double mu, rate;
  bool removing;
  /// E e^{theta L} is E r^s with this s, r = 1 - rate + rate e^{mu u - mu^2 / 2}, u standard normal.
  double order(double theta) const { return removing ? 1 + theta : -theta; }
};

/// The losses that have a probability of their own.
class AtomicPart {
 public:
  virtual std::vector<Atom> atoms() const { return {}; }
  virtual double infinite_mass() const { return 0; }
  /// No atom's loss is further from the truth than this.
  virtual double atom_error() const;
  /// The lattice on which all losses are known to lie, with the atoms in ascending order. One or two atoms
  /// always have one.
  virtual std::optional<LossLattice> lattice() const = 0;
  /// Whether the law is known to be nothing else, every loss of an atom right to 4u.
  virtual bool is_atomic() const { return false; }

 protected:
  ~AtomicPart() = default;
};

/// The losses that have a density, as an increasing function of x in an interval.
class SmoothPart {
 public:
  /// The interval; empty when there are point masses only.
  virtual double lowest_x() const { return -std::numeric_limits<double>::infinity(); }
  virtual double highest_x() const { return std::numeric_limits<double>::infinity(); }
  bool has_density() const { return lowest_x() < highest_x(); }
  /// Where inside the interval density and loss are not smooth: no panel of a quadrature may straddle it.
  virtual double breakpoint() const { return lowest_x(); }
  virtual double loss(double x) const = 0;
  /// Its inverse; the nearer end of the interval for a loss that the smooth part does not reach.
  virtual double x_at(double loss) const = 0;
  /// dL/dx, positive but for rounding. Proofs rest on it: those of the panels of a quadrature, of the decay
  /// of a characteristic function and of the rounding at its nodes.
  virtual double slope(double x) const = 0;
  /// Log of the density of P with respect to x.
  virtual double log_density(double x) const = 0;
  /// Both, where one of them follows from the other.
  struct LossAndDensity {
    double loss, log_density;
  };
  virtual LossAndDensity loss_and_density(double x) const { return {loss(x), log_density(x)}; }
  /// A bound on |d log density / dx| and on |d loss / dx| over [from, to], for quadrature.
  virtual double log_slope_bound(double from, double to) const = 0;
  /// The length over which x varies naturally.
  virtual double length_scale() const = 0;

  /// Upper bounds on the log of the mass of the smooth part above x and below it. Not asked by loss, which
  /// forgets where it lies when it nears a bound of its own.
  virtual double log_above(double x) const = 0;
  virtual double log_below(double x) const = 0;

 protected:
  ~SmoothPart() = default;
};

/// What is known of the form of the smooth part: whatever is not is left out, and composition takes a longer
/// way.
class SmoothForm {
 public:
  /// The size of the terms that log_density adds up over [from, to], beyond a hundred: it is right to a few
  /// roundings of them. Those of a Gaussian density are below the square of log_slope_bound.
  virtual double rounding(double from, double to) const = 0;
  /// Whether one formula, of which that is known, holds for the whole density: it may be cut at any loss.
  virtual bool has_one_form() const { return analytic_halfwidth() > 0; }
  /// Within this distance of the real line, in the complex plane, the loss and the density are analytic, and
  /// log |density e^{order L}| differs between two points by at most their distance times (log_slope_bound +
  /// |1 + order| sqrt(2) times the largest slope at the real parts between them), plus
  /// (Im x / length_scale)^2 / 2; on the reals the slope is monotone. 0 when that is not known.
  virtual double analytic_halfwidth() const { return 0; }
  /// The most local maxima that e^{theta l} times the density of the smooth losses l can have, for any theta;
  /// 0 when that is not known.
  virtual int max_modes() const { return 0; }
  /// The mu of the loss N(mu^2/2, mu^2); 0 for every other law.
  virtual double gaussian() const { return 0; }
  /// What it is the sample of, where that is normal noise and at least half of all records stay away.
  virtual std::optional<SampledNormal> sampled_normal() const { return std::nullopt; }
  /// The s of the density e^{l/2 + s} of losses l = x in [-highest_x, highest_x]; nothing for every other.
  virtual std::optional<double> exponential() const { return std::nullopt; }

 protected:
  ~SmoothForm() = default;
};

/// The law of L = log dP/dQ under P, for one direction of a pair (P, Q). Immutable. The finite part has the
/// mass 1 - infinite_mass().
class Law : public AtomicPart, public SmoothPart, public SmoothForm {
 public:
  virtual ~Law() = default;

  std::optional<LossLattice> lattice() const override;
  double rounding(double from, double to) const override {
    return analytic_halfwidth() > 0 ? log_slope_bound(from, to) * log_slope_bound(from, to) : 0;
  }
};

/// A law that occurs `count` times.
struct RepeatedLaw {
  std::shared_ptr<const Law> law;
  double count;
};

}  // namespace epsilometer
