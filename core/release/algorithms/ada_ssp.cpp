// Adaptive sufficient statistics perturbation: X^T X and X^T y with Gaussian noise, and the ridge that the
// noise needs. Wang 2018, Algorithm 2. As printed it also releases the smallest eigenvalue of X^T X and gives
// each of the three releases a third of epsilon and of delta; here the three are priced together, and two are
// enough, because the released matrix has its own smallest eigenvalue.
#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/eigenvalue.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/ridge.h"
#include "core/release/row_count.h"

namespace epsilometer::algorithms {
namespace {

// How often the ridge may be too small for the noise, in the three-release form.
constexpr double failure = 0.05;

class AdaSsp final : public LinearAlgorithm {
 public:
  explicit AdaSsp(const Request& request)
      : LinearAlgorithm(request, Norm::l2),
        three_(releases(request) == 3),
        count_failure_(unnoticed_failure(request)) {
    const auto printed = [](double epsilon, double delta) {
      return 3 * std::sqrt(std::log(6 / delta)) / epsilon;
    };
    sigma_ = request.noise(
        "sigma", [this](double sigma) { return described(sigma); }, printed);
    // Wang 2018 lowers the released eigenvalue so that it is a lower bound except with probability delta/6.
    if (request.paper()) margin_ = std::sqrt(std::log(6 / request.budget().delta));
  }

  Plan planned() const override {
    return {described(sigma_), {{"sigma", sigma_}, {"releases", three_ ? 3 : 2}}};
  }

  FactsNeeded facts_needed(const Release&) const override { return {FactsNeeded::Of::record}; }
  Description personal(const RecordFacts& facts, const Release&) const override {
    return described(sigma_, {own(gram(Norm::l2), facts.square, facts.records),
                              own(cross(Norm::l2), facts.cross, facts.records),
                              std::min(gram_unit() * facts.records, facts.square)});
  }
  std::vector<NoisyOutput> noisy_outputs(const Release& run) const override {
    std::vector<NoisyOutput> outputs{noisy_gram_output(gram_noise(sigma_)),
                                     noisy_output(NoisyOutput::Of::cross, "cross", cross_noise(sigma_))};
    if (!three_) return outputs;
    outputs.push_back(count(sigma_).noisy_output(run));
    const double weight = RowCount::weight(outputs.back().most, most_rows_with_eigenvalue(dimension()));
    outputs.push_back(noisy_output(NoisyOutput::Of::eigenvalue, "eigenvalue", eigenvalue_noise(sigma_)));
    outputs.back().scale = weight;
    return outputs;
  }

 private:
  static double releases(const Request& request) {
    if (!request.has("releases")) return request.paper() ? 3 : 2;
    const double asked = request.whole("releases", 2, 3);
    if (!request.paper() || asked == 3) return asked;
    throw Refusal("unsupported", "releases", shown(asked), "must be 3 with the printed calibration");
  }

  // sigma counts in sensitivities: C_X^2 of X^T X in the Frobenius norm and of its smallest eigenvalue (Weyl
  // 1912), C_X C_Y of X^T y.
  double gram_unit() const { return bounds().features * bounds().features; }

  // A change D costs |D|_F / sqrt(2) at the ensemble's sigma.
  OrthogonalNoise gram_noise(double sigma) const {
    const double width = sigma * gram_unit() / std::sqrt(2.0);
    return OrthogonalNoise::of(width, gram(Norm::l2).exponent(width));
  }
  GaussianNoise cross_noise(double sigma) const {
    const double width = sigma * bounds().features * bounds().label;
    return GaussianNoise::of(width, cross(Norm::l2).exponent(width));
  }
  GaussianNoise eigenvalue_noise(double sigma) const { return GaussianNoise::of(sigma * gram_unit()); }

  // What a record moves the sums and the eigenvalue by.
  struct Moves {
    Query gram, cross;
    double eigenvalue;
  };

  Description described(double sigma) const {
    return described(sigma, {gram(Norm::l2), cross(Norm::l2), gram_unit()});
  }

  Description described(double sigma, const Moves& moves) const {
    const OrthogonalNoise matrix = gram_noise(sigma);
    const GaussianNoise vector = cross_noise(sigma), value = eigenvalue_noise(sigma);
    std::vector<Description> parts{
        matrix.guarantee(moves.gram.sensitivity(matrix.exponent), dimension()),
        vector.guarantee(moves.cross.sensitivity(vector.exponent), static_cast<double>(dimension()))};
    if (three_) {
      const bool moved = moves.eigenvalue > 0;
      parts.push_back(
          value.guarantee(moved ? eigenvalue_sensitivity(moves.eigenvalue, value.exponent) : 0, 1));
      parts = count(sigma).behind(std::move(parts));
    }
    return composed(std::move(parts));
  }

  // Costs next to nothing.
  RowCount count(double sigma) const { return {64 * sigma, count_failure_}; }

  Release run(const LinearStatistics& statistics, Generator& generator, const Progress&) const override {
    Release release(plan());
    const OrthogonalNoise matrix = gram_noise(sigma_);
    const GaussianNoise vector = cross_noise(sigma_);
    release.add(
        symmetric_output("gram", released(generator, statistics.gram(matrix.exponent), matrix), dimension()));
    release.add(vector_output("cross", released(generator, statistics.cross(vector.exponent), vector)));
    // Half as much again as the edge of the noise's spectrum, sqrt(2 d) unit.
    const double unit = sigma_ * gram_unit(), d = static_cast<double>(dimension());
    const double edge = 1.5 * unit * std::sqrt(2 * d);
    const EntryVariances noise{squared_width(matrix.diagonal, matrix.exponent),
                               squared_width(matrix.other, matrix.exponent),
                               squared_width(vector.steps, vector.exponent)};
    double ridge = 0, floor = edge;
    if (three_) {
      const double least = released_eigenvalue(statistics, release, generator);
      const double lowered = std::max(0.0, least - margin_ * unit);
      ridge = std::max(0.0, unit * std::sqrt(d * std::log(2 * d * d / failure)) - lowered);
      floor = unit;
    }
    noisy_ridge(release, {ridge, floor, edge}, noise);
    return release;
  }

  // Records of more than doubles know the eigenvalue of count less.
  double released_eigenvalue(const LinearStatistics& statistics, Release& release,
                             Generator& generator) const {
    const auto [rows, equations, weight] =
        count(sigma_).counted(statistics, release, generator, most_rows_with_eigenvalue(dimension()));
    const GaussianNoise noise = eigenvalue_noise(sigma_);
    const IntegerSum least =
        smallest_eigenvalue_sum(equations.gram, dimension(), gram_unit(), noise.exponent);
    const double noisy = released(generator, least, noise)[0] / weight;
    release.add(number_output("eigenvalue", noisy));
    return noisy;
  }

  bool three_;
  double count_failure_, sigma_, margin_ = 0;
};

}  // namespace

std::unique_ptr<const Algorithm> ada_ssp(const FitRequest& request) {
  return std::make_unique<AdaSsp>(
      Request(request, {"dimension", "featureBound", "labelBound", "sigma", "releases"}, {}));
}

}  // namespace epsilometer::algorithms
