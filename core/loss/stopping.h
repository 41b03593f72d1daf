// How many runs there are of which the best is released: a random number K, and what its law makes of the
// price of one run. With f(x) = E x^K and S the probability that a run scores higher, the best one has the
// density of a run times f'(1 - S).
//   Negative binomial K on 1, 2, ... (Papernot and Steinke 2022; geometric of the shape 1, logarithmic of 0):
//   f' is a multiple of (gamma + (1-gamma) S)^-(1+shape), and the shift is (1 + shape) e for any e with
//   delta(e) <= gamma (e^e - 1)/(1 - gamma).
//   Poisson K: f' is m e^{-m S}, and the shift is m delta(0).
// The Renyi divergences are those of Papernot and Steinke 2022, Theorems 2 and 6.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "core/loss/privacy_loss.h"

namespace epsilometer {

class Stopping {
 public:
  explicit Stopping(double mean) : mean_(mean) {}
  virtual ~Stopping() = default;

  double mean() const { return mean_; }
  /// The largest log f'(1 - S)/f'(1 - S') that the profile of a run allows, rounded up.
  virtual double shift(const std::function<double(double)>& delta) const = 0;
  /// Whether every run is the last one with the same probability.
  virtual bool is_geometric() const { return false; }
  /// The theorem that renyi() is by.
  virtual std::string_view renyi_source() const = 0;
  /// From the Renyi divergence of a run at that order, or infinity.
  virtual double renyi(const PrivacyLoss& run, double order) const = 0;
  /// About the probability that some run is in a set, and none in another one that scores higher.
  virtual double chosen(double above, double set) const = 0;
  /// How far that may be from the truth, relative to it.
  virtual double margin() const = 0;
  /// Whether there is certainly a run.
  virtual bool always_runs() const { return true; }

 private:
  double mean_;
};

/// About the order of a run at which that is least. Any order is valid, so the search needs no rigour.
double best_order(const PrivacyLoss& run, const std::function<double(double)>& at);

/// Of a selection: its runs and its stopping, with a shape where that is negative binomial. Null where there
/// is always exactly one run: a mean of 1 without 0. `run`: one of them; needed only while it is made.
std::unique_ptr<const Stopping> stopping_of(const Description& selection, const PrivacyLoss& run);

}  // namespace epsilometer
