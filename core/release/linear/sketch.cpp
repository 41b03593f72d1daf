#include "core/release/linear/sketch.h"

#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/normal_rows.h"
#include "core/noise/symmetric_matrix.h"

namespace epsilometer {
namespace {

// The error that the sketch may be computed with, as a share of its noise. A 32nd of that hides it, which is
// a thousandth of its variance.
constexpr double tolerance = 0x1p-22;

}  // namespace

Sketch::Sketch(std::size_t rows, std::size_t width, double scale, double variance)
    : rows_(rows),
      width_(width),
      tolerance_(tolerance * scale),
      variance_(variance),
      finish_(tolerance_, rows * width) {}

Sketch Sketch::with_noise(std::size_t rows, std::size_t width, double sigma) {
  Sketch sketch(rows, width, sigma, 0);
  const double finishing = sketch.finish_.sigma();
  sketch.variance_ = rounded_down((sigma - finishing) * (sigma + finishing));
  return sketch;
}

Sketch Sketch::with_variance(std::size_t rows, std::size_t width, double variance, double floor) {
  Sketch sketch(rows, width, std::sqrt(variance), variance);
  sketch.floor_ = floor;
  return sketch;
}

// No deviates have a larger norm, but for 2^-280 of all. Whatever is certain to this tolerance has a factor.
bool Sketch::holds(double trace) const {
  const double deviates = std::sqrt(static_cast<double>(rows_ * width_)) + 22;
  return NormalRows::error(trace, width_, variance_ + floor_, rows_, deviates) <= tolerance_;
}

double Sketch::sigma() const { return std::sqrt(variance_ + finish_.sigma() * finish_.sigma()); }

std::vector<Description> Sketch::guarantee(double gamma) const {
  const Description mixing{
      "gaussian-mixing", {{"gamma", gamma}, {"sketchSize", static_cast<double>(rows_)}}, {}, {}, {}};
  return {mixing, finish_.guarantee()};
}

std::vector<double> Sketch::released(std::span<const double> products, Generator& generator) const {
  if (const auto rows = NormalRows::of(products, width_, variance_, variance_ + floor_)) {
    const NormalRows::Drawn drawn = rows->draw(generator, rows_);
    if (drawn.error <= tolerance_) return finish_.released(generator, drawn.values, {drawn.error, 0x1p-260});
  }
  throw Refusal("unreachable", "sigma", "too small",
                "must be larger for doubles to compute a sketch of so large a table; the budget is spent");
}

std::vector<double> mean_products(std::span<const double> sketch, std::size_t width) {
  std::vector<double> sum(triangle(width));
  for (std::size_t start = 0; start < sketch.size(); start += width)
    for (std::size_t row = 0, place = 0; row < width; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        sum[place] += sketch[start + row] * sketch[start + column];
  const std::size_t rows = sketch.size() / width;
  for (double& one : sum) one /= static_cast<double>(rows);
  return sum;
}

}  // namespace epsilometer
