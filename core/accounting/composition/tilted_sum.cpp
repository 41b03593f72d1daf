#include "core/accounting/composition/tilted_sum.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/composition/lattice.h"
#include "core/accounting/margins.h"
#include "core/numerics/constants.h"
#include "core/numerics/margins.h"

namespace epsilometer {
namespace {

// Of points with larger numbers doubles cannot tell where they are.
constexpr double furthest_point = 0x1p52;

// log of sum m_j e^{j log_ratio} by Horner's rule, scaled against overflow at either end; term by term where
// what underflows could matter. What is no number stays none: nothing is known then.
double log_of_sum(const std::vector<double>& masses, double log_ratio) {
  constexpr double nothing_lost = 1e-280;
  const double ratio = std::exp(-std::abs(log_ratio));
  double sum = 0;
  if (log_ratio <= 0) {
    for (std::size_t j = masses.size(); j-- > 0;) sum = sum * ratio + masses[j];
    if (!(sum <= nothing_lost)) return std::log(sum);
  } else {
    for (const double mass : masses) sum = sum * ratio + mass;
    if (!(sum <= nothing_lost)) return std::log(sum) + (static_cast<double>(masses.size()) - 1) * log_ratio;
  }
  const auto log_term = [&](std::size_t j) {
    return std::log(masses[j]) + static_cast<double>(j) * log_ratio;
  };
  double top = -infinite;
  for (std::size_t j = 0; j < masses.size(); ++j)
    if (masses[j] > 0) top = std::max(top, log_term(j));
  if (std::isinf(top)) return top;
  sum = 0;
  for (std::size_t j = 0; j < masses.size(); ++j)
    if (masses[j] > 0) sum += std::exp(log_term(j) - top);
  return top + std::log(sum);
}

// count * first modulo the length, where the product itself may not fit.
std::int64_t turned(double count, std::int64_t first, std::size_t length) {
  const auto modulus = static_cast<std::int64_t>(length);
  const auto whole = static_cast<std::int64_t>(std::fmod(count, static_cast<double>(length)));
  return (whole * (first % modulus)) % modulus;
}

// Where the grid of a law without atoms is placed that runs often: halfway between points where its losses
// end, near which many of them may lie, as those of a sample that leaves the record out do; from below the
// cells there lose the least so, in every run. Heuristic, no guarantee. In few bits, so that multiples of the
// step stay exact, and whoever computes the end otherwise in its last bits has the same grid.
double place_of(const TiltedPart& part, double step) {
  if (part.count == 1) return 0;
  constexpr double places = 16;
  const Law& law = *part.law;
  const auto few_bits = [&](double loss) {
    return step / places * std::round(places * std::remainder(loss, step) / step);
  };
  if (std::isfinite(law.loss(law.lowest_x()))) return few_bits(part.bottom + step / 2);
  if (std::isfinite(law.loss(law.highest_x()))) return few_bits(part.top - step / 2);
  return 0;
}

}  // namespace

// Both bounds at once: two real sequences, from above and from below, share each complex transform.
struct TiltedSum::Powers {
  explicit Powers(std::size_t half) : upper(half), lower(half) {}

  PowerProduct upper, lower;
  double log_finite_upper = 0, log_finite_lower = 0;
};

TiltedSum::TiltedSum(const Window& window, const std::vector<TiltedPart>& parts, double log_delta)
    : window_(window) {
  const Transform transform(window.length);
  Powers powers(window.length / 2 + 1);
  for (const TiltedPart& part : parts) add(part, log_delta, transform, powers);
  // An infinite mass from above is what is missing from below.
  upper_infinite_ = std::max(upper_infinite_, rounded_up(-std::expm1(powers.log_finite_lower)));
  lower_infinite_ = rounded_down(-std::expm1(powers.log_finite_upper));
  finish(transform, powers);
}

void TiltedSum::add(const TiltedPart& part, double log_delta, const Transform& transform, Powers& powers) {
  const double step = window_.step, theta = window_.theta;
  const auto own = part.law->lattice();
  const auto stride = own ? whole_steps(own->spacing, step) : std::nullopt;
  const Cut cut = stride ? exact_cut(part, *own, *stride) : this->cut(part);
  const double offset = cut.offset;
  const std::int64_t first = cut.first;
  const Lattice lattice = stride ? placed(part.law->atoms(), part.law->infinite_mass(), *stride, cut)
                                 : discretise(*part.law, cut);

  Frequencies folded(window_.length);
  double total = 0;
  for (std::size_t j = 0; j < lattice.upper.size(); ++j) {
    folded[j % window_.length] += std::complex<double>(lattice.upper[j], lattice.lower[j]);
    total += lattice.upper[j] + lattice.lower[j];
  }
  const TwoSpectra factors = spectra(transform.forward(folded));
  powers.upper.multiply(factors.one, part.count, transform.error() * total);
  powers.lower.multiply(factors.other, part.count, transform.error() * total);
  powers.log_finite_upper += part.count * std::log1p(-lattice.lower_infinite);
  powers.log_finite_lower += part.count * std::log1p(-std::min(1.0, lattice.upper_infinite));

  const double base = offset + static_cast<double>(first) * step;
  const auto log_moment = [&](const std::vector<double>& masses, double exponent) {
    return part.count * (log_of_sum(masses, exponent * step) + exponent * base);
  };
  log_total_ += log_moment(lattice.upper, 0);
  log_above_ += log_moment(lattice.upper, window_.rise);
  log_lower_above_ += log_moment(lattice.lower, window_.rise);
  log_lower_below_ += log_moment(lattice.lower, window_.fall);
  log_scale_ += part.count * part.log_moment;
  offset_ += part.count * offset;
  turn_ = (turn_ + turned(part.count, first, window_.length)) % static_cast<std::int64_t>(window_.length);
  // The argument of every mass's exponential, and the losses themselves, are rounded once in every step of
  // the sum.
  const double reach = part.reach() + step;
  doubt_ += part.count * 4 * unit_roundoff * (part.exponent(theta, log_delta) + theta * step);
  slack_ += part.count * (part.law->atom_error() + 4 * unit_roundoff * reach);
  // An atom may be taken for one on a point, and a spacing for a whole number of steps.
  slack_ += part.count * (stride ? 2 * on_lattice * (reach + std::abs(offset)) : 2 * on_point * reach);
}

// The point with that number. Of one too far away, and of what is cut there, nothing is known from above.
std::int64_t TiltedSum::point_number(double steps) {
  if (!(std::abs(steps) <= furthest_point)) upper_infinite_ = 1;
  return static_cast<std::int64_t>(std::clamp(steps, -furthest_point, furthest_point));
}

// A law that has a lattice of so many steps, as it is.
Cut TiltedSum::exact_cut(const TiltedPart& part, const LossLattice& own, std::size_t stride) {
  const std::size_t atoms = part.law->atoms().size();
  return {window_.step,
          own.origin,
          point_number(static_cast<double>(own.first) * static_cast<double>(stride)),
          (atoms - 1) * stride + 1,
          window_.theta,
          part.log_moment,
          part.from_x,
          part.to_x};
}

Cut TiltedSum::cut(const TiltedPart& part) {
  // The largest atom lies on a point.
  const double step = window_.step;
  const std::vector<Atom> atoms = part.law->atoms();
  const auto by_loss = [](const Atom& a, const Atom& b) { return a.loss < b.loss; };
  const double offset =
      atoms.empty() ? place_of(part, step)
                    : std::remainder(std::max_element(atoms.begin(), atoms.end(), by_loss)->loss, step);
  const double start = std::floor((part.bottom - offset) / step);
  const auto size = static_cast<std::size_t>(std::ceil((part.top - offset) / step) - start) + 1;
  return {step, offset, point_number(start), size, window_.theta, part.log_moment, part.from_x, part.to_x};
}

void TiltedSum::finish(const Transform& transform, const Powers& powers) {
  const std::size_t length = window_.length;
  const double n = static_cast<double>(length);
  const TwoSequences sums = sequences(transform, powers.upper, powers.lower);
  const Frequencies& masses = sums.entries;
  const double entry = sums.doubt;

  first_ = point_number(std::floor((window_.low - offset_) / window_.step) - 1);
  const double furthest = std::max(std::abs(low()), std::abs(high())) + std::abs(offset_);
  doubt_ += 8 * unit_roundoff * (std::abs(log_scale_) + window_.theta * furthest + n);
  slack_ += 8 * unit_roundoff * furthest;
  const double fade = std::exp(-(1 + window_.theta) * window_.step),
               keep = std::exp(-window_.theta * window_.step);
  const double gain = -std::expm1(-window_.step);
  const auto modulus = static_cast<std::int64_t>(length);
  for (const bool is_upper : {true, false}) {
    Suffixes& suffixes = is_upper ? upper_ : lower_;
    suffixes.fading.assign(length + 1, 0.0);
    suffixes.growing.assign(length + 1, 0.0);
    for (std::size_t i = length; i-- > 0;) {
      const auto place =
          ((first_ % modulus + static_cast<std::int64_t>(i) - turn_) % modulus + modulus) % modulus;
      const std::complex<double> raw = masses[static_cast<std::size_t>(place)] / n;
      const double mass = is_upper ? std::max(0.0, raw.real()) + entry : std::max(0.0, raw.imag() - entry);
      suffixes.fading[i] = mass + fade * suffixes.fading[i + 1];
      suffixes.growing[i] = keep * (suffixes.growing[i + 1] + gain * suffixes.fading[i + 1]);
    }
  }
}

// sum over s > epsilon of m(s) e^{-theta (s - s_i)} (1 - e^{epsilon - s}), s_i the first point above epsilon.
double TiltedSum::weighted(const Suffixes& suffixes, double epsilon, double& point_above) const {
  const double place = std::ceil((epsilon - offset_) / window_.step - static_cast<double>(first_));
  const double i = std::clamp(place, 0.0, static_cast<double>(window_.length));
  const auto index = static_cast<std::size_t>(i);
  point_above = point(i);
  const double rest = std::max(0.0, -std::expm1(epsilon - point_above));
  return suffixes.growing[index] + rest * suffixes.fading[index];
}

double TiltedSum::upper(double epsilon) const {
  double at;
  const double inside = weighted(upper_, epsilon - slack_, at);
  const double above = std::exp(std::min(log_total_, log_above_ - window_.rise * high()) + charge_margin);
  const double beyond = above * std::exp(-window_.theta * std::max(0.0, high() - at));
  const double value = std::exp(log_scale_ - window_.theta * at + doubt_) * (inside + beyond);
  return std::min(1.0, upper_infinite_ + rounded_up(value));
}

double TiltedSum::lower(double epsilon) const {
  double at;
  const double theta = window_.theta, inside = weighted(lower_, epsilon + slack_, at);
  // Mass that wrapped around to above epsilon may lie where it weighs most: e^{-theta x} (1 - e^-x) at its
  // maximum.
  const double outside =
      std::exp(log_lower_above_ - window_.rise * (epsilon + high() - low()) + charge_margin) +
      std::exp(log_lower_below_ - window_.fall * low() + charge_margin);
  const double heaviest = std::exp(theta * std::log(theta / (1 + theta))) / (1 + theta);
  const double wrapped = outside * heaviest * std::exp(theta * (at - epsilon - slack_));
  const double value = std::exp(log_scale_ - theta * at - doubt_) *
                       std::max(0.0, inside * (1 - composition::tilted_margin) - wrapped);
  return std::min(1.0, lower_infinite_ + rounded_down(value));
}

}  // namespace epsilometer
