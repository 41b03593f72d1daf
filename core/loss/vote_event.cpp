#include "core/loss/vote_event.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/base/bounds.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// Further from 0 a Laplace number has less than e^-60.
constexpr double far = 60;
constexpr int most_others = 9;
// Of a term below: eleven exponentials of up to 60 and two of up to eleven times as much, each off by as many
// roundings as its exponent is large and four more, and the products.
constexpr double term_margin = 4096 * unit_roundoff;

/// A sum of c_p e^{p (z - origin)}, p whole, on one stretch of z.
class ExponentialSum {
 public:
  explicit ExponentialSum(double origin) : origin_(origin) { at(0) = 1; }

  /// Times the density of a Laplace number around `place`, which is not within the stretch.
  void times_density(double place) { times(0, half(place), direction(place)); }
  /// Times the probability that it is below z.
  void times_below(double place) {
    const bool beyond = origin_ > place;
    times(beyond ? 1 : 0, beyond ? -half(place) : half(place), direction(place));
  }

  /// The integral over [from, to], and how large its terms are together.
  struct Integral {
    double value, size;
  };
  Integral over(double from, double to) const {
    Integral all{0, 0};
    for (int p = -most; p <= most; ++p) {
      const double own = coefficients_[index(p)];
      if (own == 0) continue;
      const double width = to - from;
      const double term = own * (p == 0 ? width : std::exp(p * (from - origin_)) * std::expm1(p * width) / p);
      all.value += term;
      all.size += std::abs(term);
    }
    return all;
  }

 private:
  static constexpr int most = most_others + 2;
  static std::size_t index(int power) { return static_cast<std::size_t>(power + most); }
  double& at(int power) { return coefficients_[index(power)]; }
  double half(double place) const { return std::exp(-std::abs(origin_ - place)) / 2; }
  int direction(double place) const { return origin_ > place ? -1 : 1; }
  void times(double constant, double factor, int step) {
    std::array<double, 2 * most + 1> product{};
    for (int p = -most; p <= most; ++p) {
      const double own = coefficients_[index(p)];
      if (own == 0) continue;
      product[index(p)] += constant * own;
      product[index(p + step)] += factor * own;
    }
    coefficients_ = product;
  }

  double origin_;
  std::array<double, 2 * most + 1> coefficients_{};
};

/// Where the other numbers are, that of the class in question being 0: one that moves if a vote is switched,
/// and those that are level.
struct Places {
  std::optional<double> rival;
  double crowd;
  int others;
};

/// The probability that the class wins.
Bounds wins(const Places& places) {
  std::array<double, 5> kinks{-far, std::clamp(places.rival.value_or(0), -far, far), 0,
                              std::clamp(places.crowd, -far, far), far};
  std::sort(kinks.begin(), kinks.end());
  double value = 0, size = 0;
  for (std::size_t i = 0; i + 1 < kinks.size(); ++i) {
    if (!(kinks[i] < kinks[i + 1])) continue;
    ExponentialSum stretch((kinks[i] + kinks[i + 1]) / 2);
    stretch.times_density(0);
    if (places.rival) stretch.times_below(*places.rival);
    for (int j = 0; j < places.others; ++j) stretch.times_below(places.crowd);
    const auto part = stretch.over(kinks[i], kinks[i + 1]);
    value += part.value;
    size += part.size;
  }
  return {std::max(0.0, value - term_margin * size), value + term_margin * size + std::exp(-far)};
}

}  // namespace

SingleTest vote_event(double epsilon, double shift, int others, bool switched) {
  SingleTest best{0, 0};
  double most = 0;
  // What a search wants, which rises where nothing is told too: with places that make the event rarer.
  const auto rank = [&](const Places& places) {
    const Bounds before = wins(places);
    const auto rival = switched ? std::optional(*places.rival - 2 * shift) : std::nullopt;
    const Bounds after = wins({rival, places.crowd - shift, others});
    const double told = after.lower - std::exp(epsilon) * before.upper;
    if (told > most) {
      most = told;
      best = {after.lower, before.upper};
    }
    const double loss = epsilon + std::log(before.upper) - std::log(after.upper);
    return loss < 0 ? std::log(after.upper) + std::log(-std::expm1(loss))
                    : 1e-3 * (places.crowd + places.rival.value_or(0)) - loss - 1e6;
  };
  Places places{std::nullopt, 0, others};
  const auto best_crowd = [&](int bits) {
    const auto missing = [&](double x) { return -rank({places.rival, x, others}); };
    places.crowd = minimum(missing, -far / 4, shift + far / 2, bits).first;
  };
  if (!switched) {
    best_crowd(16);
    return best;
  }
  for (int round = 0; round < 3; ++round) {
    const auto missing = [&](double x) { return -rank({x, places.crowd, others}); };
    places.rival = minimum(missing, -2, 2 * shift + far / 2, 10).first;
    if (others > 0) best_crowd(10);
  }
  return best;
}

}  // namespace epsilometer
