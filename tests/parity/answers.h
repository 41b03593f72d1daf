// The core's answers to the reference questions, a line each: compared by parity.test.ts between the native
// program and WebAssembly.
#pragma once

namespace epsilometer {

/// Both ends of every interval, bit for bit.
void print_intervals();
/// What is asked about the largest eigenvalue of a random matrix.
void print_matrices();

}  // namespace epsilometer
