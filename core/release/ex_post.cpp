#include "core/release/ex_post.h"

#include "core/base/bounds.h"

namespace epsilometer {

const char* name_of(Guarantee guarantee) { return guarantee == Guarantee::ordinary ? "ordinary" : "ex-post"; }

ExPostLoss ExPostLoss::of(double testing, double model, double rows) {
  const double tests = rounded_up(rows * testing), released = rounded_up(rows * model);
  return {tests, released, rounded_up(tests + released)};
}

}  // namespace epsilometer
