#include "core/loss/atomic_loss.h"

#include <algorithm>
#include <cmath>

#include "core/loss/laws/atomic_law.h"
#include "core/numerics/exponential.h"

namespace epsilometer {
namespace {

constexpr double sum_margin = 2 * rounding_margin;

// e^{tl} - 1 + t (e^-l - 1), which is never negative, without cancellation.
double told(double t, double loss) {
  if (std::abs(t * loss) > 600 || std::abs(loss) > 600) return std::expm1(t * loss) + t * std::expm1(-loss);
  const DoubleDouble back = exponential_minus_one({-loss}) * DoubleDouble{t};
  return (exponential_minus_one(two_product(t, loss)) + back).hi;
}

}  // namespace

AtomicLoss::AtomicLoss(LossTable table) : table_(std::move(table)) {
  sides_.push_back({table_.atoms, table_.infinite, table_.infinite_back});
  if (table_.both) return;
  Side mirror{{}, table_.infinite_back, table_.infinite};
  for (auto atom = table_.atoms.rbegin(); atom != table_.atoms.rend(); ++atom)
    mirror.atoms.push_back({-atom->loss, atom->mass * std::exp(-atom->loss)});
  sides_.push_back(std::move(mirror));
}

double AtomicLoss::Side::delta(DoubleDouble epsilon) const {
  DoubleDouble sum{infinite};
  for (const Atom& atom : atoms) {
    const double gap = (epsilon - DoubleDouble{atom.loss}).hi;
    if (gap < 0) sum = sum + DoubleDouble{atom.mass * -std::expm1(gap)};
  }
  return sum.hi;
}

// The likeliest ratios first, the last one at random.
double AtomicLoss::Side::power(double false_positive) const {
  DoubleDouble hit{infinite}, rest{false_positive};
  for (auto atom = atoms.rbegin(); atom != atoms.rend(); ++atom) {
    const double cost = atom->mass * std::exp(-atom->loss);
    if (cost >= rest.hi) return (hit + DoubleDouble{rest.hi * std::exp(atom->loss)}).hi;
    hit = hit + DoubleDouble{atom->mass};
    rest = rest - DoubleDouble{cost};
  }
  return 1;
}

// E e^{tL} - 1 = the sum of told(l), and t times what only the other side shows.
double AtomicLoss::Side::moment(double order) const {
  if (infinite > 0) return std::numeric_limits<double>::infinity();
  const double t = order - 1, top = t * atoms.back().loss;
  DoubleDouble sum{0};
  if (top > 30) {
    for (const Atom& atom : atoms)
      sum = sum + DoubleDouble{atom.mass * std::exp(t * (atom.loss - atoms.back().loss))};
    return (top + std::log(sum.hi)) / t;
  }
  for (const Atom& atom : atoms) sum = sum + DoubleDouble{atom.mass * told(t, atom.loss)};
  return std::log1p(sum.hi + t * infinite_back) / t;
}

Bounds AtomicLoss::delta_between(DoubleDouble epsilon) const {
  const DoubleDouble doubt{table_.loss_error * std::abs(epsilon.hi)};
  double lower = 0, upper = 0;
  for (const Side& side : sides_) {
    lower = std::max(lower, side.delta(epsilon + doubt));
    upper = std::max(upper, side.delta(epsilon - doubt));
  }
  const double least = epsilon.hi < 0 ? rounded_down(-std::expm1(epsilon.hi)) : 0;
  return {std::clamp(rounded_down(lower, sum_margin), least, 1.0),
          std::min(1.0, std::max(least, rounded_up(upper, sum_margin)))};
}

Bounds AtomicLoss::power(double false_positive) const {
  double most = false_positive;
  for (const Side& side : sides_) most = std::max(most, side.power(false_positive));
  return probability(most, 2 * sum_margin + 4 * table_.loss_error * std::abs(largest_loss()));
}

double AtomicLoss::renyi(double order) const {
  double most = 0;
  for (const Side& side : sides_) most = std::max(most, side.moment(order));
  const double margin = sum_margin + 2 * table_.loss_error + unit_roundoff * 4;
  return std::isinf(most) ? most : std::min(rounded_up(most, margin), largest_loss());
}

double AtomicLoss::largest_loss() const {
  double most = -HUGE_VAL;
  for (const Side& side : sides_)
    if (!side.atoms.empty()) most = std::max(most, side.atoms.back().loss);
  return std::isinf(most) ? 0 : rounded_up(std::max(0.0, most), table_.loss_error);
}

double AtomicLoss::infinite_mass() const {
  double most = 0;
  for (const Side& side : sides_) most = std::max(most, side.infinite);
  return most;
}

double AtomicLoss::infinite_mass_error() const {
  return infinite_mass() > table_.infinite ? table_.infinite_back_error : 0;
}

std::shared_ptr<const PrivacyLoss> AtomicLoss::witness_near(double) const {
  if (table_.exact) return nullptr;
  LossTable worst = table_;
  worst.exact = true;
  return std::make_shared<AtomicLoss>(std::move(worst));
}

std::shared_ptr<const Law> AtomicLoss::law(Direction direction) const {
  const Side& side = sides_[table_.both || direction == table_.direction ? 0 : 1];
  return std::make_shared<AtomicLaw>(side.atoms, side.infinite);
}

}  // namespace epsilometer
