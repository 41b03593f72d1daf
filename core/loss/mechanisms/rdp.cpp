// Everything whose Renyi divergences are bounded at a list of orders: Mironov 2017, Definition 4.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/loss/renyi_loss.h"

namespace epsilometer::mechanisms {
namespace {

// t D(1 + t) is convex in t and 0 at t = 0 (van Erven and Harremoes 2014, Corollary 2), so the lower convex
// hull of the stated points bounds it everywhere between them, and only its corners say anything.
class RenyiTableLoss final : public RenyiLoss {
 public:
  RenyiTableLoss(const std::vector<double>& orders, const std::vector<double>& epsilons)
      : RenyiLoss(gaussian_inside(orders, epsilons)) {
    for (std::size_t i = 0; i < orders.size(); ++i) {
      // A corner goes when it lies on or above the chord of its neighbours.
      while (!orders_.empty() && chord(orders_.size() - 1, orders[i], epsilons[i]) <= epsilons_.back()) {
        orders_.pop_back();
        epsilons_.pop_back();
      }
      orders_.push_back(orders[i]);
      epsilons_.push_back(epsilons[i]);
    }
  }

  std::vector<double> stated_orders() const override { return orders_; }
  double largest_order() const override { return orders_.back(); }

  double renyi(double order) const override {
    if (largest_loss() == 0) return 0;
    const auto right = std::lower_bound(orders_.begin(), orders_.end(), order);
    if (right == orders_.end()) return std::numeric_limits<double>::infinity();
    const auto i = static_cast<std::size_t>(right - orders_.begin());
    if (*right == order || i == 0) return epsilons_[i];
    return rounded_up(between(i - 1, orders_[i], epsilons_[i], order));
  }

  // A divergence of 0 at any order means that neighbours cannot be told apart at all.
  double largest_loss() const override {
    return *std::min_element(epsilons_.begin(), epsilons_.end()) == 0
               ? 0
               : std::numeric_limits<double>::infinity();
  }

 private:
  // D at `order` on the chord from corner `left` to the point (right, epsilon).
  double between(std::size_t left, double right, double epsilon, double order) const {
    const double t = order - 1, t_left = orders_[left] - 1, t_right = right - 1;
    const double share = (t - t_left) / (t_right - t_left);
    return ((1 - share) * t_left * epsilons_[left] + share * t_right * epsilon) / t;
  }

  // The same at corner i on the chord that would bypass it; from order 1 the chord is a constant D.
  double chord(std::size_t i, double right, double epsilon) const {
    return i == 0 ? epsilon : between(i - 1, right, epsilon, orders_[i]);
  }

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
  const std::vector<double>& orders = description.list("orders", least_order, most_order);
  const std::vector<double>& epsilons = description.list("epsilons", 0, 1e6);
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
