#include "core/base/progress.h"

#include <algorithm>

namespace epsilometer {

// Where it were put into its callers, `some` would be too.
[[gnu::noinline]] void in_blocks(std::size_t count, std::size_t block, const Progress& progress,
                                 const std::function<void(std::size_t, std::size_t)>& some) {
  for (std::size_t first = 0; first < count; first += block) {
    keep_going(progress, static_cast<double>(first) / static_cast<double>(count));
    some(first, std::min(count, first + block));
  }
}

}  // namespace epsilometer
