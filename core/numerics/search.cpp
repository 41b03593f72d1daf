#include "core/numerics/search.h"

#include <boost/math/tools/minima.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cstdint>

namespace epsilometer {

std::pair<double, double> sign_change(const std::function<double(double)>& f, double from, double to,
                                      int bits) {
  std::uintmax_t steps = 200;
  return boost::math::tools::toms748_solve(f, from, to, boost::math::tools::eps_tolerance<double>(bits),
                                           steps);
}

std::pair<double, double> minimum(const std::function<double(double)>& f, double from, double to, int bits) {
  return boost::math::tools::brent_find_minima(f, from, to, bits);
}

}  // namespace epsilometer
