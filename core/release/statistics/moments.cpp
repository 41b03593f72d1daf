// How many rows there are, the sums of their columns and of the products of these, by one Gaussian release
// (Dwork, Talwar, Thakurta and Zhang 2014, with half the variance off the diagonal): of a row x, |x_i| <= 1,
// the vector (w0, w1 x, w2 x x^T), whose length is at most sqrt(w0^2 + w1^2 d + w2^2 d^2).
//
// Replaced, with t = <x, x'>, a row moves it by w1^2 |x - x'|^2 + w2^2 |x x^T - x' x'^T|^2, which at lengths
// |x|^2 = |x'|^2 = d, where it is largest, is 2 w1^2 (d - t) + 2 w2^2 (d^2 - t^2): largest at
// t = -w1^2 / (2 w2^2), or at -d. A row that counts nothing instead moves it no farther than one that is
// removed.
//
// Weights: for products 1 each; for sums alone that of count_weight().
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/statistics/estimates.h"
#include "core/release/statistics/noisy_vector.h"
#include "core/release/statistics/statistic_outputs.h"

namespace epsilometer {
namespace {

// Of the eigenvalues.
constexpr double most_columns = 300;

double columns_of(const Statistic& asked) {
  return std::floor(in_range("columns", asked.columns, 1, most_columns));
}

double weight_of_count(const Statistic& asked) {
  return asked.products ? 1 : count_weight(columns_of(asked));
}

std::size_t entries_of(const Statistic& asked) {
  const auto columns = static_cast<std::size_t>(columns_of(asked));
  return 1 + columns + (asked.products ? triangle(columns) : 0);
}

NoisyVector vector_of(const Statistic& asked, bool replaced) {
  const double d = columns_of(asked), weight = weight_of_count(asked);
  const double length = std::sqrt(weight * weight + d + (asked.products ? d * d : 0));
  // With d >= 1 the best place, -1/2, is not beyond -d.
  const double moved = asked.products ? std::sqrt(2 * d + 2 * d * d + 0.5) : 2 * std::sqrt(d);
  return {length, replaced ? moved : 0, entries_of(asked)};
}

class Moments final : public NormalPart {
 public:
  Moments(const Statistic& asked, bool replaced)
      : NormalPart(asked.weight, vector_of(asked, replaced)),
        columns_(static_cast<std::size_t>(columns_of(asked))),
        entries_(entries_of(asked)),
        products_(asked.products),
        count_weight_(weight_of_count(asked)) {}

  std::size_t features() const override { return columns_; }
  std::size_t sums() const override { return entries_; }

  void add(std::span<const double> features, Sums& sums) const override {
    auto row = counted_row(count_weight_, features);
    if (!row) return;
    row->reserve(entries_);
    for (std::size_t i = 1; products_ && i <= columns_; ++i)
      for (std::size_t j = 1; j <= i; ++j)
        row->push_back((*row)[i] * (*row)[j] * (i == j ? 1 : std::sqrt(2.0)));
    add_vector(*row, sums);
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    const SumNoise noise = this->noise();
    parameters[name + "count"] = noise.count;
    parameters[name + "sum"] = noise.sum;
    tell_steps(name, count_weight_, parameters);
    if (!products_) return;
    parameters[name + "square"] = noise.square;
    parameters[name + "product"] = noise.product;
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    const std::vector<double> noisy = this->noisy(sums, generator);
    NoisyMoments moments{noisy[0] / count_weight_, {}, {}, noise()};
    moments.sums.assign(noisy.begin() + 1, noisy.begin() + 1 + static_cast<std::ptrdiff_t>(columns_));
    release.add(number_output(name + "count", moments.rows, OutputKind::row_count));
    release.add(vector_output(name + "sums", moments.sums));
    const bool enough = is_enough(moments.rows, moments.noise.count);
    add_estimates(release, name + "means", enough, columns_, [&] { return moments.means(); });
    if (!products_) return;
    for (std::size_t i = 0, place = 1 + columns_; i < columns_; ++i)
      for (std::size_t j = 0; j <= i; ++j, ++place)
        moments.products.push_back(noisy[place] / (i == j ? 1 : std::sqrt(2.0)));
    release.add(symmetric_output(name + "products", moments.products, columns_));
    const std::size_t all = triangle(columns_), pairs = all - columns_;
    add_estimates(release, name + "covariances", enough, all, [&] { return moments.covariances(); });
    add_estimates(release, name + "correlations", enough, pairs, [&] { return moments.correlations(); });
    add_estimates(release, name + "eigenvalues", enough, columns_, [&] { return moments.eigenvalues(); });
  }

 private:
  SumNoise noise() const { return {sigma() / count_weight_, sigma(), sigma(), sigma() / std::sqrt(2.0)}; }

  std::size_t columns_, entries_;
  bool products_;
  double count_weight_;
};

}  // namespace

std::unique_ptr<StatisticPart> moments(const Statistic& asked, bool replaced) {
  return std::make_unique<Moments>(asked, replaced);
}

}  // namespace epsilometer
