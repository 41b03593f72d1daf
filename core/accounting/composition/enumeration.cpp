#include "core/accounting/composition/enumeration.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/constants.h"
#include "core/numerics/double_double.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

// More different laws have too many outcomes, however few each has.
constexpr std::size_t most_laws = 24;

// Releases of a law that are tried as outer ones.
constexpr int most_moves = 64;

// Masses that come from a profile, as that of no difference between samples of fixed size, are right to this.
constexpr double mass_error = 5 * rounding_margin;

// Evaluations of delta for one epsilon.
constexpr double evaluations = 60;

// A sum without the roundings of its additions.
class Total {
 public:
  void add(double value) { sum_ = sum_ + DoubleDouble{value}; }
  double value() const { return sum_.hi; }

 private:
  DoubleDouble sum_{0};
};

// In how many ways `count` releases can share `kinds` outcomes.
double combinations(double count, double kinds) {
  double result = 1;
  const double few = std::min(count, kinds - 1), all = count + kinds - 1;
  for (double i = 1; i <= few && result < 1e12; ++i) result *= (all - few + i) / i;
  return result;
}

// All sums of the losses of `count` releases, by how often each outcome occurs. The weights of an outcome,
// p^n / n!, are relative to that of its likeliest number n, so that none overflows.
class Multinomial {
 public:
  Multinomial(const std::vector<Atom>& atoms, double count) {
    for (const Atom& atom : atoms) {
      if (atom.mass > 0) kinds_.push_back({atom.loss, weights(count * atom.mass, count)});
    }
    unused_.assign(kinds_.size() + 1, 1.0);
    for (std::size_t j = kinds_.size(); j-- > 0;) unused_[j] = unused_[j + 1] * kinds_[j].weights[0];
    list(0, static_cast<std::size_t>(count), 0, 1);
  }

  /// With the masses multiplied so that they add up to `whole`.
  std::vector<Atom> sums(double whole) {
    Total total;
    for (const Atom& sum : sums_) total.add(sum.mass);
    for (Atom& sum : sums_) sum.mass *= whole / total.value();
    return std::move(sums_);
  }

 private:
  struct Kind {
    double loss;
    std::vector<double> weights;
  };

  static std::vector<double> weights(double mean, double count) {
    std::vector<double> result(static_cast<std::size_t>(count) + 1);
    const auto mode = static_cast<std::size_t>(std::min(count, std::floor(mean)));
    result[mode] = 1;
    for (std::size_t n = mode; n > 0; --n) result[n - 1] = result[n] * (static_cast<double>(n) / mean);
    for (std::size_t n = mode; n + 1 < result.size(); ++n)
      result[n + 1] = result[n] * (mean / static_cast<double>(n + 1));
    return result;
  }

  // Shares `rest` releases among the outcomes from the j-th on.
  void list(std::size_t j, std::size_t rest, double loss, double mass) {
    for (; rest > 0 && j + 1 < kinds_.size(); ++j) {
      const Kind& kind = kinds_[j];
      for (std::size_t n = 1; n <= rest; ++n)
        list(j + 1, rest - n, loss + static_cast<double>(n) * kind.loss, mass * kind.weights[n]);
      mass *= kind.weights[0];
    }
    if (rest > 0) {
      loss += static_cast<double>(rest) * kinds_[j].loss;
      mass *= kinds_[j].weights[rest];
      ++j;
    }
    sums_.push_back({loss, mass * unused_[j]});
  }

  std::vector<Kind> kinds_;
  // Of no occurrence from the j-th on.
  std::vector<double> unused_;
  std::vector<Atom> sums_;
};

// Every sum of one loss of each list.
std::vector<Atom> product(const std::vector<Atom>& some, const std::vector<Atom>& others) {
  std::vector<Atom> result;
  result.reserve(some.size() * others.size());
  for (const Atom& one : some)
    for (const Atom& other : others) result.push_back({one.loss + other.loss, one.mass * other.mass});
  return result;
}

}  // namespace

PointMasses::PointMasses(std::vector<Atom> atoms) : atoms_(std::move(atoms)) {
  std::sort(atoms_.begin(), atoms_.end(), [](auto& a, auto& b) { return a.loss < b.loss; });
  run_ = static_cast<std::size_t>(std::sqrt(static_cast<double>(atoms_.size()))) + 1;
  for (std::size_t first = 0; first < atoms_.size(); first += run_) {
    Total fading, growing;
    for (std::size_t i = first; i < std::min(first + run_, atoms_.size()); ++i) {
      const double distance = atoms_[first].loss - atoms_[i].loss;
      fading.add(atoms_[i].mass * std::exp(distance));
      growing.add(atoms_[i].mass * -std::expm1(distance));
    }
    blocks_.push_back({fading.value(), growing.value()});
  }
}

double PointMasses::above(double level) const {
  const auto higher = [](double limit, const Atom& atom) { return limit < atom.loss; };
  auto i = static_cast<std::size_t>(std::upper_bound(atoms_.begin(), atoms_.end(), level, higher) -
                                    atoms_.begin());
  Total sum;
  for (; i % run_ != 0 && i < atoms_.size(); ++i)
    sum.add(atoms_[i].mass * -std::expm1(level - atoms_[i].loss));
  for (; i < atoms_.size(); i += run_) {
    const Block& block = blocks_[i / run_];
    sum.add(block.growing + -std::expm1(level - atoms_[i].loss) * block.fading);
  }
  return sum.value();
}

// How many releases of a law are outer ones.
struct Enumeration::Split {
  double kinds, outer, inner;

  static double cost(const std::vector<Split>& splits) {
    double outer = 1, inner = 1;
    for (const Split& split : splits) {
      outer *= combinations(split.outer, split.kinds);
      inner *= combinations(split.inner, split.kinds);
    }
    return 10 * (inner + outer) + evaluations * outer * 2 * (std::sqrt(inner) + 4);
  }
};

std::optional<Enumeration> Enumeration::of(const std::vector<RepeatedLaw>& laws, double patience) {
  if (laws.size() > most_laws) return std::nullopt;
  std::vector<Split> splits;
  for (const RepeatedLaw& repeated : laws) {
    if (repeated.law->has_density() || repeated.law->infinite_mass() >= 1) return std::nullopt;
    const auto kinds = static_cast<double>(repeated.law->atoms().size());
    if (!(repeated.count < patience) || repeated.count != std::floor(repeated.count) || kinds == 0)
      return std::nullopt;
    splits.push_back({kinds, 0, repeated.count});
  }
  // From one release to the next, as long as it gains.
  double best = Split::cost(splits);
  bool gained = true;
  for (int moves = 0; gained && moves < most_moves; ++moves) {
    gained = false;
    for (Split& split : splits) {
      if (split.inner < 1) continue;
      ++split.outer, --split.inner;
      const double cost = Split::cost(splits);
      gained = gained || cost < best;
      if (cost < best) {
        best = cost;
      } else {
        --split.outer, ++split.inner;
      }
    }
  }
  if (!(best < patience)) return std::nullopt;
  return Enumeration(laws, splits);
}

Enumeration::Enumeration(const std::vector<RepeatedLaw>& laws, const std::vector<Split>& splits)
    : outer_{{0, 1}}, inner_({}) {
  std::vector<Atom> inner{{0, 1}};
  double reach = 0, releases = 0, log_finite = 0, added = 2;
  for (std::size_t i = 0; i < laws.size(); ++i) {
    const Law& law = *laws[i].law;
    const std::vector<Atom> atoms = law.atoms();
    const double log_one = std::log1p(-law.infinite_mass()), count = laws[i].count;
    const auto sums = [&](double some) { return Multinomial(atoms, some).sums(std::exp(some * log_one)); };
    outer_ = product(outer_, sums(splits[i].outer));
    inner = product(inner, sums(splits[i].inner));
    double largest = -infinite, furthest = 0;
    for (const Atom& atom : atoms) {
      largest = std::max(largest, atom.loss);
      furthest = std::max(furthest, std::abs(atom.loss));
    }
    largest_ += count * largest;
    reach += count * furthest;
    slack_ += count * law.atom_error();
    releases += count;
    log_finite += count * log_one;
    // Losses that are added up within one sum.
    added += 2 + 2 * std::min(count, static_cast<double>(atoms.size()));
  }
  inner_ = PointMasses(std::move(inner));
  infinite_ = -std::expm1(log_finite);
  slack_ += 2 * unit_roundoff * added * reach;
  largest_ = rounded_up(std::max(0.0, largest_ + slack_));
  // Of every release the mass itself, and four roundings for each step of its weight from the likeliest
  // number, twice, because the whole is divided by their sum.
  margin_ = rounding_margin + 2 * releases * (mass_error + 16 * unit_roundoff);
}

double Enumeration::finite_delta(double epsilon) const {
  Total sum;
  for (const Atom& atom : outer_) sum.add(atom.mass * inner_.above(epsilon - atom.loss));
  return sum.value();
}

Bounds Enumeration::delta(double epsilon) const {
  const double off = slack_ + 2 * unit_roundoff * std::abs(epsilon);
  const Bounds beyond = probability(infinite_);
  return {std::min(1.0, beyond.lower + rounded_down(finite_delta(epsilon + off), margin_)),
          std::min(1.0, beyond.upper + rounded_up(finite_delta(epsilon - off), margin_))};
}

Bounds Enumeration::epsilon(double delta) const {
  const auto lower = [this](double x) { return this->delta(x).lower; };
  const auto upper = [this](double x) { return this->delta(x).upper; };
  const double ceiling = largest_ + 2 * slack_ + 8 * unit_roundoff * largest_;
  return {crossing(lower, delta, ceiling).below, crossing(upper, delta, ceiling).above};
}

}  // namespace epsilometer
