// How good a released model is on the rows of a table, paid for. For two classes: how many rows of each class
// have a score in each of several bins of public edges; the accuracy, the ROC curve and the calibration at
// those edges follow from the noisy counts. For several: how many rows of each class are taken for each. For
// numbers: how many rows there are, and the sums of the squares
// and of the sizes of the model's errors, which are in units of their bound. Each is one Gaussian release
// (Dwork, Kenthapadi, McSherry, Mironov and Naor 2006).
//
// A record is in one cell: added or removed, it moves the counts by 1 in the l2 norm, and by sqrt(2) when it
// moves from one cell to another. The sums of a record, (1, r^2, |r|) with |r| <= 1, are no longer than
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
        bins_(static_cast<std::size_t>(request_.has("bins") ? request_.whole("bins", 2, 1000) : 20)),
        rows_(is_confusion_ ? static_cast<std::size_t>(request_.whole("classes", 2, 1000)) : 2),
        columns_(is_confusion_ ? rows_ : bins_),
        sigma_(request_.noise(
            "sigma", [this](double sigma) { return described(sigma); },
            [](double, double) -> double {
              throw Refusal("unsupported", "accounting", "paper", "has no noise for an evaluation");
            })) {
    if (request_.has("dimension")) request_.whole("dimension", 1, 1);
    for (const auto& [name, measured] : {std::pair("bins", "classes"), std::pair("classes", "confusion")})
      if (request_.has(name) && measured_ != measured)
        throw Refusal("unsupported", name, "given", std::string("is for measured ") + measured);
  }

  Plan plan() const override {
    Plan plan{described(sigma_), {{"sigma", sigma_}}};
    plan.result = of_numbers_ ? OutputType{"sums", OutputKind::vector, {3}}
                              : OutputType{"histogram", OutputKind::matrix, {rows_, columns_}};
    plan.neighbours = replaced_ ? "replace" : "add-remove";
    return plan;
  }

  /// The one feature is the model's score from 0 to 1, and the label below 0 or not; or it is the class that
  /// the model says, and the label the row's own, from 0; or it is the model's error.
  Release fit(Pieces table, Generator& generator, const Progress&) const override {
    const GaussianNoise noise = this->noise(sigma_);
    const std::vector<double> told =
        released(generator, of_numbers_ ? sums(table, noise.exponent) : counts(table, noise.exponent), noise);
    Release release(plan());
    release.add(of_numbers_ ? vector_output("sums", told) : matrix_output("histogram", told, columns_));
    return release;
  }

 private:
  static GaussianNoise noise(double sigma) { return GaussianNoise::of(sigma, measure_exponent(sigma)); }

  Description described(double sigma) const {
    const GaussianNoise noise = this->noise(sigma);
    if (of_numbers_)
      return noise.guarantee(static_cast<double>(Truncation(longest, Norm::l2, noise.exponent).radius()), 3);
    const double record = std::ldexp(1, -noise.exponent);
    return noise.guarantee(replaced_ ? rounded_up(record * std::sqrt(2.0), 4 * unit_roundoff) : record,
                           static_cast<double>(rows_ * columns_));
  }

  // What is no number is in the first cell.
  static std::size_t cell(double place, std::size_t cells) {
    if (!(place > 0)) return 0;
    return std::min(cells - 1, static_cast<std::size_t>(std::min(std::floor(place), 1e9)));
  }

  std::size_t cell(double said, double label) const {
    if (is_confusion_) return cell(label, rows_) * columns_ + cell(said, columns_);
    return (label < 0 ? 0 : columns_) + cell(said * static_cast<double>(bins_), columns_);
  }

  IntegerSum counts(Pieces table, int exponent) const {
    std::vector<__int128> counted(rows_ * columns_);
    for (const Records& piece : table)
      for (std::size_t i = 0; i < piece.count; ++i)
        counted[cell(piece.row(i)[0], piece.labels[i])] += __int128{1} << -exponent;
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
