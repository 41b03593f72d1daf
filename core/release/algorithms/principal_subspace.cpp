// The subspace of the k largest eigenvalues of X^T X, as its projection with noise, where the eigenvalue gap
// after them allows it: the gap is released first, with noise of its own, and a lower bound of it decides the
// noise of the projection, or that there is none. Redberg 2023 (thesis), Proposition B.3.13, as a release of
// a data-dependent bound.
// The thesis has neighbours' projections 2 / (g - 2) apart, for replaced records and a gap of g times what
// one moves; here it is 1 / sqrt(2 g (g - 1)), for records that are added or removed.
#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/eigensystem.h"
#include "core/release/linear/failing_bound.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/row_count.h"

namespace epsilometer::algorithms {
namespace {

// What eigenvalues may be computed with, in units of what a record moves them by.
constexpr double tolerance = 0x1p-9;

// The noise of the gap, in that of the projection: a tenth of the price.
constexpr double gap_ratio = 3;

// A projection's own gap is 1: noise whose eigenvalues reach half of it shows no subspace.
constexpr double largest_edge = 0.5;

// So much finer than usual is the grid of the projection, for rounding d^2 entries to cost nothing.
constexpr int finer = 12;

class PrincipalSubspace final : public LinearAlgorithm {
 public:
  explicit PrincipalSubspace(const Request& request) : LinearAlgorithm(request, Norm::l2, Labels::unused) {
    in_range("dimension", static_cast<double>(dimension()), 2, largest_eigensystem);
    if (request.number("intercept", 0, 1e30, 0) > 0)
      throw Refusal("range", "intercept", shown(request.number("intercept", 0, 1e30)),
                    "must be 0: a constant feature would be the main direction of every table");
    components_ =
        static_cast<std::size_t>(request.whole("components", 1, static_cast<double>(dimension() - 1)));
    count_failure_ = unnoticed_failure(request);
    if (request.has("gapNoise")) typed_gap_noise_ = request.number("gapNoise", 0.01, 1e9);
    failure_ = share_for_failure(request, 10);
    sigma_ = request.noise(
        "sigma", [this](double sigma) { return described(sigma); },
        // Half of epsilon and of delta, as the source means it.
        [](double epsilon, double delta) { return 2 * std::sqrt(2 * std::log(2.5 / delta)) / epsilon; });
    margin_ = lower_margin(gap_noise(sigma_), chance_of_failure(successful(sigma_), failure_, request)) +
              2 * tolerance;
  }

  Plan planned() const override {
    return {described(sigma_),
            {{"sigma", sigma_},
             {"components", static_cast<double>(components_)},
             {"gapNoise", gap_width(sigma_)},
             {"failure", failure_}}};
  }
  OutputType result() const override {
    return {"directions", OutputKind::matrix, {components_, dimension()}};
  }

 private:
  double unit() const { return rounded_up(bounds().features * bounds().features); }

  double gap_width(double sigma) const { return typed_gap_noise_ > 0 ? typed_gap_noise_ : gap_ratio * sigma; }
  GaussianNoise gap_noise(double sigma) const {
    return GaussianNoise::of(in_range("gapNoise", gap_width(sigma), 0.01, 1e12));
  }

  // Costs next to nothing.
  RowCount count(double sigma) const { return {64 * gap_width(sigma), count_failure_}; }

  // Each eigenvalue of neighbours moves by 0 to 1 in the same direction, and the gap by no more.
  std::vector<Description> successful(double sigma) const {
    const GaussianNoise gap = gap_noise(sigma);
    return count(sigma).behind(
        {{"gaussian", {{"sigma", in_range("sigma", sigma, 1e-6, 1e12)}, {"sensitivity", 1}}, {}, {}, {}},
         gap.guarantee(rounded_sensitivity(1, 2 * tolerance, 1, gap.exponent), 1)});
  }

  Description described(double sigma) const { return with_failing_bound(successful(sigma), failure_); }

  // Of how many records every table's eigenvalues are known to that tolerance: a power of two.
  double most_rows() const { return std::ldexp(1, std::ilogb(tolerance / largest_error())); }
  // Sums are rounded twice, relative to the norm of the whole.
  double largest_error() const { return largest_certificates(dimension()).error + 4 * unit_roundoff; }

  // How far the projections of neighbours are apart as they are computed, where one has at least that gap.
  double moved(double gap) const {
    const Certificates most{tolerance, largest_certificates(dimension()).tilt};
    return rounded_up(largest_projection_move(gap) + 2 * projection_error(most, gap, components_));
  }

  // The noise for that gap: at least sigma in units of what a record moves the projection by, with all
  // rounding. Public: it follows from the gap's bound alone.
  OrthogonalNoise projection_noise(double gap) const {
    const double least = sigma_ * moved(gap) / std::sqrt(2.0);
    for (double more = 0x1p-24;; more *= 2) {
      const double width = least * (1 + more);
      const OrthogonalNoise noise = OrthogonalNoise::of(width, default_exponent(width) - finer);
      const double steps = rounded_sensitivity(moved(gap), 0, dimension() * dimension(), noise.exponent);
      const Description cost = noise.guarantee(steps, dimension());
      if (cost.numbers.at("sigma") >= rounded_up(sigma_ * cost.numbers.at("sensitivity"))) return noise;
    }
  }

  // Twice the root of the dimension times the deviation of an entry, as the source of the test has it for
  // large matrices: a rule of usefulness, not of privacy.
  bool is_useful(double gap) const {
    if (!(gap > 1)) return false;
    return 2 * std::sqrt(static_cast<double>(dimension())) * sigma_ * moved(gap) / std::sqrt(2.0) <=
           largest_edge;
  }

  void must_be_certain(const Eigensystem& system, double rounding) const {
    if (system.error + rounding <= tolerance && system.tilt <= largest_certificates(dimension()).tilt) return;
    throw Refusal("unreachable", "eigenvalues", "uncertain",
                  "could not be computed as accurately as priced; the budget is spent");
  }

  Release run(const LinearStatistics& statistics, Generator& generator,
              const Progress& progress) const override {
    Release release(plan());
    const auto [rows, equations, weight] = count(sigma_).counted(statistics, release, generator, most_rows());
    std::vector<double> gram = equations.gram;
    for (double& entry : gram) entry /= unit();
    const Eigensystem system = eigensystem(gram, dimension(), progress);
    must_be_certain(system, 4 * unit_roundoff * rows);
    const double gap = released_gap(system, weight, release, generator);
    if (!is_useful(gap)) {
      release.outcome = Outcome::refused_by_test;
      return release;
    }
    add_projection(system, gap, release, generator, progress);
    return release;
  }

  // A lower bound, in units of what a record moves it by.
  double released_gap(const Eigensystem& system, double weight, Release& release,
                      Generator& generator) const {
    const GaussianNoise noise = gap_noise(sigma_);
    const double gap = system.values[components_ - 1] - system.values[components_];
    const double noisy = released(generator, rounded(std::vector{gap}, noise.exponent), noise)[0];
    release.add(number_output("gap", noisy * unit() / weight));
    release.add(number_output("gapAtLeast", std::max(0.0, noisy - margin_) * unit() / weight));
    return rounded_down(std::max(0.0, noisy - margin_));
  }

  void add_projection(const Eigensystem& system, double gap, Release& release, Generator& generator,
                      const Progress& progress) const {
    const OrthogonalNoise noise = projection_noise(gap);
    const std::vector<double> matrix =
        released(generator, rounded(projection(system, components_), noise.exponent), noise);
    const Eigensystem found = eigensystem(matrix, dimension(), progress);
    release.add(number_output("projectionSigma", std::ldexp(static_cast<double>(noise.other), noise.exponent),
                              OutputKind::parameter));
    release.add(matrix_output("directions", leading_vectors(found, components_), dimension()));
    release.add(symmetric_output("projection", matrix, dimension()));
  }

  std::size_t components_ = 0;
  double typed_gap_noise_ = 0, failure_ = 0, count_failure_ = 0, sigma_ = 0;
  // Taken off the noisy gap for a lower bound of the true one.
  double margin_ = 0;
};

}  // namespace

std::unique_ptr<const Algorithm> principal_subspace(const FitRequest& request) {
  return std::make_unique<PrincipalSubspace>(
      Request(request, {"dimension", "featureBound", "sigma", "components", "gapNoise", "failure"}, {}));
}

}  // namespace epsilometer::algorithms
