// A line of a reference table: a question in the batch language, and the truth to 25 digits.
#pragma once

#include <string>
#include <vector>

#include "core/base/bounds.h"
#include "core/loss/description.h"

namespace epsilometer {

struct Question {
  /// "delta", "epsilon", "renyi", "tradeOff" or "calibrate".
  std::string ask;
  Description description;
  /// The argument: epsilon, delta, order or false-positive rate; for calibrate both of `target`.
  double at = 0;
  double target_epsilon = 0, target_delta = 0;
  std::string parameter;
  /// Only the upper end of the answer is a guarantee, and the truth is that end.
  bool bound = false;
  std::string truth;
  /// What the upper end is, where that is stated apart because it is above the truth on purpose; otherwise
  /// the truth.
  std::string upper;
  std::string text;
};

/// Every line of every table of the folder.
std::vector<Question> questions(const std::string& folder);

/// The core's answer: for renyi both ends are the rounded-up value, for calibrate the safe value.
Bounds answer(const Question& question);

}  // namespace epsilometer
