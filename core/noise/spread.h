// What may be said of the distance of released coefficients from those without noise.
#pragma once

#include <limits>
#include <optional>
#include <vector>

namespace epsilometer {

/// How many coefficients at most have their covariances computed.
inline constexpr std::size_t most_covariances = 1000;

/// The probability of the intervals that are given out.
inline constexpr double interval_level = 0.95;

struct Spread {
  /// exact: the law of the noise itself, normal or Student's. first_order: how noisy products and moments
  /// move a solution, to first order. plug_in: noisy estimates as if they were the truth.
  enum class Law { exact, first_order, plug_in };

  Law law;
  /// A lower triangle.
  std::vector<double> covariance;
  /// Degrees of freedom of Student's law; infinite for the normal one.
  double freedom = std::numeric_limits<double>::infinity();
  /// The variances that sampling the rows gave the coefficients without noise, as a multiple of the
  /// covariance, where noisy estimates tell it.
  std::optional<double> sampling{};
  static constexpr Law sampling_law = Law::plug_in;

  /// Half the width of an interval, in standard deviations of the covariance.
  double deviations() const;
  std::optional<double> sampling_deviations() const;
};

/// not_told: the law of the noise depends on the table, or what would tell it was not released. hidden: the
/// noise hides some combination of the coefficients. too_many: more coefficients than most_covariances.
enum class UnknownSpread { not_told, hidden, too_many };

/// As answers call them, such as "first-order".
const char* name_of(Spread::Law law);
const char* name_of(UnknownSpread reason);

}  // namespace epsilometer
