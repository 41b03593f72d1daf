#include "core/loss/whole_noise_loss.h"

#include <algorithm>
#include <cmath>

#include "core/loss/laws/atomic_law.h"

namespace epsilometer {
namespace {

// Sums in double-doubles, of exponentials with arguments that are right to far less than a rounding.
constexpr double exponentials_margin = 2 * rounding_margin;

// What the loss of an outcome may be wrong by, for each unit of it beyond the first.
constexpr double loss_error = 0x1p-70;

}  // namespace

WholeNoiseLoss::WholeNoiseLoss(std::shared_ptr<const WholeNoise> noise, double sensitivity)
    : noise_(std::move(noise)), sensitivity_(sensitivity), reach_(noise_->reach()) {}

// The noise is log-concave: the further it is moved, the more it tells.
std::shared_ptr<const PrivacyLoss> WholeNoiseLoss::group(int ahead, int behind) const {
  const double moved = sensitivity_ * (ahead + behind);
  return moved > largest_sensitivity ? nullptr
                                     : std::make_shared<WholeNoiseLoss>(noise_->moved_by(moved), moved);
}

double WholeNoiseLoss::mass(double x) const { return std::abs(x) > reach_ ? 0 : exponential(log_mass(x)); }

Bounds WholeNoiseLoss::delta_between(DoubleDouble epsilon) const {
  if (epsilon.hi < 0) return mirrored(delta_between(-epsilon), epsilon.hi);
  const DoubleDouble doubt{loss_error * (1 + epsilon.hi)};
  return {rounded_down(delta_at(epsilon + doubt), exponentials_margin),
          std::min(1.0, rounded_up(delta_at(epsilon - doubt), exponentials_margin))};
}

// The sum of P(x) (1 - e^{epsilon - loss(x)}) over the x with a larger loss, from the largest of them down.
double WholeNoiseLoss::delta_at(DoubleDouble epsilon) const {
  double within = -reach_, outside = reach_ + 1;
  if (!((loss(within) - epsilon).hi > 0)) return 0;
  while (outside - within > 1) {
    const double middle = std::floor((within + outside) / 2);
    ((loss(middle) - epsilon).hi > 0 ? within : outside) = middle;
  }
  DoubleDouble sum{0};
  for (double x = within; x >= -reach_; --x) {
    const double all = mass(x);
    sum = sum + DoubleDouble{all * -std::expm1((epsilon - loss(x)).hi)};
    // Log-concave: from here on each has less than the one before.
    if (x < 0 && all * (x + reach_) < 1e-17 * sum.hi) break;
  }
  return sum.hi;
}

// Reject last and all below it for certain, the next at random.
Bounds WholeNoiseLoss::power(double false_positive) const {
  if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
  // Of the smaller side, whose probabilities doubles can tell apart.
  const bool mirrored = false_positive > 0.5;
  const double level = mirrored ? 1 - false_positive : false_positive;
  DoubleDouble below{0};
  double next = -reach_;
  for (; next < 0 && (below + DoubleDouble{mass(next)}).hi <= level; ++next)
    below = below + DoubleDouble{mass(next)};
  const double all = mass(next);
  const double share = all > 0 ? std::clamp((level - below.hi) / all, 0.0, 1.0) : 1;
  // Q(x) = P(x - D): the test moves by D, from the other end where it is that of the larger side.
  const double moved = mirrored ? next - sensitivity_ : next + sensitivity_;
  DoubleDouble hit{share * mass(moved)};
  if (moved <= 0) {
    for (double x = moved - 1; x >= -reach_; --x) hit = hit + DoubleDouble{mass(x)};
  } else {
    DoubleDouble rest{(1 - share) * mass(moved)};
    for (double x = moved + 1; x <= reach_; ++x) rest = rest + DoubleDouble{mass(x)};
    hit = DoubleDouble{1} - rest;
  }
  if (!mirrored) return probability(hit.hi, 4 * exponentials_margin);
  const double missed = rounded_up(hit.hi, 4 * exponentials_margin);
  return {std::max(false_positive, 1 - missed - unit_roundoff),
          std::min(1.0, 1 - rounded_down(hit.hi, 4 * exponentials_margin) + unit_roundoff)};
}

// E e^{tL} - 1 pairs the loss l with -l: the sum over l > 0 of P (e^{tl} - 1)(1 - e^{-(1 + t) l}), positive
// terms; for large exponents the largest is taken out.
double WholeNoiseLoss::renyi(double order) const {
  const double t = order - 1, bound = noise_->renyi_bound(order, sensitivity_);
  std::shared_ptr<const WholeNoise> noise = noise_;
  auto outcomes = noise->telling(order, sensitivity_);
  while (!outcomes) {
    noise = noise->wider(order, sensitivity_);
    if (!noise) return bound;
    outcomes = noise->telling(order, sensitivity_);
  }
  const auto log_mass = [&](double x) { return noise->log_mass(std::abs(x)); };
  const auto told = [&](double x) { return log_mass(x) - log_mass(x - sensitivity_); };
  const double last = std::min(outcomes->last, std::ceil(sensitivity_ / 2) - 1);
  double top = 0;
  for (double x = outcomes->first; x <= last; ++x)
    top = std::max(top, (log_mass(x) + DoubleDouble{t} * told(x)).hi);
  const double taken = top > 30 ? top : 0;
  DoubleDouble sum{taken == 0 ? 0 : std::exp(-taken)};
  for (double x = outcomes->first; x <= last; ++x) {
    const DoubleDouble all = log_mass(x), grown = DoubleDouble{t} * told(x);
    const double term = taken == 0 ? exponential(all) * std::expm1(grown.hi)
                                   : exponential(all + grown - DoubleDouble{taken}) * -std::expm1(-grown.hi);
    sum = sum + DoubleDouble{term * -std::expm1(-order * told(x).hi)};
  }
  const double found = (taken == 0 ? std::log1p(sum.hi) : taken + std::log(sum.hi)) / t;
  return std::min(bound, rounded_up(found, 2 * exponentials_margin));
}

// What is cut is far less than the rounding of any delta of 1e-300 or more, however often it is repeated.
std::shared_ptr<const Law> WholeNoiseLoss::law(Direction) const {
  std::vector<Atom> atoms;
  double lowest = reach_;
  while (mass(lowest) == 0) --lowest;
  for (double x = lowest; x >= -lowest; --x) atoms.push_back({loss(x).hi, mass(x)});
  return std::make_shared<AtomicLaw>(std::move(atoms), 0, noise_->lattice(sensitivity_, lowest));
}

}  // namespace epsilometer
