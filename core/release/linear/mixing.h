// Least squares on a Gaussian sketch of a table, in the forms that its literature has.
#pragma once

#include "core/release/algorithm.h"
#include "core/release/request.h"

namespace epsilometer {

/// What the smallest eigenvalue of Z^T Z, Z = [X, y], is used for. A record's leverage is the smaller the
/// larger that is, so that less noise hides it: not at all; released with Gaussian noise, and the sketch's
/// noise is as much less; or tested with Laplace noise, and there is hardly any noise or all of it.
enum class EigenvalueUse { none, released, tested };

struct MixingForm {
  EigenvalueUse eigenvalue;
  /// Whether the sketch itself is told, not only its products.
  bool rows = false;
  /// Of the coefficients.
  double factor = 1;
};

/// Reads "sketchSize", "sigma" and, where the eigenvalue is used, "eigenvalueNoise" and "failure"; "rows", a
/// public guess, 10 000 unless given, from which a size is chosen for the budget where none is typed.
std::unique_ptr<const Algorithm> mixing(const Request& request, const MixingForm& form);

/// A linear model's numbers and those.
extern const std::vector<const char*> mixing_numbers;

/// The texts["eigenvalue"]: "unused" or "released".
EigenvalueUse eigenvalue_choice(const Request& request);

}  // namespace epsilometer
