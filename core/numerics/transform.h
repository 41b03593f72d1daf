// Discrete Fourier transforms of complex sequences by KissFFT, with a bound on their rounding error.
#pragma once

#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <vector>

namespace epsilometer {

using Frequencies = std::vector<std::complex<double>>;

class Transform {
 public:
  /// For sequences of this length, whose prime factors should be 2, 3 and 5.
  explicit Transform(std::size_t length);
  ~Transform();

  std::size_t length() const { return length_; }

  /// X_f = sum over j of x_j e^{-2 pi i f j / n}.
  Frequencies forward(const Frequencies& values) const;
  /// n times the inverse of forward.
  Frequencies backward(Frequencies values) const;

  /// Every entry of either is right to this times the sum of the |x_j|. By inspection of kissfft.hh: a
  /// twiddle is the cosine and sine of i times a rounded step (20.5u), a complex product costs sqrt(5) u, a
  /// stage at most two additions; radices 3 and 5 are covered by the slack.
  double error() const;

 private:
  struct Plan;
  std::size_t length_;
  std::unique_ptr<Plan> plan_;
};

/// Half of the spectra of two real sequences, from one transform of the one as real parts and the other as
/// imaginary ones; its bound on errors holds for both.
struct TwoSpectra {
  Frequencies one, other;
};
TwoSpectra spectra(const Frequencies& both);

/// The smallest even 2^a 3^b 5^c that is at least `length`.
std::size_t smooth_length(double length);

/// z^count for every entry of a spectrum and the product of several such powers, with a running error bound.
class PowerProduct {
 public:
  explicit PowerProduct(std::size_t length);

  /// Multiplies by factor^count. Every entry of `factor` is right to `doubt`.
  void multiply(const Frequencies& factor, double count, double doubt);

  /// The product. Entries below e^-90, and entries whose exact value may be, are zero.
  Frequencies values() const;
  /// The sum over all entries of the bounds on their absolute errors.
  double total_error() const;

 private:
  void multiply_once(const Frequencies& factor, double doubt);
  double log_most(std::size_t f) const { return log_most_[f] + std::log(most_once_[f]); }

  std::vector<double> log_size_, phase_;
  /// log of prod (|z| + doubt)^count, and the roundings of the polar form relative to it.
  std::vector<double> log_most_, relative_;
  /// The factors that occur once need no polar form: their product, and that of |z| + doubt.
  Frequencies once_;
  std::vector<double> most_once_;
};

/// Two real sequences from half of their spectra each, by one transform: n times the one as real parts, n
/// times the other as imaginary ones. Every entry, divided by n, is right to `doubt`.
struct TwoSequences {
  Frequencies entries;
  double doubt;
};
TwoSequences sequences(const Transform& transform, const PowerProduct& one, const PowerProduct& other);

}  // namespace epsilometer
