// Student's law of any whole number of degrees of freedom.
#pragma once

namespace epsilometer {

/// The t with P(|T| <= t) = probability, in (0, 1), to about eleven digits; of the normal law for more than
/// 1e7 degrees of freedom. Whole, at least 1.
double student_within(double probability, double freedom);

}  // namespace epsilometer
