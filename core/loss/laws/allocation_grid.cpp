// S_n = Y_1 + ... + Y_n with Y = e^{mu X - mu^2/2}: S_2n is the sum of two independent S_n, and a convex
// function of a sum is convex in each of them. So each sum may be replaced by a law that is greater in convex
// order (every value spread over the two knots beside it, with its mean) or by one that is less (the values
// between two knots gathered at their mean), and what is lost is of the second order in the distance of the
// knots. Between knots only the mass M and the moment D = sum mass (value - knot) of what falls there is
// kept, which serves both. From above, what is beyond the last knot stays there, and what its mean lacks for
// it is given up to infinity; from below it is left out.
#include "core/loss/laws/allocation_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "core/base/bounds.h"
#include "core/loss/laws/gaussian_law.h"
#include "core/numerics/quadrature.h"

namespace epsilometer {
namespace {

// Heuristic: how far the grid reaches above what Y is under P and below what it is under Q, in standard
// deviations mu of its logarithm; the longest step of a logarithm near the mean, as a part of mu; a step as a
// part of the spread of a sum, and how much longer it gets with the distance from the mean; which mass below
// the first knot is not told apart from a sum of nothing.
constexpr double reach_above = 9, reach_below = 11.5, longest_step = 0.008, fine = 0.01, far = 0.3,
                 least_mass = 1e-30;

// What a few roundings may cost a value, relatively.
constexpr double few_roundings = 8 * unit_roundoff;

// More than what underflow can take from a mass.
constexpr double underflow = 1e-290;

// Numbers would overflow above, and roundings cost more than the grid below; and with more batches.
constexpr double most_mu = 20, least_mu = 1e-4, most_batches = 1e9;

// Ascending values from 0 or more on.
struct Sum {
  std::vector<double> values, masses;
};

// From the first knot, 0, on; a cell reaches to the next knot, the last one to infinity.
struct Cells {
  explicit Cells(std::vector<double> ends)
      : knots(std::move(ends)), masses(knots.size()), moments(knots.size()) {}

  std::vector<double> knots, masses, moments;
};

// What roundings may cost a mass, and a value, relatively.
struct Doubt {
  double mass, value;
};

class Doubling {
 public:
  explicit Doubling(double mu) : mu_(mu), top_(std::exp(mu * mu / 2 + reach_above * mu)) {}
  AllocationGrid run(double batches);

 private:
  struct Level {
    double count;
    Sum above, below;
    // The moment that is given up to infinity above, and what the values below may be wrong by, relatively.
    double infinite, doubt;
  };

  std::vector<double> knots(double count, double low) const;
  Level one() const;
  Level sum(const Level& one, const Level& other) const;
  static Level level(Level begun, const Cells& above, const Cells& below, Doubt doubt);

  double mu_, top_;
};

std::vector<double> Doubling::knots(double count, double low) const {
  const double variance = std::expm1(mu_ * mu_), spread = std::sqrt(std::log1p(variance / count));
  std::vector<double> result{0};
  const double mean = std::log(count);
  const double end = std::log(count == 1 ? top_ : count + top_ + reach_above * std::sqrt(count * variance));
  for (double at = std::log(low); at < end;) {
    result.push_back(std::exp(at));
    const double distance = std::abs(at - mean), step = fine * (spread + far * distance);
    at += std::min(step, distance < mu_ * (mu_ + reach_above) ? longest_step * mu_ : 0.5);
  }
  return result;
}

// Of all pairs of values the sum, in cells.
Cells added(const Sum& one, const Sum& other, std::vector<double> knots) {
  Cells cells(std::move(knots));
  const std::size_t size = cells.knots.size();
  // Of a pair and its mirror image only one is looked at, and counts twice; a value with itself counts once.
  const bool same = &one == &other;
  for (std::size_t i = 0; i < one.values.size(); ++i) {
    const double value = one.values[i], mass = same ? 2 * one.masses[i] : one.masses[i];
    std::size_t j = same ? i : 0;
    double itself = same ? 0.5 : 1;
    auto cell = static_cast<std::size_t>(
        std::upper_bound(cells.knots.begin(), cells.knots.end(), value + other.values[j]) -
        cells.knots.begin() - 1);
    while (j < other.values.size()) {
      const double end = cell + 1 < size ? cells.knots[cell + 1] : std::numeric_limits<double>::infinity();
      const double shift = value - cells.knots[cell];
      double all = 0, moment = 0;
      for (; j < other.values.size() && value + other.values[j] < end; ++j) {
        const double part = itself * other.masses[j];
        itself = 1;
        all += part;
        moment += part * std::max(0.0, shift + other.values[j]);
      }
      cells.masses[cell] += mass * all;
      cells.moments[cell] += mass * moment;
      ++cell;
    }
  }
  return cells;
}

Doubling::Level Doubling::level(Level begun, const Cells& above, const Cells& below, Doubt doubt) {
  const auto& knots = above.knots;
  const std::size_t last = knots.size() - 1;
  std::vector<double> masses(last + 1);
  for (std::size_t i = 0; i < last; ++i) {
    const double mass = above.masses[i] * (1 + doubt.mass), gap = knots[i + 1] - knots[i];
    const double part = mass > 0 ? std::clamp(above.moments[i] / mass / gap, 0.0, 1.0) : 0;
    const double either = doubt.mass + doubt.value * knots[i + 1] / gap;
    masses[i] += mass * (1 - part + either) + underflow;
    masses[i + 1] += mass * (part + either) + underflow;
  }
  masses[last] += above.masses[last] * (1 + doubt.mass) + underflow;
  begun.above = {knots, std::move(masses)};
  begun.infinite += above.moments[last] * (1 + doubt.mass) + above.masses[last] * doubt.value * knots[last];
  // What is in the first cell or in the last is left out: there a value is as doubtful as a moment.
  for (std::size_t i = 1; i < last; ++i) {
    if (!(below.masses[i] > underflow)) continue;
    begun.below.values.push_back(knots[i] + below.moments[i] / below.masses[i]);
    begun.below.masses.push_back(below.masses[i] * (1 - doubt.mass));
  }
  // A cell is no longer than its values are.
  begun.doubt += doubt.mass + doubt.value;
  return begun;
}

Doubling::Level Doubling::one() const {
  const GaussianLaw law(mu_);
  Cells cells(knots(1, std::exp(-mu_ * mu_ / 2 - mu_ * reach_below)));
  // x is normal under P, with the mean mu under Q subtracted.
  const auto x_at = [&](double y) { return (std::log(y) - mu_ * mu_ / 2) / mu_; };
  const auto tail = [](double x) { return std::exp(log_normal_upper_tail(x)) * (1 + 1e-12); };
  for (std::size_t i = 1; i + 1 < cells.knots.size(); ++i) {
    const double start = cells.knots[i], from = x_at(start), to = x_at(cells.knots[i + 1]);
    integrate(from, to, law.log_slope_bound(from, to), 0.4, [&](double x, double weight) {
      const double loss = law.loss(x), y = std::exp(loss),
                   part = weight * std::exp(law.log_density(x) - loss);
      cells.masses[i] += part;
      cells.moments[i] += part * std::clamp(y - start, 0.0, cells.knots[i + 1] - start);
    });
  }
  const double first = x_at(cells.knots[1]), last = x_at(cells.knots.back());
  cells.masses.front() = tail(-first - mu_);
  cells.moments.front() = tail(-first);
  cells.masses.back() = tail(last + mu_);
  cells.moments.back() = std::max(0.0, tail(last) - cells.knots.back() * cells.masses.back() * (1 - 4e-12));
  // Exponents of exponentials are sums of numbers up to this; quadrature and tails cost less than 4e-12.
  const double exponent = (mu_ + reach_below) * (mu_ + reach_below) * 2 * unit_roundoff;
  return level({1, {}, {}, 0, 0}, cells, cells, {4e-12 + exponent, few_roundings + exponent});
}

// The last value below which there is next to no mass.
double quantile(const Sum& sum) {
  double mass = 0;
  for (std::size_t i = 0; i < sum.values.size(); ++i)
    if ((mass += sum.masses[i]) > least_mass) return sum.values[i];
  return 0;
}

// Below which value both are with a probability of next to nothing.
double both_below(const Sum& one, const Sum& other) {
  std::size_t i = 0, j = 0;
  double mass = 0, other_mass = 0, value = 0;
  while (i < one.values.size() && j < other.values.size()) {
    if (one.values[i] <= other.values[j]) {
      value = one.values[i];
      mass += one.masses[i++];
    } else {
      value = other.values[j];
      other_mass += other.masses[j++];
    }
    if (value > 0 && mass * other_mass > least_mass) break;
  }
  return value;
}

Doubling::Level Doubling::sum(const Level& one, const Level& other) const {
  const double count = one.count + other.count;
  // A sum is less only where both are, and only where one has less than its share.
  const double low =
      std::max(both_below(one.above, other.above),
               count * std::min(quantile(one.above) / one.count, quantile(other.above) / other.count));
  const std::vector<double> knots = this->knots(count, low);
  const auto total = [](const Sum& sum) {
    return std::accumulate(sum.masses.begin(), sum.masses.end(), 0.0);
  };
  // As many additions of positive numbers as there are values, and a few products.
  const double roundings = static_cast<double>(one.above.values.size() + other.above.values.size() + 8);
  const Level begun{count,
                    {},
                    {},
                    (one.infinite * total(other.above) + other.infinite * total(one.above)) * (1 + 1e-9),
                    std::max(one.doubt, other.doubt)};
  const Cells above = added(one.above, other.above, knots);
  return level(begun, above, added(one.below, other.below, knots),
               {2 * roundings * unit_roundoff, few_roundings});
}

AllocationGrid Doubling::run(double batches) {
  const Level one = this->one();
  const auto number = static_cast<std::uint64_t>(batches);
  Level all = one;
  for (int bit = 62 - std::countl_zero(number); bit >= 0; --bit) {
    all = sum(all, all);
    if (number >> bit & 1) all = sum(all, one);
  }
  AllocationGrid result{
      {}, {}, all.infinite / batches * (1 + 1e-12), all.above.masses.front(), all.doubt + few_roundings};
  const auto read = [&](const Sum& sum, RatioLaw& law) {
    for (std::size_t i = 0; i < sum.values.size(); ++i)
      if (sum.values[i] > 0) law.masses.push_back({sum.values[i] / batches, sum.masses[i]});
  };
  read(all.above, result.above);
  read(all.below, result.below);
  return result;
}

}  // namespace

std::optional<AllocationGrid> AllocationGrid::of(double mu, double batches) {
  if (!(mu >= least_mu && mu <= most_mu && batches <= most_batches)) return std::nullopt;
  return Doubling(mu).run(batches);
}

}  // namespace epsilometer
