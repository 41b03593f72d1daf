// How good a released model is on the rows of a table, paid for. For two classes: how many rows of each class
// have a score in each of several bins of public edges; the accuracy, the ROC curve and the calibration at
// those edges follow from the noisy counts. For several: how many rows of each class are taken for each, and
// where bins are asked for, how many are told wrong, and right, with a probability in each of them (Guo,
// Pleiss, Sun and Weinberger 2017). For numbers: how many rows there are, and the sums of the squares and of
// the sizes of the model's errors, which are in units of their bound. Each is one Gaussian release (Dwork,
// Kenthapadi, McSherry, Mironov and Naor 2006).
//
// A record is in one cell of each histogram, of which there are one or two: added or removed, it moves the
// counts by the root of that in the l2 norm, and by sqrt(2) times as much when it moves from one cell to
// another. The sums of a record, (1, r^2, |r|) with |r| <= 1, are no longer than
// sqrt(3), and those of two records are no farther apart than sqrt(2). A record that is replaced by one that
// is left out, or by one that was, moves either no farther than when it is removed.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/noise.h"
#include "core/release/algorithm.h"
#include "core/release/request.h"

namespace epsilometer::algorithms {
namespace {

// Of the sums of one record.
const double longest = rounded_up(std::sqrt(3.0));

// A record is so many steps that what the length of its sums is rounded up by is nothing, and no more of them
// than a Truncation takes.
int measure_exponent(double sigma) { return std::clamp(default_exponent(sigma), -46, -20); }

class ModelEvaluation final : public Algorithm {
 public:
  explicit ModelEvaluation(const FitRequest& asked)
      : request_(asked, {"dimension", "bins", "classes", "sigma"}, {"measured", "neighbours"}),
        measured_(request_.choice("measured", {"classes", "numbers", "confusion"})),
        of_numbers_(measured_ == "numbers"),
        is_confusion_(measured_ == "confusion"),
        replaced_(request_.choice("neighbours", {"add-remove", "replace"}) == "replace"),
        bins_(static_cast<std::size_t>(request_.has("bins") ? request_.whole("bins", 2, 1000)
                                       : is_confusion_      ? 0
                                                            : 20)),
        rows_(is_confusion_ ? static_cast<std::size_t>(request_.whole("classes", 2, 1000)) : 2),
        columns_(is_confusion_ ? rows_ : bins_),
        sigma_(request_.noise(
            "sigma", [this](double sigma) { return described(sigma); },
            [](double, double) -> double {
              throw Refusal("unsupported", "accounting", "paper", "has no noise for an evaluation");
            })) {
    const double dimension = has_reliability() ? 2 : 1;
    if (request_.has("dimension")) request_.whole("dimension", dimension, dimension);
    if (request_.has("bins") && of_numbers_)
      throw Refusal("unsupported", "bins", "given", "is for measured classes or confusion");
    if (request_.has("classes") && !is_confusion_)
      throw Refusal("unsupported", "classes", "given", "is for measured confusion");
  }

  Plan plan() const override {
    Plan plan{described(sigma_), {{"sigma", sigma_}}};
    plan.result = of_numbers_ ? OutputType{"sums", OutputKind::vector, {3}}
                              : OutputType{"histogram", OutputKind::matrix, {rows_, columns_}};
    plan.neighbours = replaced_ ? "replace" : "add-remove";
    return plan;
  }

  /// The one feature is the model's score from 0 to 1, and the label below 0 or not; or it is the class that
  /// the model says, and the label the row's own, from 0, with a second feature where there are bins, from 0
  /// to 1, how likely that class is said to be; or it is the model's error.
  Release fit(Pieces table, Generator& generator, const Progress&) const override {
    const GaussianNoise noise = this->noise(sigma_);
    const std::vector<double> told =
        released(generator, of_numbers_ ? sums(table, noise.exponent) : counts(table, noise.exponent), noise);
    Release release(plan());
    if (of_numbers_) {
      release.add(vector_output("sums", told));
      return release;
    }
    const auto reliability = told.begin() + static_cast<std::ptrdiff_t>(rows_ * columns_);
    release.add(matrix_output("histogram", {told.begin(), reliability}, columns_));
    if (has_reliability()) release.add(matrix_output("reliability", {reliability, told.end()}, bins_));
    return release;
  }

 private:
  bool has_reliability() const { return is_confusion_ && bins_ > 0; }
  // Of all histograms.
  std::size_t cells() const { return rows_ * columns_ + (has_reliability() ? 2 * bins_ : 0); }

  static GaussianNoise noise(double sigma) { return GaussianNoise::of(sigma, measure_exponent(sigma)); }

  Description described(double sigma) const {
    const GaussianNoise noise = this->noise(sigma);
    if (of_numbers_)
      return noise.guarantee(static_cast<double>(Truncation(longest, Norm::l2, noise.exponent).radius()), 3);
    const double record = std::ldexp(1, -noise.exponent),
                 moved = (replaced_ ? 2 : 1) * (has_reliability() ? 2 : 1);
    return noise.guarantee(moved > 1 ? rounded_up(record * std::sqrt(moved), 4 * unit_roundoff) : record,
                           static_cast<double>(cells()));
  }

  // What is no number is in the first cell.
  static std::size_t cell(double place, std::size_t cells) {
    if (!(place > 0)) return 0;
    return std::min(cells - 1, static_cast<std::size_t>(std::min(std::floor(place), 1e9)));
  }

  std::size_t bin(double place) const { return cell(place * static_cast<double>(bins_), bins_); }

  IntegerSum counts(Pieces table, int exponent) const {
    const __int128 one = __int128{1} << -exponent;
    std::vector<__int128> counted(cells());
    for (const Records& piece : table)
      for (std::size_t i = 0; i < piece.count; ++i) {
        const std::span<const double> told = piece.row(i);
        if (!is_confusion_) {
          counted[(piece.labels[i] < 0 ? 0 : columns_) + bin(told[0])] += one;
          continue;
        }
        const std::size_t own = cell(piece.labels[i], rows_), said = cell(told[0], columns_);
        counted[own * columns_ + said] += one;
        if (has_reliability()) counted[rows_ * columns_ + (own == said ? bins_ : 0) + bin(told[1])] += one;
      }
    return IntegerSum(std::move(counted));
  }

  static IntegerSum sums(Pieces table, int exponent) {
    const Truncation truncation(longest, Norm::l2, exponent);
    IntegerSum sum(3);
    std::vector<std::int64_t> steps(3);
    for (const Records& piece : table)
      for (std::size_t i = 0; i < piece.count; ++i) {
        const double error = piece.row(i)[0];
        const double size = std::isnan(error) ? 0 : std::min(std::abs(error), 1.0);
        truncation.apply(std::vector{1.0, size * size, size}, steps);
        sum.add(steps);
      }
    return sum;
  }

  Request request_;
  std::string measured_;
  bool of_numbers_, is_confusion_, replaced_;
  std::size_t bins_, rows_, columns_;
  double sigma_;
};

}  // namespace

std::unique_ptr<const Algorithm> model_evaluation(const FitRequest& request) {
  return std::make_unique<ModelEvaluation>(request);
}

}  // namespace epsilometer::algorithms
