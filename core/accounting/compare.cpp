#include "core/accounting/compare.h"

#include <cmath>

#include "core/accounting/closed_form.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

using Claim = std::optional<double>;

// A loss and what it really costs, which is dear and therefore found out at most once.
class Case {
 public:
  Case(const PrivacyLoss& loss, double delta) : loss(loss), delta(delta), profile_(loss) {}

  const Bounds& actual() const {
    if (!actual_) actual_ = profile_.epsilon(delta);
    return *actual_;
  }
  Certainty certainty() const { return profile_.certainty(); }

  const PrivacyLoss& loss;
  const double delta;

 private:
  Profile profile_;
  mutable std::optional<Bounds> actual_;
};

Claim exact(const Case& asked) {
  if (asked.certainty() == Certainty::bound) return std::nullopt;
  return asked.actual().upper;
}

// The best order of Canonne, Kamath and Steinke 2020, Proposition 12.
Claim renyi(const Case& asked) {
  const PrivacyLoss& loss = asked.loss;
  if (std::isinf(loss.renyi(std::min(2.0, loss.largest_order())))) return std::nullopt;
  return std::min(renyi_curve_epsilon(loss, asked.delta), loss.largest_loss());
}

// Bun and Steinke 2016, Proposition 1.3: rho + 2 sqrt(rho log(1/delta)).
Claim concentrated(const Case& asked) {
  const auto rho = asked.loss.concentrated();
  if (!rho) return std::nullopt;
  return rounded_up(*rho + 2 * std::sqrt(*rho * -std::log(asked.delta)));
}

// Dwork and Roth 2014, Theorem A.1, taken at its word: it is proved for epsilon < 1 only.
Claim textbook(const Case& asked) {
  const auto mu = asked.loss.gaussian();
  if (!mu) return std::nullopt;
  return *mu * std::sqrt(2 * std::log(1.25 / asked.delta));
}

Claim published(const Case& asked) {
  const auto other = asked.loss.published().loss;
  if (!other) return std::nullopt;
  return epsilon(*other, asked.delta).upper;
}

// No statement about the whole class can be below what one of its members leaks.
Claim floor(const Case& asked) {
  const auto witness = witness_of(asked.loss);
  if (!witness) return std::nullopt;
  return epsilon(*witness, asked.delta).lower;
}

std::string_view of_published(const PrivacyLoss& loss) { return loss.published().source; }
std::string_view of_renyi(const PrivacyLoss& loss) { return loss.renyi_source(); }
std::string_view no_source(const PrivacyLoss&) { return {}; }

struct Accountant {
  const char* name;
  Claim (*claim)(const Case&);
  std::string_view (*source)(const PrivacyLoss&) = no_source;
  /// Whether it promises that the release costs no more.
  bool promises = true;
};

constexpr Accountant accountants[] = {{"exact", exact},
                                      {"renyi", renyi, of_renyi},
                                      {"zcdp", concentrated},
                                      {"textbook", textbook},
                                      {"published", published, of_published},
                                      {"lower-bound", floor, no_source, false}};

Comparison compared(const Accountant& accountant, const PrivacyLoss& loss, double claimed,
                    std::optional<double> value, const Bounds& actual) {
  return {accountant.name, std::string(accountant.source(loss)),         claimed, value,
          actual,          accountant.promises && claimed < actual.lower};
}

double inner_delta(double delta) {
  if (delta >= 1e-300 && delta < 1) return delta;
  throw Refusal("range", "delta", shown(delta), "must be a number from 1e-300 to below 1");
}

}  // namespace

std::vector<Comparison> compare(const Description& description, double delta) {
  inner_delta(delta);
  const auto loss = privacy_loss(description);
  const Case asked(*loss, delta);
  std::vector<Comparison> rows;
  for (const Accountant& accountant : accountants) {
    if (const Claim claim = accountant.claim(asked))
      rows.push_back(compared(accountant, *loss, *claim, std::nullopt, asked.actual()));
  }
  return rows;
}

std::vector<Comparison> compare(const Description& description, const Parameter& parameter, Target target) {
  inner_delta(target.delta);
  const auto loss = privacy_loss(description);
  const Case asked(*loss, target.delta);
  std::vector<Comparison> rows;
  for (const Accountant& accountant : accountants) {
    if (!accountant.claim(asked)) continue;
    const auto cost = [&](const PrivacyLoss& at) {
      return accountant.claim(Case(at, target.delta)).value_or(HUGE_VAL);
    };
    const double value = least_private(description, parameter, cost, target.epsilon, aim_of(target)).value;
    const Bounds actual = epsilon(*loss_with(description, parameter, value), target.delta);
    rows.push_back(compared(accountant, *loss, target.epsilon, value, actual));
  }
  return rows;
}

}  // namespace epsilometer
