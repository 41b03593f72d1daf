// What a release may hold, each thing with what its numbers are: whoever reads a release needs no other list.
#pragma once

#include <string>
#include <vector>

namespace epsilometer {

/// What the numbers of an output are. Features and labels are meant as the algorithm is given them.
enum class OutputKind {
  /// Of a linear predictor: one for each feature.
  coefficients,
  /// The lower triangle of {d, d}, by rows.
  symmetric_matrix,
  /// By rows.
  matrix,
  vector,
  number,
  /// Of records in bins.
  counts,
  /// A number of all records.
  row_count,
  /// A parameter of the run that public values do not decide: it follows from what was released before.
  parameter,
  /// Of each of several questions the place of its answer among the classes, from 0, or no_label.
  labels,
  /// Where the steps of a descent took their gradients, one point after the other.
  path,
  /// {d, K}: of a linear predictor for each of K classes; for each feature one for each class. A number that
  /// is added to all of a feature changes nothing.
  class_coefficients,
};

/// A question that is left open.
inline constexpr double no_label = -1;

/// As answers call it, such as "symmetric-matrix".
const char* name_of(OutputKind kind);

/// Public, and known without a table.
struct OutputType {
  std::string name;
  OutputKind kind;
  /// Of the array that the values are; empty for a single number.
  std::vector<std::size_t> shape;
};

struct Output : OutputType {
  std::vector<double> values;
  /// Of counts of labels: where each bin begins, and where the last one ends.
  std::vector<double> edges{};
};

OutputType coefficients_type(std::size_t dimension);
OutputType class_coefficients_type(std::size_t dimension, std::size_t classes);
OutputType labels_type(std::size_t questions);

Output coefficients_output(std::vector<double> values);
Output class_coefficients_output(std::vector<double> values, std::size_t classes);
Output vector_output(std::string name, std::vector<double> values);
/// A lower triangle.
Output symmetric_output(std::string name, std::vector<double> triangle, std::size_t dimension);
Output path_output(std::vector<double> points, std::size_t dimension);
Output matrix_output(std::string name, std::vector<double> values, std::size_t columns);
Output labels_output(std::vector<double> values);
Output number_output(std::string name, double value, OutputKind kind = OutputKind::number);

}  // namespace epsilometer
