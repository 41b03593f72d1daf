#include "core/accounting/composition/lattice.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/composition/law_quadrature.h"
#include "core/accounting/margins.h"
#include "core/base/bounds.h"

namespace epsilometer {
namespace {

// No lattice is divided into more parts to hold another one, nor counted as one of more steps.
constexpr double finest = 1000;
constexpr double most_steps = 1e6;

// A tilted density below the exponential of this adds nothing that shows.
constexpr double negligible_logarithm = -120;

// Mass of a stretch of losses, and its moment about a lattice point: integral of |1 - e^{point - l}|.
struct Piece {
  double mass = 0, moment = 0, nodes = 0;

  void add(double weight, double distance) {
    ++nodes;
    mass += weight;
    moment += weight * std::abs(std::expm1(-distance));
  }
};

class Cutter {
 public:
  Cutter(const Law& law, const Cut& cut)
      : law_(law),
        cut_(cut),
        raise_(std::exp(cut.theta * cut.step)),
        left_(cut.size),
        right_(cut.size),
        on_point_(cut.size, 0.0),
        left_out_(cut.size, 0.0) {}

  Lattice run() {
    if (cut_.from_x < cut_.to_x) cut_smooth();
    cut_atoms();
    for (std::size_t i = 0; i < cut_.size; ++i) nodes_ = std::max(nodes_, left_[i].nodes + right_[i].nodes);
    Lattice result;
    result.upper = upper();
    result.lower = lower();
    // What is not cut goes, from above, to infinity or to the first point cut; from below it is left out.
    result.lower_infinite = result.upper_infinite = law_.infinite_mass();
    if (cut_.to_x < law_.highest_x()) {
      result.upper_infinite += rounded_up(std::exp(law_.log_above(cut_.to_x)));
    }
    if (cut_.from_x > law_.lowest_x()) {
      // Up to the first point that is not below any of it.
      const double place =
          (law_.loss(cut_.from_x) - cut_.offset) / cut_.step - static_cast<double>(cut_.first);
      const auto i = static_cast<std::size_t>(
          std::clamp(std::floor(place) + 1, 0.0, static_cast<double>(cut_.size) - 1));
      result.upper[i] += rounded_up(std::exp(law_.log_below(cut_.from_x) + tilt(i)));
    }
    return result;
  }

 private:
  double point(std::size_t i) const {
    return cut_.offset + static_cast<double>(cut_.first + static_cast<std::int64_t>(i)) * cut_.step;
  }

  double tilt(std::size_t i) const { return cut_.theta * point(i) - cut_.shift; }

  // left_[i] lies below point i and right_[i] above it, both tilted as the point is.
  void collect(Piece& piece, std::size_t i, double from, double to) {
    left_out_[i] += integrate(law_, from, to, tilt(i), negligible_logarithm,
                              [&](double loss, double mass) { piece.add(mass, loss - point(i)); });
  }

  // The cells between neighbouring points, each cut where the conditional mean of an exponential density
  // would lie on the point.
  void cut_smooth() {
    double x = cut_.from_x;
    for (std::size_t i = 0; i + 1 < cut_.size && x < cut_.to_x; ++i) {
      // The last cell takes all that is left.
      const double next = i + 2 < cut_.size ? std::clamp(law_.x_at(point(i + 1)), x, cut_.to_x) : cut_.to_x;
      const double middle = std::clamp(law_.x_at(point(i) + cut_.step * share(x, next)), x, next);
      collect(right_[i], i, x, middle);
      collect(left_[i + 1], i + 1, middle, next);
      // A cell that is wider than e^x reaches says nothing any more, and all of the transform with it.
      if (!std::isfinite(left_[i + 1].moment)) break;
      x = next;
    }
  }

  // Where to cut a cell, as a share of the step.
  double share(double x, double next) const {
    const double fall =
        law_.log_density(x) - law_.log_density(next) + std::log(law_.slope(next) / law_.slope(x));
    if (std::isnan(fall)) return 0.5;
    const double kappa = std::clamp(fall, -60.0, 60.0);
    return std::abs(kappa) < 0.01 ? 0.5 + kappa / 12 : 1 - 1 / kappa + 1 / std::expm1(kappa);
  }

  void cut_atoms() {
    for (const Atom& atom : law_.atoms()) {
      const double place = (atom.loss - cut_.offset) / cut_.step - static_cast<double>(cut_.first);
      const double nearest = std::round(place);
      if (nearest < 0 || nearest >= static_cast<double>(cut_.size)) continue;
      const auto i = static_cast<std::size_t>(nearest);
      const double distance = atom.loss - point(i);
      const double weight = atom.mass * std::exp(tilt(i));
      if (std::abs(distance) <= on_point * (std::abs(point(0)) + std::abs(point(cut_.size - 1)))) {
        on_point_[i] += weight;
      } else {
        (distance > 0 ? right_ : left_)[i].add(weight, distance);
      }
    }
  }

  // Every loss l between points e and e + h goes to both, (1 - e^{e-l}) / (1 - e^-h) of it to the upper one.
  std::vector<double> upper() const {
    const double h = cut_.step, gap = -std::expm1(-h);
    std::vector<double> masses = on_point_;
    for (std::size_t i = 0; i < cut_.size; ++i) {
      // right_[i] about its own point; left_[i] about its own point from below.
      const double above = right_[i].moment / gap;
      masses[i] += right_[i].mass - above;
      if (i + 1 < cut_.size) masses[i + 1] += above * raise_;
      const double below = left_[i].moment * std::exp(-h) / gap;
      masses[i] += left_[i].mass - below;
      if (i > 0) masses[i - 1] += below / raise_;
      const double doubt = composition::mass_margin(nodes_) * (right_[i].mass + left_[i].mass + on_point_[i]);
      masses[i] += doubt;
      if (i + 1 < cut_.size) masses[i + 1] += doubt * raise_;
      if (i > 0) masses[i - 1] += doubt / raise_;
      // To a point that is not below any of it; the last point has nothing above it.
      masses[std::min(i + 1, cut_.size - 1)] += left_out_[i] * raise_;
    }
    return masses;
  }

  // Bin i holds left_[i] and right_[i]; where its conditional mean of e^-L is not e^-point, mass of a
  // neighbour makes it so. The masses are the second differences of a polygon that stays under the profile
  // (lattice.h), as long as none becomes negative: no bin lends more than half of its mass to either side.
  std::vector<double> lower() {
    shift_up();
    shift_down();
    std::vector<double> masses(cut_.size);
    for (std::size_t i = 0; i < cut_.size; ++i) masses[i] += mass(i);
    for (std::size_t i = 0; i < cut_.size; ++i) {
      const double excess = right_[i].moment - left_[i].moment;
      const double needed = transferred(excess);
      if (excess > 0 && i > 0 && 2 * needed <= mass(i - 1) * raise_) {
        masses[i] += needed;
        masses[i - 1] -= needed / raise_;
      } else if (excess < 0) {
        // Granted: shift_down has put all others to rest.
        masses[i] += needed;
        masses[i + 1] -= needed * raise_;
      }
    }
    for (std::size_t i = 0; i < cut_.size; ++i) {
      const double around =
          mass(i) + (i > 0 ? mass(i - 1) * raise_ : 0) + (i + 1 < cut_.size ? mass(i + 1) / raise_ : 0);
      masses[i] = std::max(0.0, masses[i] - composition::mass_margin(nodes_) * around);
    }
    return masses;
  }

  double mass(std::size_t i) const { return left_[i].mass + right_[i].mass + on_point_[i]; }

  // How much of a neighbour's mass, in this point's tilt, balances an excess of the moment: from below when
  // the bin lies too high, from above when it lies too low.
  double transferred(double excess) const {
    return excess > 0 ? excess / std::expm1(cut_.step) : -excess / -std::expm1(-cut_.step);
  }

  // Where the density rises so steeply that the neighbour below cannot lend, part of a bin's upper piece goes
  // to the bin above (a randomised cut).
  void shift_up() {
    for (std::size_t i = 0; i + 1 < cut_.size; ++i) {
      Piece& piece = right_[i];
      const double excess = piece.moment - left_[i].moment;
      const double donor = i > 0 ? mass(i - 1) * raise_ : 0;
      if (!(excess > 0) || donor >= 2 * transferred(excess) || mass(i + 1) / raise_ <= donor) continue;
      const double part = excess / piece.moment;
      left_[i + 1].mass += part * piece.mass * raise_;
      left_[i + 1].moment +=
          part * (std::expm1(cut_.step) * piece.mass - std::exp(cut_.step) * piece.moment) * raise_;
      piece.mass *= 1 - part;
      piece.moment = left_[i].moment;
    }
  }

  // The mirror image on the falling side; a bin that nobody can help is rounded down to the point below.
  void shift_down() {
    for (std::size_t i = cut_.size; i-- > 0;) {
      Piece& piece = left_[i];
      const double excess = right_[i].moment - piece.moment;
      const double donor = i + 1 < cut_.size ? mass(i + 1) / raise_ : 0;
      if (!(excess < 0) || donor >= 2 * transferred(excess)) continue;
      const double part = i > 0 && mass(i - 1) * raise_ > donor ? -excess / piece.moment : 1;
      if (i > 0) {
        right_[i - 1].mass += part * piece.mass / raise_;
        right_[i - 1].moment +=
            part * (-std::expm1(-cut_.step) * piece.mass - std::exp(-cut_.step) * piece.moment) / raise_;
      }
      piece.mass *= 1 - part;
      piece.moment = part < 1 ? right_[i].moment : 0;
    }
  }

  const Law& law_;
  Cut cut_;
  // From one point's tilt to the next one's.
  double raise_;
  std::vector<Piece> left_, right_;
  std::vector<double> on_point_;
  // The most nodes of a cell.
  double nodes_ = 0;
  // The mass, tilted as the point is, that lies below it or above it and was not worth its nodes.
  std::vector<double> left_out_;
};

}  // namespace

Lattice discretise(const Law& law, const Cut& cut) { return Cutter(law, cut).run(); }

Lattice placed(const std::vector<Atom>& atoms, double infinite_mass, std::size_t stride, const Cut& cut) {
  std::vector<double> masses(cut.size);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const std::size_t at = i * stride;
    const double loss =
        cut.offset + static_cast<double>(cut.first + static_cast<std::int64_t>(at)) * cut.step;
    masses[at] += atoms[i].mass * std::exp(cut.theta * loss - cut.shift);
  }
  return {masses, masses, infinite_mass, infinite_mass};
}

double common_spacing(const std::vector<double>& spacings) {
  double common = 0;
  for (const double spacing : spacings) {
    if (spacing == 0 || common == 0) {
      common = std::max(common, spacing);
      continue;
    }
    double parts = 1;
    while (parts <= finest && !whole_steps(spacing, common / parts)) ++parts;
    if (parts > finest) return 0;
    common /= parts;
  }
  return common;
}

std::optional<std::size_t> whole_steps(double spacing, double step) {
  const double ratio = spacing / step, whole = std::round(ratio);
  if (!(whole < most_steps) || std::abs(ratio - whole) > on_lattice * ratio) return std::nullopt;
  return static_cast<std::size_t>(whole);
}

}  // namespace epsilometer
