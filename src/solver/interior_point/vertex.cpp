// Candidates are offered in the order of h, smallest first; each is taken if it does not depend on those taken before,
// which elimination in double-double finds along the way. The remaining triangle is solved backwards.
#include "solver/interior_point/vertex.hpp"

#include "base/double_double.hpp"
#include "stats/pass.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace recta {
namespace {

struct Candidate {
  double h = 0;
  Index row = -1; // -1: the column's own
  Index column = 0;
  double shift = 0;
  std::vector<DoubleDouble> x; // of the columns in use
  double y = 0;                // minus offset and shift
};

// Copies the requested rows.
struct Picked {
  const std::vector<Candidate>* asked = nullptr; // by row
  const std::vector<Index>* columns = nullptr;
  std::vector<Candidate> found;

  void accumulate(const Batch& batch) {
    const auto* dense = std::get_if<MatrixView>(&batch.x);
    const auto from = std::ranges::lower_bound(*asked, batch.first_row, {}, &Candidate::row);
    for (auto one = from; one != asked->end() && one->row < batch.first_row + batch.rows(); ++one) {
      const Index i = one->row - batch.first_row;
      Candidate& to = found.emplace_back(*one);
      to.x.assign(columns->size(), DoubleDouble(0.0));
      if (dense) {
        for (std::size_t c = 0; c < columns->size(); ++c) {
          const Index j = (*columns)[c];
          to.x[c] = DoubleDouble(element(*dense, i, j), element_low(*dense, i, j));
        }
      } else {
        const SparseRow row = sparse_row(std::get<SparseView>(batch.x), i);
        for (Index s = 0; s < row.count; ++s) {
          const auto at = std::ranges::lower_bound(*columns, row.column(s));
          if (at != columns->end() && *at == row.column(s)) to.x[at - columns->begin()] = row.value[s];
        }
      }
      to.y = element(batch.target, i, 0) - (batch.offset.empty() ? 0 : batch.offset[i]) - to.shift;
    }
  }
  bool finite() const { return true; }
  void merge(const Picked& other) { found.insert(found.end(), other.found.begin(), other.found.end()); }
  std::string to_bytes() const { return {}; }
  static Result<Picked> from_bytes(std::string_view) { return damaged_state("rows of a vertex"); }
};

class Elimination {
public:
  explicit Elimination(std::size_t size) : size_(size) {}
  bool full() const { return rows_.size() == size_; }

  // Whether the equation was independent of those before.
  bool offer(const std::vector<DoubleDouble>& equation) {
    std::vector<DoubleDouble> row = equation;
    double before = 0, after = 0;
    for (std::size_t c = 0; c < size_; ++c) before = std::max(before, std::abs(row[c].hi));
    for (std::size_t k = 0; k < rows_.size(); ++k) {
      const DoubleDouble factor = row[pivots_[k]] / rows_[k][pivots_[k]];
      for (std::size_t c = 0; c <= size_; ++c) row[c] -= factor * rows_[k][c];
      row[pivots_[k]] = 0.0;
    }
    std::size_t pivot = 0;
    for (std::size_t c = 0; c < size_; ++c)
      if (std::abs(row[c].hi) > after) after = std::abs(row[c].hi), pivot = c;
    if (!(after > 1e-9 * before)) return false;
    rows_.push_back(std::move(row));
    pivots_.push_back(pivot);
    return true;
  }
  std::vector<double> solve() const {
    std::vector<DoubleDouble> x(size_);
    for (std::size_t k = rows_.size(); k-- > 0;) {
      DoubleDouble rest = rows_[k][size_];
      for (std::size_t c = 0; c < size_; ++c)
        if (c != pivots_[k]) rest -= rows_[k][c] * x[c];
      x[pivots_[k]] = rest / rows_[k][pivots_[k]];
    }
    std::vector<double> out;
    for (const DoubleDouble& each : x) out.push_back(each.hi);
    return out;
  }

private:
  std::size_t size_;
  std::vector<std::vector<DoubleDouble>> rows_; // row k is zero at the pivots of those before it
  std::vector<std::size_t> pivots_;
};

std::vector<Candidate> nearest_rows(const PieceMemory& memory, std::size_t count) {
  std::vector<Candidate> all;
  for (std::size_t i = 0; i < memory.rest.size(); ++i)
    for (std::size_t k = 0; k < memory.pieces.size(); ++k) {
      const loss::Piece& piece = memory.pieces[k];
      const PieceState& s = memory.states[k][i];
      if (s.plus == 0 && s.minus == 0) continue; // a row without weight
      const PieceSystem at(s, {piece.low, piece.high}, memory.rest[i] - piece.shift);
      all.push_back({std::isfinite(at.h) ? at.h : 1e300, static_cast<Index>(i), 0, piece.shift, {}, 0});
    }
  const auto order = [](const Candidate& a, const Candidate& b) {
    return std::pair(a.h, a.row) < std::pair(b.h, b.row);
  };
  count = std::min(count, all.size());
  std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count), order);
  all.resize(count);
  return all;
}

// Powers of two, so that scaling is exact, that bring the columns of the candidates to sizes near 1: the remainder of
// an equation is then compared with its original size, whatever the units of its columns.
std::vector<double> units(const std::vector<Candidate>& all, std::size_t cols) {
  std::vector<double> out(cols, 0.0);
  for (const Candidate& one : all)
    for (std::size_t c = 0; one.row >= 0 && c < cols; ++c) out[c] = std::max(out[c], std::abs(one.x[c].hi));
  for (double& unit : out) unit = unit > 0x1p-1000 && unit < 0x1p1000 ? std::ldexp(1.0, -std::ilogb(unit)) : 1;
  return out;
}

} // namespace

Result<std::optional<Vertex>> find_vertex(const VertexRows& wanted, const PieceMemory& memory, RowSource& rows,
                                          Pool& pool, const Watch& watch) {
  constexpr std::size_t kMost = 400; // unknowns: elimination in double-double takes seconds then
  const std::size_t p = wanted.columns.size(), size = p + (wanted.intercept ? 1 : 0);
  if (size == 0 || size > kMost) return std::optional<Vertex>();
  std::vector<Candidate> asked = nearest_rows(memory, 10 * size + 50);
  std::ranges::sort(asked, {}, &Candidate::row);
  Picked empty;
  empty.asked = &asked;
  empty.columns = &wanted.columns;
  auto picked = fresh_pass(rows, empty, pool, watch, {.stage = "interior point"});
  if (!picked) return std::unexpected(picked.error());
  std::vector<Candidate> all = std::move(picked->found);
  for (const auto& [column, h] : wanted.own) {
    Candidate& own = all.emplace_back();
    own.h = h;
    own.column = column;
  }
  std::vector<std::size_t> order(all.size()); // for equal h the first comes first
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t k) { return std::pair(all[k].h, k); });
  const std::vector<double> unit = units(all, p);
  Elimination system(size);
  std::vector<Index> zero;
  for (const std::size_t k : order) {
    const Candidate& one = all[k];
    if (system.full()) break;
    std::vector<DoubleDouble> equation(size + 1);
    for (std::size_t c = 0; c < p; ++c)
      equation[c] = one.row < 0 ? DoubleDouble(wanted.columns[c] == one.column ? 1.0 : 0.0) : one.x[c] * unit[c];
    if (wanted.intercept && one.row >= 0) equation[p] = 1.0;
    equation[size] = one.row < 0 ? 0.0 : one.y;
    if (system.offer(equation) && one.row < 0) zero.push_back(one.column);
  }
  if (!system.full()) return std::optional<Vertex>();
  const std::vector<double> solved = system.solve();
  Vertex vertex{std::vector<double>(static_cast<std::size_t>(rows.cols())), wanted.intercept ? solved[p] : 0};
  for (std::size_t c = 0; c < p; ++c) vertex.w[wanted.columns[c]] = solved[c] * unit[c];
  for (const Index j : zero) vertex.w[j] = 0;
  return std::optional(std::move(vertex));
}

} // namespace recta
