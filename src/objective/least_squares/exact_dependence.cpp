#include "objective/least_squares/exact_dependence.hpp"

#include "base/double_double.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

constexpr double kMostTimes = 0x1p40, kMostFactor = 0x1p52;

struct Fraction {
  double over = 0, under = 1;
};

// The first convergent of the continued fraction of x that is within the tolerance. No fraction with a smaller
// denominator is nearer.
std::optional<Fraction> fraction_near(double x, double tolerance) {
  Fraction before{1, 0}, now{std::floor(x), 1};
  double rest = x - std::floor(x);
  while (!(std::abs(x - now.over / now.under) <= tolerance)) {
    if (!(rest > 0)) return std::nullopt;
    const double inverse = 1 / rest, whole = std::floor(inverse);
    const Fraction next{whole * now.over + before.over, whole * now.under + before.under};
    if (!(next.under <= kMostTimes) || !(std::abs(next.over) <= kMostFactor)) return std::nullopt;
    before = now;
    now = next;
    rest = inverse - whole;
  }
  if (!(std::abs(now.over) <= kMostFactor)) return std::nullopt;
  return now;
}

std::optional<Combination> guess(const DroppedColumn& d, const std::vector<double>& spread, double tolerance) {
  if (d.factors.empty()) return std::nullopt;
  std::vector<Fraction> fractions(d.factors.size());
  std::int64_t times = 1;
  for (std::size_t j = 0; j < fractions.size(); ++j) {
    const double share = spread[j] > 0 ? spread[static_cast<std::size_t>(d.column)] / spread[j] : 0;
    if (std::abs(d.factors[j]) <= tolerance * share || share == 0) continue;
    const auto fraction = fraction_near(d.factors[j], tolerance * share);
    if (!fraction) return std::nullopt;
    fractions[j] = *fraction;
    const auto under = static_cast<std::int64_t>(fraction->under);
    const std::int64_t more = under / std::gcd(times, under);
    if (static_cast<double>(times) * static_cast<double>(more) > kMostTimes) return std::nullopt;
    times *= more;
  }
  Combination out{d.column, static_cast<double>(times), {}};
  for (std::size_t j = 0; j < fractions.size(); ++j) {
    const double factor = fractions[j].over * (out.times / fractions[j].under);
    if (std::abs(factor) > kMostFactor) return std::nullopt;
    if (factor != 0) out.terms.emplace_back(static_cast<Index>(j), factor);
  }
  return out;
}

std::string term(double factor, const std::string& name) {
  return std::abs(factor) == 1 ? name : fmt::format("{} {}", std::abs(factor), name);
}

} // namespace

std::vector<Combination> guesses(const DroppedColumn& dropped, const std::vector<double>& spread) {
  std::vector<Combination> out;
  for (const double tolerance : {1e-9, 1e-6, 1e-12}) {
    auto one = guess(dropped, spread, tolerance);
    if (!one) continue;
    const auto same = [&](const Combination& c) { return c.times == one->times && c.terms == one->terms; };
    if (std::ranges::none_of(out, same)) out.push_back(*std::move(one));
  }
  return out;
}

std::string equation_text(const Combination& c, double constant, const std::function<std::string(Index)>& name) {
  std::string line = term(c.times, name(c.column)) + " =";
  for (const auto& [j, factor] : c.terms) {
    const bool first = line.ends_with('=');
    line += (first ? (factor < 0 ? " -" : " ") : (factor < 0 ? " - " : " + ")) + term(factor, name(j));
  }
  if (constant != 0 || c.terms.empty()) {
    const bool first = line.ends_with('=');
    line += fmt::format("{}{:.6g}", first ? (constant < 0 ? " -" : " ") : (constant < 0 ? " - " : " + "),
                        std::abs(constant));
  }
  return line;
}

// Grow-expansion with elimination of zeros (Shewchuk 1997, Theorem 10).
void Expansion::add(double x) {
  if (!std::isfinite(x)) lost_ = true;
  if (lost_) return;
  std::size_t kept = 0;
  double carry = x;
  for (const double part : parts_) {
    const DoubleDouble sum = two_sum(carry, part);
    carry = sum.hi;
    if (sum.lo != 0) parts_[kept++] = sum.lo;
  }
  parts_.resize(kept);
  if (carry != 0) parts_.push_back(carry);
  if (!std::isfinite(carry)) lost_ = true;
}

void Expansion::add_product(double a, double b) {
  if (a == 0 || b == 0) return;
  const DoubleDouble product = two_prod(a, b);
  // Below this size the low part may not be a double.
  if (!(std::abs(product.hi) >= 0x1p-900) || !std::isfinite(product.hi)) lost_ = true;
  add(product.lo);
  add(product.hi);
}

bool Expansion::difference_is_zero(const Expansion& other) const {
  Expansion rest = *this;
  for (const double part : other.parts_) rest.add(-part);
  return !rest.lost_ && rest.parts_.empty();
}

double Expansion::rounded() const {
  double sum = 0;
  for (const double part : parts_) sum += part;
  return sum;
}

Expansion Expansion::of(std::vector<double> parts, bool lost) {
  Expansion out;
  out.parts_ = std::move(parts);
  out.lost_ = lost;
  return out;
}

ExactDependence::ExactDependence(std::shared_ptr<const std::vector<Combination>> combinations, bool allowed)
    : claims(std::move(combinations)), constant_allowed(allowed), holds(claims->size(), 1), constant(claims->size()) {}

void ExactDependence::compare(std::size_t at, const Expansion& sum) {
  if (!constant_allowed) holds[at] = sum == Expansion();
  if (!holds[at] || !constant_allowed) return;
  if (!constant[at]) constant[at] = sum;
  holds[at] = *constant[at] == sum;
}

void ExactDependence::accumulate(const Batch& batch) {
  std::vector<double> low, row(static_cast<std::size_t>(batch.cols()));
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  if (dense != nullptr && dense->low != nullptr) low.resize(row.size());
  for (const Index i : present_rows(batch)) {
    const SparseRow part = dense == nullptr ? sparse_row(std::get<SparseView>(batch.x), i) : SparseRow{};
    for (Index s = 0; s < part.count; ++s) {
      double& number = row[static_cast<std::size_t>(part.column(s))];
      if (number != 0) std::ranges::fill(holds, 0); // stored twice: their sum may be rounded
      number = part.value[s];
    }
    const auto add = [&](Expansion& sum, double factor, Index j) {
      sum.add_product(factor, dense == nullptr ? row[static_cast<std::size_t>(j)] : element(*dense, i, j));
      if (!low.empty()) sum.add_product(factor, element_low(*dense, i, j));
    };
    for (std::size_t at = 0; at < holds.size(); ++at) {
      if (!holds[at]) continue;
      const Combination& combination = (*claims)[at];
      Expansion sum;
      add(sum, combination.times, combination.column);
      for (const auto& [j, factor] : combination.terms) add(sum, -factor, j);
      compare(at, sum);
    }
    for (Index s = 0; s < part.count; ++s) row[static_cast<std::size_t>(part.column(s))] = 0;
  }
}

void ExactDependence::merge(const ExactDependence& other) {
  for (std::size_t at = 0; at < holds.size(); ++at) {
    holds[at] = holds[at] && other.holds[at];
    if (holds[at] && other.constant[at]) compare(at, *other.constant[at]);
  }
}

std::string ExactDependence::to_bytes() const {
  StateWriter out("depe");
  out.put(static_cast<Index>(constant_allowed));
  out.put(static_cast<Index>(holds.size()));
  for (std::size_t at = 0; at < holds.size(); ++at) {
    const bool known = constant[at].has_value();
    out.put(static_cast<Index>(holds[at]));
    out.put(static_cast<Index>(known ? 1 + constant[at]->parts().size() : 0));
    if (known) out.put(constant[at]->parts());
  }
  return out.take();
}

Result<ExactDependence> ExactDependence::from_bytes(std::string_view bytes) {
  StateReader in("depe", bytes);
  ExactDependence state;
  state.constant_allowed = in.index() != 0;
  const Index count = in.index();
  in.require(count >= 0 && count <= static_cast<Index>(bytes.size() / 16));
  for (Index at = 0; in.good() && at < count; ++at) {
    state.holds.push_back(static_cast<char>(in.index() != 0));
    const Index parts = in.index();
    in.require(parts >= 0);
    state.constant.emplace_back();
    if (in.good() && parts > 0) state.constant.back() = Expansion::of(in.numbers(parts - 1), false);
  }
  if (!in.done()) return damaged_state("exact dependences");
  return state;
}

} // namespace recta
