// One sample of the ridge posterior, priced by bounds on the table that are released first: the smallest
// eigenvalue and the norm of the ridge coefficients.
#pragma once

#include "core/release/algorithm.h"
#include "core/release/request.h"

namespace epsilometer {

/// raised: where the request names no lambda it is chosen from what was released, and a typed one is raised
/// until the sample is private. tested: the typed one, or nothing: Outcome::refused_by_test.
enum class Lambda { raised, tested };

/// Reads "lambda", "sigma", the noise of both statistics in units of what one record moves them by, and what
/// of the budget is left for the sample, "sampleEpsilon" and "sampleDelta", and for the bounds to fail,
/// "failure"; as shares of a budget where these are not given.
std::unique_ptr<const Algorithm> adaptive_posterior(const Request& request, Lambda lambda);

/// A linear model's numbers and those.
extern const std::vector<const char*> adaptive_posterior_numbers;

}  // namespace epsilometer
