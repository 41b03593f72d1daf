// What the copied core asks at every place of a mutant: whether it is the one that is tried. Included into
// every file by the compiler's command line.
#pragma once

namespace mutants {
inline int active = -1;
inline bool reached[4096];
}  // namespace mutants

inline bool mutant(int number) {
  mutants::reached[number] = true;
  return number == mutants::active;
}
