#include "certificate/separability/certify.hpp"

#include "certificate/separability/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace recta::separation {
namespace {

// Operations on words that whole numbers may take: a tenth of a second, and two seconds where nothing else would do.
constexpr double kSmall = 3e7, kLarge = 6e8;

std::vector<Multiplier> as_claimed(const SeparationClaim& claim) {
  std::vector<Multiplier> out;
  for (std::size_t i = 0; i < claim.rows.size(); ++i) out.push_back({claim.rows[i] + 1, claim.multipliers[i], {}});
  return out;
}

// Multipliers as fractions, of the rows claimed or of the others that may cancel exactly; nothing: neither has any.
std::optional<std::vector<Multiplier>> exact_zero(const SeparationClaim& claim, const Points& points,
                                                  const LabelledRows& rows, double most_work) {
  auto multipliers = prove_zero(claim, points, rows, most_work);
  if (multipliers || claim.general.empty() || most_work < kLarge) return multipliers;
  SeparationClaim other;
  other.rows = claim.general;
  return prove_zero(other, points, rows, kLarge);
}

// If no hyperplane has all rows on their sides, there may be one with some rows on it, or only those through all rows.
Result<void> tell_weak_sides(const SeparationClaim& claim, const Points& points, const LabelledRows& rows,
                             const Watch& watch, Separability& out) {
  if (!claim.on.empty()) {
    auto through = prove_except(claim, points, rows, kLarge, watch);
    if (!through) return std::unexpected(through.error());
    if (*through) {
      out.verdict = Separation::except;
      out.weights = (*through)->hyperplane.w;
      out.b = (*through)->hyperplane.b;
      out.rounded = (*through)->rounded;
      for (const Index row : claim.on) out.on_hyperplane.push_back(row + 1);
      return {};
    }
  }
  auto layers = claim.layers;
  if (layers.empty()) {
    auto& only = layers.emplace_back();
    for (const Multiplier& m : out.multipliers) only.push_back(m.row - 1);
  }
  const auto overlap = prove_overlap(layers, points, rows, kSmall, watch);
  if (!overlap) return std::unexpected(overlap.error());
  out.overlap = *overlap;
  return {};
}

Result<Separability> not_separable(const SeparationClaim& claim, const Points& points, const LabelledRows& rows,
                                   const Watch& watch) {
  Separability out;
  out.verdict = Separation::not_separable;
  out.multipliers = as_claimed(claim);
  // The rows are as many as the equations, all with multipliers above zero: they span all.
  out.proved = out.overlap = surrounds_origin(claim, points, rows);
  if (auto multipliers = exact_zero(claim, points, rows, out.proved ? kSmall : kLarge)) {
    out.exact = out.proved = true;
    out.multipliers = *std::move(multipliers);
    if (out.overlap) return out;
    if (auto told = tell_weak_sides(claim, points, rows, watch, out); !told) return std::unexpected(told.error());
  }
  if (out.proved) return out;
  out.verdict = Separation::undecided;
  out.margin_lower = -std::numeric_limits<double>::infinity(); // no hyperplane was claimed
  out.margin_upper = longest_margin(claim, points, rows);
  return out;
}

// y (<w, x> + b) = 1 in the nearest row; unscaled if that would be beyond the doubles.
double scale_of(const Sides& sides) {
  constexpr double kFar = 0x1p1000;
  if (!(sides.nearest > 1 / kFar)) return 1;
  return sides.length / sides.nearest < kFar && std::abs(sides.hyperplane.b) / sides.nearest < kFar ? 1 / sides.nearest
                                                                                                    : 1;
}

Result<Separability> by_bounds(const SeparationClaim& claim, const Points& points, const LabelledRows& rows,
                               const Watch& watch) {
  Separability out;
  Sides best;
  for (std::size_t h = 0; h < claim.hyperplanes.size(); ++h) {
    if (h > 0 && best.nearest > 0) break;
    auto sides = sides_of(claim.hyperplanes[h], rows, watch);
    if (!sides) return std::unexpected(sides.error());
    if (h == 0 || sides->margin() > best.margin()) best = *std::move(sides);
  }
  out.margin_lower = best.margin();
  out.margin_upper = std::max(longest_margin(claim, points, rows), out.margin_lower);
  out.proved = best.nearest > 0;
  out.verdict = out.proved ? Separation::separable : Separation::undecided;
  out.multipliers = as_claimed(claim);
  const double scale = scale_of(best);
  for (const double w : best.hyperplane.w) out.weights.push_back(w * scale);
  out.b = best.hyperplane.b * scale;
  return out;
}

} // namespace

Result<Separability> certify(const SeparationClaim& claim, const LabelledRows& rows, const Watch& watch) {
  std::vector<Index> rows_needed = claim.rows;
  rows_needed.insert(rows_needed.end(), claim.forced_by.begin(), claim.forced_by.end());
  rows_needed.insert(rows_needed.end(), claim.general.begin(), claim.general.end());
  rows_needed.insert(rows_needed.end(), claim.beyond.begin(), claim.beyond.end());
  for (const auto& layer : claim.layers) rows_needed.insert(rows_needed.end(), layer.begin(), layer.end());
  const auto points = points_of(rows, rows_needed, watch);
  if (!points) return std::unexpected(points.error());
  const auto finished = [&](Result<Separability> out) {
    if (out && claim.zero) out->residual = relative_residual(out->multipliers, *points);
    return out;
  };
  if (claim.zero) return finished(not_separable(claim, *points, rows, watch));
  auto exact = prove_widest(claim, *points, rows, kSmall, watch);
  if (!exact) return std::unexpected(exact.error());
  if (*exact) {
    const auto as_printed = holds_as_doubles({(*exact)->weights, (*exact)->b}, {}, rows, watch);
    if (!as_printed) return std::unexpected(as_printed.error());
    (*exact)->rounded = !*as_printed;
    return finished(*std::move(*exact));
  }
  return finished(by_bounds(claim, *points, rows, watch));
}

} // namespace recta::separation
