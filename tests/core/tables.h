// All reference questions, read once.
#pragma once

#include "tests/core/question.h"

inline const std::vector<Question>& tables() {
  static const std::vector<Question> all = questions(TABLES_FOLDER);
  return all;
}
