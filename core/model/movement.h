// How far one record can move the minimum of an objective whose losses are generalised self-concordant:
// |f'''| <= f'' in u = x.theta, as of the logistic loss (Bach 2010).
//
// Let F be the sum of a table's losses + lambda |theta|^2 / 2, with its minimum at theta, and H that sum's
// curvature there without lambda. At the minimum theta' of a neighbouring table the gradient of F is that of
// the record, at most g, whether the record came or went. No x is longer than C, so along the way from theta
// to theta' a record's curvature falls by e^{-C t} at most in a distance of t. With m the smallest eigenvalue
// of H and r the distance of the minima, integrating the curvature along the way gives
//     lambda r + m (1 - e^{-C r}) / C <= g,
// for every table, and no more than the bound of strong convexity, r <= g / lambda, where m = 0.
//
// So m itself moves by at most C^2 for the logistic loss. Where f' = p in size, f'' = p (1 - p), and g = p C:
// m falls by at most (1 - e^{-C r}) m <= p C^2 along the way, and by p (1 - p) C^2 with the record itself;
// together (2 p - p^2) C^2. What it rises by is what it falls by on the way back.
//
// Redberg 2023 (thesis), Appendix B.3, bounds the same through a factor e^{C r} of the whole curvature,
// lambda included, and only where C g is small beside it. What is printed there is not private: Theorem B.3.6
// on the loss of its noise is exceeded 95 times by a table of equal rows (tests/reference/curvature.py).
#pragma once

namespace epsilometer {

/// At least that r: positive and finite for `gradient` g, `lambda` and `norm` C above 0, `curvature` m >= 0.
double largest_movement(double gradient, double lambda, double curvature, double norm);

}  // namespace epsilometer
