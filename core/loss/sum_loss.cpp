#include "core/loss/sum_loss.h"

#include <algorithm>
#include <cmath>

namespace epsilometer {

SumLoss::SumLoss(const std::vector<Repeated>& parts) {
  for (const Repeated& part : parts) {
    const std::vector<Repeated> inner = part.loss->parts();
    if (inner.empty()) parts_.push_back(part);
    for (const Repeated& piece : inner) parts_.push_back({piece.loss, piece.count * part.count});
  }
  // Gaussians compose exactly, whatever else there is.
  std::vector<Repeated> gaussians;
  const auto is_gaussian = [](const Repeated& part) { return part.loss->gaussian().has_value(); };
  std::copy_if(parts_.begin(), parts_.end(), std::back_inserter(gaussians), is_gaussian);
  if (gaussians.empty()) return;
  parts_.erase(std::remove_if(parts_.begin(), parts_.end(), is_gaussian), parts_.end());
  parts_.push_back({gaussians[0].loss->composed(gaussians), 1});
}

bool SumLoss::symmetric() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Repeated& part) { return part.loss->symmetric(); });
}

bool SumLoss::attained() const {
  return std::all_of(parts_.begin(), parts_.end(),
                     [](const Repeated& part) { return part.loss->attained(); });
}

double SumLoss::renyi(double order) const {
  double sum = 0;
  for (const Repeated& part : parts_)
    sum = rounded_up(sum + part.count * part.loss->pair_renyi(order), 2 * unit_roundoff);
  return sum;
}

double SumLoss::largest_loss() const {
  double sum = 0;
  for (const Repeated& part : parts_)
    sum = rounded_up(sum + part.count * part.loss->largest_loss(), 2 * unit_roundoff);
  return sum;
}

// 1 - prod (1 - p)^k, from below: no epsilon is claimed infinite that is not.
double SumLoss::infinite_mass() const {
  double log_rest = 0;
  for (const Repeated& part : parts_) log_rest += part.count * std::log1p(-part.loss->infinite_mass());
  return rounded_down(-std::expm1(log_rest));
}

double SumLoss::largest_order() const {
  double smallest = std::numeric_limits<double>::infinity();
  for (const Repeated& part : parts_) smallest = std::min(smallest, part.loss->largest_order());
  return smallest;
}

std::optional<double> SumLoss::concentrated() const {
  double sum = 0;
  for (const Repeated& part : parts_) {
    const auto rho = part.loss->concentrated();
    if (!rho) return std::nullopt;
    sum = rounded_up(sum + part.count * *rho, 2 * unit_roundoff);
  }
  return sum;
}

}  // namespace epsilometer
