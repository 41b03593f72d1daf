// The report that may be published: a value which, evaluated on anybody's own record, bounds how far the
// released model has spoken for or against her. It holds what is public and what was paid for, and nothing
// else: no row enters it, and evaluating it needs no table. Redberg and Wang 2021, "Privately publishable
// per-instance privacy"; docs/privacy-report.md has the proofs, and which algorithm allows which report.
//
// Neighbours: tables that differ in one record that is added or removed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/model/bounded_records.h"
#include "core/noise/spectrum_confidence.h"
#include "core/noise/symmetric_matrix.h"
#include "core/report/published/privacy_report_bound.h"

namespace epsilometer {

/// A model that minimises sum of losses + lambda |theta|^2 / 2 + b.theta, b ~ N(0, sigma^2 I): public values.
struct ReportedModel {
  /// As make_loss takes it, and the bounds to which every record was held.
  std::string loss;
  LossNumbers numbers;
  RecordBounds bounds;
  /// No record's gradient is longer than `lipschitz`, none's curvature above `smoothness`.
  double lipschitz, smoothness;
  double sigma, lambda;
  /// The coefficients are the minimum, moved by at most `moved` and then by normal noise of standard
  /// deviation `finish` in each. 0 and 0: they are the minimum itself, as in real arithmetic only, for
  /// demonstrations.
  double moved, finish;
  /// Of rows that follow from what normal noise released before: a whitened fit (whitened_report.h).
  bool whitened = false;
  /// The coefficients given may be wrong by as much, in the l2 norm, where they are read off what was
  /// published.
  double doubt = 0;

  bool hidden() const { return finish > 0; }
};

/// Gradient and Hessian of the sum of losses at the released coefficients, and the smallest eigenvalue of
/// that Hessian, each as published with noise; nothing what was not published. privacy_report_material.h
/// makes and prices it.
struct ReportMaterial {
  /// `error`: what truncation and rounding took, at most, of tables of up to 2^32 rows, in the l2 or
  /// Frobenius norm. `mu`: what it costs, as Gaussian noise, a record of the largest gradient or curvature.
  struct Gradient {
    std::vector<double> values;
    GaussianNoise noise;
    double error, mu;
  };
  struct Hessian {
    /// A lower triangle, row by row.
    std::vector<double> values;
    OrthogonalNoise noise;
    double error, mu;
  };
  struct Eigenvalue {
    double value;
    GaussianNoise noise;
    double error, mu;
  };
  std::optional<Gradient> gradient;
  std::optional<Hessian> hessian;
  std::optional<Eigenvalue> eigenvalue;

  bool empty() const { return !gradient && !hessian && !eigenvalue; }
};

/// For whom a bound is to hold, and how often it may fail. `records` of Audience::Kind::fixed: a public bound
/// of how many rows a table has. The number of rows of the table at hand is private.
struct ReportPromise {
  /// From 1e-40 to 1/2, over the noise of the model and of the report.
  double failure;
  Audience audience = {Audience::Kind::one};
};

/// How much of a posterior probability may be left to what fails where the minimum is hidden.
inline constexpr double left_to_failure = 0x1p-10;

/// Plain values, all of them public or paid for.
struct PrivacyReport {
  ReportedModel model;
  std::vector<double> coefficients;
  ReportMaterial material;
  ReportPromise promise;
  /// The minimum is within `distance` of the coefficients, x^T H^{-1} x there at most `growth` times what it
  /// is at the coefficients, and what it takes to hide the minimum adds at most `slack` to a loss.
  double distance = 0, growth = 1, slack = 0;
  /// |x.b| <= sigma (`noise` |x|_2), or noise_entry |x|_1 where that is less; nothing: the former only. Of
  /// whitened rows `noise` is the length of that deviate and of the other noise's together.
  double noise = 0;
  std::optional<double> noise_entry{};
  /// |x.error| of the published gradient is at most gradient_margin |x|.
  double gradient_margin = 0;
  /// No eigenvalue of the published Hessian's error is above `spectrum`; none of the Hessian, lambda
  /// included, below `floor`.
  double spectrum = 0, floor = 0;
  /// |N(0, 1)| at most, in what the published material itself told.
  double material_deviation = 0;
};

/// Discrete noise is continuous noise but for 40 of its at least 2^20 steps, and for a variance less by 4.
inline constexpr double discreteness = 1 + 0x1p-14;

/// What a report says to one person.
struct PersonalBound {
  /// Of the model's coefficients: log p(theta) / p'(theta), p of the table that was used.
  RealisedBound model{};
  /// Of the size of the same for the published gradient and Hessian; 0 if none were.
  double material = 0;
  /// What these cost her, as Gaussian noise of that mu, before they were drawn.
  double material_mu = 0;
  double failure = 1;

  double size() const { return model.size() + material; }
  /// The loss itself, of model and material together.
  Bounds interval() const {
    const double lower = model.loss.lower(), upper = model.loss.upper();
    if (material == 0) return {lower, upper};
    return {std::nextafter(lower - material, -HUGE_VAL), std::nextafter(upper + material, HUGE_VAL)};
  }
};

/// Which of what a table tells besides its model is published.
struct PublishedKinds {
  bool gradient, hessian;
};

/// Refuses audiences that the model does not allow, and what says nothing of it to anybody.
void must_be_readable(const ReportedModel& model, const Audience& audience, PublishedKinds published);

/// Free: it only processes what was released. Refuses material that does not fit the model, what
/// must_be_readable() refuses, and failures outside the range.
PrivacyReport privacy_report(ReportedModel model, std::vector<double> coefficients, ReportMaterial material,
                             const ReportPromise& promise);

/// Evaluates a report for as many persons as one likes: what does not depend on the person is computed once.
class ReportReader {
 public:
  explicit ReportReader(PrivacyReport report);

  /// `features`: as the algorithm was given them, the intercept's place included. They are bounded as it
  /// bounds them. `direction`: whether she is in the table (remove) or not (add). `before`: of a whitened
  /// model, what the normal noise that came first costs her, as Gaussian noise of that mu; 0 of any other.
  PersonalBound of(std::span<const double> features, double label, Direction direction,
                   double before = 0) const;
  /// The same of a record as it was bounded, of which |x|^2 and its product with the coefficients are known.
  PersonalBound of(std::span<const double> x, const BoundedRecords::Record& record, Interval square,
                   Interval prediction, Direction direction, double before = 0) const;

 private:
  // `square`: |x|^2.
  double largest_leverage(std::span<const double> x, Interval square) const;
  Evidence evidence_for(std::span<const double> x, Interval square, double before) const;

  PrivacyReport report_;
  std::unique_ptr<const Loss> loss_;
  // Of the published Hessian, lambda included.
  std::optional<InverseForms> leverages_;
};

/// The same for one person.
PersonalBound evaluated(const PrivacyReport& report, std::span<const double> features, double label,
                        Direction direction);

}  // namespace epsilometer
