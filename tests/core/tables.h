// All reference questions, read once.
#pragma once

#include "tests/core/question.h"

namespace epsilometer {

const std::vector<Question>& tables();

}  // namespace epsilometer
