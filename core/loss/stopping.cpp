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

class NegativeBinomial final : public Stopping {
 public:
  /// shape 1 or 0; mean > 1.
  NegativeBinomial(double mean, double shape, const PrivacyLoss& run)
      : Stopping(mean), power_(1 + shape), size_(shape == 1 ? std::log(mean) : logarithmic_size(mean)) {
    // (1 - gamma)/gamma, rounded up.
    against_ = shape == 1 ? rounded_up(mean - 1) : rounded_up(std::expm1(size_));
    orders_ = least_of_orders(run);
  }

  double shift(const std::function<double(double)>& delta) const override {
    if (delta(0) == 0) return 0;
    const auto beyond = [&](double e) { return rounded_up(against_ * delta(e)) / std::expm1(e); };
    // From here on every delta is allowed.
    const double ceiling = rounded_up(std::log1p(against_), 4 * rounding_margin);
    return rounded_up(power_ * std::min(ceiling, crossing(beyond, 1 - rounding_margin, ceiling).above));
  }

  double renyi(const PrivacyLoss& run, double order) const override {
    return rounded_up(run.renyi(order) + orders_ + std::log(mean()) / (order - 1));
  }

  double chosen(double above, double set) const override {
    const double gamma = std::exp(-size_), rest = -std::expm1(-size_);
    const double low = gamma + rest * above;
    return power_ == 2 ? gamma * set / (low * (low + rest * set)) : std::log1p(rest * set / low) / size_;
  }

 private:
  // The x = log(1/gamma) at which the mean (e^x - 1)/x is as stated, rounded up: its logarithm, which is
  // known to 16 roundings, grows by half as much as x at least.
  static double logarithmic_size(double mean) {
    const auto falling = [](double x) { return x == 0 ? 1 : x / std::expm1(x); };
    const double found = crossing(falling, 1 / mean, 700).above;
    return found + 32 * unit_roundoff * (1 + found);
  }

  // The least over other orders of (1 + shape) ((1 - 1/order) divergence + x/order).
  double least_of_orders(const PrivacyLoss& run) const {
    const double size = rounded_up(size_);
    const auto at = [&](double order) {
      return rounded_up(power_ * (run.renyi(order) * (1 - 1 / order) + size / order));
    };
    double least = power_ * size;
    for (const double order : run.stated_orders()) least = std::min(least, at(order));
    return std::min(least, at(best_order(run, at)));
  }

  double power_, size_, against_, orders_;
};

class Poisson final : public Stopping {
 public:
  using Stopping::Stopping;

  double shift(const std::function<double(double)>& delta) const override {
    return rounded_up(mean() * delta(0));
  }

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
  bool always_runs() const override { return false; }
};

}  // namespace

std::unique_ptr<const Stopping> stopping_of(const std::string& name, double mean, const PrivacyLoss& run) {
  if (name == "poisson") return std::make_unique<Poisson>(mean);
  if (name != "geometric" && name != "logarithmic")
    throw Refusal("unknown", "stopping", name, "must be geometric, logarithmic or poisson");
  if (!(mean > 1)) return nullptr;
  return std::make_unique<NegativeBinomial>(mean, name == "geometric" ? 1 : 0, run);
}

}  // namespace epsilometer
