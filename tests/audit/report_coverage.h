// Random tables whose rows' realised losses are known from both densities, and how often reports miss them.
#pragma once

#include <cmath>
#include <eigen3/Eigen/Dense>
#include <functional>
#include <random>

#include "core/report/published/privacy_report_material.h"
#include "tests/core/statistics.h"

namespace epsilometer {

struct Table {
  std::vector<Eigen::VectorXd> x;
  std::vector<double> y;
  double lambda, sigma;

  Table(std::size_t n, Eigen::Index d, double lambda, double sigma, std::mt19937_64& random)
      : lambda(lambda), sigma(sigma) {
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < n; ++i) {
      Eigen::VectorXd row(d);
      for (double& value : row) value = normal(random);
      // Features with 26 bits, so that the report's records are these.
      row *= 0.9 / std::max(1.0, row.norm());
      for (double& value : row) value = short_number(value);
      x.push_back(row);
      y.push_back(i % 3 == 0 ? -1 : 1);
    }
  }

  Eigen::Index dimension() const { return x.front().size(); }

  // Without the linear term, over the first `count` rows but one.
  Eigen::VectorXd gradient(const Eigen::VectorXd& theta, std::size_t count, std::size_t left_out) const {
    Eigen::VectorXd sum = lambda * theta;
    for (std::size_t i = 0; i < count; ++i)
      if (i != left_out) sum += -y[i] / (1 + std::exp(y[i] * x[i].dot(theta))) * x[i];
    return sum;
  }
  Eigen::MatrixXd hessian(const Eigen::VectorXd& theta, std::size_t count, std::size_t left_out) const {
    Eigen::MatrixXd sum = lambda * Eigen::MatrixXd::Identity(dimension(), dimension());
    for (std::size_t i = 0; i < count; ++i) {
      const double wrong = 1 / (1 + std::exp(y[i] * x[i].dot(theta)));
      if (i != left_out) sum += wrong * (1 - wrong) * x[i] * x[i].transpose();
    }
    return sum;
  }
  double log_density(const Eigen::VectorXd& theta, std::size_t count, std::size_t left_out = SIZE_MAX) const {
    const Eigen::MatrixXd root = hessian(theta, count, left_out).llt().matrixL();
    return -gradient(theta, count, left_out).squaredNorm() / (2 * sigma * sigma) +
           2 * root.diagonal().array().log().sum();
  }

  // Of the first `count` rows.
  Eigen::VectorXd minimum(std::size_t count, std::mt19937_64& random) const {
    std::normal_distribution<double> normal;
    Eigen::VectorXd b(dimension()), theta = Eigen::VectorXd::Zero(dimension());
    for (double& value : b) value = sigma * normal(random);
    for (int step = 0; step < 100; ++step) {
      const Eigen::VectorXd slope = gradient(theta, count, SIZE_MAX) + b;
      if (slope.norm() <= 1e-12 * sigma) break;
      const Eigen::VectorXd move = hessian(theta, count, SIZE_MAX).llt().solve(slope);
      // Far away Newton's step is too long.
      theta -= std::min(1.0, 3 / move.norm()) * move;
    }
    return theta;
  }

  struct Flat {
    std::vector<double> features, labels;
    Records records(std::size_t d) const { return {labels.size(), d, features, labels}; }
  };
  Flat flat(std::size_t count) const {
    Flat all;
    for (std::size_t i = 0; i < count; ++i) {
      all.features.insert(all.features.end(), x[i].begin(), x[i].end());
      all.labels.push_back(y[i]);
    }
    return all;
  }
};

inline ReportedModel model_of(const Table& table) {
  return {"logistic", {1, HUGE_VAL}, {1, 0, HUGE_VAL}, 1, 0.25, table.sigma, table.lambda, 0, 0};
}

// Whether so many failures are certainly more than the probability allows, but for 1e-9.
inline bool is_excess(std::size_t failures, std::size_t runs, double probability) {
  return least_probability(static_cast<double>(failures), static_cast<double>(runs), 1e-9) > probability;
}

struct Counted {
  // For the row that fails most often, and for any row at all.
  std::size_t worst_row = 0, any_row = 0;
};

using Making = std::function<PrivacyReport(const std::vector<double>& theta)>;

// A report with material of the first rows of a table, which must outlive it.
class WithMaterial {
 public:
  WithMaterial(const Table& table, std::size_t members, const MaterialNoise& noise,
               const ReportPromise& promise, Generator& generator)
      : model_(model_of(table)),
        rows_(table.flat(members)),
        release_(model_, static_cast<std::size_t>(table.dimension()), noise),
        promise_(promise),
        generator_(generator) {}

  PrivacyReport operator()(const std::vector<double>& theta) const {
    const Records records = rows_.records(theta.size());
    return privacy_report(model_, theta, release_.released(Pieces(&records, 1), theta, generator_, {}),
                          promise_);
  }

 private:
  ReportedModel model_;
  Table::Flat rows_;
  MaterialRelease release_;
  ReportPromise promise_;
  Generator& generator_;
};

// The first `members` rows are in the table, the others ask all the same.
inline Counted failures(const Table& table, std::size_t members, std::size_t runs, const Making& report,
                        std::mt19937_64& random) {
  std::vector<std::size_t> counts(table.x.size());
  Counted all;
  for (std::size_t run = 0; run < runs; ++run) {
    const Eigen::VectorXd theta = table.minimum(members, random);
    const ReportReader told(report({theta.begin(), theta.end()}));
    const double here = table.log_density(theta, members);
    bool any = false;
    for (std::size_t i = 0; i < table.x.size(); ++i) {
      const bool is_member = i < members;
      // A row outside is put behind the members, alone.
      Table other = table;
      std::swap(other.x[members], other.x[std::max(i, members)]);
      std::swap(other.y[members], other.y[std::max(i, members)]);
      const double there =
          is_member ? table.log_density(theta, members, i) : other.log_density(theta, members + 1);
      const std::vector<double> row(table.x[i].begin(), table.x[i].end());
      const PersonalBound bound = told.of(row, table.y[i], is_member ? Direction::remove : Direction::add);
      const double loss = here - there, rounding = 1e-9 * (1 + std::abs(here));
      const bool fails =
          loss < bound.model.loss.lower() - rounding || loss > bound.model.loss.upper() + rounding;
      counts[i] += fails;
      any = any || fails;
    }
    all.any_row += any;
  }
  all.worst_row = *std::max_element(counts.begin(), counts.end());
  return all;
}

}  // namespace epsilometer
