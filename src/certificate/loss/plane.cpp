#include "certificate/loss/plane.hpp"

#include "base/double_double.hpp"
#include "stats/pass.hpp"
#include "stats/present_block.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr std::size_t kMultiples = 12;
constexpr double kBits = 0x1p12;

using Directions = std::vector<std::vector<double>>;

Directions tried(const std::vector<double>& direction, bool as_it_is) {
  Directions all{direction};
  if (as_it_is) return all;
  std::vector<double> sizes;
  for (const double q : direction)
    if (q != 0 && std::isfinite(q)) sizes.push_back(std::abs(q));
  std::ranges::sort(sizes, std::greater<>{});
  for (std::size_t k = 0; k < std::min(sizes.size(), kMultiples); ++k) {
    std::vector<double> rounded;
    for (const double q : direction) rounded.push_back(std::round(q / sizes[k] * kBits) / kBits);
    if (std::ranges::find(all, rounded) == all.end()) all.push_back(std::move(rounded));
  }
  return all;
}

bool few_bits(double x) {
  return std::abs(x) < 0x1p30 && x * 0x1p20 == std::round(x * 0x1p20);
}

// The number of rows on each side, for each direction.
struct PlaneSides : Saved<PlaneSides> {
  std::shared_ptr<const Directions> directions;
  Index rows = 0;
  std::vector<Index> above, on, below, rough; // rough: zeros that may be none

  explicit PlaneSides(std::shared_ptr<const Directions> all = nullptr) : directions(std::move(all)) {
    const std::size_t k = directions ? directions->size() : 0;
    for (auto* each : {&above, &on, &below, &rough}) each->assign(k, 0);
  }

  void accumulate(const Batch& batch) {
    PresentBlock block;
    block.take(batch, 0);
    for (Index i = 0; i < block.rows(); ++i)
      for (std::size_t k = 0; k < directions->size(); ++k) {
        const PlaneMargin margin = margin_of(block.x(), i, (*directions)[k]);
        const double side = block.y[static_cast<std::size_t>(i)] * margin.sum;
        const bool zero = margin.zero();
        rough[k] += zero && (!margin.few_bits || side != 0) ? 1 : 0;
        (zero ? on : side > 0 ? above : below)[k] += 1;
      }
    rows += block.rows();
  }
  bool finite() const { return true; }
  void merge(const PlaneSides& other) {
    rows += other.rows;
    for (std::size_t k = 0; k < above.size(); ++k) {
      above[k] += other.above[k];
      on[k] += other.on[k];
      below[k] += other.below[k];
      rough[k] += other.rough[k];
    }
  }
  static constexpr std::string_view kTag = "side", kName = "sides of a plane";
  static void fields(auto& s, auto& io) {
    io(s.rows);
    io.each(io.size(s.above), s.above, s.on, s.below, s.rough);
  }
};

} // namespace

bool PlaneMargin::zero() const {
  return std::abs(sum) <= 0x1p-96 * size;
}

PlaneMargin margin_of(const std::variant<MatrixView, SparseView>& x, Index i, const std::vector<double>& q) {
  DoubleDouble sum = q.back();
  PlaneMargin out{.size = std::abs(q.back()), .few_bits = few_bits(q.back())};
  const auto add = [&](Index j, double value, double low) {
    const DoubleDouble term = two_prod(value, q[j]) + DoubleDouble(low * q[j]);
    sum += term;
    out.size += std::abs(term.hi);
    out.few_bits = out.few_bits && (q[j] == 0 || (low == 0 && few_bits(value) && few_bits(q[j])));
  };
  if (const auto* dense = std::get_if<MatrixView>(&x)) {
    for (Index j = 0; j < dense->cols; ++j) add(j, element(*dense, i, j), element_low(*dense, i, j));
  } else {
    const SparseRow row = sparse_row(std::get<SparseView>(x), i);
    for (Index s = 0; s < row.count; ++s) add(row.column(s), row.value[s], 0);
  }
  out.sum = sum.hi;
  return out;
}

Result<SeparatingPlane> find_plane(const std::vector<double>& direction, bool as_it_is, RowSource& rows, Pool& pool,
                                   const Watch& watch) {
  const auto all = std::make_shared<const Directions>(tried(direction, as_it_is));
  const auto sides = fresh_pass(rows, PlaneSides(all), pool, watch, {.stage = "certifying"});
  if (!sides) return std::unexpected(sides.error());
  SeparatingPlane best;
  best.passes = 1;
  best.rows = sides->rows;
  for (std::size_t k = 0; k < all->size(); ++k) {
    if (sides->below[k] > 0 || sides->above[k] == 0) continue;
    const bool exact = sides->rough[k] == 0;
    // Fewest rows on the plane, and of those one whose zeros are certain.
    if (best.found && std::pair(sides->on[k], !exact) >= std::pair(best.on_plane, !best.exact)) continue;
    best.found = true;
    best.exact = exact;
    best.direction = (*all)[k];
    best.on_plane = sides->on[k];
    best.apart = sides->above[k];
  }
  return best;
}

} // namespace recta
