// What a released model makes of each row, beside the inverse of the Hessian itself.
#include "core/report/holder/row_causes.h"

#include <doctest/doctest.h>

#include <cmath>
#include <eigen3/Eigen/Dense>

namespace epsilometer::row_causes_test {

namespace {

struct Table {
  std::vector<double> features, labels;
  std::size_t d = 3;

  explicit Table(std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      const double t = static_cast<double>(i);
      features.insert(features.end(), {0.5 * std::sin(t * 12.9898), 0.4 * std::cos(t * t), 0.6});
      labels.push_back(std::sin(t * 3.7) > 0 ? 1 : -1);
    }
  }
  Records records() const { return {labels.size(), d, features, labels}; }
};

struct Derivatives {
  double first, second;
};

Derivatives derivatives(const std::string& loss, double u, double label) {
  if (loss == "logistic") {
    const double wrong = 1 / (1 + std::exp(label * u));
    return {-label * wrong, wrong * (1 - wrong)};
  }
  return {u - label, 1};
}

void check(const FitRequest& asked, const std::string& loss, double lambda, double clipped) {
  CAPTURE(asked.algorithm);
  const Table table(150);
  const Records records = table.records();
  const Eigen::Vector3d theta(0.7, -1.2, 0.4);
  Release run(plan(asked));
  run.add({{"coefficients", OutputKind::vector, {3}}, {theta[0], theta[1], theta[2]}});
  const RowCauses found = row_causes(asked, run, Pieces(&records, 1), {}, {});
  Eigen::Matrix3d hessian = lambda * Eigen::Matrix3d::Identity();
  const auto row = [&](std::size_t i) { return Eigen::Map<const Eigen::Vector3d>(&table.features[3 * i]); };
  const auto at = [&](std::size_t i) { return derivatives(loss, row(i).dot(theta), table.labels[i]); };
  for (std::size_t i = 0; i < records.count; ++i) {
    const auto [first, second] = at(i);
    const bool is_flat = std::abs(first) * row(i).norm() > clipped;
    if (!is_flat) hessian += second * row(i) * row(i).transpose();
  }
  REQUIRE(found.leverages.size() == records.count);
  REQUIRE(found.leverages_without.size() == records.count);
  for (std::size_t i = 0; i < records.count; ++i) {
    const auto [first, second] = at(i);
    const double length = std::abs(first) * row(i).norm(), curved = length > clipped ? 0 : second;
    const Eigen::Matrix3d without = hessian - curved * row(i) * row(i).transpose();
    // The features were truncated to 26 bits.
    const auto close = [](double value) { return doctest::Approx(value).epsilon(1e-6); };
    CHECK(found.misfits[i] == close(std::abs(first)));
    CHECK(found.gradients[i] == close(std::min(length, clipped)));
    CHECK(found.leverages[i] == close(curved * row(i).dot(hessian.inverse() * row(i))));
    CHECK(found.leverages_without[i] == close(curved * row(i).dot(without.inverse() * row(i))));
  }
}

const std::map<std::string, double> numbers{
    {"dimension", 3}, {"featureBound", 1}, {"epsilon", 1}, {"delta", 1e-5}};

FitRequest request(const std::string& algorithm, std::map<std::string, double> more,
                   std::map<std::string, std::string> texts = {}) {
  more.insert(numbers.begin(), numbers.end());
  return {algorithm, std::move(more), std::move(texts)};
}

}  // namespace

TEST_CASE("leverages with and without a row, misfit and gradient are those of the released model") {
  const std::map<std::string, std::string> logistic{{"loss", "logistic"}};
  check(request("output-perturbation", {{"lambda", 5}}, logistic), "logistic", 5, HUGE_VAL);
  check(request("output-perturbation", {{"lambda", 5}, {"gradientBound", 0.3}}, logistic), "logistic", 5,
        0.3);
  check(request("output-perturbation-ridge", {{"lambda", 20}, {"labelBound", 1}, {"rows", 150}}), "squared",
        20, HUGE_VAL);
  // A model without a regularisation of its own.
  check(request("ada-ssp", {{"labelBound", 1}}), "squared", 1, HUGE_VAL);
}

TEST_CASE("misfit and gradient are rounded up where coefficients cancel each other") {
  // On the grid of features, so that nothing is truncated.
  Table table(0);
  for (int i = 0; i < 200; ++i) {
    const double x = 0.25 + i * 0x1p-10, beside = x + (i % 7 - 3) * 0x1p-20;
    table.features.insert(table.features.end(), {x, beside, 0.5});
    table.labels.push_back(i % 2 == 0 ? 1 : -1);
  }
  const Records records = table.records();
  const std::vector<double> theta{123456.7891, -123456.7891, 0.3};
  for (const std::string loss : {"logistic", "squared"}) {
    const FitRequest asked =
        loss == "logistic"
            ? request("output-perturbation", {{"lambda", 5}}, {{"loss", loss}})
            : request("output-perturbation-ridge", {{"lambda", 20}, {"labelBound", 1}, {"rows", 200}});
    Release run(plan(asked));
    run.add({{"coefficients", OutputKind::vector, {3}}, theta});
    const RowCauses found = row_causes(asked, run, Pieces(&records, 1), {}, {});
    for (std::size_t i = 0; i < records.count; ++i) {
      long double u = 0, square = 0;
      for (std::size_t j = 0; j < 3; ++j) {
        const long double x = table.features[3 * i + j];
        u += x * theta[j], square += x * x;
      }
      const long double label = table.labels[i];
      const long double first = loss == "logistic" ? 1 / (1 + std::exp(label * u)) : std::abs(u - label);
      CHECK(found.misfits[i] >= first);
      CHECK(found.misfits[i] <= first * (1 + 1e-8L) + 1e-8L);
      CHECK(found.gradients[i] >= first * std::sqrt(square));
    }
  }
}

TEST_CASE("the regularisation is the one that was released, where it is") {
  const Table table(50);
  const Records records = table.records();
  const FitRequest asked = request("ada-ssp", {{"labelBound", 1}});
  const auto found = [&](double ridge) {
    Release run(plan(asked));
    run.add({{"ridge", OutputKind::vector, {}}, {ridge}});
    run.add({{"coefficients", OutputKind::vector, {3}}, {0.1, 0.2, 0.3}});
    return row_causes(asked, run, Pieces(&records, 1), {}, {});
  };
  CHECK(found(100).leverages[0] < found(10).leverages[0]);
  // A table of which doubles cannot tell them has none, and the rest.
  const RowCauses flat = found(1e-12);
  CHECK(flat.leverages.empty() == flat.leverages_without.empty());
  CHECK(flat.misfits.size() == 50);
}

TEST_CASE(
    "leverages that are known are not looked for again, and those of very many coefficients not at all") {
  const Table table(80);
  const Records records = table.records();
  const FitRequest asked =
      request("output-perturbation-ridge", {{"lambda", 20}, {"labelBound", 1}, {"rows", 80}});
  Release run(plan(asked));
  run.add({{"coefficients", OutputKind::vector, {3}}, {0.1, 0.2, 0.3}});
  const RowCauses found = row_causes(asked, run, Pieces(&records, 1), {}, {});
  const RowCauses known =
      row_causes(asked, run, Pieces(&records, 1), {{}, found.leverages_without, {}, {}}, {});
  CHECK(known.leverages_without == found.leverages_without);
  for (std::size_t i = 0; i < records.count; ++i) {
    CHECK(known.leverages[i] == doctest::Approx(found.leverages[i]).epsilon(1e-12));
    CHECK(known.misfits[i] == found.misfits[i]);
  }
  const std::vector<double> wide(2 * 513, 0.01), labels{1, -1};
  const Records many{2, 513, wide, labels};
  FitRequest wider = asked;
  wider.numbers["dimension"] = 513;
  Release broad(plan(wider));
  broad.add({{"coefficients", OutputKind::vector, {513}}, std::vector<double>(513, 0.1)});
  const RowCauses causes = row_causes(wider, broad, Pieces(&many, 1), {}, {});
  CHECK(causes.leverages.empty());
  CHECK(causes.misfits.size() == 2);
}

TEST_CASE("where no coefficients came out there are no causes") {
  const Table table(50);
  const Records records = table.records();
  const FitRequest asked = request("ada-ssp", {{"labelBound", 1}});
  const RowCauses none = row_causes(asked, Release(plan(asked)), Pieces(&records, 1), {}, {});
  for (const auto* column : {&none.leverages, &none.leverages_without, &none.misfits, &none.gradients})
    CHECK(column->empty());
}

}  // namespace epsilometer::row_causes_test
