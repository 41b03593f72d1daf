// Ridge regression, accuracy first: X^T X and X^T y with discrete Laplace noise that is taken back level by
// level, and the ridge coefficients of each level tested, until their loss is as close to the least as was
// asked for. Ligett, Neel, Roth, Waggoner and Wu 2017, Section 3.1 (CovarianceNR). Unlike there: coefficients
// are bounded by the least bound there is, half of theirs; an entry off the diagonal carries half the scale
// of one on it, since x x^T has it twice; and the model is the least on the ball also where noise leaves the
// matrix indefinite.
//
// With |x| <= C, |y| <= B and |theta| <= M a record's loss is from 0 to (B + C M)^2 / 2, and the least loss
// on the ball moves by no more than that. M = sqrt(rows / lambda) B / 2 bounds the ridge coefficients of
// `rows` records; of more, the ball holds the model back, and no guarantee of privacy depends on it.
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/noise.h"
#include "core/noise/noise_reduction.h"
#include "core/numerics/trust_region.h"
#include "core/release/accuracy_first.h"
#include "core/release/linear/ball_minimum.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/ridge.h"

namespace epsilometer::algorithms {
namespace {

class CovarianceNoiseReduction final : public LinearAlgorithm {
 public:
  explicit CovarianceNoiseReduction(const Request& request)
      : LinearAlgorithm(request, row_norm(request)),
        target_(request),
        lambda_(request.number("lambda", least_certified_lambda(dimension(), bounds()), 1e30)),
        radius_(largest_ridge_norm(bounds(), target_.rows, lambda_)),
        search_(request, target_, expected_epsilon(), loss()),
        matrix_(levels(gram(Norm::l1), bounds().features * bounds().features)),
        vector_(levels(cross(Norm::l1), bounds().features * bounds().label)) {}

  Plan planned() const override {
    return search_.plan({{"lambda", lambda_}, {"radius", radius_}}, coefficients_type(dimension()));
  }

  std::optional<ExPostLoss> ex_post_at(std::size_t level) const override { return search_.ex_post_at(level); }

 private:
  // At most 2^-30 longer models count as in the ball; sums of fewer than 2^40 records are right to 2^-35 of a
  // record's loss.
  TestedLoss loss() const {
    const double most = bounds().label + bounds().features * radius_ * (1 + 0x1p-30);
    const double length = rounded_up(most * most / 2);
    return {length, 0x1p-20 * length};
  }

  double unit(const Query& query) const { return target_.moved * std::ldexp(query.radius, query.finest); }

  // On the ball, a model that is the best for noisy sums loses at most (M^2 |B| + 2 M |b|) / 2 in expectation
  // (the source's Theorem 3.1). With scale s on the diagonal and s / 2 off it, |B|^2 is s^2 p (p + 3) / 2 in
  // expectation, and |b|^2 is 2 p s^2. A scale is unit / (epsilon / 2).
  double expected_epsilon() const {
    const auto p = static_cast<double>(dimension());
    const double matrix = std::sqrt(p * (p + 3) / 2) * unit(gram(Norm::l1)) * radius_ * radius_,
                 vector = 2 * std::sqrt(2 * p) * unit(cross(Norm::l1)) * radius_;
    return (matrix + vector) / target_.tolerance;
  }

  // Half of each level's epsilon is the matrix's, half the vector's.
  struct Levels {
    int exponent;
    std::vector<std::uint64_t> steps;
  };
  // `entry`: what a record adds to one of the sums at most. On a grid so fine that the widest noise has 2^46
  // steps or so, and so coarse that the sums of the declared rows fit.
  Levels levels(const Query& query, double entry) const {
    const double widest = 2 * unit(query) / search_.epsilons().front();
    const int exponent =
        std::max({query.finest, std::ilogb(widest) - 46, std::ilogb(target_.rows * entry / largest_sum) + 1});
    const double moved =
        Query{query.finest, target_.moved * query.radius, query.rounding}.sensitivity(exponent);
    return {exponent, search_.steps(2 * moved)};
  }

  ReducedNoise noisy_matrix(const LinearStatistics& statistics, Generator& generator) const {
    std::vector<std::uint64_t> other = matrix_.steps;
    for (std::uint64_t& one : other) one = (one + 1) / 2;
    const IntegerSum sum = statistics.gram(matrix_.exponent);
    ReducedNoise noisy(matrix_.exponent);
    for (std::size_t row = 0, place = 0; row < dimension(); ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        noisy.add(sum.value(place), generator, column == row ? matrix_.steps : other);
    return noisy;
  }

  ReducedNoise noisy_vector(const LinearStatistics& statistics, Generator& generator) const {
    const IntegerSum sum = statistics.cross(vector_.exponent);
    ReducedNoise noisy(vector_.exponent);
    for (std::size_t i = 0; i < sum.size(); ++i) noisy.add(sum.value(i), generator, vector_.steps);
    return noisy;
  }

  std::vector<double> model(std::vector<double> matrix, const std::vector<double>& vector) const {
    for (std::size_t row = 0; row < dimension(); ++row) matrix[row * (row + 3) / 2] += lambda_;
    return least_on_ball(matrix, vector, radius_);
  }

  Release run(const LinearStatistics& statistics, Generator& generator,
              const Progress& progress) const override {
    Release release(plan());
    generator.begin_release();
    const ReducedNoise matrix = noisy_matrix(statistics, generator),
                       vector = noisy_vector(statistics, generator);
    const PreciseQuadratic objective(statistics, lambda_);
    const auto [least, gap] = objective.least(radius_);
    if (!(gap <= loss().error / 2))
      throw Refusal("unreachable", "coefficients", "none",
                    "could be computed as accurately as priced; the budget is spent");
    search_.run(
        release, generator, [&](std::size_t level) { return model(matrix.at(level), vector.at(level)); },
        [&, best = least](const std::vector<double>& theta) {
          const DoubleDouble value = best - objective.value(theta);
          return AccuracyFirst::Tested{value.hi, value.lo};
        },
        progress);
    return release;
  }

  AccuracyTarget target_;
  double lambda_, radius_;
  AccuracyFirst search_;
  Levels matrix_, vector_;
};

}  // namespace

std::unique_ptr<const Algorithm> covariance_noise_reduction(const FitRequest& request) {
  return std::make_unique<CovarianceNoiseReduction>(accuracy_request(request, {"labelBound"}, {"norm"}));
}

}  // namespace epsilometer::algorithms
