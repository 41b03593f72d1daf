// How many rows each of several known groups has, and the sums of their columns: the groups are disjoint, so
// that a row moves the numbers of one of them only, however many there are; where it is replaced, of two. A
// row is the vector (w0, w1 x) of its group, |x_i| <= 1, weighted as in moments.cpp.
#include <cmath>
#include <optional>

#include "core/base/refusal.h"
#include "core/release/statistics/estimates.h"
#include "core/release/statistics/noisy_vector.h"
#include "core/release/statistics/statistic_outputs.h"

namespace epsilometer {
namespace {

class Groups final : public StatisticPart {
 public:
  Groups(const Statistic& asked, bool replaced)
      : groups_(static_cast<std::size_t>(in_range("cells", asked.cells, 1, 0x1p20))),
        columns_(static_cast<std::size_t>(in_range("columns", asked.columns, 0, 300))),
        weight_(asked.weight),
        count_weight_(columns_ > 0 ? std::sqrt(std::sqrt(asked.columns) / 2) : 1),
        vector_(length(), replaced ? std::max(std::sqrt(2.0) * length(), 2 * std::sqrt(asked.columns)) : 0,
                sums()) {
    in_range("cells", static_cast<double>(sums()), 1, 0x1p20);
  }

  std::size_t features() const override { return 1 + columns_; }
  std::size_t sums() const override { return groups_ * (1 + columns_); }
  double importance() const override {
    return std::sqrt(weight_ * static_cast<double>(sums())) * vector_.moved();
  }
  std::vector<Part> guarantee(double mu) const override { return {{vector_.guarantee(mu), 1}}; }

  void settle(double mu) override {
    noise_ = vector_.noise(mu);
    truncation_.emplace(vector_.truncation(noise_));
  }

  void add(std::span<const double> features, Sums& sums) const override {
    const double group = features[0];
    if (!(group >= 0 && group < static_cast<double>(groups_))) return;
    std::vector<double> row{count_weight_};
    for (const double value : features.subspan(1)) {
      if (std::isnan(value)) return;
      row.push_back(std::clamp(value, -1.0, 1.0));
    }
    std::vector<std::int64_t> steps(row.size());
    truncation_->apply(row, steps);
    const std::size_t first = static_cast<std::size_t>(group) * row.size();
    for (std::size_t i = 0; i < steps.size(); ++i) sums[first + i] += steps[i];
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    parameters[name + "count"] = deviation(noise_) / count_weight_;
    parameters[name + "sum"] = deviation(noise_);
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    const std::vector<double> noisy = released(generator, IntegerSum(sums), noise_);
    const SumNoise noise{deviation(noise_) / count_weight_, deviation(noise_), 0, 0};
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
  double length() const { return std::sqrt(count_weight_ * count_weight_ + static_cast<double>(columns_)); }

  std::size_t groups_, columns_;
  double weight_, count_weight_;
  NoisyVector vector_;
  GaussianNoise noise_{};
  std::optional<Truncation> truncation_;
};

}  // namespace

std::unique_ptr<StatisticPart> groups(const Statistic& asked, bool replaced) {
  return std::make_unique<Groups>(asked, replaced);
}

}  // namespace epsilometer
