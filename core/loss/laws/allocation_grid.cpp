// Convex functions of Z are convex in each Y. From above every Y is spread over the two points of a linear
// grid beside it, with its mean; what is beyond the last point stays there, and what the mean lacks for it is
// given up to infinity. From below every cell of Y is gathered at its mean, and where that is no point of the
// grid a neighbour's mass makes it one (the polygon of lattice.h of the compositions); beyond the last cell
// the whole event is left out. Sums are powers of the Fourier transform of exponentially tilted masses, whose
// rounding and whose overlaps are charged to every mass.
#include "core/loss/laws/allocation_grid.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <tuple>

#include "core/base/bounds.h"
#include "core/loss/laws/gaussian_law.h"
#include "core/numerics/margins.h"
#include "core/numerics/quadrature.h"
#include "core/numerics/transform.h"

namespace epsilometer {
namespace {

// Heuristic: how far the grid reaches, in standard deviations of the one Y that P raises, less far where it
// would be coarse; how often that fits into it; how many points it has; how much the tilt raises masses far
// above and lowers those far below; what is charged for what lies below, as a logarithm.
constexpr double most_reach = 7, least_reach = 5.5, below_reach = 9, jumps = 2, log_rest = -70;
constexpr double most_tilt = 20, most_lowered = 5, points = 262144;

// What quadrature and exponentials may cost a mass, relatively; and a place y, relative to itself.
constexpr double mass_margin = 4e-14, place_margin = 40 * unit_roundoff;

// Rounding of more batches than this would cost more than the grid.
constexpr double most_batches = 1e9;

double normal_below(double x) { return std::exp(log_normal_upper_tail(-x)) * (1 + 1e-12); }

class Grid {
 public:
  Grid(double mu, double batches)
      : mu_(mu),
        t_(batches),
        top_(std::exp(mu * mu / 2 + mu * (mu > 1.5 ? least_reach : most_reach))),
        law_(mu) {
    const double spread = std::sqrt(t_ * std::expm1(mu * mu));
    low_ = std::max(0.0, t_ - 12 * spread);
    high_ = t_ + jumps * top_ + 12 * spread;
    step_ = (high_ - low_) / (points - 8);
    cells_ = static_cast<std::size_t>(std::ceil(top_ / step_));
    top_ = static_cast<double>(cells_) * step_;
    tilt_ = std::min(most_tilt / (high_ - t_), most_lowered / (t_ - low_));
  }

  std::optional<AllocationGrid> run();

 private:
  double x_at(double y) const { return (std::log(y) - mu_ * mu_ / 2) / mu_; }

  // Visits y and its mass under Q.
  template <class Visit>
  void cell(double from_x, double to_x, const Visit& visit) const {
    if (!(from_x < to_x)) return;
    integrate(from_x, to_x, law_.log_slope_bound(from_x, to_x), 0.4, [&](double x, double weight) {
      const double loss = law_.loss(x);
      visit(std::exp(loss), weight * std::exp(law_.log_density(x) - loss));
    });
  }

  std::vector<double> from_above() const;
  std::optional<std::vector<double>> from_below(double first, double skip, std::size_t count) const;
  double log_moment(const std::vector<double>& masses, double k) const;
  double mass_above(const std::vector<double>& masses, double tilt, double high) const;
  std::pair<double, double> mass_below(const std::vector<double>& masses, double low) const;
  TwoSequences powers(const std::vector<double>& above, const std::vector<double>& below, double first) const;
  double first_mean(double skip) const;

  double mu_, t_, top_, low_, high_, step_, tilt_;
  std::size_t cells_;
  GaussianLaw law_;
};

std::vector<double> Grid::from_above() const {
  std::vector<double> masses(cells_ + 1);
  const double least = -mu_ - below_reach;
  double from = least;
  for (std::size_t j = 0; j < cells_; ++j) {
    const double start = static_cast<double>(j) * step_;
    const double to = std::max(from, x_at(start + step_));
    double mass = 0, moment = 0;
    cell(from, to, [&](double y, double part) {
      mass += part;
      moment += part * std::clamp((y - start) / step_, 0.0, 1.0);
    });
    const double doubt = mass * (mass_margin + place_margin * (start + step_) / step_);
    masses[j] += mass - moment + doubt;
    masses[j + 1] += moment + doubt;
    from = to;
  }
  // Below all cells, where the mean is that of P; and beyond them.
  masses[0] += normal_below(least + mu_);
  masses[1] += normal_below(least) / step_;
  masses[cells_] += normal_below(-x_at(top_) - mu_);
  return masses;
}

// The mean of all Y up to it and `skip` - 1/2 steps more, and so where the first cell ends.
double Grid::first_mean(double skip) const {
  double low = 0, high = 1;
  const auto excess = [&](double a) {
    const double x = x_at(a + (skip - 0.5) * step_);
    return std::exp(log_normal_upper_tail(-x) - log_normal_upper_tail(-x - mu_)) - a;
  };
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) > 0 ? low : high) = middle;
  }
  // A little above it, so that the first cell lies too low, for which a mass above it makes up.
  return high * (1 + 1e-10);
}

// Masses at first + j step: a first cell that reaches up to `skip` - 1/2 steps beyond its point, then one
// about every point from `skip` on; of the first `count` cells. Nothing when a mass would have to be
// negative.
std::optional<std::vector<double>> Grid::from_below(double first, double skip, std::size_t count) const {
  const auto start = static_cast<std::size_t>(skip);
  const std::size_t end = std::min(cells_, count);
  std::vector<double> all(cells_ + 1), away(cells_ + 1), doubts(cells_ + 1);
  double from = -mu_ - below_reach;
  for (std::size_t j = 0; j < end; ++j) {
    if (j > 0 && j < start) continue;
    const double point = first + static_cast<double>(j) * step_;
    const double border = first + (static_cast<double>(j == 0 ? start : j + 1) - 0.5) * step_;
    const double to = x_at(border);
    cell(from, to, [&](double y, double part) {
      all[j] += part;
      away[j] += part * (y - point) / step_;
    });
    doubts[j] = all[j] * (mass_margin + place_margin * (border / step_));
    from = to;
  }
  std::vector<double> masses = all;
  for (std::size_t j = 0; j < end; ++j) {
    masses[j] -= doubts[j];
    if (all[j] == 0) continue;
    if (away[j] > 0 && j == 0) return std::nullopt;
    // What the last cell needs comes from the mass beyond it, and is left out.
    if (away[j] <= 0 && j + 1 >= end) continue;
    const std::size_t donor = away[j] > 0 ? (j <= start ? 0 : j - 1) : (j == 0 ? start : j + 1);
    const double apart = std::abs(static_cast<double>(donor) - static_cast<double>(j));
    const double lent = std::abs(away[j]) / apart;
    masses[j] += lent;
    masses[donor] -= lent + doubts[j];
  }
  for (double& mass : masses) {
    if (mass < 0) return std::nullopt;
    mass *= 1 - mass_margin;
  }
  return masses;
}

// log E e^{k (Y - 1)}, for a negative k rounded up beyond where nothing matters.
double Grid::log_moment(const std::vector<double>& masses, double k) const {
  double sum = 0;
  for (std::size_t j = 0; j < masses.size(); ++j) {
    const double exponent = k * (static_cast<double>(j) * step_ - 1);
    if (k < 0 && exponent < log_rest) return std::log(sum + 2 * std::exp(exponent));
    sum += masses[j] * std::exp(exponent);
  }
  return std::log(sum);
}

// Chernoff's inequality, of e^{tilt (S - t)} where S is above `high`; the best of a few exponents.
double Grid::mass_above(const std::vector<double>& masses, double tilt, double high) const {
  double least = 0;
  for (double k = 20; k <= 160; k *= 1.4) {
    const double exponent = k / (high - t_);
    least = std::min(least, t_ * log_moment(masses, tilt + exponent) - k);
  }
  return std::exp(least) * (1 + 1e-9);
}

// The same of S below `low`, and below which point it is e^log_rest.
std::pair<double, double> Grid::mass_below(const std::vector<double>& masses, double low) const {
  const double unit = 12 / std::sqrt(t_ * std::expm1(mu_ * mu_));
  std::vector<std::pair<double, double>> found;
  double cut = low;
  for (double k = unit / 4; k < 300 * unit; k *= 1.5) {
    found.emplace_back(k, t_ * log_moment(masses, -k));
    cut = std::max(cut, t_ + (log_rest - found.back().second) / k);
  }
  double least = 0;
  for (const auto& [k, moment] : found) least = std::min(least, moment + k * (cut - t_));
  return {cut, std::exp(least) * (1 + 1e-9)};
}

// Both powers by one transform, of tilted masses.
TwoSequences Grid::powers(const std::vector<double>& above, const std::vector<double>& below,
                          double first) const {
  const auto length = static_cast<std::size_t>(points), half = length / 2 + 1;
  const Transform transform(length);
  Frequencies values(length);
  double totals[2] = {0, 0};
  for (std::size_t j = 0; j <= cells_; ++j) {
    const double y = static_cast<double>(j) * step_;
    values[j] = {above[j] * std::exp(tilt_ * (y - 1)), below[j] * std::exp(tilt_ * (first + y - 1))};
    totals[0] += values[j].real();
    totals[1] += values[j].imag();
  }
  const TwoSpectra factors = spectra(transform.forward(values));
  PowerProduct products[2] = {PowerProduct(half), PowerProduct(half)};
  const double doubt = transform.error() * (totals[0] + totals[1]);
  products[0].multiply(factors.one, t_, doubt);
  products[1].multiply(factors.other, t_, doubt);
  return sequences(transform, products[0], products[1]);
}

std::optional<AllocationGrid> Grid::run() {
  const std::vector<double> above = from_above();
  std::optional<std::vector<double>> below;
  double first = 0;
  for (double skip = 1; skip <= 256 && !below; skip = std::ceil(1.4 * skip)) {
    first = first_mean(skip);
    if (from_below(first, skip, 400)) below = from_below(first, skip, cells_);
  }
  if (!below) below.emplace(cells_ + 1);
  const TwoSequences found = powers(above, *below, first);
  double cut, nothing;
  std::tie(cut, nothing) = mass_below(above, low_);
  const auto read = [&](double offset, double side, double charge, RatioLaw& law) {
    const double begin = std::ceil((low_ - offset) / step_);
    for (double i = begin; i < begin + points; ++i) {
      const double s = offset + i * step_;
      if (s < cut || !(s > 0)) continue;
      const auto place = static_cast<std::size_t>(i - points * std::floor(i / points));
      const double raw = (side > 0 ? found.entries[place].real() : found.entries[place].imag()) / points;
      const double mass = (std::max(0.0, raw) + side * charge) * std::exp(-tilt_ * (s - t_));
      if (mass > 0) law.masses.push_back({s / t_, mass * (1 + side * 1e-12)});
    }
  };
  AllocationGrid result;
  const double high = low_ + (points - 1) * step_, wrapped = mass_above(above, tilt_, high);
  read(0, 1, found.doubt, result.above);
  const double under = low_ > 0 ? std::exp(tilt_ * (low_ - t_)) * nothing : 0;
  read(t_ * first, -1, found.doubt + wrapped + under, result.below);
  result.nothing = nothing;
  // E S/t above `high` is at most that of e^{k (S - high)}, k = 1/t: the tilt of one unit more.
  result.infinite = std::exp(log_normal_upper_tail(x_at(top_))) * (1 + 1e-9) +
                    high / t_ * mass_above(above, 0, high) +
                    mass_above(above, 1 / (high - t_), high) * (high - t_) / t_;
  return result;
}

}  // namespace

std::optional<AllocationGrid> AllocationGrid::of(double mu, double batches) {
  if (!(mu >= 1e-4 && mu <= 5 && batches <= most_batches)) return std::nullopt;
  return Grid(mu, batches).run();
}

}  // namespace epsilometer
