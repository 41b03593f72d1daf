// Runs the tests; with the word "answers" prints the answers to the reference questions instead, and with
// "matrices" after it those about matrices: a program of its own would take minutes to link for WebAssembly.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <string_view>

#include "tests/parity/answers.h"

int main(int count, char** words) {
  if (count < 2 || std::string_view(words[1]) != "answers") return doctest::Context(count, words).run();
  if (count > 2)
    epsilometer::print_matrices();
  else
    epsilometer::print_intervals();
  return 0;
}
