// What a release told about one record: against densities written out in full by another program, by other
// formulas, and at the ends of what may be given.
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <eigen3/Eigen/Dense>
#include <random>

#include "core/base/refusal.h"
#include "core/numerics/constants.h"
#include "core/numerics/quick_sum.h"
#include "core/report/personal/realised_loss.h"
#include "tests/core/table_lines.h"

namespace epsilometer::report_realised_test {

using nlohmann::json;

namespace {

std::vector<json> lines(const std::string& ask) {
  const std::vector<json> found = table_lines("report/realised.ndjson", ask);
  REQUIRE(found.size() > 5);
  return found;
}

std::vector<double> numbers(const json& value) { return value.get<std::vector<double>>(); }

Eigen::VectorXd vector(const json& value) {
  const auto all = numbers(value);
  return Eigen::Map<const Eigen::VectorXd>(all.data(), static_cast<Eigen::Index>(all.size()));
}

std::unique_ptr<const Loss> loss_of(const json& line) {
  return make_loss(line["loss"], {10, line["threshold"]});
}

Direction direction_of(const json& line) { return line["member"] ? Direction::remove : Direction::add; }

// The objective's gradient and Hessian at theta, in doubles, as the test's own program sees them.
struct Objective {
  Eigen::VectorXd gradient;
  Eigen::MatrixXd hessian;

  explicit Objective(const json& line) {
    const auto loss = loss_of(line);
    const Eigen::VectorXd theta = vector(line["theta"]);
    const double lambda = line["lambda"];
    gradient = lambda * theta;
    hessian = lambda * Eigen::MatrixXd::Identity(theta.size(), theta.size());
    for (std::size_t i = 0; i < line["rows"].size(); ++i) {
      const Eigen::VectorXd x = vector(line["rows"][i]);
      const LossAt at = loss->at(x.dot(theta), loss->label(line["labels"][i]));
      gradient += at.first * x;
      hessian += at.second * x * x.transpose();
    }
  }
};

std::vector<double> triangle_of(const Eigen::MatrixXd& matrix) {
  std::vector<double> lower;
  for (Eigen::Index i = 0; i < matrix.rows(); ++i)
    for (Eigen::Index j = 0; j <= i; ++j) lower.push_back(matrix(i, j));
  return lower;
}

// Rounding of a few dozen operations on numbers of that size.
Interval blurred(double value, double size) { return Interval::around(value, 1e-13 * size); }

void check_holds(const Interval& found, double truth, double width) {
  CHECK(found.lower() <= truth);
  CHECK(found.upper() >= truth);
  CHECK(found.upper() - found.lower() <= width);
}

}  // namespace

TEST_CASE("the realised loss of objective perturbation is the ratio of both densities") {
  for (const json& line : lines("objective")) {
    CAPTURE(line.dump());
    const Objective table(line);
    const auto loss = loss_of(line);
    const Eigen::VectorXd x = vector(line["record"]);
    const std::vector<double> record = numbers(line["record"]);
    const double sigma = line["sigma"], truth = std::stod(line["truth"].get<std::string>());
    const double leverage = x.dot(table.hessian.llt().solve(x)), pull = x.dot(table.gradient);
    const double size = x.norm() * (1 + table.gradient.norm()) * (1 + vector(line["theta"]).norm()) * 100;
    const RecordSlope slope = slope_at(*loss, record, line["label"], numbers(line["theta"]));
    // Where the record has nearly all leverage, 1 - f'' mu is left to few digits of doubles.
    const double condition = 1e3 * (1 + table.hessian.trace() / line["lambda"].get<double>());
    CHECK(quick_dot(record, record).lower() <= dot(record, record).upper());
    CHECK(quick_dot(record, record).upper() >= dot(record, record).lower());
    const RecordAtMinimum at{slope, dot(record, record), blurred(leverage, condition * leverage),
                             blurred(pull, size)};
    const Interval found = realised_objective_loss(direction_of(line), at, sigma);
    CHECK(found.lower() <= truth);
    CHECK(found.upper() >= truth);
    // By the determinants of both tables' matrices instead.
    const double sign = line["member"] ? -1 : 1;
    const Eigen::MatrixXd other =
        table.hessian +
        sign * loss->at(x.dot(vector(line["theta"])), loss->label(line["label"])).second * x * x.transpose();
    const auto here = triangle_of(table.hessian), there = triangle_of(other);
    const auto d = static_cast<std::size_t>(x.size());
    const double rounding = 1e-13 * table.hessian.trace();
    const Interval determinant = log_determinant(here, d, rounding) - log_determinant(there, d, rounding);
    const Interval again =
        realised_objective_loss(direction_of(line), determinant, square(slope.first) * dot(record, record),
                                slope.first * blurred(pull, size), sigma);
    check_holds(again, truth, 1e-9 * (1 + condition) * (1 + size) * (1 + size / (sigma * sigma)));
    check_holds(found, truth, 1e-9 * (1 + condition) * (1 + size) * (1 + size / (sigma * sigma)));
  }
}

TEST_CASE("the realised loss of Gaussian noise and of a posterior sample is the ratio of both densities") {
  for (const json& line : lines("gaussian")) {
    CAPTURE(line.dump());
    const double truth = std::stod(line["truth"].get<std::string>());
    const auto moved = numbers(line["moved"]), noise = numbers(line["noise"]);
    check_holds(realised_gaussian_loss(moved, noise, line["sigma"]), truth, 1e-14 * std::abs(truth));
  }
  for (const json& line : lines("posterior")) {
    CAPTURE(line.dump());
    const double truth = std::stod(line["truth"].get<std::string>());
    const double residual = line["residual"], error = line["error"];
    const double width = 1e-13 * (1 + residual * residual + error * error);
    check_holds(realised_posterior_loss(Direction::add, line["leverage"].get<double>(), residual, error),
                truth, width);
    check_holds(realised_posterior_loss(Direction::remove, line["leverage"].get<double>(), residual, error),
                -truth, width);
  }
}

TEST_CASE("a slope holds the truth and little else, in one double or in two, at kinks and at clipping too") {
  using Wide = boost::multiprecision::number<
      boost::multiprecision::cpp_bin_float<300, boost::multiprecision::digit_base_2>,
      boost::multiprecision::et_off>;
  struct True {
    Wide first, second;
  };
  const auto truth = [](const std::string& name, const Wide& u, double label, double threshold) -> True {
    if (name == "logistic") {
      const Wide wrong = 1 / (1 + exp(label * u));
      return {-label * wrong, wrong / (1 + exp(-label * u))};
    }
    if (name == "poisson") return {exp(u) - label, exp(u)};
    const Wide rest = u - label;
    if (name == "squared" || abs(rest) <= threshold) return {rest, 1};
    return {rest > 0 ? threshold : -threshold, 0};
  };
  std::mt19937 random(20261128);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const std::string name : {"logistic", "squared", "huber", "poisson"})
    for (int run = 0; run < 3000; ++run) {
      const std::size_t d = 1 + random() % 12;
      const double spread = std::pow(10, 3 * uniform(random));
      std::vector<double> x(d), theta(d);
      Wide u = 0;
      double sizes = 0;
      for (std::size_t i = 0; i < d; ++i) {
        x[i] = uniform(random), theta[i] = spread * uniform(random);
        u += Wide(x[i]) * Wide(theta[i]);
        sizes += std::abs(x[i] * theta[i]);
      }
      // Every third time Huber's kink is where the prediction is, and a quarter of the times the limit is
      // what would be clipped, each rounded to a double.
      const double threshold = run % 3 ? 0.5 : std::abs(static_cast<double>(u - 2));
      const auto loss = make_loss(name, {5, threshold});
      const double label = loss->label(run % 3 ? 5 * uniform(random) : 2);
      const True free = truth(name, u, label, threshold);
      const double about = static_cast<double>(abs(free.first)),
                   limits[] = {infinite, about, about / 2, 2 * about};
      const double limit = limits[run / 3 % 4];
      True kept = free;
      if (abs(free.first) > limit) kept = {free.first > 0 ? limit : -limit, 0};
      CAPTURE(name);
      CAPTURE(run);
      for (const bool is_quick : {false, true}) {
        const RecordSlope found = is_quick ? quick_slope_at(*loss, quick_dot(x, theta), label, limit)
                                           : slope_at(*loss, x, label, theta, limit);
        CHECK(Wide(found.first.lower()) <= kept.first);
        CHECK(Wide(found.first.upper()) >= kept.first);
        CHECK(Wide(found.second.lower()) <= kept.second);
        CHECK(Wide(found.second.upper()) >= kept.second);
        // Below, exponentials are known to 1e-260 only.
        if (about < 1e-240) continue;
        const double second = static_cast<double>(free.second), off = 3 * rounding_margin * (1 + sizes);
        // The quick one takes the derivative in doubles, with a margin on both sides.
        const double width = off * (second + 1e-2 * about) + (is_quick ? 3 * rounding_margin * about : 0);
        if (name != "huber" || second == 1) CHECK(found.first.upper() - found.first.lower() <= width);
        // Kinks and limits leave both answers open.
        if (run % 3 != 0 && limit != about && name != "huber" && second > 1e-240)
          CHECK(found.second.upper() - found.second.lower() <= off * second);
      }
    }
}

}  // namespace epsilometer::report_realised_test
