// Rows kept so that the kernel of a row with all of them is fast: dense rows in panels of eight side by side, for
// base/simd's panel_products; compressed rows as they are. Dense rows may be kept about a centre.
//
// A value k(x, z) has the same bits whatever rows it is computed beside, so a batch of one row scores as it would among
// a million, and at any number of threads.
#pragma once

#include "base/aligned.hpp"
#include "base/pool.hpp"
#include "kernel/expansion.hpp"
#include "kernel/texts.hpp"

#include <recta/matrix.hpp>

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

namespace recta::kernel {

// Rows whose values with the points of a set are wanted, as that set sees them: written out about its centre, or texts.
class Queries {
public:
  Index count() const { return static_cast<Index>(text_.empty() ? length_.size() : text_.size()); }
  const std::vector<double>& numbers() const { return x_; } // row after row
  const std::vector<double>& squares() const { return square_; }
  const std::vector<double>& lengths() const { return length_; }

private:
  friend class Points;
  std::vector<double> x_, square_, length_; // length: a bound on |x|, its rounding included
  std::vector<std::u32string> text_;
  mutable std::vector<double> error_; // of the values of every text, once they were computed
};

// The characters of a text from a row of its codes, each plus one, by place.
std::u32string text_of(const SparseView& x, Index row);

class Points {
public:
  Points() = default;
  explicit Points(Index cols, bool sparse = false, std::vector<double> centre = {});
  explicit Points(std::unique_ptr<TextSet> texts) : texts_(std::move(texts)) {} // of a kernel that reads texts

  Index count() const { return texts_ ? texts_->count() : static_cast<Index>(square_.size()); }
  bool of_texts() const { return texts_ != nullptr; }
  Index cols() const { return cols_; }
  bool sparse() const { return sparse_; }
  double longest() const { return longest_; } // about the centre; computed
  const std::vector<double>& squares() const { return square_; }
  const std::vector<double>& centre() const { return centre_; }

  void expect(Index points); // room for so many
  // One point for each place, which `write` writes out; dense ones on all threads.
  using Write = std::function<void(Index place, double* x)>;
  void add_all(std::span<const Index> places, const Write& write, Pool* pool);
  void add(const MatrixView& x, Index row);
  void add(const SparseView& x, Index row);
  // Dense, or one that is written out and kept compressed; `place`: its number in training, for kernels by place.
  void add(const double* x, Index place = 0);
  void add(std::u32string text) { texts_->add(std::move(text)); }

  double own_value(const Kernel& kernel, Index i) const; // k(x_i, x_i)
  static constexpr Index kQueriesTogether = 128;         // that points read from memory best serve
  void row(Index i, double* out) const;                  // as it is kept: about the centre
  void original(Index i, double* out) const;             // as it came, but for the rounding of a centre

  // Rows written out about the same centre, `cols` numbers each: rows x count() values by row, `out_stride` apart.
  void values(const Kernel& kernel, std::span<const double> x, Index rows, double* out, Index out_stride,
              Pool* pool = nullptr) const {
    values_with<double>(kernel, x, rows, count(), rows_at(out, rows, out_stride), pool);
  }
  // Kernel values of points of this set.
  void values_of(const Kernel& kernel, std::span<const Index> points, double* out, Index out_stride,
                 Pool* pool = nullptr) const {
    values_of(kernel, points, std::span<double* const>(rows_at(out, std::ssize(points), out_stride)), pool);
  }
  void values_of(const Kernel& kernel, std::span<const Index> points, std::span<double* const> out,
                 Pool* pool = nullptr) const;
  // The same of numbers, rounded to floats at the end.
  void values_of(const Kernel& kernel, std::span<const Index> points, std::span<float* const> out, Pool* pool) const;
  // The upper triangle of the matrix of all values, count() x count() by column.
  void upper_triangle(const Kernel& kernel, double* out, Pool* pool = nullptr) const;
  // A row of a batch becomes one more query.
  void expect(Index rows, Queries& queries) const { queries.x_.reserve(static_cast<std::size_t>(rows * cols_)); }
  void ask(const MatrixView& x, Index row, Queries& queries) const;
  void ask(const SparseView& x, Index row, Queries& queries) const;
  void values(const Kernel& kernel, const Queries& queries, double* out, Index out_stride, Pool* pool = nullptr) const;
  // The values of the queries with the points first .. first + count - 1, query q's from values + q stride on: a block
  // of an expansion at a time, so that they stay in the cache while they are used.
  using UseBlock = std::function<void(Index first, Index count, const double* values, Index stride)>;
  void each_block(const Kernel& kernel, const Queries& queries, const UseBlock& use) const;
  // sum_k beta_k k(query, x_k) over all points.
  std::vector<Expansion> expansions(const Kernel& kernel, const Queries& queries, std::span<const double> beta) const;
  // The same of the points themselves, where k(x, z) = k(z, x) and both are computed once.
  std::vector<Expansion> own_expansions(const Kernel& kernel, std::span<const double> beta, Pool& pool) const;
  // Bounds the rounding of every value of this query; for texts, once its values were computed.
  double error(const Kernel& kernel, const Queries& queries, Index query) const;
  double relative_error(const Kernel& kernel, const Queries& queries, Index query) const; // as a share of the value
  bool is(Index point, const Queries& queries, Index query) const; // the point is this row itself
  bool same_rows(const Points& other) const; // number for number; of texts it is not known, and the answer is no

private:
  struct Chunk {
    Index first, last;
  };
  struct Asked { // rows of queries, and the squares of their lengths
    const double *x, *square;
    Index rows;
  };
  void place(const MatrixView& x, Index row, double* out) const;
  void place(const SparseView& x, Index row, double* out) const;
  template <class View>
  void ask_for(const View& x, Index row, Queries& queries) const;
  void keep(const double* x);
  void keep_dense(Index i, const double* x);
  double length_of(double square) const { return std::sqrt(square) * (1 + static_cast<double>(cols_ + 2) * 0x1p-53); }
  // Values with the first `points` points.
  template <class Number>
  void values_with(const Kernel& kernel, std::span<const double> x, Index rows, Index points,
                   std::span<Number* const> out, Pool* pool) const;
  template <class Number>
  void values_of_rows(const Kernel& kernel, std::span<const Index> points, std::span<Number* const> out,
                      Pool* pool) const;
  static std::vector<double*> rows_at(double* first, Index rows, Index stride);
  // Into out, which has room for whole panels: query q's from out + q stride on.
  void chunk_values(const Kernel& kernel, Chunk chunk, Asked asked, simd::DoubleOutRows out) const;
  // The same of a block of an expansion, in tiles that suit the cache.
  void block_values(const Kernel& kernel, Chunk block, Asked asked, double* tile) const;
  void products(const Kernel& kernel, Chunk chunk, simd::DoubleRows x, simd::DoubleOutRows out) const;
  void sparse_sums(const Kernel& kernel, Chunk chunk, const double* x, double* out) const;

  void text_values(std::span<const std::u32string* const> texts, Index points, double* out, Index out_stride,
                   Pool* pool, double* errors) const;

  Index cols_ = 0;
  std::unique_ptr<TextSet> texts_;
  bool sparse_ = false;
  double longest_ = 0;
  std::vector<double> centre_, square_;
  AlignedVector<double> panels_;
  std::vector<Index> start_{0};
  std::vector<std::int32_t> index_;
  std::vector<double> value_, room_;
  std::vector<Index> place_; // numbers in training
};

} // namespace recta::kernel
