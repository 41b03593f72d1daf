// Several mechanisms on the same table, adaptively, where the whole has a closed form. Which ones have is
// known to the losses themselves.
#include "core/base/refusal.h"
#include "core/loss/privacy_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> composition(const Description& description) {
  std::vector<Repeated> parts;
  std::string kinds;
  for (const Part& part : description.parts) {
    const double count = in_range("count", part.count, 1, 1e15);
    parts.push_back({privacy_loss(part.mechanism), count});
    kinds += (kinds.empty() ? "" : ", ") + shown(count) + " x " + part.mechanism.kind;
  }
  if (parts.empty()) throw Refusal("missing", "of", "an empty list", "must list at least one mechanism");
  if (parts.size() == 1 && parts[0].count == 1) return parts[0].loss;
  if (auto whole = parts[0].loss->composed(parts)) return whole;
  throw Refusal(
      "unsupported", "of", kinds,
      "has no closed form; so far Gaussian releases compose with each other, concentrated ones with each "
      "other, and up to 100000 pure ones of one common epsilon");
}

}  // namespace epsilometer::mechanisms
