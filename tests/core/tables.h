// All reference questions, read once.
#pragma once

#include "tests/core/question.h"

const std::vector<Question>& tables();
