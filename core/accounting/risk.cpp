#include "core/accounting/risk.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/posterior.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

Bounds around(double value) { return {rounded_down(value), rounded_up(value)}; }

Bounds rate_around(double value) {
  return {std::min(1.0, rounded_down(value)), std::min(1.0, rounded_up(value))};
}

// The error of whoever decides without a release; exact, because 1 - p is for p >= 1/2.
double blind_error(double prior) { return std::min(prior, 1 - prior); }

// Where the best decision turns: log((1 - q) / q) for that error q, at least 0.
Bounds turning_point(double blind) {
  const double value = std::log((1 - blind) / blind);
  const double doubt = 16 * unit_roundoff * (1 + std::abs(value));
  return blind == 0.5 ? Bounds{0, 0} : Bounds{std::max(0.0, value - doubt), value + doubt};
}

// Both directions are asked, so that the error at 1 - p is that at p.
Bounds bayes_error(GroupPrivacy& group, double prior) {
  const double blind = blind_error(prior);
  const Bounds at = turning_point(blind);
  return {rounded_down(blind * (1 - group.delta(at.lower).upper)),
          std::min(blind, rounded_up(blind * (1 - group.delta(at.upper).lower)))};
}

void check(const Risk& asked) {
  const bool has_prior = asked.measure != "advantage" && asked.measure != "reconstruction";
  const bool has_rate = asked.measure != "advantage" && asked.measure != "bayes-error";
  if (has_prior) in_range("prior", asked.prior, 1e-100, 1 - 1e-15);
  if (has_rate) in_range("rate", asked.rate, 1e-100, 1);
}

[[noreturn]] void refuse(const Risk& asked) {
  throw Refusal("unknown", "measure", asked.measure,
                "must be posterior, event-posterior, predictive-value, reconstruction, advantage or "
                "bayes-error");
}

void within(double limit, double from, double to) {
  if (limit > from && limit < to) return;
  throw Refusal("range", "limit", shown(limit),
                "must be more than " + shown(from) + ", which needs no release, and less than " + shown(to));
}

}  // namespace

Bounds risk(GroupPrivacy& group, const Risk& asked) {
  check(asked);
  const auto& [measure, prior, rate] = asked;
  if (measure == "posterior") return posterior_when_right(group, prior, rate);
  if (measure == "event-posterior") return posterior_given_event(group, prior, rate);
  if (measure == "predictive-value") return posterior_when_wrong(group, prior, rate);
  if (measure == "reconstruction") return group.power(rate);
  if (measure == "advantage") return group.delta(0);
  if (measure == "bayes-error") return bayes_error(group, prior);
  refuse(asked);
}

Threshold threshold(const Risk& asked, double limit) {
  check(asked);
  const auto& [measure, prior, rate] = asked;
  if (measure == "advantage") return within(limit, 0, 1), Threshold{false, {0, 0}, {limit, limit}};
  if (measure == "reconstruction")
    return within(limit, rate, 1), Threshold{true, {rate, rate}, {limit, limit}};
  if (measure == "bayes-error") {
    const double blind = blind_error(prior);
    if (!(limit > 0 && limit < blind))
      throw Refusal("range", "limit", shown(limit),
                    "must be more than 0 and less than " + shown(blind) + ", the error without a release");
    return {false, turning_point(blind), around((blind - limit) / blind)};
  }
  within(limit, prior, 1);
  // What the limit allows the likelihood ratio to be.
  const double ratio = limit / prior * ((1 - prior) / (1 - limit));
  if (measure == "posterior") return {true, rate_around(rate / ratio), {rate, rate}};
  if (measure == "predictive-value") return {true, {rate, rate}, rate_around(rate * ratio)};
  if (measure == "event-posterior")
    return {true, rate_around(rate * ((1 - limit) / (1 - prior))), rate_around(rate * (limit / prior))};
  refuse(asked);
}

}  // namespace epsilometer
