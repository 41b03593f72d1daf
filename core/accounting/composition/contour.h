// delta(epsilon) of a sum of many losses from its moment generating function M, as an integral along the
// vertical line through the saddle point theta of the complex plane,
//   delta(epsilon) = (1 / pi) * integral over t > 0 of Re e^{-z epsilon} M(z) / (z (1 + z)), z = theta + it,
// by the midpoint rule, which converges so fast that some fifty values of M do for any number of steps. What
// the rule, the cut-off in t, the quadrature of M and rounding can cost is charged to the bounds.
//
// The rule: by Poisson's summation formula it gives the alternating sum over all whole m of delta(epsilon + m
// P) e^{theta m P}, P = 2 pi / (distance of nodes), whose terms Chernoff's inequality bounds.
//
// The cut-off: from some t on |phi| = |M(theta + it)| / M(theta) is proven to be small (cut_off.h, decay.h).
// On a lattice it is periodic, and the kernel, below 1 / t^2, makes what returns at every period small.
#pragma once

#include <complex>
#include <optional>
#include <vector>

#include "core/accounting/composition/steering/line_plan.h"
#include "core/accounting/composition/tilted_part.h"
#include "core/numerics/constants.h"

namespace epsilometer {

class LawNodes;
struct CutOff;

class Contour {
 public:
  using Plan = LinePlan;

  /// Nothing when the characteristic function is not known to decay, or only too slowly, nor where there
  /// would be more terms than `most_terms`: values of M at one node each.
  static std::optional<Contour> along(const Plan& plan, const std::vector<TiltedPart>& parts,
                                      double most_terms = infinite);
  /// The same of samples of normal noise and of Gaussian losses alone, none of them cut: in far less time,
  /// unless they take too many nodes.
  static std::optional<Contour> along_samples(const Plan& plan, const std::vector<TiltedPart>& parts);

  /// Bounds on delta(epsilon) for any epsilon, narrow near the plan's centre.
  double upper(double epsilon) const;
  double lower(double epsilon) const;

 private:
  using Value = std::complex<double>;
  struct Product;

  static std::optional<Contour> of(const Plan& plan, const std::vector<LawNodes>& laws, const CutOff& cut,
                                   double most_terms);
  Contour(const Plan& plan, const std::vector<LawNodes>& laws, const CutOff& cut);
  void add_moments(const LawNodes& nodes, const Plan& plan, double& below);
  void multiply(const std::vector<LawNodes>& laws, const Plan& plan, const CutOff& cut);
  void weigh(const Product& product);
  void charge_rest(const CutOff& cut);
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
