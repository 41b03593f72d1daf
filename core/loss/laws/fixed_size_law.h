// The loss of a symmetric pair on a sample of fixed size, for replacing a record: above zero that of the
// Poisson-sampled pair with the record, below zero that without it, and the rest of the mass at zero. Both
// halves follow from the profile q delta_0(log(1 + (e^epsilon - 1)/q)) for epsilon >= 0 and the symmetry of
// the pair.
#pragma once

#include <algorithm>
#include <memory>

#include "core/loss/laws/law.h"

namespace epsilometer {

class FixedSizeLaw final : public Law {
 public:
  /// `above` and `below` are the Poisson-sampled laws with and without the record, of the same base pair;
  /// `rest` is the mass at zero. Each may have an x of its own.
  FixedSizeLaw(std::shared_ptr<const Law> above, std::shared_ptr<const Law> below, double rest)
      : above_(std::move(above)),
        below_(std::move(below)),
        rest_(rest),
        breakpoint_(above_->x_at(0)),
        offset_(below_->x_at(0) - breakpoint_) {}

  std::vector<Atom> atoms() const override {
    std::vector<Atom> result;
    for (const Atom& atom : below_->atoms()) {
      if (atom.loss < 0) result.push_back(atom);
    }
    result.push_back({0, rest_});
    for (const Atom& atom : above_->atoms()) {
      if (atom.loss > 0) result.push_back(atom);
    }
    return result;
  }
  double atom_error() const override { return std::max(above_->atom_error(), below_->atom_error()); }
  double infinite_mass() const override { return above_->infinite_mass(); }
  double lowest_x() const override { return below_->lowest_x() - offset_; }
  double highest_x() const override { return above_->highest_x(); }
  double breakpoint() const override { return breakpoint_; }
  double loss(double x) const override { return side(x).loss(at(x)); }
  double x_at(double loss) const override {
    return loss < 0 ? below_->x_at(loss) - offset_ : above_->x_at(loss);
  }
  double slope(double x) const override { return side(x).slope(at(x)); }
  double log_density(double x) const override { return side(x).log_density(at(x)); }
  double log_slope_bound(double from, double to) const override {
    return from < breakpoint_ ? below_->log_slope_bound(from + offset_, to + offset_)
                              : above_->log_slope_bound(from, to);
  }
  double rounding(double from, double to) const override {
    return std::max(below_->rounding(from + offset_, to + offset_), above_->rounding(from, to));
  }
  double length_scale() const override { return above_->length_scale(); }
  // Beyond the breakpoint a bound of 1 is enough.
  double log_above(double x) const override { return x < breakpoint_ ? 0 : above_->log_above(x); }
  double log_below(double x) const override { return x > breakpoint_ ? 0 : below_->log_below(at(x)); }

 private:
  double at(double x) const { return x < breakpoint_ ? x + offset_ : x; }
  const Law& side(double x) const { return x < breakpoint_ ? *below_ : *above_; }

  std::shared_ptr<const Law> above_, below_;
  double rest_, breakpoint_, offset_;
};

}  // namespace epsilometer
