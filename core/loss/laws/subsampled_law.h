// The loss of a Poisson-subsampled pair, from the law of the pair itself. With the record, the output follows
// (1-q)Q + qP against Q, and the loss is log(1 - q + q e^l); without it P against (1-q)P + qQ, and the loss
// is -log(1 - q + q e^-l), where l is the loss of the base pair in the same direction.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/base/bounds.h"
#include "core/loss/laws/law.h"

namespace epsilometer {

class SubsampledLaw final : public Law {
 public:
  /// `base` and `mirror` are the base pair's laws in this direction and in the other; rate in (0, 1).
  SubsampledLaw(std::shared_ptr<const Law> base, std::shared_ptr<const Law> mirror, double rate,
                bool removing)
      : base_(std::move(base)), mirror_(std::move(mirror)), rate_(rate), removing_(removing) {
    for (const Atom& outcome : outcomes()) {
      const double loss = thinned(outcome.loss), sign = removing_ ? 1 : -1;
      atoms_.push_back({loss, outcome.mass});
      // The base loss is rounded, then thinned() forty times more at most.
      const double slope = std::min(1.0, std::exp(std::log(rate_) + sign * (outcome.loss - loss)));
      atom_error_ =
          std::max(atom_error_, slope * 2 * base_->atom_error() + 40 * unit_roundoff * std::abs(loss));
    }
    if (absent() == 0) return;
    atoms_.insert(removing_ ? atoms_.begin() : atoms_.end(), {thinnest(), absent()});
    atom_error_ = std::max(atom_error_, 8 * unit_roundoff * std::abs(thinnest()));
  }

  std::vector<Atom> atoms() const override { return atoms_; }
  double atom_error() const override { return atom_error_; }
  double infinite_mass() const override { return removing_ ? rate_ * base_->infinite_mass() : 0; }
  double lowest_x() const override { return base_->lowest_x(); }
  double highest_x() const override { return base_->highest_x(); }
  double loss(double x) const override { return thinned(base_->loss(x)); }
  double x_at(double loss) const override { return base_->x_at(original(loss)); }
  double slope(double x) const override {
    const double l = base_->loss(x), part = removing_ ? l : -l;
    return base_->slope(x) * rate_ / (rate_ + (1 - rate_) * std::exp(-part));
  }
  double log_density(double x) const override { return loss_and_density(x).log_density; }
  // Under the mixture the density is that of the base pair times e^(loss - l).
  LossAndDensity loss_and_density(double x) const override {
    const double l = base_->loss(x), loss = thinned(l), density = base_->log_density(x);
    return {loss, removing_ ? density + (loss - l) : density};
  }
  double log_slope_bound(double from, double to) const override {
    const double mu = base_->gaussian();
    // Without the record the loss ends at -log(1-q), which is at least q: from a base loss l on it is within
    // e^-l / (1-q) < 1e-18 of it, relatively, also times mu^2. Only the density of x still moves there.
    if (!removing_ && mu > 0 && base_->loss(from) > std::max(80.0, mu))
      return std::max(std::abs(from), std::abs(to));
    return base_->log_slope_bound(from, to);
  }
  double length_scale() const override { return base_->length_scale(); }
  // Where the imaginary part of a linear base loss is at most pi/2, 1 - q and q e^l are at most a right angle
  // apart, so that |1 - q + q e^l| is at least their length over sqrt(2).
  double analytic_halfwidth() const override {
    return base_->max_modes() == 1 ? std::min(base_->analytic_halfwidth(), 1.5707963 / base_->slope(0)) : 0;
  }
  // The logarithm of that density has, in x, a linear derivative plus a logistic one: three zeros at most.
  int max_modes() const override { return base_->max_modes() == 1 ? 2 : 0; }
  std::optional<SampledNormal> sampled_normal() const override {
    const double mu = base_->gaussian();
    return mu > 0 && rate_ <= 0.5 ? std::optional(SampledNormal{mu, rate_, removing_}) : std::nullopt;
  }
  double rounding(double from, double to) const override {
    return base_->exponential() ? base_->rounding(from, to) : Law::rounding(from, to);
  }
  double log_above(double x) const override {
    // Q(L > l) <= e^-l P(L > l).
    const double above = base_->log_above(x), l = base_->loss(x);
    return removing_ ? above + (thinned(l) - l) : above;
  }
  double log_below(double x) const override {
    const double below = base_->log_below(x);
    if (!removing_) return below;
    // Under Q the base loss is minus the loss of the other direction.
    const double mirrored = mirror_->x_at(-base_->loss(x));
    return log_sum(std::log1p(-rate_) + mirror_->log_above(mirrored), std::log(rate_) + below);
  }

 private:
  // The base losses, in ascending order, with their masses under P of the sample. What is under Q is not
  // taken as e^-l of what is under P, where it may be below the smallest double.
  std::vector<Atom> outcomes() const {
    std::vector<Atom> result = base_->atoms();
    if (removing_) {
      for (Atom& atom : result) atom.mass *= rate_;
      for (const Atom& atom : mirror_->atoms()) result.push_back({-atom.loss, (1 - rate_) * atom.mass});
    }
    std::sort(result.begin(), result.end(), [](auto& a, auto& b) { return a.loss < b.loss; });
    // The same outcome from both sides; its loss may be rounded in two ways.
    const double same = 2 * base_->atom_error();
    std::size_t last = 0;
    for (std::size_t i = 1; i < result.size(); ++i) {
      if (result[i].loss - result[last].loss <= same) {
        result[last].mass += result[i].mass;
      } else {
        result[++last] = result[i];
      }
    }
    result.resize(std::min(result.size(), last + 1));
    return result;
  }
  // An outcome that the base pair shows on one side only, the sample shows on both: with the record it has
  // 1 - q of its mass without it.
  double thinnest() const { return removing_ ? std::log1p(-rate_) : -std::log1p(-rate_); }
  double absent() const {
    return removing_ ? (1 - rate_) * mirror_->infinite_mass() : base_->infinite_mass();
  }
  // log(e^a + e^b), rounded up.
  static double log_sum(double a, double b) {
    const double top = std::max(a, b);
    return std::isinf(top) ? top : top + std::log1p(std::exp(std::min(a, b) - top)) + 1e-12;
  }
  // log(1 - q + q e^l), also where e^l overflows.
  double mixed(double l) const {
    if (l > 700) return l + std::log(rate_);
    // Close to the smallest loss of a large rate, the sum keeps the digits.
    if (l < -1 && rate_ > 0.5) return std::log(1 - rate_ + rate_ * std::exp(l));
    return std::log1p(rate_ * std::expm1(l));
  }
  double thinned(double l) const { return removing_ ? mixed(l) : -mixed(-l); }
  double original(double loss) const {
    const double sign = removing_ ? 1 : -1, l = sign * loss;
    // The quotient overflows before e^l does.
    return sign * (l > 1 ? l - std::log(rate_) + std::log1p((rate_ - 1) * std::exp(-l))
                         : std::log1p(std::max(-1.0, std::expm1(l) / rate_)));
  }

  std::shared_ptr<const Law> base_, mirror_;
  double rate_;
  bool removing_;
  std::vector<Atom> atoms_;
  double atom_error_ = 0;
};

}  // namespace epsilometer
