// One event of a vote with Laplace noise on every number: whether the class wins that gets a person's vote.
#pragma once

#include "core/loss/pair_loss.h"

namespace epsilometer {

/// Where this event tells most at an epsilon >= 0, over the numbers of votes that were tried: no rarer with
/// the vote than is said, and no likelier without it. The number of its class rises by `shift` scales of the
/// noise, and 0 to 9 others are level. If the vote is `switched`, the number of one more class falls by as
/// much.
SingleTest vote_event(double epsilon, double shift, int others, bool switched);

}  // namespace epsilometer
