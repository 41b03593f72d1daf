#include "core/report/personal/shared_prices.h"

#include <algorithm>

#include "core/base/refusal.h"

namespace epsilometer {
namespace {

// An extended box goes so much further than the row that it is extended to: most of the next ones are in it.
constexpr double further = 0.5;

}  // namespace

// Those that tell most boxes apart come first.
SharedPrices::Corner SharedPrices::corner_of(const RecordFacts& facts) {
  return {facts.moved,    facts.leverage.upper(), -facts.leverage.lower(), facts.residual,
          facts.gradient, facts.curvature,        facts.whole_square,      facts.square,
          facts.cross,    facts.square_l1,        facts.cross_l1,          facts.label};
}

RecordFacts SharedPrices::facts_at(const Corner& corner, const RecordFacts& like) {
  RecordFacts facts = like;
  facts.moved = corner[0];
  facts.leverage = Interval(-corner[2], corner[1]);
  facts.residual = corner[3];
  facts.gradient = corner[4];
  facts.curvature = corner[5];
  facts.whole_square = corner[6];
  facts.square = corner[7];
  facts.cross = corner[8];
  facts.square_l1 = corner[9];
  facts.cross_l1 = corner[10];
  facts.label = corner[11];
  return facts;
}

bool SharedPrices::holds(const Box& box, const Corner& corner) {
  for (std::size_t k = 0; k < corner.size(); ++k)
    if (!(box.least[k] <= corner[k] && corner[k] <= box.greatest[k])) return false;
  return true;
}

// A corner has facts of several rows, which together may be more than is priced.
bool SharedPrices::is_at(const Corner& corner, const RecordFacts& like, const PeoplePrices::Level* level) {
  try {
    return prices_.level(describe_(facts_at(corner, like)), PeoplePrices::Unknown::none) == level;
  } catch (const Refusal&) {
    return false;
  }
}

void SharedPrices::extend(Box& box, const Corner& corner, const RecordFacts& like) {
  for (const double share : {further, 0.0}) {
    Box larger = box;
    for (std::size_t k = 0; k < corner.size(); ++k) {
      const double below = box.least[k] - corner[k], above = corner[k] - box.greatest[k];
      if (below > 0) larger.least[k] = corner[k] - share * below;
      if (above > 0) larger.greatest[k] = corner[k] + share * above;
    }
    if (!is_at(larger.least, like, box.level) || !is_at(larger.greatest, like, box.level)) continue;
    box = larger;
    return;
  }
}

double SharedPrices::epsilon(const RecordFacts& facts) {
  const Corner corner = corner_of(facts);
  const bool is_shared = facts.gradients.empty() && std::all_of(corner.begin(), corner.end(), [](double one) {
                           return std::isfinite(one);
                         });
  if (!is_shared) return prices_.epsilon(describe_(facts));
  for (std::size_t i = 0; i < boxes_.size(); ++i)
    if (holds(*boxes_[i], corner)) {
      std::swap(boxes_[i], boxes_[i / 2]);
      return boxes_[i / 2]->level->second;
    }
  const PeoplePrices::Level* const level = prices_.level(describe_(facts), PeoplePrices::Unknown::priced);
  const auto found =
      std::find_if(boxes_.begin(), boxes_.end(), [&](const auto& box) { return box->level == level; });
  if (found == boxes_.end()) {
    boxes_.push_back(std::make_unique<Box>(Box{corner, corner, level}));
  } else {
    extend(**found, corner, facts);
  }
  return level->second;
}

}  // namespace epsilometer
