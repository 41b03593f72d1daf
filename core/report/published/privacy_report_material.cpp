#include "core/report/published/privacy_report_material.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/eigenvalue.h"
#include "core/numerics/cholesky.h"
#include "core/numerics/eigensystem.h"

namespace epsilometer {
namespace {

// No table has more rows.
constexpr double most_rows = 0x1p32;

// The finest grid on which both the noise and what it hides are less than 2^48 steps.
int exponent_for(double sigma, double hidden) { return std::ilogb(std::max(sigma, hidden)) - 46; }

// So wide that the grid of one has room for the other.
double width(const char* field, double sigma, double hidden) {
  return in_range(field, sigma, 0x1p-26 * hidden, 0x1p45 * hidden);
}

bool is_unclipped_logistic(const ReportedModel& model) {
  return model.loss == "logistic" && std::isinf(model.bounds.gradient);
}

}  // namespace

double mu_of(const Description& guarantee) {
  if (guarantee.kind == "pure") return 0;
  return rounded_up(guarantee.numbers.at("sensitivity") / guarantee.numbers.at("sigma"));
}

double largest_logistic_square(double gradient, double curvature) {
  if (curvature <= 8 * gradient) return gradient;
  // The derivative is 2 p B (r + (1 - p)(1 - 2 p)), r = A / B < 1/8: the smaller of both roots is a maximum,
  // where the root's own rounding does not show; p = 1 the other.
  const double p = (3 - std::sqrt(1 - 8 * (gradient / curvature))) / 4;
  return std::max(gradient, rounded_up(p * p * (gradient + (1 - p) * (1 - p) * curvature)));
}

struct MaterialRelease::Sums {
  IntegerSum gradient, hessian;
};

MaterialRelease::MaterialRelease(const ReportedModel& model, std::size_t dimension,
                                 const MaterialNoise& noise)
    : model_(model), dimension_(dimension) {
  // Whoever reads a published Hessian needs its eigenvalues.
  in_range("dimension", static_cast<double>(dimension), 1, noise.hessian ? largest_eigensystem : 4096);
  in_range("lipschitz", model.lipschitz, 1e-90, 1e90);
  in_range("smoothness", model.smoothness, 1e-90, 1e90);
  if (noise.gradient) {
    const double sigma = width("noise.gradient", *noise.gradient, model.lipschitz);
    gradient_ = GaussianNoise::of(sigma, exponent_for(sigma, model.lipschitz));
  }
  if (noise.hessian) {
    const double sigma = width("noise.hessian", *noise.hessian, model.smoothness);
    hessian_ = OrthogonalNoise::of(sigma, exponent_for(std::sqrt(2.0) * sigma, model.smoothness));
  }
  if (!noise.eigenvalue) return;
  if (!noise.hessian)
    throw Refusal("missing", "noise.hessian", "nothing",
                  "must be published where its smallest eigenvalue is");
  eigenvalue_ = GaussianNoise::of(width("noise.eigenvalue", *noise.eigenvalue, model.smoothness));
}

// What the computed smallest eigenvalue can be wrong by.
double MaterialRelease::eigenvalue_doubt() const {
  return rounded_up(most_rows * model_.smoothness * eigenvalue_error(dimension_));
}

double MaterialRelease::eigenvalue_sensitivity() const {
  return rounded_sensitivity(model_.smoothness * (1 + 0x1p-40), eigenvalue_doubt(), 1, eigenvalue_->exponent);
}

double MaterialRelease::gradient_mu() const {
  const Truncation truncation(model_.lipschitz, Norm::l2, gradient_->exponent);
  return mu_of(
      gradient_->guarantee(static_cast<double>(truncation.radius()), static_cast<double>(dimension_)));
}

double MaterialRelease::hessian_mu() const {
  const SymmetricContributions contributions(model_.smoothness, hessian_->exponent, dimension_);
  return mu_of(
      hessian_->guarantee(contributions.contributions().sensitivity(Change::add_or_remove), dimension_));
}

double MaterialRelease::eigenvalue_mu() const {
  return mu_of(eigenvalue_->guarantee(eigenvalue_sensitivity(), 1));
}

Description MaterialRelease::price() const {
  const auto square = [](double mu) { return mu * mu; };
  const double gradient = gradient_ ? square(gradient_mu()) : 0;
  const double curvature =
      (hessian_ ? square(hessian_mu()) : 0) + (eigenvalue_ ? square(eigenvalue_mu()) : 0);
  double mu = std::sqrt(rounded_up(is_unclipped_logistic(model_) && gradient_
                                       ? largest_logistic_square(gradient, 16 * curvature)
                                       : gradient + curvature));
  // How wrong the eigenvalue may be does not shrink with a record's curvature.
  if (eigenvalue_) {
    const double own = std::ldexp(model_.smoothness, -eigenvalue_->exponent);
    mu += eigenvalue_mu() * std::max(0.0, 1 - own / eigenvalue_sensitivity());
  }
  if (mu == 0) return {"pure", {{"epsilon", 0}}, {}, {}, {}};
  return {"gaussian", {{"sigma", 1}, {"sensitivity", rounded_up(mu)}}, {}, {}, {}};
}

void MaterialRelease::add(const BoundedRecords& records, std::span<const double> coefficients, Sums& sums,
                          const Progress& progress) const {
  std::vector<double> x(dimension_), gradient(dimension_), curvature(triangle(dimension_));
  std::vector<std::int64_t> steps(dimension_);
  std::optional<Truncation> truncation;
  if (gradient_) truncation.emplace(model_.lipschitz, Norm::l2, gradient_->exponent);
  std::optional<SymmetricContributions> symmetric;
  if (hessian_) symmetric.emplace(model_.smoothness, hessian_->exponent, dimension_);
  each_row(records.count(), usual_block, progress, [&](std::size_t i) {
    const auto record = records.read(i, x);
    double u = 0;
    for (std::size_t j = 0; j < dimension_; ++j) u += x[j] * coefficients[j];
    const LossAt at = records.at(record, u);
    if (truncation) {
      for (std::size_t j = 0; j < dimension_; ++j) gradient[j] = at.first * x[j];
      truncation->apply(gradient, steps);
      sums.gradient.add(steps);
    }
    if (!symmetric) return;
    for (std::size_t row = 0, place = 0; row < dimension_; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        curvature[place] = at.second * x[row] * x[column];
    sums.hessian.add(symmetric->of(curvature));
  });
}

double MaterialRelease::released_eigenvalue(const IntegerSum& hessian, Generator& generator) const {
  std::vector<double> matrix(hessian.size());
  for (std::size_t i = 0; i < matrix.size(); ++i)
    matrix[i] = std::ldexp(hessian.nearest(i), hessian_->exponent);
  const Bounds least = smallest_eigenvalue(matrix, dimension_);
  const double half = (least.upper - least.lower) / 2;
  // Beyond 2^32 rows only.
  if (!(half + 2 * unit_roundoff * trace(matrix, dimension_) <= eigenvalue_doubt()))
    throw Refusal("unreachable", "eigenvalue", "uncertain",
                  "needs a smaller table to be computed well enough; the budget is spent");
  const IntegerSum sum = rounded(std::vector{least.lower + half}, eigenvalue_->exponent);
  return epsilometer::released(generator, sum, *eigenvalue_)[0];
}

// What the doubles of a record's derivatives are wrong by, and what truncation takes of it: d roundings of
// x.theta move f' by f'' and f'' by f''' <= f'', and each entry loses less than a step.
ReportMaterial MaterialRelease::told(std::vector<double> gradient, std::vector<double> hessian,
                                     std::optional<double> eigenvalue, double length) const {
  const auto d = static_cast<double>(dimension_);
  const double rounding = 0x1p-49 * (d + 8), smoothness = model_.smoothness;
  ReportMaterial material;
  if (gradient_) {
    const double each =
        std::ldexp(std::sqrt(d), gradient_->exponent) + rounding * (model_.lipschitz + smoothness * length);
    material.gradient = {std::move(gradient), *gradient_, rounded_up(most_rows * each), gradient_mu()};
  }
  if (!hessian_) return material;
  const double each =
      std::ldexp(d, hessian_->exponent) + rounding * smoothness * (1 + model_.bounds.norm() * length);
  const double error = rounded_up(most_rows * each);
  material.hessian = {std::move(hessian), *hessian_, error, hessian_mu()};
  if (eigenvalue)
    material.eigenvalue = {*eigenvalue, *eigenvalue_, rounded_up(eigenvalue_doubt() + error),
                           eigenvalue_mu()};
  return material;
}

ReportMaterial MaterialRelease::released(Pieces table, std::span<const double> coefficients,
                                         Generator& generator, const Progress& progress) const {
  const auto loss = make_loss(model_.loss, model_.numbers);
  const BoundedRecords records(table, *loss, model_.bounds);
  if (records.dimension() != dimension_ || coefficients.size() != dimension_)
    throw Refusal("range", "dimension", shown(static_cast<double>(coefficients.size())),
                  "must be that of the table and of the plan");
  Sums sums{IntegerSum(dimension_), IntegerSum(triangle(dimension_))};
  add(records, coefficients, sums, progress);
  std::vector<double> gradient, hessian;
  std::optional<double> eigenvalue;
  if (gradient_) gradient = epsilometer::released(generator, sums.gradient, *gradient_);
  if (hessian_) hessian = epsilometer::released(generator, sums.hessian, *hessian_);
  if (eigenvalue_) eigenvalue = released_eigenvalue(sums.hessian, generator);
  const double length = square_root(dot(coefficients, coefficients)).upper();
  return told(std::move(gradient), std::move(hessian), eigenvalue, length);
}

}  // namespace epsilometer
