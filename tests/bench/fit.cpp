// Time and memory of a private fit, for fit.mjs: `fit_bench logistic 1000000 50` prints one JSON object.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <random>
#include <string>

#include "core/release/fit_session.h"

using namespace epsilometer;

namespace {

// What the process has asked of the heap and not given back, now and at most.
std::size_t held = 0, most_held = 0;

constexpr std::size_t header = 16;

void* counted(std::size_t size) {
  auto* const block = static_cast<unsigned char*>(std::malloc(size + header));
  if (!block) throw std::bad_alloc();
  *reinterpret_cast<std::size_t*>(block) = size;
  most_held = std::max(most_held, held += size);
  return block + header;
}

FitRequest request(const std::string& task, std::size_t dimension) {
  const auto d = static_cast<double>(dimension);
  std::map<std::string, double> numbers{
      {"dimension", d}, {"featureBound", 1}, {"epsilon", 1}, {"delta", 1e-6}};
  if (task == "linear") {
    numbers["labelBound"] = 1;
    return {"ada-ssp", numbers, {}};
  }
  numbers["intercept"] = 1;
  numbers["whiten"] = 0.15;
  return {"approximate-minima-perturbation", numbers, {{"loss", "logistic"}}};
}

// A label that leans on the first feature; the last feature is the intercept.
void add_rows(FitSession& session, std::size_t rows, std::size_t dimension) {
  std::mt19937 random(1);
  constexpr std::size_t chunk = 1024;
  std::vector<double> features(chunk * dimension), labels(chunk);
  for (std::size_t done = 0; done < rows; done += chunk) {
    const std::size_t count = std::min(chunk, rows - done);
    for (std::size_t i = 0; i < count; ++i) {
      double* const row = &features[i * dimension];
      for (std::size_t j = 0; j + 1 < dimension; ++j)
        row[j] = (static_cast<double>(random()) / 0x1p31 - 1) / std::sqrt(dimension);
      row[dimension - 1] = 1;
      labels[i] = row[0] * std::sqrt(dimension) > static_cast<double>(random()) / 0x1p31 - 1 ? 1 : -1;
    }
    session.add(std::span(features).first(count * dimension), std::span(labels).first(count));
  }
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void operator delete(void* given) noexcept {
  if (!given) return;
  unsigned char* const block = static_cast<unsigned char*>(given) - header;
  held -= *reinterpret_cast<std::size_t*>(block);
  std::free(block);
}
void operator delete(void* given, std::size_t) noexcept { operator delete(given); }

int main(int count, char** words) {
  if (count != 4) return 2;
  const std::size_t rows = std::strtoul(words[2], nullptr, 10),
                    dimension = std::strtoul(words[3], nullptr, 10);
  FitSession session(request(words[1], dimension));
  auto start = std::chrono::steady_clock::now();
  add_rows(session, rows, dimension);
  const double reading = milliseconds_since(start);
  TestRng generator(1);
  start = std::chrono::steady_clock::now();
  session.run(generator, {});
  std::printf("{\"reading\": %.4g, \"fitting\": %.4g, \"megabytes\": %.4g}\n", reading,
              milliseconds_since(start), static_cast<double>(most_held) / 0x1p20);
}
