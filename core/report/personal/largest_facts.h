// The largest facts that a record can have in any table, from its own sizes: what it costs whatever the
// others are.
#pragma once

#include "core/release/algorithm.h"
#include "core/release/model_request.h"

namespace epsilometer {

/// `sizes`: of one record. What is asked for beside them is at most what is filled in, in each table that a
/// price holds for: with H >= lambda I of the table without the record, x^T H^{-1} x <= |x|^2 / lambda, |y -
/// x.theta| <= |y| + |x| |theta|, and |H^{-1} x| / (1 + x^T H^{-1} x) <= c / (lambda + c^2) for c = |x| up to
/// sqrt(lambda), 1 / (2 sqrt(lambda)) beyond.
RecordFacts largest_facts(RecordFacts sizes, const FactsNeeded& needed);

/// Of that record, as the algorithm of the request has it.
RecordFacts sizes_of(const Algorithm& algorithm, const FitRequest& request, std::span<const double> features,
                     double label);

}  // namespace epsilometer
