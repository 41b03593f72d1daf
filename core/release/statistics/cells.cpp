// How many rows are in each of several cells: a histogram, a contingency table. A row is in one cell at most:
// added or removed, it moves the counts by 1 in the l2 norm, and by sqrt(2) where it goes from one to another
// (Dwork, McSherry, Nissim and Smith 2006, with normal noise).
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/normal.h"
#include "core/release/statistics/noisy_vector.h"

namespace epsilometer {
namespace {

class Cells final : public StatisticPart {
 public:
  Cells(const Statistic& asked, bool replaced)
      : cells_(static_cast<std::size_t>(in_range("cells", asked.cells, 1, 0x1p20))),
        weight_(asked.weight),
        vector_(1, replaced ? std::sqrt(2.0) : 0, cells_) {}

  std::size_t features() const override { return 1; }
  std::size_t sums() const override { return cells_; }
  double importance() const override {
    return std::sqrt(weight_ * static_cast<double>(cells_)) * vector_.moved();
  }
  std::vector<Part> guarantee(double mu) const override { return {{vector_.guarantee(mu), 1}}; }
  void settle(double mu) override { noise_ = vector_.noise(mu); }

  void add(std::span<const double> features, Sums& sums) const override {
    const double cell = features[0];
    if (cell >= 0 && cell < static_cast<double>(cells_)) ++sums[static_cast<std::size_t>(cell)];
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    parameters[name + "count"] = deviation(noise_);
    // All empty cells together are below it with probability 0.95.
    parameters[name + "threshold"] =
        deviation(noise_) * normal_upper_quantile(0.05 / static_cast<double>(cells_));
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    Sums steps = sums;
    for (__int128& one : steps) one <<= -noise_.exponent;
    release.add(vector_output(name + "counts", released(generator, IntegerSum(std::move(steps)), noise_)));
  }

 private:
  std::size_t cells_;
  double weight_;
  NoisyVector vector_;
  GaussianNoise noise_{};
};

}  // namespace

std::unique_ptr<StatisticPart> cells(const Statistic& asked, bool replaced) {
  return std::make_unique<Cells>(asked, replaced);
}

}  // namespace epsilometer
