#include "core/release/without_privacy.h"

#include <algorithm>
#include <limits>

#include "core/base/refusal.h"
#include "core/model/minimise.h"
#include "core/release/linear_algorithm.h"
#include "core/release/ridge.h"

namespace epsilometer {
namespace {

constexpr double regularisation = 1e-4;

// Of the largest sum that gradients can have: far above the rounding, far below what anybody reads.
constexpr double tolerance = 1e-9;

constexpr double infinite = std::numeric_limits<double>::infinity();

Request read(const FitRequest& request) {
  return {request, {"dimension", "featureBound", "intercept", "labelBound", "threshold"}, {"loss"}};
}

RecordBounds bounds_of(const Request& request) {
  return {request.number("featureBound", 1e-9, 1e9), request.number("intercept", 0, 1e9, 0), infinite};
}

// The solvers' own refusals speak of a budget that is spent.
template <class Solve>
Release released(const Solve& solve) {
  Release release;
  try {
    release.coefficients = solve();
  } catch (const Refusal& refusal) {
    if (refusal.kind != "unreachable") throw;
    throw Refusal("unreachable", "coefficients", "none", "cannot be computed for this table in doubles");
  }
  return release;
}

class LeastSquares final : public LinearAlgorithm {
 public:
  explicit LeastSquares(const FitRequest& request) : LinearAlgorithm(read(request), Norm::l2) {}

  Release plan() const override { return {}; }

 private:
  Release run(const LinearStatistics& statistics, Generator&) const override {
    const double lambda = regularisation * bounds().features * bounds().features;
    return released([&] { return ridge(statistics.values(), lambda, lambda).coefficients; });
  }
};

class Minimisation final : public Algorithm {
 public:
  explicit Minimisation(const Request& request)
      : bounds_(bounds_of(request)),
        label_(request.number("labelBound", 1e-9, 1e9, 1)),
        loss_(make_loss(request.choice("loss", {"logistic", "huber", "poisson"}),
                        {label_, request.number("threshold", 1e-9, 1e9, 1)})) {}

  Release plan() const override { return {}; }

  Release fit(Pieces table, Generator&, const Progress& progress) const override {
    const BoundedRecords records(table, *loss_, bounds_);
    const std::vector<double> none(records.dimension());
    const double norm = bounds_.norm(), lambda = regularisation * norm * norm,
                 gradients = static_cast<double>(records.count() + 1) * norm * std::max(1.0, label_);
    return released([&] {
      return minimised({records, lambda, none}, tolerance * gradients, progress).theta;
    });
  }

 private:
  RecordBounds bounds_;
  double label_;
  std::unique_ptr<const Loss> loss_;
};

}  // namespace

std::unique_ptr<const Algorithm> without_privacy(const FitRequest& request) {
  const Request asked = read(request);
  if (asked.choice("loss", {"squared", "logistic", "huber", "poisson"}) != "squared")
    return std::make_unique<Minimisation>(asked);
  FitRequest whole = request;
  whole.numbers["featureBound"] = bounds_of(asked).norm();
  return std::make_unique<LeastSquares>(whole);
}

}  // namespace epsilometer
