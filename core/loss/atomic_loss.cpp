#include "core/loss/atomic_loss.h"

#include <algorithm>
#include <cmath>

#include "core/loss/laws/atomic_law.h"
#include "core/numerics/constants.h"
#include "core/numerics/exponential.h"
#include "core/numerics/precise_exponential.h"

namespace epsilometer {
namespace {

constexpr double sum_margin = 2 * rounding_margin;

// e^{tl} - 1 + t (e^-l - 1), which is never negative, without cancellation.
double told(double t, double loss) {
  if (std::abs(t * loss) > 600 || std::abs(loss) > 600) return std::expm1(t * loss) + t * std::expm1(-loss);
  const DoubleDouble back = exponential_minus_one({-loss}) * DoubleDouble{t};
  return (exponential_minus_one(two_product(t, loss)) + back).hi;
}

// Of x in double-doubles, relatively, as a sum of up to 2^20 terms (2^-102 each) that have an exponential
// (2^-96).
constexpr double curve_error = 0x1p-80;

// What is lost with that probability, and e^-loss.
struct LossStep {
  double loss;
  DoubleDouble mass, ratio;
};

// The best test of one direction that is right with probability y accuses wrongly with probability x: a
// convex function of y that rises by e^-loss, from the largest loss on.
struct TestCurve {
  const LossStep* step;
  DoubleDouble left, x;
};

// The worst of all pairs that a table dominates in both directions: its x is the larger of the table's and of
// the mirror image's, for which x and y become 1 - y and 1 - x: both are convex, and so is the larger of them
// (symmetrization, Dong, Roth and Su 2019). So it is its own mirror image, given by what comes before x + y =
// 1, which has no loss below 0.
LossTable worst_both_ways(const LossTable& table) {
  const double least_back = rounded_down(table.infinite_back, table.infinite_back_error);
  std::vector<LossStep> own{{infinite, {table.infinite}, {0}}}, back{{infinite, {least_back}, {0}}};
  for (auto atom = table.atoms.rbegin(); atom != table.atoms.rend() && atom->loss > 0; ++atom)
    own.push_back({atom->loss, {atom->mass}, precise_exponential({-atom->loss})});
  // Rounded down, so that x rises earlier, which is safe.
  for (auto atom = table.atoms.begin(); atom != table.atoms.end() && atom->loss < 0; ++atom)
    back.push_back(
        {-atom->loss, {rounded_down(atom->mass * std::exp(-atom->loss))}, precise_exponential({atom->loss})});
  // More than there is.
  for (std::vector<LossStep>* one : {&own, &back}) one->push_back({0, {2}, {1}});

  LossTable worst{{}, 0, 0};
  worst.both = true;
  std::vector<Atom> losses;
  DoubleDouble rest{1};
  const auto take = [&](const LossStep& step, DoubleDouble mass) {
    const DoubleDouble left = rest - mass - mass * step.ratio;
    // What rounding may have added tells nothing.
    const double kept = rounded_down(left.hi > 0 ? mass.hi : rest.hi / (1 + step.ratio.hi));
    rest = left;
    if (std::isinf(step.loss)) {
      worst.infinite += kept;
    } else if (!losses.empty() && losses.back().loss <= step.loss) {
      losses.back().mass += kept;
    } else if (step.loss > 0 && kept > 0) {
      losses.push_back({step.loss, kept});
    }
  };
  TestCurve first{own.data(), own[0].mass, {0}}, second{back.data(), back[0].mass, {0}};
  while (true) {
    const bool is_first = first.step->loss > second.step->loss;
    TestCurve &flat = is_first ? first : second, &steep = is_first ? second : first;
    const DoubleDouble width = (steep.left - flat.left).hi < 0 ? steep.left : flat.left;
    // A larger x tells less: the steep one is taken wherever rounding may hide that it is the larger.
    const DoubleDouble sizes = flat.x + steep.x + width * steep.step->ratio;
    const DoubleDouble ahead = flat.x - steep.x - DoubleDouble{curve_error * sizes.hi + smallest_exponential};
    const DoubleDouble lost = width * (steep.step->ratio - flat.step->ratio);
    const double share = (ahead - lost).hi >= 0 ? 1 : rounded_down(ahead.hi / lost.hi);
    const DoubleDouble part = width * DoubleDouble{share};
    take(*flat.step, part);
    if (rest.hi > 0) take(*steep.step, width - part);
    if (rest.hi <= 0) break;
    for (TestCurve* curve : {&first, &second}) {
      curve->x = curve->x + width * curve->step->ratio;
      curve->left = curve->left - width;
      if (curve->left.hi <= 0) curve->left = (++curve->step)->mass;
    }
  }

  worst.infinite_back = worst.infinite;
  DoubleDouble nothing = DoubleDouble{1} - DoubleDouble{worst.infinite};
  for (const Atom& one : losses) {
    const double mirrored = one.mass * std::exp(-one.loss);
    nothing = nothing - DoubleDouble{one.mass} - DoubleDouble{mirrored};
    if (mirrored > 0) worst.atoms.push_back({-one.loss, mirrored});
  }
  worst.atoms.push_back({0, nothing.hi});
  worst.atoms.insert(worst.atoms.end(), losses.rbegin(), losses.rend());
  return worst;
}

}  // namespace

AtomicLoss::AtomicLoss(LossTable table) : table_(std::move(table)) {
  sides_.push_back({table_.atoms, table_.infinite, table_.infinite_back});
  if (table_.both && !table_.exact) member_ = std::make_shared<const AtomicLoss>(worst_both_ways(table_));
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
    if (!member_) lower = std::max(lower, side.delta(epsilon + doubt));
    upper = std::max(upper, side.delta(epsilon - doubt));
  }
  const double least = epsilon.hi < 0 ? rounded_down(-std::expm1(epsilon.hi)) : 0;
  upper = std::min(1.0, std::max(least, rounded_up(upper, sum_margin)));
  return {member_ ? std::min(upper, member_->delta_between(epsilon).lower)
                  : std::clamp(rounded_down(lower, sum_margin), least, 1.0),
          upper};
}

Bounds AtomicLoss::power(double false_positive) const {
  double most = false_positive;
  for (const Side& side : sides_) most = std::max(most, side.power(false_positive));
  Bounds found = probability(most, 2 * sum_margin + 4 * table_.loss_error * std::abs(largest_loss()));
  if (member_) found.lower = std::min(found.upper, member_->power(false_positive).lower);
  return found;
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

bool AtomicLoss::reaches_largest_loss() const {
  return !member_ || member_->largest_loss() == largest_loss();
}

double AtomicLoss::least_infinite_mass() const {
  if (member_) return member_->infinite_mass();
  const double mass = infinite_mass(), error = table_.infinite_back_error;
  return mass > table_.infinite && error > 0 ? rounded_down(mass, error) : mass;
}

std::shared_ptr<const PrivacyLoss> AtomicLoss::witness_near(double) const {
  if (table_.exact || member_) return member_;
  LossTable worst = table_;
  worst.exact = true;
  return std::make_shared<AtomicLoss>(std::move(worst));
}

std::shared_ptr<const Law> AtomicLoss::law(Direction direction) const {
  const Side& side = sides_[table_.both || direction == table_.direction ? 0 : 1];
  return std::make_shared<AtomicLaw>(side.atoms, side.infinite);
}

}  // namespace epsilometer
