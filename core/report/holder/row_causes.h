// What a released model makes of each row of its table, beside what a loss depends on: how unusual the row
// is, and how far the model misses its label. Confidential: for whoever may see the table.
#pragma once

#include <span>
#include <vector>

#include "core/base/progress.h"
#include "core/release/record_facts.h"
#include "core/release/request.h"
#include "core/table/records.h"

namespace epsilometer {

/// One number for each row, in order, of the model as it was released and of rows as it bounds them. All
/// empty where no coefficients came out. Rounded up, by what doubles cannot tell.
struct RowCauses {
  /// The row's share of the curvature in its own direction, s x^T H^{-1} x, with s the second derivative of
  /// its loss and H the Hessian of all losses, its own included, and of the regularisation that was used; of
  /// a model without any, of lambda = 1. The same where its own is not counted, which may be infinite. Empty
  /// where doubles cannot tell them of so large a table, and for more coefficients than largest_eigensystem.
  std::vector<double> leverages, leverages_without;
  /// The size of the derivative of its loss: of squares |x.theta - y|, of the logistic loss how likely the
  /// model holds the other class.
  std::vector<double> misfits;
  /// The length of the gradient of its loss, clipped as the algorithm clips.
  std::vector<double> gradients;

  /// Of one row more: all but `leverages`.
  void add(const RowCause& row);
};

/// The leverage of a row whose own share is not counted, of what it is with it, rounded up; infinite from 1
/// on.
double leverage_without(double with);

/// `run`: the release on that table. `known`: all that was added of its rows, or leverages without the row,
/// or nothing: then n d^2 products.
RowCauses row_causes(const FitRequest& request, const Release& run, Pieces table, RowCauses known,
                     const Progress& progress);

}  // namespace epsilometer
