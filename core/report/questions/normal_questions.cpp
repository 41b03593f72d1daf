// Normal and Laplace noise on what a record moves, and posterior samples.
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/certified_factor.h"
#include "core/report/personal/normal_pair.h"
#include "core/report/personal/paper_bounds.h"
#include "core/report/personal/realised_loss.h"
#include "core/report/questions/questions.h"

namespace epsilometer::questions {
namespace {

Interval product(std::span<const double> x, std::span<const double> matrix, std::span<const double> y) {
  Interval sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum = sum + Interval(x[i]) * dot(matrix.subspan(i * y.size(), y.size()), y);
  return sum;
}

// What a record moves in the noise's metric, and what came out of that.
struct Moved {
  Interval square;
  std::optional<Interval> realised;
};

Moved by_sigma(const Description& question, std::span<const double> moved) {
  const double sigma = question.scale("sigma");
  Moved found{dot(moved, moved) / square(Interval(sigma)), {}};
  if (question.lists.contains("noise"))
    found.realised = realised_gaussian_loss(moved, values(question, "noise", moved.size()), sigma);
  return found;
}

Moved by_precision(const Description& question, std::span<const double> moved) {
  triangle_of(question, "precision", moved.size());
  const auto matrix = values(question, "precision");
  Moved found{product(moved, matrix, moved), {}};
  if (question.lists.contains("noise"))
    found.realised =
        found.square / Interval(2) - product(moved, matrix, values(question, "noise", moved.size()));
  return found;
}

Moved by_covariance(const Description& question, std::span<const double> moved) {
  if (question.lists.contains("noise"))
    throw Refusal("unsupported", "noise", "a list",
                  "needs sigma or precision, the inverse of the covariance");
  const auto lower = triangle_of(question, "covariance", moved.size());
  const auto factor = CertifiedFactor::of(lower, moved.size(), 0, 0);
  if (!factor)
    throw Refusal("range", "covariance", "a matrix", "must be positive definite by more than rounding");
  return {factor->forms(moved).once, {}};
}

}  // namespace

NumbersAnswer normal_noise(const Description& question) {
  const auto moved = values(question, "moved");
  const int given = has(question, "sigma") + static_cast<int>(question.lists.contains("precision")) +
                    static_cast<int>(question.lists.contains("covariance"));
  if (given != 1)
    throw Refusal(given == 0 ? "missing" : "unsupported", "sigma", given == 0 ? "nothing" : "several",
                  "must be one of sigma, covariance and precision");
  const Moved found = has(question, "sigma")                 ? by_sigma(question, moved)
                      : question.lists.contains("precision") ? by_precision(question, moved)
                                                             : by_covariance(question, moved);
  const Interval distance = square_root(found.square);
  NumbersAnswer answer{{{"distance", distance}}, {}, {{"description", shifted(distance)}}};
  if (found.realised) answer.numbers.emplace("realised", *found.realised);
  return answer;
}

// Noise of scale b on each number costs |moved|_1 / b, whatever comes out; what did told (|e - moved|_1 -
// |e|_1) / b, e the noise.
NumbersAnswer laplace_noise(const Description& question) {
  const auto moved = values(question, "moved");
  const Interval scale(question.scale("scale"));
  Interval whole = 0;
  for (const double one : moved) whole = whole + Interval(std::abs(one));
  const Interval distance = whole / scale;
  // No two laws are further apart than where every outcome tells them apart.
  const Description own = distance.upper() > 1e100
                              ? Description{"approximate", {{"epsilon", 0}, {"delta", 1}}, {}, {}, {}}
                              : Description{"pure", {{"epsilon", distance.upper()}}, {}, {}, {}};
  NumbersAnswer answer{{{"distance", distance}}, {}, {{"description", own}}};
  if (!question.lists.contains("noise")) return answer;
  const auto noise = values(question, "noise", moved.size());
  Interval told = 0;
  for (std::size_t i = 0; i < moved.size(); ++i)
    told = told + (absolute(Interval(noise[i]) - Interval(moved[i])) - Interval(std::abs(noise[i])));
  answer.numbers.emplace("realised", told / scale);
  return answer;
}

// A change D of a symmetric matrix costs |D|_F / (sqrt(2) sigma) where the noise is sigma (Z + Z^T) /
// sqrt(2).
NumbersAnswer symmetric_noise(const Description& question) {
  const auto moved = values(question, "moved");
  const auto dimension = static_cast<std::size_t>(std::lround(std::sqrt(moved.size())));
  triangle_of(question, "moved", dimension);
  const Interval variance = square(Interval(question.scale("sigma")));
  const Interval distance = square_root(dot(moved, moved) / (Interval(2) * variance));
  const double d = static_cast<double>(dimension);
  return {{{"distance", distance},
           {"offDiagonalVariance", variance},
           {"diagonalVariance", Interval(2) * variance},
           {"expectedSquare", Interval(d * (d + 1)) * variance}},
          {},
          {{"description", shifted(distance)}}};
}

NumbersAnswer normal_bounds(const Description& question) {
  const double distance = question.number("distance", 0, 1e100),
               delta = question.number("delta", 1e-300, 0.5);
  NumbersAnswer answer{{{"tail", gaussian_tail_epsilon(distance, delta)},
                        {"logarithm", gaussian_log_tail_epsilon(distance, delta)}},
                       {},
                       {}};
  if (const auto textbook = gaussian_textbook_epsilon(distance, delta))
    answer.numbers.emplace("textbook", *textbook);
  return answer;
}

NumbersAnswer normal_pair(const Description& question) {
  const double mean = question.number("mean", -1e100, 1e100), deviation = question.scale("deviation"),
               other = question.number("otherMean", -1e100, 1e100),
               other_deviation = question.scale("otherDeviation");
  const double epsilon = question.number("epsilon", -700, 700);
  return {
      {{"delta", normal_pair_delta(seen_from(mean, deviation, other, other_deviation), epsilon)}}, {}, {}};
}

NumbersAnswer posterior_sample(const Description& question) {
  const double leverage = question.number("leverage", 1e-9, 1e3),
               residual = question.number("residual", 0, 1e6);
  NumbersAnswer answer;
  answer.descriptions["description"] = {
      "posterior-sampling", {{"leverage", leverage}, {"residual", residual}}, {}, {}, {}};
  if (const auto epsilon = maybe(question, "epsilon", -700, 700)) {
    const auto delta = [&](Direction direction) {
      return normal_pair_delta(posterior_pair(direction, leverage, residual), *epsilon);
    };
    answer.numbers.emplace("deltaAdd", delta(Direction::add));
    answer.numbers.emplace("deltaRemove", delta(Direction::remove));
  }
  if (const auto delta = maybe(question, "delta", 1e-300, 0.5)) {
    const PosteriorTail tail = posterior_tail(leverage, residual, *delta);
    answer.numbers.emplace("tailAdd", tail.add);
    answer.numbers.emplace("tailRemove", tail.remove);
  }
  if (const auto error = maybe(question, "error", -1e100, 1e100)) {
    answer.numbers.emplace("realisedAdd",
                           realised_posterior_loss(Direction::add, leverage, residual, *error));
    answer.numbers.emplace("realisedRemove",
                           realised_posterior_loss(Direction::remove, leverage, residual, *error));
  }
  return answer;
}

}  // namespace epsilometer::questions
