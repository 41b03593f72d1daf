// Records as generalised linear models have them: their norm bounded, their gradient clipped.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/eigensystem.h"
#include "core/report/personal/minimum_moves.h"
#include "core/report/personal/realised_noise.h"
#include "core/report/personal/record_view.h"
#include "core/report/personal/released_whitening.h"

namespace epsilometer {
namespace {

// Between two questions whether to go on.
constexpr std::size_t rows_between_questions = 64;

// By how much predictions may be in doubt: what a row moves the minimum by is told to as many digits.
constexpr double unseen = 0x1p-34;

class ModelView : public RecordView {
 public:
  explicit ModelView(PublicModel model) : model_(std::move(model)) {}

  RecordFacts facts(const Records& records, Direction direction, const Progress& progress) const override {
    RecordFacts sum;
    sum.records = static_cast<double>(records.count);
    sum.dimension = records.dimension;
    for (const auto& record :
         BoundedRecords(records, *model_.loss, model_.bounds).read(0, records.count).records)
      add_sizes(record, sum);
    add_table(records, direction, progress, sum);
    return sum;
  }

  void all(Pieces table, const Progress& progress,
           const std::function<void(const RecordFacts&)>& each) const override {
    const BoundedRecords bounded(table, *model_.loss, model_.bounds);
    const std::size_t in_piece = table.front().count;
    const auto tell = [&](std::size_t i, const BoundedRecords::Record& record) {
      RecordFacts facts;
      facts.dimension = bounded.dimension();
      add_sizes(record, facts);
      add_table(table[i / in_piece].part(i % in_piece, 1), Direction::remove, progress, facts);
      each(facts);
    };
    bounded.in_strips(rows_between_questions, progress,
                      [&](std::size_t first, const BoundedRecords::Several& rows) {
                        for (std::size_t k = 0; k < rows.size(); ++k) tell(first + k, rows.records[k]);
                      });
  }

 protected:
  const PublicModel& model() const { return model_; }

 private:
  virtual void add_table(const Records&, Direction, const Progress&, RecordFacts&) const {}

  // A gradient is no longer than min(L, steepness |x|), and no curvature is above that of a derivative of
  // that length / |x|, times |x|^2.
  void add_sizes(const BoundedRecords::Record& record, RecordFacts& sum) const {
    const double norm = record.norm;
    sum.square = rounded_up(sum.square + norm * norm);
    if (norm == 0) return;
    const double longest = std::min(model_.lipschitz, rounded_up(model_.loss->steepness() * norm)),
                 limit = rounded_up(std::min(model_.loss->steepness(), longest / norm));
    const double most = rounded_up(model_.loss->curvature_at(record.label, limit) * norm * norm);
    sum.gradient = rounded_up(sum.gradient + longest, sum.gradient > 0 ? rounding_margin : 0);
    sum.curvature = rounded_up(sum.curvature + std::min(model_.smoothness, most),
                               sum.curvature > 0 ? rounding_margin : 0);
  }

  PublicModel model_;
};

// Gradients are as the fit made them, by the same operations at the same points; they were only truncated
// then.
class PathView final : public ModelView {
 public:
  PathView(PublicModel model, std::span<const double> path) : ModelView(std::move(model)), path_(path) {}

 private:
  void add_table(const Records& records, Direction, const Progress&, RecordFacts& facts) const override {
    if (records.count != 1) return;
    const std::size_t d = records.dimension;
    if (path_.size() % d != 0)
      throw Refusal("range", "path", shown(static_cast<double>(path_.size())),
                    "must have as many numbers for each step as a record has features");
    const BoundedRecords bounded(records, *model().loss, model().bounds);
    std::vector<double> features(d), gradient(d);
    const auto record = bounded.read(0, features);
    facts.gradients.reserve(path_.size() / d);
    for (std::size_t step = 0; step < path_.size(); step += d) {
      gradient = features;
      bounded.to_gradient(record, path_.subspan(step, d), gradient);
      double squares = 0;
      for (const double one : gradient) squares += one * one;
      // Squares vanish far below a step of the grid, where nothing is left of a gradient.
      const double margin = (static_cast<double>(d) + 64) * unit_roundoff;
      const double length = std::sqrt(squares) * (1 + margin);
      // What was clipped counts as so long, whatever rounding made of it.
      facts.gradients.push_back(length * (1 + 0x1p-20) < model().lipschitz ? length : model().lipschitz);
    }
  }

  std::span<const double> path_;
};

// How far both minima are apart: found by a refit for somebody's own question, from the table's minimum for
// all of its rows.
class MinimumView final : public ModelView {
 public:
  MinimumView(PublicModel model, double lambda, Pieces table, std::vector<NoisyOutput> outputs,
              const Release& run)
      : ModelView(std::move(model)),
        lambda_(lambda),
        table_(table.begin(), table.end()),
        outputs_(std::move(outputs)),
        run_(run) {}

  void all(Pieces table, const Progress& progress,
           const std::function<void(const RecordFacts&)>& each) const override {
    const std::size_t d = table.front().dimension;
    const BoundedRecords bounded(table_, *model().loss, model().bounds);
    const Output* const released = run_.find("coefficients");
    const bool is_released = released && released->values.size() == d;
    const bool are_causes_sought = is_released && d <= largest_eigensystem;
    std::vector<RowCause> causes;
    const RecordsAtMinimum start(bounded, *model().loss, lambda_,
                                 is_released ? released->values : std::vector<double>(d),
                                 part_of(progress, 0, 0.1), are_causes_sought ? &causes : nullptr);
    const Near near = near_minimum(bounded, start, part_of(progress, 0.1, 0.3));
    const auto noise = noise_on(near.place.coefficients, near.place.distance);
    const std::vector<double> none;
    const bool are_causes_known = are_causes_sought && start.knows_leverages();
    std::size_t first = 0;
    const auto tell = [&](const BoundedRecords::Several& rows, std::span<const MinimumMove> moves) {
      std::vector<RowCause> known;
      if (are_causes_known)
        known = start.with_leverages(std::span(std::as_const(causes)).subspan(first), rows);
      for (std::size_t k = 0; k < rows.size(); ++k) {
        const BoundedRecords::Record& row = rows.records[k];
        RecordFacts facts;
        facts.dimension = d;
        facts.square = rounded_up(row.norm * row.norm);
        facts.moved = moves[k].length.upper();
        if (noise) facts.told = noise->loss(moves[k].length, moves[k].along);
        if (are_causes_known) facts.cause = known[k];
        each(facts);
      }
      first += rows.size();
    };
    minimum_moves(model(), lambda_, table_, near.table, near.place, noise ? noise->noise() : none,
                  part_of(progress, 0.3, 1), tell);
  }

 private:
  struct Near {
    RecordsAtMinimum table;
    RecordsAtMinimum::Place place;
  };
  // From about where the minimum is: as close as doubles come by themselves where nobody sees the difference,
  // as a fit finds it where that is not close enough, or a row's derivative may cancel.
  Near near_minimum(const BoundedRecords& bounded, const RecordsAtMinimum& start,
                    const Progress& progress) const {
    const double allowed = unseen / model().bounds.norm();
    const auto at = [&](std::vector<double> theta, const Progress& part) {
      return RecordsAtMinimum(bounded, *model().loss, lambda_, std::move(theta), part);
    };
    const std::vector<double> none(bounded.dimension());
    if (start.knows_leverages() && model().loss->one_signed()) {
      const Objective objective(bounded, lambda_, none);
      const double straight = start.may_jump() ? lambda_ / (lambda_ + start.trace()) : 1;
      const auto theta =
          approached(objective, start.coefficients(), start.gradient(), start.factor().factor(),
                     straight * allowed / 2, part_of(progress, 0, 0.2));
      if (theta) {
        RecordsAtMinimum found = at(*theta, part_of(progress, 0.2, 0.4));
        RecordsAtMinimum::Place place{*theta, found.distance()};
        if (found.knows_leverages() && !found.may_jump()) place = found.nearer();
        if (place.distance <= allowed) return {std::move(found), std::move(place)};
      }
    }
    const Minimum minimum = minimum_of(table_, part_of(progress, 0.4, 0.8));
    return {at(minimum.theta, part_of(progress, 0.8, 1)), {minimum.theta, distance_of(minimum)}};
  }

  void add_table(const Records& records, Direction direction, const Progress& progress,
                 RecordFacts& facts) const override {
    std::vector<double> features, labels;
    std::vector<bool> gone(records.count);
    for (const Records& piece : table_)
      for (std::size_t i = 0; i < piece.count; ++i) {
        const auto row = piece.row(i);
        if (direction == Direction::remove && take(records, row, piece.labels[i], gone)) continue;
        features.insert(features.end(), row.begin(), row.end());
        labels.push_back(piece.labels[i]);
      }
    if (direction == Direction::add) {
      features.insert(features.end(), records.features.begin(), records.features.end());
      labels.insert(labels.end(), records.labels.begin(), records.labels.end());
    } else if (std::find(gone.begin(), gone.end(), false) != gone.end()) {
      throw Refusal("range", "records", "another", "must be rows of the table to be removed from it");
    }
    const Records other{labels.size(), records.dimension, features, labels};
    const Minimum here = minimum_of(table_, part_of(progress, 0, 0.5)),
                  there = minimum_of(Pieces(&other, 1), part_of(progress, 0.5, 1));
    // What is strongly convex is moved by no more than a gradient over lambda: a record of zeros moves
    // nothing, however closely both minima were found.
    const double most = facts.gradient > 0 ? rounded_up(facts.gradient / lambda_) : 0;
    const auto noise = noise_on(here.theta, distance_of(here));
    const std::vector<double> none;
    const MinimumMove move = move_between(here, there, lambda_, noise ? noise->noise() : none);
    facts.moved = std::min(move.length.upper(), most);
    if (noise && records.count == 1) facts.told = noise->loss(smaller(move.length, most), move.along);
  }

  // The minimum is within `distance`.
  std::optional<RealisedNoise> noise_on(std::span<const double> theta, double distance) const {
    if (outputs_.empty()) return std::nullopt;
    return RealisedNoise::on_coefficients(outputs_.back(), run_, theta, distance);
  }

  double distance_of(const Minimum& minimum) const {
    return rounded_up(tail_of(minimum) + minimum.gradient / lambda_);
  }

  Minimum minimum_of(Pieces table, const Progress& progress) const {
    const std::vector<double> none(table.front().dimension);
    const BoundedRecords bounded(table, *model().loss, model().bounds);
    const double tolerance = model().gradient_tolerance(static_cast<double>(none.size()), 0);
    return minimised({bounded, lambda_, none}, model().smoothness, tolerance, progress);
  }

  double lambda_;
  std::vector<Records> table_;
  std::vector<NoisyOutput> outputs_;
  const Release& run_;
};

// Given the matrix the row is a function of the record alone, by the operations of the fit.
class WhitenedView final : public ModelView {
 public:
  WhitenedView(PublicModel of, const Release& run, std::size_t dimension)
      : ModelView(std::move(of)),
        gram_(dimension, model().bounds, Change::add_or_remove),
        whitening_(whitening_of(gram_, released_whitening(run), run, dimension)) {}

 private:
  void add_table(const Records& records, Direction, const Progress&, RecordFacts& facts) const override {
    if (records.count != 1) return;
    const BoundedRecords bounded(records, *model().loss, model().bounds);
    gram_.whiten(bounded, whitening_, {}, [&](std::span<const float> row, double) {
      double square = 0;
      for (const double one : row) square += one * one;
      const double margin = (static_cast<double>(row.size()) + 64) * unit_roundoff;
      facts.leverage = Interval(0, std::min(1.0, square * (1 + margin)));
    });
  }

  NoisyGram gram_;
  Whitening whitening_;
};

}  // namespace

std::unique_ptr<const RecordView> whitened_view(PublicModel model, const Release& run,
                                                std::size_t dimension) {
  return std::make_unique<WhitenedView>(std::move(model), run, dimension);
}

std::unique_ptr<const RecordView> model_view(PublicModel model, const FactsNeeded& needed, Pieces table,
                                             std::vector<NoisyOutput> outputs, const Release& run) {
  if (needed.of == FactsNeeded::Of::minimum)
    return std::make_unique<MinimumView>(std::move(model), needed.regularisation, table, std::move(outputs),
                                         run);
  if (needed.of == FactsNeeded::Of::path)
    return std::make_unique<PathView>(std::move(model), run.values("path"));
  return std::make_unique<ModelView>(std::move(model));
}

}  // namespace epsilometer
