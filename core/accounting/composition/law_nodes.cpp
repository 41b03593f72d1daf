#include "core/accounting/composition/law_nodes.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/accounting/composition/panels.h"
#include "core/base/bounds.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

using std::numbers::pi;

// So many atoms are summed like a panel, and so many nodes are turned at a time.
constexpr std::size_t most_together = 1024, abreast = 4;

}  // namespace

LawNodes::LawNodes(const TiltedPart& part, double last)
    : part_(part), mu_(part.law->gaussian()), log_scale_(part.log_moment) {
  const auto lattice = part.law->lattice();
  if (!lattice) return;
  // The factor 1 + e is 1 in doubles from ten standard deviations on, up to a quarter of the period.
  const bool is_gaussian = lattice->gaussian > 10 * lattice->spacing && last * lattice->spacing < pi / 2;
  if (is_gaussian) mu_ = lattice->gaussian;
}

bool LawNodes::fill(double theta, double order, double to_x) {
  const Law& law = *part_.law;
  const auto add = [&](double loss, double log_mass, double weight) {
    losses_.push_back(loss);
    masses_.push_back(weight * std::exp(log_mass + theta * loss - part_.log_moment));
  };
  for (const Atom& atom : law.atoms()) {
    add(atom.loss, 0, atom.mass);
    if (masses_.size() % most_together == 0) end_panel();
  }
  end_panel();
  const auto panels = panels_of(part_, to_x, order);
  if (!panels) return false;
  for (const Panel& panel : *panels) {
    visit_nodes(panel, [&](double x, double weight) {
      const auto [loss, log_density] = law.loss_and_density(x);
      add(loss, log_density, weight);
    });
    end_panel();
  }
  return true;
}

bool LawNodes::fill_evenly(double theta, double last, double depth) {
  powers_ = SampledPowers::of(*part_.law->sampled_normal(), theta, last, depth);
  if (!powers_) return false;
  losses_ = std::move(powers_->losses);
  masses_ = std::move(powers_->masses);
  log_scale_ = powers_->log_scale;
  end_panel();
  return true;
}

double LawNodes::decay(double t) const {
  return powers_ ? powers_->decay(masses_, t) : t * t * gaussian() * gaussian() / 2;
}

void LawNodes::end_panel() {
  masses_.resize((masses_.size() + abreast - 1) / abreast * abreast);
  losses_.resize(masses_.size());
  double sum = 0;
  for (std::size_t i = ends_.empty() ? 0 : ends_.back(); i < masses_.size(); ++i) sum += masses_[i];
  total_ += sum;
  ends_.push_back(masses_.size());
}

double LawNodes::variance() const {
  double mean = 0, sum = 0;
  for (std::size_t i = 0; i < masses_.size(); ++i) mean += masses_[i] * losses_[i] / total_;
  for (std::size_t i = 0; i < masses_.size(); ++i)
    sum += masses_[i] * (losses_[i] - mean) * (losses_[i] - mean);
  return sum;
}

double LawNodes::log_moment(double theta, double more) const {
  if (gaussian() > 0) {
    const double order = theta + more;
    return (order + order * order) * gaussian() * gaussian() / 2;
  }
  if (more == 0) return log_scale_ + std::log(total_);
  // The common factor e^top, that none overflows.
  double top = -infinite, sum = 0;
  for (std::size_t i = 0; i < masses_.size(); ++i)
    if (masses_[i] > 0) top = std::max(top, more * losses_[i]);
  for (std::size_t i = 0; i < masses_.size(); ++i)
    if (masses_[i] > 0) sum += masses_[i] * std::exp(more * losses_[i] - top);
  return log_scale_ + top + (powers_ ? powers_->log_beside(more, top, sum) : std::log(sum));
}

double LawNodes::doubt(const LinePlan& plan, double t, double turns) const {
  if (gaussian() > 0) return 8 * unit_roundoff;
  if (powers_) return powers_->doubt(t) + unit_roundoff * (6 * turns + 16);
  const double sums =
      static_cast<double>(ends_.size()) + static_cast<double>(ends_.empty() ? 0 : ends_[0]) + 16;
  return panel_error + unit_roundoff * (4 * part_.exponent(plan.theta, plan.log_delta) +
                                        16 * t * part_.reach() + (plan.theta + t) * off() + 6 * turns + sums);
}

// How far a loss may be off, in roundoffs, beyond those of its own size: x and the loss before sampling,
// steepness times x at most, can be much larger.
double LawNodes::off() const {
  const Law& law = *part_.law;
  const double x = std::max(std::abs(part_.from_x), std::abs(part_.to_x));
  return 4 * std::max(law.slope(part_.from_x), law.slope(part_.to_x)) *
         (x + law.log_slope_bound(part_.from_x, part_.to_x));
}

namespace {

// Cosine and sine of an angle. Their errors, an ulp each at most, and the roundings of a doubling come to 8u;
// a step from one turn to the next adds 3u.
struct Turn {
  double re, im;
  Turn doubled() const { return {(re - im) * (re + im), 2 * re * im}; }
};

}  // namespace

// A turn waits for the one before it; those of several nodes need not wait for each other.
void LawNodes::add_turns(double half, std::vector<Value>& sums) const {
  if (gaussian() > 0) return;
  std::vector<Value> sum_of_panel(sums.size());
  for (std::size_t panel = 0, i = 0; panel < ends_.size(); ++panel) {
    std::fill(sum_of_panel.begin(), sum_of_panel.end(), 0);
    for (; i < ends_[panel]; i += abreast) {
      double re[abreast], im[abreast], turn_re[abreast], turn_im[abreast];
      for (std::size_t k = 0; k < abreast; ++k) {
        const double angle = half * losses_[i + k];
        const Turn first{std::cos(angle), std::sin(angle)}, turn = first.doubled();
        re[k] = masses_[i + k] * first.re, im[k] = masses_[i + k] * first.im;
        turn_re[k] = turn.re, turn_im[k] = turn.im;
      }
      for (Value& sum : sum_of_panel) {
        sum += Value((re[0] + re[1]) + (re[2] + re[3]), (im[0] + im[1]) + (im[2] + im[3]));
        for (std::size_t k = 0; k < abreast; ++k) {
          const double next = re[k] * turn_re[k] - im[k] * turn_im[k];
          im[k] = re[k] * turn_im[k] + im[k] * turn_re[k];
          re[k] = next;
        }
      }
    }
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += sum_of_panel[j];
  }
}

void LawNodes::add_doubled(double least, std::vector<Value>& sums) const {
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const double angle = least * losses_[i];
    Turn at{std::cos(angle), std::sin(angle)};
    for (Value& sum : sums) {
      sum += Value(masses_[i] * at.re, masses_[i] * at.im);
      at = at.doubled();
    }
  }
}

}  // namespace epsilometer
