// Each question by its name, and what they share in reading one.
#pragma once

#include <cmath>
#include <optional>
#include <span>

#include "core/loss/capabilities.h"
#include "core/model/loss.h"
#include "core/report/personal/ridge_influence.h"
#include "core/report/questions/question.h"

namespace epsilometer::questions {

NumbersAnswer normal_noise(const Description& question);
NumbersAnswer laplace_noise(const Description& question);
NumbersAnswer symmetric_noise(const Description& question);
NumbersAnswer normal_bounds(const Description& question);
NumbersAnswer normal_pair(const Description& question);
NumbersAnswer posterior_sample(const Description& question);
NumbersAnswer ridge(const Description& question);
NumbersAnswer ridge_law(const Description& question);
NumbersAnswer ridge_objective(const Description& question);
NumbersAnswer objective(const Description& question);
NumbersAnswer approximate_minima(const Description& question);
NumbersAnswer general_objective(const Description& question);
NumbersAnswer objective_parameters(const Description& question);
NumbersAnswer excess_risk(const Description& question);
NumbersAnswer objective_outcome(const Description& question);
NumbersAnswer smooth_outcome(const Description& question);
NumbersAnswer slope(const Description& question);
NumbersAnswer report_bound(const Description& question);
NumbersAnswer people(const Description& question);
NumbersAnswer ada_ops(const Description& question);
NumbersAnswer renyi_order(const Description& question);
NumbersAnswer poisson_selection(const Description& question);
NumbersAnswer classic_test(const Description& question);
NumbersAnswer tested_divergence(const Description& question);
NumbersAnswer wrong_acceptance(const Description& question);
NumbersAnswer noise_path(const Description& question);
NumbersAnswer accuracy_first(const Description& question);
NumbersAnswer doubling(const Description& question);
NumbersAnswer logarithm_sensitivity(const Description& question);
NumbersAnswer two_class_vote(const Description& question);
NumbersAnswer noisy_vote(const Description& question);
NumbersAnswer vote_divergence(const Description& question);
NumbersAnswer vote_test(const Description& question);
NumbersAnswer sketch_pair(const Description& question);
NumbersAnswer mixing_law(const Description& question);
NumbersAnswer projection_test(const Description& question);
NumbersAnswer logistic_parabola(const Description& question);

bool has(const Description& question, const char* name);

/// A bound that is told rounded up, by at most so many roundings; of what overflowed on the way nothing is
/// known.
inline Interval up_to(double bound, int roundings = 8) {
  return {std::isfinite(bound) ? rounded_down(bound, roundings * rounding_margin) : 0, bound};
}

/// A number that may be left out.
std::optional<double> maybe(const Description& question, const char* name, double minimum, double maximum);

/// Of a Renyi divergence.
double order_of(const Description& question);

/// Refuses a number of the question by its own name and value where what follows from it is outside [minimum,
/// maximum]; `rule` says what that is.
void must_follow(const Description& question, const char* name, double follows, double minimum,
                 double maximum, const char* rule);

/// So many numbers, finite and at most 1e100 in size; any number of them where no count is given.
std::span<const double> values(const Description& question, const char* name, std::size_t count);
std::span<const double> values(const Description& question, const char* name);

/// The lower triangle, by rows, of a symmetric matrix that was given by rows. Refuses another.
std::vector<double> triangle_of(const Description& question, const char* name, std::size_t dimension);

/// texts["direction"]: "remove", the record is in the table that was used; or "add".
Direction direction_of(const Description& question);

/// The loss that `texts` names, as it is used, for labels of any size.
std::unique_ptr<const Loss> loss_of(const Description& question);

/// Refuses a label, given in that field, that the loss takes for another one: of logistic all but -1 and 1,
/// of poisson negative ones.
double label_for(const Loss& loss, const std::string& field, double given);

/// log x of numbers x > 0.
Interval logarithm(double x);
Interval logarithm(Interval x);

/// N(0, 1) against N(distance, 1); of an infinite distance, or one above 1e100, that everything may come out:
/// delta is 1.
Description shifted(Interval distance);

/// A table given by numbers: rows of as many features as the record has, or none.
struct TypedTable {
  std::span<const double> features, labels;
  std::size_t dimension;

  std::size_t count() const { return labels.size(); }
  std::span<const double> row(std::size_t i) const { return features.subspan(i * dimension, dimension); }
};
TypedTable table_of(const Description& question, std::size_t dimension);

/// Of that table, certified. `name`: of lambda in the question.
RidgeInfluence ridge_of(const TypedTable& table, double lambda, const char* name = "lambda");

/// The inverse of a matrix, or of its square, by rows.
std::vector<Interval> inverse(const CertifiedFactor& factor, Interval CertifiedFactor::Forms::*form);

/// Each within `error` of its middle.
std::vector<Interval> around(std::span<const double> middles, double error);

}  // namespace epsilometer::questions
