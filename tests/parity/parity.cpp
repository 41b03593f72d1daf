// Prints the core's answer to every reference question, bit for bit. Built natively and for WebAssembly; the
// two outputs are compared by parity.test.ts.
#include <cstdio>

#include "tests/core/tables.h"

int main() {
  for (const Question& question : tables()) {
    const epsilometer::Bounds bounds = answer(question);
    std::printf("%a %a %s\n", bounds.lower, bounds.upper, question.text.c_str());
  }
}
