#include "core/release/fit_session.h"

#include "core/base/refusal.h"

namespace epsilometer {
namespace {

double number(const FitRequest& request, const char* name) {
  const auto found = request.numbers.find(name);
  if (found != request.numbers.end()) return found->second;
  throw Refusal("missing", name, "nothing", "must be given");
}

}  // namespace

FitSession::FitSession(std::shared_ptr<const Algorithm> algorithm, const FitRequest& request)
    : algorithm_(std::move(algorithm)),
      records_(static_cast<std::size_t>(in_range("dimension", number(request, "dimension"), 1, 0x1p20))),
      statistics_(algorithm_->statistics()),
      votes_(algorithm_->votes()),
      statistic_sums_(algorithm_->statistic_sums()) {
  algorithm_->plan();
}

void FitSession::add(std::span<const double> features, std::span<const double> labels) {
  const Records piece{labels.size(), records_.dimension(), features, labels};
  if (statistics_) return statistics_->add(piece, {});
  if (votes_) return votes_->add(piece);
  if (statistic_sums_) return statistic_sums_->add(piece);
  records_.add(features, labels);
}

void FitSession::add(const IntegerSum& sums, double count) {
  if (statistic_sums_) return statistic_sums_->add(sums);
  if (!statistics_) refuse_sums();
  LinearBounds bounds = statistics_->bounds();
  // Whoever computed them bounded rows in this norm.
  bounds.norm = Norm::l2;
  statistics_->add(LinearStatistics(records_.dimension(), bounds, sums, count));
}

Release FitSession::run(Generator& generator, const Progress& progress) const {
  if (statistics_) return algorithm_->fit(*statistics_, generator, progress);
  if (votes_) return algorithm_->fit(*votes_, generator);
  if (statistic_sums_) return algorithm_->fit(*statistic_sums_, generator);
  const std::vector<Records> table = records_.records();
  return algorithm_->fit(Pieces(table), generator, progress);
}

}  // namespace epsilometer
