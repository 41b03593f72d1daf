// Counts, sums, means, covariances, histograms, groups and quantiles of one table under one budget. Each is a
// part, a file of core/release/statistics; most are Gaussian releases, whose squares of mu add up, and a part
// of quantiles is as many exponential mechanisms. Parts share mu^2 in proportion to sqrt(c) Delta, where c is
// what the squares of a part's errors count together: the least sum of squares.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/algorithm.h"
#include "core/release/request.h"
#include "core/release/statistics/statistic_part.h"

namespace epsilometer::algorithms {
namespace {

constexpr double most_parts = 200;

// Quantiles alone are priced as a game, which takes long to play: fewer of them, and coarser ones.
constexpr Fineness of_games{1e-3, 12};

bool is_found(const Statistic& asked) { return asked.of == "found-groups"; }
bool is_quantiles(const Statistic& asked) { return asked.of == "quantiles"; }

Failure failure_of(const FitRequest& asked) {
  return std::all_of(asked.statistics.begin(), asked.statistics.end(), is_quantiles) ? Failure::never
                                                                                     : Failure::may_happen;
}

std::unique_ptr<StatisticPart> part(const Statistic& asked, bool replaced) {
  in_range("weight", asked.weight, 1e-6, 1e6);
  if (asked.of == "moments") return moments(asked, replaced);
  if (asked.of == "cells") return cells(asked, replaced);
  if (asked.of == "groups") return groups(asked, replaced);
  if (is_found(asked)) return found_groups(asked, replaced);
  if (is_quantiles(asked)) return quantiles(asked, replaced);
  throw Refusal("unknown", "of", asked.of, "must be moments, cells, groups, found-groups or quantiles");
}

class EverydayStatistics final : public Algorithm {
 public:
  explicit EverydayStatistics(const FitRequest& asked)
      : request_(asked, {"dimension", "noise"}, {"neighbours"}, failure_of(asked)),
        replaced_(request_.choice("neighbours", {"add-remove", "replace"}) == "replace") {
    in_range("statistics", static_cast<double>(asked.statistics.size()), 1, most_parts);
    double all = 0;
    for (Statistic one : asked.statistics) {
      if (is_found(one) && one.delta == 0) one.delta = usual_delta(asked.statistics);
      parts_.push_back(part(one, replaced_));
      dimension_ += parts_.back()->features();
      all += parts_.back()->importance();
    }
    for (const auto& one : parts_) shares_.push_back(one->importance() / all);
    if (request_.has("dimension"))
      request_.whole("dimension", static_cast<double>(dimension_), static_cast<double>(dimension_));
    noise_ = request_.noise(
        "noise", [this](double noise) { return described(noise); },
        [](double, double) -> double {
          throw Refusal("unsupported", "accounting", "paper", "has no noise for several statistics");
        },
        [] { return 1.0; }, !request_.has("noise") && is_game() ? of_games : Fineness());
    for (std::size_t k = 0; k < parts_.size(); ++k) parts_[k]->settle(mu_of(k, noise_));
  }

  Plan plan() const override {
    Plan plan{described(noise_), {{"noise", noise_}}};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      plan.parameters[name_of(k) + "share"] = shares_[k];
      parts_[k]->tell(name_of(k), plan.parameters);
    }
    plan.result = {"statistics", OutputKind::vector, {parts_.size()}};
    plan.neighbours = replaced_ ? "replace" : "add-remove";
    return plan;
  }

  std::optional<StatisticSums> statistic_sums() const override { return StatisticSums(parts_); }

  Release fit(Pieces table, Generator& generator, const Progress&) const override {
    StatisticSums sums(parts_);
    for (const Records& piece : table) sums.add(piece);
    return fit(sums, generator);
  }

  Release fit(const StatisticSums& sums, Generator& generator) const override {
    Release release(plan());
    for (std::size_t k = 0; k < parts_.size(); ++k)
      parts_[k]->release(sums.of(k), generator, name_of(k), release);
    return release;
  }

 private:
  // What the budget's delta pays for first of all is the noise: a tenth of it is for groups of one row.
  double usual_delta(const std::vector<Statistic>& all) const {
    if (!request_.has("epsilon"))
      throw Refusal("missing", "delta", "nothing", "must be given where noise is: of found-groups");
    const auto found = static_cast<double>(std::count_if(all.begin(), all.end(), is_found));
    return request_.budget().delta / (10 * found);
  }

  static std::string name_of(std::size_t k) { return std::to_string(k) + "."; }

  // At any noise, if at one.
  bool is_game() const { return Profile(*privacy_loss(described(1))).is_game(); }

  double mu_of(std::size_t k, double noise) const { return std::sqrt(shares_[k]) / noise; }

  Description described(double noise) const {
    in_range("noise", noise, 1e-6, 1e6);
    Description whole{"composition", {}, {}, {}, {}};
    for (std::size_t k = 0; k < parts_.size(); ++k)
      for (Part& one : parts_[k]->guarantee(mu_of(k, noise))) whole.parts.push_back(std::move(one));
    if (replaced_) whole.texts["neighbours"] = "replace";
    return whole;
  }

  Request request_;
  bool replaced_;
  std::vector<std::unique_ptr<StatisticPart>> parts_;
  std::vector<double> shares_;
  std::size_t dimension_ = 0;
  double noise_ = 0;
};

}  // namespace

std::unique_ptr<const Algorithm> everyday_statistics(const FitRequest& request) {
  return std::make_unique<EverydayStatistics>(request);
}

}  // namespace epsilometer::algorithms
