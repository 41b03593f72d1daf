// What a release holds is what its plan and the kinds of its outputs say.
#include "core/release/output.h"

#include <doctest/doctest.h>

#include <set>

#include "core/release/algorithm.h"
#include "core/release/fit_session.h"
#include "tests/core/linear_request.h"

namespace epsilometer::output_test {

namespace {

std::vector<FitRequest> everything() {
  std::vector<FitRequest> all;
  std::vector<std::string> names = linear_algorithms;
  for (const char* name : {"gaussian-mixing", "johnson-lindenstrauss", "adaptive-posterior-sampling"})
    names.push_back(name);
  for (const std::string& name : names) all.push_back(request(name, {{"epsilon", 1}, {"delta", 1e-5}}));
  all.push_back(request("linear-mixing", {{"epsilon", 1}, {"delta", 1e-5}}));
  all.back().texts["eigenvalue"] = "released";
  for (const char* name : {"output-perturbation", "approximate-minima-perturbation", "dp-sgd"}) {
    all.push_back({name,
                   {{"dimension", 3}, {"featureBound", 1}, {"epsilon", 1}, {"delta", 1e-5}, {"rows", 100}},
                   {{"loss", "logistic"}}});
    if (std::string(name) == "output-perturbation") all.back().numbers["lambda"] = 1;
    if (std::string(name) == "dp-sgd") all.back().numbers["steps"] = 2;
  }
  for (const char* loss : {"logistic", "squared"})
    all.push_back(
        {"noisy-newton",
         {{"dimension", 3}, {"featureBound", 1}, {"labelBound", 1}, {"epsilon", 1}, {"delta", 1e-5}},
         {{"loss", loss}}});
  all.push_back({"noisy-newton",
                 {{"dimension", 3}, {"featureBound", 1}, {"classes", 4}, {"epsilon", 1}, {"delta", 1e-5}},
                 {{"loss", "softmax"}}});
  all.push_back(request("ada-ssp", {{"epsilon", 1}, {"delta", 1e-5}}, "paper"));
  all.push_back({"noisy-voting",
                 {{"dimension", 3}, {"questions", 3}, {"classes", 4}, {"epsilon", 1}, {"delta", 1e-5}},
                 {}});
  return all;
}

/// How many numbers an array of that shape has.
std::size_t size_of(const OutputType& type) {
  if (type.kind == OutputKind::symmetric_matrix) return type.shape.at(0) * (type.shape.at(0) + 1) / 2;
  std::size_t size = 1;
  for (const std::size_t length : type.shape) size *= length;
  return size;
}

}  // namespace

TEST_CASE("every output has the shape that it says, a name of its own, and the planned result is there") {
  const std::vector<double> features{0.5, 0.1, -0.5, 0.2, 0.3, 0.4}, labels{1, -1};
  for (const FitRequest& asked : everything()) {
    CAPTURE(asked.algorithm);
    const Plan planned = plan(asked);
    TestRng rng(20261130);
    const Release release = fit(asked, Records{2, 3, features, labels}, rng, {});
    std::set<std::string> names;
    for (const Output& output : release.outputs) {
      CAPTURE(output.name);
      CHECK(output.values.size() == size_of(output));
      CHECK(names.insert(output.name).second);
      if (output.kind == OutputKind::parameter) CHECK(output.shape.empty());
      if (output.kind == OutputKind::symmetric_matrix) CHECK(output.shape == std::vector<std::size_t>{3, 3});
    }
    const Output* const result = release.find(planned.result.name);
    REQUIRE(result);
    CHECK(result->kind == planned.result.kind);
    CHECK(result->shape == planned.result.shape);
    CHECK(planned.needs_sums_only == algorithm(asked)->statistics().has_value());
    CHECK(release.needs_sums_only == planned.needs_sums_only);
    CHECK(release.neighbours == planned.neighbours);
  }
}

TEST_CASE("an output that is not there is no number") {
  Release release;
  release.add(number_output("ridge", 2));
  CHECK(release.number("ridge") == 2);
  CHECK(!release.holds("gram"));
  CHECK(release.coefficients().empty());
  CHECK_THROWS_AS(static_cast<void>(release.values("gram")), Refusal);
}

TEST_CASE("what tells about the table is paid for, and what stops a run before is not") {
  CHECK(is_spent({"unreachable", "coefficients", "none", "could be computed; the budget is spent"}));
  for (const char* kind : {"range", "unsupported", "missing", "unknown", "cancelled"})
    CHECK(!is_spent({kind, "dimension", "0", "must be given"}));
}

TEST_CASE("kinds are told apart by their names") {
  std::set<std::string> names;
  for (const OutputKind kind : {OutputKind::coefficients, OutputKind::symmetric_matrix, OutputKind::matrix,
                                OutputKind::vector, OutputKind::number, OutputKind::counts,
                                OutputKind::row_count, OutputKind::parameter, OutputKind::class_coefficients})
    CHECK(names.insert(name_of(kind)).second);
  CHECK(std::string(name_of(OutputKind::coefficients)) == "coefficients");
  CHECK(std::string(name_of(OutputKind::parameter)) == "parameter");
  CHECK(std::string(name_of(OutputKind::class_coefficients)) == "class-coefficients");
}

}  // namespace epsilometer::output_test
