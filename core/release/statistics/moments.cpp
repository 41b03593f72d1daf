// How many rows there are, the sums of their columns and of the products of these, by one Gaussian release
// (Dwork, Talwar, Thakurta and Zhang 2014, with half the variance off the diagonal): of a row x the vector
// (w0, w1 x, w2 x x^T). Of p numbers from -1 to 1 and q columns of levels, of which a row has one or none, x
// has a coordinate for each number and each level, and |x|^2 <= C^2 = p + q, however many levels there are;
// the vector's length is at most sqrt(w0^2 + w1^2 C^2 + w2^2 C^4).
//
// Replaced, with t = <x, x'>, a row moves it by w1^2 |x - x'|^2 + w2^2 |x x^T - x' x'^T|^2, which at lengths
// |x|^2 = |x'|^2 = C^2, where it is largest, is 2 w1^2 (C^2 - t) + 2 w2^2 (C^4 - t^2): largest at
// t = -w1^2 / (2 w2^2), or at the least t that there is, which is -p, as no two levels are less than at right
// angles. A row that counts nothing instead moves it no farther than one that is removed.
//
// Weights: for products 1 each; for sums alone that of count_weight().
#include <cmath>
#include <string>

#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/statistics/estimates.h"
#include "core/release/statistics/noisy_vector.h"
#include "core/release/statistics/statistic_outputs.h"

namespace epsilometer {
namespace {

// Of the eigenvalues.
constexpr double most_columns = 300;

// How many coordinates a row has, and the largest sum of their squares.
struct Coordinates {
  std::size_t numbers, all;
  double square;
};

Coordinates coordinates_of(const Statistic& asked) {
  const double numbers =
      std::floor(in_range("columns", asked.columns, asked.levels.empty() ? 1 : 0, most_columns));
  double all = numbers;
  for (const double levels : asked.levels) all += std::floor(in_range("levels", levels, 1, most_columns));
  in_range("columns", all, 1, most_columns);
  return {static_cast<std::size_t>(numbers), static_cast<std::size_t>(all),
          numbers + static_cast<double>(asked.levels.size())};
}

double weight_of_count(const Statistic& asked) {
  return asked.products ? 1 : count_weight(coordinates_of(asked).square);
}

std::size_t entries_of(const Statistic& asked) {
  const std::size_t all = coordinates_of(asked).all;
  return 1 + all + (asked.products ? triangle(all) : 0);
}

NoisyVector vector_of(const Statistic& asked, bool replaced) {
  const auto [numbers, all, square] = coordinates_of(asked);
  const double weight = weight_of_count(asked);
  const double length = std::sqrt(weight * weight + square + (asked.products ? square * square : 0));
  // With a number among them the best t, -1/2, is not beyond -p; with none it is 0.
  const double moved = asked.products ? std::sqrt(2 * square + 2 * square * square + (numbers > 0 ? 0.5 : 0))
                                      : std::sqrt(2 * (square + static_cast<double>(numbers)));
  return {length, replaced ? moved : 0, entries_of(asked)};
}

class Moments final : public NormalPart {
 public:
  Moments(const Statistic& asked, bool replaced)
      : NormalPart(asked.weight, vector_of(asked, replaced)),
        numbers_(coordinates_of(asked).numbers),
        coordinates_(coordinates_of(asked).all),
        levels_(asked.levels),
        entries_(entries_of(asked)),
        products_(asked.products),
        count_weight_(weight_of_count(asked)) {
    for (const AskedSpectrum& one : asked.spectra) spectra_.push_back({one.of_correlations, places_of(one)});
  }

  std::size_t features() const override { return numbers_ + levels_.size(); }
  std::size_t sums() const override { return entries_; }

  void add(std::span<const double> features, Sums& sums) const override {
    auto row = counted_row(count_weight_, features.first(numbers_));
    if (!row) return;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i <= numbers_; ++i) places.push_back(i);
    std::size_t first = 1 + numbers_;
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      const double level = features[numbers_ + k];
      if (std::isnan(level)) return;
      if (level >= 0 && level < levels_[k]) {
        row->push_back(1);
        places.push_back(first + static_cast<std::size_t>(level));
      }
      first += static_cast<std::size_t>(levels_[k]);
    }
    const std::size_t sum_places = places.size();
    for (std::size_t i = 1; products_ && i < sum_places; ++i)
      for (std::size_t j = 1; j <= i; ++j) {
        row->push_back((*row)[i] * (*row)[j] * (i == j ? 1 : std::sqrt(2.0)));
        places.push_back(coordinates_ + triangle(places[i] - 1) + places[j]);
      }
    const std::vector<std::int64_t> steps = steps_of(*row);
    for (std::size_t i = 0; i < steps.size(); ++i) sums[places[i]] += steps[i];
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
    NoisyMoments moments{noisy[0] / count_weight_, {}, {}, noise(), coordinates_ - numbers_};
    moments.sums.assign(noisy.begin() + 1, noisy.begin() + 1 + static_cast<std::ptrdiff_t>(coordinates_));
    release.add(number_output(name + "count", moments.rows, OutputKind::row_count));
    release.add(vector_output(name + "sums", moments.sums));
    const bool enough = is_enough(moments.rows, moments.noise.count);
    add_estimates(release, name + "means", enough, coordinates_, [&] { return moments.means(); });
    if (!products_) return;
    for (std::size_t i = 0, place = 1 + coordinates_; i < coordinates_; ++i)
      for (std::size_t j = 0; j <= i; ++j, ++place)
        moments.products.push_back(noisy[place] / (i == j ? 1 : std::sqrt(2.0)));
    release.add(symmetric_output(name + "products", moments.products, coordinates_));
    const std::size_t all = triangle(coordinates_), pairs = all - coordinates_;
    add_estimates(release, name + "covariances", enough, all, [&] { return moments.covariances(); });
    add_estimates(release, name + "correlations", enough, pairs, [&] { return moments.correlations(); });
    for (std::size_t k = 0; k < spectra_.size(); ++k) {
      const Places& asked = spectra_[k];
      add_estimates(release, name + "eigenvalues." + std::to_string(k), enough, asked.places.size(), [&] {
        const NoisyMoments some = moments.among(asked.places);
        return asked.of_correlations ? some.correlation_eigenvalues() : some.eigenvalues();
      });
    }
  }

 private:
  SumNoise noise() const { return {sigma() / count_weight_, sigma(), sigma(), sigma() / std::sqrt(2.0)}; }

  std::vector<std::size_t> places_of(const AskedSpectrum& asked) const {
    std::vector<std::size_t> places;
    for (const double one : asked.places) {
      // Each above the one before.
      const double least = places.empty() ? 0 : static_cast<double>(places.back() + 1);
      places.push_back(
          static_cast<std::size_t>(in_range("spectra", one, least, static_cast<double>(coordinates_) - 1)));
    }
    in_range("spectra", static_cast<double>(places.size()), 1, most_columns);
    return places;
  }

  struct Places {
    bool of_correlations;
    std::vector<std::size_t> places;
  };

  std::size_t numbers_, coordinates_;
  std::vector<double> levels_;
  std::vector<Places> spectra_{};
  std::size_t entries_;
  bool products_;
  double count_weight_;
};

}  // namespace

std::unique_ptr<StatisticPart> moments(const Statistic& asked, bool replaced) {
  return std::make_unique<Moments>(asked, replaced);
}

}  // namespace epsilometer
