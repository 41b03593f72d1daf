// How many rows each of several known groups has, and the sums of their columns: the groups are disjoint, so
// that a row moves the numbers of one of them only, however many there are; where it is replaced, of two. A
// row is the vector (w0, w1 x) of its group, |x_i| <= 1, weighted by count_weight().
#include <cmath>

#include "core/base/refusal.h"
#include "core/release/statistics/estimates.h"
#include "core/release/statistics/noisy_vector.h"
#include "core/release/statistics/statistic_outputs.h"

namespace epsilometer {
namespace {

double weight_of_count(double columns) { return columns > 0 ? count_weight(columns) : 1; }

NoisyVector vector_of(const Statistic& asked, bool replaced) {
  const double groups = std::floor(in_range("cells", asked.cells, 1, 0x1p20)),
               columns = std::floor(in_range("columns", asked.columns, 0, 300));
  const double entries = in_range("cells", groups * (1 + columns), 1, 0x1p20);
  const double weight = weight_of_count(columns), length = std::sqrt(weight * weight + columns);
  const double moved = std::max(std::sqrt(2.0) * length, 2 * std::sqrt(columns));
  return {length, replaced ? moved : 0, static_cast<std::size_t>(entries)};
}

class Groups final : public NormalPart {
 public:
  Groups(const Statistic& asked, bool replaced)
      : NormalPart(asked.weight, vector_of(asked, replaced)),
        groups_(static_cast<std::size_t>(asked.cells)),
        columns_(static_cast<std::size_t>(asked.columns)),
        count_weight_(weight_of_count(static_cast<double>(columns_))) {}

  std::size_t features() const override { return 1 + columns_; }
  std::size_t sums() const override { return groups_ * (1 + columns_); }

  void add(std::span<const double> features, Sums& sums) const override {
    const double group = features[0];
    if (!(group >= 0 && group < static_cast<double>(groups_))) return;
    const auto row = counted_row(count_weight_, features.subspan(1));
    if (row) add_vector(*row, std::span(sums).subspan(static_cast<std::size_t>(group) * row->size()));
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    parameters[name + "count"] = sigma() / count_weight_;
    parameters[name + "sum"] = sigma();
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    const std::vector<double> noisy = this->noisy(sums, generator);
    const SumNoise noise{sigma() / count_weight_, sigma(), 0, 0};
    std::vector<double> counts, totals, means;
    for (std::size_t group = 0; group < groups_; ++group) {
      const double* first = &noisy[group * (1 + columns_)];
      const NoisyMoments found{first[0] / count_weight_, {first + 1, first + 1 + columns_}, {}, noise};
      counts.push_back(found.rows);
      totals.insert(totals.end(), found.sums.begin(), found.sums.end());
      if (is_enough(found.rows, noise.count))
        for (const IntervalEstimate& one : found.means())
          means.insert(means.end(), {one.value, one.lower, one.upper});
      means.resize(totals.size() * 3, std::numeric_limits<double>::infinity());
    }
    release.add(vector_output(name + "counts", std::move(counts)));
    if (columns_ == 0) return;
    release.add(matrix_output(name + "sums", std::move(totals), columns_));
    release.add(matrix_output(name + "means", std::move(means), 3));
  }

 private:
  std::size_t groups_, columns_;
  double count_weight_;
};

}  // namespace

std::unique_ptr<StatisticPart> groups(const Statistic& asked, bool replaced) {
  return std::make_unique<Groups>(asked, replaced);
}

}  // namespace epsilometer
