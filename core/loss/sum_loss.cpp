#include "core/loss/sum_loss.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {
namespace {

std::vector<Repeated> taken_apart(const std::vector<Repeated>& parts) {
  std::vector<Repeated> result;
  for (const Repeated& part : parts) {
    const std::vector<Repeated> inner = part.loss->parts();
    if (inner.empty()) result.push_back(part);
    for (const Repeated& piece : inner) result.push_back({piece.loss, piece.count * part.count});
  }
  // Gaussians compose exactly, whatever else there is.
  std::vector<Repeated> gaussians;
  const auto is_gaussian = [](const Repeated& part) { return part.loss->gaussian().has_value(); };
  std::copy_if(result.begin(), result.end(), std::back_inserter(gaussians), is_gaussian);
  if (gaussians.empty()) return result;
  result.erase(std::remove_if(result.begin(), result.end(), is_gaussian), result.end());
  result.push_back({gaussians[0].loss->composed(gaussians), 1});
  return result;
}

using Mass = double (PrivacyLoss::*)() const;

double infinite_mass_of(const PrivacyLoss& loss, Direction direction, Mass mass) {
  const double found = (loss.*mass)();
  if (found == 0 || loss.symmetric() || !loss.laws()) return found;
  return loss.laws()->law(direction)->infinite_mass() * (found / loss.infinite_mass());
}

// 1 - prod (1 - p)^k in the worse direction, from below: no epsilon is claimed infinite that is not.
double infinite_mass_of(const std::vector<Repeated>& parts, Mass mass) {
  double least_rest = 0;
  for (const Direction direction : {Direction::remove, Direction::add}) {
    double log_rest = 0;
    for (const Repeated& part : parts)
      log_rest += part.count * std::log1p(-infinite_mass_of(*part.loss, direction, mass));
    least_rest = std::min(least_rest, log_rest);
  }
  return rounded_down(-std::expm1(least_rest));
}

}  // namespace

SumLoss::SumLoss(const std::vector<Repeated>& parts)
    : parts_(taken_apart(parts)),
      stated_(parts),
      infinite_mass_(infinite_mass_of(parts_, &PrivacyLoss::infinite_mass)),
      least_infinite_mass_(infinite_mass_of(parts_, &PrivacyLoss::least_infinite_mass)) {}

bool SumLoss::symmetric() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Repeated& part) { return part.loss->symmetric(); });
}

bool SumLoss::composes() const {
  return std::all_of(stated_.begin(), stated_.end(),
                     [](const Repeated& part) { return part.loss->composes(); });
}

std::shared_ptr<const PrivacyLoss> SumLoss::witness_near(double tilt) const {
  std::vector<Repeated> witnesses;
  for (const Repeated& part : stated_) {
    auto one = composing_near(part.loss, tilt);
    if (!one) return nullptr;
    witnesses.push_back({std::move(one), part.count});
  }
  return together(witnesses);
}

bool SumLoss::encloses() const {
  return std::all_of(stated_.begin(), stated_.end(), [](const Repeated& part) {
    const ClassBound* bound = part.loss->class_bound();
    return part.loss->composes() || (bound && bound->encloses());
  });
}

std::shared_ptr<const PrivacyLoss> SumLoss::group(int ahead, int behind) const {
  std::vector<Repeated> groups;
  for (const Repeated& part : stated_) {
    auto one = part.loss->group(ahead, behind);
    if (!one) return nullptr;
    groups.push_back({std::move(one), part.count});
  }
  return together(groups);
}

bool SumLoss::groups_by_number() const {
  return std::all_of(stated_.begin(), stated_.end(),
                     [](const Repeated& part) { return part.loss->groups_by_number(); });
}

const Unsteady* SumLoss::unsteady() const {
  const auto is_unsteady = [](const Repeated& part) { return part.loss->unsteady() != nullptr; };
  return std::any_of(stated_.begin(), stated_.end(), is_unsteady) ? this : nullptr;
}

std::vector<std::string> SumLoss::parameters() const {
  std::vector<std::string> all;
  for (const Repeated& part : stated_) {
    const Unsteady* unsteady = part.loss->unsteady();
    if (!unsteady) continue;
    const std::vector<std::string> own = unsteady->parameters();
    all.insert(all.end(), own.begin(), own.end());
  }
  return all;
}

std::shared_ptr<const PrivacyLoss> SumLoss::shrinking() const {
  std::vector<Repeated> classes;
  for (const Repeated& part : stated_) {
    const Unsteady* unsteady = part.loss->unsteady();
    auto one = unsteady ? unsteady->shrinking() : part.loss;
    if (!one) return nullptr;
    classes.push_back({std::move(one), part.count});
  }
  return together(classes);
}

double SumLoss::sum(double (PrivacyLoss::*divergence)(double) const, double order) const {
  double sum = 0;
  for (const Repeated& part : parts_)
    sum = rounded_up(sum + part.count * (part.loss.get()->*divergence)(order), 2 * unit_roundoff);
  return sum;
}

double SumLoss::largest_loss() const {
  DoubleDouble sum{0};
  bool is_double = true;
  for (const Repeated& part : parts_) {
    const double largest = part.loss->largest_loss_of(part.count);
    if (std::isinf(largest)) return largest;
    sum = sum + DoubleDouble{largest};
    is_double = is_double && sum.lo == 0;
  }
  // What double-doubles lose is less than a step.
  return is_double ? sum.hi : std::nextafter(upward(sum), std::numeric_limits<double>::infinity());
}

bool SumLoss::reaches_largest_loss() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Repeated& part) { return part.loss->reaches_largest_loss(); });
}

double SumLoss::largest_order() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Repeated& part : parts_) smallest = std::min(smallest, part.loss->largest_order());
  return smallest;
}

std::optional<double> SumLoss::concentrated() const {
  double sum = 0;
  for (const Repeated& part : parts_) {
    const auto rho = part.loss->concentrated();
    if (!rho) return std::nullopt;
    sum = rounded_up(sum + part.count * *rho, 2 * unit_roundoff);
  }
  return sum;
}

std::shared_ptr<const PrivacyLoss> together(const std::vector<Repeated>& parts) {
  if (parts.size() == 1 && parts[0].count == 1) return parts[0].loss;
  const Family family = parts[0].loss->family();
  const auto is_of_family = [&family](const Repeated& part) {
    const Family other = part.loss->family();
    return other.name == family.name && other.key == family.key;
  };
  if (!family.name.empty() && std::all_of(parts.begin(), parts.end(), is_of_family)) {
    if (auto whole = parts[0].loss->composed(parts)) return whole;
  }
  return std::make_shared<SumLoss>(parts);
}

}  // namespace epsilometer
