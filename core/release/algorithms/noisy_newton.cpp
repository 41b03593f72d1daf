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
#include "core/numerics/eigensystem.h"
#include "core/release/algorithm.h"
#include "core/release/noisy_gram.h"
#include "core/release/request.h"

namespace epsilometer::algorithms {
namespace {

constexpr double usual_steps = 16, usual_share = 0.3;

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
        share_(request.number("gramShare", 0.01, 0.9, usual_share)),
        gram_(dimension_, record_bounds_, replaced_ ? Change::replace : Change::add_or_remove) {
    if (request.paper())
      throw Refusal("unsupported", "accounting", "paper",
                    "is not offered: the price is that of normal noise");
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
    const auto part = [&](double before) {
      return [&, before](double done) { return !progress || progress((before + done) / (steps_ + 2)); };
    };
    const Whitening whitening = gram_.released(records, gram_width(sigma_), release, generator, part(0));
    Rows rows;
    rows.features.reserve(records.count() * dimension_);
    gram_.whiten(records, whitening, part(1), [&rows](std::span<const float> row, double label) {
      rows.features.insert(rows.features.end(), row.begin(), row.end());
      rows.labels.push_back(label);
    });
    std::vector<double> theta(dimension_);
    for (double step = 0; step < steps_; ++step) {
      const std::vector<double> gradient = noisy_gradient(rows, whitening.bound(), theta, generator);
      for (std::size_t j = 0; j < dimension_; ++j)
        theta[j] -= pace() * whitening.bound() * derivative_bound() * gradient[j];
      keep_going(progress, (step + 3) / (steps_ + 2));
    }
    release.add(coefficients_output(gram_.coefficients(whitening, std::move(theta))));
    return release;
  }

 private:
  struct Rows {
    std::vector<float> features;
    std::vector<double> labels;
  };

  // To which the derivative of a row's loss is clipped, and the length of a step: 1 over the largest second
  // derivative.
  double derivative_bound() const { return squared_ ? label_bound_ / 2 : 1; }
  double pace() const { return squared_ ? 1 : 4; }

  // Of a contribution that is at most 1 long; replaced ones are up to 2 apart.
  double moved() const { return replaced_ ? 2 : 1; }

  // The squares of what the matrix and the steps count against their noise add up to 1 / sigma^2.
  double step_width(double sigma) const {
    return moved() * std::sqrt(steps_) * sigma / std::sqrt(1 - share_);
  }
  double gram_width(double sigma) const { return gram_.width(std::sqrt(share_) / sigma); }

  GaussianNoise step_noise(double sigma) const { return GaussianNoise::of(step_width(sigma)); }
  static Truncation truncation(const GaussianNoise& noise) { return {1, Norm::l2, noise.exponent}; }

  Description described(double sigma) const {
    in_range("sigma", sigma, 1e-4, 1e7);
    const GaussianNoise step = step_noise(sigma);
    const double moves = moved() * static_cast<double>(truncation(step).radius());
    Description whole{"composition", {}, {}, {}, {}};
    whole.parts.push_back({gram_.guarantee(gram_width(sigma)), 1});
    whole.parts.push_back({step.guarantee(moves, static_cast<double>(dimension_)), steps_});
    if (replaced_) whole.texts["neighbours"] = "replace";
    return whole;
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
  NoisyGram gram_;
  double sigma_ = 0;
};

}  // namespace

std::unique_ptr<const Algorithm> noisy_newton(const FitRequest& request) {
  return std::make_unique<NoisyNewton>(
      Request(request, {"dimension", "featureBound", "labelBound", "sigma", "steps", "gramShare"},
              {"loss", "neighbours"}));
}

}  // namespace epsilometer::algorithms
