// A table of privacy losses that somebody else computed: a privacy loss distribution. Rounded up, it
// dominates the mechanism (Meiser and Mohammadi 2018; Koskela, Jalko and Honkela 2020), so that only upper
// ends follow; exact, it is the mechanism. Tables that were rounded down are no guarantee of anything and not
// asked for.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/atomic_loss.h"
#include "core/numerics/precise_exponential.h"

namespace epsilometer::mechanisms {
namespace {

// What the doubles of a table, each rounded, may lack of 1 together.
constexpr double mass_doubt = 64 * unit_roundoff;

Direction direction_of(const std::string& word) {
  if (word == "add") return Direction::add;
  if (word == "remove" || word == "both") return Direction::remove;
  throw Refusal("unknown", "direction", word, "must be remove, add or both");
}

// What a term of a sum of at most 1 in two doubles may be wrong by.
constexpr double term_error = 0x1p-90;

// What the other side shows beside these losses, rounded up; refuses losses that are more than all of it.
struct Rest {
  double mass = 0, error = 0;
};
Rest other_side(const LossTable& table) {
  DoubleDouble sum{0};
  double largest = 1;
  for (const Atom& atom : table.atoms) {
    sum = sum + DoubleDouble{atom.mass} * precise_exponential({-atom.loss});
    largest = std::max(largest, std::abs(atom.loss));
  }
  const double doubt = mass_doubt * largest;
  if (!(sum.hi <= 1 + doubt))
    throw Refusal(
        "range", "losses", shown(sum.hi),
        "must have a mean of e^-loss of at most 1: these losses are smaller than any two laws have");
  const DoubleDouble rest = DoubleDouble{1} - sum;
  if (rest.hi <= (table.exact ? doubt : 0)) return {};
  const double error = term_error * static_cast<double>(table.atoms.size());
  return {std::min(1.0, upward(rest + DoubleDouble{error})), 4 * unit_roundoff + 2 * error / rest.hi};
}

}  // namespace

std::shared_ptr<const PrivacyLoss> privacy_loss(const Description& description) {
  const std::string &rounded = description.text("rounded"), &direction = description.text("direction");
  if (rounded != "up" && rounded != "exact")
    throw Refusal("unknown", "rounded", rounded, "must be up or exact");
  LossTable table{{}, description.number("infinite", 0, 1), 0, direction_of(direction)};
  table.both = direction == "both";
  table.exact = rounded == "exact";
  if (table.both && table.exact)
    throw Refusal("range", "direction", direction,
                  "must be remove or add for an exact table: the other direction follows from it");
  const auto &losses = description.list("losses", -1e6, 1e6), &masses = description.list("masses", 0, 1);
  if (losses.size() != masses.size())
    throw Refusal("range", "masses", shown(static_cast<double>(masses.size())) + " numbers",
                  "must be as many as losses");
  DoubleDouble sum{table.infinite};
  for (std::size_t i = 0; i < losses.size(); ++i) {
    if (i > 0 && !(losses[i] > losses[i - 1]))
      throw Refusal("range", "losses", shown(losses[i]), "must be above the loss before it");
    sum = sum + DoubleDouble{masses[i]};
    if (masses[i] > 0) table.atoms.push_back({losses[i], masses[i]});
  }
  if (!((sum - DoubleDouble{1}).hi <= mass_doubt && (DoubleDouble{1} - sum).hi <= mass_doubt))
    throw Refusal("range", "masses", shown(sum.hi), "must be 1 together with infinite");
  const Rest rest = other_side(table);
  table.infinite_back = rest.mass;
  table.infinite_back_error = rest.error;
  return std::make_shared<AtomicLoss>(std::move(table));
}

}  // namespace epsilometer::mechanisms
