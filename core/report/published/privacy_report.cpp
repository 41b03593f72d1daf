#include "core/report/published/privacy_report.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/goe/goe.h"
#include "core/noise/eigenvalue.h"

namespace epsilometer {
namespace {

// Which of the things that fail happens how often, so that all of them together fail as promised. Where the
// minimum is hidden, each person's bound fails by itself, also for what everybody has in common.
struct Failures {
  double shared, personal;

  Failures(const ReportedModel& model, const ReportMaterial& material, const ReportPromise& promise) {
    const double hidden = model.hidden() ? 1 : 0;
    const double kinds = (material.empty() ? 1 : 2) + hidden + (material.gradient ? 1 + hidden : 0) +
                         (material.hessian ? 1 : 0) + (material.eigenvalue ? 1 : 0);
    const double whole = in_range("failure", promise.failure, 1e-40, 0.5) * (1 - 0x1p-20);
    const double each = (model.hidden() ? whole * left_to_failure / 2 : whole) / kinds;
    personal = promise.audience.share_of(each);
    shared = model.hidden() ? personal : each;
  }
};

void check(const ReportedModel& model, const std::vector<double>& coefficients) {
  in_range("dimension", static_cast<double>(coefficients.size()), 1, 100'000);
  in_range("coefficients", coefficients, -1e100, 1e100);
  in_range("sigma", model.sigma, 1e-100, 1e100);
  in_range("lambda", model.lambda, 1e-100, 1e100);
  in_range("lipschitz", model.lipschitz, 0, 1e100);
  in_range("smoothness", model.smoothness, 0, 1e100);
  in_range("finish", model.finish, 0, 1e100);
  in_range("moved", model.moved, 0, model.hidden() ? 1e100 : 0);
}

void check(const ReportMaterial& material, std::size_t dimension) {
  const auto wrong = [](const char* field, std::size_t size) {
    throw Refusal("range", field, shown(static_cast<double>(size)), "must have the model's dimension");
  };
  if (material.gradient && material.gradient->values.size() != dimension)
    wrong("gradient", material.gradient->values.size());
  if (material.hessian && material.hessian->values.size() != triangle(dimension))
    wrong("hessian", material.hessian->values.size());
}

// The trace of the Hessian is the largest that its largest eigenvalue can be.
double largest_trace(const PrivacyReport& report, double failure) {
  const ReportMaterial::Hessian& hessian = *report.material.hessian;
  const auto d = static_cast<double>(report.coefficients.size());
  double sum = d * report.model.lambda + std::sqrt(d) * hessian.error;
  for (std::size_t row = 0; row < report.coefficients.size(); ++row)
    sum += hessian.values[row * (row + 3) / 2];
  const double sigma = std::ldexp(static_cast<double>(hessian.noise.diagonal), hessian.noise.exponent);
  return rounded_up(std::max(0.0, sum + sigma * std::sqrt(d) * upper_quantile(failure) * discreteness),
                    0x1p-30);
}

void bound_minimum(PrivacyReport& report, const Failures& failures) {
  const std::size_t d = report.coefficients.size();
  if (report.model.hidden()) {
    const double length = length_quantile(d, failures.shared) * discreteness;
    report.distance = rounded_up(report.model.moved + report.model.doubt + report.model.finish * length);
    // |f'''| <= f'' for the logistic loss: on the way to the minimum its Hessian changes by no more.
    report.growth = rounded_up(std::exp(rounded_up(report.model.bounds.norm() * report.distance)));
    // The finish is Gaussian noise around centres that differ by 2 moved at most.
    const double mu = 2 * report.model.moved / report.model.finish * discreteness;
    report.slack = rounded_up(mu * length + mu * mu - std::log1p(-left_to_failure));
  }
  if (report.promise.audience.kind == Audience::Kind::all) {
    report.noise = length_quantile(d, failures.personal / 2);
    report.noise_entry = upper_quantile(failures.personal / (4 * static_cast<double>(d)));
  } else if (report.model.whitened) {
    // Of two independent deviates, whatever the one is multiplied by, and the other: Cauchy and Schwarz.
    report.noise = rounded_up(std::sqrt(-2 * std::log(failures.personal)));
  } else {
    report.noise = upper_quantile(failures.personal / 2);
  }
}

void bound_material(PrivacyReport& report, const Failures& failures) {
  const std::size_t d = report.coefficients.size();
  const ReportMaterial& material = report.material;
  const bool for_all = report.promise.audience.kind == Audience::Kind::all;
  report.floor = report.model.lambda;
  if (material.eigenvalue) {
    const auto& [value, noise, error, mu] = *material.eigenvalue;
    const double least = value - eigenvalue_margin(noise, 0, failures.shared) - error;
    report.floor = std::max(report.floor, (report.model.lambda + least) * (1 - 4 * unit_roundoff));
  }
  if (material.hessian) {
    // The ensemble of variance 1 off the diagonal, as the noise has it.
    const LargestEigenvalue largest(static_cast<double>(d), OffDiagonalVariance::one);
    const double tau = largest.upper_quantile(failures.shared).bounds.upper;
    report.spectrum =
        rounded_up(material.hessian->noise.eigenvalue_bound(std::max(0.0, tau), d) + material.hessian->error);
  }
  if (material.gradient) {
    const auto& [values, noise, error, mu] = *material.gradient;
    const double sigma = std::ldexp(static_cast<double>(noise.steps), noise.exponent);
    const double deviation =
        for_all ? length_quantile(d, failures.personal) : upper_quantile(failures.personal / 2);
    report.gradient_margin = sigma * deviation * discreteness + error;
    if (report.model.hidden())
      report.gradient_margin += largest_trace(report, failures.shared) * report.growth * report.distance;
    report.gradient_margin = rounded_up(report.gradient_margin);
  }
  const std::size_t entries = d + triangle(d) + 1;
  report.material_deviation = for_all ? length_quantile(entries, failures.personal)
                                      : rounded_up(upper_quantile(failures.personal / 2));
}

}  // namespace

// What is published of the Hessian at the released coefficients says something of the one at the hidden
// minimum only where the curvature of each record changes smoothly.
void must_be_readable(const ReportedModel& model, const Audience& audience, PublishedKinds published) {
  if (!model.hidden()) return;
  if (audience.kind == Audience::Kind::all)
    throw Refusal(
        "unsupported", "audience", "anybody",
        "is for minima that are published themselves, and for normal noise: a hidden minimum is bounded "
        "person by person");
  if (!published.gradient && !published.hessian) return;
  const std::string beside =
      " where gradient or Hessian are published: elsewhere curvature jumps, and the Hessian at the released "
      "coefficients says nothing of the one at the hidden minimum";
  if (model.loss != "logistic") throw Refusal("unsupported", "loss", model.loss, "must be logistic" + beside);
  if (std::isfinite(model.bounds.gradient))
    throw Refusal("unsupported", "gradientBound", shown(model.bounds.gradient), "must be left out" + beside);
  if (!published.hessian)
    throw Refusal("missing", "hessian", "nothing", "must be published with the gradient of a hidden minimum");
}

PrivacyReport privacy_report(ReportedModel model, std::vector<double> coefficients, ReportMaterial material,
                             const ReportPromise& promise) {
  check(model, coefficients);
  check(material, coefficients.size());
  PrivacyReport report{std::move(model), std::move(coefficients), std::move(material), promise};
  must_be_readable(report.model, promise.audience,
                   {report.material.gradient.has_value(), report.material.hessian.has_value()});
  const Failures failures(report.model, report.material, promise);
  bound_minimum(report, failures);
  bound_material(report, failures);
  return report;
}

}  // namespace epsilometer
