// The best test between two neighbouring tables, run often, against the stated profile.
#pragma once

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "core/accounting/profile.h"

inline constexpr std::size_t runs = 200'000;

/// A run on the table with the record and one on the table without it, as the statistic on which their
/// likelihoods depend, growing with the former.
using Run = std::function<double(bool with_record)>;

/// The excess of delta over the stated profile at the worst of several epsilon, except with probability 2e-7
/// at each (Clopper and Pearson 1934, both counts). `threshold` gives the value of the statistic where the
/// loss is epsilon.
inline double certain_excess(const Run& run, const std::function<double(double)>& threshold,
                             const epsilometer::Description& description) {
  std::vector<double> with(runs), without(runs);
  for (double& one : with) one = run(true);
  for (double& one : without) one = run(false);
  const auto loss = epsilometer::privacy_loss(description);
  const epsilometer::Profile profile(*loss);
  double worst = -1;
  for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 2.0}) {
    const double level = threshold(epsilon);
    const auto above = [level](const std::vector<double>& all) {
      return static_cast<double>(
          std::count_if(all.begin(), all.end(), [=](double one) { return one > level; }));
    };
    using Binomial = boost::math::binomial_distribution<double>;
    const double least = Binomial::find_lower_bound_on_p(runs, above(with), 1e-7);
    const double most = Binomial::find_upper_bound_on_p(runs, above(without), 1e-7);
    worst = std::max(worst, least - std::exp(epsilon) * most - profile.delta(epsilon).upper);
  }
  return worst;
}
