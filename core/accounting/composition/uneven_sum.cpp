#include "core/accounting/composition/uneven_sum.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/composition/steering/uneven_knots.h"
#include "core/accounting/margins.h"
#include "core/base/bounds.h"

namespace epsilometer {
namespace {

// Of two laws so many points each tell where their sum lies.
constexpr std::size_t coarse_points = 96;
using composition::evaluation_margin;
using composition::joining_margin;
using composition::joint_margin;
using composition::loss_margin;
using composition::smallest_mass;

// More releases than this times joining_margin, and rounding alone makes a bound useless.
constexpr double most_inflation = 0.05;

}  // namespace

// One law from above and from below, and how many there are alike in the sum.
struct UnevenSum::Block {
  Masses upper, lower;
  double count;
};

namespace {

// Where the choice has the smooth part, and every atom, unless there are too many.
std::vector<double> knots_of(const Law& law, const Scan& scan, const KnotChoice& choice, std::size_t cells) {
  std::vector<double> knots;
  if (!scan.places.empty()) {
    std::vector<Stretch> stretches;
    for (std::size_t i = 0; i + 1 < scan.losses.size() && scan.losses[i] < choice.largest(); ++i) {
      if (scan.losses[i + 1] > scan.losses[i])
        stretches.push_back({scan.losses[i], scan.losses[i + 1], scan.log_masses[i]});
    }
    if (!stretches.empty()) knots = choice.knots(stretches, cells);
    knots.push_back(scan.losses.front());
    if (scan.losses.back() <= choice.largest()) knots.push_back(scan.losses.back());
  }
  std::vector<Atom> atoms = law.atoms();
  std::sort(atoms.begin(), atoms.end(), [](auto& a, auto& b) { return a.loss < b.loss; });
  const std::size_t stride = 1 + atoms.size() / cells;
  for (std::size_t i = 0; i < atoms.size(); i += stride) knots.push_back(atoms[i].loss);
  if (!atoms.empty()) knots.push_back(atoms.back().loss);
  std::sort(knots.begin(), knots.end());
  knots.erase(std::unique(knots.begin(), knots.end()), knots.end());
  if (knots.size() == 1) knots.push_back(knots[0] + std::max(1.0, 1e-9 * std::abs(knots[0])));
  return knots;
}

// What a loss is off by for the rounding of its x, more than it is charged relative to itself. Where the law
// of losses nears a bound, x matters less and less. Where a rate near 1 cancels, the inverse may be off by
// more, but a loss l is that rare, P(L <= l) <= e^l, that this is less than a rounding of delta.
double rounding_of_place(const Law& law, double x, double loss) {
  const double off = law.slope(x) * (std::abs(x) + law.log_slope_bound(x, x));
  return 16 * unit_roundoff * off - loss_margin * std::abs(loss);
}

}  // namespace

void UnevenSum::start(const TiltedPart& part, const Scan& scan, const Target& target,
                      const KnotChoice& choice, Block& block) {
  const Law& law = *part.law;
  const bool smooth = !scan.places.empty();
  const std::vector<double> knots = knots_of(law, scan, choice, target.cells);
  std::vector<double> places;
  const double last = smooth ? law.loss(part.to_x) : 0;
  double worst = smooth ? std::max(0.0, rounding_of_place(law, part.to_x, last)) : 0;
  for (const double knot : knots) {
    // Nothing is beyond the largest loss by a rounding of its place.
    const double x = !smooth       ? 0
                     : knot < last ? std::clamp(law.x_at(knot), part.from_x, part.to_x)
                                   : part.to_x;
    places.push_back(places.empty() ? (smooth ? part.from_x : 0) : std::max(places.back(), x));
    if (smooth) worst = std::max(worst, rounding_of_place(law, x, knot));
  }
  CutLaw cut = cut_at(part, knots, places);
  block.lower = from_below(cut.cells);
  cut.cells.infinite += cut.above;
  block.upper = from_above(cut.cells);
  if (cut.below > 0) {
    const auto first = std::lower_bound(knots.begin(), knots.end(), law.loss(part.from_x));
    block.upper.masses[static_cast<std::size_t>(std::min(first, knots.end() - 1) - knots.begin())] +=
        cut.below;
  }
  // Losses below zero are not charged by the slope: once where they are computed, twice where they are added.
  const double depth = std::max(0.0, -knots.front());
  slack_ += part.count * (3 * loss_margin * depth + worst + law.atom_error());
  doubt_ += part.count * (4 * unit_roundoff * part.exponent(0, target.log_delta) + joint_margin);
}

UnevenSum::Block UnevenSum::joined(const Block& one, const Block& other, const KnotChoice& choice,
                                   const Target& target) {
  const bool same = &one == &other;
  const double first = one.upper.losses.front() + other.upper.losses.front();
  // Above every sum that may be computed: what is beyond by a rounding only would be at infinity by it.
  const double top = one.upper.losses.back() + other.upper.losses.back();
  const double whole = top + 4 * unit_roundoff * std::abs(top);
  const double last = std::max(std::min(whole, choice.largest()), first + 1e-9 * std::abs(first) + 1e-300);
  const std::size_t place = found_.size();
  std::vector<Stretch> stretches =
      target.coarser && place < target.coarser->found_.size()
          ? outline(target.coarser->found_[place], first, last)
          : outline(one.upper, other.upper, last, std::min(coarse_points, target.cells / 3));
  if (stretches.empty()) stretches.push_back({first, last, 0});
  const std::vector<double> knots = choice.knots(stretches, target.cells);
  found_.push_back(sum_of(one.lower, same ? one.lower : other.lower, knots));
  const Block result{from_above(sum_of(one.upper, same ? one.upper : other.upper, knots)),
                     from_below(found_.back()), std::min(one.count, other.count) / (same ? 2 : 1)};
  slope_ += 8 * unit_roundoff;
  slack_ += result.count * 16 * unit_roundoff * std::max(0.0, -first);
  doubt_ += result.count * (unit_roundoff * static_cast<double>(24 * target.cells + 64) + joint_margin);
  return result;
}

bool UnevenSum::can_cut(const Law& law) { return law.has_one_form() || !law.has_density(); }

std::optional<UnevenSum> UnevenSum::of(const std::vector<TiltedPart>& parts, const Target& target) {
  std::vector<Scan> scans;
  double count = 0;
  for (const TiltedPart& part : parts) {
    count += part.count;
    if (!can_cut(*part.law) || part.count != std::floor(part.count) ||
        count * joining_margin > most_inflation)
      return std::nullopt;
    scans.push_back(scan_of(part));
    // Losses so large that no double lies between the cut-offs leave nothing to be cut.
    if (scans.back().places.empty() && (part.from_x < part.to_x || part.law->atoms().empty()))
      return std::nullopt;
  }
  const KnotChoice choice(parts, scans, target.low, target.high);
  UnevenSum sum;
  sum.slope_ = loss_margin;
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const TiltedPart& part = parts[i];
    Block block{{}, {}, part.count};
    sum.start(part, scans[i], target, choice, block);
    for (double left = part.count; left >= 1; left = std::floor(left / 2)) {
      if (std::fmod(left, 2) == 1 && left > 1) blocks.push_back(block);
      if (left == 1 || (left == 2 && blocks.empty() && parts.size() == 1)) {
        blocks.push_back(block);
        if (left == 2) blocks.push_back(block);
        break;
      }
      block = sum.joined(block, block, choice, target);
    }
  }
  // Each of these blocks occurs once.
  for (Block& block : blocks) block.count = 1;
  while (blocks.size() > 2) {
    blocks[1] = sum.joined(blocks[0], blocks[1], choice, target);
    blocks.erase(blocks.begin());
  }
  for (std::size_t i = 0; i < 2; ++i) {
    sum.upper_[i] = i < blocks.size() ? blocks[i].upper : Masses{{0}, {1}};
    sum.lower_[i] = i < blocks.size() ? blocks[i].lower : Masses{{0}, {1}};
  }
  return sum;
}

namespace {

double profile(const Masses& one, const Masses& other, double epsilon) {
  const Suffixes suffixes(other);
  double sum = one.infinite + other.infinite * (1 - one.infinite);
  std::size_t j = other.losses.size();
  for (std::size_t i = 0; i < one.losses.size(); ++i) {
    const double level = epsilon - one.losses[i];
    while (j > 0 && other.losses[j - 1] >= level) --j;
    sum += one.masses[i] * suffixes.lost(j, level);
  }
  return sum;
}

}  // namespace

// Every computed loss l is within slope |l| + slack of one that would be right; with s the sum of the right
// ones, (1 - slope) s - slack is then not above the computed sum, and 1 - e^{-(1 - slope) y} lies between (1
// - slope) (1 - e^-y) and 1 - e^-y. The order is kept where losses shrink by a factor: e^-l to a power below
// 1 is concave in e^-l.
double UnevenSum::upper(double epsilon) const {
  const double sum = profile(upper_[0], upper_[1], (1 - slope_) * epsilon - slack_);
  return std::min(1.0, sum / (1 - slope_) * std::exp(doubt_ + evaluation_margin) + smallest_mass);
}

double UnevenSum::lower(double epsilon) const {
  const double sum = profile(lower_[0], lower_[1], (epsilon + slack_) / (1 - slope_));
  return std::min(1.0,
                  std::max(0.0, sum * (1 - slope_) * std::exp(-doubt_ - evaluation_margin) - smallest_mass));
}

}  // namespace epsilometer
