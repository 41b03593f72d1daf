#include "core/release/output.h"

#include <utility>

namespace epsilometer {

const char* name_of(OutputKind kind) {
  // In the order of the declaration.
  constexpr const char* names[] = {"coefficients",
                                   "symmetric-matrix",
                                   "matrix",
                                   "vector",
                                   "number",
                                   "counts",
                                   "row-count",
                                   "parameter",
                                   "labels",
                                   "path",
                                   "class-coefficients"};
  return names[static_cast<std::size_t>(kind)];
}

OutputType coefficients_type(std::size_t dimension) {
  return {"coefficients", OutputKind::coefficients, {dimension}};
}

OutputType class_coefficients_type(std::size_t dimension, std::size_t classes) {
  return {"coefficients", OutputKind::class_coefficients, {dimension, classes}};
}

OutputType labels_type(std::size_t questions) { return {"winners", OutputKind::labels, {questions}}; }

Output coefficients_output(std::vector<double> values) {
  return {coefficients_type(values.size()), std::move(values)};
}

Output class_coefficients_output(std::vector<double> values, std::size_t classes) {
  return {class_coefficients_type(values.size() / classes, classes), std::move(values)};
}

Output vector_output(std::string name, std::vector<double> values) {
  return {{std::move(name), OutputKind::vector, {values.size()}}, std::move(values)};
}

Output symmetric_output(std::string name, std::vector<double> triangle, std::size_t dimension) {
  return {{std::move(name), OutputKind::symmetric_matrix, {dimension, dimension}}, std::move(triangle)};
}

Output matrix_output(std::string name, std::vector<double> values, std::size_t columns) {
  return {{std::move(name), OutputKind::matrix, {values.size() / columns, columns}}, std::move(values)};
}

Output path_output(std::vector<double> points, std::size_t dimension) {
  const std::size_t steps = points.size() / dimension;
  return {{"path", OutputKind::path, {steps, dimension}}, std::move(points)};
}

Output labels_output(std::vector<double> values) { return {labels_type(values.size()), std::move(values)}; }

Output number_output(std::string name, double value, OutputKind kind) {
  return {{std::move(name), kind, {}}, {value}};
}

}  // namespace epsilometer
