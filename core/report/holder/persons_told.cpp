#include "core/report/holder/persons_told.h"

#include "core/base/refusal.h"
#include "core/report/holder/people_losses.h"
#include "core/report/published/published_report.h"

namespace epsilometer {
namespace {

enum class Answer { none, once_released, known };

// What asking comes to, by what refuses it beforehand.
Answer answer_of(void (*must_have)(const Algorithm&, const Release&, double), const Algorithm& algorithm,
                 const Release& run, double unit_rows) {
  try {
    must_have(algorithm, run, unit_rows);
    return Answer::known;
  } catch (const Refusal& refusal) {
    return refusal.kind == "missing" ? Answer::once_released : Answer::none;
  }
}

}  // namespace

PersonsTold persons_told(const Algorithm& algorithm, const Plan& plan, double unit_rows) {
  const Release run(plan);
  // A report holds the coefficients, and is read off them.
  return {answer_of(must_have_losses, algorithm, run, unit_rows) != Answer::none,
          plan.result.kind == OutputKind::coefficients &&
              answer_of(must_have_report, algorithm, run, unit_rows) == Answer::known,
          algorithm.vote() && unit_rows == 1};
}

PersonsTold persons_told(const Algorithm& algorithm, const Release& run, double unit_rows) {
  const PersonsTold planned = persons_told(algorithm, static_cast<const Plan&>(run), unit_rows);
  return {planned.rows && answer_of(must_have_losses, algorithm, run, unit_rows) == Answer::known,
          planned.report && !run.coefficients().empty(), planned.votes};
}

}  // namespace epsilometer
