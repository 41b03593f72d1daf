#include "core/loss/stopping.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/numerics/invert.h"
#include "core/numerics/search.h"

namespace epsilometer {

double best_order(const PrivacyLoss& run, const std::function<double(double)>& at) {
  const double last = run.largest_order(), most = std::isinf(last) ? 60 : std::log(last - 1) - 1e-12;
  const auto value = [&](double log_t) { return std::min(1e300, at(1 + std::exp(log_t))); };
  return 1 + std::exp(minimum(value, std::min(-20.0, most - 1), most, 40).first);
}

namespace {

// t/(1 - e^-t).
double risen(double t) { return t == 0 ? 1 : t / -std::expm1(-t); }

// With x = log(1/gamma), the mean is (e^x - 1)/x risen(shape x), which is 1 at x = 0. Its logarithm has the
// slope G(x) + shape G(-shape x) in x, G(t) = 1/(1 - e^-t) - 1/t, which rises from 0 to 1 and is 1 - G(-t):
// at least min(1, (1 + shape)/2), and at most 1 + max(0, shape).
class NegativeBinomial final : public Stopping {
 public:
  /// mean > 1; shape from -0.95 to 1000, so that 1/gamma is at most e^278.
  NegativeBinomial(double mean, double shape, const PrivacyLoss& run)
      : Stopping(mean), shape_(shape), size_(size_of(mean)), against_(rounded_up(std::expm1(size_))) {
    orders_ = least_of_orders(run);
  }

  double shift(const std::function<double(double)>& delta) const override {
    if (delta(0) == 0) return 0;
    const auto beyond = [&](double e) { return rounded_up(against_ * delta(e)) / std::expm1(e); };
    // From here on every delta is allowed.
    const double ceiling = rounded_up(std::log1p(against_), 4 * rounding_margin);
    return rounded_up((1 + shape_) * std::min(ceiling, crossing(beyond, 1 - rounding_margin, ceiling).above));
  }

  bool is_geometric() const override { return shape_ == 1; }

  std::string_view renyi_source() const override { return "Papernot and Steinke 2022, Theorem 2"; }
  double renyi(const PrivacyLoss& run, double order) const override {
    return rounded_up(run.renyi(order) + orders_ + std::log(mean()) / (order - 1));
  }

  double chosen(double above, double set) const override {
    const double past = against_ * above, part = std::log1p(against_ * set / (1 + past));
    return std::exp(-shape_ * std::log1p(past)) * (part / size_) *
           (risen(shape_ * size_) / risen(shape_ * part));
  }
  // The logarithm of a probability has a slope of at most 1 + max(0, shape) in x, which is known to two
  // roundings of size_of. Computing it takes 114 max(1, |shape|) + 23 |shape| x roundings, most of them of
  // the exponents. Together that is below this.
  double margin() const override {
    return 64 * (3 + size_) * (1 + std::max(0.0, shape_)) / steepness() * unit_roundoff;
  }

 private:
  double steepness() const { return std::min(1.0, (1 + shape_) / 2); }

  // The x at which the mean is as stated, rounded up. The mean is computed to 21 roundings and those of a
  // negative exponent, shape x, between ends that are 8 roundings of x apart.
  double size_of(double mean) const {
    const auto falling = [this](double x) { return x == 0 ? 1 : x / std::expm1(x) / risen(shape_ * x); };
    const double found = crossing(falling, 1 / mean, 700).above;
    return found + (32 + (8 + std::max(0.0, -shape_)) * found) / steepness() * unit_roundoff;
  }

  // The least over other orders of (1 + shape) ((1 - 1/order) divergence + x/order).
  double least_of_orders(const PrivacyLoss& run) const {
    const auto at = [&](double order) {
      return rounded_up((1 + shape_) * (run.renyi(order) * (1 - 1 / order) + size_ / order));
    };
    double least = rounded_up((1 + shape_) * size_);
    for (const double order : run.stated_orders()) least = std::min(least, at(order));
    return std::min(least, at(best_order(run, at)));
  }

  double shape_, size_, against_, orders_;
};

class Poisson final : public Stopping {
 public:
  using Stopping::Stopping;

  double shift(const std::function<double(double)>& delta) const override {
    return rounded_up(mean() * delta(0));
  }

  std::string_view renyi_source() const override { return "Papernot and Steinke 2022, Theorem 6"; }
  // With delta(e) of a run at e = log(1 + 1/t), t = order - 1; and without any run nothing is told, which
  // adds e^-mean to the moment.
  double renyi(const PrivacyLoss& run, double order) const override {
    if (!run.profile()) return infinite;
    const double t = order - 1, level = rounded_down(std::log1p(1 / t));
    const double loss = run.renyi(order) + mean() * run.profile()->delta(level).upper;
    const double moment = std::log(mean()) + t * loss;
    return rounded_up(loss + (std::log(mean()) + std::log1p(std::exp(-mean() - moment))) / t);
  }

  double chosen(double above, double set) const override {
    return std::exp(-mean() * above) * -std::expm1(-mean() * set);
  }
  // Exponents are below 746 where a probability is not 0.
  double margin() const override { return 1024 * unit_roundoff; }
  bool always_runs() const override { return false; }
};

}  // namespace

std::unique_ptr<const Stopping> stopping_of(const Description& selection, const PrivacyLoss& run) {
  const double mean = selection.number("runs", 1, 1e6);
  const std::string& name = selection.text("stopping");
  if (name == "poisson") return std::make_unique<Poisson>(mean);
  double shape = name == "geometric" ? 1 : 0;
  if (name == "negative-binomial")
    shape = selection.number("shape", -0.95, 1000);
  else if (name != "geometric" && name != "logarithmic")
    throw Refusal("unknown", "stopping", name,
                  "must be geometric, logarithmic, negative-binomial or poisson");
  if (!(mean > 1)) return nullptr;
  return std::make_unique<NegativeBinomial>(mean, shape, run);
}

}  // namespace epsilometer
