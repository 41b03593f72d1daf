// What the core is told about a mechanism: its kind, its numbers, its parts. A plain value.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace epsilometer {

struct Part;

struct Description {
  std::string kind;
  std::map<std::string, double> numbers;
  std::map<std::string, std::vector<double>> lists;
  std::map<std::string, std::string> texts;
  /// What a composition is made of; or the one mechanism inside another, once.
  std::vector<Part> parts;

  friend bool operator==(const Description& a, const Description& b);
  friend std::partial_ordering operator<=>(const Description& a, const Description& b);

  /// The number of that name; refuses when it is missing or outside the closed range.
  double number(const char* name, double minimum, double maximum) const;
  /// A scale: from 1e-100 to 1e100, so that products of a few of them neither overflow nor underflow.
  double scale(const char* name) const;
  /// A whole number from `minimum` to `maximum`.
  double whole(const char* name, double minimum, double maximum) const;
  /// The word of that name.
  const std::string& text(const char* name) const;
  /// The list of that name, every entry in the closed range.
  const std::vector<double>& list(const char* name, double minimum, double maximum) const;
};

/// A mechanism that runs `count` times.
struct Part {
  Description mechanism;
  double count;

  friend bool operator==(const Part& a, const Part& b);
  friend std::partial_ordering operator<=>(const Part& a, const Part& b);
};

/// Where a number stands in a description.
struct Place {
  /// Which part to enter, from the outermost description on.
  std::vector<std::size_t> parts;
  /// Its name in what is reached so; empty for how often the last of these parts runs.
  std::string number;
};

/// The number there; refuses a place that is not in the description.
double& number_at(Description& description, const Place& place);

}  // namespace epsilometer
