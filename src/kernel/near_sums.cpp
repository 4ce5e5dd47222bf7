#include "kernel/near_sums.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"
#include "kernel/float_points.hpp"

#include <algorithm>
#include <span>

namespace recta::kernel {
namespace {

constexpr Index kLeastCols = 128;
constexpr Index kColsTogether = 128; // of one product of floats; those of all columns are added up as doubles
constexpr Index kPointsOfRun = 192, kRowsOfRun = 64;
static_assert(kExpansionBlock % kPointsOfRun == 0 && kPointsOfRun % simd::kFloatLanes == 0);

// What is below the smallest float is lost; lengths from `kLeast` up have room for it in their bounds.
constexpr double kLeast = 1e-15, kMost = 1e15;

// A product of rows rounded to floats, sixteen side by side: two roundings of the numbers and one for every term of a
// run of columns. A double's bound has two for every column and four more.
double unit_of(Index cols) {
  return 0x1p-24 * static_cast<double>(std::min(cols, kColsTogether) + 4) / static_cast<double>(2 * cols + 4);
}

} // namespace

NearSums::NearSums(const Kernel& kernel, const Points& points, std::span<const double> beta, Pool& pool)
    : kernel_(kernel), points_(points), beta_(beta), panels_(float_panels(points, pool)) {
  for (const double one : beta) mass_ += std::abs(one);
}

bool NearSums::suited(const Kernel& kernel, const Points& points) {
  return !points.of_texts() && !points.sparse() && !kernel.by_terms() && !kernel.by_place() &&
         points.cols() >= kLeastCols && points.longest() >= kLeast && points.longest() <= kMost;
}

// Of the rows x and the points first .. first + count - 1: row r's from out + r kExpansionBlock on.
void NearSums::products(Index first, Index count, const float* x, Index rows, double* out) const {
  const Index cols = points_.cols(), lanes = simd::kFloatLanes;
  float run[kRowsOfRun * kPointsOfRun]; // a panel may reach beyond the last point
  for (Index j = 0; j < cols; j += kColsTogether) {
    const simd::FloatPanels panels{panels_.data() + first * cols + j * lanes, lanes * cols,
                                   (count + lanes - 1) / lanes};
    simd::kernels().many_float_panel_products({x + j, rows, std::min(kColsTogether, cols - j), cols}, panels,
                                              {run, kPointsOfRun});
    for (Index r = 0; r < rows; ++r)
      for (Index i = 0; i < count; ++i) {
        double& sum = out[r * kExpansionBlock + i];
        sum = (j == 0 ? 0 : sum) + static_cast<double>(run[r * kPointsOfRun + i]);
      }
  }
}

std::vector<Expansion> NearSums::expansions(const Queries& queries) const {
  const Index rows = queries.count(), cols = points_.cols(), count = points_.count();
  std::vector<float> x(queries.numbers().size()); // zeros where floats may not hold the row
  for (Index r = 0; r < rows; ++r)
    if (queries.lengths()[at(r)] <= kMost)
      std::ranges::transform(std::span(queries.numbers()).subspan(at(r * cols), at(cols)), x.begin() + r * cols,
                             [](double number) { return static_cast<float>(number); });
  std::vector<double> tile(at(rows * kExpansionBlock)), sum(at(rows)), size(at(rows));
  std::vector<Expanding> sums(at(rows));
  for (Index first = 0; first < count; first += kExpansionBlock) {
    const Index last = std::min(count, first + kExpansionBlock);
    for (Index from = first; from < last; from += kPointsOfRun)
      for (Index r = 0; r < rows; r += kRowsOfRun)
        products(from, std::min(kPointsOfRun, last - from), x.data() + r * cols, std::min(kRowsOfRun, rows - r),
                 tile.data() + r * kExpansionBlock + from - first);
    for (Index r = 0; r < rows; ++r)
      kernel_.values({queries.squares()[at(r)], points_.squares().data() + first, last - first,
                      tile.data() + r * kExpansionBlock});
    simd::kernels().term_sums({tile.data(), rows, last - first, kExpansionBlock}, beta_.data() + first, sum.data(),
                              size.data());
    for (Index r = 0; r < rows; ++r) sums[at(r)].add_block(sum[at(r)], size[at(r)]);
  }
  std::vector<Expansion> out;
  for (Index r = 0; r < rows; ++r) {
    Expansion one = sums[at(r)].taken();
    const double length = queries.lengths()[at(r)];
    const Lengths lengths{cols, std::max(length, kLeast), points_.longest(), unit_of(cols)};
    one.error += length > kMost ? kInfinity
                                : error_of_values(one, mass_, kernel_.error(lengths), kernel_.relative_error(lengths));
    out.push_back(one);
  }
  return out;
}

} // namespace recta::kernel
