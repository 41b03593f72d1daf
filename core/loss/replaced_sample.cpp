#include "core/loss/replaced_sample.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/base/refusal.h"
#include "core/loss/excess_sum.h"
#include "core/loss/laws/atomic_law.h"
#include "core/loss/mixture_loss.h"
#include "core/loss/pair_loss.h"
#include "core/loss/sampled_moment.h"
#include "core/loss/sum_loss.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

/// The same as log_mixed, with all digits also close to log(1 - q) of a large rate.
double mixed(double rate, double l) {
  return l < -1 && rate > 0.5 ? std::log(1 - rate + rate * std::exp(l)) : log_mixed(rate, l);
}

class ReplacedNormal final : public MixtureLoss {
 public:
  ReplacedNormal(double mu, double rate)
      : MixtureLoss(two_centres(rate, mu), two_centres(rate, -mu)), mu_(mu), rate_(rate) {}

  // Every one of them is replaced.
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    const int size = ahead + behind;
    const auto law = std::make_shared<MixtureLaw>(mu_, rate_, size, size);
    return std::make_shared<SumLoss>(std::vector<Repeated>{{std::make_shared<PairLoss>(law, law), 1}});
  }

 private:
  double mu_, rate_;
};

/// Where the record's noise has a density: the loss grows from -e0 to e0 between two shifts by e0 scales, and
/// is the largest there is beyond.
class ReplacedLaplaceLaw final : public Law {
 public:
  ReplacedLaplaceLaw(double range, double rate)
      : range_(range),
        rate_(rate),
        thinnest_(mixed(rate, -range)),
        largest_(mixed(rate, range) - thinnest_) {}

  std::vector<Atom> atoms() const override {
    return {{-largest_, std::exp(thinnest_ - range_) / 2},
            {largest_, std::exp(thinnest_ + largest_ - range_) / 2}};
  }
  double atom_error() const override { return 80 * unit_roundoff * largest_; }
  double lowest_x() const override { return -range_; }
  double highest_x() const override { return range_; }
  double breakpoint() const override { return 0; }
  double loss(double x) const override {
    const double size = mixed(rate_, 2 * std::abs(x) - range_) - thinnest_;
    return x < 0 ? -size : size;
  }
  double x_at(double loss) const override {
    const double inner = std::expm1(std::abs(loss) + thinnest_) / rate_;
    const double x = (range_ + (inner > -1 ? std::log1p(inner) : -range_)) / 2;
    return std::copysign(std::clamp(x, 0.0, range_), loss);
  }
  double slope(double x) const override {
    const double l = 2 * std::abs(x) - range_;
    return 2 * rate_ * std::exp(l - mixed(rate_, l));
  }
  double log_density(double x) const override {
    return -std::abs(x) - std::log(2.0) + (x < 0 ? thinnest_ : mixed(rate_, 2 * x - range_));
  }
  double log_slope_bound(double, double) const override { return 3; }
  double rounding(double, double) const override { return 4 * range_; }
  double length_scale() const override { return std::min(1.0, range_); }
  double log_above(double x) const override { return x < range_ ? 0 : -infinite; }
  double log_below(double x) const override { return x > -range_ ? 0 : -infinite; }

 private:
  double range_, rate_, thinnest_, largest_;
};

class ReplacedLaplace final : public Knowing<KnownProfile, KnownLaw> {
 public:
  ReplacedLaplace(double range, double rate)
      : range_(range), rate_(rate), law_(std::make_shared<ReplacedLaplaceLaw>(range, rate)) {}

  // q (1 - e^{x - e0}) where the loss is epsilon at x.
  Bounds delta(double epsilon) const override {
    if (epsilon < 0) return mirrored(delta(-epsilon), epsilon);
    if (epsilon >= largest_loss()) return {0, 0};
    const double x = law_->x_at(epsilon);
    const double doubt = (32 + 32 * (1 + epsilon) / law_->slope(x)) * unit_roundoff * (1 + range_);
    return {rounded_down(rate_ * -std::expm1(std::min(0.0, x + doubt - range_))),
            std::min(1.0, rounded_up(rate_ * -std::expm1(x - doubt - range_)))};
  }

  // The tests x > c. For c < 0 the false-positive rate is 1 - P(X > -c), and the power 1 - Q(X > -c).
  Bounds power(double false_positive) const override {
    if (false_positive == 0 || false_positive == 1) return {false_positive, false_positive};
    const double thin = std::exp(mixed(rate_, -range_)), end = std::exp(-range_);
    if (false_positive <= thin / 2) {
      const double v = 2 * false_positive / thin;
      return probability(v <= end ? false_positive * std::exp(largest_loss())
                                  : (1 - rate_) * v / 2 + rate_ * (1 - end / v / 2),
                         8 * rounding_margin);
    }
    const double off = 8 * unit_roundoff;
    return {probability(1 - beyond(1 - false_positive + off) * thin / 2).lower,
            probability(1 - beyond(std::max(0.0, 1 - false_positive - off)) * thin / 2).upper};
  }

  double renyi(double order) const override {
    const Description twice{"laplace", {{"sensitivity", 2 * range_}, {"scale", 1}}, {}, {}, {}};
    const double whole = (order - 1) * privacy_loss(twice)->renyi(order);
    const double moment = log_mixed(rate_, whole);
    return std::min(largest_loss(), rounded_up(moment / (order - 1)));
  }

  double largest_loss() const override { return rounded_up(law_->atoms().back().loss, 2 * rounding_margin); }
  bool composes() const override { return true; }
  std::shared_ptr<const Law> law(Direction) const override { return law_; }

 private:
  // e^{-c} of the c > 0 beyond which P has that probability.
  double beyond(double probability) const {
    const double end = std::exp(-range_), b = probability - rate_;
    const double flat = 2 * probability * std::exp(-mixed(rate_, range_));
    if (flat <= end) return flat;
    const double root = std::sqrt(b * b + (1 - rate_) * rate_ * end);
    return b > 0 ? (b + root) / (1 - rate_) : rate_ * end / (root - b);
  }

  double range_, rate_;
  std::shared_ptr<const Law> law_;
};

/// What an outcome tells: the logarithm of its probability where nobody is drawn, and how much likelier it
/// is, as a logarithm, where the one record is drawn, and where the other is.
struct Outcome {
  double log_mass, plus, minus;
};

/// The losses of one record against the other, in ascending order.
struct Outcomes {
  std::vector<Atom> atoms;
  double error = 0;
};

Outcomes losses_of(const std::vector<Outcome>& outcomes, double rate, double base_error) {
  Outcomes result;
  for (const auto& [log_mass, plus, minus] : outcomes) {
    const double ahead = mixed(rate, plus), behind = mixed(rate, minus);
    result.atoms.push_back({ahead - behind, std::exp(log_mass + ahead)});
    result.error =
        std::max(result.error, 2 * base_error + 40 * unit_roundoff * (std::abs(ahead) + std::abs(behind)));
  }
  std::sort(result.atoms.begin(), result.atoms.end(), [](auto& a, auto& b) { return a.loss < b.loss; });
  return result;
}

class ReplacedAtoms final : public Knowing<KnownProfile, KnownLaw, Unsteady> {
 public:
  ReplacedAtoms(std::shared_ptr<const PrivacyLoss> base, Outcomes outcomes, double infinite_mass)
      : base_(std::move(base)),
        atoms_(std::move(outcomes.atoms)),
        error_(outcomes.error),
        infinite_(infinite_mass),
        margin_(rounding_margin + 4 * unit_roundoff * static_cast<double>(atoms_.size())) {}

  Bounds delta(double epsilon) const override {
    double sum = infinite_, doubt = 0;
    for (auto atom = atoms_.rbegin(); atom != atoms_.rend() && atom->loss > epsilon - 2 * error_; ++atom) {
      sum += atom->mass * -std::expm1(std::min(0.0, epsilon - atom->loss));
      doubt += atom->mass * error_;
    }
    return {std::max(0.0, rounded_down(sum, margin_) - doubt),
            std::min(1.0, rounded_up(sum, margin_) + doubt)};
  }

  // The outcomes with the largest losses for certain and one of them at random. Q has of each what P has of
  // the opposite one.
  Bounds power(double false_positive) const override {
    if (false_positive == 1) return {1, 1};
    double hit = infinite_, wrong = 0;
    for (std::size_t i = atoms_.size(); i-- > 0;) {
      const double other = atoms_[atoms_.size() - 1 - i].mass;
      if (wrong + other >= false_positive) {
        hit += (false_positive - wrong) * std::exp(atoms_[i].loss);
        break;
      }
      wrong += other;
      hit += atoms_[i].mass;
    }
    return probability(hit, 4 * margin_ + 2 * error_);
  }

  double renyi(double order) const override {
    if (infinite_ > 0) return infinite;
    ExcessSum sum(order);
    for (std::size_t i = 0; i < atoms_.size(); ++i) {
      const double mass = atoms_[atoms_.size() - 1 - i].mass;
      if (mass > 0) sum.add(std::log(mass), atoms_[i].loss);
    }
    return std::min(largest_loss(),
                    sum.divergence(margin_ + order * 2 * error_, order * order * error_ * error_));
  }

  double largest_loss() const override {
    return base_->normal_noise() ? infinite : rounded_up(atoms_.back().loss + error_);
  }
  double infinite_mass() const override { return infinite_; }
  double least_infinite_mass() const override { return rounded_down(infinite_, 3 * rounding_margin); }
  bool composes() const override { return true; }
  std::shared_ptr<const Law> law(Direction) const override {
    return std::make_shared<AtomicLaw>(atoms_, infinite_, error_);
  }
  const Unsteady* unsteady() const override { return base_->unsteady() ? this : nullptr; }
  std::vector<std::string> parameters() const override { return base_->unsteady()->parameters(); }

 private:
  std::shared_ptr<const PrivacyLoss> base_;
  std::vector<Atom> atoms_;
  double error_, infinite_, margin_;
};

// Of noise on the whole numbers, shifted one way or the other: where it lies is the outcome.
std::vector<Outcome> outcomes_of(const NormalNoise& noise) {
  const double variance = noise.sigma * noise.sigma, shift = std::round(noise.distance.hi * noise.sigma);
  const double reach = std::ceil(38 * noise.sigma) + shift;
  std::vector<Outcome> result;
  for (double x = -reach; x <= reach; ++x) {
    const auto moved = [&](double by) { return by * (2 * x - by) / (2 * variance); };
    result.push_back({-x * x / (2 * variance) - std::log(noise.whole), moved(shift), moved(-shift)});
  }
  return result;
}

// Of any symmetric law of atoms, taken as what is told where nobody is drawn: the uniform law on [0, 1] from
// its smallest losses up, where the one record makes outcomes likeliest, beside the same from the largest
// down for the other. Both halves of the interval mirror each other; the law's own list need not.
std::vector<Outcome> outcomes_of(const Law& law) {
  std::vector<Atom> atoms = law.atoms();
  std::sort(atoms.begin(), atoms.end(), [](auto& a, auto& b) { return a.loss < b.loss; });
  const std::size_t last = atoms.size() - 1;
  std::size_t top = 0, bottom = 0;
  double top_left = atoms[0].mass, bottom_left = law.infinite_mass(), half = 0.5;
  bool impossible = bottom_left > 0;
  if (!impossible) bottom_left = atoms[last].mass;
  std::vector<Outcome> result;
  while (half > 0) {
    const double mass = std::min({top_left, bottom_left, half});
    const double plus = -atoms[top].loss, minus = impossible ? -infinite : -atoms[last - bottom].loss;
    result.push_back({std::log(mass), plus, minus});
    result.push_back({std::log(mass), minus, plus});
    top_left -= mass;
    bottom_left -= mass;
    half -= mass;
    if (top_left <= 0 && top < last) top_left = atoms[++top].mass;
    if (bottom_left <= 0 && half > 0) {
      if (!impossible && bottom == last) break;
      bottom = impossible ? 0 : bottom + 1;
      impossible = false;
      bottom_left = atoms[last - bottom].mass;
    } else if (top_left <= 0) {
      break;
    }
  }
  return result;
}

}  // namespace

std::shared_ptr<const PrivacyLoss> replaced_sample(const std::shared_ptr<const PrivacyLoss>& base,
                                                   double rate, const std::string& kind) {
  const auto noise = base->normal_noise();
  if (noise && noise->distance.hi == 0) return base;
  if (noise && noise->sigma == 0 && noise->distance.hi <= 1e5) {
    if (rate == 1) return base->group(1, 1);
    return std::make_shared<ReplacedNormal>(noise->distance.hi, rate);
  }
  const auto law = base->composes() ? base->laws()->law(Direction::remove) : nullptr;
  const auto scale = law ? law->exponential() : std::nullopt;
  // Truncated noise has a density of the same shape, and what it cannot reach besides.
  if (scale && law->infinite_mass() == 0 && law->highest_x() <= 700)
    return std::make_shared<ReplacedLaplace>(law->highest_x(), rate);
  if (law && law->is_atomic() && law->atoms().back().loss <= 700 && base->largest_loss() > 0) {
    const bool discrete = noise && noise->sigma > 0;
    return std::make_shared<ReplacedAtoms>(
        base, losses_of(discrete ? outcomes_of(*noise) : outcomes_of(*law), rate, law->atom_error()),
        law->infinite_mass() > 0 ? rounded_up(rate * law->infinite_mass()) : 0);
  }
  throw Refusal("unsupported", "of", kind,
                "has no known answer for replaced records on a Poisson sample: noise of normal or Laplace "
                "shape, on the "
                "whole numbers or not, and losses that are only known to be (epsilon, delta)-private have");
}

}  // namespace epsilometer
