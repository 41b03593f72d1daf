// What a release costs one person, as a public function of her own record: the mechanism that the algorithm
// runs, with her own norms in place of the bounds that hold for everybody. It looks neither at the table nor
// at the output, so that anybody may evaluate it, before the release and after it, at no further cost; and it
// is valid for what really runs, approximate minima included. docs/privacy-report.md has the reason for each
// algorithm.
#pragma once

#include <optional>
#include <span>

#include "core/release/algorithm.h"
#include "core/release/model_request.h"
#include "core/release/release.h"
#include "core/report/published/privacy_report.h"

namespace epsilometer {

/// The description of that price, never more than the plan's own. `features`: as the algorithm is given them.
/// Refuses algorithms of which no such price is known, by name.
Description own_price(const PlannedRequest& run, std::span<const double> features, double label);

/// Refuses what own_price() refuses of any record.
void must_have_own_price(const PlannedRequest& run);

/// Bounds of the size of persons' realised losses where the release is Gaussian noise and nothing else, all
/// of it published. A loss is mu^2 / 2 + v.Z, Z the noise in units of its deviation and v, |v| = mu, what she
/// moves: N(mu^2 / 2, mu^2), and at most mu^2 / 2 + mu |Z| for all persons at once, chosen after seeing it or
/// not.
class OwnRealisedBound {
 public:
  /// `deviation`: that of v.Z / |v|, or |Z|, at most, but with probability `failure`.
  OwnRealisedBound(double deviation, double failure) : deviation_(deviation), failure_(failure) {}

  /// Of what the release costs her; infinite where that is not Gaussian.
  PersonalBound of(const Description& own_price) const;

 private:
  double deviation_, failure_;
};

/// Nothing of other releases.
std::optional<OwnRealisedBound> own_realised_bound(const PlannedRequest& run, const ReportPromise& promise);

/// The model of a request for a report on what was released, where its law is known well enough: approximate
/// minima, the minimum of a random objective hidden by finishing noise; of a whitened fit for whitened rows.
/// Refuses other algorithms by name, with the reason.
ReportedModel reported_model(const FitRequest& request, const Plan& plan);

/// The same, and nothing where it would refuse: why a report about what came out is not to be had is no
/// reason to withhold what it cost whatever came out.
std::optional<ReportedModel> reported_minimum(const PlannedRequest& run);

}  // namespace epsilometer
