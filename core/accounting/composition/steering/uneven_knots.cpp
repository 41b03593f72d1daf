#include "core/accounting/composition/steering/uneven_knots.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/accounting/composition/steering/effort.h"
#include "core/numerics/constants.h"

namespace epsilometer {
namespace {

// Beyond these a law is not worth its time.
constexpr double most_panels = 6000;

// The points of one part, and how often it occurs.
struct Outline {
  std::vector<Stretch> points;
  double count;
};

// Log moment and mean of the tilted sum of losses up to `largest`.
std::pair<double, double> moments(const std::vector<Outline>& parts, double tilt, double largest) {
  std::pair<double, double> whole{0, 0};
  for (const auto& [points, count] : parts) {
    double top = -infinite, sum = 0, first = 0;
    for (const Stretch& one : points) {
      if (one.from <= largest) top = std::max(top, one.log_mass + tilt * one.from);
    }
    for (const Stretch& one : points) {
      const double exponent = one.log_mass + tilt * one.from - top;
      if (!(one.from <= largest && exponent > -40)) continue;
      const double mass = std::exp(exponent);
      sum += mass;
      first += mass * one.from;
    }
    whole.first += count * (top + std::log(sum));
    whole.second += count * first / sum;
  }
  return whole;
}

std::vector<Outline> outlines(const std::vector<TiltedPart>& parts, const std::vector<Scan>& scans) {
  std::vector<Outline> result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Outline& one = result.emplace_back(Outline{{}, parts[i].count});
    for (const Atom& atom : parts[i].law->atoms())
      one.points.push_back({atom.loss, atom.loss, std::log(atom.mass)});
    for (std::size_t j = 0; j < scans[i].losses.size(); ++j)
      one.points.push_back({scans[i].losses[j], scans[i].losses[j], scans[i].log_masses[j]});
  }
  return result;
}

}  // namespace

Scan scan_of(const TiltedPart& part) {
  const Law& law = *part.law;
  Scan scan;
  const double reach = part.to_x - part.from_x;
  if (!(reach > 0 && reach < effort::most_units * law.length_scale())) return scan;
  const double steepest = std::max(law.slope(part.from_x), law.slope(part.to_x));
  const double width = std::min(law.length_scale() / 8, 0.5 / steepest);
  const double panels = std::clamp(std::ceil(reach / width), 200.0, most_panels);
  for (double i = 0; i <= panels; ++i) {
    const double x = i < panels ? part.from_x + reach * (i / panels) : part.to_x;
    scan.places.push_back(x);
    scan.losses.push_back(law.loss(x));
    scan.log_masses.push_back(law.log_density(x) + std::log(reach / panels));
  }
  return scan;
}

KnotChoice::KnotChoice(const std::vector<TiltedPart>& parts, const std::vector<Scan>& scans, double low,
                       double high) {
  const std::vector<Outline> all = outlines(parts, scans);
  // The others together are hardly ever below -reserve.
  double reserve = infinite;
  for (double fall = 1e-4; fall < 1e12; fall *= 4)
    reserve = std::min(reserve, (moments(all, -fall, infinite).first + 14) / fall);
  for (int guess = 0; guess < 5; ++guess) {
    const double epsilon = low * std::pow(high / low, guess / 4.0);
    const double largest = epsilon + std::max(0.0, reserve);
    double less = std::log(1e-9), more = std::log(1e9 / std::min(1.0, epsilon));
    for (int i = 0; i < 20; ++i) {
      const double middle = (less + more) / 2;
      (moments(all, std::exp(middle), largest).second < epsilon ? less : more) = middle;
    }
    guesses_.push_back({std::exp(less), largest});
  }
}

std::vector<double> KnotChoice::knots(const std::vector<Stretch>& stretches, std::size_t cells) const {
  const std::size_t size = stretches.size();
  std::vector<double> whole(size, 0.05 / static_cast<double>(size)), shares(size), turns(size);
  for (const Guess& guess : guesses_) {
    double top = -infinite, highest = -infinite;
    for (std::size_t i = 0; i < size; ++i) {
      const Stretch& one = stretches[i];
      const double width = std::log(one.to - one.from), middle = (one.from + one.to) / 2;
      const bool counts = one.from < guess.largest;
      shares[i] = counts ? (one.log_mass + guess.tilt * middle + 2 * width) / 3 : -infinite;
      turns[i] = counts ? one.log_mass + guess.tilt * middle - width : -infinite;
      top = std::max(top, shares[i]);
      highest = std::max(highest, turns[i]);
    }
    if (!std::isfinite(top)) continue;
    double sum = 0, turned = 1e-300, before = -infinite, reach = 0;
    for (std::size_t i = 0; i < size; ++i) {
      if (stretches[i].from < guess.largest) reach += stretches[i].to - stretches[i].from;
      sum += shares[i] = std::exp(shares[i] - top);
      const double here = turns[i];
      turns[i] = std::max(here, before) > highest - 45 ? std::min(5.0, std::abs(here - before)) : 0;
      turned += turns[i];
      before = here;
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double even = stretches[i].from < guess.largest ? stretches[i].to - stretches[i].from : 0;
      whole[i] += 0.4 * shares[i] / sum + 0.2 * turns[i] / turned + 0.4 * even / reach;
    }
  }
  const double each = std::accumulate(whole.begin(), whole.end(), 0.0) / static_cast<double>(cells);
  std::vector<double> result;
  double due = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const double width = stretches[i].to - stretches[i].from;
    for (; due < whole[i]; due += each) {
      const double knot = stretches[i].from + width * (due / whole[i]);
      if (result.empty() || knot > result.back()) result.push_back(knot);
    }
    due -= whole[i];
  }
  if (stretches.back().to > result.back()) result.push_back(stretches.back().to);
  return result;
}

std::vector<Stretch> outline(const Masses& one, const Masses& other, double last, std::size_t points) {
  const auto coarse = [points](const Masses& law) {
    std::vector<Stretch> result;
    const std::size_t size = law.losses.size(), stride = (size + points - 1) / points;
    for (std::size_t i = 0; i < size; i += stride) {
      double mass = 0;
      for (std::size_t j = i; j < std::min(size, i + stride); ++j) mass += law.masses[j];
      const double middle = law.losses[std::min(size - 1, i + stride / 2)];
      if (mass > 0) result.push_back({middle, middle, std::log(mass)});
    }
    return result;
  };
  std::vector<Stretch> sums;
  const std::vector<Stretch> others = coarse(other);
  for (const Stretch& a : coarse(one)) {
    for (const Stretch& b : others) {
      const double loss = a.from + b.from;
      if (loss < last) sums.push_back({loss, loss, a.log_mass + b.log_mass});
    }
  }
  std::sort(sums.begin(), sums.end(), [](auto& a, auto& b) { return a.from < b.from; });
  std::vector<Stretch> stretches;
  const std::size_t together = 1 + sums.size() / (4 * points);
  double from = one.losses.front() + other.losses.front();
  for (std::size_t i = 0; i < sums.size(); i += together) {
    const std::size_t end = std::min(sums.size(), i + together);
    const double to = end < sums.size() ? sums[end].from : last;
    if (!(to > from)) continue;
    double top = sums[i].log_mass, mass = 0;
    for (std::size_t j = i; j < end; ++j) top = std::max(top, sums[j].log_mass);
    for (std::size_t j = i; j < end; ++j) mass += std::exp(sums[j].log_mass - top);
    stretches.push_back({from, to, top + std::log(mass)});
    from = to;
  }
  return stretches;
}

std::vector<Stretch> outline(const Cells& coarser, double first, double last) {
  std::vector<Stretch> stretches;
  for (std::size_t c = 0; c < coarser.masses.size(); ++c) {
    const double from = stretches.empty() ? first : stretches.back().to;
    const double to = c + 1 < coarser.masses.size() ? std::min(coarser.knots[c + 1], last) : last;
    if (to > from) stretches.push_back({from, to, std::log(std::max(coarser.masses[c], 1e-320))});
  }
  return stretches;
}

}  // namespace epsilometer
