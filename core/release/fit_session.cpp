#include "core/release/fit_session.h"

#include <algorithm>

#include "core/base/refusal.h"

namespace epsilometer {
namespace {

// 8 MiB: little to waste in the last piece, and few pieces.
constexpr std::size_t numbers_in_a_piece = std::size_t{1} << 20;

double number(const FitRequest& request, const char* name) {
  const auto found = request.numbers.find(name);
  if (found != request.numbers.end()) return found->second;
  throw Refusal("missing", name, "nothing", "must be given");
}

}  // namespace

FitSession::FitSession(std::unique_ptr<const Algorithm> algorithm, const FitRequest& request)
    : algorithm_(std::move(algorithm)),
      dimension_(static_cast<std::size_t>(in_range("dimension", number(request, "dimension"), 1, 0x1p20))),
      statistics_(algorithm_->statistics()) {
  algorithm_->plan();
}

void FitSession::add(std::span<const double> features, std::span<const double> labels) {
  if (statistics_) return statistics_->add({labels.size(), dimension_, features, labels}, {});
  const std::size_t rows = std::max<std::size_t>(1, numbers_in_a_piece / dimension_);
  for (std::size_t done = 0; done < labels.size();) {
    if (pieces_.empty() || pieces_.back().labels.size() == rows) {
      Piece& piece = pieces_.emplace_back();
      piece.features.reserve(rows * dimension_);
      piece.labels.reserve(rows);
    }
    auto& [kept_features, kept_labels] = pieces_.back();
    const std::size_t taken = std::min(labels.size() - done, rows - kept_labels.size());
    const auto some = features.subspan(done * dimension_, taken * dimension_);
    const auto theirs = labels.subspan(done, taken);
    kept_features.insert(kept_features.end(), some.begin(), some.end());
    kept_labels.insert(kept_labels.end(), theirs.begin(), theirs.end());
    done += taken;
  }
}

void FitSession::add(const IntegerSum& sums, double count) {
  if (!statistics_) refuse_sums();
  LinearBounds bounds = statistics_->bounds();
  // Whoever computed them bounded rows in this norm.
  bounds.norm = Norm::l2;
  statistics_->add(LinearStatistics(dimension_, bounds, sums, count));
}

// Whatever public values can break was refused before there was a table.
bool is_spent(const Refusal& refusal) { return refusal.kind == "unreachable"; }

Release FitSession::run(Generator& generator, const Progress& progress) const {
  if (statistics_) return algorithm_->fit(*statistics_, generator);
  std::vector<Records> table;
  for (const Piece& piece : pieces_)
    table.push_back({piece.labels.size(), dimension_, piece.features, piece.labels});
  if (table.empty()) table.push_back({0, dimension_, {}, {}});
  return algorithm_->fit(Pieces(table), generator, progress);
}

}  // namespace epsilometer
