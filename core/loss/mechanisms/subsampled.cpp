// A mechanism that runs on a random sample of the records. Poisson: every record joins with the same
// probability; for adding or removing one record. The pair of the sampled mechanism is a mixture: Balle,
// Barthe and Gaboardi 2018, Theorem 8, and for both directions as dominating pairs Zhu, Dong and Wang 2022,
// Theorem 11. Without replacement: a sample of fixed size; for replacing a record. Balle, Barthe and Gaboardi
// 2018, Theorem 9; as a trade-off function Dong, Roth and Su 2019, Section 4.
#include "core/base/refusal.h"
#include "core/loss/sampled_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> subsampled(const Description& description) {
  const Description& inner = description.parts.at(0).mechanism;
  const std::string& sampling = description.text("sampling");
  auto base = inner_loss(inner, "of.");
  if (sampling == "fixed-order") {
    // Which run a record is in is known, and so often it is in one.
    const double epochs = description.whole("epochs", 1, 1e15);
    if (epochs > 1 && !adds_up(*base)) throw Refusal("unsupported", "of", inner.kind, known_by_profile);
    return together({{base, epochs}});
  }
  const double rate = description.number("rate", 1e-100, 1);
  if (rate == 1) return base;
  if (!base->laws() || !base->profile() || !base->symmetric() || !base->profile()->is_tight()) {
    throw Refusal("unsupported", "of", inner.kind,
                  "has no known symmetric pair of densities that a sample could mix");
  }
  if (sampling == "poisson") return poisson_sampled(std::move(base), rate, Joining::by_itself);
  if (sampling == "without-replacement") return fixed_size_replaced(std::move(base), rate);
  throw Refusal("unknown", "sampling", sampling, "must be poisson, without-replacement or fixed-order");
}

}  // namespace epsilometer::mechanisms
