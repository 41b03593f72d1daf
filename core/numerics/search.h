// Boost's searches for a root and for a minimum, compiled once for all who search.
#pragma once

#include <functional>
#include <utility>

namespace epsilometer {

/// The two ends between which f changes its sign, narrowed to that many bits, in 200 steps at most; the ends
/// given, from < to, where f has no other sign at one than at the other. (Alefeld, Potra and Shi 1995.)
std::pair<double, double> sign_change(const std::function<double(double)>& f, double from, double to,
                                      int bits);

/// About where f is least between two ends, to that many bits, and what it is there. (Brent 1973.)
std::pair<double, double> minimum(const std::function<double(double)>& f, double from, double to, int bits);

/// The same from a place on: downhill with steps that double, then between the last three places.
std::pair<double, double> minimum_near(const std::function<double(double)>& f, double place, double step,
                                       double from, double to, int bits);

}  // namespace epsilometer
