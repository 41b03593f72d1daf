// What can be asked from numbers alone, with no table of a file and no release: about one record, each
// quantity of docs/personal-loss.md by its name, and about a mechanism, those of docs/adaptive-releases.md.
// Every answer is an interval that holds the truth, or a description that the calculator prices.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/loss/description.h"
#include "core/numerics/interval.h"

namespace epsilometer {

/// Each by its name; what a question does not lead to is left out.
struct NumbersAnswer {
  std::map<std::string, Interval> numbers;
  /// Vectors, and matrices by rows.
  std::map<std::string, std::vector<Interval>> lists;
  std::map<std::string, Description> descriptions;
};

/// `question.kind` says what it is about; its numbers, lists and texts are what that needs, matrices by rows.
/// Refuses unknown kinds and what is missing or out of range, by name.
NumbersAnswer answer_in_numbers(const Description& question);

}  // namespace epsilometer
