#include "core/report/holder/known_person.h"

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/report/personal/realised_objective.h"
#include "core/report/published/whitened_report.h"

namespace epsilometer {
namespace {

void must_be_in(Pieces table, const Records& person) {
  std::vector<bool> found(person.count);
  for (const Records& piece : table)
    for (std::size_t i = 0; i < piece.count; ++i) take(person, piece.row(i), piece.labels[i], found);
  if (std::find(found.begin(), found.end(), false) == found.end()) return;
  throw Refusal("range", "row", "another", "must be in the table, or be asked about as one that is not");
}

// Of the hidden minimum m itself the loss is known but for where m is: within `distance` of what was
// released. What the logistic loss's second derivatives are, and with them leverages, changes by a factor of
// `growth` on the way at most, and the gradient of J by its largest eigenvalue, lambda + n beta, times the
// distance.
RealisedBound loss_at_minimum(const PrivacyReport& report, const BoundedRecords& table,
                              const BoundedRecords& person, const Loss& loss, Direction direction) {
  const ReportedModel& model = report.model;
  RecordAtMinimum at = RealisedObjective(table, loss, model.lambda, model.sigma, report.coefficients)
                           .of(person, 0, direction)
                           .at;
  const double growth = report.growth, norm = square_root(at.square).upper();
  const Interval factor(1 / rounded_up(growth), growth);
  const double away = rounded_up(norm * report.distance),
               curved = rounded_up(model.lambda + static_cast<double>(table.count()) * model.smoothness);
  at.slope.second = at.slope.second * factor;
  at.slope.first = at.slope.first + Interval::around(0, rounded_up(at.slope.second.upper() * away));
  at.leverage = at.leverage * factor;
  at.pull = at.pull + Interval::around(0, rounded_up(curved * away));
  // The lemma of docs/privacy-report.md, with signs: e^-loss averages to at least (1 - t) e^-upper and to at
  // most e^-lower + t, and log(1 + t e^lower) <= t e^lower.
  const Interval there = realised_objective_loss(direction, at, model.sigma);
  const Interval told(there.lower() - rounded_up(report.slack * std::exp(std::max(0.0, there.lower()))),
                      there.upper() + report.slack);
  const Interval share = at.slope.second * at.leverage;
  const double determinants = log_one_plus(direction == Direction::remove ? -share : share).magnitude();
  return explained(direction, told, determinants);
}

PersonalBound realised_at(const ReportedModel& model, const std::vector<double>& coefficients, Pieces table,
                          const Records& person, Direction direction, double failure) {
  if (coefficients.size() != person.dimension)
    throw Refusal("malformed", "release.outputs", shown(static_cast<double>(coefficients.size())),
                  "must have a coefficient for each feature of the declared table");
  const PrivacyReport report = privacy_report(model, coefficients, {}, {failure});
  PersonalBound bound = evaluated(report, person.row(0), person.labels[0], direction);
  // Where derivatives are clipped curvature jumps, and the Hessian at what was released is not that of the
  // minimum.
  if (model.loss != "logistic" || std::isfinite(model.bounds.gradient)) return bound;
  const auto loss = make_loss(model.loss, model.numbers);
  const BoundedRecords records(table, *loss, model.bounds), one(person, *loss, model.bounds);
  bound.model = loss_at_minimum(report, records, one, *loss, direction);
  return bound;
}

}  // namespace

KnownPerson known_person(const PlannedRequest& request, const Release& run, Pieces table,
                         const Records& person, Direction direction, std::optional<double> failure,
                         double unit_rows, const Progress& progress) {
  in_range("row", static_cast<double>(person.count), 1, unit_rows);
  if (failure) in_range("failure", *failure, 1e-40, 0.5);
  if (direction == Direction::remove) must_be_in(table, person);
  const PersonalCosts costs(request, run, table, progress);
  KnownPerson known{costs.of(person, direction, progress), {}};
  if (!failure || person.count > 1) return known;
  const auto model = reported_minimum(request);
  if (model && model->whitened) {
    const WhitenedModel whitened(request, *model, released_whitening(run), run.values("coefficients"));
    known.realised = whitened.bound({}, {*failure}, person.row(0), person.labels[0], direction);
    return known;
  }
  known.realised =
      model
          ? std::optional(realised_at(*model, run.values("coefficients"), table, person, direction, *failure))
          : own_realised_bound(request, known.cost.description, {*failure});
  return known;
}

}  // namespace epsilometer
