// One budget for a model and for the report on it: what the report takes makes the model noisier, and the
// report tighter.
#pragma once

#include "core/release/price.h"
#include "core/release/release.h"
#include "core/report/published/privacy_report_material.h"

namespace epsilometer {

/// A person as one may expect her, from public guesses, to see what a report would tell: her record is as
/// long as any, the model gives that probability to the class that is not hers, and so many rows like hers
/// lie evenly in all directions.
struct TypicalPerson {
  double rows, wrong;
};

struct ReportSplit {
  /// The report's share of mu^2, where the whole budget is that of one Gaussian release.
  double share;
  /// The request with the noise that is left for the model, and its plan.
  FitRequest request;
  Plan plan;
  MaterialNoise noise;
  /// Of the model and the report together; it keeps the request's budget.
  Description price;
  Bounds epsilon;
  /// What the typical person would be told without the published material, and with it: then the model's part
  /// shrinks, and the material's own part comes in addition.
  PersonalBound without, with;
};

/// `request`: of "approximate-minima-perturbation" with the logistic loss, a budget and a dimension; share
/// from 0 to 0.99. With share 0 nothing is published but the model, and both bounds are the same. The noise
/// of the material is such that no record pays for its curvature beside its gradient
/// (MaterialRelease::price).
ReportSplit report_split(const FitRequest& request, double share, bool eigenvalue,
                         const TypicalPerson& person, const ReportPromise& promise);

/// The trade-off: one split for each share.
std::vector<ReportSplit> report_curve(const FitRequest& request, std::span<const double> shares,
                                      bool eigenvalue, const TypicalPerson& person,
                                      const ReportPromise& promise);

}  // namespace epsilometer
