// How much a released logistic model told about each row of a table, beside what reports say of it, and how
// often reports fail: for scripts/real-losses.mjs. Exact minima of objective perturbation, in plain doubles,
// so that what was really told is known (Redberg 2023, Theorem 2.3.1); the reports are the library's.
//
// `told_bench table rows columns` reads rows x columns doubles and as many labels of -1 and 1 from the file,
// and from standard input one line for each question: sigma lambda gradient hessian eigenvalue failure
// repetitions seed, where 0 stands for what is not published. Answers one JSON line each. The last column is
// the intercept 1, what is before it is at most 1 long.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <eigen3/Eigen/Dense>
#include <fstream>
#include <iostream>
#include <random>

#include "core/report/published/privacy_report_material.h"

using namespace epsilometer;

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct Table {
  Rows x;
  Eigen::VectorXd y;
};

struct Question {
  double sigma, lambda, gradient, hessian, eigenvalue, failure;
  std::size_t repetitions;
  std::uint64_t seed;
};

// Derivatives at a model, of the losses and lambda |theta|^2 / 2 without the linear term.
struct Here {
  Eigen::VectorXd first, second, gradient;
  Eigen::MatrixXd hessian;
};

Here at(const Table& table, double lambda, const Eigen::VectorXd& theta) {
  Here here;
  const Eigen::ArrayXd wrong = 1 / (1 + (table.y.array() * (table.x * theta).array()).exp());
  here.first = -table.y.array() * wrong;
  here.second = wrong * (1 - wrong);
  here.gradient = table.x.transpose() * here.first + lambda * theta;
  here.hessian = table.x.transpose() * here.second.asDiagonal() * table.x;
  here.hessian.diagonal().array() += lambda;
  return here;
}

// Newton's steps from `theta`, which is replaced.
Here minimise(const Table& table, const Question& asked, const Eigen::VectorXd& b, Eigen::VectorXd& theta) {
  for (int step = 0; step < 100; ++step) {
    Here here = at(table, asked.lambda, theta);
    const Eigen::VectorXd slope = here.gradient + b;
    if (slope.norm() <= 1e-10 * asked.sigma) return here;
    const Eigen::VectorXd move = here.hessian.llt().solve(slope);
    theta -= std::min(1.0, 3 / move.norm()) * move;
  }
  std::fprintf(stderr, "no minimum within 100 steps\n");
  std::exit(1);
}

// What the minimum told about each row that is in the table: the log ratio of densities, with its sign.
Eigen::VectorXd realised(const Table& table, const Here& here, double sigma) {
  const Eigen::MatrixXd half = here.hessian.llt().matrixL().solve(table.x.transpose());
  const Eigen::ArrayXd leverage = half.colwise().squaredNorm().transpose();
  const Eigen::ArrayXd first = here.first, pull = table.x * here.gradient;
  return -(-here.second.array() * leverage).log1p() +
         (first.square() * table.x.rowwise().squaredNorm().array() / 2 - first * pull) / (sigma * sigma);
}

ReportedModel model_of(const Question& asked) {
  return {"logistic", {1, HUGE_VAL}, {1, 1, HUGE_VAL}, std::sqrt(2.0), 0.5, asked.sigma, asked.lambda, 0, 0};
}

std::optional<double> width(double sigma) { return sigma > 0 ? std::optional(sigma) : std::nullopt; }

void print(const char* name, const std::vector<double>& values) {
  std::printf("\"%s\": [", name);
  for (std::size_t i = 0; i < values.size(); ++i) std::printf("%s%.6g", i ? ", " : "", values[i]);
  std::printf("]");
}

void answer(const Table& table, const Question& asked) {
  const auto n = static_cast<std::size_t>(table.x.rows()), d = static_cast<std::size_t>(table.x.cols());
  const Records records{n, d, {table.x.data(), n * d}, {table.y.data(), n}};
  std::mt19937_64 random(asked.seed);
  TestRng rng(asked.seed);
  std::normal_distribution<double> normal;
  Eigen::VectorXd start = Eigen::VectorXd::Zero(table.x.cols());
  minimise(table, asked, start, start);
  std::vector<double> truths, reports, misses(n);
  for (std::size_t run = 0; run < asked.repetitions; ++run) {
    Eigen::VectorXd b(table.x.cols()), theta = start;
    for (double& value : b) value = asked.sigma * normal(random);
    const Eigen::VectorXd losses = realised(table, minimise(table, asked, b, theta), asked.sigma);
    const std::vector<double> released(theta.begin(), theta.end());
    ReportMaterial material;
    if (asked.gradient > 0 || asked.hessian > 0)
      material = MaterialRelease(model_of(asked), d,
                                 {width(asked.gradient), width(asked.hessian), width(asked.eigenvalue)})
                     .released(Pieces(&records, 1), released, rng, {});
    const ReportReader report(privacy_report(model_of(asked), released, material, {asked.failure}));
    for (std::size_t i = 0; i < n; ++i) {
      const PersonalBound bound = report.of(records.row(i), records.labels[i], Direction::remove);
      const double loss = losses[static_cast<Eigen::Index>(i)];
      misses[i] += loss < bound.model.loss.lower() - 1e-9 || loss > bound.model.loss.upper() + 1e-9;
      if (run > 0) continue;
      truths.push_back(std::abs(loss));
      reports.push_back(bound.model.size());
    }
  }
  std::printf("{");
  print("truths", truths);
  std::printf(", ");
  print("reports", reports);
  std::printf(", ");
  print("misses", misses);
  std::printf("}\n");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const auto rows = std::strtol(words[2], nullptr, 10), columns = std::strtol(words[3], nullptr, 10);
  Table table{Rows(rows, columns), Eigen::VectorXd(rows)};
  std::ifstream file(words[1], std::ios::binary);
  file.read(reinterpret_cast<char*>(table.x.data()), rows * columns * 8);
  file.read(reinterpret_cast<char*>(table.y.data()), rows * 8);
  if (!file) return 2;
  // As the library has them: features count with 26 bits.
  for (double& value : table.x.reshaped()) value = short_number(value);
  Question asked{};
  while (std::cin >> asked.sigma >> asked.lambda >> asked.gradient >> asked.hessian >> asked.eigenvalue >>
         asked.failure >> asked.repetitions >> asked.seed)
    answer(table, asked);
}
