#include "core/loss/known_threshold.h"

#include <algorithm>
#include <cmath>

#include "core/numerics/constants.h"
#include "core/numerics/search.h"

namespace epsilometer {
namespace {

// Where queries move by more, their noise hides little.
constexpr double most_moved = 20;

// The profile takes as many terms as answers, and half their square once.
constexpr double most_answers = 1024;

// Of the last power: nearer to it the moment has fewer digits.
constexpr double most_share = 0.999;

// x - log(1 + x) >= 0, to 16u: with s = x / (2 + x) it is x s - 2 (s^3/3 + s^5/5 + ...), of which what is
// left out is below u where x is small; elsewhere the difference loses less than four bits.
double behind(double x) {
  if (std::abs(x) > 0.3) return x - std::log1p(x);
  const double s = x / (2 + x), square = s * s;
  double sum = 0;
  for (int power = 23; power >= 3; power -= 2) sum = sum * square + 2.0 / power;
  return s * (x - square * sum);
}

// The least 1/t with (1 - a)^(1 + t) <= (1 - b)^t for all queries that move by as much, a < b: where the
// tangent of a concave function is level, so that rounding is all that is charged, 31u (move + 0.7) + 12u of
// what is no less than half of min(1, move).
double scale_of(double move) {
  if (!(move <= most_moved)) return infinite;
  if (move == 0) return 0;
  const auto excess = [move](double x) {
    return -2 * std::expm1(x) * std::log1p(-std::exp(-x) / 2) - (move - x) - std::log1p(-std::expm1(-x));
  };
  return rounded_up(2 * std::expm1(sign_change(excess, 0, move, 52).second), (2 + move) * rounding_margin);
}

// The generalized Poisson probability of j (Consul and Jain 1973): of as many answers above before as many
// gains, of which there are `mean` at first and `spread` more for every answer, are used up.
double of_number(double j, double mean, double spread) {
  if (j == 0) return std::exp(-mean);
  const double all = mean + j * spread;
  return std::exp(std::log(mean) + (j - 1) * std::log(all) - all - std::lgamma(j + 1));
}

}  // namespace

KnownThreshold::KnownThreshold(double nearer, double further, double answers)
    : answers_(answers),
      further_(further),
      rate_(rounded_down(1 / scale_of(nearer))),
      log_ratio_(std::log1p(1 / rate_)),
      scale_further_(scale_of(further)) {
  if (rate_ == 0 || answers > most_answers || !(further == nearer || further == 0)) return;
  const auto count = static_cast<std::size_t>(answers);
  if (further == 0) {
    begin_ = rate_ * answers * log_ratio_;
    for (double left = answers; left > 0; --left) left_.push_back(-std::expm1(-left * log_ratio_));
    left_margin_ = 2 * rounding_margin;
    return;
  }
  spread_ = rate_ * log_ratio_;
  std::vector<double> number;
  for (std::size_t j = 0; j < count; ++j)
    number.push_back(of_number(static_cast<double>(j), spread_, spread_));
  // delta(0) of 0, 1, … answers.
  std::vector<double> at_zero{0};
  for (std::size_t k = 1; k <= count; ++k) {
    double next = 0;
    for (std::size_t j = 0; j + 1 < k; ++j) next += number[j] * at_zero[k - 1 - j];
    at_zero.push_back((1 + 2 * rate_ * next) / (1 + 2 * rate_));
  }
  left_.assign(at_zero.rbegin(), at_zero.rend() - 1);
  // Each is wrong by what those before are, and one sum more.
  left_margin_ = answers * (16 * unit_roundoff * size(spread_) + (answers + 16) * unit_roundoff);
}

// Of the terms that logarithms of such probabilities add up, at most.
double KnownThreshold::size(double mean) const {
  const double all = mean + answers_ * spread_;
  const double most = std::max(std::abs(std::log(mean)), std::abs(std::log(all)));
  return 1 + all + (answers_ + 1) * (1 + most + std::log(answers_));
}

double KnownThreshold::delta(double epsilon) const {
  if (!is_known()) return 1;
  if (epsilon < 0) return mirrored({0, delta(-epsilon)}, epsilon).upper;
  const double mean = rate_ * epsilon + begin_;
  // What underflow takes is less.
  constexpr double nothing = 1e-310;
  if (mean > 1e5) return nothing;
  if (mean == 0) return std::min(1.0, rounded_up(left_[0], left_margin_ + rounding_margin));
  double sum = 0;
  for (std::size_t j = 0; j < left_.size(); ++j)
    sum += of_number(static_cast<double>(j), mean, spread_) * left_[j];
  const double margin = 16 * unit_roundoff * size(mean) + (answers_ + 16) * unit_roundoff + left_margin_;
  return std::min(1.0, std::max(nothing, rounded_up(sum, margin)));
}

double KnownThreshold::log_nearer(double power) const {
  return behind(-power / rate_) + power * behind(1 / rate_);
}

double KnownThreshold::log_further(double power) const {
  const double share = std::isinf(scale_further_) ? 1 : scale_further_ / (1 + scale_further_);
  if (!(share < 1)) return power * further_;
  return std::min(power * further_, behind(power * share) + power * behind(-share));
}

double KnownThreshold::log_moment(double power) const {
  if (!(power < most_share * rate_)) return infinite;
  return answers_ * rounded_up(std::max(log_nearer(power), log_further(power)), 8 * rounding_margin);
}

double KnownThreshold::turn() const {
  const auto excess = [this](double log_share) {
    const double power = rate_ * std::exp(log_share);
    return log_nearer(power) - log_further(power);
  };
  const double least = -60, most = std::log(most_share);
  const double turn = sign_change(excess, least, most, 52).first;
  return turn > least ? rate_ * std::exp(turn) : rate_ / 2;
}

}  // namespace epsilometer
