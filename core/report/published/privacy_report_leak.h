// Why a report holds bounds and not the realised losses themselves: those are exact functions of the table.
// An example that can be followed by hand: a mean, released as the minimum of sum (theta - y_i)^2 / 2 +
// lambda theta^2 / 2 + b theta with b ~ N(0, sigma^2), and the realised losses of two of its rows beside it.
#pragma once

#include <span>

namespace epsilometer {

/// What one row has published: its residual theta - y, which it knows, and its realised loss, exactly.
struct PublishedLoss {
  double residual, loss;
};

/// The released mean for that b.
double released_mean(std::span<const double> labels, double lambda, double b);

/// log p(theta) / p'(theta) of the row with that label: of the table with it over the one without it.
PublishedLoss published_loss(std::span<const double> labels, double label, double mean, double lambda,
                             double sigma);

/// How many rows the table has and what their labels add up to, up to rounding, from a released mean and two
/// published losses of different residuals: two equations in two unknowns. That a row was added is certain
/// then, and so is its label.
struct Reconstructed {
  double rows, sum;
};
Reconstructed reconstructed(double mean, const PublishedLoss& first, const PublishedLoss& second,
                            double lambda, double sigma);

}  // namespace epsilometer
