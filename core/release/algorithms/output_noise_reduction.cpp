// Logistic regression, accuracy first: the coefficients with discrete Laplace noise that is taken back level
// by level, each tested until its loss is as close to the least as was asked for. Ligett, Neel, Roth,
// Waggoner and Wu 2017, Section 3.2 (OutputNR), with its slips put right: coefficients are shortened where
// they are longer than M, not where they are shorter, and when no model passes nothing is released.
//
// The minimum of `rows` records has lambda |theta|^2 <= rows W(1/e), Lambert's W: on the ray through it, the
// slope of each record's loss times the way is at least -W(1/e). So |theta| <= M = sqrt(rows W(1/e) /
// lambda), and on that ball the losses of a record of norm C lie in an interval of length C M. Each is
// rounded to a grid and kept within it by itself, so that the sum moves by no more than that however it is
// computed.
#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/model/minimise.h"
#include "core/noise/noise.h"
#include "core/noise/noise_reduction.h"
#include "core/numerics/double_double.h"
#include "core/release/accuracy_first.h"
#include "core/release/algorithm.h"
#include "core/release/model_request.h"

namespace epsilometer::algorithms {
namespace {

// W(1/e), rounded up.
constexpr double lambert = 0.27846454276107380;
// Records in memory: 2^32 of them are none.
constexpr double most_summed_rows = 0x1p32;
constexpr int most_halvings = 80;

double length_of(const std::vector<double>& x) {
  double sum = 0;
  for (const double one : x) sum += one * one;
  return std::sqrt(sum);
}

void shorten(std::vector<double>& x, double radius) {
  const double length = length_of(x);
  if (length <= radius) return;
  for (double& one : x) one *= radius / length;
}

// y x of each record, bounded and read once: every model is tested on all of them.
class SignedRows {
 public:
  explicit SignedRows(const BoundedRecords& records)
      : dimension_(records.dimension()), rows_(records.count() * dimension_) {
    std::vector<double> x(dimension_);
    for (std::size_t i = 0; i < records.count(); ++i) {
      const double label = records.read(i, x).label;
      for (std::size_t j = 0; j < dimension_; ++j) rows_[i * dimension_ + j] = label * x[j];
    }
  }

  // Calls use(y x.theta) for each record.
  template <class Use>
  void each_margin(const std::vector<double>& theta, const Use& use) const {
    for (const double *row = rows_.data(), *end = row + rows_.size(); row != end; row += dimension_) {
      double margin = 0;
      for (std::size_t j = 0; j < dimension_; ++j) margin += row[j] * theta[j];
      use(margin);
    }
  }

 private:
  std::size_t dimension_;
  std::vector<double> rows_;
};

// The sum of log(1 + e^{-y x.theta}) over the records and lambda |theta|^2 / 2.
class LogisticSum {
 public:
  LogisticSum(double radius, double norm, double lambda)
      : lambda_(lambda),
        most_(std::log1p(std::exp(-radius * norm)) + radius * norm),
        exponent_(std::ilogb(most_) - 48),
        low_(steps(std::log1p(std::exp(-radius * norm)))),
        high_(steps(most_)) {}

  // Of one record's losses.
  double length() const { return std::ldexp(static_cast<double>(high_ - low_), exponent_); }
  // Of all records', of that many features: products and their sum round, so do a few more operations, and
  // the grid.
  double error(double dimension) const {
    return most_summed_rows * ((dimension + 16) * 0x1p-52 * most_ + std::ldexp(1.0, exponent_));
  }

  DoubleDouble at(const SignedRows& rows, const std::vector<double>& theta) const {
    __int128 sum = 0;
    rows.each_margin(theta, [&](double margin) { sum += std::clamp(steps(loss(margin)), low_, high_); });
    DoubleDouble square{0};
    for (const double one : theta) square = square + two_product(one, one);
    return precise(sum, exponent_) + square * DoubleDouble{lambda_ / 2};
  }

 private:
  static double loss(double margin) {
    return std::log1p(std::exp(-std::abs(margin))) + std::max(0.0, -margin);
  }
  std::int64_t steps(double value) const { return std::llround(std::ldexp(value, -exponent_)); }

  double lambda_, most_;
  int exponent_;
  std::int64_t low_, high_;
};

class OutputNoiseReduction final : public Algorithm {
 public:
  explicit OutputNoiseReduction(const Request& request)
      : request_(request),
        model_(request_),
        target_(request_),
        dimension_(model_.dimension_for(nullptr)),
        norm_(model_.bounds.norm()),
        lambda_(std::max(request_.number("lambda", 1e-12, 1e12), model_.least_lambda)),
        radius_(rounded_up(std::sqrt(target_.rows * lambert / lambda_))),
        losses_(radius_, norm_, lambda_),
        search_(request_, target_, expected_epsilon(), {losses_.length(), losses_.error(dimension_)}),
        exponent_(exponent()),
        steps_(search_.steps(std::ldexp(moved(), -exponent_) + dimension_)) {}

  Plan plan() const override {
    return search_.plan({{"lambda", lambda_}, {"radius", radius_}, {"sensitivity", sensitivity()}},
                        coefficients_type(static_cast<std::size_t>(dimension_)));
  }

  std::optional<ExPostLoss> ex_post_at(std::size_t level) const override { return search_.ex_post_at(level); }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    model_.dimension_for(&table.front());
    Release release(plan());
    const BoundedRecords bounded(table, *model_.loss, model_.bounds);
    const SignedRows rows(bounded);
    const Minimum minimum = minimised_with(bounded, lambda_, progress);
    const DoubleDouble best = losses_.at(rows, best_in_ball(bounded, minimum, progress));
    generator.begin_release();
    const ReducedNoise noisy = reduced(minimum, generator);
    search_.run(
        release, generator,
        [&](std::size_t level) {
          std::vector<double> theta = noisy.at(level);
          shorten(theta, radius_);
          return theta;
        },
        [&](const std::vector<double>& theta) {
          const DoubleDouble value = best - losses_.at(rows, theta);
          return AccuracyFirst::Tested{value.hi, value.lo};
        },
        progress);
    return release;
  }

 private:
  double tolerance() const { return model_.gradient_tolerance(dimension_, 0); }

  // Of the coefficients in the l1 norm.
  double sensitivity() const {
    return rounded_up(std::sqrt(dimension_) * target_.moved * model_.lipschitz / lambda_);
  }

  // Laplace noise of scale r costs (C^2 / 4 + lambda p) r^2 of expected loss per row.
  double expected_epsilon() const {
    const double lost = target_.rows * norm_ * norm_ / 4 + lambda_ * dimension_;
    return sensitivity() / std::sqrt(target_.tolerance / lost);
  }

  Minimum minimised_with(const BoundedRecords& bounded, double lambda, const Progress& progress) const {
    const std::vector<double> none(bounded.dimension());
    return minimised({bounded, lambda, none}, model_.smoothness, tolerance(), progress);
  }

  // More records than were declared may have their minimum outside of the ball: then the least on it is the
  // minimum with as much more lambda. It is looked for to 2^-34 of the radius, and put on the sphere, shorter
  // or longer: what is left is of the order of the square of that, less than what sums of losses are wrong
  // by. Short of the sphere it would be of the first order, times the slope of all records.
  std::vector<double> best_in_ball(const BoundedRecords& bounded, const Minimum& minimum,
                                   const Progress& progress) const {
    std::vector<double> theta = minimum.theta;
    double length = length_of(theta);
    if (length <= radius_) return theta;
    double below = lambda_,
           above = lambda_ + model_.lipschitz * static_cast<double>(bounded.count()) / radius_;
    for (int i = 0; i < most_halvings && std::abs(length - radius_) > 0x1p-34 * radius_; ++i) {
      const double middle = below + (above - below) / 2;
      theta = minimised_with(bounded, middle, progress).theta;
      length = length_of(theta);
      (length > radius_ ? below : above) = middle;
    }
    for (double& one : theta) one *= radius_ / length;
    return theta;
  }

  // What the computed minimum may be off by included.
  double moved() const { return sensitivity() + 2 * std::sqrt(dimension_) * tolerance() / lambda_; }

  // On a grid so fine that the widest noise has 2^46 steps or so, and so coarse that what is in the ball
  // fits.
  int exponent() const {
    return std::max(std::ilogb(moved() / search_.epsilons().front()) - 46,
                    std::ilogb(radius_ / largest_sum) + 1);
  }

  ReducedNoise reduced(const Minimum& minimum, Generator& generator) const {
    const IntegerSum sum = rounded(minimum.theta, exponent_, minimum.tail);
    ReducedNoise noisy(exponent_);
    for (std::size_t i = 0; i < sum.size(); ++i) noisy.add(sum.value(i), generator, steps_);
    return noisy;
  }

  Request request_;
  PublicModel model_;
  AccuracyTarget target_;
  double dimension_, norm_, lambda_, radius_;
  LogisticSum losses_;
  AccuracyFirst search_;
  int exponent_;
  std::vector<std::uint64_t> steps_;
};

}  // namespace

std::unique_ptr<const Algorithm> output_noise_reduction(const FitRequest& request) {
  return std::make_unique<OutputNoiseReduction>(accuracy_request(request, {"labelBound"}, {}));
}

}  // namespace epsilometer::algorithms
