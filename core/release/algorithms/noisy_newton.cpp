// Gradient descent in the norm of a noisy Gram matrix, which takes the place of a Hessian: Ganesh, Haghifam,
// Steinke and Thakurta 2023 (Faster Differentially Private Convex Optimization via Second-Order Methods),
// with their quadratic upper bound and one matrix for all steps; of least squares it is the boosting of
// AdaSSP by Tang, Aydore, Kearns, Rho, Roth, Wang, Wang and Wu 2023 in that norm. Everything is normal noise
// on exact sums, so the price is that of one Gaussian release; no solver must succeed.
//
// First X^T X is released, and the rows are whitened by it: core/release/whitening.h. Then each of T steps
// goes along the sum of the rows' gradients with noise, where the derivative of a row's loss is clipped at t.
// Of whitened rows the losses' curvature is about 1, times the largest second derivative: a step is as long
// as one of Newton's for the quadratic bound.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/model/bounded_records.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/eigensystem.h"
#include "core/release/algorithm.h"
#include "core/release/request.h"
#include "core/release/whitening.h"

namespace epsilometer::algorithms {
namespace {

constexpr double usual_steps = 16, usual_share = 0.3;

// Where no record has a constant feature, one of this length is put beside it, in units of the longest row,
// so that a number of rows is released.
constexpr double counting_feature = 0.5;

class NoisyNewton final : public Algorithm {
 public:
  explicit NoisyNewton(const Request& request)
      : dimension_(static_cast<std::size_t>(
            request.whole("dimension", 1, static_cast<double>(largest_eigensystem)))),
        squared_(request.choice("loss", {"logistic", "squared"}) == "squared"),
        label_bound_(squared_ ? request.number("labelBound", 1e-9, 1e9) : 1),
        loss_(make_loss(squared_ ? "squared" : "logistic", {label_bound_, 1})),
        record_bounds_{request.number("featureBound", 1e-9, 1e9), request.number("intercept", 0, 1e9, 0),
                       HUGE_VAL},
        replaced_(request.choice("neighbours", {"add-remove", "replace"}) == "replace"),
        steps_(request.has("steps") ? request.whole("steps", 1, 100) : usual_steps),
        share_(request.number("gramShare", 0.01, 0.9, usual_share)) {
    if (request.paper())
      throw Refusal("unsupported", "accounting", "paper",
                    "is not offered: the price is that of normal noise");
    const double norm = record_bounds_.norm();
    constant_ = counts_beside() ? counting_feature * norm : record_bounds_.intercept;
    gram_bounds_ = {counts_beside() ? rounded_up(std::hypot(norm, constant_)) : norm, 1};
    sigma_ = request.noise(
        "sigma", [this](double sigma) { return described(sigma); }, [](double, double) { return 0; });
  }

  Plan plan() const override {
    Plan plan{described(sigma_),
              {{"sigma", sigma_},
               {"steps", steps_},
               {"gramShare", share_},
               {"stepSigma", step_width(sigma_)},
               {"derivativeBound", derivative_bound()}},
              coefficients_type(dimension_)};
    if (replaced_) plan.neighbours = "replace";
    return plan;
  }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    if (table.front().dimension != dimension_)
      throw Refusal("range", "dimension", shown(static_cast<double>(dimension_)),
                    "must be that of the table, " + shown(static_cast<double>(table.front().dimension)));
    Release release(plan());
    const BoundedRecords records(table, *loss_, record_bounds_);
    const Whitening whitening = released_whitening(records, release, generator, progress);
    const Rows rows = whitened(records, whitening, progress);
    std::vector<double> theta(dimension_);
    for (double step = 0; step < steps_; ++step) {
      const std::vector<double> gradient = noisy_gradient(rows, whitening.bound(), theta, generator);
      for (std::size_t j = 0; j < dimension_; ++j)
        theta[j] -= pace() * whitening.bound() * derivative_bound() * gradient[j];
      keep_going(progress, (step + 3) / (steps_ + 2));
    }
    std::vector<double> coefficients = whitening.coefficients(theta);
    for (double& one : coefficients) one /= record_bounds_.norm();
    release.add(coefficients_output(std::move(coefficients)));
    return release;
  }

 private:
  struct Rows {
    std::vector<float> features;
    std::vector<double> labels;
  };

  bool counts_beside() const { return !(record_bounds_.intercept > 0); }

  // To which the derivative of a row's loss is clipped, and the length of a step: 1 over the largest second
  // derivative.
  double derivative_bound() const { return squared_ ? label_bound_ / 2 : 1; }
  double pace() const { return squared_ ? 1 : 4; }

  // Of a contribution that is at most 1 long; replaced ones are up to 2 apart, and products of replaced rows
  // up to sqrt(2) of the longest.
  double moved() const { return replaced_ ? 2 : 1; }
  double product_moved() const { return replaced_ ? std::sqrt(2.0) : 1; }

  // The squares of what the matrix and the steps count against their noise add up to 1 / sigma^2.
  double step_width(double sigma) const {
    return moved() * std::sqrt(steps_) * sigma / std::sqrt(1 - share_);
  }
  double gram_width(double sigma) const {
    const double square = gram_bounds_.features * gram_bounds_.features;
    return product_moved() * sigma * square / std::sqrt(2 * share_);
  }

  std::size_t gram_dimension() const { return dimension_ + (counts_beside() ? 1 : 0); }
  Query gram() const {
    Query query = gram_query(gram_dimension(), gram_bounds_, Norm::l2);
    if (replaced_) query.radius = rounded_up(query.radius * product_moved());
    return query;
  }
  OrthogonalNoise gram_noise(double sigma) const {
    return OrthogonalNoise::of(gram_width(sigma), gram().exponent(gram_width(sigma)));
  }
  GaussianNoise step_noise(double sigma) const { return GaussianNoise::of(step_width(sigma)); }
  static Truncation truncation(const GaussianNoise& noise) { return {1, Norm::l2, noise.exponent}; }

  Description described(double sigma) const {
    in_range("sigma", sigma, 1e-4, 1e7);
    const OrthogonalNoise matrix = gram_noise(sigma);
    const GaussianNoise step = step_noise(sigma);
    const double moves = moved() * static_cast<double>(truncation(step).radius());
    Description whole{"composition", {}, {}, {}, {}};
    whole.parts.push_back({matrix.guarantee(gram().sensitivity(matrix.exponent), gram_dimension()), 1});
    whole.parts.push_back({step.guarantee(moves, static_cast<double>(dimension_)), steps_});
    if (replaced_) whole.texts["neighbours"] = "replace";
    return whole;
  }

  LinearStatistics products(const BoundedRecords& records, const Progress& progress) const {
    LinearStatistics sums(gram_dimension(), gram_bounds_);
    std::vector<double> x(gram_dimension());
    for (std::size_t i = 0; i < records.count(); ++i) {
      if (i % 256 == 0) keep_going(progress, share_of(i, records) / (steps_ + 2));
      records.read(i, std::span(x).first(dimension_));
      if (counts_beside()) x.back() = constant_;
      sums.add(x, 0);
    }
    return sums;
  }

  Whitening released_whitening(const BoundedRecords& records, Release& release, Generator& generator,
                               const Progress& progress) const {
    const OrthogonalNoise noise = gram_noise(sigma_);
    std::vector<double> matrix = released(generator, products(records, progress).gram(noise.exponent), noise);
    const double rows = std::max(matrix.back() / (constant_ * constant_), 1.0);
    matrix.resize(triangle(dimension_));
    release.add(symmetric_output("gram", matrix, dimension_));
    release.add(number_output("rows", rows, OutputKind::row_count));
    const double square = record_bounds_.norm() * record_bounds_.norm();
    for (double& entry : matrix) entry /= square;
    // Half of where the noise's spectrum ends (Wigner 1958).
    const double edge = gram_width(sigma_) / square * std::sqrt(static_cast<double>(dimension_));
    return {matrix, dimension_, edge, rows, [&](double) { return !progress || progress(1 / (steps_ + 2)); }};
  }

  Rows whitened(const BoundedRecords& records, const Whitening& whitening, const Progress& progress) const {
    Rows rows{std::vector<float>(records.count() * dimension_), std::vector<double>(records.count())};
    std::vector<double> x(dimension_), scratch(dimension_);
    for (std::size_t i = 0; i < records.count(); ++i) {
      if (i % 256 == 0) keep_going(progress, (1 + share_of(i, records)) / (steps_ + 2));
      rows.labels[i] = records.read(i, x).label;
      for (double& value : x) value /= record_bounds_.norm();
      whitening.apply(x, std::span(rows.features).subspan(i * dimension_, dimension_), scratch);
    }
    return rows;
  }

  static double share_of(std::size_t i, const BoundedRecords& records) {
    return static_cast<double>(i) / static_cast<double>(records.count());
  }

  // In units of the longest contribution; no contribution is longer, because its steps are counted.
  std::vector<double> noisy_gradient(const Rows& rows, double bound, const std::vector<double>& theta,
                                     Generator& generator) const {
    const GaussianNoise noise = step_noise(sigma_);
    const Truncation truncation = this->truncation(noise);
    IntegerSum sum(dimension_);
    std::vector<double> contribution(dimension_);
    std::vector<std::int64_t> steps(dimension_);
    for (std::size_t i = 0; i < rows.labels.size(); ++i) {
      const std::span z = std::span(rows.features).subspan(i * dimension_, dimension_);
      double u = 0;
      for (std::size_t j = 0; j < dimension_; ++j) u += z[j] * theta[j];
      const double slope = loss_->at(bound * u, rows.labels[i]).first / derivative_bound();
      for (std::size_t j = 0; j < dimension_; ++j) contribution[j] = z[j] * std::clamp(slope, -1.0, 1.0);
      truncation.apply(contribution, steps);
      sum.add(steps);
    }
    return released(generator, sum, noise);
  }

  std::size_t dimension_;
  bool squared_;
  double label_bound_;
  std::unique_ptr<const Loss> loss_;
  RecordBounds record_bounds_;
  bool replaced_;
  double steps_, share_;
  // The feature whose squares are counted, and what no row of the matrix is longer than.
  double constant_ = 0, sigma_ = 0;
  LinearBounds gram_bounds_{};
};

}  // namespace

std::unique_ptr<const Algorithm> noisy_newton(const FitRequest& request) {
  return std::make_unique<NoisyNewton>(
      Request(request, {"dimension", "featureBound", "labelBound", "sigma", "steps", "gramShare"},
              {"loss", "neighbours"}));
}

}  // namespace epsilometer::algorithms
