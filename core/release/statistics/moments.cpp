// How many rows there are, the sums of their columns and of the products of these, by one Gaussian release
// (Dwork, Talwar, Thakurta and Zhang 2014, with half the variance off the diagonal): of a row x, |x_i| <= 1,
// the vector (w0, w1 x, w2 x x^T), whose length is at most sqrt(w0^2 + w1^2 d + w2^2 d^2).
//
// Replaced, with t = <x, x'>, a row moves it by w1^2 |x - x'|^2 + w2^2 |x x^T - x' x'^T|^2, which at lengths
// |x|^2 = |x'|^2 = d, where it is largest, is 2 w1^2 (d - t) + 2 w2^2 (d^2 - t^2): largest at
// t = -w1^2 / (2 w2^2), or at -d. A row that counts nothing instead moves it no farther than one that is
// removed.
//
// Weights: for products 1 each. For sums alone, an error of the number of rows counts as much as a mean is
// away from the middle: w0^2 = sqrt(d) / 2 is best for means half way to the ends.
#include <cmath>
#include <optional>

#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/statistics/estimates.h"
#include "core/release/statistics/noisy_vector.h"
#include "core/release/statistics/statistic_outputs.h"

namespace epsilometer {
namespace {

// Of the eigenvalues.
constexpr double most_columns = 300;

class Moments final : public StatisticPart {
 public:
  Moments(const Statistic& asked, bool replaced)
      : columns_(static_cast<std::size_t>(in_range("columns", asked.columns, 1, most_columns))),
        products_(asked.products),
        weight_(asked.weight),
        count_weight_(products_ ? 1 : std::sqrt(std::sqrt(asked.columns) / 2)),
        vector_(length(), replaced ? replaced_length() : 0, sums()) {}

  std::size_t features() const override { return columns_; }
  std::size_t sums() const override { return 1 + columns_ + (products_ ? triangle(columns_) : 0); }
  double importance() const override {
    return std::sqrt(weight_ * static_cast<double>(sums())) * vector_.moved();
  }
  std::vector<Part> guarantee(double mu) const override { return {{vector_.guarantee(mu), 1}}; }

  void settle(double mu) override {
    noise_ = vector_.noise(mu);
    truncation_.emplace(vector_.truncation(noise_));
    const double sigma = deviation(noise_);
    deviations_ = {sigma / count_weight_, sigma, sigma, sigma / std::sqrt(2.0)};
  }

  void add(std::span<const double> features, Sums& sums) const override {
    std::vector<double> row{count_weight_};
    row.reserve(this->sums());
    for (const double value : features) {
      if (std::isnan(value)) return;
      row.push_back(std::clamp(value, -1.0, 1.0));
    }
    for (std::size_t i = 1; products_ && i <= columns_; ++i)
      for (std::size_t j = 1; j <= i; ++j) row.push_back(row[i] * row[j] * (i == j ? 1 : std::sqrt(2.0)));
    std::vector<std::int64_t> steps(row.size());
    truncation_->apply(row, steps);
    for (std::size_t i = 0; i < steps.size(); ++i) sums[i] += steps[i];
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    parameters[name + "count"] = deviations_.count;
    parameters[name + "sum"] = deviations_.sum;
    if (!products_) return;
    parameters[name + "square"] = deviations_.square;
    parameters[name + "product"] = deviations_.product;
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    const std::vector<double> noisy = released(generator, IntegerSum(sums), noise_);
    NoisyMoments moments{noisy[0] / count_weight_, {}, {}, deviations_};
    moments.sums.assign(noisy.begin() + 1, noisy.begin() + 1 + static_cast<std::ptrdiff_t>(columns_));
    release.add(number_output(name + "count", moments.rows, OutputKind::row_count));
    release.add(vector_output(name + "sums", moments.sums));
    const bool enough = is_enough(moments.rows, deviations_.count);
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
  double length() const {
    const auto d = static_cast<double>(columns_);
    return std::sqrt(count_weight_ * count_weight_ + d + (products_ ? d * d : 0));
  }
  double replaced_length() const {
    const auto d = static_cast<double>(columns_);
    // With d >= 1 the best place, -1/2, is not beyond -d.
    return products_ ? std::sqrt(2 * d + 2 * d * d + 0.5) : 2 * std::sqrt(d);
  }

  std::size_t columns_;
  bool products_;
  double weight_, count_weight_;
  NoisyVector vector_;
  GaussianNoise noise_{};
  std::optional<Truncation> truncation_;
  SumNoise deviations_{};
};

}  // namespace

std::unique_ptr<StatisticPart> moments(const Statistic& asked, bool replaced) {
  return std::make_unique<Moments>(asked, replaced);
}

}  // namespace epsilometer
