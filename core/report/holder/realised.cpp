#include "core/report/holder/realised.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/records_at_minimum.h"

namespace epsilometer {
namespace {

class OfGaussianNoise final : public Realised {
 public:
  explicit OfGaussianNoise(OwnRealisedBound bound) : bound_(bound) {}

  std::vector<Told> of(const Records& rows, Direction,
                       const std::function<Description(std::size_t)>& own) const override {
    std::vector<Told> told;
    for (std::size_t i = 0; i < rows.count; ++i) told.push_back({bound_.of(own(i))});
    return told;
  }

 private:
  OwnRealisedBound bound_;
};

class OfWhitenedMinimum final : public Realised {
 public:
  OfWhitenedMinimum(WhitenedModel model, double failure)
      : model_(std::move(model)), reader_(model_.report({}, {failure})) {}

  std::vector<Told> of(const Records& rows, Direction direction,
                       const std::function<Description(std::size_t)>&) const override {
    std::vector<Told> told;
    for (std::size_t i = 0; i < rows.count; ++i)
      told.push_back({model_.bound(reader_, rows.row(i), rows.labels[i], direction)});
    return told;
  }

 private:
  WhitenedModel model_;
  ReportReader reader_;
};

// Of the hidden minimum m itself the loss is known but for where m is: within `distance` of what was
// released. What the logistic loss's second derivatives are, and with them leverages, changes by a factor of
// `growth` on the way at most, and the gradient of J by its largest eigenvalue, lambda + n beta, times the
// distance.
class OfMinimum final : public Realised {
 public:
  OfMinimum(const ReportedModel& model, const std::vector<double>& coefficients, Pieces table, double failure,
            const Progress& progress)
      : report_(privacy_report(model, coefficients, {}, {failure})),
        reader_(report_),
        loss_(make_loss(model.loss, model.numbers)),
        finish_(Interval(report_.slack) + log_one_plus(Interval(-left_to_failure))) {
    // Where derivatives are clipped curvature jumps, and the Hessian at what was released is not that of the
    // minimum.
    if (model.loss != "logistic" || std::isfinite(model.bounds.gradient)) return;
    const BoundedRecords records(table, *loss_, model.bounds);
    there_.emplace(records, *loss_, model.lambda, coefficients, progress);
    if (!there_->knows_leverages())
      throw Refusal("range", "lambda", shown(model.lambda),
                    "must be larger: doubles cannot tell the leverages in this table");
    curved_ = rounded_up(model.lambda + static_cast<double>(records.count()) * model.smoothness);
  }

  std::vector<Told> of(const Records& rows, Direction direction,
                       const std::function<Description(std::size_t)>&) const override {
    const auto read = BoundedRecords(rows, *loss_, report_.model.bounds).read(0, rows.count);
    std::vector<RecordAtMinimum> found;
    if (there_) found = there_->of(read);
    std::vector<Told> told;
    told.reserve(rows.count);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const auto x = read.row(i);
      const Interval square = there_ ? found[i].square : quick_square(x),
                     u = there_ ? found[i].prediction : quick_dot(x, report_.coefficients);
      told.push_back({reader_.of(x, read.records[i], square, u, direction)});
      if (!there_) continue;
      const RecordAtMinimum& at = found[i];
      told[i].cause =
          cause_of(*loss_, read.records[i], u, at.slope, x.size(), (at.slope.second * at.leverage).upper());
      told[i].bound.model = at_minimum(at, direction, told[i].bound.model.loss);
    }
    return told;
  }

 private:
  // -log(e^-loss + t).
  static Interval averaged(Interval loss) {
    const Interval left(left_to_failure);
    return loss.lower() > 0 ? -log_one_plus(exponential(-loss) + left - Interval(1))
                            : loss - log_one_plus(left * exponential(loss));
  }

  // `at`: of the record at what was released. `published`: what follows without the table, by the same
  // events.
  RealisedBound at_minimum(RecordAtMinimum at, Direction direction, const Interval& published) const {
    const ReportedModel& model = report_.model;
    const double norm = square_root(at.square).upper();
    const Interval factor(1 / rounded_up(report_.growth), report_.growth);
    const double away = rounded_up(norm * report_.distance);
    at.slope.second = at.slope.second * factor;
    at.slope.first = at.slope.first + Interval::around(0, rounded_up(at.slope.second.upper() * away));
    at.leverage = at.leverage * factor;
    at.pull = at.pull + Interval::around(0, rounded_up(curved_ * away));
    // The lemma of docs/privacy-report.md, with signs: e^-loss averages to at least (1 - t) e^-upper and to
    // at most e^-lower + t.
    const Interval determinant = at.determinant(direction),
                   there = realised_objective_loss(direction, determinant, square(at.slope.first) * at.square,
                                                   at.slope.first * at.pull, model.sigma);
    Interval told(averaged((Interval(there.lower()) - finish_).lower()).lower(),
                  (Interval(there.upper()) + Interval(report_.slack)).upper());
    // In the outcomes in which either fails they may lie apart.
    if (told.lower() <= published.upper() && published.lower() <= told.upper())
      told = smaller(larger(told, published.lower()), published.upper());
    return explained(direction, told, determinant.magnitude());
  }

  PrivacyReport report_;
  ReportReader reader_;
  std::unique_ptr<const Loss> loss_;
  // What the finish adds, beside -log(1 - t).
  Interval finish_;
  // Of the very table; nothing where only the report's bound holds.
  std::optional<RecordsAtMinimum> there_;
  // No eigenvalue of J's Hessian is larger.
  double curved_ = 0;
};

}  // namespace

std::unique_ptr<const Realised> realised(const PlannedRequest& request, const Release& run, Pieces table,
                                         double failure, const Progress& progress) {
  in_range("failure", failure, least_failure, most_failure);
  const auto model = reported_minimum(request);
  if (!model) {
    const auto bound = own_realised_bound(request, {failure});
    return bound ? std::make_unique<OfGaussianNoise>(*bound) : nullptr;
  }
  const std::vector<double> coefficients = run.values("coefficients");
  if (coefficients.size() != table.front().dimension)
    throw Refusal("malformed", "release.outputs", shown(static_cast<double>(coefficients.size())),
                  "must have a coefficient for each feature of the declared table");
  if (model->whitened)
    return std::make_unique<OfWhitenedMinimum>(
        WhitenedModel(request, *model, released_whitening(run), coefficients), failure);
  return std::make_unique<OfMinimum>(*model, coefficients, table, failure, progress);
}

}  // namespace epsilometer
