// What the library says of each row of a table, for scripts/studies: `rows_bench table rows columns` reads
// rows x columns doubles and as many labels from the file, and one question from standard input: "realised"
// sigma lambda and the coefficients of a logistic minimum, or "moved" lambda for a ridge regression. Answers
// one number for each row: the size of its realised loss, or how far it moves the coefficients, rounded up.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "core/report/personal/records_at_minimum.h"
#include "core/report/personal/ridge_influence.h"

using namespace epsilometer;

namespace {

void realised(const Records& table) {
  double sigma = 0, lambda = 0;
  std::vector<double> coefficients(table.dimension);
  std::cin >> sigma >> lambda;
  for (double& value : coefficients) std::cin >> value;
  const auto loss = make_loss("logistic", {1, HUGE_VAL});
  const BoundedRecords records(table, *loss, {1, 0, HUGE_VAL});
  const RecordsAtMinimum there(records, *loss, lambda, coefficients);
  for (std::size_t i = 0; i < table.count; ++i) {
    const RecordAtMinimum at = there.of(records.read(i, 1)).front();
    std::printf("%.17g\n", realised_objective_loss(Direction::remove, at, sigma).magnitude());
  }
}

void moved(const Records& table) {
  double lambda = 0;
  std::cin >> lambda;
  const RidgeInfluence influence(table_sums(table), lambda);
  influence.of_all(table, true, {}, [](std::size_t, const RecordInfluence& row) {
    std::printf("%.17g\n", row.moved.upper());
  });
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::size_t rows = std::strtoul(words[2], nullptr, 10), columns = std::strtoul(words[3], nullptr, 10);
  std::vector<double> features(rows * columns), labels(rows);
  std::ifstream file(words[1], std::ios::binary);
  file.read(reinterpret_cast<char*>(features.data()), static_cast<std::streamsize>(8 * features.size()));
  file.read(reinterpret_cast<char*>(labels.data()), static_cast<std::streamsize>(8 * labels.size()));
  if (!file) return 2;
  std::string asked;
  std::cin >> asked;
  (asked == "realised" ? realised : moved)({rows, columns, features, labels});
}
