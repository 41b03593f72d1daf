#include "core/numerics/row_products.h"

#include <algorithm>
#include <cstring>

#include "core/numerics/pair.h"

namespace epsilometer {
namespace {

// Of the triangle so many rows and columns are summed at once, in registers.
constexpr std::size_t tile_side = 4;

}  // namespace

RowProducts::RowProducts(std::size_t width)
    : width_(width), stride_((width + tile_side - 1) / tile_side * tile_side), rows_(most * stride_) {}

std::span<double> RowProducts::next() { return std::span(rows_).subspan(count_++ * stride_, width_); }

void RowProducts::add_to(std::span<double> sums) const {
  for (std::size_t top = 0; top < width_; top += tile_side)
    for (std::size_t left = 0; left <= top; left += tile_side) {
      // All are named, because compilers do not find them. Pairs are multiplied as they are and turned, which
      // takes fewer steps than each number by itself.
      Pair a{}, b{}, c{}, d{}, e{}, f{}, g{}, h{};
      for (std::size_t k = 0; k < count_; ++k) {
        const double *const z = &rows_[k * stride_ + top], *const other = &rows_[k * stride_ + left];
        const Pair upper = pair_at(z), lower = pair_at(z + 2), first = pair_at(other),
                   second = pair_at(other + 2);
        a += upper * first, b += upper * second, c += upper * turned(first), d += upper * turned(second);
        e += lower * first, f += lower * second, g += lower * turned(first), h += lower * turned(second);
      }
      const Pair tile[tile_side][tile_side / 2] = {{Pair{a[0], c[0]}, Pair{b[0], d[0]}},
                                                   {Pair{c[1], a[1]}, Pair{d[1], b[1]}},
                                                   {Pair{e[0], g[0]}, Pair{f[0], h[0]}},
                                                   {Pair{g[1], e[1]}, Pair{h[1], f[1]}}};
      // Most are in the triangle as a whole.
      if (left < top && top + tile_side <= width_) {
        double* place = &sums[top * (top + 1) / 2 + left];
        for (std::size_t row = top; row < top + tile_side; place += ++row)
          for (std::size_t k = 0; k < tile_side; k += 2) {
            const Pair sum = pair_at(place + k) + tile[row - top][k / 2];
            std::memcpy(place + k, &sum, sizeof sum);
          }
        continue;
      }
      for (std::size_t row = top; row < std::min(top + tile_side, width_); ++row) {
        double* const place = &sums[row * (row + 1) / 2 + left];
        const std::size_t columns = std::min(tile_side, row + 1 - left);
        for (std::size_t k = 0; k < columns; ++k) place[k] += tile[row - top][k / 2][k % 2];
      }
    }
}

}  // namespace epsilometer
