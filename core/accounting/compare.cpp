#include "core/accounting/compare.h"

#include <cmath>

#include "core/accounting/profile.h"
#include "core/accounting/renyi.h"
#include "core/base/refusal.h"
#include "core/numerics/invert.h"

namespace epsilometer {
namespace {

using Claim = std::optional<double>;

Claim exact(const PrivacyLoss& loss, double delta) {
  const Profile profile(loss);
  if (profile.certainty() == Certainty::bound) return std::nullopt;
  return profile.epsilon(delta).upper;
}

// The best order of Canonne, Kamath and Steinke 2020, Proposition 12.
Claim renyi(const PrivacyLoss& loss, double delta) {
  if (std::isinf(loss.renyi(std::min(2.0, loss.largest_order())))) return std::nullopt;
  const double ceiling = std::min(loss.largest_loss(), std::numeric_limits<double>::max());
  return crossing([&](double x) { return renyi_curve_delta(loss, x); }, delta, ceiling).above;
}

// Bun and Steinke 2016, Proposition 1.3: rho + 2 sqrt(rho log(1/delta)).
Claim concentrated(const PrivacyLoss& loss, double delta) {
  const auto rho = loss.concentrated();
  if (!rho) return std::nullopt;
  return rounded_up(*rho + 2 * std::sqrt(*rho * -std::log(delta)));
}

// Dwork and Roth 2014, Theorem A.1, taken at its word: it is proved for epsilon < 1 only.
Claim textbook(const PrivacyLoss& loss, double delta) {
  const auto mu = loss.gaussian();
  if (!mu) return std::nullopt;
  return *mu * std::sqrt(2 * std::log(1.25 / delta));
}

Claim published(const PrivacyLoss& loss, double delta) {
  const auto other = loss.published();
  if (!other) return std::nullopt;
  return epsilon(*other, delta).upper;
}

// No statement about the whole class can be below what one of its members leaks.
Claim floor(const PrivacyLoss& loss, double delta) {
  if (!loss.member()) return std::nullopt;
  return epsilon(*loss.member(), delta).lower;
}

struct Accountant {
  const char* name;
  Claim (*claim)(const PrivacyLoss&, double delta);
  /// Whether it promises that the release costs no more.
  bool promises = true;
};

constexpr Accountant accountants[] = {
    {"exact", exact},       {"renyi", renyi},         {"concentrated", concentrated},
    {"textbook", textbook}, {"published", published}, {"floor", floor, false}};

double inner_delta(double delta) {
  if (delta >= 1e-300 && delta < 1) return delta;
  throw Refusal("range", "delta", shown(delta), "must be a number from 1e-300 to below 1");
}

}  // namespace

std::vector<Comparison> compare(const Description& description, double delta) {
  inner_delta(delta);
  const auto loss = privacy_loss(description);
  const Bounds actual = epsilon(*loss, delta);
  std::vector<Comparison> rows;
  for (const Accountant& accountant : accountants) {
    if (const Claim claim = accountant.claim(*loss, delta)) {
      rows.push_back(
          {accountant.name, *claim, std::nullopt, actual, accountant.promises && *claim < actual.lower});
    }
  }
  return rows;
}

std::vector<Comparison> compare(const Description& description, const Parameter& parameter, Target target) {
  inner_delta(target.delta);
  const auto loss = privacy_loss(description);
  std::vector<Comparison> rows;
  for (const Accountant& accountant : accountants) {
    if (!accountant.claim(*loss, target.delta)) continue;
    const auto cost = [&](const PrivacyLoss& at) {
      return accountant.claim(at, target.delta).value_or(HUGE_VAL);
    };
    const double value = least_private(description, parameter, cost, target.epsilon).value;
    const Bounds actual = epsilon(*loss_with(description, parameter.path, value), target.delta);
    rows.push_back({accountant.name, target.epsilon, value, actual,
                    accountant.promises && target.epsilon < actual.lower});
  }
  return rows;
}

}  // namespace epsilometer
