// Randomized response among k categories: for the change of one person's category; or for a person whose
// answer is one of the k at random, as if she had not been asked, against her true one. The latter has the
// losses log(k p) and log(k q), p the probability of the true category and q that of each other one.
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/atomic_loss.h"
#include "core/loss/response_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::mechanisms {
namespace {

// Logarithms of sums of at most four roundings, and of a quotient.
constexpr double loss_error = 32 * unit_roundoff;

std::shared_ptr<const PrivacyLoss> against_random(double epsilon, double categories) {
  // Divided by e^epsilon, which may overflow. Both logarithms are those of 1 + x without cancellation.
  const double others = categories - 1, shrink = std::exp(-epsilon), fade = -std::expm1(-epsilon);
  const double whole = 1 + others * shrink;
  const double high = std::log1p(others * fade / whole);
  const double low = -std::log1p(std::expm1(epsilon) / categories);
  if (high == 0) return std::make_shared<ResponseLoss>(0, 2, 0);
  LossTable table{{{low, others * shrink / whole}, {high, 1 / whole}}, 0, 0};
  table.loss_error = loss_error;
  return std::make_shared<AtomicLoss>(std::move(table));
}

class AnswerLoss final : public ResponseLoss {
 public:
  AnswerLoss(double epsilon, double categories) : ResponseLoss(epsilon, categories, 0) {}

  // Everybody's answer has randomness of its own.
  std::shared_ptr<const PrivacyLoss> group(int ahead, int behind) const override {
    return together({{std::make_shared<AnswerLoss>(*this), static_cast<double>(ahead + behind)}});
  }
  bool groups_by_number() const override { return true; }
};

}  // namespace

std::shared_ptr<const PrivacyLoss> randomized_response(const Description& description) {
  const double categories = description.whole("categories", 2, 1e15);
  const auto told = description.texts.find("other");
  const std::string other = told == description.texts.end() ? "another" : told->second;
  if (other == "random") return against_random(description.number("epsilon", 0, 700), categories);
  if (other == "another")
    return std::make_shared<AnswerLoss>(description.number("epsilon", 0, 1e100), categories);
  throw Refusal("unknown", "other", other, "must be another or random");
}

}  // namespace epsilometer::mechanisms
