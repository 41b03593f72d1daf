#include "core/release/vote_counts.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"

namespace epsilometer {
namespace {

constexpr std::int64_t most_votes = std::int64_t{1} << 53;

// Nothing for what is no whole number below `end`.
std::optional<std::size_t> place_of(double value, std::size_t end) {
  if (!(value >= 0 && value < static_cast<double>(end)) || value != std::floor(value)) return std::nullopt;
  return static_cast<std::size_t>(value);
}

}  // namespace

VoteCounts::VoteCounts(std::size_t questions, std::size_t classes, VoteForm form)
    : questions_(questions), classes_(classes), form_(form) {
  constexpr std::size_t most = std::size_t{1} << 20;
  if (questions_ * classes_ > most)
    throw Refusal("range", "questions", shown(static_cast<double>(questions_)),
                  "times the number of classes must be at most 2^20");
  counts_.resize(questions_ * classes_);
}

void VoteCounts::add(const Records& records) {
  const std::size_t wide = form_ == VoteForm::ballots ? questions_ : classes_;
  if (records.dimension != wide)
    throw Refusal("range", "dimension", shown(static_cast<double>(records.dimension)),
                  "must be one number for each question of a ballot, or for each class of a question");
  for (std::size_t i = 0; i < records.count; ++i) {
    if (form_ == VoteForm::ballots)
      add_ballot(records.row(i));
    else
      add_question(place_of(records.labels[i], questions_), records.row(i));
  }
}

void VoteCounts::add_ballot(std::span<const double> choices) {
  for (std::size_t question = 0; question < questions_; ++question)
    if (const auto chosen = place_of(choices[question], classes_)) add(question * classes_ + *chosen, 1);
}

void VoteCounts::add_question(std::optional<std::size_t> question, std::span<const double> votes) {
  if (!question) return;
  for (std::size_t a_class = 0; a_class < classes_; ++a_class) {
    const double number = votes[a_class];
    if (!(number > 0) || std::isinf(number)) continue;
    add(*question * classes_ + a_class,
        static_cast<std::int64_t>(std::min(number, static_cast<double>(most_votes))));
  }
}

void VoteCounts::add(std::size_t place, std::int64_t votes) {
  counts_[place] = std::min(most_votes, counts_[place] + votes);
}

IntegerSum VoteCounts::steps(int exponent) const {
  std::vector<__int128> sums(counts_.size());
  std::transform(counts_.begin(), counts_.end(), sums.begin(),
                 [exponent](std::int64_t count) { return static_cast<__int128>(count) << -exponent; });
  return IntegerSum(std::move(sums));
}

}  // namespace epsilometer
