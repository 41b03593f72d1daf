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
//
// Of K classes there are coefficients for each, d x K, and a row's gradient is the product of z and
// softmax(z.theta) - e_y, which has the product of their lengths: at most sqrt(2) |z|. Second derivatives are
// at most 1/2 (Boehning 1992, Multinomial logistic regression algorithm).
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/model/bounded_records.h"
#include "core/model/softmax.h"
#include "core/numerics/eigensystem.h"
#include "core/release/algorithm.h"
#include "core/release/noisy_gram.h"
#include "core/release/predictors.h"

namespace epsilometer::algorithms {
namespace {

// What a loss makes of the steps: to which length the derivatives of a row's loss are clipped, and how long a
// step is, 1 over the largest second derivative; how many there usually are, and which share of the budget is
// for the Gram matrix.
struct Pace {
  double derivative, length, steps, share;
};

Pace pace_of(const std::string& loss, double label_bound) {
  if (loss == "softmax") return {std::sqrt(2.0), 2, 20, 0.5};
  return loss == "squared" ? Pace{label_bound / 2, 1, 16, 0.3} : Pace{1, 4, 16, 0.3};
}

std::unique_ptr<const Loss> loss_of(const std::string& loss, double label_bound, std::size_t classes) {
  return loss == "softmax" ? class_places(classes) : make_loss(loss, {label_bound, 1});
}

class NoisyNewton final : public Algorithm {
 public:
  explicit NoisyNewton(const Request& request)
      : dimension_(static_cast<std::size_t>(
            request.whole("dimension", 1, static_cast<double>(largest_eigensystem)))),
        loss_name_(request.choice("loss", {"logistic", "squared", "softmax"})),
        predictors_(predictors_of(request, loss_name_)),
        label_bound_(loss_name_ == "squared" ? request.number("labelBound", 1e-9, 1e9) : 1),
        pace_(pace_of(loss_name_, label_bound_)),
        loss_(loss_of(loss_name_, label_bound_, predictors_)),
        record_bounds_{request.number("featureBound", 1e-9, 1e9), request.number("intercept", 0, 1e9, 0),
                       HUGE_VAL},
        replaced_(request.choice("neighbours", {"add-remove", "replace"}) == "replace"),
        steps_(request.has("steps") ? request.whole("steps", 1, 100) : pace_.steps),
        share_(request.number("gramShare", 0.01, 0.9, pace_.share)),
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
               {"derivativeBound", pace_.derivative}},
              predictors_type(dimension_, predictors_)};
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
    std::vector<double> theta(size());
    for (double step = 0; step < steps_; ++step) {
      const std::vector<double> gradient =
          noisy_gradient(rows, whitening.bound(), theta, generator, part(step + 2));
      for (std::size_t j = 0; j < size(); ++j)
        theta[j] -= pace_.length * whitening.bound() * pace_.derivative * gradient[j];
      if (several()) centre(theta, predictors_);
    }
    release.add(output(whitening, theta));
    return release;
  }

 private:
  struct Rows {
    std::vector<float> features;
    std::vector<double> labels;
  };

  bool several() const { return predictors_ > 1; }
  // Of all coefficients: for each feature one for each predictor.
  std::size_t size() const { return dimension_ * predictors_; }

  Output output(const Whitening& whitening, const std::vector<double>& theta) const {
    std::vector<std::vector<double>> each(predictors_, std::vector<double>(dimension_));
    for (std::size_t k = 0; k < predictors_; ++k) {
      for (std::size_t j = 0; j < dimension_; ++j) each[k][j] = theta[j * predictors_ + k];
      each[k] = gram_.coefficients(whitening, std::move(each[k]));
    }
    return predictors_output(each);
  }

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
    whole.parts.push_back({step.guarantee(moves, static_cast<double>(size())), steps_});
    if (replaced_) whole.texts["neighbours"] = "replace";
    return whole;
  }

  // In units of the longest contribution; no contribution is longer, because its steps are counted.
  std::vector<double> noisy_gradient(const Rows& rows, double bound, const std::vector<double>& theta,
                                     Generator& generator, const Progress& progress) const {
    const GaussianNoise noise = step_noise(sigma_);
    const Truncation truncation = this->truncation(noise);
    IntegerSum sum(size());
    std::vector<double> contribution(size()), u(predictors_), slope(predictors_);
    std::vector<std::int64_t> steps(size());
    each_row(rows.labels.size(), usual_block, progress, [&](std::size_t i) {
      const std::span z = std::span(rows.features).subspan(i * dimension_, dimension_);
      std::fill(u.begin(), u.end(), 0.0);
      for (std::size_t j = 0; j < dimension_; ++j)
        for (std::size_t k = 0; k < predictors_; ++k) u[k] += z[j] * theta[j * predictors_ + k];
      for (double& one : u) one *= bound;
      derivatives(u, rows.labels[i], slope);
      for (std::size_t j = 0; j < dimension_; ++j)
        for (std::size_t k = 0; k < predictors_; ++k) contribution[j * predictors_ + k] = z[j] * slope[k];
      truncation.apply(contribution, steps);
      sum.add(steps);
    });
    return released(generator, sum, noise);
  }

  // Of a row's loss in its predictors, in units of the bound. A row of no class that there is contributes
  // nothing.
  void derivatives(std::span<const double> u, double label, std::span<double> slope) const {
    if (several())
      softmax_derivative(u, label, slope);
    else
      slope[0] = std::clamp(loss_->at(u[0], label).first, -pace_.derivative, pace_.derivative);
    for (double& one : slope) one /= pace_.derivative;
  }

  std::size_t dimension_;
  std::string loss_name_;
  // One, or one for each class.
  std::size_t predictors_;
  double label_bound_;
  Pace pace_;
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
      Request(request, {"dimension", "featureBound", "labelBound", "classes", "sigma", "steps", "gramShare"},
              {"loss", "neighbours"}));
}

}  // namespace epsilometer::algorithms
