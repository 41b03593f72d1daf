// A request as its algorithm reads it, and the noise that keeps its budget.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include "core/accounting/calibrate.h"
#include "core/accounting/group.h"
#include "core/release/price.h"
#include "core/release/release.h"

namespace epsilometer {

/// Whether delta may be 0: of all noises only some never fail, such as Laplace's.
enum class Failure { may_happen, never };

/// At most one when the loss keeps the budget.
double share_of_budget(const PrivacyLoss& loss, const Target& budget);
/// The interval of that, of a composition about so wide relatively.
Bounds share_of_budget(const PrivacyLoss& loss, const Target& budget, double gap);

/// The least Gaussian noise that keeps the budget where one record counts 1.
Calibrated gaussian_noise(const Target& budget);

/// How finely noise is looked for: `gap`, the relative width of a price that is certified; `bits`, how near
/// to the least it is, 2^-bits of it. Of a product of laws the noise leaves at most two gaps of the budget.
struct Fineness {
  double gap = fine_gap;
  int bits = 32;
};

class Request {
 public:
  /// Refuses numbers and texts whose names are not listed; "epsilon", "delta", "accounting",
  /// "unitRows" and "intercept" always are. The last two are how many rows each of those who are protected
  /// has at most, 1 if it is missing; and the constant that every record's last feature is, 0 if there is
  /// none.
  Request(const FitRequest& request, const std::vector<const char*>& numbers,
          const std::vector<const char*>& texts, Failure failure = Failure::may_happen);

  bool has(const char* name) const { return asked_.numbers.contains(name); }
  /// In the closed range, or refused by name.
  double number(const char* name, double minimum, double maximum) const;
  double number(const char* name, double minimum, double maximum, double otherwise) const;
  double whole(const char* name, double minimum, double maximum) const;
  double scale(const char* name) const;
  /// One of the choices, the first when the request does not say.
  std::string choice(const char* name, std::initializer_list<const char*> choices) const;

  /// Whether the source's own calibration is asked for: texts["accounting"] is "paper", not "tight".
  bool paper() const { return choice("accounting", {"tight", "paper"}) == "paper"; }

  /// epsilon and delta, both of which must be given, delta above 0 where the noise may fail, or what of them
  /// one row may cost so that all rows of one who is protected keep them.
  Target budget() const;

  /// What the search for noise that keeps it is for: epsilon and delta as they were given.
  Aim aim() const { return aim_of(whole_budget()); }

  /// Refuses an epsilon for which noise that is proven for epsilon <= 1 only is asked for as the paper's.
  void must_be_proven_by_paper() const;

  /// 1 / sigma of the Gaussian noise that keeps budget() where one record counts 1: what public defaults
  /// compare noise with. No guarantee rests on it.
  double budget_mu() const;

  /// The noise that the request names, with which all of it can be described and priced; or the least whose
  /// description keeps its budget by our accounting; or `printed`(epsilon, delta), which is refused when our
  /// accounting shows that it breaks the budget. Fails closed: what cannot be described is not private. What
  /// one row costs is held against budget(), except that a Gaussian release is priced exactly for all rows.
  /// The search begins at `start`.
  double noise(
      const char* name, const std::function<Description(double)>& described,
      const std::function<double(double epsilon, double delta)>& printed,
      const std::function<double()>& start = [] { return 1.0; }, const Fineness& fineness = {}) const;

 private:
  Target whole_budget() const;
  // Refuses what is too small or too large to be described, and says which of the two.
  double named_noise(const char* name, const std::function<Description(double)>& described) const;
  // At most one where it keeps the budget.
  double price(const Description& description, const Target& target, double gap) const;
  bool is_priced_as_group(const PrivacyLoss& loss) const;
  double least_noise(const std::function<Description(double)>& described, const Target& target, double start,
                     const Fineness& fineness) const;
  double unit_rows() const { return has("unitRows") ? whole("unitRows", 1, largest_group) : 1; }

  Description asked_;
  Failure failure_;
  std::shared_ptr<std::vector<FoundNoise>> found_noises_;
};

}  // namespace epsilometer
