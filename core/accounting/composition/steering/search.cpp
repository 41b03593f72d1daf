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

// By how much a step that told an interval of that width is made smaller for one as wide as the gap: the
// width falls with the step's square, or more slowly.
double finer(double gap, double width) {
  return width < 1 ? std::clamp(0.95 * std::sqrt(gap / width), 0.2, 0.8) : 0.5;
}

bool can_be_cut(const std::vector<TiltedPart>& parts) {
  return !parts.empty() && std::none_of(parts.begin(), parts.end(), too_steep);
}

}  // namespace

Search::Search(const std::vector<RepeatedLaw>& laws)
    : steering_(laws), uneven_(laws.size() <= effort::many_laws && !(steering_.steps().spacing() > 0)) {
  for (const auto& [law, count] : laws) {
    uneven_ = uneven_ && UnevenSum::can_cut(*law);
    analytic_ = analytic_ && (law->analytic_halfwidth() > 0 || !law->has_density());
  }
  analytic_ = analytic_ && uneven_;
}

bool Search::has_many() const { return steering_.laws().size() > effort::many_laws; }

// What a sum near a tilt is made of, for losses near the asked one.
struct Search::EvenPlan {
  std::vector<TiltedPart> parts;
  Window window;
  double log_delta;

  bool is_coarser_than(double step) const { return window.step > much_coarser * step; }
  double effort(const Steering& steering) const { return steering.effort_of(window, parts); }
  TiltedSum sum() const { return {window, parts, log_delta}; }
};

std::optional<Search::EvenPlan> Search::even_plan(const Tilt& tilted, const SumTarget& target,
                                                  double step) const {
  std::vector<TiltedPart> parts = steering_.parts(tilted, target);
  if (!can_be_cut(parts)) return std::nullopt;
  const auto window = steering_.window(tilted, parts, target, step);
  if (!window) return std::nullopt;
  return EvenPlan{std::move(parts), *window, target.log_delta};
}

// Infinite, where there is none as fine as asked, and where it is not known how long a cell takes: one of a
// law that is not analytic, such as a mixture, whose losses have no inverse in closed form, takes far longer.
// Nor is it asked of many laws: to plan it takes longer than it is worth.
double Search::effort_of_even(const Tilt& tilted, const SumTarget& target, double step) const {
  if (!analytic_) return infinite;
  const auto plan = even_plan(tilted, target, step);
  return plan && !plan->is_coarser_than(step) ? plan->effort(steering_) : infinite;
}

// The integral along the line through a tilt, for losses near its centre, unless even steps of that size,
// where it is not 0, take far less time.
std::optional<Contour> Search::contour(const Tilt& tilted, const SumTarget& target, double step,
                                       double deeper) const {
  if (const auto line = steering_.line_of_samples(tilted, target.log_delta, deeper)) {
    auto found = Contour::along_samples(line->plan, line->parts);
    // Where a few rare losses are most of the spread, what wraps around may be more than what is sought.
    if (found && is_narrow({found->lower(tilted.centre), found->upper(tilted.centre)}, 0.1)) return found;
  }
  const auto line = steering_.line(tilted, target.log_delta, deeper);
  if (!line) return std::nullopt;
  const double rival = step > 0 ? effort_of_even(tilted, target, step) : infinite;
  return Contour::along(line->plan, line->parts, effort::worth_of_line * effort::terms_of_pair * rival);
}

// Where no line is known, releases are few and skewed: knots tell then in little time what even steps tell
// late, or the other way round, unless more is asked than they can tell.
Bounds Search::epsilon(double delta, double gap) const {
  const Tilt tilted = tilts().for_delta(std::log(delta));
  // What is cut must not show beside the gap.
  const SumTarget target{tilted.centre, std::log(delta), steering_.depth(std::max(17.0, 4 - std::log(gap)))};
  const double step = steering_.steps().for_gap(tilted, gap);
  Bounds best = line_epsilon(tilted, target, step, delta, gap);
  const bool has_line = best.upper < infinite;
  double rival = 0, effort_left = infinite;
  if (!has_line && uneven_) {
    rival = effort_of_even(tilted, target, step);
    best = uneven_epsilon(delta, gap, best, tilted, rival, effort_left);
  }
  if (is_narrow(best, gap)) return best;
  best = even_epsilon(tilted, target, step, delta, gap, best, effort_left);
  const double enough = has_line ? std::max(gap, effort::even_enough) : gap;
  if (is_narrow(best, enough)) return best;
  if (!uneven_) return best;
  if (!has_line) best = narrowed(best, line_epsilon(tilted, target, 0, delta, gap));
  return rival == infinite || is_narrow(best, enough)
             ? best
             : uneven_epsilon(delta, gap, best, tilted, infinite, effort_left);
}

// By an integral, and where that is not as narrow as asked by one that is cut off later.
Bounds Search::line_epsilon(const Tilt& tilted, const SumTarget& target, double step, double delta,
                            double gap) const {
  Bounds best{0, infinite};
  const double reach = tilted.spread;
  double deeper = 0;
  for (int pass = 0; pass < 2 && !is_narrow(best, gap); ++pass) {
    const auto line = contour(tilted, target, step, deeper);
    if (!line) break;
    best = narrowed(
        best, epsilon_by(*line, delta, {tilted.centre - reach, tilted.centre + reach, tilted.centre, reach}));
    if (!(best.upper < infinite)) break;
    deeper = 2 + std::log((best.upper - best.lower) / best.upper / gap);
  }
  return best;
}

// By transforms of ever finer steps, as long as another way, which takes as long as `rival`, is not faster.
Bounds Search::even_epsilon(const Tilt& tilted, SumTarget target, double step, double delta, double gap,
                            Bounds best, double rival) const {
  const bool may_be_uneven = uneven_ && steering_.most_uneven_cells() >= effort::least_uneven_cells;
  for (int pass = 0; pass < 4; ++pass, target.depth += 4) {
    const auto plan = even_plan(tilted, target, step);
    // What is known well already is not known better by a step that is coarser than asked.
    if (!plan || (is_narrow(best, effort::even_enough) && plan->is_coarser_than(step))) break;
    if (pass > 0 && plan->effort(steering_) > rival) break;
    const TiltedSum at = plan->sum();
    best = narrowed(best, epsilon_by(at, delta, {at.low(), at.high(), tilted.centre, tilted.spread}));
    const double width = (best.upper - best.lower) / best.upper;
    // Finer is not to be had when this step was a coarser one already.
    if (!(width > gap) || plan->is_coarser_than(step) || (may_be_uneven && width > effort::hopeless)) break;
    step = steering_.steps().aligned(step * finer(gap, width));
    if (width < 1) target.epsilon = best.upper;
  }
  return best;
}

// The same, for losses a little above the asked one too: kept for other questions.
void Search::make_even(const Tilt& tilted, const SumTarget& target, double step, double gap, int passes,
                       const Bounds& known, double rival) const {
  for (int pass = 0; pass < passes; ++pass) {
    const auto plan = even_plan(tilted, target, step);
    if (!plan || (pass > 0 && plan->effort(steering_) > rival)) break;
    last_ = plan->sum();
    last_gap_ = gap;
    last_from_ = target.epsilon;
    last_to_ = target.epsilon + std::min(tilted.spread, 3 / tilted.theta);
    const Bounds found = narrowed(known, delta_by(*last_, target.epsilon));
    const double width = (found.upper - found.lower) / found.upper;
    if (!(width > gap) || plan->is_coarser_than(step) || width > effort::hopeless) break;
    const double next = steering_.steps().aligned(step * finer(gap, width));
    if (!(next < step)) break;
    step = next;
  }
}

// The laws on uneven knots, first coarsely, which tells where the answer is, as long as even steps, which
// take as long as `rival`, are not expected to tell as much earlier. `effort_left` becomes that of what is
// lacking.
Bounds Search::uneven_epsilon(double delta, double gap, Bounds best, const Tilt& tilted, double rival,
                              double& effort_left) const {
  // Chernoff's bound first, and far below it.
  double high = std::min(best.upper, 2 * std::max(tilted.centre, tilted.spread));
  double low = std::max(best.lower, 1e-4 * high);
  std::optional<UnevenSum> at;
  for (std::size_t cells = effort::fewest_uneven_cells; cells > 0 && low > 0;
       cells = more_cells(cells, best, gap, rival < infinite, rival, effort_left)) {
    at = uneven_sum({low, high, std::log(delta), cells, at ? &*at : nullptr});
    if (!at) break;
    best = narrowed(best, epsilon_anywhere_by(*at, delta, most_epsilon));
    if (is_narrow(best, gap)) break;
    high = std::min(high, best.upper);
    low = std::clamp(best.lower, 1e-4 * high, high);
  }
  return best;
}

// The same, kept for other questions. How small delta is cannot be told by a tilt, and no cut is too deep.
void Search::make_uneven(double epsilon, double gap, const Bounds& known, double rival,
                         double& effort_left) const {
  // The target must be positive.
  const double near = std::max(epsilon, 1e-3 * tilts().at(1e-9).spread);
  Bounds found = known;
  for (std::size_t cells = effort::fewest_uneven_cells; cells > 0;
       cells = more_cells(cells, found, gap, false, rival, effort_left)) {
    const auto coarser = cells > effort::fewest_uneven_cells ? std::move(uneven_sum_) : std::nullopt;
    uneven_sum_ = uneven_sum({near, near, smallest_log_delta, cells, coarser ? &*coarser : nullptr});
    if (!uneven_sum_) break;
    found = narrowed(known, delta_by(*uneven_sum_, epsilon));
    if (is_narrow(found, gap)) break;
  }
}

// The width falls with the square of how many there are, once a coarser sum shows where they matter. None,
// where there may be no more, and where even steps are faster, or must tell what knots cannot.
std::size_t Search::more_cells(std::size_t cells, const Bounds& known, double gap, bool must_tell,
                               double rival, double& effort_left) const {
  const std::size_t most = steering_.most_uneven_cells();
  const auto now = static_cast<double>(cells), last = static_cast<double>(most);
  const double lacking = std::sqrt((known.upper - known.lower) / known.upper / gap);
  effort_left = steering_.effort_of(static_cast<std::size_t>(std::min(last, 1.1 * lacking * now)));
  const bool is_slower = cells > effort::fewest_uneven_cells && effort_left > effort::risk_of_even * rival;
  const bool is_hopeless = is_narrow(known, effort::even_enough) && lacking * now > last;
  if (cells >= most || is_slower || (is_hopeless && (must_tell || effort_left > rival))) return 0;
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
// above the one it was made for. Asked once more, what was kept tells the same.
Bounds Search::delta(double epsilon, double gap) const {
  const auto on_line = [&] { return line_ ? delta_by(*line_, epsilon) : Bounds{0, 1}; };
  const auto is_elsewhere = [&] { return !last_ || epsilon < last_from_ || epsilon > last_to_; };
  const auto known = [&] {
    Bounds all = on_line();
    if (!is_elsewhere()) all = narrowed(all, delta_by(*last_, epsilon));
    return uneven_sum_ ? narrowed(all, delta_by(*uneven_sum_, epsilon)) : all;
  };
  Bounds best = on_line();
  if (is_narrow(best, gap)) return best;
  const Tilt tilted = tilts().for_epsilon(epsilon);
  // Chernoff's bound is above delta; what the saddle point takes off, and a little more, is charged as well.
  const double chernoff = tilted.log_scale - tilted.theta * epsilon;
  const SumTarget target{epsilon, std::max(smallest_log_delta, chernoff - 10), steering_.depth(25)};
  const double step = steering_.steps().for_gap(tilted, gap);
  const double fine = steering_.steps().for_gap_of_delta(tilted, epsilon, gap);
  const bool is_coarse = is_elsewhere() || gap < last_gap_;
  if (is_elsewhere()) {
    line_ = contour(tilted, target, fine, 0);
    best = on_line();
  }
  if (is_narrow(best, gap)) return best;
  const double enough = std::max(gap, effort::even_enough);
  const bool is_enough = is_narrow(best, enough);
  best = known();
  if (is_narrow(best, gap)) return best;
  double effort_left = infinite;
  if (line_ || !uneven_) {
    if (is_enough) return best;
    if (is_coarse) make_even(tilted, target, step, gap, 1, best, infinite);
    best = known();
    if (!uneven_ || is_narrow(best, enough)) return best;
    make_uneven(epsilon, enough, best, infinite, effort_left);
    return known();
  }
  const double rival = effort_of_even(tilted, target, fine);
  const double wanted = rival < effort::hardly_any ? gap : enough;
  if (is_narrow(best, wanted)) return best;
  if (!is_narrow(best, enough)) {
    make_uneven(epsilon, gap, best, rival, effort_left);
    best = known();
    if (is_narrow(best, rival < effort_left ? gap : wanted)) return best;
  }
  const bool is_fine = rival < infinite;
  make_even(tilted, target, is_fine ? fine : step, gap, is_fine ? 3 : 1, best, effort_left);
  best = known();
  const double still_wanted = effort_left < effort::hardly_any ? gap : enough;
  if (is_narrow(best, still_wanted)) return best;
  line_ = contour(tilted, target, 0, 0);
  best = known();
  if (!is_fine || is_narrow(best, still_wanted)) return best;
  make_uneven(epsilon, gap, best, infinite, effort_left);
  return known();
}

}  // namespace epsilometer
