// What a noisy smallest eigenvalue of X^T X told of one record, given the table: that of X^T X with a record
// more, or one less, from one decomposition. With X^T X = V D V^T, z = V^T x and g the gaps of D above its
// smallest entry, the eigenvalue moves to where 1 + sum z_i^2 / (g_i - t) is 0, up from it, or
// 1 - sum z_i^2 / (g_i + t), down from it (Golub 1973), and never further than |x|^2 (Weyl 1912).
// Confidential.
#pragma once

#include "core/base/progress.h"
#include "core/numerics/eigensystem.h"
#include "core/report/personal/realised_noise.h"

namespace epsilometer {

class RealisedEigenvalue {
 public:
  /// Of at most largest_eigensystem features.
  RealisedEigenvalue(const LinearStatistics& table, const NoisyOutput& output, const Release& run,
                     const Progress& progress);

  /// log p / p' at what came out (realised_noise.h), of a record on its grid.
  Interval loss(std::span<const double> features, Direction direction) const;
  /// How far the record moves the eigenvalue: up when it joins, down when it leaves.
  Interval moved(std::span<const double> features, Direction direction) const;

 private:
  Eigensystem system_;
  // Of each value above the smallest; and how far that matrix is from X^T X.
  std::vector<double> gaps_;
  double apart_;
  std::optional<RealisedNoise> noise_;
};

}  // namespace epsilometer
