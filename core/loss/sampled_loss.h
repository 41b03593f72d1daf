// What a mechanism costs on a random sample of the records, for which it may have any symmetric pair with a
// law. The pair on the sample is a mixture: Balle, Barthe and Gaboardi 2018, Theorem 8, and for both
// directions as dominating pairs Zhu, Dong and Wang 2022, Theorem 11.
#pragma once

#include "core/loss/privacy_loss.h"

namespace epsilometer {

/// Whether records join independently of each other, or in the place of another one.
enum class Joining { by_itself, in_place_of_another };

/// The pair (1-q)Q + qP against Q, and its reverse: with the record in question and without it. rate in (0,
/// 1). The base is what the record tells where it joins: alone, or beside the one whose place it takes.
std::shared_ptr<const PrivacyLoss> poisson_sampled(std::shared_ptr<const PrivacyLoss> base, double rate,
                                                   Joining joining);

/// A sample of fixed size, for replacing a record: Balle, Barthe and Gaboardi 2018, Theorem 9; as a trade-off
/// function Dong, Roth and Su 2019, Section 4. The base is for replacing one, too.
std::shared_ptr<const PrivacyLoss> fixed_size_replaced(std::shared_ptr<const PrivacyLoss> base, double rate);

}  // namespace epsilometer
