#include "core/accounting/composition/steering/search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/accounting/composition/certificate.h"
#include "core/accounting/composition/steering/effort.h"

namespace epsilometer {
namespace {

// No finite epsilon is looked for beyond this.
constexpr double most_epsilon = 1e300;

// A step that is made coarser by more than this will not be as fine as it should.
constexpr double much_coarser = 1.5;

// No delta that is asked about is smaller than e^this, nor can be told from it.
constexpr double smallest_log_delta = -740;

bool too_steep(const TiltedPart& part) {
  const Law& law = *part.law;
  return std::isinf(law.highest_x() - law.lowest_x()) &&
         (part.to_x - part.from_x) * law.log_slope_bound(part.from_x, part.to_x) > effort::most_change;
}

// What is known well already is not known better by a step that is coarser than asked.
double coarsest(const Bounds& known, double step) {
  return is_narrow(known, effort::even_enough) ? much_coarser * step : infinite;
}

bool can_be_cut(const std::vector<TiltedPart>& parts) {
  return !parts.empty() && std::none_of(parts.begin(), parts.end(), too_steep);
}

}  // namespace

Search::Search(const std::vector<RepeatedLaw>& laws)
    : steering_(laws), uneven_(laws.size() <= effort::many_laws && !(steering_.steps().spacing() > 0)) {
  for (const RepeatedLaw& one : laws) uneven_ = uneven_ && UnevenSum::can_cut(*one.law);
}

bool Search::has_many() const { return steering_.laws().size() > effort::many_laws; }

// The integral along the line through a tilt, for losses near its centre.
std::optional<Contour> Search::contour(const Tilt& tilted, double log_delta, double deeper) const {
  if (const auto line = steering_.line_of_samples(tilted, log_delta, deeper)) {
    auto found = Contour::along_samples(line->plan, line->parts);
    // Where a few rare losses are most of the spread, what wraps around may be more than what is sought.
    if (found && is_narrow({found->lower(tilted.centre), found->upper(tilted.centre)}, 0.1)) return found;
  }
  const auto line = steering_.line(tilted, log_delta, deeper);
  return line ? Contour::along(line->plan, line->parts) : std::nullopt;
}

// The sum near a tilt, for losses near the asked one.
std::optional<TiltedSum> Search::sum(const Tilt& tilted, const SumTarget& target, double step,
                                     double coarsest) const {
  const std::vector<TiltedPart> parts = steering_.parts(tilted, target);
  if (!can_be_cut(parts)) return std::nullopt;
  const auto window = steering_.window(tilted, parts, target, step);
  if (!window || window->step > coarsest) return std::nullopt;
  return TiltedSum(*window, parts, target.log_delta);
}

// Where no line is known, releases are few and skewed: knots tell then in little time what even steps tell
// late, unless more is asked than they can tell.
Bounds Search::epsilon(double delta, double gap) const {
  const Tilt tilted = tilts().for_delta(std::log(delta));
  Bounds best = line_epsilon(tilted, delta, gap);
  const bool has_line = best.upper < infinite;
  if (!has_line && uneven_) best = uneven_epsilon(delta, gap, best, tilted, Patience::while_hopeful);
  if (is_narrow(best, gap)) return best;
  best = even_epsilon(tilted, delta, gap, best);
  const double enough = has_line ? std::max(gap, effort::even_enough) : gap;
  return uneven_ && !is_narrow(best, enough) ? uneven_epsilon(delta, gap, best, tilted, Patience::to_the_end)
                                             : best;
}

// By an integral, and where that is not as narrow as asked by one that is cut off later.
Bounds Search::line_epsilon(const Tilt& tilted, double delta, double gap) const {
  Bounds best{0, infinite};
  const double reach = tilted.spread;
  double deeper = 0;
  for (int pass = 0; pass < 2 && !is_narrow(best, gap); ++pass) {
    const auto line = contour(tilted, std::log(delta), deeper);
    if (!line) break;
    best = narrowed(
        best, epsilon_by(*line, delta, {tilted.centre - reach, tilted.centre + reach, tilted.centre, reach}));
    if (!(best.upper < infinite)) break;
    deeper = 2 + std::log((best.upper - best.lower) / best.upper / gap);
  }
  return best;
}

// By transforms of ever finer steps.
Bounds Search::even_epsilon(const Tilt& tilted, double delta, double gap, Bounds best) const {
  double step = steering_.steps().for_gap(tilted, gap);
  const bool may_be_uneven = uneven_ && steering_.most_uneven_cells() >= effort::least_uneven_cells;
  // What is cut must not show beside the gap.
  const double depth = std::max(17.0, 4 - std::log(gap));
  SumTarget target{tilted.centre, std::log(delta), steering_.depth(depth)};
  for (int pass = 0; pass < 4; ++pass, target.depth += 4) {
    const auto at = sum(tilted, target, step, coarsest(best, step));
    if (!at) break;
    best = narrowed(best, epsilon_by(*at, delta, {at->low(), at->high(), tilted.centre, tilted.spread}));
    const double width = (best.upper - best.lower) / best.upper;
    // Finer is not to be had when this step was a coarser one already.
    if (!(width > gap) || at->step() > much_coarser * step || (may_be_uneven && width > effort::hopeless))
      break;
    const double finer = width < 1 ? std::clamp(0.95 * std::sqrt(gap / width), 0.2, 0.8) : 0.5;
    step = steering_.steps().aligned(step * finer);
    if (width < 1) target.epsilon = best.upper;
  }
  return best;
}

// The laws on uneven knots, first coarsely, which tells where the answer is.
Bounds Search::uneven_epsilon(double delta, double gap, Bounds best, const Tilt& tilted,
                              Patience patience) const {
  // Chernoff's bound first, and far below it.
  double high = std::min(best.upper, 2 * std::max(tilted.centre, tilted.spread));
  double low = std::max(best.lower, 1e-4 * high);
  std::optional<UnevenSum> at;
  for (std::size_t cells = effort::fewest_uneven_cells; cells > 0 && low > 0;
       cells = more_cells(cells, best, gap, patience)) {
    at = uneven_sum({low, high, std::log(delta), cells, at ? &*at : nullptr});
    if (!at) break;
    best = narrowed(best, epsilon_anywhere_by(*at, delta, most_epsilon));
    if (is_narrow(best, gap)) break;
    high = std::min(high, best.upper);
    low = std::clamp(best.lower, 1e-4 * high, high);
  }
  return best;
}

// What an earlier answer has made serves as long as it is narrow there, and tells the same as then. How small
// delta is cannot be told by a tilt, and no cut is too deep.
Bounds Search::uneven_delta(double epsilon, Bounds best, double gap) const {
  Bounds found = best;
  const auto is_narrow_by_it = [&](double enough) {
    found = narrowed(best, delta_by(*uneven_sum_, epsilon));
    return is_narrow(found, enough);
  };
  if (uneven_sum_ && is_narrow_by_it(std::max(gap, effort::even_enough))) return found;
  // The target must be positive.
  const double near = std::max(epsilon, 1e-3 * tilts().at(1e-9).spread);
  for (std::size_t cells = effort::fewest_uneven_cells; cells > 0;
       cells = more_cells(cells, found, gap, Patience::to_the_end)) {
    const auto coarser = cells > effort::fewest_uneven_cells ? std::move(uneven_sum_) : std::nullopt;
    uneven_sum_ = uneven_sum({near, near, smallest_log_delta, cells, coarser ? &*coarser : nullptr});
    if (!uneven_sum_ || is_narrow_by_it(gap)) break;
  }
  return found;
}

// The width falls with the square of how many there are. None, where there may be no more.
std::size_t Search::more_cells(std::size_t cells, const Bounds& known, double gap, Patience patience) const {
  const std::size_t most = steering_.most_uneven_cells();
  const auto now = static_cast<double>(cells), last = static_cast<double>(most);
  const double lacking = std::sqrt((known.upper - known.lower) / known.upper / gap);
  const bool is_hopeless = is_narrow(known, effort::even_enough) && lacking * now > last;
  if (cells >= most || (patience == Patience::while_hopeful && is_hopeless)) return 0;
  const double times = lacking < 2 ? std::clamp(1.1 * lacking, 1.25, 2.0) : 2;
  return static_cast<std::size_t>(std::min(last, times * now));
}

std::optional<UnevenSum> Search::uneven_sum(const UnevenSum::Target& target) const {
  const std::vector<TiltedPart> parts = steering_.untilted_parts(target.log_delta);
  return can_be_cut(parts) ? UnevenSum::of(parts, target) : std::nullopt;
}

// By Chernoff's inequality at the one tilt at which losses far below epsilon say so.
bool Search::seems_below(double negligible, double epsilon) const {
  const double depth = -std::log(negligible);
  return epsilon > 0 && tilts().at(3 * depth / epsilon).log_scale < depth;
}

void Search::forget() const {
  line_.reset();
  last_.reset();
  uneven_sum_.reset();
}

// The integral of an earlier question serves as long as it is accurate there, a sum for the losses a little
// above the one it was made for.
Bounds Search::delta(double epsilon, double gap) const {
  const auto on_line = [&] { return line_ ? delta_by(*line_, epsilon) : Bounds{0, 1}; };
  Bounds best = on_line();
  if (is_narrow(best, gap)) return best;
  const Tilt tilted = tilts().for_epsilon(epsilon);
  // Chernoff's bound is above delta; what the saddle point takes off, and a little more, is charged as well.
  const double chernoff = tilted.log_scale - tilted.theta * epsilon;
  const double log_delta = std::max(smallest_log_delta, chernoff - 10);
  const bool elsewhere = !last_ || epsilon < last_from_ || epsilon > last_to_;
  if (elsewhere) line_ = contour(tilted, log_delta, 0);
  best = on_line();
  if (is_narrow(best, gap)) return best;
  const double enough = std::max(gap, effort::even_enough);
  if (!line_ && uneven_) best = uneven_delta(epsilon, best, gap);
  if (is_narrow(best, enough)) return best;
  if (elsewhere || gap < last_gap_) {
    last_ = sum(tilted, {epsilon, log_delta, steering_.depth(25)}, steering_.steps().for_gap(tilted, gap),
                infinite);
    last_gap_ = gap;
    last_from_ = epsilon;
    last_to_ = epsilon + std::min(tilted.spread, 3 / tilted.theta);
  }
  if (last_) best = narrowed(best, delta_by(*last_, epsilon));
  return line_ && uneven_ && !is_narrow(best, enough) ? uneven_delta(epsilon, best, enough) : best;
}

}  // namespace epsilometer
