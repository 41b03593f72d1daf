// One private algorithm with its request read and checked: what it would run, and running it. Each is a file
// of core/release/algorithms.
#pragma once

#include <memory>

#include "core/release/fit.h"

namespace epsilometer {

class Algorithm {
 public:
  virtual ~Algorithm() = default;

  virtual Release plan() const = 0;
  virtual Release fit(const Records& records, Generator& generator, const Progress& progress) const = 0;
  /// Refuses an algorithm that needs the records themselves.
  virtual Release fit(const LinearStatistics& statistics, Generator& generator) const;
};

/// The algorithm of a request's name, or a refusal of whatever in the request it does not accept.
std::unique_ptr<const Algorithm> algorithm(const FitRequest& request);

}  // namespace epsilometer
