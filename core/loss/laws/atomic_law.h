// A law of point masses only.
#pragma once

#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "core/loss/laws/law.h"

namespace epsilometer {

/// Finitely many point masses, in ascending order of their losses.
class AtomicLaw final : public Law {
 public:
  AtomicLaw(std::vector<Atom> atoms, double infinite_mass, std::optional<LossLattice> lattice = std::nullopt)
      : atoms_(std::move(atoms)), infinite_(infinite_mass), lattice_(lattice) {}

  /// Losses that are right to `error` only.
  AtomicLaw(std::vector<Atom> atoms, double infinite_mass, double error)
      : atoms_(std::move(atoms)), infinite_(infinite_mass), error_(error) {}

  std::vector<Atom> atoms() const override { return atoms_; }
  double atom_error() const override { return error_ ? *error_ : Law::atom_error(); }
  double infinite_mass() const override { return infinite_; }
  std::optional<LossLattice> lattice() const override { return lattice_ ? lattice_ : Law::lattice(); }
  bool is_atomic() const override { return !error_; }
  // No smooth part: an empty interval.
  double lowest_x() const override { return 0; }
  double highest_x() const override { return 0; }
  double loss(double x) const override { return x; }
  double x_at(double loss) const override { return loss; }
  double slope(double) const override { return 1; }
  double log_density(double) const override { return -std::numeric_limits<double>::infinity(); }
  double log_slope_bound(double, double) const override { return 0; }
  double length_scale() const override { return 1; }
  double analytic_halfwidth() const override { return std::numeric_limits<double>::infinity(); }
  double log_above(double) const override { return -std::numeric_limits<double>::infinity(); }
  double log_below(double) const override { return -std::numeric_limits<double>::infinity(); }

 private:
  std::vector<Atom> atoms_;
  double infinite_;
  std::optional<LossLattice> lattice_;
  std::optional<double> error_;
};

}  // namespace epsilometer
