#include "evaluate/diagnosis/row_facts.hpp"

#include "base/blas.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <algorithm>
#include <cmath>

namespace recta::diagnosis {
namespace {

double squared_length(const double* z, Index size) {
  double sum = 0;
  for (Index s = 0; s < size; ++s) sum += z[s] * z[s];
  return sum;
}

// |2 b - a - c|^2
double second_difference(const double* a, const double* b, const double* c, Index size) {
  double sum = 0;
  for (Index s = 0; s < size; ++s) {
    const double d = (b[s] - a[s]) + (b[s] - c[s]);
    sum += d * d;
  }
  return sum;
}

template <class T>
void extend(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

} // namespace

void Neighbours::take(const std::vector<double>& q, Index count, Index width) {
  size = width;
  rows = count;
  const Index kept = std::min<Index>(rows, 2) * size;
  first.assign(q.begin(), q.begin() + kept);
  last.assign(q.end() - kept, q.end());
  differences.assign(static_cast<std::size_t>(size * size), 0.0);
  if (rows < 2) return;
  std::vector<double> d(static_cast<std::size_t>((rows - 1) * size));
  for (std::size_t at = 0; at < d.size(); ++at) d[at] = q[at + static_cast<std::size_t>(size)] - q[at];
  blas::syrk(1, {d.data(), size, rows - 1}, 0, {differences.data(), size});
  for (Index i = 1; i + 1 < rows; ++i)
    seconds += second_difference(&q[static_cast<std::size_t>((i - 1) * size)], &q[static_cast<std::size_t>(i * size)],
                                 &q[static_cast<std::size_t>((i + 1) * size)], size);
}

// Joins two stretches: adds the difference of the last row here and the first there, and the second differences at
// both, which are inner rows now.
void Neighbours::bridge(const Neighbours& other) {
  const double* a = &last[last.size() - static_cast<std::size_t>(size)];
  const double* b = other.first.data();
  for (Index c = 0; c < size; ++c)
    for (Index r = c; r < size; ++r)
      differences[static_cast<std::size_t>(r + c * size)] += (b[r] - a[r]) * (b[c] - a[c]);
  if (rows > 1) seconds += second_difference(last.data(), a, b, size);
  if (other.rows > 1) seconds += second_difference(a, b, b + size, size);
}

void Neighbours::merge(const Neighbours& other) {
  if (other.rows == 0) return;
  if (rows == 0) {
    *this = other;
    return;
  }
  for (std::size_t at = 0; at < differences.size(); ++at) differences[at] += other.differences[at];
  seconds += other.seconds;
  bridge(other);
  const auto two = static_cast<std::ptrdiff_t>(2 * size);
  if (rows == 1) {
    extend(first, other.first);
    first.resize(std::min(first.size(), static_cast<std::size_t>(two)));
  }
  extend(last, other.last);
  if (std::ssize(last) > two) last.erase(last.begin(), last.end() - two);
  rows += other.rows;
}

std::vector<double> residuals_of(const Predictor& predictor, const Batch& batch, std::span<const Index> present,
                                 const std::vector<double>& x) {
  const auto p = static_cast<std::size_t>(predictor.cols), k = static_cast<std::size_t>(predictor.targets);
  const auto* dense = std::get_if<MatrixView>(&batch.x);
  const bool low = dense != nullptr && dense->low != nullptr;
  std::vector<double> out(present.size() * k);
  for (std::size_t at = 0; at < present.size(); ++at) {
    const Index i = present[at];
    for (std::size_t t = 0; t < k; ++t) {
      DoubleDouble r(element(batch.target, i, static_cast<Index>(t)),
                     element_low(batch.target, i, static_cast<Index>(t)));
      if (!batch.offset.empty()) r -= batch.offset[static_cast<std::size_t>(i)];
      r -= predictor.b[t];
      for (std::size_t j = 0; j < p; ++j) {
        const DoubleDouble value(x[at * p + j], low ? element_low(*dense, i, static_cast<Index>(j)) : 0);
        r -= value * predictor.w[t * p + j];
      }
      out[at * k + t] = r.hi;
    }
  }
  return out;
}

void RowFacts::accumulate(const Batch& batch) {
  const std::vector<Index> present = present_rows(batch);
  Whitening::Room room;
  whitening->transform(batch, present, room);
  Block block;
  block.first_row = batch.first_row;
  block.residual = residuals_of(*predictor, batch, present, room.x);
  const Index q = whitening->size();
  for (std::size_t at = 0; at < present.size(); ++at) {
    const Index i = present[at];
    const double v = batch.weight.empty() ? 1 : batch.weight[static_cast<std::size_t>(i)];
    double* z = room.z.data() + static_cast<Index>(at) * q;
    block.row.push_back(batch.first_row + i);
    block.weight.push_back(v);
    block.leverage.push_back(v * squared_length(z, q));
    for (Index t = 0; t < predictor->targets; ++t) block.target.push_back(element(batch.target, i, t));
    for (Index s = 0; v != 1 && s < q; ++s) z[s] *= std::sqrt(v);
  }
  blocks.push_back(std::make_shared<const Block>(std::move(block)));
  Neighbours here;
  here.take(room.z, static_cast<Index>(present.size()), q);
  neighbours.merge(here);
}

void RowFacts::merge(const RowFacts& other) {
  extend(blocks, other.blocks);
  neighbours.merge(other.neighbours);
}

RowFacts::Block RowFacts::together() const {
  Block all;
  if (!blocks.empty()) all.first_row = blocks.front()->first_row;
  for (const auto& block : blocks) {
    extend(all.row, block->row);
    extend(all.weight, block->weight);
    extend(all.leverage, block->leverage);
    extend(all.target, block->target);
    extend(all.residual, block->residual);
  }
  return all;
}

std::string RowFacts::to_bytes() const {
  const Block all = together();
  StateWriter out("fact");
  out.put(static_cast<Index>(all.row.size()));
  out.put(static_cast<Index>(all.target.size()));
  out.put(neighbours.rows);
  out.put(neighbours.size);
  out.put(all.first_row);
  for (const Index row : all.row) out.put(row);
  for (const auto* values : {&all.weight, &all.leverage, &all.target, &all.residual, &neighbours.first,
                             &neighbours.last, &neighbours.differences})
    out.put(*values);
  out.put(neighbours.seconds);
  return out.take();
}

Result<RowFacts> RowFacts::from_bytes(std::string_view bytes) {
  StateReader in("fact", bytes);
  const Index n = in.index(), nk = in.index();
  RowFacts out;
  out.neighbours.rows = in.index();
  const Index q = out.neighbours.size = in.index();
  in.require(n >= 0 && nk >= 0 && (n > 0 ? nk % n == 0 : nk == 0) && out.neighbours.rows == n && q >= 0 &&
             q < (Index{1} << 24) && static_cast<std::uint64_t>(n) <= bytes.size() / 8);
  Block all;
  all.first_row = in.index();
  for (Index i = 0; in.good() && i < n; ++i) all.row.push_back(in.index());
  const Index ends = std::min<Index>(n, 2) * q, square = n > 0 ? q * q : 0;
  all.weight = in.numbers(n);
  all.leverage = in.numbers(n);
  all.target = in.numbers(nk);
  all.residual = in.numbers(nk);
  out.neighbours.first = in.numbers(ends);
  out.neighbours.last = in.numbers(ends);
  out.neighbours.differences = in.numbers(square);
  out.neighbours.seconds = in.number();
  if (!in.done()) return damaged_state("facts of rows");
  out.blocks.push_back(std::make_shared<const Block>(std::move(all)));
  return out;
}

} // namespace recta::diagnosis
