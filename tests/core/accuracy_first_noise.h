// Accuracy first with two features, on tables whose coefficients show the very noise that was added: the
// first model passes whatever it is, and most of it is that noise.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/release/algorithm.h"

namespace epsilometer {

/// `epsilon`: of the first model. Of several levels the last one has four times as much.
inline FitRequest any_model(const std::string& algorithm, std::map<std::string, double> numbers,
                            double epsilon, double levels, const std::string& neighbours) {
  numbers.insert({{"dimension", 2},
                  {"featureBound", 1},
                  {"excessRisk", 1e3},
                  {"failure", 0.5},
                  {"levels", levels},
                  {"leastEpsilon", epsilon},
                  {"mostEpsilon", levels > 1 ? 4 * epsilon : epsilon}});
  return {algorithm, std::move(numbers), {{"neighbours", neighbours}}};
}

/// Of ridge regression by noisy sums. 2^26 records (2^-7, 0) with the label 3/4 make a long coefficient t of
/// the first feature, about 48, and the other one is 0: so A theta - b, A = X^T X + lambda and b = X^T y, is
/// n - N theta, nearly all of it t times the first column of N. The vector's noise n shows where there are no
/// records and lambda is large.
class SeenSums {
 public:
  static constexpr double rows = 0x1p26, lambda = 0x1p12;

  SeenSums(double epsilon, double levels, const std::string& neighbours, const std::string& norm) {
    FitRequest request =
        any_model("covariance-noise-reduction", {{"labelBound", 1}, {"rows", rows}, {"lambda", lambda}},
                  epsilon, levels, neighbours);
    request.texts["norm"] = norm;
    matrix_ = algorithm(request);
    request.numbers["lambda"] = wide;
    vector_ = algorithm(request);
    table_ = *matrix_->statistics();
    table_->add(std::array{0x1p-7, 0.0}, 0.75);
    for (int i = 0; i < 26; ++i) table_->add(LinearStatistics(*table_));
  }

  /// Rows with one record more, or more records.
  LinearStatistics with(const std::vector<std::array<double, 3>>& records) const {
    LinearStatistics sums = *table_;
    for (const auto& [a, b, label] : records) sums.add(std::array{a, b}, label);
    return sums;
  }

  /// The first column of the noisy matrix less that of the table without any record more.
  std::array<double, 2> column(const LinearStatistics& sums, Generator& generator) const {
    const auto theta = matrix_->fit(sums, generator).coefficients();
    const double gram = rows * 0x1p-14, cross = rows * 0x1p-7 * 0.75;
    return {(cross - (gram + lambda) * theta[0]) / theta[0], -lambda * theta[1] / theta[0]};
  }

  /// The noise of the vector, where the matrix and its noise are far less than lambda.
  std::array<double, 2> vector(Generator& generator) const {
    const auto theta = vector_->fit(*vector_->statistics(), generator).coefficients();
    return {wide * theta[0], wide * theta[1]};
  }

 private:
  static constexpr double wide = 0x1p20;

  std::shared_ptr<const Algorithm> matrix_, vector_;
  std::optional<LinearStatistics> table_;
};

}  // namespace epsilometer
