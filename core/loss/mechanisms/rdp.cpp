// Everything whose Renyi divergences are bounded at a list of orders: Mironov 2017, Definition 4.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/renyi_loss.h"

namespace epsilometer::mechanisms {
namespace {

class RenyiTableLoss final : public RenyiLoss {
 public:
  RenyiTableLoss(std::vector<double> orders, std::vector<double> epsilons)
      : RenyiLoss(gaussian_inside(orders, epsilons)),
        orders_(std::move(orders)),
        epsilons_(std::move(epsilons)) {}

  std::vector<double> stated_orders() const override { return orders_; }
  double largest_order() const override { return orders_.back(); }

  // t D(1 + t) is convex in t and 0 at t = 0 (van Erven and Harremoes 2014, Corollary 2), so between any two
  // stated orders, or 1 and a stated one, it stays below their chord; the lowest chord counts.
  double renyi(double order) const override {
    if (largest_loss() == 0) return 0;
    const double t = order - 1;
    double lowest = std::numeric_limits<double>::infinity();
    for (std::size_t right = 0; right < orders_.size(); ++right) {
      const double t_right = orders_[right] - 1;
      if (t_right < t) continue;
      // The chord from order 1: divergences do not fall with the order.
      lowest = std::min(lowest, epsilons_[right]);
      for (std::size_t left = 0; left < right && orders_[left] - 1 < t; ++left) {
        const double t_left = orders_[left] - 1;
        const double share = (t - t_left) / (t_right - t_left);
        const double chord = (1 - share) * t_left * epsilons_[left] + share * t_right * epsilons_[right];
        lowest = std::min(lowest, rounded_up(chord / t));
      }
    }
    return lowest;
  }

  // A divergence of 0 at any order means that neighbours cannot be told apart at all.
  double largest_loss() const override {
    return *std::min_element(epsilons_.begin(), epsilons_.end()) == 0
               ? 0
               : std::numeric_limits<double>::infinity();
  }

 private:
  // mu^2/2 * order <= epsilon at every stated order.
  static double gaussian_inside(const std::vector<double>& orders, const std::vector<double>& epsilons) {
    double rho = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < orders.size(); ++i) rho = std::min(rho, epsilons[i] / orders[i]);
    return rounded_down(std::sqrt(2 * rho), 4 * unit_roundoff);
  }

  std::vector<double> orders_, epsilons_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> rdp(const Description& description) {
  const std::vector<double>& orders = description.list("orders", 1.000001, 1e6);
  const std::vector<double>& epsilons = description.list("epsilons", 0, 1e100);
  if (orders.size() != epsilons.size()) {
    throw Refusal("range", "epsilons", std::to_string(epsilons.size()) + " numbers",
                  "must have one number for each of the " + std::to_string(orders.size()) + " orders");
  }
  if (std::adjacent_find(orders.begin(), orders.end(), std::greater_equal<>()) != orders.end()) {
    throw Refusal("range", "orders", "a list", "must be strictly increasing");
  }
  return std::make_shared<RenyiTableLoss>(orders, epsilons);
}

}  // namespace epsilometer::mechanisms
