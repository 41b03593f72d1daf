// What every algorithm for a generalised linear model is asked about the model.
#pragma once

#include <memory>
#include <optional>

#include "core/model/bounded_records.h"
#include "core/release/request.h"

namespace epsilometer {

/// The numbers and texts of a request for a model, and the algorithm's own.
Request model_request(const FitRequest& request, std::initializer_list<const char*> numbers,
                      std::initializer_list<const char*> texts);

/// The model as public values bound it: for any table at all.
struct PublicModel {
  std::unique_ptr<const Loss> loss;
  RecordBounds bounds;
  /// No record's gradient is longer than `lipschitz`, and none's curvature above `smoothness`, in the units
  /// of the objective. Rounded up.
  double lipschitz, smoothness;
  /// What rounding grows with: no record's gradient is computed with an error of more than 48 roundings of
  /// it.
  double magnitude;
  /// Tables have at most this many rows: how exactly a sum over them can be certified depends on it. A table
  /// with more may be refused, which is an answer about the data.
  double rows;
  /// Of the model, if the request says.
  std::optional<double> dimension;

  /// texts["loss"]; numbers["featureBound"], of the l2 norm of the features; "intercept", the value of the
  /// last feature of every record, 0 if there is none; "labelBound" for all but logistic; "threshold" of
  /// huber; "gradientBound", to which gradients are clipped: needed where they have no bound otherwise.
  explicit PublicModel(const Request& request);

  /// The dimension of a plan, which has no table, or of a table. Refuses when there is none, or another one.
  double dimension_for(const Records* records) const;

  /// What the gradient over any table of so many rows can be computed to, and a minimum found to, when the
  /// entries of the linear term have that standard deviation. A table that is refused is told from one that
  /// is not, so this is no matter of what usual tables need.
  double gradient_tolerance(double dimension, double linear) const;
};

}  // namespace epsilometer
