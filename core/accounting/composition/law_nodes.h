// The tilted law of one loss at the nodes of its quadrature, or a Gaussian one in closed form: its moment
// generating function along a vertical line, and what may be wrong with it.
#pragma once

#include <complex>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/accounting/composition/sampled_powers.h"
#include "core/accounting/composition/steering/line_plan.h"
#include "core/accounting/composition/tilted_part.h"

namespace epsilometer {

class LawNodes {
 public:
  using Value = std::complex<double>;

  /// For |t| up to `last`. The part must outlive it.
  LawNodes(const TiltedPart& part, double last);

  /// Nodes for orders of modulus up to `order`, up to to_x; false when there would be too many.
  bool fill(double theta, double order, double to_x);
  /// The same for all of a sample of normal noise, |t| up to `last`, with e^-depth left out.
  bool fill_evenly(double theta, double last, double depth);

  /// -log |phi| of a sample or of a Gaussian loss, from below, from that t on.
  double decay(double t) const;

  const TiltedPart& part() const { return part_; }
  std::size_t size() const { return masses_.size(); }
  /// The mu of a Gaussian loss, which needs no nodes; 0 for every other law.
  double gaussian() const { return mu_; }
  /// The mass of all nodes.
  double total() const { return total_; }
  /// Of the finite losses, not divided by their mass.
  double variance() const;

  /// Adds the moment generating function at theta + it, not divided by the mass, to the sums: for t = half,
  /// 3 half, 5 half, ...
  void add_turns(double half, std::vector<Value>& sums) const;
  /// Adds the same for t = least, 2 least, 4 least, ...
  void add_doubled(double least, std::vector<Value>& sums) const;

  /// log E e^{(theta + more) L}, without what a double cannot hold at theta: to every value on the line that
  /// adds less than the 1e-300 it is charged.
  double log_moment(double theta, double more) const;

  /// What may be wrong with a value of the moment generating function at theta + it, relative to its value at
  /// theta: arguments of exponentials, the rotation to `turns` times the first angle, the losses themselves,
  /// the sums.
  double doubt(const LinePlan& plan, double t, double turns) const;

 private:
  void end_panel();
  double off() const;

  const TiltedPart& part_;
  std::vector<double> losses_, masses_;
  // The first node after each panel: the error of a sum grows with the panels and their nodes, not with their
  // product.
  std::vector<std::size_t> ends_;
  double total_ = 0, mu_;
  // By which masses are scaled.
  double log_scale_;
  // Of which the nodes are, when they are not those of panels; without its nodes.
  std::optional<SampledPowers> powers_;
};

}  // namespace epsilometer
