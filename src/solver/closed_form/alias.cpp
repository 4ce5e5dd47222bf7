#include "solver/closed_form/alias.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"

#include <algorithm>
#include <cblas.h>
#include <cmath>

namespace recta {
namespace {

constexpr double kNoFactor = 1e-9; // a factor this small against the column's own size is the rounding of a zero
constexpr Index kTile = 32;

class ColumnSpace {
public:
  ColumnSpace(Index n, Index rank, double tolerance) : n_(n), rank_(rank), tolerance_(tolerance) {
    q_.resize(n * rank);
    r_.resize(rank * rank);
  }

  Index basic_count() const { return static_cast<Index>(basic_.size()); }
  bool full() const { return basic_count() == rank_; }
  const std::vector<Index>& basic() const { return basic_; }

  // `tile` is n x count by column; `along` becomes Q'tile, and `tile` becomes its remainder.
  void project(std::vector<double>& tile, Index count, std::vector<double>& along) const {
    along.assign(rank_ * count, 0.0);
    if (basic_count() == 0) return;
    std::vector<double> step(rank_ * count);
    for (int twice = 0; twice < 2; ++twice) {
      cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, narrow(basic_count()), narrow(count), narrow(n_), 1.0,
                  q_.data(), narrow(n_), tile.data(), narrow(n_), 0.0, step.data(), narrow(rank_));
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, narrow(n_), narrow(count), narrow(basic_count()), -1.0,
                  q_.data(), narrow(n_), step.data(), narrow(rank_), 1.0, tile.data(), narrow(n_));
      for (Index c = 0; c < count; ++c)
        for (Index s = 0; s < basic_count(); ++s) along[s + c * rank_] += step[s + c * rank_];
    }
  }

  // Takes one column whose projection on the first `before` vectors is known: projects it on those found since, and
  // then either adds a vector or finds the column dependent. False: neither, since the rank is full and something is
  // left.
  bool take(Index column, double size, double* rest, double* along, Index before, bool& dependent) {
    for (int twice = 0; twice < 2 && basic_count() > before; ++twice)
      for (Index s = before; s < basic_count(); ++s) {
        const double part = cblas_ddot(narrow(n_), &q_[s * n_], 1, rest, 1);
        cblas_daxpy(narrow(n_), -part, &q_[s * n_], 1, rest, 1);
        along[s] += part;
      }
    const double left = cblas_dnrm2(narrow(n_), rest, 1);
    dependent = left <= tolerance_ * size;
    if (dependent) return true;
    if (full()) return false;
    const Index s = basic_count();
    for (Index i = 0; i < n_; ++i) q_[i + s * n_] = rest[i] / left;
    along[s] = left;
    std::copy_n(along, s + 1, &r_[s * rank_]);
    basic_.push_back(column);
    sizes_.push_back(size);
    return true;
  }

  // R^-1 along: the factors of the basic columns.
  AliasedColumn combination(Index column, double size, const double* along, const std::vector<double>& length) const {
    std::vector<double> v(along, along + basic_count());
    if (basic_count() > 0)
      cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, narrow(basic_count()), r_.data(),
                  narrow(rank_), v.data(), 1);
    AliasedColumn out{column, {}};
    for (std::size_t s = 0; s < v.size(); ++s)
      if (std::abs(v[s]) * sizes_[s] > kNoFactor * size)
        out.equals.emplace_back(basic_[s], v[s] * length[column] / length[basic_[s]]);
    return out;
  }

private:
  Index n_, rank_;
  double tolerance_;
  std::vector<double> q_, r_; // n x rank and rank x rank, by column
  std::vector<Index> basic_;
  std::vector<double> sizes_;
};

} // namespace

std::vector<AliasedColumn> name_aliased(const std::vector<double>& a, Index n, Index rank,
                                        const std::vector<double>& length) {
  const auto p = static_cast<Index>(length.size());
  ColumnSpace space(n, rank, 10 * static_cast<double>(std::max(n, p)) * kUnit);
  std::vector<AliasedColumn> out;
  std::vector<double> tile, along;
  Index terms = 0;
  for (Index first = 0; first < p; first += kTile) {
    keep_going(static_cast<double>(first) / static_cast<double>(p));
    const Index count = std::min(kTile, p - first), before = space.basic_count();
    tile.resize(n * count);
    for (Index i = 0; i < n; ++i)
      for (Index c = 0; c < count; ++c) tile[i + c * n] = a[i * p + first + c];
    std::vector<double> sizes(count);
    for (Index c = 0; c < count; ++c) sizes[c] = cblas_dnrm2(narrow(n), &tile[c * n], 1);
    space.project(tile, count, along);
    for (Index c = 0; c < count; ++c) {
      bool dependent = false;
      if (length[first + c] == 0 || sizes[c] == 0) continue;
      if (!space.take(first + c, sizes[c], &tile[c * n], &along[c * rank], before, dependent) || !dependent) continue;
      out.push_back(space.combination(first + c, sizes[c], &along[c * rank], length));
      terms += static_cast<Index>(out.back().equals.size());
      if (terms > kNamedTerms) out.pop_back();
      if (terms > kNamedTerms) return out;
    }
  }
  return out;
}

} // namespace recta
