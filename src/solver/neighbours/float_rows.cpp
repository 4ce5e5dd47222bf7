// Euclidean candidates by products in single precision, with a proven error bound.
//
// Let a and b be a row and a query less the mean of the rows, times a power of two: both steps are exact up to a
// relative error of u = 2^-53 per coordinate, and a shift of all rows changes nothing. Rounding to single precision
// moves each by at most v = 2^-24 times its length, so |b - a|^2 by less than 2.1 v (|a| + |b|)^2. A product of p + 1
// terms in any order, with or without fused steps, is off by at most (p + 1) v / (1 - (p + 1) v) times the sum of the
// sizes of its terms, which is |b||a| + |a|^2 / 2; twice that, with the rounding of |a|^2 / 2 itself, is at most 1.1 (p
// + 3) v (|a| + |b|)^2 for p < 2^20. Numbers below the range of single precision add an absolute error under 2^-120 (p
// + 8)(1 + |a| + |b|). So the squared distance from a product is off by at most
//   E = 1.1 (p + 8) v (|a| + |b|)^2 + 2^-120 (p + 8) (1 + |a| + |b|),
// which leaves room for the rounding of the direct sum in double precision, 2^-29 of it. A row is ruled out if its
// squared distance less E is above tau, the least number that rows filling k places stay under with E added.
// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, sections 3.1 and 3.5.)
#include "base/blas.hpp"
#include "solver/neighbours/brute.hpp"

#include <cmath>

namespace recta::neighbours {
namespace {

constexpr Index kTile = 512; // rows in one block of products
constexpr Index kScan = 32;  // products looked at together

// What the products say about one row: its squared distance lies between these.
struct Candidate {
  double least, most;
  Index row;
};

// The rows that one query cannot rule out yet.
class Candidates {
public:
  Candidates(const Points& points, const Wanted& wanted, Index self, double tau)
      : points_(points), self_(self), k_(wanted.k > 0 ? wanted.k * (points.places.empty() ? 1 : 1 + 1e-9) : kInfinity),
        tau_(tau),
        room_(wanted.k > 0 ? static_cast<std::size_t>(std::min(1e6, 4 * wanted.k + 128)) : at(points.rows) + 1) {}

  double tau() const { return tau_; }
  bool overflowed() const { return overflowed_; }
  void add(const Candidate& one) {
    if (one.row == self_) return;
    list_.push_back(one);
    if (list_.size() >= room_) shrink();
  }
  // Lowers tau to what the candidates allow, and drops those that it rules out. If too many are left, the query is
  // compared directly.
  void shrink() {
    if (k_ < kInfinity) lower_tau();
    std::erase_if(list_, [this](const Candidate& one) { return one.least > tau_; });
    overflowed_ = 2 * list_.size() > room_ && k_ < kInfinity;
  }
  std::span<const Candidate> list() const { return list_; }

private:
  void lower_tau() {
    if (points_.places.empty()) {
      const auto k = static_cast<std::size_t>(k_);
      if (list_.size() < k) return;
      std::ranges::nth_element(list_, list_.begin() + static_cast<std::ptrdiff_t>(k) - 1, {}, &Candidate::most);
      tau_ = std::min(tau_, list_[k - 1].most);
      return;
    }
    std::ranges::sort(list_, {}, &Candidate::most);
    double places = 0;
    for (const Candidate& one : list_)
      if ((places += points_.places_of(one.row)) >= k_) {
        tau_ = std::min(tau_, one.most);
        return;
      }
  }

  const Points& points_;
  Index self_;
  double k_, tau_;
  std::size_t room_;
  bool overflowed_ = false;
  std::vector<Candidate> list_;
};

double error_bound(Index p, double a, double b) {
  const double terms = static_cast<double>(p + 8), length = a + b;
  return 1.1 * terms * 0x1p-24 * length * length + 0x1p-120 * terms * (1 + length);
}

bool any_from(const float* s, float least) {
  int above = 0;
  for (Index i = 0; i < kScan; ++i) above |= s[i] >= least ? 1 : 0;
  return above != 0;
}

// Adds the rows of a range that their products do not rule out; those of the next range lie behind `products`.
void scan(RowRange rows, const float* products, double length, double error, Candidates& out) {
  const auto least_product = [&] { // of a row that stays: (|b|^2 - tau - E) / 2, rounded down
    const double exact = (length * length - out.tau() - error) / 2;
    return std::nextafter(static_cast<float>(std::clamp(exact, -1e30, 1e30)), -std::numeric_limits<float>::infinity());
  };
  const Index count = rows.last - rows.first;
  float least = least_product();
  for (Index i = 0; i < count; i += kScan) {
    if (i + kScan <= count && !any_from(products + i, least)) continue;
    for (Index l = i; l < std::min(count, i + kScan); ++l) {
      if (!(products[l] >= least)) continue;
      const double squared = length * length - 2 * static_cast<double>(products[l]);
      out.add({squared - error, squared + error, rows.first + l});
      least = least_product();
    }
  }
}

} // namespace

struct FloatRows::Query {
  double length = 0; // |b|; infinite: beyond single precision
};

FloatRows::FloatRows(const Points& points, Pool& pool) : cols_(points.cols), centre_(at(points.cols)) {
  const Index n = points.rows, p = cols_;
  if (p >= Index{1} << 20 || n == 0) return;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < p; ++j) centre_[at(j)] += points.row(i)[j] / static_cast<double>(n);
  double largest = 0;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < p; ++j) largest = std::max(largest, std::fabs(points.row(i)[j] - centre_[at(j)]));
  if (!std::isfinite(largest)) return;
  scale_ = largest > 0 ? std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000)) : 1;
  rows_.resize(at(n * (p + 1)));
  longest_.resize(at((n + kTile - 1) / kTile));
  pool.run(static_cast<Index>(longest_.size()), [&](Index tile, int) {
    for (Index i = tile * kTile; i < std::min(n, (tile + 1) * kTile); ++i) {
      float* out = rows_.data() + i * (p + 1);
      const double length = mapped(points.row(i), out).length;
      out[p] = static_cast<float>(-length * length / 2);
      longest_[at(tile)] = std::max(longest_[at(tile)], length);
    }
  });
  usable_ = true;
}

// The query in the units of the rows, with a 1 behind it.
FloatRows::Query FloatRows::mapped(const double* query, float* out) const {
  double largest = 0;
  for (Index j = 0; j < cols_; ++j) {
    const double moved = (query[j] - centre_[at(j)]) * scale_;
    largest = std::max(largest, std::fabs(moved));
    out[j] = static_cast<float>(moved);
  }
  out[cols_] = 1;
  if (!(largest < 0x1p40)) return {kInfinity};
  return {
      std::sqrt(lane_sum(cols_, [=](Index j) { return static_cast<double>(out[j]) * static_cast<double>(out[j]); }))};
}

void FloatRows::compare(const Measure& measure, const Points& points, RowRange rows, const double* queries,
                        std::span<Nearest> nearest, const Wanted& wanted) const {
  const Index count = static_cast<Index>(nearest.size()), width = cols_ + 1;
  std::vector<float> block(at(count * width)), products(at(count * kTile + kScan));
  std::vector<double> length(at(count));
  std::vector<Candidates> candidates;
  for (Index q = 0; q < count; ++q) {
    length[at(q)] = mapped(queries + q * cols_, block.data() + q * width).length;
    const double radius = wanted.radius * scale_;
    candidates.emplace_back(points, wanted, nearest[at(q)].self(), radius * radius * kSlack);
    if (std::isinf(length[at(q)])) std::fill_n(block.data() + q * width, width, 0.0F);
  }
  for (Index first = rows.first; first < rows.last;) {
    const Index tile = first / kTile, last = std::min(rows.last, (tile + 1) * kTile);
    blas::gemm(blas::transposed({rows_.data() + first * width, width, last - first}), {block.data(), width, count},
               {products.data(), last - first, count, kTile});
    for (Index q = 0; q < count; ++q)
      if (!candidates[at(q)].overflowed() && !std::isinf(length[at(q)]))
        scan({first, last}, products.data() + q * kTile, length[at(q)],
             error_bound(cols_, longest_[at(tile)], length[at(q)]), candidates[at(q)]);
    first = last;
  }
  for (Index q = 0; q < count; ++q) {
    Candidates& left = candidates[at(q)];
    left.shrink();
    if (left.overflowed() || std::isinf(length[at(q)])) {
      compare_directly(measure, points, rows, queries + q * cols_, nearest.subspan(at(q), 1));
      continue;
    }
    for (const Candidate& one : left.list())
      nearest[at(q)].offer(measured(Euclidean{}, queries + q * cols_, points.row(one.row), cols_), one.row);
  }
}

} // namespace recta::neighbours
