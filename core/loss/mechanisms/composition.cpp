// Several mechanisms on the same table, adaptively: in closed form where the losses themselves know one,
// otherwise as a sum that accounting composes.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> composition(const Description& description) {
  std::vector<Repeated> parts;
  std::map<Description, std::size_t> known;
  for (std::size_t i = 0; i < description.parts.size(); ++i) {
    const Part& part = description.parts[i];
    const std::string place = "of." + std::to_string(i) + ".";
    const double count = in_range((place + "count").c_str(), part.count, 1, 1e15);
    // Equal mechanisms are one that runs more often.
    const auto [entry, fresh] = known.emplace(part.mechanism, parts.size());
    if (fresh) {
      parts.push_back({inner_loss(part.mechanism, place + "mechanism."), count});
    } else {
      parts[entry->second].count += count;
    }
  }
  if (parts.empty()) throw Refusal("missing", "of", "an empty list", "must list at least one mechanism");
  return together(parts);
}

}  // namespace epsilometer::mechanisms
