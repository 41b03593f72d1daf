// What an output that is noise on values of the table told of one record, given the table: log p / p' at the
// output itself, p of the table that was used and p' of the one without the record, or with it. With q and q'
// what the noise is on under either, and e the output minus q,
//
//     log p / p' = |q' - q|^2 / (2 sigma^2) - (q' - q).e / sigma^2    of Gaussian noise,
//     log p / p' = (|q' - q - e|_1 - |e|_1) / b                       of Laplace noise:
//
// a number with a sign, and no bound: only what doubles cannot tell makes it an interval. Redberg and Wang
// 2021, Appendix A. Discrete noise has just these ratios at every point of its grid, saturated Laplace noise
// at its caps, too, whose probabilities are sums beyond both q and q'. Confidential.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/loss/privacy_loss.h"
#include "core/numerics/interval.h"
#include "core/release/linear_statistics.h"
#include "core/release/noisy_output.h"
#include "core/release/release.h"
#include "core/report/personal/grid_records.h"

namespace epsilometer {

/// What came out of that name; refuses other numbers of them, by name, and what no release has.
const std::vector<double>& noisy_values(const Release& run, const NoisyOutput& output, std::size_t size);

/// A unit of the data in deviations, or scales, of so many steps.
double unit_of(std::uint64_t steps, int exponent);

/// |x| with a bound of its rounding added.
double length_of(std::span<const double> values);

class RealisedNoise {
 public:
  /// e is within `doubt` of `noise` in the l2 norm, and q' - q within `gap` of what loss() is told, all three
  /// in deviations of the noise; `unit`: in how many of them loss() counts.
  RealisedNoise(std::vector<double> noise, double doubt, double gap, double unit = 1);
  /// On coefficients, of which `theta` is within `error` of the table's own; loss() counts as they do.
  static RealisedNoise on_coefficients(const NoisyOutput& output, const Release& run,
                                       std::span<const double> theta, double error);

  const std::vector<double>& noise() const { return noise_; }
  /// Of noise(), rounded up.
  double length() const { return length_; }
  /// |q' - q|, and its product with noise().
  Interval loss(Interval moved, Interval along) const;

 private:
  std::vector<double> noise_;
  double doubt_, gap_, length_;
  Interval unit_;
};

/// Of sums over the records: together, as one.
class RealisedSums {
 public:
  /// `outputs`: what is no sum is passed over. Refuses outputs that are not of the table's size.
  RealisedSums(const LinearStatistics& table, std::span<const NoisyOutput> outputs, const Release& run);

  /// Of so many of these records together, from the first on; they are on their grid, and at most 1000.
  Interval loss(const GridRecords& records, std::size_t first, std::size_t count, Direction direction) const;
  /// Whether that is the same of whatever records: how many they are is all that is in the sums.
  bool is_count() const;

 private:
  struct Block {
    NoisyOutput::Of of;
    NoisyOutput::Law law;
    // A unit of each number in deviations.
    std::vector<double> units;
    // laplace: what came out minus the sum; and what is not known of the loss, but for the rounding of what a
    // record has in it.
    std::vector<double> noise;
    double doubt;
  };
  // Sums of so many records, in the units of the data.
  static std::vector<double> sums(NoisyOutput::Of of, const GridRecords& records, std::size_t first,
                                  std::size_t count);
  static Interval laplace_loss(const Block& block, std::span<const double> moved, double sign);

  std::vector<Block> blocks_;
  std::optional<RealisedNoise> gaussian_;
};

/// Whether the outputs of a table of so many rows are what they are said to be, and those of one with a row
/// more.
bool holds_all_rows(std::span<const NoisyOutput> outputs, double rows);

}  // namespace epsilometer
