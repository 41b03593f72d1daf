#include "core/report/personal/minimum_moves.h"

#include <cmath>
#include <cstring>
#include <optional>

#include "core/numerics/certified_factor.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/realised_loss.h"
#include "core/report/personal/table_sums.h"

namespace epsilometer {
namespace {

// How much larger than the truth what is told of a row may be without a refit.
constexpr double closeness = 0x1p-6;
// |e| as a share of p |w| beyond which nobody looks.
constexpr double largest_share = 0x1p-6;
// S, where losses are curved.
constexpr double longest_way = 0x1p-4;
constexpr int most_rounds = 32;
constexpr std::size_t most_jumps = 128;
constexpr std::size_t rows_until_look = 64;
// Of all that is to do: what is to be known before the first row is told.
constexpr double known = 0.2;

// The jumps that rows may come to, in the order of the distance of coefficients from which on: sixteen steps
// for each factor of two.
class Jumps {
 public:
  static std::size_t step_of(double distance) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &distance, sizeof bits);
    return bits >> shift;
  }
  // The least distance of a step.
  static double start_of(std::size_t step) {
    const std::uint64_t bits = static_cast<std::uint64_t>(step) << shift;
    double distance = 0;
    std::memcpy(&distance, &bits, sizeof bits);
    return distance;
  }
  static constexpr std::size_t steps = 0x7ff0;

  // The row, its norm, how far its prediction is from the jump at least, and h |H^{-1} x|.
  struct Jump {
    std::size_t row;
    double norm, away, weight;
  };
  void add(std::size_t step, const Jump& jump) {
    if (ends_.empty()) ends_.resize(steps + 1);
    ++ends_[step];
    unsorted_.emplace_back(step, jump);
  }
  void sort() {
    for (std::size_t i = 1; i < ends_.size(); ++i) ends_[i] += ends_[i - 1];
    sorted_.resize(unsorted_.size());
    std::vector<std::size_t> places = ends_;
    for (const auto& [step, jump] : unsorted_) sorted_[--places[step]] = jump;
    unsorted_ = {};
  }
  // All of that distance or less, and few others.
  std::span<const Jump> within(double distance) const {
    return std::span(sorted_).first(ends_.empty() ? 0 : ends_[std::min(step_of(distance), steps)]);
  }

 private:
  static constexpr int shift = 48;
  std::vector<std::size_t> ends_;
  std::vector<std::pair<std::size_t, Jump>> unsorted_;
  std::vector<Jump> sorted_;
};

class Moves {
 public:
  Moves(const PublicModel& model, double lambda, Pieces table, const Minimum& minimum,
        std::span<const double> direction, const Progress& progress, double most_refitted)
      : model_(model),
        records_(table, *model.loss, model.bounds),
        table_(table),
        minimum_(minimum),
        direction_(direction),
        progress_(progress),
        lambda_(lambda),
        is_curved_(model.name == "logistic" || model.name == "poisson"),
        margin_((4 * static_cast<double>(records_.dimension()) + 256) * unit_roundoff),
        refits_left_(most_refitted / static_cast<double>(records_.count())) {
    for (const double one : minimum.theta) reach_ += one * one;
    reach_ = rounded_up(std::sqrt(reach_), margin_);
    straight_ = length_of(direction);
    doubt_ = rounded_up(minimum.gradient / lambda + tail_of(minimum));
    factorise();
    if (factor_) weigh();
  }

  // Tells the moves of rows that were read together, from one on.
  template <typename Each>
  void of(std::size_t first, const BoundedRecords::Several& rows, const Each& each) {
    std::vector<CertifiedFactor::SolutionWithForm> solutions;
    if (factor_) solutions = factor_->solve(rows.features, rows.size(), weights_);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Row row{rows.row(k), rows.records[k]};
      each(row.record, of(first + k, row, factor_ ? &solutions[k] : nullptr));
    }
  }

  const BoundedRecords& records() const { return records_; }

 private:
  struct Row {
    std::span<const double> x;
    const BoundedRecords::Record& record;
  };

  MinimumMove of(std::size_t i, const Row& row, const CertifiedFactor::SolutionWithForm* solution) {
    const auto& [x, record] = row;
    if (record.norm == 0) return {0, 0};
    const Place place = place_of(row);
    const MinimumMove move = solution ? told(row, place, *solution) : anywhere({0, HUGE_VAL});
    const double upper = move.length.upper();
    if (upper <= move.length.lower() * (1 + closeness) + 2 * doubt_) return move;
    if (--refits_left_ >= 0) return refitted(i, start_of(record, place, x, solution));
    // What is strongly convex is moved by no more than the row's gradient there over lambda.
    const double slope = std::max(std::abs(records_.at(record, place.u + place.doubt).first),
                                  std::abs(records_.at(record, place.u - place.doubt).first));
    const double gradient = std::min(record.limit, slope + slack(record, slope)) * record.norm;
    return anywhere({0, std::min(upper, rounded_up(gradient / lambda_ + 2 * doubt_))});
  }

  // Of a row: its prediction, and by how much that is in doubt, the rounding of sums with it and its label
  // included.
  struct Place {
    double u, doubt;
  };
  Place place_of(const Row& row) const {
    const auto& record = row.record;
    return {product(row.x, minimum_.theta),
            rounded_up(record.norm * (doubt_ + margin_ * reach_) + margin_ * std::abs(record.label))};
  }
  static double product(std::span<const double> x, std::span<const double> y) {
    return quick_sum(x.size(), [=](std::size_t j) { return x[j] * y[j]; });
  }

  // About where the minimum is without a row.
  std::vector<double> start_of(const BoundedRecords::Record& record, Place place, std::span<const double> x,
                               const CertifiedFactor::Solution* solution) const {
    std::vector<double> start = minimum_.theta;
    if (!solution) return start;
    const LossAt here = records_.at(record, place.u);
    const double leverage = product(x, solution->values);
    const double ahead =
        std::clamp(here.first / std::max(0x1p-4, 1 - here.second * leverage), -record.limit, record.limit);
    for (std::size_t j = 0; j < start.size(); ++j) start[j] += ahead * solution->values[j];
    return start;
  }

  // What H is of, and how far off: the second derivatives as doubles find them, at a point this close.
  void factorise() {
    const std::size_t d = records_.dimension();
    ProductSum sum(d);
    records_.in_strips(rows_until_look, part_of(progress_, 0, 0.1),
                       [&](std::size_t, BoundedRecords::Several& rows) {
                         for (std::size_t k = 0; k < rows.size(); ++k) {
                           const std::span<double> x = rows.row(k);
                           const BoundedRecords::Record& record = rows.records[k];
                           longest_ = std::max(longest_, record.norm);
                           const double root = std::sqrt(records_.at(record, place_of({x, record}).u).second);
                           for (double& one : x) one *= root;
                           sum.add(x);
                         }
                       });
    const std::vector<double> values = sum.values();
    const double off = longest_ * (doubt_ + margin_ * reach_);
    if (!(off < 0x1p-20)) return;
    const double error = (sum.error() + margin_ + 2 * off) * trace(values, d) + 0x1p-900;
    factor_ = CertifiedFactor::of(values, d, lambda_, rounded_up(error));
  }

  // Q and B.
  void weigh() {
    const std::size_t d = records_.dimension();
    ProductSum sum(d);
    const auto add = [&](std::size_t i, std::span<double> x, const BoundedRecords::Record& record,
                         double length) {
      if (record.norm == 0) return;
      const Place place = place_of({x, record});
      const double limit = std::min(record.limit, model_.loss->steepness());
      const std::size_t step = first_jump(record, place);
      if (step < Jumps::steps)
        jumps_.add(step, {i, record.norm, Jumps::start_of(step) * record.norm,
                          rounded_up(model_.loss->curvature_at(record.label, limit) * length)});
      const LossAt at = records_.at(record, place.u);
      const double root = std::sqrt(at.second * bend_of(at.first) * length * (1 + 0x1p-18));
      for (double& one : x) one *= root;
      sum.add(x);
    };
    records_.in_strips(rows_until_look, part_of(progress_, 0.1, known),
                       [&](std::size_t first, BoundedRecords::Several& rows) {
                         const auto forms = factor_->forms(rows.features, rows.size());
                         for (std::size_t k = 0; k < rows.size(); ++k)
                           add(first + k, rows.row(k), rows.records[k],
                               rounded_up(std::sqrt(forms[k].twice.upper())));
                       });
    jumps_.sort();
    const std::vector<double> values = sum.values();
    whole_ = rounded_up(trace(values, d), margin_);
    weights_ = values;
  }

  double length_of(std::span<const double> values) const {
    double squares = 0;
    for (const double one : values) squares += one * one;
    return rounded_up(std::sqrt(squares), margin_);
  }

  MinimumMove anywhere(Interval length) const {
    const double far = direction_.empty() ? 0 : rounded_up(length.upper() * straight_);
    return {length, {-far, far}};
  }

  // What |h' - h| / (h |x.v|) is at most for a row of that derivative: half of the third by the second, and
  // S e^S / 6 < 2^-6 for what they change on the way.
  double bend_of(double first) const {
    if (!is_curved_) return 0;
    return (model_.loss->one_signed() ? std::abs(0.5 - std::abs(first)) : 0.5) + 0x1p-6;
  }

  // The step of the distances at which the second derivative of a row may jump; the last one where it does
  // not.
  std::size_t first_jump(const BoundedRecords::Record& record, Place place) const {
    if (model_.loss->one_signed() && record.limit >= model_.loss->steepness()) return Jumps::steps;
    const auto stays = [&](std::size_t step) {
      const double away = rounded_up(Jumps::start_of(step) * record.norm) + place.doubt;
      const int side = side_of(record, place.u - away);
      return side != 2 && side == side_of(record, place.u + away);
    };
    // Nothing is moved further than the longest gradient can.
    std::size_t low = 0, high = Jumps::step_of(2 * model_.lipschitz / lambda_) + 1;
    if (stays(high)) return Jumps::steps;
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      if (stays(middle + 1)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  // Where the derivative is at its limit, by its sign, or within it, 0; 2 where doubles cannot tell.
  int side_of(const BoundedRecords::Record& record, double u) const {
    const LossAt free = model_.loss->at(u, record.label), at = records_.at(record, u);
    const double limit = record.limit, beside = std::abs(std::abs(free.first) - limit);
    if (std::isfinite(limit) && beside <= 0x1p-40 * (limit + std::abs(record.label))) return 2;
    return at.second > 0 ? 0 : at.first > 0 ? 1 : -1;
  }

  // The size of the row's derivative at predictions that are further away from its label by s, and no less.
  double slope(const BoundedRecords::Record& record, Place place, double sign, double s) const {
    return sign * records_.at(record, place.u + sign * s).first;
  }
  // How far off the derivative may be by itself: that of the logistic loss relatively.
  double slack(const BoundedRecords::Record& record, double slope) const {
    const double label = model_.loss->one_signed() ? 0 : std::abs(record.label);
    return 0x1p-46 * (slope + 2 * label) + 0x1p-1000;
  }

  // How far a row moves the minimum.
  MinimumMove told(const Row& row, Place place, const CertifiedFactor::SolutionWithForm& solution) const {
    const BoundedRecords::Record& record = row.record;
    const std::vector<double>& w = solution.values;
    const double leverage = product(row.x, w), squares = product(w, w), length = std::sqrt(squares),
                 most = rounded_up(length, margin_) + solution.error,
                 least = length * (1 - margin_) - solution.error,
                 unknown = rounded_up(solution.error + margin_ * length), off = record.norm * unknown,
                 root = std::sqrt(whole_);
    const double spread = rounded_up(std::sqrt(std::max(0.0, solution.form) + margin_ * whole_ * squares) +
                                     root * solution.error);
    const double sign = records_.at(record, place.u).first < 0 ? -1 : 1, doubt = place.doubt;
    // Where the sign is not known it may be the other way.
    const double other = slope(record, place, -sign, doubt);
    const bool is_signed = other + slack(record, std::abs(other)) < 0;
    const auto above = [&](double s) {
      double slope = this->slope(record, place, sign, s + doubt);
      slope += slack(record, slope);
      if (!is_signed) {
        const double there = this->slope(record, place, -sign, s + doubt);
        slope = std::max(slope, there + slack(record, std::abs(there)));
      }
      return std::min(slope, record.limit);
    };
    const auto below = [&](double s) {
      const double slope = this->slope(record, place, sign, s - doubt);
      return std::max(0.0, slope - slack(record, std::abs(slope)));
    };
    double p = above(0);
    std::vector<double> along;
    for (int round = 0; round < most_rounds; ++round) {
      const double allowed = largest_share * p * most, far = rounded_up(p * most + allowed);
      const double curved = p * spread + root * allowed;
      double off_by = curved * curved;
      const auto jumps = jumps_.within(far);
      if (jumps.size() > most_jumps) break;
      for (std::size_t k = 0; k < jumps.size(); ++k) {
        const Jumps::Jump& jump = jumps[k];
        if (k == along.size()) along.push_back(along_row(jump.row, w) + jump.norm * unknown);
        off_by += jump.weight * std::max(0.0, p * along[k] + jump.norm * allowed - jump.away);
      }
      off_by = rounded_up(off_by, margin_);
      if (p > 0 && (!(off_by < allowed) || (is_curved_ && longest_ * far > longest_way))) break;
      const double beside = record.norm * off_by, next = above(rounded_up(p * (leverage + off) + beside));
      if (next <= p) {
        double low = 0, before = HUGE_VAL;
        for (int i = 0; i < most_rounds && low != before; ++i) {
          before = low;
          low = below(std::max(0.0, rounded_down(low * (leverage - off)) - beside));
        }
        return {
            {std::max(0.0, rounded_down(low * least) - off_by), rounded_up(next * most + off_by)},
            along_direction(solution, low > 0 ? Interval(sign) * Interval(low, next) : Interval(-next, next),
                            off_by)};
      }
      p = std::min(record.limit, next * (1 + 0x1p-9));
    }
    return anywhere({0, HUGE_VAL});
  }

  // g w - e times the direction.
  Interval along_direction(const CertifiedFactor::Solution& w, Interval g, double off_by) const {
    if (direction_.empty()) return 0;
    const double off = rounded_up((g.magnitude() * w.error + off_by) * straight_, 4 * unit_roundoff);
    return g * quick_dot(w.values, direction_) + Interval(-off, off);
  }

  double along_row(std::size_t i, std::span<const double> w) const {
    std::vector<double> x(w.size());
    records_.read(i, x);
    double sum = 0;
    for (std::size_t j = 0; j < w.size(); ++j) sum += x[j] * w[j];
    return std::abs(sum);
  }

  MinimumMove refitted(std::size_t i, std::span<const double> start) {
    const std::size_t d = records_.dimension(), n = records_.count();
    if (labels_.empty())
      for (const Records& piece : table_) {
        features_.insert(features_.end(), piece.features.begin(), piece.features.end());
        labels_.insert(labels_.end(), piece.labels.begin(), piece.labels.end());
      }
    const auto swap = [&] {
      if (i + 1 == n) return;
      std::swap_ranges(features_.begin() + static_cast<std::ptrdiff_t>(i * d),
                       features_.begin() + static_cast<std::ptrdiff_t>((i + 1) * d),
                       features_.end() - static_cast<std::ptrdiff_t>(d));
      std::swap(labels_[i], labels_.back());
    };
    swap();
    const Records others{n - 1, d, std::span(features_).first((n - 1) * d), std::span(labels_).first(n - 1)};
    const BoundedRecords bounded(others, *model_.loss, model_.bounds);
    const std::vector<double> none(d);
    const double share = share_of(i);
    const Progress same = [&](double) { return !progress_ || progress_(share); };
    const auto refit = [&](double tolerance) {
      return minimised({bounded, lambda_, none}, model_.smoothness, tolerance, same, start);
    };
    // A minimum that is known as closely as is told: about how far it moves comes from `start`.
    double squares = 0;
    for (std::size_t j = 0; j < d; ++j) squares += std::pow(start[j] - minimum_.theta[j], 2);
    const double least = model_.gradient_tolerance(static_cast<double>(d), 0);
    Minimum there = refit(std::max(least, lambda_ * std::sqrt(squares) * closeness / 4));
    const double found = distance(minimum_, there, lambda_);
    if (there.gradient > least && there.gradient > lambda_ * found * closeness / 4) there = refit(least);
    swap();
    return move_between(minimum_, there, lambda_, direction_);
  }

  double share_of(std::size_t i) const {
    return known + (1 - known) * static_cast<double>(i) / static_cast<double>(records_.count());
  }

  const PublicModel& model_;
  BoundedRecords records_;
  Pieces table_;
  const Minimum& minimum_;
  std::span<const double> direction_;
  const Progress& progress_;
  double lambda_;
  bool is_curved_;
  double margin_, refits_left_, reach_ = 0, straight_ = 0, doubt_ = 0, longest_ = 0, whole_ = 0;
  std::optional<CertifiedFactor> factor_;
  std::vector<double> weights_;
  Jumps jumps_;
  std::vector<double> features_, labels_;
};

}  // namespace

double tail_of(const Minimum& minimum) {
  double sum = 0;
  for (const double one : minimum.tail) sum += one * one;
  return rounded_up(std::sqrt(sum), 0x1p-20) + 0x1p-1000;
}

double distance(const Minimum& here, const Minimum& there, double lambda) {
  return move_between(here, there, lambda, {}).length.upper();
}

MinimumMove move_between(const Minimum& here, const Minimum& there, double lambda,
                         std::span<const double> direction) {
  const std::size_t d = here.theta.size();
  const double margin = (static_cast<double>(d) + 64) * unit_roundoff;
  std::vector<double> way(d);
  double squares = 0;
  for (std::size_t i = 0; i < d; ++i) {
    way[i] = there.theta[i] - here.theta[i];
    squares += way[i] * way[i];
  }
  const double length = std::sqrt(squares),
               doubt = rounded_up(tail_of(here) + tail_of(there) + (here.gradient + there.gradient) / lambda,
                                  margin);
  MinimumMove move{{std::max(0.0, rounded_down(length, margin) - doubt), rounded_up(length + doubt, margin)},
                   0};
  if (direction.empty()) return move;
  const double off =
      (square_root(quick_square(direction)) * (Interval(doubt) + Interval(2 * unit_roundoff * length)))
          .upper();
  move.along = quick_dot(way, direction) + Interval(-off, off);
  return move;
}

void minimum_moves(
    const PublicModel& model, double lambda, Pieces table, const Minimum& minimum,
    std::span<const double> direction, const Progress& progress,
    const std::function<void(const BoundedRecords::Record& row, const MinimumMove& move)>& each,
    double most_refitted) {
  Moves moves(model, lambda, table, minimum, direction, progress, most_refitted);
  moves.records().in_strips(
      rows_until_look, part_of(progress, known, 1),
      [&](std::size_t first, const BoundedRecords::Several& rows) { moves.of(first, rows, each); });
}

}  // namespace epsilometer
