#include "core/release/row_count.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/refusal.h"

namespace epsilometer {

double unnoticed_failure(double delta) { return std::clamp(delta * 0x1p-13, 1e-300, 1e-20); }

double unnoticed_failure(const Request& request) {
  return unnoticed_failure(request.has("delta") ? request.budget().delta : 1);
}

// A share f of mu^2 leaves noise 1 / sqrt(1 - f) as large, and the margin of z / (mu sqrt(f)) records, z = 9
// or so, asks for that share of `rows` more regularisation: f / 2 + 9 / (mu rows sqrt(f)) is least there.
RowCount priced_count(double rows, double mu, double failure) {
  const double share = std::clamp(std::cbrt(std::pow(9 / (mu * rows), 2)), 1e-3, 0.25);
  return {std::clamp(1 / (std::sqrt(share) * mu), 1e-6, 1e12), failure};
}

RowCount::RowCount(double sigma, double failure)
    : noise_(GaussianNoise::of(sigma)), failure_(failure), margin_(lower_margin(noise_, failure)) {}

// Failures of both neighbours, twice over: delta of a composition is no sum.
std::vector<Description> RowCount::guarantee(double records) const {
  return {noise_.guarantee(rounded_sensitivity(records, 0, 1, noise_.exponent), 1),
          {"approximate", {{"epsilon", 0}, {"delta", 4 * failure_}}, {}, {}, {}}};
}

std::vector<Description> RowCount::behind(std::vector<Description> others) const {
  for (Description& part : guarantee()) others.push_back(std::move(part));
  return others;
}

double RowCount::bounded(double count, Release& release, Generator& generator) const {
  const double noisy = released(generator, rounded(std::vector{count}, noise_.exponent), noise_)[0];
  release.add(number_output("rows", noisy, OutputKind::row_count));
  return bound(noisy);
}

double RowCount::bound(double noisy) const { return std::max(1.0, std::ceil(noisy + margin_)); }

NoisyOutput RowCount::noisy_output(const Release& run) const {
  NoisyOutput output = epsilometer::noisy_output(NoisyOutput::Of::rows, "rows", noise_);
  output.most = bound(in_range("rows", run.number("rows"), -1e100, 1e100));
  return output;
}

double RowCount::weight(double most, double limit) {
  double weight = 1;
  while (weight * most > limit) weight /= 4;
  return weight;
}

RowCount::Counted RowCount::counted(const LinearStatistics& statistics, Release& release,
                                    Generator& generator, double limit) const {
  const double most = bounded(statistics.count(), release, generator);
  NormalEquations equations = statistics.count() <= most
                                  ? statistics.values()
                                  : LinearStatistics(statistics.dimension(), statistics.bounds()).values();
  const double weight = RowCount::weight(most, limit);
  for (double& one : equations.gram) one *= weight;
  for (double& one : equations.cross) one *= weight;
  equations.square *= weight;
  return {weight * most, std::move(equations), weight};
}

}  // namespace epsilometer
