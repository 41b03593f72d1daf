// Normal noise that is correlated over the steps of a stream: C x + sigma z is released and decoded, where
// row i of x is what step i adds and C is lower triangular. That is one Gaussian release, however the steps
// depend on what was decoded before them: Denisov, McMahan, Rush, Smith and Thakurta 2022, Theorem 2.1. With
// several participations of a record its sensitivity is, for C'C without negative entries, the largest |C p|
// over the zero-one vectors p of the steps in which a record may take part, and gradients that all point one
// way attain it: Choquette-Choo, McMahan, Rush and Thakurta 2023, Theorem 2.
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/base/refusal.h"
#include "core/loss/gaussian_loss.h"

namespace epsilometer::mechanisms {
namespace {

// Sums of so many squares are right to what GaussianLoss allows for.
constexpr double most_steps = 1e5;
// Beyond so many additions an answer would take seconds.
constexpr double most_additions = 2e7;

using Column = std::vector<DoubleDouble>;

/// When a record takes part: in at most `most` steps, `separation` apart or more.
struct Participation {
  std::size_t steps, most, separation;
  bool fixed_order;

  /// In how many steps the record takes part that does so first in step `start`.
  std::size_t from(std::size_t start) const { return std::min(most, (steps - start - 1) / separation + 1); }
};

// C(2j, j) / 4^j, the series of (1 - x)^(-1/2).
Column square_root_column(std::size_t length) {
  Column result{{1}};
  for (std::size_t j = 1; j < length; ++j) {
    const auto i = static_cast<double>(j);
    result.push_back(result.back() * DoubleDouble{2 * i - 1} / DoubleDouble{2 * i});
  }
  return result;
}

// The inverse of the first `bandwidth` terms of (1 - x)^(1/2), all of whose terms but the first are negative.
Column banded_inverse_column(std::size_t length, std::size_t bandwidth) {
  const Column root = square_root_column(bandwidth);
  Column result{{1}};
  for (std::size_t i = 1; i < length; ++i) {
    DoubleDouble sum{0};
    for (std::size_t j = 1; j < bandwidth && j <= i; ++j)
      sum = sum + root[j] / DoubleDouble{2.0 * static_cast<double>(j) - 1} * result[i - j];
    result.push_back(sum);
  }
  return result;
}

Column toeplitz_column(const Description& description, const std::string& scheme, std::size_t steps) {
  if (scheme == "sqrt-toeplitz") return square_root_column(steps);
  if (scheme == "columns") {
    const std::vector<double>& entries = description.list("columns", 0, 1e6);
    Column result;
    for (std::size_t i = 0; i < std::min(entries.size(), steps); ++i) result.push_back({entries[i]});
    return result;
  }
  if (scheme != "banded" && scheme != "banded-inverse") {
    throw Refusal("unknown", "scheme", scheme,
                  "must be tree, sqrt-toeplitz, banded, banded-inverse or columns");
  }
  const double bandwidth = description.whole("bandwidth", 1, most_steps);
  const auto width = static_cast<std::size_t>(bandwidth);
  if (scheme == "banded") return square_root_column(std::min(width, steps));
  if (bandwidth * static_cast<double>(steps) > most_additions) {
    throw Refusal("range", "bandwidth", shown(bandwidth), "times steps must be at most 2e7");
  }
  return banded_inverse_column(steps, width);
}

bool never_rises(const Column& column) {
  for (std::size_t i = 1; i < column.size(); ++i) {
    const DoubleDouble rise = column[i] - column[i - 1];
    if (rise.hi > 0) return false;
  }
  return true;
}

// Without negative entries whoever starts later has the same sums, cut off earlier. Any steps that are far
// enough apart cost no more than the first ones: of entries that never rise, Kalinin and Lampert 2024,
// Theorem 2; where no two columns overlap, because no column has a larger norm than the first.
DoubleDouble toeplitz_square(const Column& column, const Participation& taken) {
  if (!taken.fixed_order && taken.most > 1 && column.size() > taken.separation && !never_rises(column)) {
    throw Refusal("unsupported", "schedule", "min-separation",
                  "the entries of the columns must not rise, or be at most as many as the separation");
  }
  const std::size_t count = taken.from(0);
  if (static_cast<double>(count) * static_cast<double>(column.size()) > most_additions) {
    throw Refusal("range", "participations", shown(static_cast<double>(count)),
                  "times steps must be at most 2e7");
  }
  Column sums(taken.steps, DoubleDouble{0});
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t start = i * taken.separation;
    for (std::size_t j = 0; j < column.size() && start + j < taken.steps; ++j)
      sums[start + j] = sums[start + j] + column[j];
  }
  DoubleDouble square{0};
  for (const DoubleDouble& sum : sums) square = square + sum * sum;
  return square;
}

// The sums of a complete binary tree of at least so many leaves: two leaves share as many nodes as there are
// above both. Each node adds the square of how often the record is below it.
double tree_square(const Participation& taken) {
  double largest = 0;
  std::size_t leaves = 1;
  while (leaves < taken.steps) leaves *= 2;
  for (std::size_t start = 0; start < std::min(taken.separation, taken.steps); ++start) {
    const std::size_t count = taken.from(start);
    double square = 0;
    for (std::size_t size = 1; size <= leaves; size *= 2) {
      for (std::size_t i = 0; i < count;) {
        const std::size_t end = ((start + i * taken.separation) / size + 1) * size - start;
        const std::size_t next = std::min(count, (end - 1) / taken.separation + 1);
        const auto below = static_cast<double>(next - i);
        square += below * below;
        i = next;
      }
    }
    largest = std::max(largest, square);
  }
  return largest;
}

}  // namespace

std::shared_ptr<const PrivacyLoss> matrix(const Description& description) {
  const DoubleDouble sensitivity{description.scale("sensitivity")}, sigma{description.scale("sigma")};
  const std::string &scheme = description.text("scheme"), &schedule = description.text("schedule");
  const auto whole = [&](const char* name) {
    return static_cast<std::size_t>(description.whole(name, 1, most_steps));
  };
  const Participation taken{whole("steps"), whole("participations"), whole("separation"),
                            schedule == "fixed-order"};
  if (!taken.fixed_order && schedule != "min-separation")
    throw Refusal("unknown", "schedule", schedule, "must be fixed-order or min-separation");
  if (scheme != "tree") {
    const DoubleDouble square = toeplitz_square(toeplitz_column(description, scheme, taken.steps), taken);
    return std::make_shared<GaussianLoss>(square_root(square) * sensitivity / sigma);
  }
  if (!taken.fixed_order && taken.from(0) > 1) {
    throw Refusal("unsupported", "schedule", schedule,
                  "must be fixed-order: which steps of a tree tell most is known for a fixed order only");
  }
  return std::make_shared<GaussianLoss>(square_root({tree_square(taken)}) * sensitivity / sigma);
}

}  // namespace epsilometer::mechanisms
