// Eigenvalues, eigenvectors and projections with their certificates, against an independent program; and what
// one record moves a projection by.
#include "core/numerics/eigensystem.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/base/refusal.h"
#include "core/noise/finish.h"
#include "tests/core/table_lines.h"

namespace epsilometer::eigensystem_test {

using nlohmann::json;

namespace {

std::vector<double> numbers(const json& line) {
  std::vector<double> all;
  for (const json& one : line)
    all.push_back(one.is_string() ? std::stod(one.get<std::string>()) : one.get<double>());
  return all;
}

double frobenius(const std::vector<double>& triangle) {
  double sum = 0;
  for (std::size_t row = 0, place = 0; place < triangle.size(); ++row)
    for (std::size_t column = 0; column <= row; ++column, ++place)
      sum += (row == column ? 1 : 2) * triangle[place] * triangle[place];
  return std::sqrt(sum);
}

double distance(std::vector<double> first, const std::vector<double>& second) {
  for (std::size_t i = 0; i < first.size(); ++i) first[i] -= second[i];
  return frobenius(first);
}

std::vector<double> random_triangle(std::size_t d, TestRng& rng) {
  std::vector<double> triangle(d * (d + 1) / 2);
  for (double& one : triangle) one = normal_deviate(rng);
  return triangle;
}

}  // namespace

TEST_CASE("eigenvalues and projections are within their certificates of the truth") {
  const auto lines = table_lines("subspace/subspace.ndjson", "system");
  REQUIRE(lines.size() == 6);
  for (const json& line : lines) {
    CAPTURE(line.at("name").get<std::string>());
    const std::vector<double> matrix = numbers(line.at("matrix")), truth = numbers(line.at("values"));
    const auto k = line.at("components").get<std::size_t>();
    const Eigensystem system = eigensystem(matrix, truth.size(), {});
    for (std::size_t i = 0; i < truth.size(); ++i)
      CHECK(std::abs(system.values[i] - truth[i]) <= system.error + std::abs(truth[i]) * 0x1p-52);
    const double gap = numbers({line.at("gap")})[0];
    const double off = distance(projection(system, k), numbers(line.at("projection")));
    CHECK(off <= projection_error(system, gap, k));
    // Not vacuous: some ulp of the norm, over the gap.
    CHECK(system.error <= 200 * 0x1p-53 * frobenius(matrix) * static_cast<double>(truth.size()));
    CHECK(projection_error(system, gap, k) <= 3 * system.error / gap + 1e-12);
  }
}

TEST_CASE("certificates of random, clustered, poor and extreme matrices stay below what is promised of all") {
  TestRng rng(20261123);
  for (const std::size_t d : {1, 2, 3, 10, 40}) {
    std::vector<double> all = random_triangle(d, rng), ones(all.size(), 1), poor(all.size()),
                        zero(all.size());
    for (std::size_t row = 0, place = 0; row < d; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        poor[place] = (row == column ? 1 : 0) + 0x1p-40 * all[place];
    std::vector<double> large = all, small = all, graded = all;
    for (double& one : large) one *= 1e140;
    for (double& one : small) one *= 1e-140;
    for (std::size_t row = 0, place = 0; row < d; ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place)
        graded[place] *= std::pow(10.0, -static_cast<double>(row + column));
    for (const auto& matrix : {all, ones, poor, zero, large, small, graded}) {
      const Eigensystem system = eigensystem(matrix, d, {});
      const Certificates most = largest_certificates(d);
      CAPTURE(d);
      CHECK(system.error <= most.error * frobenius(matrix) + 1e-300);
      CHECK(system.tilt <= most.tilt);
      CHECK(std::is_sorted(system.values.rbegin(), system.values.rend()));
    }
  }
}

TEST_CASE("numbers that are not finite end the search, and nothing is certified of them") {
  const std::vector<double> broken = {1, std::nan(""), 1};
  CHECK(std::isinf(eigensystem(broken, 2, {}).error));
  CHECK(std::isinf(projection_error({1e-3, 1e-9}, 1e-3, 1)));
}

TEST_CASE("a search for eigenvalues can be stopped") {
  TestRng rng(7);
  int asked = 0;
  const auto stop = [&](double share) {
    CHECK(share >= 0);
    CHECK(share <= 1);
    return ++asked < 5;
  };
  CHECK_THROWS_AS(eigensystem(random_triangle(20, rng), 20, stop), Refusal);
}

TEST_CASE("no record moves a projection further than is said, and some nearly as far") {
  const auto lines = table_lines("subspace/subspace.ndjson", "moved");
  REQUIRE(lines.size() == 16);
  double nearest = 0;
  for (const json& line : lines) {
    const double gap = line.at("gap").get<double>(), moved = numbers({line.at("moved")})[0];
    CAPTURE(gap);
    CHECK(moved <= largest_projection_move(gap));
    nearest = std::max(nearest, moved / largest_projection_move(gap));
    // The same by the code itself, before and after.
    const std::vector<double> diagonal = numbers(line.at("diagonal")), x = numbers(line.at("record"));
    const auto k = line.at("components").get<std::size_t>();
    std::vector<double> before(diagonal.size() * (diagonal.size() + 1) / 2), after = before;
    for (std::size_t row = 0, place = 0; row < x.size(); ++row)
      for (std::size_t column = 0; column <= row; ++column, ++place) {
        before[place] = row == column ? diagonal[row] : 0;
        after[place] = before[place] + line.at("sign").get<double>() * x[row] * x[column];
      }
    const double found = distance(projection(eigensystem(before, x.size(), {}), k),
                                  projection(eigensystem(after, x.size(), {}), k));
    CHECK(found == doctest::Approx(moved).epsilon(1e-11));
  }
  CHECK(nearest > 0.999);
}

}  // namespace epsilometer::eigensystem_test
