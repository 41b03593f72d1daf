#include "core/loss/random_allocation.h"

#include <algorithm>
#include <cmath>

#include "core/loss/gaussian_loss.h"
#include "core/loss/laws/allocation_grid.h"
#include "core/loss/laws/atomic_law.h"
#include "core/loss/pair_loss.h"
#include "core/loss/sampled_loss.h"
#include "core/loss/sum_loss.h"

namespace epsilometer {
namespace {

// Heuristic: how fine the losses are beside their spread, and at most how many there are.
constexpr double fineness = 0.02, most_losses = 6000;

// Heuristic: a grid that gives up more than this, or has fewer points that are proven, says nothing.
constexpr double coarse = 1e-6;
constexpr std::size_t fewest = 100;

double spacing_of(const RatioLaw& law, double mu, double batches) {
  const double range = std::log(law.masses.back().ratio) - std::log(law.masses.front().ratio);
  const double spread = std::sqrt(std::log1p(std::expm1(mu * mu) / batches));
  return std::max(std::min(fineness * spread, 0.01), range / most_losses);
}

// Every ratio spread over the two beside it on a lattice of losses, with its mean.
struct Spread {
  std::int64_t first;
  double spacing;
  std::vector<double> masses;
};

Spread spread(const RatioLaw& law, double spacing) {
  const auto cell = [spacing](double ratio) {
    return static_cast<std::int64_t>(std::floor(std::log(ratio) / spacing));
  };
  Spread result{cell(law.masses.front().ratio) - 1, spacing, {}};
  const auto size = static_cast<std::size_t>(cell(law.masses.back().ratio) - result.first) + 3;
  result.masses.resize(size);
  const double gap = std::expm1(spacing), doubt = 64 * unit_roundoff / gap;
  std::size_t place = 0;
  double low = 0;
  for (const auto& [ratio, mass] : law.masses) {
    while (low == 0 || low * (1 + gap) < ratio) {
      if (low > 0) ++place;
      low = std::exp(spacing * static_cast<double>(result.first + static_cast<std::int64_t>(place)));
    }
    const double part = std::clamp((ratio / low - 1) / gap, 0.0, 1.0);
    result.masses[place] += mass * (1 - part + doubt);
    result.masses[place + 1] += mass * (part + doubt);
  }
  return result;
}

// From above in the direction of `sign`: masses that may be wrong by `nothing` at no ratio at all and by
// `infinite` at an infinite one.
std::shared_ptr<const Law> law_above(const AllocationGrid& grid, const Spread& spread, double sign) {
  std::vector<Atom> atoms;
  const std::size_t size = spread.masses.size();
  for (std::size_t i = 0; i < size; ++i) {
    const double loss = spread.spacing * static_cast<double>(spread.first + static_cast<std::int64_t>(i));
    double mass = spread.masses[i];
    if (sign > 0 && i == 0) mass += grid.nothing;
    if (sign < 0 && i + 1 == size) mass += grid.infinite;
    atoms.push_back({sign * loss, sign > 0 ? mass * std::exp(loss) * (1 + 1e-13) : mass});
  }
  if (sign < 0) std::reverse(atoms.begin(), atoms.end());
  const std::int64_t first = sign > 0 ? spread.first : -(spread.first + static_cast<std::int64_t>(size) - 1);
  return std::make_shared<AtomicLaw>(std::move(atoms), sign > 0 ? grid.infinite : grid.nothing,
                                     LossLattice{0, spread.spacing, first});
}

// From below in the direction of `sign`: the ratios of a cell at their mean, which may be wrong by `doubt`.
std::shared_ptr<const Law> law_below(const RatioLaw& law, double doubt, double spacing, double sign) {
  std::vector<Atom> atoms;
  double mass = 0, moment = 0;
  const auto close = [&] {
    if (!(mass > 0)) return;
    const double mean = moment / mass;
    // Rounded to what tells less.
    const double loss = sign * std::log(mean) - doubt - 1e-14 * (1 + std::abs(std::log(mean)));
    atoms.push_back({loss, (sign > 0 ? mass * std::exp(loss) : mass) * (1 - 1e-13)});
    mass = moment = 0;
  };
  double end = 0;
  for (const auto& [ratio, part] : law.masses) {
    if (ratio >= end) {
      close();
      end = std::exp(spacing * (std::floor(std::log(ratio) / spacing) + 1));
    }
    mass += part;
    moment += part * ratio;
  }
  close();
  if (sign < 0) std::reverse(atoms.begin(), atoms.end());
  return std::make_shared<AtomicLaw>(std::move(atoms), 0);
}

class RandomAllocationLoss final : public Knowing<KnownLaw, ClassBound> {
 public:
  RandomAllocationLoss(double mu, double batches) : mu_(mu), batches_(batches) {
    auto least = std::make_shared<GaussianLoss>(DoubleDouble{rounded_down(mu / std::sqrt(batches))});
    below_ = least;
    const auto most = std::make_shared<GaussianLoss>(DoubleDouble{mu});
    above_[0] = above_[1] = most->law(Direction::remove);
    one_batch_ = poisson_sampled(most, std::nextafter(1 / batches, 0.0), Joining::by_itself);
    const auto grid = AllocationGrid::of(mu, batches);
    if (!grid || grid->nothing + grid->infinite > coarse || grid->above.masses.size() < 2) return;
    const double spacing = spacing_of(grid->above, mu, batches);
    const Spread spread = epsilometer::spread(grid->above, spacing);
    above_[0] = law_above(*grid, spread, 1);
    above_[1] = law_above(*grid, spread, -1);
    if (grid->below.masses.size() < fewest) return;
    const Repeated member{std::make_shared<PairLoss>(law_below(grid->below, grid->doubt, spacing, 1),
                                                     law_below(grid->below, grid->doubt, spacing, -1)),
                          1};
    has_grid_ = true;
    below_ = std::make_shared<SumLoss>(std::vector<Repeated>{member});
  }

  // Fixing the batch tells more.
  double renyi(double order) const override { return rounded_up(order * mu_ * mu_ / 2); }
  std::optional<double> concentrated() const override { return rounded_up(mu_ * mu_ / 2); }
  bool symmetric() const override { return false; }
  std::shared_ptr<const Law> law(Direction direction) const override {
    return above_[direction == Direction::remove ? 0 : 1];
  }
  // Far out, where no grid reaches, who looks at a single batch is told nearly as much as by all of them.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    if (has_grid_) return below_;
    const double order = 1 + std::clamp(tilt, least_order - 1, most_order - 1);
    // The record must be in it more often than the normal tail says that the tilt is for.
    const bool is_far = tilt * mu_ * (tilt * mu_) / 2 > 0.75 * std::log(batches_);
    return is_far && one_batch_->renyi(order) > below_->renyi(order) ? one_batch_ : below_;
  }
  bool encloses() const override { return true; }

 private:
  double mu_, batches_;
  std::shared_ptr<const Law> above_[2];
  std::shared_ptr<const PrivacyLoss> below_, one_batch_;
  bool has_grid_ = false;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> random_allocation(double mu, double batches) {
  if (batches == 1 || mu == 0) return std::make_shared<GaussianLoss>(DoubleDouble{mu});
  const auto epoch = std::make_shared<RandomAllocationLoss>(mu, batches);
  return std::make_shared<SumLoss>(std::vector<Repeated>{{epoch, 1}});
}

}  // namespace epsilometer
