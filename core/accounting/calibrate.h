// The least noisy value of a parameter that keeps a promise.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "core/accounting/profile.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// A numeric parameter of a description and the range in which to look for it.
struct Parameter {
  /// What a rule calls it.
  std::string name;
  double minimum, maximum;
  bool whole;
  /// delta falls as the parameter grows; otherwise it rises.
  bool more_private;
  /// Where it stands, if not directly in the description and under that name.
  std::optional<Place> inside = std::nullopt;

  Place place() const { return inside.value_or(Place{{}, name}); }
};

/// delta(epsilon) <= delta.
struct Target {
  double epsilon, delta;
};

/// What a search is for: where no value keeps it, that is refused, and not a value that only the search
/// tried.
struct Aim {
  std::string_view field;
  double value;
  /// What is asked for at the same time, if anything: " at delta = 1e-5".
  std::string beside = {};
};
Aim aim_of(const Target& target);

struct Sought {
  /// Keeps the promise, by evaluation.
  double value;
  /// The neighbouring value that does not, by evaluation; nothing when the whole range does.
  std::optional<double> insufficient;
};

struct Calibrated {
  double value;
  std::optional<double> insufficient;
  /// epsilon at the target's delta for that value; the upper end never exceeds the target.
  Bounds epsilon;
  /// From this value on, `value` or a more private one, every more private one is proven to keep the promise;
  /// nothing where no such value is known.
  std::optional<double> lasting;
};

/// How wide, relatively, the interval of a composition is at a glance: far from the answer it may take a
/// hundred times as long as near it when it is asked as finely.
inline constexpr double rough_gap = 0.1;

/// Whether a value that is far from the answer keeps the promise, where less than its cost tells so for
/// certain; nothing where it does not.
using Glance = std::function<std::optional<bool>(double)>;

/// The least private value in range with cost(value) <= level, from `start` on; a value that is refused costs
/// too much. `cost` moves with the parameter as `more_private` says. Refuses the aim when even the most
/// private value costs more.
Sought least_private(const std::function<double(double)>& cost, const Parameter& parameter, double start,
                     double level, const Aim& aim, int bits = 52, const Glance& glance = {});

/// By an interval that holds the cost.
std::optional<bool> told_by(const Bounds& cost, double level);

/// The same for a number of a description; `told`: such a glance at a loss, where there is one.
Sought least_private(Description description, const Parameter& parameter,
                     const std::function<double(const PrivacyLoss&)>& cost, double level, const Aim& aim,
                     int bits = 52, const std::function<std::optional<bool>(const PrivacyLoss&)>& told = {});

/// A number of a profile that must not exceed a level: where `upper` is at most `keeps` it does not, where
/// `lower` is more than `breaks` it does.
struct Demand {
  std::function<double(const Profile&)> upper, lower;
  double keeps, breaks;
};

/// The same for both ends of what is demanded; `insufficient` certifiably breaks it.
Sought least_private(const Description& description, const Parameter& parameter, const Demand& demand,
                     const Aim& aim);

/// Whether every more private value of the parameter is at least as private in what is described.
bool moves_one_way(const PrivacyLoss& loss, const Parameter& parameter);

/// `insufficient` certifiably breaks the promise when the loss is exact. Refuses impossible targets.
Calibrated calibrate(const Description& description, const Parameter& parameter, Target target);

/// The loss of the description with another value of that parameter.
std::shared_ptr<const PrivacyLoss> loss_with(Description description, const Parameter& parameter,
                                             double value);

}  // namespace epsilometer
