// Rows as a minimum is found for them: whitened, or with other labels; in pieces, as tables are.
#pragma once

#include <vector>

#include "core/release/noisy_gram.h"

namespace epsilometer {

/// The rows of a table, over the bound and whitened, with their labels.
class WhitenedTable {
 public:
  WhitenedTable(const NoisyGram& gram, const BoundedRecords& records, const Whitening& whitening,
                const Progress& progress);

  Pieces pieces() const { return pieces_; }

 private:
  std::vector<std::vector<double>> features_, labels_;
  std::vector<Records> pieces_;
};

/// The same rows, which must outlive it, labelled 1 where the label is the place of that class and -1 where
/// it is that of another. A row of no class has no label, and so counts as zeros.
class OneAgainstRest {
 public:
  OneAgainstRest(Pieces rows, std::size_t own, std::size_t classes);

  Pieces pieces() const { return pieces_; }

 private:
  std::vector<std::vector<double>> labels_;
  std::vector<Records> pieces_;
};

}  // namespace epsilometer
