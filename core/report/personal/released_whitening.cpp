#include "core/report/personal/released_whitening.h"

#include "core/base/refusal.h"
#include "core/noise/symmetric_matrix.h"
#include "core/numerics/eigensystem.h"

namespace epsilometer {

void must_fit(const ReleasedWhitening& whitening, const Plan& plan, std::size_t dimension) {
  in_range("coefficients", static_cast<double>(dimension), 1, static_cast<double>(largest_eigensystem));
  if (whitening.gram.size() != triangle(dimension))
    throw Refusal("malformed", "whitening.gram", shown(static_cast<double>(whitening.gram.size())),
                  "must be a lower triangle, as many numbers as the declared table says");
  in_range("whitening.gram", whitening.gram, -1e100, 1e100);
  in_range("whitening.rows", whitening.rows, 1, 1e100);
  const std::pair<const char*, double> noise[]{
      {"sigma", whitening.sigma}, {"lambda", whitening.lambda}, {"gramSigma", whitening.gram_sigma}};
  for (const auto& [name, found] : noise)
    if (const double planned = plan.parameters.at(name); found != planned)
      throw Refusal("range", std::string("whitening.") + name, shown(found),
                    "must be " + shown(planned) + ", which is what the request plans");
}

ReleasedWhitening released_whitening(const Release& run) {
  return {run.values("gram"), run.number("rows"), run.parameters.at("sigma"), run.parameters.at("lambda"),
          run.parameters.at("gramSigma")};
}

Whitening whitening_of(const NoisyGram& gram, const ReleasedWhitening& told, const Plan& plan,
                       std::size_t dimension) {
  must_fit(told, plan, dimension);
  return gram.whitening(told.gram, told.rows, told.gram_sigma, {});
}

}  // namespace epsilometer
