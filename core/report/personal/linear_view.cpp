// What a table of linear statistics makes of a record: sizes alone, a ridge regression, or a sketch.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/grid_records.h"
#include "core/report/personal/realised_eigenvalue.h"
#include "core/report/personal/realised_loss.h"
#include "core/report/personal/realised_ridge.h"
#include "core/report/personal/record_view.h"
#include "core/report/personal/ridge_influence.h"

namespace epsilometer {
namespace {

// Records that are taken together.
constexpr std::size_t block = 64;

class LinearView : public RecordView {
 public:
  explicit LinearView(const LinearStatistics& empty) : grid_(empty.dimension(), empty.bounds()) {}

  /// From now on facts say what came out told, of outputs on the sums of a table.
  virtual void use_outputs(const LinearStatistics& table, std::span<const NoisyOutput> outputs,
                           const Release& run, const Progress& progress) {
    sums_.emplace(table, outputs, run);
    for (const NoisyOutput& output : outputs)
      if (output.of == NoisyOutput::Of::eigenvalue) eigenvalue_.emplace(table, output, run, progress);
  }

  RecordFacts facts(const Records& records, Direction direction, const Progress&) const override {
    RecordFacts sum;
    sum.records = static_cast<double>(records.count);
    sum.dimension = records.dimension;
    GridRecords seen;
    grid_.read(records, 0, records.count, seen);
    for (std::size_t i = 0; i < seen.size(); ++i) add_sizes(seen.row(i), seen.labels[i], sum);
    if (sums_ && (seen.size() == 1 || !eigenvalue_)) sum.told = told_of(seen, 0, seen.size(), direction);
    add_table(seen, direction, sum);
    return sum;
  }

  void all(Pieces table, const Progress& progress,
           const std::function<void(const RecordFacts&)>& each) const override {
    const auto total = static_cast<double>(row_count(table));
    double seen = 0;
    GridRecords records;
    std::vector<RecordFacts> facts;
    std::optional<Interval> told;
    for (const Records& piece : table)
      for (std::size_t i = 0; i < piece.count; i += block) {
        keep_going(progress, seen / total);
        const std::size_t count = std::min(block, piece.count - i);
        seen += static_cast<double>(count);
        grid_.read(piece, i, count, records);
        facts.assign(count, {});
        for (std::size_t k = 0; k < count; ++k) {
          facts[k].dimension = piece.dimension;
          add_sizes(records.row(k), records.labels[k], facts[k]);
          if (sums_ && !(told && is_told_alike())) told = told_of(records, k, 1, Direction::remove);
          facts[k].told = told;
        }
        add_table_to_each(records, facts);
        for (const RecordFacts& one : facts) each(one);
      }
  }

 protected:
  /// Of all these records together.
  virtual void add_table(const GridRecords& records, Direction direction, RecordFacts& facts) const = 0;
  /// Of each of these records of the table by itself.
  virtual void add_table_to_each(const GridRecords& records, std::span<RecordFacts> facts) const = 0;

 private:
  static void add_sizes(std::span<const double> features, double y, RecordFacts& sum) {
    const double square = quick_square(features).upper(), label = std::abs(y);
    const double sizes = quick_sum(features.size(), [=](std::size_t i) { return std::abs(features[i]); });
    const double margin = (static_cast<double>(features.size()) + 64) * unit_roundoff;
    const auto add = [margin](double& to, double value) {
      if (value > 0) to = rounded_up(to + value, margin);
    };
    if (sizes == 0) return add(sum.whole_square, label * label);
    add(sum.label, label);
    add(sum.square, square);
    add(sum.cross, rounded_up(std::sqrt(square)) * label);
    add(sum.square_l1, sizes * sizes);
    add(sum.cross_l1, sizes * label);
    add(sum.whole_square, square + label * label);
  }

  bool is_told_alike() const { return sums_->is_count() && !eigenvalue_; }

  Interval told_of(const GridRecords& records, std::size_t first, std::size_t count,
                   Direction direction) const {
    const Interval told = sums_->loss(records, first, count, direction);
    return eigenvalue_ ? told + eigenvalue_->loss(records.row(first), direction) : told;
  }

  RecordGrid grid_;
  std::optional<RealisedSums> sums_;
  std::optional<RealisedEigenvalue> eigenvalue_;
};

class SizesView final : public LinearView {
 public:
  using LinearView::LinearView;

 private:
  void add_table(const GridRecords&, Direction, RecordFacts&) const override {}
  void add_table_to_each(const GridRecords&, std::span<RecordFacts>) const override {}
};

// X^T X and X^T y of a table with rows more, or without them: exact, as the sums are. Not y^T y.
LinearStatistics combined(const LinearStatistics& table, const LinearStatistics& rows, int sign) {
  const std::size_t d = table.dimension();
  const int gram = gram_query(d, table.bounds(), Norm::l2).finest,
            cross = cross_query(d, table.bounds(), Norm::l2).finest;
  std::vector<__int128> sums;
  const auto append = [&](const IntegerSum& all, const IntegerSum& part) {
    for (std::size_t i = 0; i < all.size(); ++i)
      sums.push_back(all.wide_value(i) + sign * part.wide_value(i));
  };
  append(table.gram(gram), rows.gram(gram));
  append(table.cross(cross), rows.cross(cross));
  sums.push_back(0);
  return {d, table.bounds(), IntegerSum(std::move(sums)), table.count() + sign * rows.count()};
}

class RidgeView final : public LinearView {
 public:
  RidgeView(const LinearStatistics& statistics, const FactsNeeded& needed)
      : LinearView(statistics),
        statistics_(statistics),
        influence_(table_sums(statistics), needed.regularisation),
        moved_(needed.moved) {}

  void use_outputs(const LinearStatistics& table, std::span<const NoisyOutput> outputs, const Release& run,
                   const Progress& progress) override {
    LinearView::use_outputs(table, outputs, run, progress);
    realised_.emplace(table, influence_, outputs, run);
  }

 private:
  void add_table(const GridRecords& records, Direction direction, RecordFacts& facts) const override {
    if (records.size() != 1) {
      facts.moved = moved_together(records, direction);
      facts.told.reset();
      return;
    }
    put(influence_.of(records.features, records.labels[0], direction), records.row(0), records.labels[0],
        direction, facts);
  }

  void add_table_to_each(const GridRecords& records, std::span<RecordFacts> facts) const override {
    influence_.of_all(records.all(), moved_, {}, [&](std::size_t i, const RecordInfluence& found) {
      put(found, records.row(i), records.labels[i], Direction::remove, facts[i]);
    });
  }

  void put(const RecordInfluence& found, std::span<const double> x, double label, Direction direction,
           RecordFacts& facts) const {
    facts.leverage = found.without.leverage;
    facts.residual = found.without.residual.magnitude();
    facts.moved = found.moved.upper();
    if (!realised_) return;
    facts.told = facts.told.value_or(0) + realised_->loss(found, x, label, direction);
    facts.told_failure = realised_->failure();
  }

  double moved_together(const GridRecords& records, Direction direction) const {
    LinearStatistics rows(statistics_.dimension(), statistics_.bounds());
    rows.add(records.all(), {});
    TableSums sums = table_sums(combined(statistics_, rows, direction == Direction::add ? 1 : -1));
    sums.equations.square = statistics_.values().square + rows.values().square;
    const RidgeInfluence other(sums, influence_.lambda());
    double squares = 0;
    for (std::size_t i = 0; i < sums.dimension(); ++i)
      squares += std::pow(other.coefficients()[i] - influence_.coefficients()[i], 2);
    const double margin = (static_cast<double>(sums.dimension()) + 64) * unit_roundoff;
    return rounded_up(std::sqrt(squares) + other.error() + influence_.error(), margin);
  }

  LinearStatistics statistics_;
  RidgeInfluence influence_;
  bool moved_;
  std::optional<RealisedRidge> realised_;
};

CertifiedFactor sketch_factor(const LinearStatistics& statistics, double variance) {
  const std::vector<double> products = whole(statistics.values());
  const std::size_t width = statistics.dimension() + 1;
  const double error = 2 * unit_roundoff * trace(products, width);
  auto factor = CertifiedFactor::of(products, width, variance, error);
  if (factor) return std::move(*factor);
  throw Refusal("range", "sigma", shown(std::sqrt(variance)),
                "must be larger: doubles cannot tell the leverages of so large a table");
}

class SketchView final : public LinearView {
 public:
  SketchView(const LinearStatistics& statistics, double variance)
      : LinearView(statistics), variance_(variance), factor_(sketch_factor(statistics, variance)) {}

 private:
  void add_table(const GridRecords& records, Direction direction, RecordFacts& facts) const override {
    if (records.size() != 1) return;
    std::vector<double> z = records.features;
    z.push_back(records.labels[0]);
    const Interval leverage = factor_.forms(z).once;
    tell(direction == Direction::add ? leverage / (Interval(1) + leverage) : leverage, facts);
  }

  void add_table_to_each(const GridRecords& records, std::span<RecordFacts> facts) const override {
    constexpr std::size_t strip = CertifiedFactor::strip;
    for (std::size_t i = 0; i < records.size(); i += strip) {
      const std::size_t count = std::min(strip, records.size() - i);
      std::vector<double> z;
      for (std::size_t k = i; k < i + count; ++k) {
        const auto row = records.row(k);
        z.insert(z.end(), row.begin(), row.end());
        z.push_back(records.labels[k]);
      }
      const auto forms = factor_.forms(z, count, false);
      for (std::size_t k = 0; k < count; ++k) tell(forms[k].once, facts[i + k]);
    }
  }

  void tell(Interval leverage, RecordFacts& facts) const {
    // Whatever the others are, and nothing where there is nothing of the record.
    const double square = facts.whole_square;
    if (square == 0) return;
    const Interval most = Interval(square) / (Interval(square) + Interval(variance_));
    facts.leverage = smaller(leverage, most.upper());
  }

  double variance_;
  CertifiedFactor factor_;
};

}  // namespace

std::unique_ptr<const RecordView> linear_view(const LinearStatistics& empty, const FactsNeeded& needed,
                                              Pieces table, std::span<const NoisyOutput> outputs,
                                              const Release& run, const Progress& progress) {
  if (needed.of == FactsNeeded::Of::record && outputs.empty()) return std::make_unique<SizesView>(empty);
  LinearStatistics statistics = empty;
  for (const Records& piece : table) statistics.add(piece, part_of(progress, 0, 0.9));
  if (needed.of == FactsNeeded::Of::sketch)
    return std::make_unique<SketchView>(statistics, needed.regularisation);
  std::unique_ptr<LinearView> view;
  if (needed.of == FactsNeeded::Of::record) {
    view = std::make_unique<SizesView>(empty);
  } else {
    view = std::make_unique<RidgeView>(statistics, needed);
  }
  const auto can_be_told = [&](const NoisyOutput& output) {
    return output.of != NoisyOutput::Of::eigenvalue || statistics.dimension() <= largest_eigensystem;
  };
  if (!outputs.empty() && holds_all_rows(outputs, statistics.count()) &&
      std::all_of(outputs.begin(), outputs.end(), can_be_told))
    view->use_outputs(statistics, outputs, run, part_of(progress, 0.9, 1));
  return view;
}

}  // namespace epsilometer
