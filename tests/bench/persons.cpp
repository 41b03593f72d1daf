// Time of what a release cost each row, for fit.mjs, beside one matrix product of the same size: the table
// times a square matrix. `rows` is what the rows themselves take, twice the difference to half of the table;
// the prices that many rows share are in `losses` too. `told` is what the rows take where they are told
// besides what came out, with a `failure`. `persons_bench posterior-sampling 100000 50` prints one JSON
// object.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <eigen3/Eigen/Dense>
#include <optional>
#include <random>
#include <string>

#include "core/release/fit_session.h"
#include "core/report/holder/people_losses.h"

using namespace epsilometer;

namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// The loss of a row of the first follows from its length alone, that of the second from how far it moves a
// minimum, that of the others from its leverage. No row is longer than its bound, as whoever prepares tables
// leaves them.
FitRequest request(const std::string& task, double rows, double dimension) {
  std::map<std::string, double> numbers{
      {"dimension", dimension}, {"featureBound", 1}, {"epsilon", 1}, {"delta", 1e-6}};
  if (task == "approximate-minima-perturbation" || task == "output-perturbation") {
    numbers["intercept"] = 1;
    if (task == "output-perturbation") numbers["lambda"] = 200;
    return {task, numbers, {{"loss", "logistic"}}};
  }
  numbers["featureBound"] = std::sqrt(2.0);
  numbers["labelBound"] = 1;
  numbers["rows"] = rows;
  numbers["lambda"] = 2000;
  return {task, numbers, {}};
}

// Of the fastest of three, in time of the process where that is told apart from time that passes.
template <typename Action>
double milliseconds(const Action& action) {
  double least = HUGE_VAL;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t start = std::clock();
    action();
    least = std::min(least, 1000.0 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
  }
  return least;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::size_t n = std::strtoul(words[2], nullptr, 10), d = std::strtoul(words[3], nullptr, 10);
  const auto rows = static_cast<Eigen::Index>(n), columns = static_cast<Eigen::Index>(d);
  std::mt19937 random(1);
  Rows x(rows, columns);
  std::vector<double> labels(n);
  for (double& value : x.reshaped())
    value = (static_cast<double>(random()) / 0x1p31 - 1) / std::sqrt(static_cast<double>(d));
  x.rightCols(1).setOnes();
  for (double& label : labels) label = random() % 2 == 0 ? 1 : -1;
  const Records table{n, d, {x.data(), n * d}, labels};
  const FitRequest asked = request(words[1], static_cast<double>(n), static_cast<double>(d));
  FitSession session(asked);
  session.add(table.features, table.labels);
  TestRng generator(1);
  const Release release = session.run(generator, {});
  const Eigen::MatrixXd square = Eigen::MatrixXd::Random(columns, columns);
  Rows product(rows, columns);
  const double multiplying = milliseconds([&] { product.noalias() = x * square; });
  const PlannedRequest planned(asked);
  double most = 0;
  const auto losing = [&](const Records& rows, std::optional<double> failure) {
    return milliseconds([&] {
      const PeopleLosses people =
          people_losses(planned, release, Pieces(&rows, 1), {1e-6, {}, failure}, 1, {});
      most = std::max(most, *std::max_element(people.losses.begin(), people.losses.end()));
    });
  };
  const Records half = table.part(0, n / 2);
  const double whole = losing(table, {}), less = losing(half, {}),
               told = losing(table, 1e-6) - losing(half, 1e-6);
  std::printf(
      "{\"product\": %.4g, \"losses\": %.4g, \"rows\": %.4g, \"told\": %.4g, \"largest\": %.6g, \"norm\": "
      "%.6g}\n",
      multiplying, whole, 2 * (whole - less), 2 * told, most, product.norm());
}
