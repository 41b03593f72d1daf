// What a release costs a group: neighbours differ in several records instead of one. Where the loss knows the
// tables that tell most, their profile is the answer, the worst over all ways to split the records between
// both tables. Otherwise one record after the other along a chain of tables: the power T of the best test
// becomes T(T(...T(x))), which is tight for what is known by its profile alone (Dong, Roth and Su 2019,
// Section 2.5). As a profile that is the infimum, over all ways to write epsilon as e_1 + ... + e_m, of
// delta(e_m) + e^{e_m} delta(e_{m-1}) + ...
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/accounting/envelope.h"
#include "core/accounting/profile.h"
#include "core/accounting/trade_off.h"

namespace epsilometer {

inline constexpr double largest_group = 1000;

class GroupPrivacy {
 public:
  /// `size` is a whole number from 1 to `largest_group`, or refused.
  /// `gap` as in Profile.
  GroupPrivacy(const std::shared_ptr<const PrivacyLoss>& loss, double size, double gap);
  GroupPrivacy(const GroupPrivacy&) = delete;

  /// Of a chain the upper end is the guarantee. The lower one is what some mechanism of the description
  /// leaks, where one is known that leaks as much (PrivacyLoss::chains); elsewhere it is what one record
  /// costs.
  Certainty certainty() const;

  /// As Profile and TradeOff answer for one record.
  Bounds delta(double epsilon);
  Bounds epsilon(double delta);
  Bounds power(double false_positive, std::optional<double> level = {});

  /// Answers of one question, such as the points of a curve, share what they find out. Between questions it
  /// is forgotten, so that an answer depends on its question alone.
  void forget();

 private:
  struct Chain;
  struct Priced;

  // Two tables that differ in the group, and what they tell of it.
  struct Pair {
    Pair(std::shared_ptr<const PrivacyLoss> of, double gap)
        : loss(std::move(of)), profile(*loss, gap), trade_off(*loss, profile) {}

    std::shared_ptr<const PrivacyLoss> loss;
    Profile profile;
    TradeOff trade_off;
  };

  Priced priced(double delta);
  Chain chain(double start) const;
  template <class TooLow>
  Chain aimed(const TooLow& too_low);
  Bounds end(double start);
  double chained_floor();
  void look_along(double start);
  bool is_attained() const;
  bool is_smooth() const;
  double upper_delta(const std::vector<double>& epsilons) const;
  double upper_delta(const Chain& chain, double epsilon) const;
  std::pair<double, double> least_upper_delta(const Chain& chain, double epsilon) const;
  std::vector<double> spread(std::vector<double> split, double epsilon) const;
  std::vector<double> spread_evenly(double epsilon) const;
  std::vector<double> best_split(const Chain& chain, double epsilon) const;
  double epsilon_of_delta(double delta, double from);
  using PartToMove = double (*)(const std::function<double(double)>& moved, double size);
  double polished(std::vector<double>& epsilons, PartToMove part_to_move) const;

  const PrivacyLoss& loss() const { return *pairs_.front()->loss; }
  const Profile& profile() const { return pairs_.front()->profile; }
  const Profile& profile(std::size_t step) const { return own_.empty() ? profile() : own_[step]; }
  template <class Ask>
  Bounds largest_of_pairs(const Ask& ask);
  std::vector<std::unique_ptr<Pair>> pairs_;
  // How often the profile of the only pair is chained.
  std::size_t steps_;
  // The curve that is chained.
  std::optional<Envelope> envelope_;
  // Where to look for the best split: the same of a sum, coarsely.
  std::unique_ptr<GroupPrivacy> rough_;
  // Of few steps each has the profile for itself, so that what one finds out near its epsilon is kept.
  std::vector<Profile> own_;
};

}  // namespace epsilometer
