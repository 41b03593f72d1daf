// The sparse vector technique: a stream of queries, each told to be above or below a threshold, until so many
// were above. The threshold gets Laplace noise of scale s once, every query its own of scale b. With queries
// that move by at most D the release is (D/s + c 2D/b)-private, or (D/s + c D/b) where between two neighbours
// all of them move in one direction: Dwork and Roth 2014, Section 3.6; Lyu, Su and Li 2017, Theorems 2 and 5.
// However many queries are below, they cost nothing. Which profile the worst queries have is not known;
// docs/adaptive-releases.md has the proofs of both ends. The upper one is the least of three: everything that
// private (Kairouz, Oh and Viswanath 2015, Theorem 3.3); the threshold's noise alone, of which no answer
// above can tell more than its share of the largest loss; and the noise of the queries with a threshold that
// is known, and moved by a part of what queries move by. The lower one is the largest of a single query,
// which tells whether the difference of both noises exceeds a bound, a stream that nearly attains the largest
// loss: low queries that move up rule out low thresholds, then c queries that move down are above; and counts
// of answers above, few of queries near the threshold that move up, and then many of others that move down.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/refusal.h"
#include "core/loss/known_threshold.h"
#include "core/loss/pair_loss.h"
#include "core/loss/response_loss.h"
#include "core/numerics/constants.h"
#include "core/numerics/search.h"

namespace epsilometer::mechanisms {

std::shared_ptr<const PrivacyLoss> laplace(const Description& description);

namespace {

/// The mean of e^(x z) for x in [0, 1].
double mean_exponential(double z) { return z == 0 ? 1 : std::expm1(z) / z; }

/// The sum of Laplace noise of two scales.
class TwoNoises {
 public:
  TwoNoises(double one, double other) : wide_(std::max(one, other)), narrow_(std::min(one, other)) {}

  /// The probability that it exceeds z.
  double above(double z) const { return z < 0 ? 1 - tail(-z) : tail(z); }
  double wide() const { return wide_; }

 private:
  // (w^2 e^{-z/w} - n^2 e^{-z/n}) / (2 (w^2 - n^2)), in positive terms.
  double tail(double z) const {
    const double x = z * (wide_ - narrow_) / (wide_ * narrow_);
    return std::exp(-z / wide_) / 2 * (1 + narrow_ / (wide_ + narrow_) * (z / wide_) * mean_exponential(-x));
  }

  double wide_, narrow_;
};

/// Lower bound on delta where the largest loss is `gap` ahead of epsilon. In units of b, with p = b/s and a =
/// c + p, low queries leave a threshold at r with probability exp(-X e^(k t - r)) before try number k. It
/// succeeds where the next c queries, each above with probability e^(k t - r) / 2, all are; below k t nothing
/// is counted, and what a failed try costs the later ones is w = 1/2 / (e^t - 1) of them at most. Then delta
/// >= p 2^-(c+1) / (1 - e^-(p t)) ((1 - w) g(a, X) - e^-gap G(a)) / X^a, g the lower incomplete gamma
/// function, at least G(a) - X^a e^-X / (X - a + 1).
double told_by_tries(double ratio, double answers, double gap) {
  const double a = answers + ratio, all = -std::expm1(-gap);
  // Beyond these such streams are never seen, or tell nothing.
  if (!(a < 1000) || !(all > 1e-290)) return 0;
  const double gamma = std::lgamma(a), far = 10 - std::log(all);
  double best = 0;
  for (const double share : {0.3, 0.1, 0.03, 0.01}) {
    const double w = share * all, t = std::log1p(1 / (2 * w)), rest = all - w;
    const auto lead = [&](double x) { return gamma - a * std::log(x); };
    const auto tail = [&](double x) { return (1 - w) * std::exp(-x - lead(x)) / (x - a + 1); };
    const auto missing = [&](double x) {
      const double left = rest - tail(x);
      return left > 0 ? -lead(x) - std::log(left) : 1e6 + tail(x);
    };
    const double x = minimum(missing, a, a + 2 * far + 2 * std::sqrt(a * far), 20).first;
    const double size = 1 + std::abs(gamma) + x + a * (1 + std::log(x)), margin = 16 * unit_roundoff * size;
    const double left = rest - rounded_up(tail(x), margin) - rounding_margin * all;
    const double tries = ratio / -std::expm1(-ratio * t);
    if (left > 0) {
      const double found = tries * left * std::exp(lead(x) - (answers + 1) * std::log(2.0));
      best = std::max(best, rounded_down(found, margin + rounding_margin));
    }
  }
  return best;
}

/// That Laplace noise of scale 1 is at least x.
double exceeding(double x) { return x > 0 ? std::exp(-x) / 2 : 1 - std::exp(x) / 2; }

/// Probabilities of 0, 1, … up to `most` successes of n, each with the probability that noise is at least x;
/// 0 in place of what is far below 1e-250.
std::vector<double> successes(std::size_t n, std::size_t most, double x) {
  const double likelier = std::log1p(-exceeding(std::abs(x))), rarer = -std::abs(x) - std::log(2.0);
  const double log_success = x > 0 ? rarer : likelier, log_failure = x > 0 ? likelier : rarer;
  const double odds = std::exp(log_success - log_failure), trials = static_cast<double>(n);
  std::vector<double> all(most + 1);
  for (std::size_t k = 0; k <= std::min(n, most); ++k) {
    const double successful = static_cast<double>(k), rest = trials - successful;
    if (k > 0 && all[k - 1] > 0) {
      all[k] = all[k - 1] * odds * ((rest + 1) / successful);
      continue;
    }
    double logarithm = successful * log_success + rest * log_failure;
    if (k > 0) logarithm += std::lgamma(trials + 1) - std::lgamma(successful + 1) - std::lgamma(rest + 1);
    if (logarithm > -600) all[k] = std::exp(logarithm);
  }
  return all;
}

/// First some queries, then others, all at the threshold but for what they move by. It is seen when at most j
/// of the first are above, and of the others at least k; j + k is at most the number of answers above after
/// which it stops, so that all of that is answered.
class Counts {
 public:
  /// Which numbers of queries are tried is heuristic, no guarantee.
  explicit Counts(std::size_t answers) : answers_(answers) {
    for (std::size_t n = 1; n <= 4 * answers + 30; n += 1 + n / 12) first_.push_back(n);
    for (std::size_t j = 0; j + 1 < answers; j += 1 + answers / 8) few_.push_back(j);
    few_.push_back(answers - 1);
  }

  /// Of every event how probable it is, by what noise must be at least for an answer above.
  std::vector<double> seen(double first, double others) const {
    std::vector<double> after = successes(answers_, answers_, others), all;
    // So many at least.
    for (std::size_t k = answers_; k-- > 0;) after[k] += after[k + 1];
    for (const std::size_t n : first_) {
      std::vector<double> before = successes(n, answers_ - 1, first);
      // So many at most.
      for (std::size_t j = 1; j < answers_; ++j) before[j] += before[j - 1];
      for (const std::size_t j : few_)
        for (const std::size_t k : {answers_ - j, (answers_ - j) / 2}) all.push_back(before[j] * after[k]);
    }
    return all;
  }

 private:
  std::size_t answers_;
  std::vector<std::size_t> first_, few_;
};

/// Of such counts: in units of b, with `ratio` = b/s and queries of which the first move up by `up` from one
/// table to the other, and the others down by `down`. Given the threshold's noise r, the first are few above
/// where one of their largest noises is less than r, the others many where one of theirs is not: a
/// distribution function and a tail of order statistics, whose densities are products of log-concave ones. So
/// the product of both is log-concave: above its chords, and below its chords continued.
std::vector<SingleTest> counted(const Counts& counts, double answers, double ratio, double up, double down) {
  // What is charged for some thousand roundings of positive numbers, of which 128 are powers whose exponents,
  // sums of terms below 2000, are rounded too; and for slopes between two places twice that.
  constexpr double margin = 1e-9, least = 1e-240;
  // Closer than so many answers tell places apart; further off all is flatter, and in the end a power of e.
  // Heuristic, no guarantee.
  const double most = 40 / ratio, width = 0.06 / std::sqrt(answers);
  std::vector<double> above{0};
  while (above.back() < most) {
    const double here = above.back();
    const double step = here < 40 ? std::max(width, (here - 2) / 8) : here < 1e4 ? here : most;
    above.push_back(here + step);
  }
  std::vector<double> places;
  for (std::size_t i = above.size(); i-- > 1;) places.push_back(-above[i]);
  places.insert(places.end(), above.begin(), above.end());
  struct Seen {
    std::vector<double> with, without;
  };
  std::vector<Seen> seen(places.size());
  const auto look = [&](std::size_t i) {
    if (i < places.size())
      seen[i] = {counts.seen(places[i] + up / 2, places[i] - down / 2),
                 counts.seen(places[i] - up / 2, places[i] + down / 2)};
  };
  look(0);
  look(1);
  std::vector<SingleTest> all(seen[0].with.size(), {0, 0});
  std::vector<bool> is_likelier(all.size());
  for (std::size_t i = 0; i + 1 < places.size(); ++i) {
    look(i + 2);
    const double from = places[i], wide = places[i + 1] - from;
    // The threshold's noise here, and by what its logarithm grows.
    const double mass = ratio * wide / 2 * std::exp(-ratio * std::abs(from));
    const double rise = (from < 0 ? 1 : -1) * ratio * wide;
    for (std::size_t event = 0; event < all.size(); ++event) {
      const double p = seen[i].with[event], next = seen[i + 1].with[event];
      if (p > least && next > least) all[event].p += mass * p * mean_exponential(std::log(next / p) + rise);
      const double here = seen[i].without[event], there = seen[i + 1].without[event];
      const double before = i > 0 ? seen[i - 1].without[event] : 0;
      const double after = i + 2 < places.size() ? seen[i + 2].without[event] : 0;
      // The logarithm's growth here by the chord before, and by the one after.
      const bool has_before = before > least && here > least, has_after = there > least && after > least;
      const double first = has_before ? std::log(here / before) * (wide / (from - places[i - 1])) : 0;
      const double second =
          has_after ? std::log(after / there) * (wide / (places[i + 2] - places[i + 1])) : 0;
      // Up to `part` of the way by the one, then by the other; the best is where they cross.
      const auto between = [&](double part) {
        const double rest = 1 - part;
        return here * part * mean_exponential((first + rise) * part) +
               there * std::exp(rise) * rest * mean_exponential(-(second + rise) * rest);
      };
      double upper = HUGE_VAL;
      if (has_before && has_after) {
        const double crossed = (std::log(there / here) - second) / (first - second);
        upper = between(crossed > 0 && crossed < 1 ? crossed : 0);
      } else if (has_before || has_after) {
        upper = between(has_before ? 1 : 0);
      }
      // On one side of where it is likelier, if it is anywhere.
      if (here <= least && there <= least) upper = std::min(upper, least * mean_exponential(rise));
      if (here > least) is_likelier[event] = true;
      all[event].q += mass * upper;
    }
    if (i > 0) seen[i - 1] = {};
  }
  for (std::size_t event = 0; event < all.size(); ++event) {
    SingleTest& one = all[event];
    if (!is_likelier[event]) one.q = 1;
    // Thresholds further off.
    one = {rounded_down(one.p, margin), rounded_up(one.q + std::exp(-39.0), margin)};
  }
  return all;
}

// More answers than these are not counted.
constexpr double most_counted = 64;

/// Both runs held together with a threshold that is known, which in the other run is higher by a part of what
/// queries move by: then queries come nearer to it by so much less.
class HigherThreshold {
 public:
  /// `moved`: the noisy threshold by so much, or nothing where it is the same in both runs.
  HigherThreshold(std::shared_ptr<const PrivacyLoss> moved, const KnownThreshold& queries)
      : moved_(std::move(moved)),
        queries_(queries),
        response_(moved_ ? moved_->largest_loss() : 0, 2, 0),
        turn_(queries_.power_end() > 0 ? std::log(queries_.turn() / queries_.power_end()) : 0) {}

  /// Whether delta() is searched for.
  bool is_searched() const { return !queries_.is_known(); }

  /// At least delta(epsilon), epsilon >= 0; where it is searched for, to so many bits.
  double delta(double epsilon, int bits) const {
    if (is_searched()) return by_moments(epsilon, bits);
    if (!moved_) return queries_.delta(epsilon);
    // The threshold as randomized response, with the largest loss of its noise.
    const double loss = response_.largest_loss(), top = 1 / (1 + std::exp(-loss));
    const double likely = queries_.delta(std::nextafter(epsilon - loss, -HUGE_VAL));
    const double unlikely = queries_.delta(std::nextafter(epsilon + loss, -HUGE_VAL));
    return rounded_up(top * likely + std::exp(-loss) * top * unlikely);
  }

  double renyi(double order) const {
    const double threshold = moved_ ? moved_->renyi(order) : 0;
    return rounded_up(threshold + queries_.log_moment(order - 1) / (order - 1));
  }

 private:
  // 1 - e^-x is at most e^(power x) power^power / (1 + power)^(1 + power).
  double by_moments(double epsilon, int bits) const {
    if (queries_.power_end() == 0) return 1;
    double size = 0;
    const auto exponent = [&](double log_share) {
      // So that a power is an order less 1.
      const double order = 1 + queries_.power_end() * std::exp(log_share), power = order - 1;
      if (!(power > 0)) return HUGE_VAL;
      const double moved = queries_.log_moment(power) + (moved_ ? power * moved_->renyi(order) : 0);
      const double shape = power * std::log1p(1 / power) + std::log1p(power);
      size = power * epsilon + moved + shape;
      return moved - power * epsilon - shape;
    };
    // Smooth on both sides of the turn, where the least often is.
    const double least = exponent(minimum_near(exponent, turn_, 0.5, -60, std::log(0.998), bits).first);
    return std::min(1.0, rounded_up(std::exp(least + 64 * unit_roundoff * size)));
  }

  std::shared_ptr<const PrivacyLoss> moved_;
  KnownThreshold queries_;
  ResponseLoss response_;
  double turn_;
};

class SparseVectorLoss final : public Knowing<KnownProfile, ClassBound> {
 public:
  /// `threshold`: its noise alone, Laplace's; `above`: the most that the answers above tell, rounded up;
  /// `queries`: what is told with thresholds that are known.
  SparseVectorLoss(std::shared_ptr<const PrivacyLoss> threshold, double above, const TwoNoises& noises,
                   std::vector<HigherThreshold> queries, double ratio, double answers, double up, double down)
      : threshold_(std::move(threshold)),
        above_(above),
        whole_(rounded_up(threshold_->largest_loss() + above, 2 * unit_roundoff), 2, 0),
        noises_(noises),
        queries_(std::move(queries)),
        ratio_(ratio),
        answers_(answers),
        up_(up),
        down_(down) {}

  bool is_tight() const override { return false; }
  bool has_two_sided_bounds() const override { return true; }

  double delta_upper(double epsilon) const override {
    // All hold in both directions.
    if (epsilon < 0) return mirrored({0, delta_upper(-epsilon)}, epsilon).upper;
    double least = std::min(whole_.delta(epsilon).upper,
                            threshold_->profile()->delta(std::nextafter(epsilon - above_, -HUGE_VAL)).upper);
    // Which are asked to all digits is heuristic, no guarantee.
    std::vector<double> rough;
    for (const HigherThreshold& one : queries_) rough.push_back(one.delta(epsilon, 8));
    const double near = 1.1 * std::min(least, *std::min_element(rough.begin(), rough.end()));
    for (std::size_t i = 0; i < rough.size(); ++i)
      least = std::min(
          least, rough[i] <= near && queries_[i].is_searched() ? queries_[i].delta(epsilon, 26) : rough[i]);
    return least;
  }
  bool is_least_of_several() const override { return true; }

  Bounds delta(double epsilon) const override {
    const double upper = delta_upper(epsilon), all = largest_loss();
    if (upper == 0) return {0, 0};
    // What the largest loss was rounded up by, here and where it was added up.
    const double gap = all - epsilon - 16 * unit_roundoff * all;
    const double told =
        std::max({of_one_query(epsilon), told_by_tries(ratio_, answers_, gap), told_by_counts(epsilon)});
    return {std::clamp(told, epsilon < 0 ? rounded_down(-std::expm1(epsilon)) : 0, upper), upper};
  }

  Bounds power(double false_positive) const override {
    const double grown = std::min(1.0, rounded_up(false_positive * std::exp(above_)));
    const double upper =
        std::min({whole_.power(false_positive).upper, threshold_->profile()->power(grown).upper,
                  power_below_lines(false_positive, largest_loss())});
    return {false_positive, std::max(false_positive, upper)};
  }

  double renyi(double order) const override {
    double least = std::min(whole_.renyi(order), rounded_up(above_ + threshold_->renyi(order)));
    for (const HigherThreshold& one : queries_) least = std::min(least, one.renyi(order));
    return least;
  }
  /// The event of one stream, which tells no less where it is likelier with the record than is said, and
  /// rarer without it.
  std::shared_ptr<const PrivacyLoss> witness_near(double tilt) const override {
    return most_telling(events(), tilt);
  }

  double largest_loss() const override { return whole_.largest_loss(); }
  bool reaches_largest_loss() const override { return false; }
  std::optional<double> concentrated() const override { return whole_.concentrated(); }

 private:
  // Lower bound on what one query tells.
  double of_one_query(double epsilon) const {
    const double grown = std::exp(epsilon);
    if (std::isinf(grown)) return 0;
    const auto missing = [&](double z) { return grown * noises_.above(z) - noises_.above(z - 1); };
    // Beyond the narrow noise both tails fall alike; below a loss of -800 e^epsilon is 0.
    const double far = 1 + noises_.wide() * (4 + std::min(std::abs(epsilon), 800.0));
    const double best = minimum(missing, epsilon < 0 ? -far : 0, far, 40).first;
    // The tails are exponentials of up to far / wide, whose rounding they show as often.
    const double margin = rounding_margin + 2 * unit_roundoff * far / noises_.wide();
    return rounded_down(noises_.above(best - 1), margin) -
           rounded_up(grown * noises_.above(best), margin + rounding_margin);
  }

  double told_by_counts(double epsilon) const {
    double best = 0;
    for (const SingleTest& one : events())
      best = std::max(best, one.p - rounded_up(std::exp(epsilon) * one.q));
    return rounded_down(best);
  }

  // Found once.
  const std::vector<SingleTest>& events() const {
    if (events_.empty()) {
      const double answers = std::min(answers_, most_counted);
      events_ = counted(Counts(static_cast<std::size_t>(answers)), answers, ratio_, up_, down_);
    }
    return events_;
  }

  std::shared_ptr<const PrivacyLoss> threshold_;
  double above_;
  ResponseLoss whole_;
  TwoNoises noises_;
  std::vector<HigherThreshold> queries_;
  // In units of the noise of queries, the moves rounded down.
  double ratio_, answers_, up_, down_;
  mutable std::vector<SingleTest> events_;
};

}  // namespace

std::shared_ptr<const PrivacyLoss> sparse_vector(const Description& description) {
  const std::string& queries = description.text("queries");
  if (queries != "any" && queries != "monotone") {
    throw Refusal("unknown", "queries", queries, "must be any or monotone");
  }
  const double sensitivity = description.scale("sensitivity"), answers = description.whole("answers", 1, 1e9);
  const double threshold = description.scale("thresholdScale"), query = description.scale("queryScale");
  const double above = answers * (queries == "any" ? 2 : 1) * sensitivity / query;
  // A part of the least sensitivity is less than descriptions take; moved further, the threshold costs more.
  constexpr double least_scale = 1e-100;
  const auto moved = [&](double by) {
    const double further = std::max(by, least_scale);
    return laplace({"laplace", {{"scale", threshold}, {"sensitivity", further}}, {}, {}, {}});
  };
  // Which parts are tried is heuristic, no guarantee.
  std::vector<HigherThreshold> known;
  for (int eighths = 0; eighths < 8; ++eighths) {
    const double by = eighths * sensitivity / 8, further = queries == "any" ? sensitivity + by : by;
    known.emplace_back(eighths == 0 ? nullptr : moved(by),
                       KnownThreshold(rounded_up((sensitivity - by) / query),
                                      further == 0 ? 0 : rounded_up(further / query), answers));
  }
  const double move = rounded_down(sensitivity / query);
  return std::make_shared<SparseVectorLoss>(moved(sensitivity), rounded_up(above, 4 * unit_roundoff),
                                            TwoNoises(threshold / sensitivity, query / sensitivity),
                                            std::move(known), query / threshold, answers, move,
                                            queries == "any" ? move : 0);
}

}  // namespace epsilometer::mechanisms
