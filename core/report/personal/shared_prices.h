// Prices by a record's facts, before any description is made of them: rows between whose facts a price is
// known to be one and the same share it.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include "core/release/record_facts.h"
#include "core/report/personal/people_prices.h"

namespace epsilometer {

class SharedPrices {
 public:
  using Describe = std::function<Description(const RecordFacts&)>;

  /// `describe`: Algorithm::personal(), each number of whose descriptions goes one way as all facts grow.
  /// What is not finite, or depends on a path, shares nothing. Both must outlive this.
  SharedPrices(PeoplePrices& prices, const Describe& describe) : prices_(prices), describe_(describe) {}

  /// As prices.epsilon(describe(facts)) says.
  double epsilon(const RecordFacts& facts);

 private:
  /// The facts, with the sign with which they cost more.
  using Corner = std::array<double, 12>;
  /// Everything from the least to the greatest corner is moved to one level, since both corners are.
  struct Box {
    Corner least, greatest;
    const PeoplePrices::Level* level;
  };

  static Corner corner_of(const RecordFacts& facts);
  static RecordFacts facts_at(const Corner& corner, const RecordFacts& like);
  static bool holds(const Box& box, const Corner& corner);
  bool is_at(const Corner& corner, const RecordFacts& like, const PeoplePrices::Level* level);
  void extend(Box& box, const Corner& corner, const RecordFacts& like);

  PeoplePrices& prices_;
  const Describe& describe_;
  // The last one that held a row first.
  std::vector<std::unique_ptr<Box>> boxes_;
};

}  // namespace epsilometer
