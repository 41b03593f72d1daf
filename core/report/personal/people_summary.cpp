#include "core/report/personal/people_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/bounds.h"
#include "core/base/refusal.h"

namespace epsilometer {
namespace {

double mean_up(const std::vector<double>& values, double (*of)(double value, double parameter),
               double parameter) {
  const auto count = static_cast<double>(values.size());
  const auto mean = [&](double before, double after) {
    double sum = 0;
    for (const double value : values) sum += of(value, parameter) / before;
    return sum / after;
  };
  // A sum may be more than doubles hold where the mean is not; what then underflows is far below its
  // rounding.
  const double quick = mean(1, count), found = std::isinf(quick) ? mean(count, 1) : quick;
  return rounded_up(found, (count + 8) * unit_roundoff + 2 * rounding_margin);
}

double powered(double loss, double power) {
  double product = 1;
  for (int i = 0; i < static_cast<int>(power); ++i) product *= loss;
  return product;
}

// The rounding of the exponent costs as much as the exponent is large.
double raised(double loss, double scale) {
  const double exponent = scale * loss;
  return scale == 0 ? 1 : std::exp(exponent * (1 + 4 * unit_roundoff));
}

double gap(double product, double exponential, double delta) {
  in_range("delta", delta, 0, 1);
  return std::min(1.0, rounded_up(product - 1 + delta * (1 + exponential)) + 4 * unit_roundoff);
}

}  // namespace

PeopleSummary::PeopleSummary(std::vector<double> losses) : losses_(std::move(losses)) {
  if (losses_.empty()) throw Refusal("missing", "records", "none", "must be one at least");
  for (const double loss : losses_) in_range("loss", loss, 0, std::numeric_limits<double>::infinity());
  std::sort(losses_.begin(), losses_.end());
}

double PeopleSummary::moment(int power) const {
  return mean_up(losses_, powered, in_range("power", power, 1, 64));
}

double PeopleSummary::exponential_moment(double scale) const {
  return mean_up(losses_, raised, in_range("scale", scale, 0, 64));
}

double PeopleSummary::quantile(double share) const {
  const auto count = static_cast<double>(losses_.size());
  const double rank = std::ceil(in_range("share", share, 0, 1) * count);
  return losses_[static_cast<std::size_t>(std::clamp(rank, 1.0, count)) - 1];
}

double PeopleSummary::share_above(double loss) const {
  const auto above = losses_.end() - std::upper_bound(losses_.begin(), losses_.end(), loss);
  return static_cast<double>(above) / static_cast<double>(losses_.size());
}

double generalisation_gap(const PeopleSummary& people, double delta) {
  return generalisation_gap(people, people, delta);
}

double generalisation_gap(const PeopleSummary& people, const PeopleSummary& others, double delta) {
  const double own = people.exponential_moment(1);
  return gap(rounded_up(own * others.exponential_moment(1)), own, delta);
}

}  // namespace epsilometer
