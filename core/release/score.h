// How well a released model does on the table, as one noisy number that is paid for: what models are chosen
// by. A record adds a number from 0 to `bound` that depends on itself and the coefficients alone, so the sum
// moves by at most `bound` when a record is added, removed or replaced, whatever the coefficients are.
#pragma once

#include <span>
#include <variant>

#include "core/noise/noise.h"
#include "core/release/release.h"

namespace epsilometer {

/// The less, the better.
class Score {
 public:
  /// misclassified: records of whose label, 1 or -1, the sign of x.theta is not that; or of several classes,
  /// whose label is the place of one from 0, those of whose class the predictor is not larger than all
  /// others; bound 1. squared_error: the sum of squared differences of label and prediction, both clamped to
  /// the labels' range: x.theta from -B to B, or e^{x.theta} from 0 to B where labels are counts; bound their
  /// range squared.
  enum class Kind { misclassified, squared_error };

  /// `label_bound`: B. Of squared errors only. `predictors`: the coefficients hold so many for each feature,
  /// 1 or one for each class.
  Score(Kind kind, double label_bound, bool is_count, std::size_t predictors = 1);

  double bound() const { return bound_; }
  /// Of one record.
  double of(std::span<const double> features, double label, std::span<const double> coefficients) const;

  /// Gaussian noise, or Laplace's where nothing may fail.
  using Noise = std::variant<GaussianNoise, LaplaceNoise>;
  Description guarantee(const Noise& noise) const;
  /// Refuses coefficients that are not as many as features and predictors ask for.
  double released(Pieces table, std::span<const double> coefficients, const Noise& noise,
                  Generator& generator) const;

 private:
  double missed_class(std::span<const double> features, double label,
                      std::span<const double> coefficients) const;
  Truncation truncation(const Noise& noise) const;

  Kind kind_;
  bool is_count_;
  std::size_t predictors_;
  double label_bound_, bound_;
};

}  // namespace epsilometer
