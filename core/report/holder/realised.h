// What came out of a release told single persons, to whoever may see its table: log p / p' of the output, p
// the density under the table that was used and p' under the one without a person's row, or with it. Set up
// once for all of them. Confidential, all of it.
#pragma once

#include <functional>

#include "core/report/published/published_report.h"

namespace epsilometer {

/// What came out told of persons by themselves: each statement may be wrong as often as was said, over the
/// noise.
class Realised {
 public:
  virtual ~Realised() = default;

  struct Told {
    PersonalBound bound;
    /// At the coefficients as they were released, for a row of the table; nothing where no Hessian is looked
    /// at.
    std::optional<RowCause> cause{};
  };
  /// Of each of several persons' rows, CertifiedFactor::strip at most. `own` describes what the release costs
  /// the person of row i before anything came out (per_instance.h); asked only where that matters.
  virtual std::vector<Told> of(const Records& rows, Direction direction,
                               const std::function<Description(std::size_t)>& own) const = 0;
};

/// Of a `failure`.
inline constexpr double least_failure = 1e-40, most_failure = 0.5;

/// The minimum of a random objective by the gradient and the Hessian of the very table; a whitened one by
/// what the release tells everybody; Gaussian noise by what it costs her. Nothing where no law is known of
/// what came out. `failure`: from 1e-40 to 1/2.
std::unique_ptr<const Realised> realised(const PlannedRequest& request, const Release& run, Pieces table,
                                         double failure, const Progress& progress);

}  // namespace epsilometer
