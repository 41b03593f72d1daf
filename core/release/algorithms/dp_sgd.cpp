// Stochastic gradient descent with clipped gradients and noise, the baseline everybody asks for: Abadi et al.
// 2016. Every record joins each step with the same probability, decided exactly; its gradient is clipped,
// intercept included, and truncated to the grid of the noise; the noisy sum is divided by rate * rows, both
// public. Starts at zero and answers with the last point. "paper": the noise by the Renyi divergence of the
// steps instead of the composition of their laws.
#include <cmath>

#include "core/accounting/closed_form.h"
#include "core/accounting/profile.h"
#include "core/base/refusal.h"
#include "core/release/algorithm.h"
#include "core/release/exact_sampler.h"
#include "core/release/model_request.h"
#include "core/release/noise.h"

namespace epsilometer::algorithms {
namespace {

// Rates are whole multiples of 2^-32, which a coin decides exactly.
constexpr std::uint64_t coin_range = std::uint64_t{1} << 32;

class DpSgd final : public Algorithm {
 public:
  explicit DpSgd(const FitRequest& asked)
      : request_(model_request(asked, {"noiseMultiplier", "steps", "rate", "learningRate"}, {})),
        model_(request_),
        steps_(request_.whole("steps", 1, 1e7)),
        share_(static_cast<std::uint64_t>(request_.number("rate", 0x1p-32, 1) * 0x1p32)),
        learning_rate_(request_.scale("learningRate")) {
    if (!request_.has("rows"))
      throw Refusal("missing", "rows", "nothing",
                    "must be given: the public number by which sums are divided");
  }

  Release plan() const override { return planned(model_.dimension_for(nullptr)); }

  Release fit(Pieces table, Generator& generator, const Progress& progress) const override {
    Release release = planned(model_.dimension_for(&table.front()));
    const GaussianNoise noise = noise_of(release.parameters.at("noiseMultiplier"));
    const BoundedRecords bounded(table, *model_.loss, model_.bounds);
    std::vector<double>& theta = release.coefficients;
    theta.assign(bounded.dimension(), 0);
    const double pace = learning_rate_ / (rate() * *model_.rows);
    for (double step = 0; step < steps_; ++step) {
      const IntegerSum sum = sampled_gradient(bounded, theta, noise, generator, [&](double share) {
        return !progress || progress((step + share) / steps_);
      });
      const std::vector<double> gradient = released(generator, sum, noise);
      for (std::size_t j = 0; j < theta.size(); ++j) theta[j] -= pace * gradient[j];
    }
    return release;
  }

 private:
  double rate() const { return static_cast<double>(share_) * 0x1p-32; }

  GaussianNoise noise_of(double multiplier) const { return GaussianNoise::of(multiplier * model_.lipschitz); }
  Truncation truncation(const GaussianNoise& noise) const {
    return {model_.lipschitz, Norm::l2, noise.exponent};
  }

  // A record's part in it depends on itself and theta only.
  IntegerSum sampled_gradient(const BoundedRecords& records, const std::vector<double>& theta,
                              const GaussianNoise& noise, Generator& generator,
                              const Progress& progress) const {
    const Truncation truncation = this->truncation(noise);
    IntegerSum sum(theta.size());
    std::vector<double> x(theta.size());
    std::vector<std::int64_t> contribution(theta.size());
    for (std::size_t i = 0; i < records.count(); ++i) {
      if (i % 256 == 0) keep_going(progress, static_cast<double>(i) / static_cast<double>(records.count()));
      if (!exact::coin(generator, share_, coin_range)) continue;
      const auto record = records.read(i, x);
      double u = 0;
      for (std::size_t j = 0; j < x.size(); ++j) u += x[j] * theta[j];
      const double slope = records.at(record, u).first;
      for (double& value : x) value *= slope;
      truncation.apply(x, contribution);
      sum.add(contribution);
    }
    return sum;
  }

  Description described(double multiplier, double dimension) const {
    const GaussianNoise noise = noise_of(multiplier);
    Description sampled{"subsampled", {{"rate", rate()}}, {}, {{"sampling", "poisson"}}, {}};
    const auto radius = static_cast<double>(truncation(noise).radius());
    sampled.parts.push_back({noise.guarantee(radius, dimension), 1});
    return {"composition", {}, {}, {}, {{sampled, steps_}}};
  }

  // By the Renyi divergence alone.
  double printed(const Target& target, double dimension) const {
    const auto cost = [&](double value) {
      return renyi_coarse_delta(*privacy_loss(described(value, dimension)), target.epsilon);
    };
    return least_private(cost, {"noiseMultiplier", 1e-3, 1e9, false, true}, 1, target.delta, 24).value;
  }

  double multiplier(double dimension) const {
    const bool is_typed = request_.has("noiseMultiplier");
    // Starting there, the search meets no noise so small that its composition would be dear.
    const double start = is_typed ? 1 : printed(request_.budget(), dimension);
    return request_.noise(
        "noiseMultiplier", [&](double value) { return described(value, dimension); },
        [start](double, double) { return start; }, start);
  }

  Release planned(double dimension) const {
    const double chosen = multiplier(dimension);
    Release release;
    release.description = described(chosen, dimension);
    release.parameters = {{"noiseMultiplier", chosen},
                          {"steps", steps_},
                          {"rate", rate()},
                          {"learningRate", learning_rate_},
                          {"gradientBound", model_.lipschitz}};
    return release;
  }

  Request request_;
  PublicModel model_;
  double steps_;
  std::uint64_t share_;
  double learning_rate_;
};

}  // namespace

std::unique_ptr<const Algorithm> dp_sgd(const FitRequest& request) {
  return std::make_unique<DpSgd>(request);
}

}  // namespace epsilometer::algorithms
