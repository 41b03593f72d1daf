// Quantiles by the exponential mechanism (McSherry and Talwar 2007; Smith 2011) over public candidates,
// equally far apart from -1 to 1. With a thousandths below, b = 1000 and n rows of which L are below a
// candidate and M are not above it, its score is -max(0, b L - a n, a n - b M): how far it is from having the
// right rank, b times. A row that is added or removed moves it by at most max(a, b - a), one that is replaced
// by b.
//
// A candidate is drawn with a weight e^{-gap / t}, gap its distance from the best score, cut off at 45 t: a
// score that is cut off there moves no farther than the score. Weights are whole numbers, right to a factor
// of 1 + 2^-40, and drawn from exactly, so that the bounded range of the mechanism is that of the exact
// weights plus 2^-38. Every candidate is looked at, whatever the rows are: how long that takes tells nothing.
#include <cmath>
#include <limits>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"
#include "core/release/statistics/statistic_part.h"

namespace epsilometer {
namespace {

constexpr double all = 1000, farthest = 45;
constexpr int weight_bits = 106;

using Wide = unsigned __int128;

Wide wide_word(Generator& generator) {
  const Wide high = exact::two_words(generator);
  return high << 64 | exact::two_words(generator);
}

// Exactly uniform.
Wide below(Generator& generator, Wide bound) {
  const Wide uneven = -bound % bound;
  for (;;) {
    const Wide drawn = wide_word(generator);
    if (drawn >= uneven) return drawn % bound;
  }
}

class Quantiles final : public StatisticPart {
 public:
  Quantiles(const Statistic& asked, bool replaced)
      : candidates_(static_cast<std::size_t>(in_range("candidates", asked.cells, 2, 0x1p20))),
        thousandths_(asked.thousandths),
        weight_(asked.weight),
        replaced_(replaced) {
    in_range("probabilities", static_cast<double>(thousandths_.size()), 1, 100);
    for (const double one : thousandths_)
      if (!(one >= 1 && one < all) || one != std::floor(one))
        throw Refusal("range", "probabilities", shown(one / all),
                      "must be a whole number of thousandths between 0 and 1");
    std::sort(thousandths_.begin(), thousandths_.end());
  }

  std::size_t features() const override { return 1; }
  // At each candidate, and between it and the next one.
  std::size_t sums() const override { return 2 * candidates_; }
  double importance() const override { return std::sqrt(weight_ * static_cast<double>(thousandths_.size())); }

  std::vector<Part> guarantee(double mu) const override {
    return {{{"exponential", {{"epsilon", each(mu)}}, {}, {}, {}}, static_cast<double>(thousandths_.size())}};
  }
  void settle(double mu) override { epsilon_ = each(mu); }

  void add(std::span<const double> features, Sums& sums) const override {
    const double value = features[0];
    if (std::isnan(value)) return;
    const auto last = static_cast<double>(candidates_ - 1);
    const double at = (std::clamp(value, -1.0, 1.0) + 1) / 2 * last, nearest = std::round(at);
    // What rounding has moved off a candidate is at it.
    const bool is_at = std::abs(at - nearest) <= 1e-9;
    ++sums[2 * static_cast<std::size_t>(is_at ? nearest : std::floor(at)) + (is_at ? 0 : 1)];
  }

  void tell(const std::string& name, std::map<std::string, double>& parameters) const override {
    parameters[name + "epsilon"] = epsilon_;
    // But with probability 0.05 no drawn score is farther from the best one (McSherry and Talwar 2007), of
    // all that are drawn together: which of them a value is told as depends on the others, because they are
    // sorted. If all of them are within that of their ranks, they still are when they are sorted.
    double most = 0;
    for (const double one : thousandths_) most = std::max(most, temperature(one));
    const auto ways = static_cast<double>(candidates_ * thousandths_.size());
    parameters[name + "rankError"] = rounded_up(most * std::log(ways / 0.05) / all);
  }

  void release(const Sums& sums, Generator& generator, const std::string& name,
               Release& release) const override {
    generator.begin_release();
    std::vector<double> values;
    for (const double one : thousandths_) values.push_back(drawn(sums, one, generator));
    std::sort(values.begin(), values.end());
    release.add(vector_output(name + "quantiles", std::move(values)));
  }

 private:
  // Of k quantiles each: that composes to about mu where deltas are usual.
  double each(double mu) const {
    return in_range("noise", 1.88 * mu / std::sqrt(static_cast<double>(thousandths_.size())), 1e-9, 1e9);
  }

  double temperature(double thousandths) const {
    const double moved = replaced_ ? all : std::max(thousandths, all - thousandths);
    return rounded_up(2 * moved / (epsilon_ - 0x1p-38));
  }

  std::vector<double> gaps(const Sums& sums, double thousandths) const {
    __int128 rows = 0;
    for (const __int128 one : sums) rows += one;
    std::vector<double> result;
    __int128 under = 0;
    double best = -std::numeric_limits<double>::infinity();
    const __int128 wanted = static_cast<__int128>(thousandths) * rows, whole = static_cast<__int128>(all);
    for (std::size_t i = 0; i < candidates_; ++i) {
      const __int128 up_to = under + sums[2 * i];
      const __int128 off = std::max<__int128>({0, whole * under - wanted, wanted - whole * up_to});
      result.push_back(-static_cast<double>(off));
      best = std::max(best, result.back());
      under = up_to + sums[2 * i + 1];
    }
    for (double& score : result) score = best - score;
    return result;
  }

  double drawn(const Sums& sums, double thousandths, Generator& generator) const {
    const double t = temperature(thousandths);
    std::vector<Wide> weights;
    Wide total = 0;
    for (const double gap : gaps(sums, thousandths)) {
      weights.push_back(static_cast<Wide>(std::ldexp(std::exp(-std::min(gap / t, farthest)), weight_bits)));
      total += weights.back();
    }
    Wide left = below(generator, total);
    std::size_t chosen = 0;
    bool found = false;
    for (std::size_t i = 0; i < candidates_; ++i) {
      if (!found && left < weights[i]) chosen = i, found = true;
      if (!found) left -= weights[i];
    }
    return 2 * static_cast<double>(chosen) / static_cast<double>(candidates_ - 1) - 1;
  }

  std::size_t candidates_;
  std::vector<double> thousandths_;
  double weight_;
  bool replaced_;
  double epsilon_ = 0;
};

}  // namespace

std::unique_ptr<StatisticPart> quantiles(const Statistic& asked, bool replaced) {
  return std::make_unique<Quantiles>(asked, replaced);
}

}  // namespace epsilometer
