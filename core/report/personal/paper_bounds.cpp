#include "core/report/personal/paper_bounds.h"

#include <cmath>

#include "core/base/refusal.h"
#include "core/report/personal/realised_loss.h"

namespace epsilometer {
namespace {

// Of what is above log 1.25, so that the quotient's rounding is within what `rounded` charges.
Interval root_of_twice_log(double above, double delta) {
  return square_root(Interval(2) * rounded(std::log(above / delta)));
}

void check(double s, double delta) {
  in_range("sensitivity", s, 0, 1e100);
  in_range("delta", delta, 1e-300, 0.5);
}

Interval with_tail(double s, Interval tail) {
  return s == 0 ? 0 : square(Interval(s)) / Interval(2) + Interval(s) * tail;
}

}  // namespace

Interval gaussian_tail_epsilon(double s, double delta) {
  check(s, delta);
  return larger(with_tail(s, quantile(delta)), 0);
}

Interval gaussian_log_tail_epsilon(double s, double delta) {
  check(s, delta);
  return with_tail(s, root_of_twice_log(1, delta));
}

std::optional<Interval> gaussian_textbook_epsilon(double s, double delta) {
  check(s, delta);
  const Interval epsilon = s == 0 ? 0 : Interval(s) * root_of_twice_log(1.25, delta);
  return epsilon.upper() <= 1 ? std::optional(epsilon) : std::nullopt;
}

// The loss is (e^2 - R^2 / (1 + mu) - log(1 + mu)) / 2 or its negative, e within sqrt(2 l) deviations of its
// mean, l = log(2 / delta), except with probability delta.
PosteriorTail posterior_tail(double leverage, double residual, double delta) {
  const Interval mu(in_range("leverage", leverage, 0, 1e100)), off(in_range("residual", residual, 0, 1e100)),
      tail = rounded(std::log(2 / in_range("delta", delta, 1e-300, 0.5)));
  if (leverage == 0) return {0, 0};
  const Interval more = Interval(1) + mu, log = log_one_plus(mu), grown = mu * square(off) / more,
                 reach = Interval(2) * mu * tail;
  return {absolute(grown - log) / Interval(2) + mu * tail + off * square_root(reach),
          (log + grown / more) / Interval(2) + off / more * square_root(reach / more)};
}

Interval posterior_tail_epsilon(double leverage, double residual, double delta) {
  const PosteriorTail tail = posterior_tail(leverage, residual, delta);
  return larger(tail.add, tail.remove);
}

}  // namespace epsilometer
