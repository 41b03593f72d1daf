// The model of a table for somebody who may see the table itself: what a private one can be held against.
#pragma once

#include <memory>

#include "core/release/algorithm.h"

namespace epsilometer {

/// None that a request can name: it draws no noise, protects nobody, and describes nothing that could be
/// priced. texts["loss"]; numbers["dimension"], "featureBound", "intercept", "labelBound" and "threshold", as
/// PublicModel has them, and "classes" of the loss softmax. Records are bounded as a private fit bounds them,
/// but their gradients are not clipped. Regularised with a ten-thousandth of featureBound^2, so that every
/// table has one answer.
std::unique_ptr<const Algorithm> without_privacy(const FitRequest& request);

}  // namespace epsilometer
