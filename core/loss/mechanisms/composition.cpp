// Several mechanisms on the same table, adaptively: in closed form where the losses themselves know one,
// otherwise as a sum that accounting composes.
#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> composition(const Description& description) {
  std::vector<Repeated> parts;
  for (const Part& part : description.parts) {
    const std::string place = "of." + std::to_string(parts.size()) + ".";
    const double count = in_range((place + "count").c_str(), part.count, 1, 1e15);
    parts.push_back({inner_loss(part.mechanism, place + "mechanism."), count});
  }
  if (parts.empty()) throw Refusal("missing", "of", "an empty list", "must list at least one mechanism");
  if (parts.size() == 1 && parts[0].count == 1) return parts[0].loss;
  if (auto whole = parts[0].loss->composed(parts)) return whole;
  return std::make_shared<SumLoss>(parts);
}

}  // namespace epsilometer::mechanisms
