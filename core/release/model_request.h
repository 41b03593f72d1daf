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
  /// texts["loss"], and what that loss was made with.
  std::string name;
  LossNumbers numbers;
  std::unique_ptr<const Loss> loss;
  RecordBounds bounds;
  /// No record's gradient is longer than `lipschitz`, and none's curvature above `smoothness`, in the units
  /// of the objective. Rounded up.
  double lipschitz, smoothness;
  /// With less regularisation the minimum could not be found in doubles: an algorithm takes this much
  /// instead.
  double least_lambda;
  /// What the rounding of a record's gradient grows with.
  double magnitude;
  /// A public guess, to which no table is held.
  std::optional<double> rows;
  /// Another, of the standard deviation of the coefficients: with it no record's prediction has a greater one
  /// than numbers["predictorScale"]; unless the request says, 3 for the logistic loss, log(labelBound) of a
  /// labelBound of at least 2 for the Poisson loss, and 1 for others.
  double coefficient_scale;
  /// Of the model, if the request says.
  std::optional<double> dimension;

  /// texts["loss"]; numbers["featureBound"], of the l2 norm of the features; "intercept", the value of the
  /// last feature of every record, 0 if there is none; "labelBound" for all but logistic; "threshold" of
  /// huber; "gradientBound", to which gradients are clipped. Where they have no bound otherwise and none is
  /// given, it is that of the longest record whose prediction is off by a quarter of the labels' range.
  explicit PublicModel(const Request& request);

  /// The dimension of a plan, which has no table, or of a table. Refuses when there is none, or another one.
  double dimension_for(const Records* records) const;

  /// What the gradient over any table is brought to, when the entries of the linear term have that standard
  /// deviation: the same for every table, whatever it takes to get there.
  double gradient_tolerance(double dimension, double linear) const;

  /// Adds "gradientBound" to the parameters where gradients are clipped, typed or not.
  void tell_gradient_bound(Plan& plan) const;
};

/// Of a request, whatever else it asks of its algorithm; of several classes that of each against the rest.
/// `otherwise`: the loss where the request names none.
PublicModel public_model(const FitRequest& request, const char* otherwise = "logistic");

}  // namespace epsilometer
