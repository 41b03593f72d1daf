// Normal noise on a Poisson sample: with r = 1 - rate + rate e^{mu u - mu^2 / 2} and u standard normal, the
// moment generating function of the loss at z is E r^s, s = 1 + z with the record and s = -z without it. All
// of the line by the trapezoidal rule with step h, of which the error is at most 2 N / (e^{2 pi d / h} - 1),
// N a bound on the integrals along u + iy for |y| <= d (Trefethen and Weideman 2014, Theorem 5.1): some five
// nodes a unit do.
//
// For |mu y| < pi the argument of r(u + iy) has the sign of y and is at most |mu y|, and r(u) cos(mu y / 2)
// <= |r(u + iy)| <= r(u). So N is at most E r^{Re s} times e^{d^2 / 2 + |Im s| mu d}, and cos(mu d / 2)^{Re
// s} where Re s < 0.
//
// The same line moved by y bounds |E r^s| by E e^{y^2 / 2} |r(u + iy) / r|^{Re s} r^{Re s} e^{-|Im s| arg r(u
// + iy)}, which falls with |Im s|: from there on it is never larger.
#pragma once

#include <optional>
#include <vector>

#include "core/loss/laws/law.h"

namespace epsilometer {

class SampledPowers {
 public:
  /// For the tilt theta and |Im z| up to `last`, with e^-depth of the moment left to the rule and beyond its
  /// ends. Nothing where panels of a quadrature do better.
  static std::optional<SampledPowers> of(const SampledNormal& law, double theta, double last, double depth);

  /// The losses and, relative to e^{log_scale}, their tilted masses: whoever takes them away gives the masses
  /// to decay().
  std::vector<double> losses, masses;
  double log_scale = 0;

  /// The log of the moment at the tilt theta + more, relative to e^{log_scale + top}, from above but for what
  /// doubt() says: from the sum over the nodes.
  double log_beside(double more, double top, double sum) const;

  /// What may be wrong with a value at theta + it, or the moment at theta, relative to its value at theta,
  /// but for the sum and for turning to t.
  double doubt(double t) const;

  /// -log |phi|, from below, from that t on.
  double decay(const std::vector<double>& tilted, double t) const;

 private:
  // log r, rate e^l / r, and the log of what r^s times the density weighs, of the nodes at both ends relative
  // to the most.
  struct Node {
    double place, loss, share, exponent;
  };

  SampledPowers(const SampledNormal& law, double theta, double depth)
      : law_(law), order_(law.order(theta)), depth_(depth) {}
  bool walk();
  Node at(double place) const;
  double loss_error(double size, double place, double share) const;
  // The masses beyond the nodes at the tilt theta + more, relative to e^top, beside which `known` is not
  // small.
  double beyond(double more, double top, double known) const;

  SampledNormal law_;
  double order_, depth_, step_ = 0;
  // rate e^l / r at the nodes.
  std::vector<double> shares_;
  Node low_{}, high_{};
  double total_ = 0;
  // Of the tilted law: of shares, shares times their rest, u^2, and how far losses may be off, in roundoffs.
  double mean_share_ = 0, mean_bend_ = 0, mean_square_ = 0, mean_off_ = 0;
  // What the rule and the ends leave out, relatively.
  double left_out_ = 0;
};

}  // namespace epsilometer
