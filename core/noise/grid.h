// Sums over records in whole steps of 2^exponent. Each record's contribution is clipped and truncated toward
// zero by itself, so that no norm grows, and added exactly: the sensitivity of the sum is that of the
// mathematics, in any order of the records. (Casacuberta et al. 2022 show what happens otherwise.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace epsilometer {

enum class Norm { l1, l2 };

/// Clips a record's contribution to a norm and truncates it to the grid: a function of that record alone.
class Truncation {
 public:
  /// `bound`: the norm that no contribution exceeds, at least one step and at most 2^48 steps, or it is
  /// refused.
  Truncation(double bound, Norm norm, int exponent);

  /// A record moves the sum by no more than this many steps in that norm when it is added or removed, and by
  /// twice that when it is replaced: bound / step, in the l1 norm rounded down, in the l2 norm up.
  std::int64_t radius() const { return radius_; }

  /// `steps` has the size of `contribution`: truncated toward zero and nothing else where that is within the
  /// bound, as it is for whatever keeps the bound already. What is not finite counts as nothing.
  void apply(std::span<const double> contribution, std::span<std::int64_t> steps) const;
  /// The same in doubles, which hold all of them.
  void apply(std::span<const double> contribution, std::span<double> steps) const;

 private:
  // Truncates what is made of each entry, and says whether the steps are within the bound.
  template <typename Step, typename Scaled>
  bool fits(std::span<const double> contribution, std::span<Step> steps, const Scaled& scaled) const;
  template <typename Step>
  void truncate(std::span<const double> contribution, std::span<Step> steps) const;

  Norm norm_;
  // Steps in 1, a power of two: products with it are exact, or below one step.
  double unit_;
  std::int64_t radius_;
  // Of the sum of the sizes, or of the sum of the squares: whole numbers, so floor((bound / step)^2).
  __int128 most_;
};

/// No value of a sum is larger, in steps. Clamping moves no two sums apart.
inline constexpr std::int64_t largest_sum = std::int64_t{1} << 61;
/// Nor with noise that has no cap: beyond what any certified output is in steps of its noise.
inline constexpr __int128 widest_sum = __int128{1} << 110;

/// An exact sum of contributions; parts may be summed by themselves and added.
class IntegerSum {
 public:
  explicit IntegerSum(std::size_t size) : sums_(size) {}
  explicit IntegerSum(std::vector<__int128> sums) : sums_(std::move(sums)) {}

  void add(std::span<const std::int64_t> steps);
  void add(const IntegerSum& part);

  std::size_t size() const { return sums_.size(); }
  /// Clamped to largest_sum.
  std::int64_t value(std::size_t i) const;
  /// Clamped to widest_sum.
  __int128 wide_value(std::size_t i) const;
  /// Correctly rounded, however large.
  double nearest(std::size_t i) const { return static_cast<double>(sums_[i]); }

  IntegerSum part(std::size_t first, std::size_t count) const;
  /// In steps of 2^bits old ones, rounded half up: a gap of a grows to at most ceil(a) new steps. `bits` from
  /// 0 to 120.
  IntegerSum coarser(int bits) const;

 private:
  // Contributions of at most 2^48 steps: 2^79 of them fit.
  std::vector<__int128> sums_;
};

/// For a query that is not a sum over records: its values, or values + tails, each tail no more than the
/// rounding of its value, rounded half up to the grid (up to 2^-44 of a step where there are tails). Refuses
/// values that are not finite, which no algorithm computes.
IntegerSum rounded(std::span<const double> values, int exponent, std::span<const double> tails = {});

/// How far, in steps and in the l2 norm, those of two neighbouring tables can be apart when the true values
/// differ by at most `sensitivity`, each is computed within `error`, and `coordinates` of them can move.
/// Rounded up.
double rounded_sensitivity(double sensitivity, double error, std::size_t coordinates, int exponent);

}  // namespace epsilometer
