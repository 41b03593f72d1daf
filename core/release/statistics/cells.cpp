// How many rows are in each of several cells: a histogram, a contingency table. A row is in one cell at most:
// added or removed, it moves the counts by 1 in the l2 norm, and by sqrt(2) where it goes from one to another
// (Dwork, McSherry, Nissim and Smith 2006, with normal noise).
#include <cmath>

#include "core/base/refusal.h"
#include "core/numerics/normal.h"
#include "core/release/statistics/noisy_vector.h"

namespace epsilometer {
namespace {

std::size_t cells_of(const Statistic& asked) {
  return static_cast<std::size_t>(in_range("cells", asked.cells, 1, 0x1p20));
}

class Cells final : public NormalPart {
 public:
  Cells(const Statistic& asked, bool replaced)
      : NormalPart(asked.weight, {1, replaced ? std::sqrt(2.0) : 0, cells_of(asked)}),
        cells_(cells_of(asked)) {}

  std::size_t features() const override { return 1; }
  std::size_t sums() const override { return cells_; }

  void add(std::span<const double> features, Sums& sums) const override {
    const double cell = features[0];
    if (cell >= 0 && cell < static_cast<double>(cells_)) ++sums[static_cast<std::size_t>(cell)];
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    parameters[name + "count"] = sigma();
    // All empty cells together are below it with probability 0.95.
    parameters[name + "threshold"] = sigma() * normal_upper_quantile(0.05 / static_cast<double>(cells_));
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    Sums steps = sums;
    for (__int128& one : steps) one <<= -exponent();
    release.add(vector_output(name + "counts", noisy(steps, generator)));
  }

 private:
  std::size_t cells_;
};

}  // namespace

std::unique_ptr<StatisticPart> cells(const Statistic& asked, bool replaced) {
  return std::make_unique<Cells>(asked, replaced);
}

}  // namespace epsilometer
