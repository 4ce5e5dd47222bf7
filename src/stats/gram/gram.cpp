#include "stats/gram/gram.hpp"

#include "stats/gram/block.hpp"
#include "stats/kernels/kernels.hpp"
#include "stats/rows.hpp"
#include "stats/state_bytes.hpp"

#include <cmath>

namespace recta {

namespace {

// A sparse batch with few columns or many numbers per row is faster by the dense method; one that is not quite as full
// is faster by its stored numbers in double.
enum class Way : std::uint8_t { dense, stored, careful };
Way way_of(const SparseView& x) {
  Index stored = 0;
  for (Index i = 0; i < x.rows; ++i) stored += sparse_row(x, i).count;
  if (x.cols <= 64 || 6 * stored > x.rows * x.cols) return Way::dense;
  return 16 * stored > x.rows * x.cols ? Way::stored : Way::careful;
}

void make_room(Gram& gram) {
  const std::size_t numbers = gram.mean.size() * gram.mean.size();
  if (gram.scatter.size() == numbers) return;
  gram.scatter.resize(numbers);
  gram.scatter_low.resize(numbers);
}

// Columns [first, last) of the joined scatter. f d_j is folded into one factor per column.
void join_columns(Gram& a, const Gram& b, simd::ConstPairs d, DoubleDouble f, Index first, Index last) {
  const Index size = a.size();
  for (Index j = first; j < last; ++j) {
    const Index at = j * size + j, n = size - j;
    const DoubleDouble scale = DoubleDouble(d.high[j], d.low[j]) * f;
    stats_kernels().join(n, {a.scatter.data() + at, a.scatter_low.data() + at},
                         {b.scatter.data() + at, b.scatter_low.data() + at}, {d.high + j, d.low + j}, scale.hi,
                         scale.lo);
  }
}

void join(Gram& a, const Gram& b, Pool* pool) {
  if (b.rows == 0) return;
  if (a.rows == 0) {
    a = b;
    return;
  }
  const DoubleDouble wa(a.weight, a.weight_low), wb(b.weight, b.weight_low), w = wa + wb;
  const DoubleDouble share = wb / w, f = wa * share;
  std::vector<double> d(a.mean.size()), d_low(a.mean.size());
  for (std::size_t j = 0; j < d.size(); ++j) {
    const DoubleDouble mean(a.mean[j], a.mean_low[j]);
    const DoubleDouble step = DoubleDouble(b.mean[j], b.mean_low[j]) - mean, joined = mean + step * share;
    d[j] = step.hi;
    d_low[j] = step.lo;
    a.mean[j] = joined.hi;
    a.mean_low[j] = joined.lo;
  }
  constexpr Index kColumns = 64;
  gram::spread(pool, (a.size() + kColumns - 1) / kColumns, [&](Index part) {
    join_columns(a, b, {d.data(), d_low.data()}, f, part * kColumns, std::min(a.size(), (part + 1) * kColumns));
  });
  a.rows += b.rows;
  a.weight = w.hi;
  a.weight_low = w.lo;
}

// For a Gram of the columns alone.
Batch without_target(Batch batch) {
  batch.target = {};
  return batch;
}

} // namespace

namespace gram {

Weights present_weights(const Batch& batch) {
  Weights present;
  present.rows = present_rows(batch);
  if (batch.weight.empty()) {
    present.sum = static_cast<double>(present.rows.size());
    return present;
  }
  for (const Index i : present.rows) {
    present.weight.push_back(batch.weight[static_cast<std::size_t>(i)]);
    present.sum += present.weight.back();
  }
  return present;
}

} // namespace gram

Gram::Gram(Index columns, Index target_columns, Precision how)
    : cols(columns), targets(target_columns), precision(how) {
  mean.resize(static_cast<std::size_t>(size()));
  mean_low.resize(mean.size());
}

Index Gram::leaf_blocks() const {
  return cols > 500 ? 2 : 1;
}

void Gram::accumulate(const Batch& batch) {
  Workspace room;
  accumulate(batch, room);
}

void Gram::accumulate(const Batch& batch, Workspace& room) {
  if (batch.target.cols > targets) return accumulate(without_target(batch), room);
  if (rows > 0) {
    Gram block(cols, targets, precision);
    block.accumulate(batch, room);
    return merge(block);
  }
  const gram::Weights present = gram::present_weights(batch);
  if (present.rows.empty()) return;
  make_room(*this);
  if (precision == Precision::extended) return gram::add_extended(*this, batch, present);
  const auto* sparse = std::get_if<SparseView>(&batch.x);
  const Way way = sparse == nullptr ? Way::dense : way_of(*sparse);
  if (way == Way::careful) return gram::add_sparse(*this, batch, present);
  if (way == Way::dense || !gram::add_compressed(*this, batch, present)) gram::add_narrow(*this, batch, present, room);
}

void Gram::accumulate(const Batch& batch, Pool& pool) {
  if (precision == Precision::extended || std::holds_alternative<SparseView>(batch.x)) return accumulate(batch);
  if (batch.target.cols > targets) return accumulate(without_target(batch), pool);
  const gram::Weights present = gram::present_weights(batch);
  if (present.rows.empty()) return;
  make_room(*this);
  gram::add_wide(*this, batch, present, pool);
}

void Gram::merge(const Gram& other) {
  join(*this, other, nullptr);
}
void Gram::merge(const Gram& other, Pool& pool) {
  join(*this, other, &pool);
}

bool Gram::finite() const {
  for (std::size_t j = 0; j < mean.size(); ++j)
    if (!std::isfinite(mean[j]) || (rows > 0 && !std::isfinite(scatter[j * mean.size() + j]))) return false;
  return true;
}

bool Gram::same_kind(const Gram& other) const {
  return cols == other.cols && targets == other.targets && precision == other.precision;
}

std::string Gram::to_bytes() const {
  StateWriter out("gram");
  out.put(cols);
  out.put(targets);
  out.put(static_cast<Index>(precision));
  out.put(rows);
  out.put(weight);
  out.put(weight_low);
  out.put(mean);
  out.put(mean_low);
  for (Index j = 0; rows > 0 && j < size(); ++j)
    for (Index i = j; i < size(); ++i) {
      const auto at = static_cast<std::size_t>(j * size() + i);
      out.put(scatter[at]);
      out.put(scatter_low[at]);
    }
  return out.take();
}

Result<Gram> Gram::from_bytes(std::string_view bytes) {
  StateReader in("gram", bytes);
  const Index p = in.index(), k = in.index(), how = in.index();
  const auto room = static_cast<Index>(bytes.size() / 8);
  in.require(p >= 0 && k >= 0 && p <= room && k <= room && how >= 0 && how <= 1);
  if (!in.good()) return damaged_state("Gram matrix");
  Gram gram(p, k, static_cast<Precision>(how));
  gram.rows = in.index();
  gram.weight = in.number();
  gram.weight_low = in.number();
  gram.mean = in.numbers(p + k);
  gram.mean_low = in.numbers(p + k);
  in.require(gram.rows >= 0 && gram.weight >= 0 && std::isfinite(gram.weight) && (gram.rows > 0) == (gram.weight > 0));
  // d (d + 1) numbers follow, so d is small compared with the available bytes.
  in.require(gram.rows == 0 || (p + k <= 3'000'000'000 && (p + k) * (p + k + 1) <= room));
  if (!in.good()) return damaged_state("Gram matrix");
  if (gram.rows > 0) make_room(gram);
  for (Index j = 0; gram.rows > 0 && j < p + k; ++j)
    for (Index i = j; i < p + k; ++i) {
      const auto at = static_cast<std::size_t>(j * (p + k) + i);
      gram.scatter[at] = in.number();
      gram.scatter_low[at] = in.number();
    }
  if (!in.done() || !gram.finite()) return damaged_state("Gram matrix");
  return gram;
}

} // namespace recta
