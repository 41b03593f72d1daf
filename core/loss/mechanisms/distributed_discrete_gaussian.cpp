// The sum of the discrete Gaussian noise of n clients, of sigma each, on a count of whole sensitivity:
// Kairouz, Liu and Steinke 2021. It is no discrete Gaussian, but log-concave, as the convolution of what is
// (Hoggar 1974). By completing squares its law is e^{-x^2 / (2 n sigma^2)} c(x), where c has the period n:
// two groups of m and k clients have
//   c(x) = sum over y of e^{-(y - x m/(m+k))^2 (m+k)/(2 m k sigma^2)} c_m(y) c_k(x - y).
// From sigma = 2.5 on, c is constant to 1e-25: every Fourier coefficient has a factor e^{-pi^2 sigma^2}, or
// less.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/whole_noise_loss.h"
#include "core/numerics/logarithm.h"
#include "core/numerics/precise_exponential.h"

namespace epsilometer::mechanisms {
namespace {

constexpr double smooth_sigma = 2.5, most_deviation = 1e4, most_outcomes = 2e4;

// Further out, the digits that x^2 / V has beyond a double's may not reach for a difference times the order.
constexpr double furthest = 1e5;

// e^-this is below what double-doubles can tell from 0.
constexpr double depth = 72;

/// One period of c for some clients, up to a factor: the values at 0..period/2.
struct Ripple {
  double clients = 1;
  std::vector<DoubleDouble> values{{1}};

  DoubleDouble at(double x) const {
    const double rest = std::abs(std::remainder(x, clients));
    return values[static_cast<std::size_t>(rest)];
  }
  // The logarithm of the largest over the smallest.
  double height() const {
    double low = values[0].hi, high = low;
    for (const DoubleDouble& one : values) low = std::min(low, one.hi), high = std::max(high, one.hi);
    return std::log(high / low);
  }
};

Ripple joined(const Ripple& some, const Ripple& more, double variance) {
  const double m = some.clients, k = more.clients, n = m + k;
  const DoubleDouble twice = DoubleDouble{2 * m * k} * DoubleDouble{variance} / DoubleDouble{n};
  const double width = std::sqrt(twice.hi * (depth + some.height() + more.height()));
  Ripple result{n, {}};
  for (double x = 0; x <= n / 2; ++x) {
    const DoubleDouble middle = DoubleDouble{x * m} / DoubleDouble{n};
    DoubleDouble sum{0};
    for (double y = std::ceil(middle.hi - width); y <= middle.hi + width; ++y) {
      const DoubleDouble away = DoubleDouble{y} - middle;
      sum = sum + precise_exponential(-(away * away / twice)) * some.at(y) * more.at(x - y);
    }
    result.values.push_back(sum / (x == 0 ? DoubleDouble{1} : result.values[0]));
  }
  // The first is what all others were divided by.
  result.values[0] = {1};
  return result;
}

Ripple of_clients(double clients, double variance) {
  if (clients == 1) return {};
  const Ripple half = of_clients(std::floor(clients / 2), variance), twice = joined(half, half, variance);
  return twice.clients == clients ? twice : joined(twice, Ripple{}, variance);
}

class NoiseOfClients final : public WholeNoise {
 public:
  NoiseOfClients(double sigma, double clients, double sensitivity)
      : variance_(two_product(sigma, sigma) * DoubleDouble{clients}), is_smooth_(sigma >= smooth_sigma) {
    Ripple ripple{1, {{1}}};
    if (!is_smooth_) ripple = of_clients(clients, sigma * sigma);
    for (const DoubleDouble& one : ripple.values)
      logs_.push_back(logarithm(one.hi) + DoubleDouble{one.lo / one.hi});
    period_ = ripple.clients;
    height_ = ripple.height();
    const DoubleDouble whole = total(ripple);
    log_whole_ = logarithm(whole.hi) + DoubleDouble{whole.lo / whole.hi};
    reach_ = std::max(sensitivity, std::ceil(std::sqrt(2 * variance_.hi * (780 + height_))));
  }

  DoubleDouble log_mass(double x) const override {
    const auto rest = static_cast<std::size_t>(std::abs(std::remainder(x, period_)));
    const DoubleDouble exponent = two_product(x, x) / variance_;
    return logs_[rest] - log_whole_ - DoubleDouble{exponent.hi / 2, exponent.lo / 2};
  }
  double reach() const override { return reach_; }
  std::shared_ptr<const WholeNoise> moved_by(double sensitivity) const override {
    auto same = std::make_shared<NoiseOfClients>(*this);
    same->reach_ = std::max(reach_, sensitivity);
    return same;
  }

  std::optional<LossLattice> lattice(double sensitivity, double lowest) const override {
    if (!is_smooth_) return std::nullopt;
    return LossLattice{sensitivity * sensitivity / variance_.hi / 2, sensitivity / variance_.hi,
                       -static_cast<std::int64_t>(lowest)};
  }

  // Where the square is completed, c takes part as c^order at x, c^{1 - order} at x - D and c in the whole.
  double renyi_bound(double order, double sensitivity) const override {
    const double smooth = order * sensitivity * sensitivity / variance_.hi / 2;
    return rounded_up(smooth + order / (order - 1) * height_, 4 * rounding_margin);
  }

  // The square is completed at -(order - 1) sensitivity, but for what c may add.
  std::optional<Outcomes> telling(double order, double sensitivity) const override {
    const double middle = -(order - 1) * sensitivity;
    const double width = std::ceil(std::sqrt(2 * variance_.hi * (780 + 2 * order * height_)));
    if (is_smooth_ || width > most_outcomes || -middle > furthest) return std::nullopt;
    return Outcomes{std::floor(middle) - width, std::ceil(middle) + width};
  }

 private:
  DoubleDouble total(const Ripple& ripple) const {
    // By Poisson summation to 1e-50.
    if (is_smooth_) return square_root(DoubleDouble{6.283185307179586, 2.4492935982947064e-16} * variance_);
    DoubleDouble sum{0};
    for (double x = std::ceil(std::sqrt(2 * variance_.hi * (depth + height_))); x >= 1; --x) {
      const DoubleDouble exponent = two_product(x, x) / variance_;
      sum = sum + precise_exponential({-exponent.hi / 2, -exponent.lo / 2}) * ripple.at(x);
    }
    return sum + sum + DoubleDouble{1};
  }

  DoubleDouble variance_, log_whole_{0};
  bool is_smooth_;
  double period_, height_, reach_;
  std::vector<DoubleDouble> logs_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> distributed_discrete_gaussian(const Description& description) {
  const double sigma = description.number("sigma", 0.1, most_deviation);
  const double clients = description.whole("clients", 1, 1e6),
               sensitivity = description.whole("sensitivity", 1, WholeNoiseLoss::largest_sensitivity);
  const double most = sigma < smooth_sigma ? std::min(1000.0, std::floor(2000 * sigma * sigma))
                                           : std::floor(std::pow(most_deviation / sigma, 2));
  if (clients > most)
    throw Refusal("range", "clients", shown(clients), "must be at most " + shown(most) + " for this sigma");
  return std::make_shared<WholeNoiseLoss>(std::make_shared<NoiseOfClients>(sigma, clients, sensitivity),
                                          sensitivity);
}

}  // namespace epsilometer::mechanisms
