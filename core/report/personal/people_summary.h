// What a release costs the people of a table, taken together: the moments of one number for each of them, its
// quantiles, and what they say of generalisation. Empirical, and as confidential as the numbers themselves.
#pragma once

#include <vector>

namespace epsilometer {

class PeopleSummary {
 public:
  /// One number for each person, not negative, upper bounds; infinity is one. Refuses NaN and an empty list.
  explicit PeopleSummary(std::vector<double> losses);

  std::size_t count() const { return losses_.size(); }
  double largest() const { return losses_.back(); }
  /// The mean of loss^power, power from 1 to 64. Rounded up.
  double moment(int power) const;
  /// The mean of e^(scale loss), scale from 0 to 64. Rounded up.
  double exponential_moment(double scale) const;
  /// The least number that at least that share of the people do not exceed, share in [0, 1].
  double quantile(double share) const;
  /// What share of the people has more than that.
  double share_above(double loss) const;

 private:
  std::vector<double> losses_;
};

/// The average gap between risk and training risk of a loss within [0, 1], when the people of a table are
/// drawn from what the summary holds, at one delta for all: Wang 2019, Proposition 9 and Corollary 12, in
/// corrected form: (E e^epsilon)^2 - 1 + delta (1 + E e^epsilon). At most 1, which says nothing.
double generalisation_gap(const PeopleSummary& people, double delta);

/// The same for a risk under another distribution, from which `others` are drawn, of a training risk with
/// importance weights: Proposition 11, corrected: E e^epsilon E' e^epsilon - 1 + delta (1 + E e^epsilon).
double generalisation_gap(const PeopleSummary& people, const PeopleSummary& others, double delta);

}  // namespace epsilometer
