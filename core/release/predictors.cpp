#include "core/release/predictors.h"

#include <span>

#include "core/base/refusal.h"
#include "core/model/softmax.h"

namespace epsilometer {

std::size_t predictors_of(const Request& request, const std::string& loss) {
  if (loss == "softmax")
    return static_cast<std::size_t>(request.whole("classes", 3, static_cast<double>(most_classes)));
  if (!request.has("classes")) return 1;
  throw Refusal("unsupported", "classes", loss, "are for the softmax loss: of two, the logistic one");
}

FitRequest one_against_rest(FitRequest request) {
  const auto loss = request.texts.find("loss");
  if (loss == request.texts.end() || loss->second != "softmax") return request;
  loss->second = "logistic";
  request.numbers.erase("classes");
  return request;
}

void centre(std::vector<double>& coefficients, std::size_t predictors) {
  for (std::size_t first = 0; first < coefficients.size(); first += predictors) {
    const std::span each = std::span(coefficients).subspan(first, predictors);
    double mean = 0;
    for (const double one : each) mean += one / static_cast<double>(predictors);
    for (double& one : each) one -= mean;
  }
}

OutputType predictors_type(std::size_t dimension, std::size_t predictors) {
  return predictors > 1 ? class_coefficients_type(dimension, predictors) : coefficients_type(dimension);
}

Output predictors_output(const std::vector<std::vector<double>>& each) {
  if (each.size() == 1) return coefficients_output(each.front());
  std::vector<double> all;
  all.reserve(each.size() * each.front().size());
  for (std::size_t j = 0; j < each.front().size(); ++j)
    for (const std::vector<double>& one : each) all.push_back(one[j]);
  centre(all, each.size());
  return class_coefficients_output(std::move(all), each.size());
}

}  // namespace epsilometer
