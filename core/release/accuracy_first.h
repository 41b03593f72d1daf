// Accuracy first: who asks says how much worse than the best a model may be, and gets one that is tested to
// be so, with as little epsilon as that takes. Models with less and less noise, of which each costs no more
// than the last one, are tested until one passes: Ligett, Neel, Roth, Waggoner and Wu 2017, Section 3. The
// guarantee is ex post; what the run costs at most is an ordinary one.
//
// All of it is about sums over the records, not means: what is asked for per row is multiplied by the public
// number of rows, and no guarantee of privacy rests on that number.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/release/above_threshold.h"
#include "core/release/release.h"
#include "core/release/request.h"

namespace epsilometer {

/// The numbers and the choice that every request of this kind may have besides its own.
Request accuracy_request(const FitRequest& request, std::vector<const char*> numbers,
                         std::vector<const char*> texts);

/// What was asked for.
struct AccuracyTarget {
  /// The excess of the mean loss that the model may have, that of the sum of losses, and the probability that
  /// it has more.
  double risk, tolerance, failure;
  /// Models at most, from 1 to 10 000.
  std::size_t levels;
  double rows;
  /// 1 where neighbours differ by a record added or removed, 2 where one is replaced.
  double moved;

  /// Refuses a budget: this asks for accuracy instead.
  explicit AccuracyTarget(const Request& request);
};

/// From the least to the largest, in equal ratios: numbers["leastEpsilon"] and ["mostEpsilon"], or 1 / rows
/// and four times `expected`, at which the source's theorem promises the accuracy; at most 2^22 apart.
std::vector<double> model_epsilons(const Request& request, const AccuracyTarget& target, double expected);

/// The losses of one record lie in an interval of that length at whatever model is tested, and computed sums
/// of them are at most `error` wrong.
struct TestedLoss {
  double length, error;
};

class AccuracyFirst {
 public:
  /// `expected`: at that epsilon the theorem of utility promises, without any test, that the mean excess of a
  /// single model is no more than was asked for.
  AccuracyFirst(const Request& request, const AccuracyTarget& target, double expected,
                const TestedLoss& loss);

  /// Of each model and all before it.
  const std::vector<double>& epsilons() const { return epsilons_; }

  /// The steps of Laplace noise, model by model, on a sum that moves by that many steps. Refuses more than
  /// fit on a grid.
  std::vector<std::uint64_t> steps(double moved) const;

  /// The description is what it costs at most, whatever comes out.
  Plan plan(std::map<std::string, double> parameters, OutputType result) const;

  /// Of that level, from 1 on; nothing beyond the last one.
  std::optional<ExPostLoss> ex_post_at(std::size_t level) const;

  /// The sum of losses at the best model less that at another one, in two doubles.
  struct Tested {
    double value, low;
  };
  /// Puts the first of the models that passes into the release, with what it cost. Refuses as spent when
  /// none does: then all of the description is.
  void run(Release& release, Generator& generator,
           const std::function<std::vector<double>(std::size_t)>& model,
           const std::function<Tested(const std::vector<double>&)>& tested, const Progress& progress) const;

 private:
  Description worst() const;

  AccuracyTarget target_;
  double unit_rows_;
  AboveThreshold test_;
  std::vector<double> epsilons_;
  double expected_;
};

}  // namespace epsilometer
