#include "tests/parity/answers.h"

#include <cstdio>

#include "core/goe/goe.h"
#include "tests/core/goe_table.h"
#include "tests/core/tables.h"

namespace epsilometer {

void print_matrices() {
  for (const GoeLine& line : goe_table()) {
    const LargestEigenvalue largest(line.dimension, OffDiagonalVariance::one);
    if (line.ask == "x") {
      std::printf("%.17g cdf %s\n", largest.cdf(line.at).value, line.text.c_str());
      std::printf("%.17g survival %s\n", largest.survival(line.at).value, line.text.c_str());
      std::printf("%.17g density %s\n", largest.density(line.at).value, line.text.c_str());
    } else {
      const bool upper = line.ask == "upperTail";
      const Estimate found = upper ? largest.upper_quantile(line.at) : largest.lower_quantile(line.at);
      std::printf("%.17g %s %s\n", found.value, line.ask.c_str(), line.text.c_str());
    }
  }
}

void print_intervals() {
  for (const Question& question : tables()) {
    const Bounds bounds = answer(question);
    std::printf("%a %a %s\n", bounds.lower, bounds.upper, question.text.c_str());
  }
}

}  // namespace epsilometer
