// The phase of the last Hermite function about its turning point, which is where the spectrum ends. It only
// decides where to look: how far to integrate, with how many nodes, from where to search.
#pragma once

#include <algorithm>
#include <cmath>

namespace epsilometer {

/// Of phi_{N-1}, which oscillates within +-e, e^2 = 2N - 1, and decays beyond (Liouville-Green).
class Edge {
 public:
  explicit Edge(double dimension) : edge_(std::sqrt(2 * dimension - 1)) {}

  double position() const { return edge_; }

  /// The integral of sqrt(|y^2 - e^2|) between e and s: beyond the edge -log of what phi_{N-1} has fallen to,
  /// within it the phase that is left, pi times the number of half waves. s below -e counts as -e.
  double phase(double s) const {
    const double square = edge_ * edge_ / 2;
    if (s > edge_) {
      const double root = std::sqrt((s - edge_) * (s + edge_));
      return s * root / 2 - square * std::log((s + root) / edge_);
    }
    const double inside = std::max(s, -edge_);
    return square * std::acos(inside / edge_) - inside * std::sqrt((edge_ - inside) * (edge_ + inside)) / 2;
  }

  /// The variable in which phi_{N-1} is an Airy function, uniformly (Langer 1931): negative within the edge.
  double airy(double s) const {
    const double size = std::cbrt(std::pow(1.5 * phase(s), 2));
    return s > edge_ ? size : -size;
  }

  /// The s of a value of `airy`, roughly.
  double at_airy(double value) const {
    if (value < airy(-edge_)) return edge_ + value / std::cbrt(2 * edge_);
    return bisect(-edge_, edge_ + 2 + std::sqrt(3 * std::pow(std::max(0.0, value), 1.5)),
                  [&](double s) { return airy(s) > value; });
  }

  /// How far beyond s (or beyond the edge, if s lies within) phi_{N-1} has fallen by e^-40.
  double reach(double s) const {
    const double goal = 40 + (s > edge_ ? phase(s) : 0);
    return bisect(std::max(s, edge_), std::max(s, edge_) + 10, [&](double y) { return phase(y) > goal; }) - s;
  }

 private:
  template <class Predicate>
  static double bisect(double low, double high, const Predicate& beyond) {
    for (int i = 0; i < 30; ++i) {
      const double middle = low + (high - low) / 2;
      (beyond(middle) ? high : low) = middle;
    }
    return high;
  }

  double edge_;
};

}  // namespace epsilometer
