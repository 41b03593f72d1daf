// The noise sigma is what hides a record whose table has no eigenvalue worth mentioning: of a leverage t of
// at most 1/gamma with gamma = 1 + sigma^2 / C^2, where C^2 = C_X^2 + C_Y^2 and the 1 is the record's own
// share. When the smallest eigenvalue is at least b, t <= C^2 / (b + variance), so that gamma C^2 - b is
// enough.
//
// The noisy eigenvalue minus a margin is such a b, except with a probability that does not depend on the
// table (failing_bound.cpp).
#include "core/release/linear/mixing.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "core/accounting/calibrate.h"
#include "core/accounting/closed_form.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/eigenvalue.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/cholesky.h"
#include "core/release/linear/failing_bound.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/ridge.h"
#include "core/release/linear/sketch.h"
#include "core/release/row_count.h"

namespace epsilometer {
namespace {

// However large the eigenvalue, this share of the variance stays, for the finish to hide errors in.
constexpr double least_share = 0x1p-10;

class Mixing final : public LinearAlgorithm {
 public:
  Mixing(const Request& request, const MixingForm& form)
      : LinearAlgorithm(request, Norm::l2),
        form_(form),
        unit_(rounded_up(bounds().features * bounds().features + bounds().label * bounds().label)),
        size_(sketch_size(request)) {
    intercept_ = request.number("intercept", 0, 1e30, 0);
    read_eigenvalue(request);
    count_failure_ = unnoticed_failure(request);
    sigma_ = request.noise(
        "sigma", [this](double sigma) { return described(sigma); },
        [this](double epsilon, double delta) { return printed(epsilon, delta); });
    most_rows_ = most_rows(request);
    if (form_.eigenvalue == EigenvalueUse::none) return;
    chance_ = chance_of_failure(successful(sigma_), failure_, request);
  }

  Plan planned() const override {
    Plan plan{described(sigma_), {{"sigma", sigma_}, {"sketchSize", rows()}}};
    if (form_.eigenvalue != EigenvalueUse::none)
      plan.parameters.insert({{"eigenvalueNoise", eigenvalue_width(sigma_)}, {"failure", failure_}});
    return plan;
  }

  FactsNeeded facts_needed(const Release& run) const override {
    if (form_.eigenvalue != EigenvalueUse::none && !run.holds("sketchSigma"))
      throw Refusal("missing", "release", "a plan",
                    "must be a release: its noise follows from what it released");
    if (!run.holds("sketchSigma")) return facts_needed_before(run);
    // The finish of less noise is a smaller share of it, but for the rounding to its grid.
    return {FactsNeeded::Of::sketch, noisiest(run.number("sketchSigma")).variance() * (1 - 0x1p-20)};
  }
  // Noise and eigenvalues together are no less than the noise alone where no eigenvalue is used.
  FactsNeeded facts_needed_before(const Plan&) const override {
    return {FactsNeeded::Of::sketch, noisiest(sigma_).variance()};
  }
  // Given the noise that was chosen, the record's own leverage holds whether or not the bound did that chose
  // it: nothing is added for its failure. Before it is chosen, the bound's failure counts.
  Description personal(const RecordFacts& facts, const Release& run) const override {
    must_be_one(facts);
    std::vector<Description> parts = besides_sketch(sigma_, std::min(unit_, facts.whole_square));
    in_range("leverage", facts.leverage.upper(), 0, 1 / 1.000001);
    const bool shows = !facts.leverage.is_zero();
    const double gamma = shows ? std::min(1e12, rounded_down(1 / facts.leverage.upper())) : 1e12;
    std::vector<Description> sketch = noisiest(sigma_).guarantee(gamma);
    // A record of zeros leaves the sketch's covariance as it is.
    if (!shows) sketch.front() = {"pure", {{"epsilon", 0}}, {}, {}, {}};
    for (Description& part : sketch) parts.push_back(std::move(part));
    if (form_.eigenvalue == EigenvalueUse::none || run.holds("sketchSigma"))
      return composed(std::move(parts));
    return with_failing_bound(std::move(parts), failure_);
  }

 private:
  // Where no budget is given, the source's default.
  std::size_t sketch_size(const Request& request) const {
    const auto d = static_cast<double>(dimension());
    const double records = request.has("rows") ? request.whole("rows", 1, 0x1p32) : 10'000;
    const double size = request.has("sketchSize") ? request.whole("sketchSize", d + 2, 1e6)
                        : request.has("epsilon")  ? best_size(records, request.budget_mu())
                                                  : std::ceil(2.5 * std::max(d, 23.0));
    return static_cast<std::size_t>(size);
  }

  // From public values alone. Least squares on k sketched records has 1 + d / (k - d - 1) times the loss of
  // the same on all records with the sketch's noise. Of that loss, labels are guessed to vary by 0.3 of their
  // bound and to be explained to 30 %; the noise adds sigma^2 for the labels, and as much for features with
  // coefficients of length 1. For many k, a budget of Gaussian noise 1 / mu needs
  // sigma^2 = C^2 sqrt(k / 2) / mu. Beyond 64 d there is nothing to gain, and doubles are to fit in memory.
  double best_size(double records, double mu) const {
    const auto d = static_cast<double>(dimension());
    const double unexplained = records * 0.7 * std::pow(0.3 * bounds().label, 2);
    double best = 0, least = std::numeric_limits<double>::infinity();
    for (double k = 1.15 * d + 3; k <= 64 * d + 3 && (k * d <= 0x1p26 || best == 0); k += 0.15 * k) {
      const double size = std::floor(k);
      const double loss = (unexplained + 2 * unit_ * std::sqrt(size / 2) / mu) * (1 + d / (size - d - 1));
      if (loss < least) std::tie(best, least) = std::pair(size, loss);
    }
    return best;
  }

  // The share of delta that is left for failures is the source's where its calibration is asked for.
  void read_eigenvalue(const Request& request) {
    if (form_.eigenvalue == EigenvalueUse::none) {
      for (const char* name : {"eigenvalueNoise", "failure"})
        if (request.has(name))
          throw Refusal("range", name, shown(request.scale(name)),
                        "is for where the eigenvalue is used; here it is not");
      return;
    }
    const bool tested = form_.eigenvalue == EigenvalueUse::tested;
    failure_ = share_for_failure(request, request.paper() ? (tested ? 2 : 3) : 10);
    if (request.has("eigenvalueNoise")) {
      typed_width_ = request.number("eigenvalueNoise", 1e-6, 1e12);
    } else if (request.paper() && tested) {
      typed_width_ = 4 / request.budget().epsilon;
    }
  }

  // Costs next to nothing.
  RowCount count(double sigma) const { return {64 * gamma(sigma) / std::sqrt(rows()), count_failure_}; }

  // What doubles hold with all of the noise. Records of a larger table count less.
  double most_rows(const Request& request) const {
    const Sketch sketch = noisiest(sigma_);
    double most = form_.eigenvalue == EigenvalueUse::none ? 0x1p38 : most_rows_with_eigenvalue(width());
    while (most > 0x1p-30 && !sketch.holds(most * unit_)) most /= 2;
    if (most > 0x1p-30) return most;
    if (request.has("sigma"))
      throw Refusal("range", "sigma", shown(sigma_),
                    "must be larger: no sketch of so little noise fits doubles");
    throw Refusal("range", "epsilon", shown(request.aim().value),
                  "must be less: no sketch of the little noise that keeps it fits doubles");
  }

  double rows() const { return static_cast<double>(size_); }
  std::size_t width() const { return dimension() + 1; }
  Sketch noisiest(double sigma) const { return Sketch::with_noise(size_, width(), sigma); }
  double gamma(double sigma) const { return rounded_down(1 + noisiest(sigma).variance() / unit_); }

  // Of the eigenvalue's noise, in units of what a record moves it by. The default makes it cost about as much
  // as the sketch: Lev et al. 2025, Algorithm 1.
  double eigenvalue_width(double sigma) const {
    return typed_width_ > 0 ? typed_width_ : gamma(sigma) / std::sqrt(rows());
  }
  GaussianNoise gaussian(double sigma) const { return GaussianNoise::of(eigenvalue_width(sigma) * unit_); }
  LaplaceNoise laplace(double sigma) const { return LaplaceNoise::of(eigenvalue_width(sigma) * unit_); }

  std::vector<Description> successful(double sigma) const {
    std::vector<Description> parts = noisiest(sigma).guarantee(gamma(sigma));
    for (Description& part : besides_sketch(sigma, unit_)) parts.push_back(std::move(part));
    return parts;
  }

  // For records of at most that |z|^2.
  std::vector<Description> besides_sketch(double sigma, double square) const {
    std::vector<Description> parts = count(sigma).guarantee();
    const auto moved = [square](int exponent) {
      return square > 0 ? eigenvalue_sensitivity(square, exponent) : 0;
    };
    if (form_.eigenvalue == EigenvalueUse::released) {
      const GaussianNoise noise = gaussian(sigma);
      parts.push_back(noise.guarantee(moved(noise.exponent), 1));
    } else if (form_.eigenvalue == EigenvalueUse::tested) {
      const LaplaceNoise noise = laplace(sigma);
      parts.push_back(noise.guarantee(static_cast<std::int64_t>(std::ceil(moved(noise.exponent))), 1));
    }
    return parts;
  }

  Description described(double sigma) const {
    std::vector<Description> parts = successful(sigma);
    if (form_.eigenvalue == EigenvalueUse::none) return composed(std::move(parts));
    return with_failing_bound(std::move(parts), failure_);
  }

  // Lev et al. 2025, Lemma 1 and Theorem 1; Sheffet 2017, Algorithm 1, for neighbours that add or remove.
  double printed(double epsilon, double delta) const {
    if (form_.eigenvalue == EigenvalueUse::tested) {
      const double tail = std::log(8 / delta);
      return std::sqrt(4 * unit_ / epsilon * (std::sqrt(2 * rows() * tail) + 2 * tail));
    }
    const double parts = form_.eigenvalue == EigenvalueUse::released ? 3 : 1;
    const double first = parts == 1 ? 0 : std::sqrt(2 * std::log(3.75 / delta) * rows());
    const auto cost = [&](double gamma) {
      const auto loss =
          privacy_loss({"gaussian-mixing", {{"gamma", gamma}, {"sketchSize", rows()}}, {}, {}, {}});
      const double left = epsilon - first / gamma;
      return left > 0 ? renyi_curve_delta(*loss, left) : 1;
    };
    return std::sqrt(
        least_private(cost, {"noise", 1.000001, 1e12, false, true}, 2, delta / parts, {"epsilon", epsilon})
            .value *
        unit_);
  }

  // What the noisy eigenvalue guarantees, noise being released with the sketch.
  double floor_of_eigenvalues(std::span<const double> products, double weight, Release& release,
                              Generator& generator) const {
    const auto bound = [&](const auto& noise) {
      const IntegerSum sum = smallest_eigenvalue_sum(products, width(), unit_, noise.exponent);
      const double noisy = released(generator, sum, noise)[0];
      if (form_.eigenvalue == EigenvalueUse::released)
        release.add(number_output("eigenvalue", noisy / weight));
      return noisy - eigenvalue_margin(noise, unit_, chance_);
    };
    if (form_.eigenvalue == EigenvalueUse::released) return bound(gaussian(sigma_));
    const double wanted = rounded_up(unit_ + noisiest(sigma_).variance());
    const bool passed = bound(laplace(sigma_)) >= wanted;
    release.add(number_output("passed", passed ? 1 : 0));
    return passed ? wanted : 0;
  }

  // Of tables of at most so many records: what is released decides alone.
  Sketch sketch(std::span<const double> products, double most_rows, double weight, Release& release,
                Generator& generator) const {
    if (form_.eigenvalue == EigenvalueUse::none) return noisiest(sigma_);
    const double most = noisiest(sigma_).variance();
    const double floor = floor_of_eigenvalues(products, weight, release, generator);
    // Whatever rounds here is far below 2^-40 of the most.
    const double enough = (1 + 0x1p-40) * most - std::max(0.0, floor - unit_);
    const auto with = [&](double variance) {
      return Sketch::with_variance(size_, width(), variance, std::max(0.0, rounded_down(floor)));
    };
    double variance = std::max(enough, least_share * most);
    while (variance < most && !with(variance).holds(most_rows * unit_))
      variance = std::min(2 * variance, most);
    const Sketch chosen = with(variance);
    return chosen.holds(most_rows * unit_) ? chosen : noisiest(sigma_);
  }

  Release run(const LinearStatistics& statistics, Generator& generator, const Progress&) const override {
    Release release(plan());
    const std::size_t d = dimension();
    const auto [most, equations, weight] = count(sigma_).counted(statistics, release, generator, most_rows_);
    const std::vector<double> products = whole(equations);
    const Sketch sketch = this->sketch(products, most, weight, release, generator);
    auto rows = sketch.released(products, generator);
    // In units of the table again.
    for (double& one : rows) one /= std::sqrt(weight);
    if (form_.eigenvalue != EigenvalueUse::none || weight < 1)
      release.add(number_output("sketchSigma", sketch.sigma() / std::sqrt(weight), OutputKind::parameter));
    const std::vector<double> mean = mean_products(rows, width());
    const std::span<const double> all(mean), gram = all.first(triangle(d)),
                                             cross = all.subspan(triangle(d), d);
    // Of the released sketch, which decides alone whether doubles need a little ridge.
    const auto factor = Cholesky::shifted(gram, d);
    std::vector<double> theta = factor->solve(cross);
    double left = all.back();
    for (std::size_t i = 0; i < d; ++i) left -= theta[i] * cross[i];
    for (double& one : theta) one *= form_.factor;
    const auto k = static_cast<double>(size_);
    release.add(symmetric_output("gram", {gram.begin(), gram.end()}, d));
    release.add(vector_output("cross", {cross.begin(), cross.end()}));
    release.add(number_output("square", all.back()));
    // The mean square of the sketch's residuals, over its degrees of freedom.
    const double residual = left * k / (k - static_cast<double>(d));
    release.add(number_output("residualVariance", residual));
    if (form_.rows) release.add(matrix_output("sketch", rows, width()));
    // Least squares on k rows that are independent and normal: the textbook's covariance, and a Student law
    // of k - d degrees of freedom.
    std::vector<double> covariance =
        scaled_inverse(*factor, d, left / (k - static_cast<double>(d)) * form_.factor * form_.factor);
    if (covariance.empty()) {
      release.spread = UnknownSpread::too_many;
    } else {
      const double noise = sketch.sigma() * sketch.sigma() / weight;
      release.spread = Spread{Spread::Law::exact, std::move(covariance), k - static_cast<double>(d),
                              sampling(theta, gram.back(), residual, noise)};
    }
    release.add(coefficients_output(std::move(theta)));
    return release;
  }

  // Where the table shows through the noise of its sketch: the products sum up as those of the table and of
  // noise of that variance in each feature and label, and those of the constant feature tell how many rows
  // the table has. The inverse of a Wishart matrix is too large by k / (k - d - 1) on average. `residual`:
  // the variance that the sketch's fit leaves, times k.
  std::optional<double> sampling(std::span<const double> coefficients, double ones, double residual,
                                 double noise) const {
    if (form_.factor != 1 || !(intercept_ > 0)) return std::nullopt;
    double square = 1;
    for (const double one : coefficients) square += one * one;
    const auto d = static_cast<double>(dimension());
    const double records = (ones - noise) / (intercept_ * intercept_), of_rows = residual - noise * square;
    if (!(records > d && of_rows > residual / 2)) return std::nullopt;
    return of_rows / residual / (records - d) * (rows() - d - 1);
  }

  MixingForm form_;
  // The constant that every record's last feature is, if there is one.
  double intercept_ = 0;
  // C^2.
  double unit_;
  std::size_t size_;
  double failure_ = 0, typed_width_ = 0, sigma_ = 0;
  double most_rows_ = 0, count_failure_ = 0;
  // That the bound of the eigenvalue does not hold.
  double chance_ = 0;
};

}  // namespace

const std::vector<const char*> mixing_numbers = {"dimension",  "featureBound", "labelBound",      "rows",
                                                 "sketchSize", "sigma",        "eigenvalueNoise", "failure"};

EigenvalueUse eigenvalue_choice(const Request& request) {
  return request.choice("eigenvalue", {"unused", "released"}) == "unused" ? EigenvalueUse::none
                                                                          : EigenvalueUse::released;
}

std::unique_ptr<const Algorithm> mixing(const Request& request, const MixingForm& form) {
  return std::make_unique<Mixing>(request, form);
}

}  // namespace epsilometer
