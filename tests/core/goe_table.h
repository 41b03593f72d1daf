// The reference table of the largest eigenvalue: see tests/reference/spectrum/goe.py.
#pragma once

#include <string>
#include <vector>

namespace epsilometer {

struct GoeLine {
  double dimension;
  /// "x", "upperTail" or "lowerTail", and its value.
  std::string ask;
  double at;
  /// To 25 digits: the first two for "x", the third otherwise.
  std::string cdf, survival, quantile;
  std::string text;
};

const std::vector<GoeLine>& goe_table();

}  // namespace epsilometer
