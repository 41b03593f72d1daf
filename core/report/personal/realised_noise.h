// What an output that is Gaussian noise told of one record, given the table: log p / p' at the output itself,
// p of the table that was used and p' of the one without the record, or with it. With q and q' what the noise
// is on under either, and e the output minus q,
//
//     log p / p' = |q' - q|^2 / (2 sigma^2) - (q' - q).e / sigma^2:
//
// a number with a sign, and no bound: only what doubles cannot tell makes it an interval. Redberg and Wang
// 2021, Appendix A. Discrete noise has just this ratio at every point of its grid. Confidential.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/loss/privacy_loss.h"
#include "core/numerics/interval.h"
#include "core/release/linear_statistics.h"
#include "core/release/noisy_output.h"
#include "core/release/release.h"

namespace epsilometer {

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
  double doubt_, gap_, unit_, length_;
};

/// Of sums over the records: together, as one.
class RealisedSums {
 public:
  /// `outputs`: coefficients, the last of them, are passed over. Refuses outputs that are not of the table's
  /// size.
  RealisedSums(const LinearStatistics& table, std::span<const NoisyOutput> outputs, const Release& run);

  /// Of a record on its grid.
  Interval loss(std::span<const double> features, double label, Direction direction) const;

 private:
  struct Block {
    NoisyOutput::Of of;
    // A unit of each number in deviations.
    std::vector<double> units;
  };
  std::vector<Block> blocks_;
  std::optional<RealisedNoise> noise_;
};

/// Whether what else was released was made of the table, which has so many rows, and would have been of one
/// with a row more.
bool holds_all_rows(std::span<const NoisyOutput> outputs, double rows);

}  // namespace epsilometer
