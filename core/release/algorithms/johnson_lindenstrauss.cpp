// Least squares on a Johnson-Lindenstrauss projection of the table: nearly without noise when a test says
// that the table's smallest eigenvalue hides every record, with noise otherwise. Sheffet 2017, Algorithm 1;
// tight, both ways are priced as the Gaussian mixing that they are. The test asks for the record's own share
// of the leverage on top, so that both have the same price.
#include "core/release/linear/mixing.h"

namespace epsilometer::algorithms {

std::unique_ptr<const Algorithm> johnson_lindenstrauss(const FitRequest& request) {
  return mixing(Request(request, mixing_numbers, {}), {EigenvalueUse::tested});
}

}  // namespace epsilometer::algorithms
