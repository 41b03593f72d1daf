#include "core/report/personal/vote_loss.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/normal.h"

namespace epsilometer {
namespace {

// Beyond those orders no epsilon that anybody publishes is least.
constexpr double first_order = 1.25, last_order = 4096, next_order = 1.09;

// By how much sums of terms of that size may be off.
double slack(double size) { return rounding_margin * size; }

std::vector<std::vector<double>> rows_of(const VoteCounts& votes) {
  std::vector<std::vector<double>> rows(votes.questions(), std::vector<double>(votes.classes()));
  for (std::size_t question = 0; question < votes.questions(); ++question)
    for (std::size_t a_class = 0; a_class < votes.classes(); ++a_class)
      rows[question][a_class] = static_cast<double>(votes.of(question, a_class));
  return rows;
}

double plain_renyi(double sigma, double order) { return rounded_up(order / (sigma * sigma)); }

// The theorem holds for every mu2 > 1 and mu1 >= order with the divergences e1, e2 of those orders; the
// chosen ones are best for small q. Where rounding leaves open whether it holds, the upper end is infinite.
Bounds bound_by_upset(double q, double sigma, double order) {
  constexpr Bounds none{HUGE_VAL, HUGE_VAL};
  const double log_q = std::log(q), t = order - 1;
  const double mu2 = sigma * std::sqrt(-log_q), mu1 = mu2 + 1;
  if (!(mu2 > 1.001) || order > mu1) return none;
  const double e1 = plain_renyi(sigma, mu1), e2 = plain_renyi(sigma, mu2);
  const double allowed = (mu2 - 1) * e2 - mu2 * (std::log1p(1 / (mu1 - 1)) + std::log1p(1 / (mu2 - 1)));
  const double doubt = slack(std::abs(log_q) + mu2 * (e2 + 2));
  if (!(log_q - doubt <= allowed)) return none;
  const double power = (log_q + e2) * (mu2 - 1) / mu2;
  if (!(power < 0)) return none;
  const double gone = std::exp(power), usual = order * std::log1p(-q) - t * std::log1p(-gone);
  const double rare = log_q + t * (e1 - log_q / (mu1 - 1));
  const double sum = std::expm1(usual) + std::exp(rare);
  // What the two logarithms of the usual case cancel, and what the exponents were rounded by.
  const double sizes = order * q / (1 - q) + t * gone / (1 - gone) * (1 + std::abs(power)) +
                       std::exp(rare) * (1 + std::abs(log_q) + t * (e1 - log_q / (mu1 - 1)));
  const double off = 8 * slack(sizes) / (1 + sum);
  return {rounded_down((std::log1p(sum) - off) / t),
          log_q + doubt <= allowed ? (std::log1p(sum) + off) / t : HUGE_VAL};
}

// log delta <= t (D - epsilon) - t log(1 + 1/t) - log(1 + t), solved for epsilon: Canonne, Kamath and Steinke
// 2020, Proposition 12, which needs the divergence in one direction only.
double converted(double renyi, double order, double delta) {
  const double t = order - 1, gain = t * std::log1p(1 / t) + std::log1p(t), level = std::log(delta);
  return std::max(0.0, renyi - (level + gain) / t + slack(renyi + (gain - level) / t));
}

/// How upsets, and with them divergences, move along tables that are further and further away.
class Neighbourhood {
 public:
  Neighbourhood(std::vector<double> upsets, double classes, double sigma, double order)
      : others_(classes - 1), sigma_(sigma), order_(order) {
    for (const double q : upsets)
      places_.push_back(normal_upper_quantile(std::clamp(q / others_, 1e-300, 1 - 1e-16)));
  }

  /// The largest change of all questions' divergences by one more voter, `distance` voters away.
  double change(double distance) const {
    double sum = 0;
    for (const double place : places_) {
      const auto at = [&](double step) {
        return vote_renyi(
                   std::min(1.0, others_ * normal_upper_tail({place - step * std::sqrt(2.0) / sigma_})),
                   sigma_, order_)
            .upper;
      };
      sum += std::max(std::abs(at(distance + 1) - at(distance)), std::abs(at(-distance - 1) - at(-distance)));
    }
    return sum;
  }

  /// max over d of e^{-beta d} change(d).
  double smooth(double beta) const {
    const double most = static_cast<double>(places_.size()) * plain_renyi(sigma_, order_);
    double best = 0;
    for (double d = 0; most * std::exp(-beta * d) > best && d < 1e5; ++d)
      best = std::max(best, std::exp(-beta * d) * change(d));
    return best;
  }

 private:
  double others_, sigma_, order_;
  std::vector<double> places_;
};

// The release of the divergence with noise by its smooth sensitivity, that of the sensitivity's logarithm,
// and the winners: Redberg, Zhu and Wang 2023, Algorithm 6, with the parameters of its proof.
void test(VoteLoss& loss, const std::vector<double>& upsets, double classes, double sigma, double delta,
          double spent) {
  const auto [order, width, beta] = vote_test(spent, delta);
  const double level = std::log(2 / delta), safe = std::sqrt(2 * std::log(4 / delta));
  loss.tested_order = order;
  loss.smooth_sensitivity = Neighbourhood(upsets, classes, sigma, order).smooth(beta);
  double renyi = 0;
  for (const double q : upsets) renyi += vote_renyi(q, sigma, order).upper;
  const double bound = loss.smooth_sensitivity * std::exp(width * beta * safe);
  loss.tested_epsilon = renyi + width * safe * bound + level / (order - 1) + spent;
}

}  // namespace

double upset(std::span<const double> votes, double sigma) {
  const auto first = std::max_element(votes.begin(), votes.end());
  double sum = 0;
  for (auto other = votes.begin(); other != votes.end(); ++other) {
    if (other == first) continue;
    const DoubleDouble lead{*first - *other}, width = square_root(DoubleDouble{2}) * DoubleDouble{sigma};
    sum += normal_upper_tail(lead / width);
  }
  return std::min(1.0, rounded_up(sum, rounding_margin + static_cast<double>(votes.size()) * unit_roundoff));
}

Bounds vote_renyi(double q, double sigma, double order) {
  const Bounds plain{rounded_down(order / (sigma * sigma)), plain_renyi(sigma, order)};
  if (q == 0) return {0, 0};
  if (!(q < 1)) return plain;
  const Bounds own = bound_by_upset(q, sigma, order);
  return {std::min(plain.lower, own.lower), std::min(plain.upper, own.upper)};
}

VoteTest vote_test(double spent, double delta) {
  const double order = 2 * std::log(2 / delta) / spent + 1;
  return {order, std::sqrt((3 * order + 2) / spent), 0.2 / order};
}

VoteLoss vote_loss(const VoteCounts& votes, double sigma, double delta, double spent) {
  in_range("scale", sigma, 1e-3, 1e12);
  in_range("delta", delta, 1e-300, 0.5);
  in_range("testEpsilon", spent, 1e-3, 10);
  std::vector<double> upsets;
  for (const auto& row : rows_of(votes)) upsets.push_back(upset(row, sigma));
  VoteLoss loss{0, 0, HUGE_VAL, 0, 0, 0, 0};
  for (double order = first_order; order <= last_order; order *= next_order) {
    double renyi = 0;
    for (const double q : upsets) renyi += vote_renyi(q, sigma, order).upper;
    renyi = rounded_up(renyi, static_cast<double>(upsets.size()) * unit_roundoff);
    const double epsilon = converted(renyi, order, delta);
    if (epsilon < loss.epsilon) loss = {order, renyi, epsilon, 0, 0, 0, 0};
  }
  const double moved = rounded_up(std::sqrt(2 * static_cast<double>(votes.questions())));
  loss.plain_epsilon =
      epsilon(*privacy_loss({"gaussian", {{"sigma", sigma}, {"sensitivity", moved}}, {}, {}, {}}), delta)
          .upper;
  test(loss, upsets, static_cast<double>(votes.classes()), sigma, delta, spent);
  return loss;
}

}  // namespace epsilometer
