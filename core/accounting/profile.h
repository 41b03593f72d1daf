// The privacy profile and its inverse, for whatever is known about a loss: the exact pair where there is one,
// the certified composition of its parts, otherwise the best conversion of its Renyi bound.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/accounting/closed_form.h"
#include "core/accounting/composition/adaptive_range.h"
#include "core/accounting/composition/compose.h"
#include "core/accounting/composition/profile_grid.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// exact: both ends differ by rounding only. certified: a proven interval around what the worst mechanism of
/// the description costs. bound: only the upper end is a guarantee; the lower one is what some mechanism of
/// it costs.
enum class Certainty { exact, certified, bound };

/// Of one answer to questions that are worth so much: where doubles cannot tell what a closed form is, as at
/// a delta of almost 1, its ends are proven, and no more.
Certainty certainty_of(const Bounds& answer, Certainty certainty);

class Profile final : public ProfileCurve {
 public:
  /// The loss must outlive the profile. `gap`: the relative width that a certified interval of epsilon should
  /// have.
  explicit Profile(const PrivacyLoss& loss, double gap = 1e-4);
  ~Profile() override;
  Profile(Profile&&) noexcept;

  Certainty certainty() const;

  /// delta(epsilon) for any finite epsilon, the larger of both directions.
  Bounds delta(double epsilon) const override;

  double delta_upper(double epsilon) const override;

  /// The lower end of delta(epsilon), without what only the upper end needs.
  double least_delta(double epsilon) const;

  /// Of a composition: how many directions differ, and delta(epsilon) of one of them; where that is below
  /// `negligible`, an upper end that is, too, will do.
  std::size_t directions() const { return composers().size(); }
  Bounds delta(std::size_t direction, double epsilon, double negligible = 0) const;

  /// The smallest epsilon >= 0 with delta(epsilon) <= delta; infinity when there is none. `delta` is 0 or in
  /// [1e-300, 1], or it is refused: below that doubles lose the accuracy that we promise.
  Bounds epsilon(double delta) const override;

  /// Its upper end, without what only the lower one needs.
  double epsilon_upper(double delta) const;

  /// Of a composition whose product of laws no mechanism has, the profile of a mechanism that the description
  /// fits; null otherwise. Lives as long as this one.
  const Profile* inside() const;

  /// Whether the loss is a sum without a closed form.
  bool is_sum() const { return is_sum_; }

  /// Whether it follows from the profile of what is inside.
  bool is_around() const { return around_ != nullptr; }

  /// Whether delta() encloses what adaptive play attains, where no product of laws does.
  bool is_game() const { return ranges_.has_value(); }

  const PrivacyLoss& loss() const { return loss_; }

  /// What was found out for one epsilon serves for others near it, until it is forgotten: then the next
  /// answer is the same whatever was asked before.
  void forget() const;

 private:
  struct Inside;
  struct Alone;

  const std::vector<std::unique_ptr<const Alone>>& alone() const;
  const std::vector<Composer>& composers() const;
  std::vector<RepeatedLaw> laws(Direction direction) const;
  bool is_product() const;
  bool worth_bounding(const Bounds& found) const;
  bool few_parts() const;
  const Profile* inside_near(double tilt) const;
  double delta_of_one(double level) const;
  std::optional<Bounds> epsilon_of_one(double delta) const;
  Bounds composed_delta(double epsilon) const;
  Bounds delta_of_all(double level) const;
  const std::vector<Composer>& blocks(double delta, double gap, double wanted) const;
  const std::vector<ProfileGrid>& grids() const;
  Bounds bounded_delta(double epsilon) const;
  double inside_delta(double epsilon) const;
  template <class Ask>
  double most_of_parts(const Ask& ask) const;
  Bounds around_delta(double epsilon) const;
  Bounds around_epsilon(double delta) const;
  Bounds composed_epsilon(double delta) const;
  Bounds bounded_epsilon(double delta) const;

  const PrivacyLoss& loss_;
  CoarseRenyi coarse_;
  double gap_;
  bool is_sum_;
  // Of what is inside, and around it.
  std::unique_ptr<const Profile> inner_;
  std::unique_ptr<const ProfileCurve> around_;
  bool has_orders_ = false;
  // As many as parts, null for those that have a law. This and the next are made when they are asked.
  mutable std::optional<std::vector<std::unique_ptr<const Alone>>> alone_;
  // One composer for each direction, or one for both when all parts are symmetric; none when no law is known.
  mutable std::optional<std::vector<Composer>> composers_;
  // The same with what is of bounded range in blocks, which is nearer to the truth, by their floors
  // and how much less than the most may be spent on them.
  mutable std::map<std::pair<double, double>, std::vector<Composer>> blocks_;
  // The same by profiles instead of laws, where the parts know them; made when it is asked.
  mutable std::optional<std::vector<ProfileGrid>> grids_;
  // What adaptive composition attains, where that is known although no product of laws does.
  std::optional<AdaptiveRange> ranges_;
  // Mechanisms that the description fits, by half the logarithms to base 2 of the tilts that chose them.
  mutable std::map<int, std::unique_ptr<const Inside>> insides_;
};

/// A law for both directions whose profile is nowhere below that of any of these: the chords of the largest,
/// up to where that is at most `negligible`, if it falls so far. Null where it is not below 1, or doubles do
/// not show that it is a law's.
std::shared_ptr<const Law> law_above(const std::vector<const Profile*>& profiles, double negligible);

/// The same for a single question.
Bounds delta(const PrivacyLoss& loss, double epsilon);
Bounds epsilon(const PrivacyLoss& loss, double delta);

/// Of more parts not each is asked by itself.
inline constexpr std::size_t most_asked_alone = 16;

/// The largest of what `ask` says of a part whose profile is known from both sides, where there are few
/// parts; 0 where there are none. The whole tells no less than each of them.
template <class Ask>
double most_of_known_parts(const PrivacyLoss& loss, const Ask& ask) {
  const std::vector<Repeated> parts = loss.parts();
  double most = 0;
  if (parts.size() > most_asked_alone) return most;
  for (const Repeated& part : parts) {
    const KnownProfile* known = part.loss->profile();
    if (known && known->has_two_sided_bounds()) most = std::max(most, ask(*known));
  }
  return most;
}

/// A probability that may be 0 but not too small to be accurate; refused otherwise.
double accurate_probability(const char* field, double value);

}  // namespace epsilometer
