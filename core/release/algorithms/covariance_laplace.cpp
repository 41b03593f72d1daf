// Covariance perturbation with Laplace noise: X^T X and X^T y, each entry with discrete Laplace noise, and
// the ridge that the noise needs. Pure differential privacy. Ligett, Neel, Roth, Waggoner and Wu 2017,
// Section 3 (CovarianceNR), whose printed noise, of one scale on the whole upper triangle and for replaced
// records, is twice to four times ours: x x^T counts each off-diagonal entry twice, so the mirrored entry
// carries half the scale, and adding a record moves half as far as replacing one can.
#include <cmath>

#include "core/base/bounds.h"
#include "core/noise/symmetric_matrix.h"
#include "core/release/linear/linear_algorithm.h"
#include "core/release/linear/ridge.h"

namespace epsilometer::algorithms {
namespace {

class CovarianceLaplace final : public LinearAlgorithm {
 public:
  explicit CovarianceLaplace(const Request& request)
      : LinearAlgorithm(request, row_norm(request)),
        paper_(request.paper()),
        lambda_(request.number("lambda", 0, 1e30, 0)),
        scale_(request.noise(
            "scale", [this](double scale) { return described(scale); },
            [](double epsilon, double) { return 4 / epsilon; })) {}

  Plan planned() const override { return {described(scale_), {{"scale", scale_}, {"lambda", lambda_}}}; }

  FactsNeeded facts_needed(const Release&) const override { return {FactsNeeded::Of::record}; }
  Description personal(const RecordFacts& facts, const Release&) const override {
    return described(scale_, own(gram(Norm::l1), facts.square_l1, facts.records),
                     own(cross(Norm::l1), facts.cross_l1, facts.records));
  }
  std::vector<NoisyOutput> noisy_outputs(const Release&) const override {
    const Noises all = noises(scale_);
    return {laplace_output(NoisyOutput::Of::gram, "gram", all.diagonal, all.other, gram(Norm::l2)),
            laplace_output(NoisyOutput::Of::cross, "cross", all.cross, all.cross, cross(Norm::l2))};
  }

 private:
  // Sums are clamped that would be larger than any may be, which those of so many records and of a thousand
  // more of one person are not. No record moves one of them by more than all in the l2 norm.
  static NoisyOutput laplace_output(NoisyOutput::Of of, const char* name, const LaplaceNoise& diagonal,
                                    const LaplaceNoise& other, const Query& query) {
    const double most =
        std::floor(static_cast<double>(largest_sum) / query.sensitivity(other.exponent)) - 1000;
    return {of, name, other.exponent, other.steps, diagonal.steps, 0, most, NoisyOutput::Law::laplace};
  }

  // The scale counts in sensitivities: the sums of the sizes of the entries of x x^T and of x y.
  double unit(const Query& query) const { return std::ldexp(query.radius, query.finest); }

  struct Noises {
    LaplaceNoise diagonal, other, cross;
  };
  Noises noises(double scale) const {
    const Query g = gram(Norm::l1), c = cross(Norm::l1);
    const double width = scale * unit(g), cross_width = scale * unit(c);
    const auto diagonal = LaplaceNoise::of(width, g.exponent(width));
    LaplaceNoise other = diagonal;
    if (!paper_) other.steps = (diagonal.steps + 1) / 2;
    return {diagonal, other, LaplaceNoise::of(cross_width, c.exponent(cross_width))};
  }

  // An entry off the diagonal that moves by a has moved the whole matrix by 2 a, and costs at most
  // a / other.steps <= 2 a / diagonal.steps.
  Description described(double scale) const { return described(scale, gram(Norm::l1), cross(Norm::l1)); }

  Description described(double scale, const Query& gram, const Query& cross) const {
    const Noises all = noises(scale);
    const double matrix = gram.sensitivity(all.diagonal.exponent) / static_cast<double>(all.diagonal.steps),
                 vector = cross.sensitivity(all.cross.exponent) / static_cast<double>(all.cross.steps);
    const double whole = matrix + vector;
    return {"pure", {{"epsilon", whole > 0 ? rounded_up(whole) : 0}}, {}, {}, {}};
  }

  // The matrix's diagonal, then the rest: one sum per scale.
  std::vector<double> released_matrix(const IntegerSum& sum, const Noises& all, Generator& generator) const {
    std::vector<double> values(sum.size());
    for (std::size_t row = 0, place = 0; row < dimension(); ++row, ++place) {
      const auto others = released(generator, sum.part(place, row), all.other);
      std::copy(others.begin(), others.end(), values.begin() + static_cast<std::ptrdiff_t>(place));
      place += row;
      values[place] = released(generator, sum.part(place, 1), all.diagonal)[0];
    }
    return values;
  }

  Release run(const LinearStatistics& statistics, Generator& generator, const Progress&) const override {
    Release release(plan());
    const Noises all = noises(scale_);
    release.add(symmetric_output(
        "gram", released_matrix(statistics.gram(all.diagonal.exponent), all, generator), dimension()));
    release.add(vector_output("cross", released(generator, statistics.cross(all.cross.exponent), all.cross)));
    // Half as much again as the edge of the noise's spectrum, 2 sqrt(d) standard deviations off the diagonal.
    const EntryVariances noise{2 * squared_width(all.diagonal.steps, all.diagonal.exponent),
                               2 * squared_width(all.other.steps, all.other.exponent),
                               2 * squared_width(all.cross.steps, all.cross.exponent)};
    const double edge = 1.5 * 2 * std::sqrt(static_cast<double>(dimension()) * noise.other);
    noisy_ridge(release, {lambda_, edge, edge}, noise);
    return release;
  }

  bool paper_;
  double lambda_, scale_;
};

}  // namespace

std::unique_ptr<const Algorithm> covariance_laplace(const FitRequest& request) {
  return std::make_unique<CovarianceLaplace>(Request(
      request, {"dimension", "featureBound", "labelBound", "lambda", "scale"}, {"norm"}, Failure::never));
}

}  // namespace epsilometer::algorithms
