// Least squares on a Gaussian sketch of the table: k random normal combinations of its rows (x, y), plus
// noise. Lev, Srinivasan, Shenfeld, Ligett, Sekhari and Wilson 2025, Algorithm 2; the price is the exact one.
// The sketch's rows are independent N(0, Z^T Z + sigma^2 I), Z = [X, y], so they are drawn from that
// covariance and no record is visited; least squares on them is a multivariate t vector. It is the sketch
// that is released: coefficients, residual variance and whatever else only process it.
#include <algorithm>
#include <cmath>

#include "core/accounting/calibrate.h"
#include "core/accounting/renyi.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/numerics/cholesky.h"
#include "core/release/finish.h"
#include "core/release/linear_algorithm.h"
#include "core/release/normal_rows.h"
#include "core/release/symmetric_matrix.h"

namespace epsilometer::algorithms {
namespace {

// The error that the sketch may be computed with, as a share of sigma. A 32nd of sigma hides it, which is a
// thousandth of the noise's variance.
constexpr double tolerance = 0x1p-22;

// The lower triangle of X^T X, X^T y and y^T y: that of Z^T Z.
std::vector<double> whole(const NormalEquations& equations) {
  std::vector<double> matrix = equations.gram;
  matrix.insert(matrix.end(), equations.cross.begin(), equations.cross.end());
  matrix.push_back(equations.square);
  return matrix;
}

// The lower triangle of the average of the products of a sketch's rows.
std::vector<double> mean_products(std::span<const double> sketch, std::size_t width) {
  std::vector<double> sum(triangle(width));
  for (std::size_t start = 0; start < sketch.size(); start += width)
    for (std::size_t row = 0, place = 0; row < width; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        sum[place] += sketch[start + row] * sketch[start + column];
  const auto rows = static_cast<double>(sketch.size() / width);
  for (double& one : sum) one /= rows;
  return sum;
}

class LinearMixing final : public LinearAlgorithm {
 public:
  explicit LinearMixing(const Request& request)
      : LinearAlgorithm(request, Norm::l2),
        size_(sketch_size(request, dimension())),
        sigma_(request.noise(
            "sigma", [this](double sigma) { return described(sigma); },
            [this](double epsilon, double delta) { return printed(epsilon, delta); })) {}

  Release plan() const override {
    return {{}, described(sigma_), {{"sigma", sigma_}, {"sketchSize", static_cast<double>(size_)}}, {}};
  }

 private:
  static std::size_t sketch_size(const Request& request, std::size_t d) {
    const auto least = static_cast<double>(d + 2);
    if (request.has("sketchSize")) return static_cast<std::size_t>(request.whole("sketchSize", least, 1e6));
    return static_cast<std::size_t>(std::ceil(2.5 * std::max(static_cast<double>(d), 23.0)));
  }

  std::size_t width() const { return dimension() + 1; }
  double squared_bound() const {
    return rounded_up(bounds().features * bounds().features + bounds().label * bounds().label);
  }
  Finish finish(double sigma) const { return Finish(tolerance * sigma, size_ * width()); }

  // What the finishing noise leaves for the sketch itself: together they are sigma.
  double inner_variance(double sigma) const {
    const double finishing = finish(sigma).sigma();
    return rounded_down((sigma - finishing) * (sigma + finishing));
  }

  // A row's leverage in the table that has it is at most C^2 / (C^2 + sigma^2).
  Description described(double sigma) const {
    const double gamma = rounded_down(1 + inner_variance(sigma) / squared_bound());
    const Description mixing{
        "gaussian-mixing", {{"gamma", gamma}, {"sketchSize", static_cast<double>(size_)}}, {}, {}, {}};
    return composed({mixing, finish(sigma).guarantee()});
  }

  // Lemma 1 there, without the row's own share of the leverage: sigma^2 = gamma C^2, gamma from the Renyi
  // curve.
  double printed(double epsilon, double delta) const {
    const Description mixing{
        "gaussian-mixing", {{"gamma", 2}, {"sketchSize", static_cast<double>(size_)}}, {}, {}, {}};
    const auto cost = [epsilon](const PrivacyLoss& loss) { return renyi_curve_delta(loss, epsilon); };
    const double gamma = least_private(mixing, {"gamma", 1.000001, 1e12, false, true}, cost, delta).value;
    return std::sqrt(gamma * squared_bound());
  }

  std::vector<double> sketch(const LinearStatistics& statistics, Generator& generator) const {
    const auto rows = NormalRows::of(whole(statistics.values()), width(), inner_variance(sigma_));
    if (!rows) refuse_size();
    const NormalRows::Drawn drawn = rows->draw(generator, size_);
    if (!(drawn.error <= tolerance * sigma_)) refuse_size();
    return finish(sigma_).released(generator, drawn.values, {drawn.error, 0x1p-260});
  }

  [[noreturn]] static void refuse_size() {
    throw Refusal("unreachable", "sigma", "too small",
                  "must be larger for doubles to compute a sketch of so large a table; the budget is spent");
  }

  Release run(const LinearStatistics& statistics, Generator& generator) const override {
    Release release = plan();
    const std::size_t d = dimension();
    const std::vector<double> mean = mean_products(sketch(statistics, generator), width());
    const std::span<const double> all(mean), gram = all.first(triangle(d)),
                                             cross = all.subspan(triangle(d), d);
    const auto factor = Cholesky::of(gram, d);
    if (!factor)
      throw Refusal("unreachable", "coefficients", "none",
                    "of this sketch are not unique; the budget is spent");
    release.coefficients = factor->solve(cross);
    double left = all.back();
    for (std::size_t i = 0; i < d; ++i) left -= release.coefficients[i] * cross[i];
    const auto k = static_cast<double>(size_);
    release.released["gram"] = {gram.begin(), gram.end()};
    release.released["cross"] = {cross.begin(), cross.end()};
    release.released["square"] = {all.back()};
    // The mean square of the sketch's residuals, over its degrees of freedom.
    release.released["residualVariance"] = {left * k / (k - static_cast<double>(d))};
    return release;
  }

  std::size_t size_;
  double sigma_;
};

}  // namespace

std::unique_ptr<const Algorithm> linear_mixing(const FitRequest& request) {
  return std::make_unique<LinearMixing>(
      Request(request, {"dimension", "featureBound", "labelBound", "sketchSize", "sigma"}, {}));
}

}  // namespace epsilometer::algorithms
