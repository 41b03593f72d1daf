// One of several everyday numbers of a table, as its own file of this folder releases it: what of a row it
// counts, how far that moves when rows change, the noise, and what is told.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/noise/generator.h"
#include "core/noise/grid.h"
#include "core/release/release.h"
#include "core/table/records.h"

namespace epsilometer {

/// Exact sums over the rows.
using Sums = std::vector<__int128>;

class StatisticPart {
 public:
  virtual ~StatisticPart() = default;

  /// How many numbers of a row it looks at, and how many sums it keeps at first.
  virtual std::size_t features() const = 0;
  virtual std::size_t sums() const = 0;

  /// sqrt(c) Delta, where c is what the squares of all errors count together and Delta how far a row moves
  /// what is counted: a budget mu^2 is split in these proportions for the least sum of squares.
  virtual double importance() const = 0;

  /// What it costs to release it as privately as the Gaussian mechanism of that mu.
  virtual std::vector<Part> guarantee(double mu) const = 0;

  /// Fixes the noise, before everything below.
  virtual void settle(double mu) = 0;
  /// Adds what one row counts; of numbers that are missing, or outside, nothing.
  virtual void add(std::span<const double> features, Sums& sums) const = 0;
  /// Public numbers, each after `name`.
  virtual void tell(const std::string& name, std::map<std::string, double>& parameters) const = 0;
  /// Draws the noise, and adds outputs whose names begin with `name`.
  virtual void release(const Sums& sums, Generator& generator, const std::string& name,
                       Release& release) const = 0;
};

std::unique_ptr<StatisticPart> moments(const Statistic& asked, bool replaced);
std::unique_ptr<StatisticPart> cells(const Statistic& asked, bool replaced);
std::unique_ptr<StatisticPart> groups(const Statistic& asked, bool replaced);
std::unique_ptr<StatisticPart> found_groups(const Statistic& asked, bool replaced);
std::unique_ptr<StatisticPart> quantiles(const Statistic& asked, bool replaced);

/// The sums of some parts, of rows that hold the numbers of all of them in turn.
class StatisticSums {
 public:
  /// Which must outlive it.
  explicit StatisticSums(std::span<const std::unique_ptr<StatisticPart>> parts);

  /// Labels are not looked at.
  void add(const Records& records);
  /// Made elsewhere, in the steps that the parts tell: of one part after the other.
  void add(const IntegerSum& sums);
  const Sums& of(std::size_t part) const { return sums_[part]; }

 private:
  std::span<const std::unique_ptr<StatisticPart>> parts_;
  std::vector<Sums> sums_;
};

}  // namespace epsilometer
