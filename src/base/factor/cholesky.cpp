#include "base/factor/cholesky.hpp"

#include "base/factor/blocked.hpp"
#include "base/listening.hpp"

#include <algorithm>
#include <cblas.h>
#include <cmath>
#include <lapacke.h>
#include <limits>
#include <type_traits>

namespace recta {
namespace {

double power_of_two_scale(double diagonal) {
  if (!(diagonal > 0)) return 1;
  int exponent = 0;
  std::frexp(diagonal, &exponent);
  return std::ldexp(1.0, -(exponent >> 1)); // half the exponent, rounded down
}

template <class T>
T dot(const T* a, const T* b, Index n) {
  if constexpr (std::is_same_v<T, double>)
    if (n >= 32) return cblas_ddot(static_cast<int>(n), a, 1, b, 1);
  T sum = 0.0;
  for (Index i = 0; i < n; ++i) sum = sum + a[i] * b[i];
  return sum;
}

// Some kernels sum in an order that depends on the memory address of the numbers. Memory aligned to a cache line gives
// the same bits in every run, whatever the state of the heap.
struct alignas(64) CacheLine {
  double values[8];
};

// ||A||_1 ||A^-1||_1 for A = R'R, R in the upper triangle. The norm of A is bounded by its columns' |R|'|R|, which is
// within a factor p and here usually exact.
double condition_of(const double* r, Index n, Index stride) {
  double norm = 0;
  std::vector<double> rows(n, 0.0), sizes(n);
  for (Index c = 0; c < n; ++c)
    for (Index s = 0; s <= c; ++s) rows[s] += std::abs(r[s + c * stride]);
  for (Index c = 0; c < n; ++c) {
    for (Index s = 0; s <= c; ++s) sizes[s] = std::abs(r[s + c * stride]);
    norm = std::max(norm, dot(sizes.data(), rows.data(), c + 1));
  }
  double reciprocal = 0;
  std::vector<CacheLine> work((3 * n + 7) / 8);
  std::vector<lapack_int> signs(n);
  LAPACKE_dpocon_work(LAPACK_COL_MAJOR, 'U', static_cast<lapack_int>(n), r, static_cast<lapack_int>(stride), norm,
                      &reciprocal, work.front().values, signs.data());
  return reciprocal > 0 ? 1 / reciprocal : std::numeric_limits<double>::infinity();
}

template <class T>
T root(T x) {
  using std::sqrt;
  return sqrt(x);
}

} // namespace

template <class T>
Cholesky<T>::Cholesky(std::vector<T> a, Index size, double tolerance, Pool* pool)
    : size_(size), r_(std::move(a)), slot_(size, -1), scale_(size) {
  for (Index j = 0; j < size; ++j) scale_[j] = power_of_two_scale(static_cast<double>(r_[j + j * size]));
  scale_and_mirror(pool);
  if (!factor_fast(tolerance, pool)) factor(tolerance);
}

// The lower triangle, which no factorisation touches, keeps a copy of the upper one for a second try. It is copied
// square by square, so that either side stays in the cache.
template <class T>
void Cholesky<T>::scale_and_mirror(Pool* pool) {
  constexpr Index kSide = 32;
  const auto columns = [&](Index strip, int) {
    const Index j0 = strip * kSide, j1 = std::min(size_, j0 + kSide);
    for (Index i0 = 0; i0 <= j0; i0 += kSide)
      for (Index j = j0; j < j1; ++j)
        for (Index i = i0; i < std::min(j + 1, i0 + kSide); ++i) {
          T& upper = r_[i + j * size_];
          upper = (upper * scale_[i]) * scale_[j];
          if (i < j) r_[j + i * size_] = upper;
        }
  };
  run_over(pool, (size_ + kSide - 1) / kSide, columns);
}

template <class T>
void Cholesky<T>::restore_upper(const std::vector<T>& diagonal) {
  for (Index j = 0; j < size_; ++j) {
    for (Index i = 0; i < j; ++i) r_[i + j * size_] = r_[j + i * size_];
    r_[j + j * size_] = diagonal[j];
  }
}

// Works column by column, with dot products of columns that are contiguous in memory. Row numbers of r_ are those of
// the basic columns, never more than the column's own number, so the triangle is overwritten in place.
template <class T>
void Cholesky<T>::factor(double tolerance) {
  std::vector<T> column(size_);
  for (Index j = 0; j < size_; ++j) {
    keep_going(static_cast<double>(j) / static_cast<double>(size_));
    T* rj = &r_[j * size_];
    const T diagonal = rj[j];
    std::copy(rj, rj + j + 1, column.begin());
    T rest = diagonal;
    for (Index s = 0; s < rank(); ++s) {
      const Index i = basic_[s];
      const T* ri = &r_[i * size_];
      rj[s] = (column[i] - dot(ri, rj, s)) / ri[s];
      rest = rest - rj[s] * rj[s];
    }
    const double share =
        static_cast<double>(diagonal) > 0 ? static_cast<double>(rest) / static_cast<double>(diagonal) : 0;
    if (!(share > tolerance)) continue;
    slot_[j] = rank();
    rj[rank()] = root(rest);
    basic_.push_back(j);
  }
}

template <class T>
bool Cholesky<T>::factor_fast(double tolerance, Pool* pool) {
  if constexpr (std::is_same_v<T, double>) return size_ >= 32 && factor_blocked(tolerance, pool);
  return false;
}

template <class T>
bool Cholesky<T>::factor_blocked(double tolerance, Pool* pool)
  requires std::is_same_v<T, double>
{
  std::vector<double> diagonal(size_);
  for (Index j = 0; j < size_; ++j) diagonal[j] = r_[j + j * size_];
  bool positive = blocked_cholesky(r_.data(), size_, pool);
  for (Index j = 0; j < size_ && positive; ++j) {
    positive = r_[j + j * size_] * r_[j + j * size_] / diagonal[j] > tolerance;
  }
  if (!positive) { // the slow path starts afresh if a column turns out dependent
    restore_upper(diagonal);
    return false;
  }
  basic_.resize(size_);
  for (Index j = 0; j < size_; ++j) basic_[j] = slot_[j] = j;
  return true;
}

// For column j the Householder reflection I - 2 v v' / v'v maps the remainder x of the column onto a multiple of the
// first unit vector; v is x + sign(x_0) |x| e_0, which adds and never cancels.
template <class T>
Cholesky<T> Cholesky<T>::of_rows(std::vector<T> x, Index m, Index size, double tolerance, std::vector<T>& beside) {
  Cholesky out;
  out.size_ = size;
  out.slot_.assign(size, -1);
  out.scale_.assign(size, 1);
  out.r_.assign(size * size, T(0.0));
  const Index others = m > 0 ? static_cast<Index>(beside.size()) / m : 0;
  std::vector<T> v(m);
  for (Index j = 0; j < size; ++j) {
    keep_going(static_cast<double>(j) / static_cast<double>(size));
    T* xj = &x[j * m];
    const Index done = out.rank();
    const double whole = static_cast<double>(dot(xj, xj, m)),
                 rest = static_cast<double>(dot(xj + done, xj + done, m - done));
    out.scale_[j] = power_of_two_scale(whole);
    const double share = whole > 0 ? rest / whole : 0;
    if (done < m && share > tolerance) {
      const T length = root(dot(xj + done, xj + done, m - done));
      std::copy(xj + done, xj + m, v.begin());
      v[0] = static_cast<double>(v[0]) < 0 ? v[0] - length : v[0] + length;
      const T norm = dot(v.data(), v.data(), m - done);
      const auto reflect = [&](T* column) {
        const T factor = dot(v.data(), column + done, m - done) * T(2.0) / norm;
        for (Index i = done; i < m; ++i) column[i] = column[i] - v[i - done] * factor;
      };
      for (Index c = j; c < size; ++c) reflect(&x[c * m]);
      for (Index c = 0; c < others; ++c) reflect(&beside[c * m]);
      out.slot_[j] = done;
      out.basic_.push_back(j);
    }
    for (Index s = 0; s < out.rank(); ++s) out.r_[s + j * size] = xj[s] * out.scale_[j];
  }
  return out;
}

template <class T>
std::vector<T> Cholesky<T>::forward(const std::vector<T>& rhs) const {
  std::vector<T> z(rank());
  for (Index s = 0; s < rank(); ++s) {
    const Index j = basic_[s];
    const T* rj = &r_[j * size_];
    z[s] = (rhs[j] * scale_[j] - dot(rj, z.data(), s)) / rj[s];
  }
  return z;
}

template <class T>
std::vector<T> Cholesky<T>::backward(const std::vector<T>& rows) const {
  std::vector<T> z = rows;
  std::vector<T> x(size_, T(0.0));
  for (Index s = rank() - 1; s >= 0; --s) {
    const Index j = basic_[s];
    const T* rj = &r_[j * size_];
    const T value = z[s] / rj[s];
    for (Index i = 0; i < s; ++i) z[i] = z[i] - rj[i] * value;
    x[j] = value * scale_[j];
  }
  return x;
}

template <class T>
std::vector<T> Cholesky<T>::combination(Index column) const {
  const T* rj = &r_[column * size_];
  std::vector<T> rows(rank(), T(0.0));
  for (Index s = 0; s < rank() && basic_[s] < column; ++s) rows[s] = rj[s];
  std::vector<T> factors = backward(rows);
  for (T& f : factors) f = f / scale_[column];
  return factors;
}

// (A^-1)_jj is the squared norm of row j of R^-1, whose columns are solved for one by one; in double and with every
// column basic, they are solved in fixed groups by matrix operations over the pool. The sums over groups are added in
// order.
template <class T>
std::vector<T> Cholesky<T>::inverse_diagonal(Pool* pool) const {
  std::vector<T> squares(rank(), T(0.0)), x(rank());
  bool done = false;
  if constexpr (std::is_same_v<T, double>) {
    done = rank() == size_ && size_ > 64;
    if (done) squares = inverse_row_squares(r_.data(), size_, pool);
  }
  for (Index c = 0; c < rank() && !done; ++c) {
    keep_going(static_cast<double>(c) / static_cast<double>(rank()));
    std::fill(x.begin(), x.begin() + c, T(0.0));
    x[c] = T(1.0);
    for (Index s = c; s >= 0; --s) {
      const T* rj = &r_[basic_[s] * size_];
      x[s] = x[s] / rj[s];
      for (Index i = 0; i < s; ++i) x[i] = x[i] - rj[i] * x[s];
      squares[s] = squares[s] + x[s] * x[s];
    }
  }
  std::vector<T> diagonal(size_, T(0.0));
  for (Index s = 0; s < rank(); ++s) diagonal[basic_[s]] = (squares[s] * scale_[basic_[s]]) * scale_[basic_[s]];
  return diagonal;
}

template <class T>
std::vector<double> Cholesky<T>::rows_in_double() const {
  const Index n = rank();
  std::vector<double> r(n * size_, 0.0);
  for (Index j = 0; j < size_; ++j)
    for (Index s = 0; s < n && basic_[s] <= j; ++s) r[s + j * n] = static_cast<double>(r_[s + j * size_]) / scale_[j];
  return r;
}

template <class T>
double Cholesky<T>::condition_estimate() const {
  if (rank() == 0) return 1;
  if constexpr (std::is_same_v<T, double>)
    if (rank() == size_) return condition_of(r_.data(), size_, size_);
  const Index n = rank();
  std::vector<double> r(n * n, 0.0);
  for (Index c = 0; c < n; ++c)
    for (Index s = 0; s <= c; ++s) r[s + c * n] = static_cast<double>(r_[s + basic_[c] * size_]);
  return condition_of(r.data(), n, n);
}

template class Cholesky<double>;
template class Cholesky<DoubleDouble>;

} // namespace recta
