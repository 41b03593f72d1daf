// A mechanism that runs on some of the records. Which pair that is depends on how they are chosen and on what
// neighbours are; docs/composition.md says why for each.
#include <algorithm>
#include <initializer_list>

#include "core/base/refusal.h"
#include "core/loss/batches.h"
#include "core/loss/mixture_loss.h"
#include "core/loss/random_allocation.h"
#include "core/loss/replaced_sample.h"
#include "core/loss/sampled_loss.h"
#include "core/loss/sum_loss.h"
#include "core/loss/zeroed_sample.h"

namespace epsilometer::mechanisms {
namespace {

using Loss = std::shared_ptr<const PrivacyLoss>;

/// What is asked of a sample.
struct Asked {
  const Description& whole;
  const Description& inner;
  /// Of what is inside.
  Loss base;
  std::string neighbours;
};

std::string neighbours_of(const Description& description, const char* otherwise) {
  const auto stated = description.texts.find("neighbours");
  return stated == description.texts.end() ? otherwise : stated->second;
}

// A sensitivity means another number for other neighbours: nothing is guessed where that would be less.
void check_inside(const Asked& asked, std::initializer_list<const char*> able, const char* otherwise,
                  const char* rule) {
  const std::string inside = neighbours_of(asked.inner, otherwise);
  if (std::find(able.begin(), able.end(), inside) == able.end())
    throw Refusal("unsupported", "of.neighbours", inside, rule);
}

constexpr char by_replacing[] =
    "must be replace: a drawn record takes the place of another one, so that the sensitivity here is how far "
    "the "
    "query moves when one is replaced, twice the norm of a record";

const PrivacyLoss& mixed(const Asked& asked) {
  const PrivacyLoss& base = *asked.base;
  if (base.laws() && base.profile() && base.symmetric() && base.profile()->is_tight()) return base;
  throw Refusal("unsupported", "of", asked.inner.kind,
                "has no known symmetric pair of densities that a sample could mix");
}

// The distance of its normal noise, in standard deviations.
double normal(const Asked& asked, const char* sampling) {
  const auto mu = asked.base->gaussian();
  if (mu && *mu > 0 && *mu <= 1e5) return *mu;
  throw Refusal("unsupported", "of", asked.inner.kind,
                std::string("must be normal noise of at least 1e-5 sensitivities for ") + sampling);
}

Loss poisson(const Asked& asked) {
  const double rate = asked.whole.number("rate", 1e-100, 1);
  if (asked.neighbours != "replace") {
    if (rate == 1) return asked.base;
    mixed(asked);
    return poisson_sampled(asked.base, rate, Joining::by_itself);
  }
  check_inside(
      asked, {"add-remove", "zero-out"}, "nothing",
      "must be add-remove: what a Poisson sample tells of a replaced record follows from how far the "
      "query moves when a record is added, and that must be the sensitivity here");
  mixed(asked);
  return replaced_sample(asked.base, rate, asked.inner.kind);
}

Loss without_replacement(const Asked& asked) {
  const double rate = asked.whole.number("rate", 1e-100, 1);
  if (asked.neighbours == "zero-out") {
    if (rate == 1) return asked.base;
    return zeroed_sample(normal(asked, "a sample of fixed size and zeroed records"), rate);
  }
  check_inside(asked, {"replace"}, "replace", by_replacing);
  if (rate == 1) return asked.base;
  mixed(asked);
  return asked.neighbours == "replace" ? fixed_size_replaced(asked.base, rate)
                                       : poisson_sampled(asked.base, rate, Joining::in_place_of_another);
}

// Which run a record is in is known, and so often it is in one.
Loss fixed_order(const Asked& asked) {
  return together({{asked.base, asked.whole.whole("epochs", 1, 1e15)}});
}

// Each record draws one batch of each epoch by itself.
Loss balls_and_bins(const Asked& asked) {
  const double epochs = asked.whole.whole("epochs", 1, 1e15), batches = asked.whole.whole("batches", 1, 1e9);
  return together({{random_allocation(normal(asked, "balls and bins"), batches), epochs}});
}

// In any order, a record is in one of the runs of each epoch.
Loss shuffle(const Asked& asked) {
  const double epochs = asked.whole.whole("epochs", 1, 1e15), batches = asked.whole.whole("batches", 1, 1e9);
  normal(asked, "shuffled batches");
  return shuffled(together({{asked.base, epochs}}), batches, asked.neighbours == "replace");
}

Loss with_replacement(const Asked& asked) {
  const double draws = asked.whole.whole("draws", 1, 1e4), records = asked.whole.whole("records", 20, 1e15);
  const double mu = normal(asked, "draws with replacement");
  if (asked.neighbours == "zero-out") return drawn_changed(2 * mu, mu, draws, records);
  check_inside(asked, {"replace"}, "replace", by_replacing);
  return asked.neighbours == "replace" ? drawn_changed(mu, mu, draws, records)
                                       : drawn_added(mu, draws, records);
}

Loss truncated_poisson(const Asked& asked) {
  const double steps = asked.whole.whole("steps", 1, 1e15), records = asked.whole.whole("records", 20, 1e15);
  const double largest = asked.whole.whole("largestBatch", 1, 1e15),
               rate = asked.whole.number("rate", 1e-100, 1);
  return truncated(together({{poisson(asked), steps}}), rate, steps, records, largest);
}

struct Way {
  const char* name;
  /// The relation that is meant where none is said.
  const char* neighbours;
  Loss (*loss)(const Asked&);
};
constexpr Way ways[] = {{"poisson", "add-remove", poisson},
                        {"without-replacement", "replace", without_replacement},
                        {"fixed-order", "zero-out", fixed_order},
                        {"shuffle", "zero-out", shuffle},
                        {"balls-and-bins", "add-remove", balls_and_bins},
                        {"with-replacement", "add-remove", with_replacement},
                        {"truncated-poisson", "add-remove", truncated_poisson}};

}  // namespace

Loss subsampled(const Description& description) {
  const Description& inner = description.parts.at(0).mechanism;
  const std::string& sampling = description.text("sampling");
  std::string known;
  for (const Way& way : ways) {
    if (sampling == way.name) {
      return way.loss(
          {description, inner, inner_loss(inner, "of."), neighbours_of(description, way.neighbours)});
    }
    known += (known.empty() ? "" : ", ") + std::string(way.name);
  }
  throw Refusal("unknown", "sampling", sampling, "must be one of " + known);
}

}  // namespace epsilometer::mechanisms
