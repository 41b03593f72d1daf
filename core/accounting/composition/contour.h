// delta(epsilon) of a sum of many losses from its moment generating function M, as an integral along the
// vertical line through the saddle point theta of the complex plane,
//   delta(epsilon) = (1 / pi) * integral over t > 0 of Re e^{-z epsilon} M(z) / (z (1 + z)), z = theta + it,
// by the midpoint rule, which converges so fast that some fifty values of M do for any number of steps. What
// the rule, the cut-off in t, the quadrature of M and rounding can cost is charged to the bounds.
//
// The rule: by Poisson's summation formula it gives the alternating sum over all whole m of delta(epsilon + m
// P) e^{theta m P}, P = 2 pi / (distance of nodes), whose terms Chernoff's inequality bounds.
//
// The cut-off: for the tilted law of one loss, D the difference of two independent copies, 1 - |phi(t)|^2 =
// E(1 - cos tD) >= (1 - |phi(mt)|^2) / m^2 for every whole m, because 1 - cos mx <= m^2 (1 - cos x); and
// |phi| is at most the mass of the atoms plus (total variation of the density) / t, where what the density
// has above any height may count as atoms. Together they bound |phi| from every t on. On a lattice |phi| is
// periodic: it may be bounded by a Gaussian around each multiple of 2 pi / spacing, and the kernel, below
// 1 / t^2, makes what returns there small.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "core/accounting/composition/tilted_sum.h"

namespace epsilometer {

class Contour {
 public:
  /// Where the tilted sum lies; `rise` and `fall` are exponents with which Chernoff's inequality is good at
  /// bounding its tails down to e^-depth. They steer. `log_delta` is the size of delta that is asked about.
  struct Plan {
    double theta, centre, spread, rise, fall, depth, log_delta;
  };

  /// Nothing when the characteristic function is not known to decay, or only too slowly.
  static std::optional<Contour> along(const Plan& plan, const std::vector<TiltedPart>& parts);

  /// Bounds on delta(epsilon) for any epsilon, narrow near the plan's centre.
  double upper(double epsilon) const;
  double lower(double epsilon) const;

 private:
  using Value = std::complex<double>;
  struct Group;

  // From `at` on |phi| is at most e^-depth. With a decay, so it is up to half the period only, and beyond at
  // most e^{-(decay d)^2 / 2}, d the distance of t from the nearest multiple of the period.
  struct CutOff {
    double at, depth, decay, period;
  };

  Contour(const Plan& plan, const std::vector<Group>& groups, const CutOff& cut);
  static CutOff cut_off(const Plan& plan, const std::vector<TiltedPart>& parts);
  void multiply(const std::vector<Group>& groups, const Plan& plan, const CutOff& cut);
  double value(double epsilon, double& error) const;
  double scale(double epsilon, double side) const;

  double theta_, rise_, fall_;
  // The nodes of the rule are at (2 j + 1) half_.
  double half_ = 0;
  // M(z) / (z (1 + z)) at the nodes relative to M(theta), with the rule's weight.
  std::vector<Value> values_;
  // Log M at theta, theta + rise and theta - fall, and what rounding may cost in them.
  double log_scale_ = 0, log_rise_ = 0, log_fall_ = 0, doubt_ = 0;
  // What may be missing from the sum of the values, and for every unit of |epsilon|.
  double error_ = 0, turning_ = 0;
  // The tilted mass of losses below the cut range, and the log of the probability of finite ones.
  double below_ = 0, log_finite_upper_ = 0, log_finite_lower_ = 0;
};

}  // namespace epsilometer
