#include "core/release/accuracy_first.h"

#include <algorithm>
#include <cmath>

#include "core/base/bounds.h"
#include "core/base/refusal.h"
#include "core/noise/noise.h"
#include "core/release/price.h"

namespace epsilometer {
namespace {

// Noise of the first and of the last model must fit on one grid.
constexpr double most_apart = 0x1p22;

constexpr double smallest_epsilon = 1e-9, largest_epsilon = 1e3;

}  // namespace

Request accuracy_request(const FitRequest& request, std::vector<const char*> numbers,
                         std::vector<const char*> texts) {
  for (const char* name : {"dimension", "featureBound", "lambda", "rows", "excessRisk", "failure", "levels",
                           "leastEpsilon", "mostEpsilon"})
    numbers.push_back(name);
  texts.push_back("neighbours");
  return Request(request, numbers, texts, Failure::never);
}

AccuracyTarget::AccuracyTarget(const Request& request)
    : risk(request.number("excessRisk", 1e-9, 1e9)),
      failure(request.number("failure", 1e-9, 0.5, 0.05)),
      levels(static_cast<std::size_t>(request.has("levels") ? request.whole("levels", 1, 10'000) : 100)),
      rows(request.whole("rows", 1, 1e12)),
      moved(request.choice("neighbours", {"replace", "add-remove"}) == "replace" ? 2 : 1) {
  if (request.has("epsilon"))
    throw Refusal(
        "unsupported", "epsilon", shown(request.number("epsilon", -HUGE_VAL, HUGE_VAL)),
        "must be left out: an accuracy is kept, not a budget, and what that cost is told afterwards");
  if (request.paper())
    throw Refusal("unsupported", "accounting", "paper", "is not offered: its tests cost three times as much");
  tolerance = rows * risk;
}

std::vector<double> model_epsilons(const Request& request, const AccuracyTarget& target, double expected) {
  const double most = request.number("mostEpsilon", smallest_epsilon, largest_epsilon,
                                     std::clamp(4 * expected, smallest_epsilon, largest_epsilon)),
               usual = std::clamp(std::max(1 / target.rows, most / most_apart), smallest_epsilon, most),
               least = request.number("leastEpsilon", most / most_apart, most, usual);
  std::vector<double> epsilons(target.levels, most);
  for (std::size_t t = 0; t + 1 < epsilons.size(); ++t) {
    const double share = static_cast<double>(t) / static_cast<double>(epsilons.size() - 1);
    epsilons[t] = std::min(most, least * std::pow(most / least, share));
  }
  return epsilons;
}

// The best value and the model's own both move by at most `moved` lengths; where a record comes or goes, both
// in the same direction, so that their difference moves by one length; where it is replaced, by two.
AccuracyFirst::AccuracyFirst(const Request& request, const AccuracyTarget& target, double expected,
                             const TestedLoss& loss)
    : target_(target),
      unit_rows_(request.number("unitRows", 1, largest_group, 1)),
      test_(rounded_up(target.moved * loss.length + 2 * loss.error), loss.error, target.tolerance,
            static_cast<double>(target.levels), target.failure, target.risk),
      epsilons_(model_epsilons(request, target, expected)),
      expected_(expected) {}

std::vector<std::uint64_t> AccuracyFirst::steps(double moved) const {
  std::vector<std::uint64_t> found;
  for (const double epsilon : epsilons_) {
    const double one = std::ceil(rounded_up(moved / epsilon));
    if (!(one <= most_steps))
      throw Refusal("range", "leastEpsilon", shown(epsilons_.front()), "is too small for so many features");
    found.push_back(static_cast<std::uint64_t>(one));
  }
  return found;
}

Description AccuracyFirst::worst() const {
  return {"pure", {{"epsilon", rounded_up(test_.epsilon() + epsilons_.back())}}, {}, {}, {}};
}

// Its parts are rounded up one by one: no output costs more than what is promised before.
std::optional<ExPostLoss> AccuracyFirst::ex_post_at(std::size_t level) const {
  if (level < 1 || level > epsilons_.size()) return std::nullopt;
  ExPostLoss loss = ExPostLoss::of(test_.epsilon(), epsilons_[level - 1], unit_rows_);
  loss.total = std::min(loss.total, price(worst(), {std::nullopt, 0, unit_rows_}).epsilon.upper);
  return loss;
}

Plan AccuracyFirst::plan(std::map<std::string, double> parameters, OutputType result) const {
  Plan plan;
  plan.description = worst();
  plan.parameters = std::move(parameters);
  plan.parameters.insert({{"testingEpsilon", test_.epsilon()},
                          {"theoremEpsilon", expected_},
                          {"leastEpsilon", epsilons_.front()},
                          {"mostEpsilon", epsilons_.back()},
                          {"levels", static_cast<double>(target_.levels)},
                          {"failure", target_.failure}});
  plan.result = std::move(result);
  plan.description.texts["neighbours"] = plan.neighbours = target_.moved == 2 ? "replace" : "add-remove";
  plan.guarantee = Guarantee::ex_post;
  return plan;
}

void AccuracyFirst::run(Release& release, Generator& generator,
                        const std::function<std::vector<double>(std::size_t)>& model,
                        const std::function<Tested(const std::vector<double>&)>& tested,
                        const Progress& progress) const {
  AboveThreshold::Run test = test_.begin(generator);
  for (std::size_t level = 0; level < epsilons_.size(); ++level) {
    // Whoever stops it must not know of how many levels the test has failed.
    keep_going(progress, hidden_share);
    std::vector<double> theta = model(level);
    const auto [value, low] = tested(theta);
    if (!test.reached(value, low)) continue;
    release.add(number_output("level", static_cast<double>(level + 1), OutputKind::parameter));
    release.add(coefficients_output(std::move(theta)));
    release.ex_post = ex_post_at(level + 1);
    return;
  }
  throw Refusal("unreachable", "excessRisk", shown(target_.risk),
                "was not reached by any model, and nothing is released; the largest loss is spent");
}

}  // namespace epsilometer
