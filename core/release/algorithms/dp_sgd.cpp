// Stochastic gradient descent with clipped gradients and noise, the baseline everybody asks for: Abadi et al.
// 2016. Every record joins each step with the same probability, decided exactly; its gradient is clipped,
// intercept included, and truncated to the grid of the noise; the noisy sum is divided by rate * rows, both
// public. Starts at zero, each step goes on by a share of the last one, its momentum (Nesterov 1983), which
// only processes what is released, and the last point is the answer. "paper": the noise by the Renyi
// divergence of the steps instead of the composition of their laws.
//
// What is not typed follows from public values alone. Every row is in every step: sampling would add noise of
// its own. The pace a = learningRate / rows is that of the greatest curvature that the losses of `rows`
// records can sum to, 1 / a. In a direction in which they curve by h, and in which the coefficient is guessed
// as N(0, tau^2), the way that is left after T steps is p of it, a kick at a step is r_t of itself t steps
// later, and the expected risk to second order is
//     F(h) = h (p^2 tau^2 + T (L / mu)^2 a^2 sum r_t^2) / 2,
// where the budget is that of Gaussian noise 1 / mu. With rho = L a / (mu tau), T = 2 / sqrt(rho) and
// momentum (1 - s) / (1 + s), s = 3 T rho / 4, the greatest F over all h <= 1 / a is 0.26 tau L / mu
// (computed for rho from 3e-5 to 0.1), where objective perturbation has a quarter and steps without momentum
// come as near when they are 0.65 / rho. So the worst risk falls as 1 / mu, however large the budget is.
// Other T are balanced by the same s, but fewer by 2 / T.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/accounting/closed_form.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/noise/exact_sampler.h"
#include "core/release/algorithm.h"
#include "core/release/descent_steps.h"
#include "core/release/model_request.h"

namespace epsilometer::algorithms {
namespace {

// Rates are whole multiples of 2^-32, which a coin decides exactly.
constexpr std::uint64_t coin_range = std::uint64_t{1} << 32;

// Of a path that is released.
constexpr double most_kept = 0x1p23;

class DpSgd final : public Algorithm {
 public:
  explicit DpSgd(const FitRequest& asked)
      : request_(model_request(
            asked, {"noiseMultiplier", "steps", "rate", "learningRate", "momentum", "predictorScale"},
            {"path"})),
        model_(request_),
        share_(static_cast<std::uint64_t>(request_.number("rate", 0x1p-32, 1, 1) * 0x1p32)),
        descent_(rate(), model_.lipschitz),
        keeps_path_(request_.choice("path", {"hidden", "released"}) == "released"),
        learning_rate_(request_.number("learningRate", 1e-12, 1e12, 1 / model_.smoothness)) {
    if (!request_.has("rows"))
      throw Refusal("missing", "rows", "nothing",
                    "must be given: the public number by which sums are divided");
    const double rho_mu = model_.lipschitz * learning_rate_ / (*model_.rows * model_.coefficient_scale);
    steps_ = request_.has("steps") ? request_.whole("steps", 1, 1e7) : usual_steps(rho_mu);
    const double s = std::clamp(0.75 * steps_ * rho_mu / mu(steps_), std::min(1.0, 2 / steps_), 1.0);
    momentum_ = request_.number("momentum", 0, 1, (1 - s) / (1 + s));
  }

  Plan plan() const override { return planned(model_.dimension_for(nullptr)); }

  FactsNeeded facts_needed(const Release& run) const override {
    if (!keeps_path_)
      throw Refusal("unsupported", "path", "hidden",
                    "must be released: what a row paid follows from where the steps took its gradient");
    if (!run.holds("path")) throw Refusal("missing", "path", "nothing", "must be in the release");
    return needed();
  }
  FactsNeeded facts_needed_before(const Plan&) const override { return needed(); }

  Description personal(const RecordFacts& facts, const Release& run) const override {
    must_be_one(facts);
    if (static_cast<double>(facts.gradients.size()) != steps_)
      throw Refusal("range", "path", shown(static_cast<double>(facts.gradients.size())),
                    "must have the point at which each of the steps took its gradients");
    return descent_.personal(facts.gradients, noise_of(run.parameters.at("noiseMultiplier")),
                             static_cast<double>(facts.dimension));
  }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    Release release(planned(model_.dimension_for(&table.front())));
    const GaussianNoise noise = noise_of(release.parameters.at("noiseMultiplier"));
    const BoundedRecords bounded(table, *model_.loss, model_.bounds);
    std::vector<double> theta(bounded.dimension()), ahead = theta;
    std::vector<double> path;
    if (keeps_path_) path.reserve(theta.size() * static_cast<std::size_t>(steps_));
    const double pace = learning_rate_ / (rate() * *model_.rows);
    for (double step = 0; step < steps_; ++step) {
      if (keeps_path_) path.insert(path.end(), ahead.begin(), ahead.end());
      const IntegerSum sum = sampled_gradient(bounded, ahead, noise, generator, [&](double share) {
        return !progress || progress((step + share) / steps_);
      });
      const std::vector<double> gradient = released(generator, sum, noise);
      for (std::size_t j = 0; j < theta.size(); ++j) {
        const double next = ahead[j] - pace * gradient[j];
        ahead[j] = next + momentum_ * (next - theta[j]);
        theta[j] = next;
      }
    }
    const std::size_t dimension = theta.size();
    release.add(coefficients_output(std::move(theta)));
    if (keeps_path_) release.add(path_output(std::move(path), dimension));
    return release;
  }

 private:
  double rate() const { return static_cast<double>(share_) * 0x1p-32; }

  FactsNeeded needed() const { return {FactsNeeded::Of::path, 0, 0, steps_}; }

  // What the steps' noise is worth where it is typed: by the central limit theorem of many steps.
  double mu(double steps) const {
    if (request_.has("noiseMultiplier")) return rate() * std::sqrt(steps) / request_.scale("noiseMultiplier");
    return request_.budget_mu();
  }

  // T = 2 / sqrt(rho), with rho = rho_mu / mu(T); where the noise is typed, mu(T) = mu(1) sqrt(T).
  double usual_steps(double rho_mu) const {
    const double power = request_.has("noiseMultiplier") ? 2.0 / 3 : 0.5;
    return std::clamp(std::ceil(std::pow(4 * mu(1) / rho_mu, power)), 1.0, 1e7);
  }

  GaussianNoise noise_of(double multiplier) const { return GaussianNoise::of(multiplier * model_.lipschitz); }

  // A record's part in it depends on itself and theta only.
  IntegerSum sampled_gradient(const BoundedRecords& records, const std::vector<double>& theta,
                              const GaussianNoise& noise, Generator& generator,
                              const Progress& progress) const {
    const Truncation truncation = descent_.truncation(noise);
    IntegerSum sum(theta.size());
    std::vector<double> x(theta.size());
    std::vector<std::int64_t> contribution(theta.size());
    each_row(records.count(), usual_block, progress, [&](std::size_t i) {
      if (!exact::coin(generator, share_, coin_range)) return;
      const auto record = records.read(i, x);
      records.to_gradient(record, theta, x);
      truncation.apply(x, contribution);
      sum.add(contribution);
    });
    return sum;
  }

  Description described(double multiplier, double dimension) const {
    return descent_.everybody(noise_of(multiplier), steps_, dimension);
  }

  // By the Renyi divergence alone.
  double printed(const Target& target, double dimension) const {
    const auto cost = [&](double value) {
      const auto loss = privacy_loss(described(value, dimension));
      return CoarseRenyi(*loss).delta(target.epsilon);
    };
    return least_private(cost, {"noise", 1e-3, 1e9, false, true}, 1, target.delta, request_.aim(), 24).value;
  }

  // Found once: where rows are sampled that is dear, and a tuned algorithm is run again and again.
  double multiplier(double dimension) const {
    if (const auto found = multipliers_.find(dimension); found != multipliers_.end()) return found->second;
    // Starting at the printed one, the search meets no noise so small that its composition would be dear.
    const double value = request_.noise(
        "noiseMultiplier", [&](double tried) { return described(tried, dimension); },
        [&](double epsilon, double delta) {
          return printed({epsilon, delta}, dimension);
        },
        [&] { return printed(request_.budget(), dimension); });
    return multipliers_[dimension] = value;
  }

  Plan planned(double dimension) const {
    if (keeps_path_ && steps_ * dimension > most_kept)
      throw Refusal("range", "steps", shown(steps_),
                    "must be fewer: a path that is released may have 2^23 numbers");
    const double chosen = multiplier(dimension);
    return {described(chosen, dimension),
            {{"noiseMultiplier", chosen},
             {"steps", steps_},
             {"rate", rate()},
             {"learningRate", learning_rate_},
             {"momentum", momentum_},
             {"gradientBound", model_.lipschitz}},
            coefficients_type(static_cast<std::size_t>(dimension))};
  }

  Request request_;
  PublicModel model_;
  std::uint64_t share_;
  DescentSteps descent_;
  bool keeps_path_;
  double learning_rate_, steps_, momentum_;
  mutable std::map<double, double> multipliers_;
};

}  // namespace

std::unique_ptr<const Algorithm> dp_sgd(const FitRequest& request) {
  return std::make_unique<DpSgd>(request);
}

}  // namespace epsilometer::algorithms
