// One sample of the ridge posterior, with the regularisation and the noise that the table itself allows: its
// smallest eigenvalue and the norm of its ridge coefficients are released first. AdaOPS, Wang 2018; as a
// release of data-dependent bounds, Redberg 2023 (thesis), Algorithm 15. Both in corrected form: bounds on
// their safe sides, the sensitivity of the smaller table, the exact price of the sample.
//
// Let l bound the eigenvalues of X^T X from below, and M = C^2 / (lambda + max(l - C^2, 0)): no record has a
// larger leverage, whether it is added or removed, because the smaller one of the two tables has no
// eigenvalue below l - C^2. With t = C_Y + C |theta|, the smaller table's coefficients differ from the larger
// one's by H^{-1} x (y - x^T theta), H the smaller's and theta the larger's, and the same with the roles
// exchanged: so log t moves by at most log(1 + M). And a record's residual in the smaller table is at most (1
// + m) t, m its leverage, when t is that of either. The pair (M, (1 + M) t / sigma) dominates all of these
// (core/release/algorithms/posterior_sampling.cpp).
//
// Both bounds fail with a probability that no table changes; how that adds up is told in
// core/release/linear/mixing.cpp.
#include "core/release/linear/adaptive_posterior.h"

#include <algorithm>
#include <cmath>

#include "core/accounting/profile.h"
#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/eigenvalue.h"
#include "core/release/linear/failing_bound.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/posterior_sample.h"
#include "core/release/linear/ridge.h"
#include "core/release/row_count.h"

namespace epsilometer {
namespace {

// Leverages from here on are worth telling apart; the logarithm is released in units of log(1 + M).
constexpr double least_leverage = 0x1p-16;

// The size of the coefficients may be computed with this error, in units of what a record moves it by.
constexpr double size_error = 0x1p-9;

// Of a record, in units of sigma: no sample is looked for that may show less.
constexpr double least_residual = 1e-6;

// So may a sample's noise be more than the least: 2^-20 of it.
constexpr int residual_bits = 20;

// Residuals in units of sigma which a sample at that leverage may have by the closed form: with kappa =
// leverage residual^2, leverage tail + sqrt(2 kappa tail) + kappa / 2 = epsilon. Not positive where there is
// none.
double closed_residual(double leverage, const Target& target) {
  const double tail = std::log(1 / target.delta), left = target.epsilon - leverage * tail;
  return (std::sqrt(2 * tail + 2 * std::max(left, 0.0)) - std::sqrt(2 * tail)) / std::sqrt(leverage);
}

class AdaptivePosterior final : public LinearAlgorithm {
 public:
  AdaptivePosterior(const Request& request, Lambda lambda)
      : LinearAlgorithm(request, Norm::l2), rule_(lambda), paper_(request.paper()) {
    count_failure_ = unnoticed_failure(request);
    if (rule_ == Lambda::tested || request.has("lambda")) lambda_ = request.number("lambda", 1e-30, 1e30);
    const bool budget = request.has("epsilon") || !request.has("sigma");
    const auto share = [&](const char* name, double most, double otherwise) {
      return budget && !request.has(name) ? otherwise : request.number(name, 1e-40, most);
    };
    const Target whole = budget ? request.budget() : Target{};
    sample_ = {share("sampleEpsilon", 1e6, whole.epsilon / 2), share("sampleDelta", 0.25, whole.delta / 3)};
    failure_ = share("failure", 0.25, whole.delta / 3);
    sigma_ = request.noise(
        "sigma", [this](double sigma) { return described(sigma); },
        // A quarter of epsilon for each statistic, as the source means it.
        [](double epsilon, double delta) { return 4 * std::sqrt(std::log(6 / delta)) / epsilon; });
    if (!is_private(least_leverage))
      throw Refusal("unreachable", "sampleEpsilon", shown(sample_.epsilon), "is not enough for any lambda");
    worst_leverage_ = std::max(leverage(0, chosen_lambda(0)), least_leverage);
    worst_residual_ = exact_residual(worst_leverage_);
    // Of each of two bounds.
    chance_ = chance_of_failure(successful(sigma_), failure_, request) / 2;
  }

  Plan planned() const override {
    return {described(sigma_),
            {{"sigma", sigma_},
             {"sampleEpsilon", sample_.epsilon},
             {"sampleDelta", sample_.delta},
             {"failure", failure_}}};
  }

  FactsNeeded facts_needed(const Release& run) const override {
    if (run.holds("lambda")) return {FactsNeeded::Of::ridge, run.number("lambda")};
    throw Refusal("missing", "release", "no lambda",
                  "must be one that came out: its noise follows from the lambda that it released");
  }
  // Given the lambda and the noise that were chosen, the record's own pair holds whether or not the bounds
  // did that chose them: nothing is added for their failure.
  Description personal(const RecordFacts& facts, const Release& run) const override {
    must_be_one(facts);
    const GaussianNoise noise = this->noise(sigma_);
    const double square = std::min(1.0, rounded_up(facts.square / unit())), size = personal_size(facts, run);
    return composed(count(sigma_).behind(
        {noise.guarantee(square > 0 ? eigenvalue_sensitivity(square, noise.exponent) : 0, 1),
         noise.guarantee(size > 0 ? rounded_sensitivity(size, size_error, 1, noise.exponent) : 0, 1),
         personal_sample(facts, run.number("sampleSigma")), Finish(1, dimension()).guarantee()}));
  }
  std::vector<NoisyOutput> noisy_outputs(const Release& run) const override {
    const GaussianNoise noise = this->noise(sigma_);
    const NoisyOutput rows = count(sigma_).noisy_output(run);
    const double weight = RowCount::weight(rows.most, most_rows_with_eigenvalue(dimension()));
    NoisyOutput least = noisy_output(NoisyOutput::Of::eigenvalue, "eigenvalue", noise),
                length = noisy_output(NoisyOutput::Of::length, "logNorm", noise);
    least.scale = weight / unit();
    // All found again from rounded numbers.
    const double lambda = run.number("lambda") * weight,
                 eigenvalue = std::max(0.0, run.number("eigenvalue") * least.scale - margin()) * unit(),
                 leverage = most_leverage(eigenvalue, lambda), one = std::log1p(leverage);
    length.scale = 1 / one;
    length.per_length = bounds().features / bounds().label;
    PosteriorSample sample(dimension(), bounds(), rows.most * weight, lambda);
    sample.tighten(lambda + rounded_down(eigenvalue), residual(run.number("logNorm") / one, one));
    return {rows, least, length, sample.noisy_output(run.number("sampleSigma") * std::sqrt(weight), weight)};
  }

 private:
  // By how much the record moves the logarithm of 1 + C |theta| / C_Y, in units of what any may.
  double personal_size(const RecordFacts& facts, const Release& run) const {
    const double eigenvalue = run.number("eigenvalue") - margin() * unit();
    const double least = most_leverage(std::max(0.0, eigenvalue), run.number("lambda"));
    const double moved = bounds().features / bounds().label * facts.moved;
    // The leverage is found again from rounded numbers.
    return std::min(1.0, rounded_up(moved / std::log1p(least), 0x1p-30));
  }

  // What counts is in units of what a record moves it by.
  static GaussianNoise noise(double sigma) { return GaussianNoise::of(in_range("sigma", sigma, 0.01, 1e9)); }

  // Costs next to nothing.
  RowCount count(double sigma) const { return {64 * sigma, count_failure_}; }

  std::vector<Description> successful(double sigma) const {
    const GaussianNoise each = noise(sigma);
    const Description eigenvalue = each.guarantee(eigenvalue_sensitivity(1, each.exponent), 1),
                      size = each.guarantee(rounded_sensitivity(1, size_error, 1, each.exponent), 1);
    const Description sample{
        "approximate", {{"epsilon", sample_.epsilon}, {"delta", sample_.delta}}, {}, {}, {}};
    return count(sigma).behind({eigenvalue, size, sample, Finish(1, dimension()).guarantee()});
  }

  Description described(double sigma) const { return with_failing_bound(successful(sigma), failure_); }

  double unit() const { return rounded_up(bounds().features * bounds().features); }
  double margin() const { return eigenvalue_margin(noise(sigma_), 1, chance_); }

  double leverage(double eigenvalue, double lambda) const {
    return rounded_up(unit() / (lambda + std::max(rounded_down(eigenvalue, 0x1p-40) - unit(), 0.0)));
  }

  // Where coefficients of the size C_Y / C would have the least excess risk, by the closed form: the sample's
  // d / (2 gamma) and the bias.
  double chosen_lambda(double eigenvalue) const {
    if (lambda_ > 0) return lambda_;
    double best = 0, least = std::numeric_limits<double>::infinity();
    for (int power = -10; power <= 40; ++power) {
      const double lambda = std::ldexp(unit(), power), most = leverage(eigenvalue, lambda);
      const double residual = closed_residual(most, sample_);
      const double spread = 2 * (1 + most) / residual,
                   bias = lambda / unit() * lambda / (lambda + eigenvalue);
      const double risk = static_cast<double>(dimension()) * spread * spread + bias;
      if (residual > 0 && risk < least) least = risk, best = lambda;
    }
    return best;
  }

  // The largest residual in units of sigma at which the sample keeps its share of the budget; 0 where there
  // is none.
  double exact_residual(double leverage) const {
    if (leverage == worst_leverage_ && worst_residual_ > 0) return worst_residual_;
    if (!is_private(leverage)) return 0;
    const double closed = closed_residual(leverage, sample_);
    const double found =
        least_private([&](double residual) { return cost(leverage, residual); },
                      {"residual", least_residual, 1e6, false, false}, std::max(closed, 1e-3),
                      sample_.epsilon, {"sampleEpsilon", sample_.epsilon}, residual_bits)
            .value;
    return paper_ ? std::min(found, closed) : found;
  }

  // Of a sample, as epsilon at its share of delta.
  double cost(double leverage, double residual) const {
    const auto loss =
        privacy_loss({"posterior-sampling", {{"leverage", leverage}, {"residual", residual}}, {}, {}, {}});
    return Profile(*loss).epsilon(sample_.delta).upper;
  }

  // Whether a sample at that leverage keeps its share of the budget at some residual, as at any smaller one.
  bool is_private(double leverage) const {
    if (leverage <= worst_leverage_ && worst_residual_ > 0) return true;
    if (paper_ && !(closed_residual(leverage, sample_) > 0)) return false;
    return leverage <= 1e3 && cost(leverage, least_residual) <= sample_.epsilon;
  }

  // The logarithm of 1 + C |theta| / C_Y, in units of what a record moves it by.
  double size(double norm, double leverage) const {
    return std::log1p(bounds().features / bounds().label * norm) / std::log1p(leverage);
  }
  double error_of_size(double norm, double error, double leverage) const {
    return bounds().features / bounds().label * error / std::log1p(leverage) +
           size(norm, leverage) * static_cast<double>(dimension() + 16) * unit_roundoff;
  }

  // At least C_Y + C |theta|.
  double residual(const NormalEquations& equations, double lambda, double floor, double leverage,
                  Release& release, Generator& generator) const {
    const GaussianNoise noise = this->noise(sigma_);
    const RidgeSolution solution = ridge(equations, lambda, floor);
    double squares = 0;
    for (const double one : solution.coefficients) squares += one * one;
    const double norm = std::sqrt(squares);
    if (!(error_of_size(norm, solution.error, leverage) <= size_error))
      throw Refusal("unreachable", "coefficients", "none",
                    "could be computed as accurately as priced; the budget is spent");
    const double noisy =
        released(generator, rounded(std::vector{size(norm, leverage)}, noise.exponent), noise)[0];
    const double one = std::log1p(leverage);
    release.add(number_output("logNorm", noisy * one));
    return residual(noisy, one);
  }
  double residual(double noisy, double one) const {
    return rounded_up(std::exp((noisy + margin() + size_error) * one), 0x1p-40) * bounds().label;
  }

  double most_leverage(double eigenvalue, double lambda) const {
    return std::max(leverage(eigenvalue, lambda), least_leverage);
  }

  // Whether the sample keeps its share of the budget, and doubles can compute it for every table of so many
  // records with no smaller an eigenvalue.
  bool is_enough(double eigenvalue, double lambda, double rows) const {
    const double c = bounds().features, most = most_leverage(eigenvalue, lambda);
    const double norm = largest_ridge_norm(bounds(), rows, lambda);
    const double error = largest_ridge_error(dimension(), rows * unit(), lambda + rounded_down(eigenvalue),
                                             norm, rows * c * bounds().label);
    return is_solvable(dimension(), bounds(), rows, lambda) &&
           error_of_size(rounded_up(norm + error), error, most) <= size_error && is_private(most);
  }

  // What is wanted, or the first that is enough of those a power of two larger. Released values decide alone.
  double enough_lambda(double eigenvalue, double rows) const {
    double lambda = std::max(chosen_lambda(eigenvalue), lambda_ > 0 ? lambda_ : unit() * 0x1p-10);
    while (!is_enough(eigenvalue, lambda, rows)) lambda *= 2;
    return lambda;
  }

  // Of no more records than doubles know the eigenvalue of: those of a larger table count less.
  Release run(const LinearStatistics& statistics, Generator& generator, const Progress&) const override {
    Release release(plan());
    const auto [rows, equations, weight] =
        count(sigma_).counted(statistics, release, generator, most_rows_with_eigenvalue(dimension()));
    const GaussianNoise noise = this->noise(sigma_);
    std::vector<double> gram = equations.gram;
    for (double& entry : gram) entry /= unit();
    const IntegerSum sum = smallest_eigenvalue_sum(gram, dimension(), 1, noise.exponent);
    const double noisy = released(generator, sum, noise)[0];
    const double eigenvalue = std::max(0.0, noisy - margin()) * unit();
    if (rule_ == Lambda::tested && !is_enough(eigenvalue, lambda_, rows)) {
      release.add(number_output("eigenvalue", noisy * unit() / weight));
      release.outcome = Outcome::refused_by_test;
      return release;
    }
    const double lambda = rule_ == Lambda::tested ? lambda_ : enough_lambda(eigenvalue, rows),
                 leverage = most_leverage(eigenvalue, lambda);
    const double floor = lambda + rounded_down(eigenvalue);
    PosteriorSample sample(dimension(), bounds(), rows, lambda);
    sample.tighten(floor, residual(equations, lambda, floor, leverage, release, generator));
    const double sigma = rounded_up((1 + leverage) * sample.largest_residual() / exact_residual(leverage));
    release.add(number_output("eigenvalue", noisy * unit() / weight));
    release.add(number_output("lambda", lambda / weight, OutputKind::parameter));
    release.add(number_output("sampleSigma", sigma / std::sqrt(weight), OutputKind::parameter));
    release.add(coefficients_output(sample.released(equations, sigma, generator)));
    return release;
  }

  Lambda rule_;
  bool paper_;
  double lambda_ = 0;
  Target sample_;
  double failure_ = 0, count_failure_ = 0, sigma_ = 0;
  // That one of the two bounds does not hold.
  double chance_ = 0;
  // Where no eigenvalue is known to be above 0.
  double worst_leverage_ = 0, worst_residual_ = 0;
};

}  // namespace

const std::vector<const char*> adaptive_posterior_numbers = {
    "dimension", "featureBound", "labelBound", "lambda", "sigma", "sampleEpsilon", "sampleDelta", "failure"};

std::unique_ptr<const Algorithm> adaptive_posterior(const Request& request, Lambda lambda) {
  return std::make_unique<AdaptivePosterior>(request, lambda);
}

}  // namespace epsilometer
