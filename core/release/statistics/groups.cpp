// How many rows each of several groups has, and the sums of their columns: the groups are disjoint, so that a
// row moves the numbers of one of them only, however many there are; where it is replaced, of two. A row is
// the vector (w0, w1 x) of its group, |x_i| <= 1, weighted by count_weight().
//
// Of groups that are not known beforehand only those are told whose noisy count is above a threshold
// (Korolova, Kenthapadi, Mishra and Ntoulas 2009; with normal noise Wilson et al. 2020). Where a person may
// have several rows, what is held against it is the number of persons: of a row the vector (w0 f, w0, w1 x),
// f = 1 for the first one of its person in the group and 0 for others; of no columns f alone. Whichever of a
// person's rows in a group is taken for the first, a row more or fewer moves the numbers of persons by 1 at
// most.
#include <cmath>

#include "core/base/refusal.h"
#include "core/release/statistics/estimates.h"
#include "core/release/statistics/noisy_vector.h"
#include "core/release/statistics/statistic_outputs.h"

namespace epsilometer {
namespace {

double weight_of_count(double columns) { return columns > 0 ? count_weight(columns) : 1; }

double grouped_columns(const Statistic& asked) {
  return std::floor(in_range("columns", asked.columns, 0, 300));
}

// Rows are counted beside persons for the means of columns.
bool has_both(const Statistic& asked) { return asked.persons && grouped_columns(asked) > 0; }

NoisyVector vector_of(const Statistic& asked, double groups, bool replaced) {
  const double columns = grouped_columns(asked), counts = has_both(asked) ? 2 : 1;
  const double entries = in_range("cells", groups * (counts + columns), 1, 0x1p20);
  const double weight = weight_of_count(columns), length = std::sqrt(counts * weight * weight + columns);
  const double moved = std::max(std::sqrt(2.0) * length, 2 * std::sqrt(columns));
  return {length, replaced ? moved : 0, static_cast<std::size_t>(entries)};
}

class GroupedPart : public NormalPart {
 public:
  std::size_t features() const final { return 1 + (persons_ ? 1 : 0) + columns_; }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    parameters[name + "count"] = sigma() / count_weight_;
    parameters[name + "sum"] = sigma();
    tell_steps(name, count_weight_, parameters);
  }

 protected:
  GroupedPart(const Statistic& asked, double groups, bool replaced)
      : NormalPart(asked.weight, vector_of(asked, groups, replaced)),
        persons_(asked.persons),
        counts_(has_both(asked) ? 2 : 1),
        columns_(static_cast<std::size_t>(grouped_columns(asked))),
        count_weight_(weight_of_count(grouped_columns(asked))) {}

  // How many sums a group has.
  std::size_t width() const { return counts_ + columns_; }
  double count_weight() const { return count_weight_; }

  void add_to(std::size_t group, std::span<const double> features, Sums& sums) const {
    auto row = counted_row(count_weight_, features.last(columns_));
    if (!row) return;
    if (persons_) {
      const double first = features[1] == 1 ? count_weight_ : 0;
      if (counts_ == 1)
        row->front() = first;
      else
        row->insert(row->begin(), first);
    }
    add_vector(*row, std::span(sums).subspan(group * width()));
  }

  // Of one group after the other, as many numbers of each as it has sums.
  void release_groups(std::span<const double> noisy, const std::string& name, Release& release) const {
    const SumNoise noise{sigma() / count_weight_, sigma(), 0, 0};
    std::vector<double> counts, rows, totals, means;
    for (; !noisy.empty(); noisy = noisy.subspan(width())) {
      const auto columns = noisy.subspan(counts_, columns_);
      const NoisyMoments found{
          noisy[counts_ - 1] / count_weight_, {columns.begin(), columns.end()}, {}, noise};
      counts.push_back(noisy[0] / count_weight_);
      rows.push_back(found.rows);
      totals.insert(totals.end(), found.sums.begin(), found.sums.end());
      if (is_enough(found.rows, noise.count))
        for (const IntervalEstimate& one : found.means())
          means.insert(means.end(), {one.value, one.lower, one.upper});
      means.resize(totals.size() * 3, std::numeric_limits<double>::infinity());
    }
    release.add(vector_output(name + "counts", std::move(counts)));
    if (columns_ == 0) return;
    if (counts_ == 2) release.add(vector_output(name + "rows", std::move(rows)));
    release.add(matrix_output(name + "sums", std::move(totals), columns_));
    release.add(matrix_output(name + "means", std::move(means), 3));
  }

 private:
  bool persons_;
  std::size_t counts_, columns_;
  double count_weight_;
};

class Groups final : public GroupedPart {
 public:
  Groups(const Statistic& asked, bool replaced)
      : GroupedPart(asked, std::floor(in_range("cells", asked.cells, 1, 0x1p20)), replaced),
        groups_(static_cast<std::size_t>(asked.cells)) {}

  std::size_t sums() const override { return groups_ * width(); }

  void add(std::span<const double> features, Sums& sums) const override {
    const double group = features[0];
    if (!(group >= 0 && group < static_cast<double>(groups_))) return;
    add_to(static_cast<std::size_t>(group), features, sums);
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    release_groups(noisy(sums, generator), name, release);
  }

 private:
  std::size_t groups_;
};

// One row moves the sums of a group that has others too, which is the Gaussian release; or founds one of its
// own, which is told with the probability delta at most, and which nobody could tell of otherwise: the price
// of both together is above that of either.
class FoundGroups final : public GroupedPart {
 public:
  explicit FoundGroups(const Statistic& asked)
      : GroupedPart(asked, 1, false), delta_(in_range("delta", asked.delta, 1e-300, 0.5)) {}

  std::size_t sums() const override { return 0; }

  std::vector<Part> guarantee(double mu) const override {
    std::vector<Part> parts = GroupedPart::guarantee(mu);
    parts.push_back({{"approximate", {{"epsilon", 0}, {"delta", delta_}}, {}, {}, {}}, 1});
    return parts;
  }

  void add(std::span<const double> features, Sums& sums) const override {
    const double group = features[0];
    if (!(group >= 0 && group < most_groups)) return;
    const auto place = static_cast<std::size_t>(group);
    if (sums.size() < (place + 1) * width()) sums.resize((place + 1) * width());
    add_to(place, features, sums);
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    GroupedPart::tell(name, parameters);
    parameters[name + "threshold"] = threshold() / count_weight();
    parameters[name + "delta"] = delta_;
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    const std::vector<double> all = noisy(sums, generator);
    std::vector<double> groups, told;
    std::size_t group = 0;
    for (std::size_t first = 0; first < all.size(); first += width(), ++group) {
      if (!(all[first] > threshold())) continue;
      groups.push_back(static_cast<double>(group));
      told.insert(told.end(), &all[first], &all[first] + width());
    }
    release.add(vector_output(name + "groups", std::move(groups)));
    release_groups(told, name, release);
  }

 private:
  static constexpr double most_groups = 0x1p40;

  // A person alone in a group counts count_weight() at most.
  double threshold() const { return rounded_up(count_weight() + margin(delta_)); }

  double delta_;
};

}  // namespace

std::unique_ptr<StatisticPart> groups(const Statistic& asked, bool replaced) {
  // A row that is replaced by another person's in the same group moves persons and sums at once: no price is
  // known here.
  if (asked.persons)
    throw Refusal("unsupported", "persons", "true", "are counted of groups that are found alone");
  return std::make_unique<Groups>(asked, replaced);
}

std::unique_ptr<StatisticPart> found_groups(const Statistic& asked, bool replaced) {
  if (replaced)
    throw Refusal("unsupported", "neighbours", "replace",
                  "has no price for groups that are found: a row may leave one and found another");
  return std::make_unique<FoundGroups>(asked);
}

}  // namespace epsilometer
