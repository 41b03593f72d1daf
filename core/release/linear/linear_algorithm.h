// What the private linear models, and releases of a table's products, have in common: they read the same
// bounds and need sums over the records only. Neighbouring tables differ by one record that is added or
// removed.
#pragma once

#include "core/release/algorithm.h"
#include "core/release/linear_statistics.h"
#include "core/release/request.h"

namespace epsilometer {

/// What "norm" of a request bounds a row in: "l2", where nothing is said, or "l1".
Norm row_norm(const Request& request);

class LinearAlgorithm : public Algorithm {
 public:
  using Algorithm::fit;
  Plan plan() const final;
  Release fit(Pieces table, Generator& generator, const Progress& progress) const final;
  std::optional<LinearStatistics> statistics() const final { return LinearStatistics(dimension_, bounds_); }
  Release fit(const LinearStatistics& statistics, Generator& generator,
              const Progress& progress = {}) const final;

 protected:
  enum class Labels { bounded, unused };
  /// Reads "dimension", "featureBound" and, unless labels are unused, "labelBound".
  LinearAlgorithm(const Request& request, Norm norm, Labels labels = Labels::bounded);

  /// The description and the parameters; the rest of a plan is the same for all of them.
  virtual Plan planned() const = 0;
  /// What the release is for: a model's coefficients, unless an algorithm says otherwise.
  virtual OutputType result() const { return coefficients_type(dimension_); }

  /// Statistics with the algorithm's own dimension and bounds.
  virtual Release run(const LinearStatistics& statistics, Generator& generator,
                      const Progress& progress) const = 0;

  std::size_t dimension() const { return dimension_; }
  const LinearBounds& bounds() const { return bounds_; }
  Query gram(Norm norm) const { return gram_query(dimension_, bounds_, norm); }
  Query cross(Norm norm) const { return cross_query(dimension_, bounds_, norm); }

 private:
  std::size_t dimension_;
  LinearBounds bounds_;
};

/// Several releases of the same table.
Description composed(std::vector<Description> parts);

}  // namespace epsilometer
