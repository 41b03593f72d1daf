// How many votes each class has in each question: all that a private vote needs of a table.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/noise/grid.h"
#include "core/table/records.h"

namespace epsilometer {

/// What a record is: one voter, whose features are the classes she votes for, one for each question, or
/// one question, its label, whose features are the numbers of votes.
enum class VoteForm { ballots, counts };

/// How winners are found, by normal noise on each number of votes.
struct Vote {
  double sigma;
  /// A voter who votes otherwise, and not one who takes part or not.
  bool is_switched = true;
  /// The noise is discrete, as core/noise/noise.h makes it of that sigma; otherwise it is continuous.
  bool is_on_grid = false;
  /// A question stays open where its largest number, with noise of its own, is smaller than that.
  struct Least {
    double votes, sigma;
  };
  std::optional<Least> least = {};
};

class VoteCounts {
 public:
  /// Numbers up to 2^20 of each, and of both together.
  VoteCounts(std::size_t questions, std::size_t classes, VoteForm form);

  std::size_t questions() const { return questions_; }
  std::size_t classes() const { return classes_; }

  /// A class or a question is a whole number from 0; everything else is no vote, and no question. Numbers of
  /// votes are rounded down; one that is not finite, or negative, counts as 0. So a voter never has more than
  /// one vote in a question, and a table of counts that moves by a vote never moves by more here.
  void add(const Records& records);

  /// At most 2^53.
  std::int64_t of(std::size_t question, std::size_t a_class) const {
    return counts_[question * classes_ + a_class];
  }
  /// Question by question, in steps of 2^exponent, exponent from -53 to 0.
  IntegerSum steps(int exponent) const;

 private:
  void add_ballot(std::span<const double> choices);
  void add_question(std::optional<std::size_t> question, std::span<const double> votes);
  void add(std::size_t place, std::int64_t votes);

  std::size_t questions_, classes_;
  VoteForm form_;
  std::vector<std::int64_t> counts_;
};

}  // namespace epsilometer
