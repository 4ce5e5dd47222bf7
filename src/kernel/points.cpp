#include "kernel/points.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"

#include <algorithm>

namespace recta::kernel {
namespace {

constexpr Index kChunk = 192;      // points of one task: a few hundred kilobytes of panels, which stay in the cache
constexpr Index kQueries = 64;     // rows that pass over a chunk together
constexpr Index kBlockChunk = 192; // of an expansion

// One row of numbers `stride` apart, about the centre if there is one.
template <class Number>
void place_row(const Number* x, Index stride, Index cols, const double* centre, double* out) {
  if (stride == 1 && centre) {
    for (Index j = 0; j < cols; ++j) out[j] = static_cast<double>(x[j]) - centre[j];
    return;
  }
  for (Index j = 0; j < cols; ++j) out[j] = static_cast<double>(x[j * stride]) - (centre ? centre[j] : 0);
}

double square_of(const double* x, Index cols) {
  double sum = 0;
  for (Index j = 0; j < cols; ++j) sum += x[j] * x[j];
  return sum;
}

template <class I>
void scatter(const SparseView& x, Index row, double* out) {
  const I *start = static_cast<const I*>(x.start), *index = static_cast<const I*>(x.index);
  for (I s = start[row]; s < start[row + 1]; ++s) out[index[s]] = x.value[s];
}

} // namespace

Points::Points(Index cols, bool sparse, std::vector<double> centre)
    : cols_(cols), sparse_(sparse), centre_(std::move(centre)), room_(at(cols)) {
  if (sparse_) centre_.clear(); // rows about a centre have no zeros
}

void Points::place(const MatrixView& x, Index row, double* out) const {
  const double* const centre = centre_.empty() ? nullptr : centre_.data();
  const Index from = row * x.row_stride;
  if (x.scalar == Scalar::float64)
    place_row(static_cast<const double*>(x.data) + from, x.col_stride, cols_, centre, out);
  else
    place_row(static_cast<const float*>(x.data) + from, x.col_stride, cols_, centre, out);
}

void Points::place(const SparseView& x, Index row, double* out) const {
  std::fill(out, out + cols_, 0.0);
  x.width == IndexWidth::bits32 ? scatter<std::int32_t>(x, row, out) : scatter<std::int64_t>(x, row, out);
  for (Index j = 0; j < std::ssize(centre_); ++j) out[j] -= centre_[at(j)];
}

void Points::expect(Index points) {
  square_.reserve(at(points)), place_.reserve(at(points));
  if (!sparse_) panels_.reserve(at((points + simd::kLanes - 1) / simd::kLanes * simd::kLanes * cols_));
}

void Points::add(const MatrixView& x, Index row) {
  place(x, row, room_.data());
  keep(room_.data());
}

void Points::add(const SparseView& x, Index row) {
  if (texts_) return texts_->add(text_of(x, row));
  place(x, row, room_.data());
  keep(room_.data());
}

void Points::add(const double* x, Index place) {
  for (Index j = 0; j < cols_; ++j) room_[at(j)] = x[j] - (centre_.empty() ? 0 : centre_[at(j)]);
  keep(room_.data());
  place_.back() = place;
}

template <class View>
void Points::ask_for(const View& x, Index row, Queries& queries) const {
  const std::size_t begin = queries.x_.size();
  queries.x_.resize(begin + at(cols_));
  place(x, row, queries.x_.data() + begin);
  queries.square_.push_back(square_of(queries.x_.data() + begin, cols_));
  queries.length_.push_back(std::sqrt(queries.square_.back()) * (1 + 0x1p-40));
}
void Points::ask(const MatrixView& x, Index row, Queries& queries) const {
  ask_for(x, row, queries);
}
void Points::ask(const SparseView& x, Index row, Queries& queries) const {
  if (texts_)
    queries.text_.push_back(text_of(x, row));
  else
    ask_for(x, row, queries);
}

std::u32string text_of(const SparseView& x, Index row) {
  std::u32string out;
  const auto read = [&](const auto* start) {
    for (auto s = start[row]; s < start[row + 1]; ++s) out.push_back(static_cast<char32_t>(x.value[s] - 1));
  };
  x.width == IndexWidth::bits32 ? read(static_cast<const std::int32_t*>(x.start))
                                : read(static_cast<const std::int64_t*>(x.start));
  return out;
}

void Points::text_values(std::span<const std::u32string* const> texts, Index points, double* out, Index out_stride,
                         Pool* pool, double* errors) const {
  const auto fill = [&](Index q, int) {
    const double error = texts_->values(*texts[at(q)], points, out + q * out_stride);
    if (errors) errors[q] = error;
  };
  if (pool)
    pool->run(std::ssize(texts), fill);
  else
    for (Index q = 0; q < std::ssize(texts); ++q) fill(q, 0);
}

void Points::values(const Kernel& kernel, const Queries& queries, double* out, Index out_stride, Pool* pool) const {
  if (!texts_) return values(kernel, queries.x_, queries.count(), out, out_stride, pool);
  queries.error_.resize(queries.text_.size());
  std::vector<const std::u32string*> texts;
  for (const std::u32string& text : queries.text_) texts.push_back(&text);
  text_values(texts, count(), out, out_stride, pool, queries.error_.data());
}

double Points::error(const Kernel& kernel, const Queries& queries, Index query) const {
  if (texts_) return queries.error_[at(query)];
  return kernel.error({cols_, queries.length_[at(query)], longest_});
}

double Points::relative_error(const Kernel& kernel, const Queries& queries, Index query) const {
  return texts_ ? kInfinity : kernel.relative_error({cols_, queries.length_[at(query)], longest_});
}

bool Points::is(Index point, const Queries& queries, Index query) const {
  if (texts_) return texts_->text(point) == queries.text_[at(query)];
  std::vector<double> kept(at(cols_));
  row(point, kept.data());
  return std::equal(kept.begin(), kept.end(), queries.x_.begin() + query * cols_);
}

void Points::keep(const double* x) {
  const Index i = count();
  place_.push_back(i);
  square_.push_back(square_of(x, cols_));
  longest_ = std::max(longest_, length_of(square_.back()));
  if (sparse_) {
    for (Index j = 0; j < cols_; ++j)
      if (x[j] != 0) index_.push_back(static_cast<std::int32_t>(j)), value_.push_back(x[j]);
    start_.push_back(std::ssize(index_));
    return;
  }
  if (i % simd::kLanes == 0) panels_.resize(panels_.size() + at(simd::kLanes * cols_));
  keep_dense(i, x);
}

void Points::keep_dense(Index i, const double* x) {
  double* const panel = panels_.data() + (i - i % simd::kLanes) * cols_ + i % simd::kLanes;
  for (Index j = 0; j < cols_; ++j) panel[j * simd::kLanes] = x[j];
}

void Points::add_all(std::span<const Index> places, const Write& write, Pool* pool) {
  if (sparse_ || !pool) {
    std::vector<double> x(at(cols_));
    expect(count() + std::ssize(places));
    for (const Index one : places) write(one, x.data()), add(x.data(), one);
    return;
  }
  constexpr Index kRowsOfTask = 64;
  const Index first = count(), last = first + std::ssize(places);
  place_.insert(place_.end(), places.begin(), places.end());
  square_.resize(at(last));
  panels_.resize(at((last + simd::kLanes - 1) / simd::kLanes * simd::kLanes * cols_));
  pool->run((last - first + kRowsOfTask - 1) / kRowsOfTask, [&](Index task, int) {
    std::vector<double> x(at(cols_));
    for (Index i = first + task * kRowsOfTask; i < std::min(last, first + (task + 1) * kRowsOfTask); ++i) {
      write(places[at(i - first)], x.data());
      for (Index j = 0; j < std::ssize(centre_); ++j) x[at(j)] -= centre_[at(j)];
      square_[at(i)] = square_of(x.data(), cols_);
      keep_dense(i, x.data());
    }
  });
  for (Index i = first; i < last; ++i) longest_ = std::max(longest_, length_of(square_[at(i)]));
}

bool Points::same_rows(const Points& other) const {
  if (texts_ || other.texts_) return false;
  return cols_ == other.cols_ && sparse_ == other.sparse_ && centre_ == other.centre_ && panels_ == other.panels_ &&
         start_ == other.start_ && index_ == other.index_ && value_ == other.value_ && place_ == other.place_;
}

void Points::row(Index i, double* out) const {
  if (sparse_) {
    std::fill(out, out + cols_, 0.0);
    for (Index s = start_[at(i)]; s < start_[at(i) + 1]; ++s) out[index_[at(s)]] = value_[at(s)];
    return;
  }
  const double* const panel = panels_.data() + (i - i % simd::kLanes) * cols_ + i % simd::kLanes;
  for (Index j = 0; j < cols_; ++j) out[j] = panel[j * simd::kLanes];
}

void Points::original(Index i, double* out) const {
  row(i, out);
  for (Index j = 0; j < std::ssize(centre_); ++j) out[j] += centre_[at(j)];
}

double Points::own_value(const Kernel& kernel, Index i) const {
  if (texts_) return texts_->self(i);
  double sum = square_[at(i)];
  if (kernel.by_place()) {
    std::vector<double> x(at(cols_));
    row(i, x.data());
    return x[at(place_[at(i)])];
  }
  if (kernel.by_terms()) {
    std::vector<double> x(at(cols_));
    row(i, x.data());
    sum = 0;
    for (const double number : x) sum += kernel.term(number, number);
  }
  kernel.values({square_[at(i)], square_.data() + i, 1, &sum});
  return sum;
}

// One row against compressed ones. Sums of terms are those against a row of zeros, but for the columns a row has.
void Points::sparse_sums(const Kernel& kernel, Chunk chunk, const double* x, double* out) const {
  double against_zeros = 0;
  if (kernel.by_terms())
    for (Index j = 0; j < cols_; ++j) against_zeros += kernel.term(x[j], 0);
  for (Index i = chunk.first; i < chunk.last; ++i) {
    double sum = against_zeros;
    for (Index s = start_[at(i)]; s < start_[at(i) + 1]; ++s) {
      const double other = x[index_[at(s)]], entry = value_[at(s)];
      sum += kernel.by_terms() ? kernel.term(other, entry) - kernel.term(other, 0) : entry * other;
    }
    out[i - chunk.first] = sum;
  }
}

void Points::products(const Kernel& kernel, Chunk chunk, simd::DoubleRows x, simd::DoubleOutRows out) const {
  if (kernel.by_place()) {
    for (Index r = 0; r < x.rows; ++r)
      for (Index i = chunk.first; i < chunk.last; ++i)
        out.first[r * out.stride + i - chunk.first] = x.first[r * cols_ + place_[at(i)]];
    return;
  }
  if (sparse_) {
    for (Index r = 0; r < x.rows; ++r) sparse_sums(kernel, chunk, x.first + r * cols_, out.first + r * out.stride);
    return;
  }
  if (!kernel.by_terms()) {
    const Index count = (chunk.last - chunk.first + simd::kLanes - 1) / simd::kLanes;
    const simd::Panels panels{panels_.data() + chunk.first * cols_, simd::kLanes * cols_, count};
    simd::kernels().many_panel_products(x, panels, out);
    return;
  }
  for (Index i = chunk.first; i < chunk.last; i += simd::kLanes)
    kernel.panel_sums(x, panels_.data() + i * cols_, {out.first + i - chunk.first, out.stride});
}

std::vector<double*> Points::rows_at(double* first, Index rows, Index stride) {
  std::vector<double*> out;
  for (Index r = 0; r < rows; ++r) out.push_back(first + r * stride);
  return out;
}

void Points::chunk_values(const Kernel& kernel, Chunk chunk, Asked asked, simd::DoubleOutRows out) const {
  products(kernel, chunk, {asked.x, asked.rows, cols_, cols_}, out);
  for (Index q = 0; q < asked.rows; ++q)
    kernel.values(
        {asked.square[q], square_.data() + chunk.first, chunk.last - chunk.first, out.first + q * out.stride});
}

void Points::block_values(const Kernel& kernel, Chunk block, Asked asked, double* tile) const {
  for (Index from = block.first; from < block.last; from += kBlockChunk) // panels stay there while all rows pass by
    for (Index r = 0; r < asked.rows; r += kQueries)
      chunk_values(kernel, {from, std::min(block.last, from + kBlockChunk)},
                   {asked.x + r * cols_, asked.square + r, std::min(kQueries, asked.rows - r)},
                   {tile + r * kExpansionBlock + from - block.first, kExpansionBlock});
}

template <class Number>
void Points::values_with(const Kernel& kernel, std::span<const double> x, Index rows, Index points,
                         std::span<Number* const> out, Pool* pool) const {
  std::vector<double> square(at(rows));
  for (Index r = 0; r < rows; ++r) square[at(r)] = square_of(x.data() + r * cols_, cols_);
  const Index chunks = (points + kChunk - 1) / kChunk;
  const auto fill = [&](Index task, int) {
    const Chunk chunk{task * kChunk, std::min(points, (task + 1) * kChunk)};
    double tile[kQueries * kChunk]; // a panel may reach beyond the last point
    for (Index r = 0; r < rows; r += kQueries) {
      const Index some = std::min(kQueries, rows - r), some_points = chunk.last - chunk.first;
      chunk_values(kernel, chunk, {x.data() + r * cols_, square.data() + r, some}, {tile, kChunk});
      for (Index q = 0; q < some; ++q) {
        const double* const values = tile + q * kChunk;
        Number* const to = out[at(r + q)] + chunk.first;
        for (Index i = 0; i < some_points; ++i) to[i] = static_cast<Number>(values[i]);
      }
    }
  };
  if (pool)
    pool->run(chunks, fill);
  else
    for (Index task = 0; task < chunks; ++task) fill(task, 0);
}

void Points::values_of(const Kernel& kernel, std::span<const Index> points, std::span<double* const> out,
                       Pool* pool) const {
  if (!texts_) return values_of_rows(kernel, points, out, pool);
  const auto fill = [&](Index q, int) { texts_->values_of(points[at(q)], count(), out[at(q)]); };
  if (pool) return pool->run(std::ssize(points), fill);
  for (Index q = 0; q < std::ssize(points); ++q) fill(q, 0);
}
void Points::values_of(const Kernel& kernel, std::span<const Index> points, std::span<float* const> out,
                       Pool* pool) const {
  values_of_rows(kernel, points, out, pool);
}

template <class Number>
void Points::values_of_rows(const Kernel& kernel, std::span<const Index> points, std::span<Number* const> out,
                            Pool* pool) const {
  constexpr Index kTogether = 512;
  std::vector<double> x(at(std::min<Index>(kTogether, std::ssize(points)) * cols_));
  for (Index from = 0; from < std::ssize(points); from += kTogether) {
    const Index some = std::min<Index>(kTogether, std::ssize(points) - from);
    for (Index r = 0; r < some; ++r) row(points[at(from + r)], x.data() + r * cols_);
    values_with(kernel, {x.data(), at(some * cols_)}, some, count(), out.subspan(at(from), at(some)), pool);
  }
}

void Points::upper_triangle(const Kernel& kernel, double* out, Pool* pool) const {
  constexpr Index kTogether = 512;
  if (texts_) {
    const Index n = count();
    const auto fill = [&](Index place, int) { // the longest columns first, so that the threads end together
      const Index i = n - 1 - place;
      texts_->values_of(i, i + 1, out + i * n);
    };
    if (pool)
      pool->run(n, fill);
    else
      for (Index i = 0; i < n; ++i) fill(i, 0);
    return;
  }
  std::vector<double> x(at(std::min(kTogether, count()) * cols_));
  for (Index from = 0; from < count(); from += kTogether) {
    const Index some = std::min(kTogether, count() - from);
    for (Index r = 0; r < some; ++r) row(from + r, x.data() + r * cols_);
    values_with<double>(kernel, {x.data(), at(some * cols_)}, some, from + some,
                        rows_at(out + from * count(), some, count()), pool);
  }
}

} // namespace recta::kernel
