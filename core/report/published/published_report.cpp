#include "core/report/published/published_report.h"

#include <cmath>

#include "core/base/refusal.h"

namespace epsilometer {
namespace {

void must_be_about_one_record(double unit_rows) {
  if (unit_rows == 1) return;
  throw Refusal("unsupported", "table.unit.rows", shown(unit_rows),
                "must be 1: what a report says is about one record");
}

MaterialRelease material_of(const PublishedReport& report, const ReportedModel& model) {
  return {model, report.coefficients.size(), report.noise};
}

// Of a model that costs so much, and of all that is published beside it.
Description with_material(const PublishedReport& report, const Description& model) {
  if (!report.noise.gradient && !report.noise.hessian) return model;
  const Description material =
      material_of(report, reported_model(report.run->request, report.run->plan)).price();
  return {"composition", {}, {}, {}, {{model, 1}, {material, 1}}};
}

void must_have(const char* field, std::size_t found, bool published, std::size_t wanted) {
  if (found == (published ? wanted : 0)) return;
  throw Refusal("malformed", field, shown(static_cast<double>(found)),
                "must be as many numbers as the declared table and the noise say");
}

void must_have_whitening(const PublishedReport& report, bool is_whitened) {
  if (!report.whitening) {
    if (is_whitened && (report.noise.gradient || report.noise.hessian))
      throw Refusal("missing", "whitening", "nothing",
                    "must be given: gradient and Hessian are those of whitened rows");
    return;
  }
  if (!is_whitened)
    throw Refusal("unsupported", "whitening", "a matrix", "must be left out: no rows were whitened");
  must_fit(*report.whitening, report.run->plan, report.coefficients.size());
}

PersonalBound realised(const PublishedReport& report, const ReportedModel& model,
                       std::span<const double> features, double label, Direction direction) {
  const std::size_t dimension = report.coefficients.size();
  const MaterialNoise& noise = report.noise;
  std::optional<WhitenedModel> whitened;
  if (model.whitened) whitened.emplace(*report.run, model, *report.whitening, report.coefficients);
  const std::vector<double>& coefficients = whitened ? whitened->coefficients() : report.coefficients;
  must_have("gradient", report.gradient.size(), noise.gradient.has_value(), dimension);
  must_have("hessian", report.hessian.size(), noise.hessian.has_value(), triangle(dimension));
  must_have("eigenvalue", report.eigenvalue ? 1 : 0, noise.eigenvalue.has_value(), 1);
  ReportMaterial material;
  if (noise.gradient || noise.hessian) {
    const double length = square_root(dot(coefficients, coefficients)).upper();
    material = material_of(report, model).told(report.gradient, report.hessian, report.eigenvalue, length);
  }
  if (whitened)
    return whitened->bound(ReportReader(whitened->report(std::move(material), report.promise)), features,
                           label, direction);
  const PrivacyReport read = privacy_report(model, report.coefficients, std::move(material), report.promise);
  return evaluated(read, features, label, direction);
}

}  // namespace

Told told(const PublishedReport& report, std::span<const double> features, double label,
          Direction direction) {
  must_be_about_one_record(report.unit_rows);
  must_have("coefficients", report.coefficients.size(), true, features.size());
  // Her own part of what was published besides depends on what came out: everybody's does not.
  Told result{with_material(report, own_price(*report.run, features, label)),
              with_material(report, report.run->plan.description),
              {}};
  auto model = reported_minimum(*report.run);
  must_have_whitening(report, model && model->whitened);
  if (model && model->whitened && !report.whitening) return result;
  if (model) {
    result.realised = realised(report, *model, features, label, direction);
  } else if (const auto bound = own_realised_bound(*report.run, report.promise)) {
    result.realised = bound->of(result.own_price);
  }
  return result;
}

ReportMaterial published(const PublishedReport& report, Pieces table, Generator& generator,
                         const Progress& progress) {
  must_be_about_one_record(report.unit_rows);
  const ReportedModel model = reported_model(report.run->request, report.run->plan);
  must_have_whitening(report, model.whitened);
  const MaterialRelease material = material_of(report, model);
  if (!model.whitened) return material.released(table, report.coefficients, generator, progress);
  const WhitenedModel whitened(*report.run, model, *report.whitening, report.coefficients);
  const WhitenedTable rows = whitened.whitened(table, part_of(progress, 0, 0.5));
  return material.released(rows.pieces(), whitened.coefficients(), generator, part_of(progress, 0.5, 1));
}

void must_have_report(const Algorithm& algorithm, const Release& run, double unit_rows) {
  must_be_about_one_record(unit_rows);
  // A tuned algorithm refuses by itself.
  algorithm.facts_needed_before(run);
}

// A report of which nobody could read a price is none.
Description price_of(const PublishedReport& report) {
  must_be_about_one_record(report.unit_rows);
  must_have_own_price(*report.run);
  if (const auto model = reported_minimum(*report.run))
    must_be_readable(*model, report.promise.audience,
                     {report.noise.gradient.has_value(), report.noise.hessian.has_value()});
  must_have_whitening(report, report.run->plan.parameters.contains("whiten"));
  return with_material(report, report.run->plan.description);
}

}  // namespace epsilometer
