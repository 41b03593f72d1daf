// Privacy after the fact: a guarantee of another kind than epsilon-differential privacy. A release is private
// ex post with a loss E(o) that depends on what came out when log p(o) / p'(o) <= E(o) for all neighbouring
// tables: Ligett, Neel, Roth, Waggoner and Wu 2017, Definition 2.3. Whoever may choose when to stop is told
// afterwards what that cost; only the largest E(o) there is, known before, is an ordinary epsilon.
#pragma once

namespace epsilometer {

/// What is promised: whatever comes out, or by what came out.
enum class Guarantee { ordinary, ex_post };

/// As answers call it: "ordinary" or "ex-post".
const char* name_of(Guarantee guarantee);

/// E(o) of a run that tests one model after another and releases the first that passes, for whoever has one
/// row, or several.
struct ExPostLoss {
  /// Of all tests, and of the released model with all before it.
  double testing, model;
  /// Both together, rounded up.
  double total;

  static ExPostLoss of(double testing, double model, double rows);
};

}  // namespace epsilometer
