// Models of one linear predictor, or of one for each of several classes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/release/output.h"
#include "core/release/request.h"

namespace epsilometer {

/// How many a request of that loss has: one, or of softmax as many as "classes", which no other loss has.
std::size_t predictors_of(const Request& request, const std::string& loss);

/// Of a request of the loss softmax that of one class against all others: logistic, of two. Any other stays
/// as it is.
FitRequest one_against_rest(FitRequest request);

/// Takes off what all classes have in common of each feature: it changes no difference, and so nothing that
/// is predicted. For each feature one for each predictor.
void centre(std::vector<double>& coefficients, std::size_t predictors);

OutputType predictors_type(std::size_t dimension, std::size_t predictors);

/// Of one predictor's coefficients after the other; those of several are centred.
Output predictors_output(const std::vector<std::vector<double>>& each);

}  // namespace epsilometer
