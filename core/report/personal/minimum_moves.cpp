#include "core/report/personal/minimum_moves.h"

#include <array>
#include <cmath>
#include <cstring>

#include "core/numerics/quick_sum.h"
#include "core/report/personal/table_sums.h"

namespace epsilometer {
namespace {

// How much larger than the truth what is told of a row may be without a refit.
constexpr double closeness = 0x1p-6;
// |e| as a share of p |w| beyond which nobody looks.
constexpr double largest_share = 0x1p-6;
// The same where Q need not be known by itself.
constexpr double even_share = 0x1p-10;
// S, where losses are curved.
constexpr double longest_way = 0x1p-4;
// S e^S / 6 at most.
constexpr double bent_on_way = 0x1p-6;
constexpr int most_rounds = 32;
// How much larger each of them takes a row's derivative to be.
constexpr double more = 1 + 0x1p-9;
// What is left of a row's derivative when nobody looks for the rest.
constexpr double told_share = 0x1p-30;
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
  Moves(const PublicModel& model, double lambda, Pieces table, const RecordsAtMinimum& near,
        const RecordsAtMinimum::Place& place, std::span<const double> direction, const Progress& progress,
        double most_refitted)
      : model_(model),
        records_(table, *model.loss, model.bounds),
        table_(table),
        near_(near),
        minimum_{place.coefficients, std::vector<double>(records_.dimension()),
                 rounded_up(lambda * place.distance)},
        direction_(direction),
        progress_(progress),
        lambda_(lambda),
        is_curved_(model.name == "logistic" || model.name == "poisson"),
        margin_((4 * static_cast<double>(records_.dimension()) + 256) * unit_roundoff),
        refits_left_(most_refitted / static_cast<double>(records_.count())) {
    reach_ = length_of(place.coefficients);
    straight_ = length_of(direction);
    doubt_ = rounded_up(place.distance + tail_of(minimum_));
    if (near.knows_leverages()) weigh();
  }

  // Of rows that were read together, from one on.
  std::vector<MinimumMove> of(std::size_t first, const BoundedRecords::Several& rows) {
    std::vector<CertifiedFactor::Forms> found;
    if (is_weighed_ && forms_.empty()) found = near_.factor().forms(rows.features, rows.size());
    const std::span<const CertifiedFactor::Forms> forms =
        forms_.empty() ? std::span(std::as_const(found))
                       : std::span(std::as_const(forms_)).subspan(first, rows.size());
    std::array<double, CertifiedFactor::strip> curved{};
    if (!weights_.empty())
      curved = quadratic_forms(weights_, rows.features, rows.size(), records_.dimension());
    std::vector<MinimumMove> moves;
    moves.reserve(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      moves.push_back(
          of(first + k, {rows.row(k), rows.records[k]}, is_weighed_ ? &forms[k] : nullptr, curved[k]));
    return moves;
  }

  const BoundedRecords& records() const { return records_; }

 private:
  struct Row {
    std::span<const double> x;
    const BoundedRecords::Record& record;
  };

  // `forms`: where leverages are known; `curved`: x^T H^{-1} Q H^{-1} x as doubles find it, where Q is.
  MinimumMove of(std::size_t i, const Row& row, const CertifiedFactor::Forms* forms, double curved) {
    const auto& record = row.record;
    if (record.norm == 0) return {0, 0};
    const Place place = place_of(row);
    const MinimumMove move = forms ? told(row, place, *forms, curved) : anywhere({0, HUGE_VAL});
    const double upper = move.length.upper();
    if (upper <= move.length.lower() * (1 + closeness) + 2 * doubt_) return move;
    if (--refits_left_ >= 0) return refitted(i, start_of(row, place));
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
  std::vector<double> start_of(const Row& row, Place place) const {
    std::vector<double> start = minimum_.theta;
    if (!is_weighed_) return start;
    const auto& record = row.record;
    const LossAt here = records_.at(record, place.u);
    const std::vector<double> way = near_.factor().solve(row.x).values;
    const double leverage = product(row.x, way);
    const double ahead =
        std::clamp(here.first / std::max(0x1p-4, 1 - here.second * leverage), -record.limit, record.limit);
    for (std::size_t j = 0; j < start.size(); ++j) start[j] += ahead * way[j];
    return start;
  }

  // What is the same of all rows.
  void weigh() {
    const CertifiedFactor& factor = near_.factor();
    std::vector<double> between = near_.coefficients();
    for (std::size_t j = 0; j < between.size(); ++j) between[j] -= minimum_.theta[j];
    const double off = near_.longest() * (doubt_ + margin_ * reach_ + length_of(between));
    is_weighed_ = off < 0x1p-20;
    if (!is_weighed_) return;
    shifted_ = is_curved_ ? rounded_up(off * (1 + off) / std::sqrt(factor.floor())) : 0;
    spread_ = rounded_up(std::sqrt(near_.trace()));
    if (!direction_.empty()) seen_ = factor.solve(direction_);
    // No |H^{-1} x| is larger than |x| over H's smallest eigenvalue.
    if (is_curved_)
      even_ = rounded_up((near_.bend() / 2 + near_.longest() * bent_on_way) / factor.floor(), 0x1p-18);
    whole_ = rounded_up(even_ * near_.trace());
    const bool is_even = even_ * model_.lipschitz <= even_share;
    if (!near_.may_jump() && is_even) return;
    weigh_rows(!is_even);
  }

  // B, and Q if it is to be known.
  void weigh_rows(bool is_known) {
    const std::size_t d = records_.dimension();
    ProductSum sum(d);
    forms_.reserve(records_.count());
    const auto add = [&](std::size_t i, std::span<const double> x, const BoundedRecords::Record& record,
                         double length) {
      if (record.norm == 0) return;
      const Place place = place_of({x, record});
      const double limit = std::min(record.limit, model_.loss->steepness());
      const std::size_t step = first_jump(record, place);
      if (step < Jumps::steps)
        jumps_.add(step, {i, record.norm, Jumps::start_of(step) * record.norm,
                          rounded_up(model_.loss->curvature_at(record.label, limit) * length)});
      if (!is_known) return;
      const LossAt at = records_.at(record, place.u);
      const double bend = model_.loss->bend(at.first) / 2 + bent_on_way;
      sum.add(x, std::sqrt(at.second * bend * length * (1 + 0x1p-18)));
    };
    records_.in_strips(rows_until_look, part_of(progress_, 0, known),
                       [&](std::size_t first, const BoundedRecords::Several& rows) {
                         const auto forms = near_.factor().forms(rows.features, rows.size());
                         for (std::size_t k = 0; k < rows.size(); ++k)
                           add(first + k, rows.row(k), rows.records[k],
                               rounded_up(std::sqrt(forms[k].twice.upper())));
                         forms_.insert(forms_.end(), forms.begin(), forms.end());
                       });
    jumps_.sort();
    if (!is_known) return;
    const std::vector<double> values = sum.values();
    whole_ = rounded_up(trace(values, d), margin_);
    invert(values);
  }

  // H^{-1} Q H^{-1} by two solutions for each row, and how far off it may be in the Frobenius norm.
  void invert(std::span<const double> values) {
    const std::size_t d = records_.dimension();
    std::vector<double> whole(d * d);
    for (std::size_t row = 0, place = 0; row < d; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        whole[row * d + column] = whole[column * d + row] = values[place];
    double off = 0;
    for (const double share : {1 / near_.factor().floor(), 1.0}) {
      double squares = 0;
      std::vector<double> solved(d * d);
      for (std::size_t row = 0; row < d; ++row) {
        const auto found = near_.factor().solve(std::span(whole).subspan(row * d, d));
        squares += found.error * found.error;
        for (std::size_t column = 0; column < d; ++column) solved[column * d + row] = found.values[column];
      }
      whole = std::move(solved);
      off += share * std::sqrt(squares);
    }
    double squares = 0;
    for (std::size_t row = 0; row < d; ++row)
      for (std::size_t column = 0; column <= row; ++column) {
        const double one = whole[row * d + column];
        weights_.push_back(Pair{one, one});
        squares += 2 * one * one;
      }
    // A lower triangle has at most twice the squares of errors; each form is rounded by itself.
    weights_error_ = rounded_up(2 * off + margin_ * std::sqrt(squares), margin_);
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
  MinimumMove told(const Row& row, Place place, const CertifiedFactor::Forms& forms, double curved) const {
    const BoundedRecords::Record& record = row.record;
    const Interval length = square_root(forms.twice), leverage = forms.once;
    const double most = length.upper(), root = std::sqrt(whole_);
    const double squares = weights_.empty()
                               ? even_ * ((1 + margin_) * leverage.upper() - lambda_ * forms.twice.lower())
                               : std::max(0.0, curved) + margin_ * whole_ * most * most +
                                     weights_error_ * record.norm * record.norm;
    const double spread = rounded_up(std::sqrt(std::max(0.0, squares)), margin_);
    const double steep = shifted_ * std::sqrt(leverage.upper());
    const LossAt here = records_.at(record, place.u);
    const double sign = here.first < 0 ? -1 : 1, doubt = place.doubt;
    const bool is_plain = is_curved_ && !near_.may_jump();
    // About where the row's prediction moves to.
    const double about = is_plain ? std::abs(here.first) * leverage.upper() /
                                        std::max(0x1p-4, 1 - here.second * leverage.upper())
                                  : 0;
    const LossAt there = is_plain ? records_.at(record, place.u + sign * about) : here;
    // The derivative's size from there on: where no third derivative is larger than the second it is at most
    // that square off.
    const auto size = [&](double s, double side) {
      const double away = s - about;
      return is_plain && std::abs(away) <= longest_way
                 ? std::abs(there.first) + there.second * (away + side * away * away)
                 : slope(record, place, sign, s);
    };
    // Where the sign is not known it may be the other way.
    bool is_signed = is_plain;
    if (!is_plain) {
      const double other = slope(record, place, -sign, doubt);
      is_signed = other + slack(record, std::abs(other)) < 0;
    }
    const auto above = [&](double s) {
      double slope = size(s + doubt, 1);
      slope += slack(record, slope);
      if (!is_signed) {
        const double there = this->slope(record, place, -sign, s + doubt);
        slope = std::max(slope, there + slack(record, std::abs(there)));
      }
      return std::min(slope, record.limit);
    };
    const auto below = [&](double s) {
      const double slope = size(s - doubt, -1);
      return std::max(0.0, slope - slack(record, std::abs(slope)));
    };
    double p = is_plain ? above(about) * more : above(0);
    std::vector<double> along;
    CertifiedFactor::Solution way;
    for (int round = 0; round < most_rounds; ++round) {
      const double allowed = largest_share * p * most, far = rounded_up(p * most + allowed);
      const double curved_way = p * spread + root * allowed;
      double off_by = curved_way * curved_way + p * steep + shifted_ * spread_ * allowed;
      const auto jumps = jumps_.within(far);
      if (jumps.size() > most_jumps) break;
      if (!jumps.empty() && way.values.empty()) way = near_.factor().solve(row.x);
      for (std::size_t k = 0; k < jumps.size(); ++k) {
        const Jumps::Jump& jump = jumps[k];
        if (k == along.size())
          along.push_back(along_row(jump.row, way.values) + jump.norm * (way.error + margin_ * most));
        off_by += jump.weight * std::max(0.0, p * along[k] + jump.norm * allowed - jump.away);
      }
      off_by = rounded_up(off_by, margin_);
      if (p > 0 && (!(off_by < allowed) || (is_curved_ && near_.longest() * far > longest_way))) break;
      const double beside = record.norm * off_by, next = above(rounded_up(p * leverage.upper()) + beside);
      if (next <= p) {
        // Each of them is right; from one to the next they come nearer to what they go to.
        double low = 0, before = HUGE_VAL;
        for (int i = 0; i < most_rounds && std::abs(low - before) > told_share * low; ++i) {
          before = low;
          low = below(std::max(0.0, rounded_down(low * leverage.lower()) - beside));
        }
        return {
            {std::max(0.0, rounded_down(low * length.lower()) - off_by), rounded_up(next * most + off_by)},
            along_direction(row, low > 0 ? Interval(sign) * Interval(low, next) : Interval(-next, next),
                            off_by)};
      }
      p = std::min(record.limit, next * more);
    }
    return anywhere({0, HUGE_VAL});
  }

  // g w - e times the direction: w times it is x times what solves for it.
  Interval along_direction(const Row& row, Interval g, double off_by) const {
    if (direction_.empty()) return 0;
    const double off =
        rounded_up(g.magnitude() * row.record.norm * seen_.error + off_by * straight_, 4 * unit_roundoff);
    return g * quick_dot(row.x, seen_.values) + Interval(-off, off);
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
  const RecordsAtMinimum& near_;
  Minimum minimum_;
  std::span<const double> direction_;
  const Progress& progress_;
  double lambda_;
  bool is_curved_, is_weighed_ = false;
  double margin_, refits_left_, reach_ = 0, straight_ = 0, doubt_ = 0;
  // Q is at most `even_` times H without lambda, and no eigenvalue of Q larger than `whole_`.
  double even_ = 0, whole_ = 0;
  // r over the root of H's smallest eigenvalue, and the root of its largest one without lambda.
  double shifted_ = 0, spread_ = 0;
  // Of each row, where they are asked for twice.
  std::vector<CertifiedFactor::Forms> forms_;
  // H^{-1} Q H^{-1}, where it is known, and what solves for the direction.
  std::vector<Pair> weights_;
  double weights_error_ = 0;
  CertifiedFactor::Solution seen_;
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
    const PublicModel& model, double lambda, Pieces table, const RecordsAtMinimum& near,
    const RecordsAtMinimum::Place& place, std::span<const double> direction, const Progress& progress,
    const std::function<void(const BoundedRecords::Several& rows, std::span<const MinimumMove> moves)>& some,
    double most_refitted) {
  Moves moves(model, lambda, table, near, place, direction, progress, most_refitted);
  moves.records().in_strips(
      rows_until_look, part_of(progress, known, 1),
      [&](std::size_t first, const BoundedRecords::Several& rows) { some(rows, moves.of(first, rows)); });
}

}  // namespace epsilometer
