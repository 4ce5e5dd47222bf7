#include "objective/loss/find_basis.hpp"

#include "base/blas.hpp"
#include "base/factor/cholesky.hpp"
#include "objective/least_squares/exact_dependence.hpp"
#include "stats/basis/basis_rows.hpp"
#include "stats/basis/remainders.hpp"
#include "stats/column_sums/column_sums.hpp"
#include "stats/pass.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

constexpr double kAlike = 1e-3;      // share of its squares left beside earlier ones below which a column is alike
constexpr double kRounded = 0x1p-50; // of a column's numbers: a few units in their last place
constexpr double kMostWhole = 1000;  // largest integer in a fraction that is taken for an exact factor
constexpr int kStages = 12;

class Search {
public:
  Search(bool centred, const ColumnSums& sums, RowSource& rows, Pool& pool, const Watch& watch)
      : centred_(centred), rows_(rows), pool_(pool), watch_(watch) {
    basis_.cols = rows.cols();
    for (Index j = 0; j < rows.cols(); ++j) {
      unused_.push_back(sums.constant(j, centred_));
      size_.push_back(std::sqrt((sums.squares[j] / sums.weight).hi));
    }
  }

  Result<FoundBasis> run(const Gram* first) {
    for (int stage = 0; stage < kStages; ++stage) {
      Gram stage_gram;
      if (stage > 0 || first == nullptr) {
        BasisRows based(rows_, basis_);
        RowSource& source = basis_.columns.empty() ? rows_ : static_cast<RowSource&>(based);
        auto gram = pass(source, Gram(rows_.cols(), 0));
        if (!gram) return std::unexpected(gram.error());
        stage_gram = *std::move(gram);
      }
      const std::vector<Index> changed = extend(stage > 0 || first == nullptr ? stage_gram : *first, stage == 0);
      if (changed.empty()) break;
      if (auto done = measure(); !done) return std::unexpected(done.error());
      if (std::ranges::all_of(changed, [&](Index j) { return unused_[j] != 0; })) break;
    }
    return FoundBasis{std::move(basis_), passes_};
  }

private:
  template <class A>
  Result<A> pass(RowSource& rows, A empty) {
    auto sums = fresh_pass(rows, std::move(empty), pool_, watch_, {.stage = "telling columns apart", .pass = passes_});
    if (sums) ++passes_;
    return sums;
  }

  // Projects columns that the others nearly determine on those others. `plain`: no column was replaced before.
  std::vector<Index> extend(const Gram& gram, bool plain) {
    std::vector<Index> used, changed;
    for (Index j = 0; j < gram.cols; ++j)
      if (!unused_[j]) used.push_back(j);
    const Index n = std::ssize(used), size = gram.size();
    std::vector<double> h(static_cast<std::size_t>(n * n)), spread(static_cast<std::size_t>(gram.cols));
    for (Index c = 0; c < n; ++c) {
      const Index j = used[c];
      for (Index r = 0; r <= c; ++r) {
        const Index i = used[r];
        h[r + c * n] = gram.scatter[j + i * size] + (centred_ ? 0 : gram.weight * gram.mean[i] * gram.mean[j]);
      }
      spread[j] = std::sqrt(h[c + c * n]);
    }
    const blas::SerialBlas serial;
    const Cholesky<double> factor(std::move(h), n, kAlike, &pool_);
    for (Index s = 0; s < n; ++s) {
      if (factor.is_basic(s)) continue;
      DroppedColumn alike{used[s], std::vector<double>(static_cast<std::size_t>(gram.cols))};
      const std::vector<double> factors = factor.combination(s);
      for (Index r = 0; r < n; ++r) alike.factors[used[r]] = factors[r];
      replace(alike, plain ? meant(alike, spread) : std::vector<DoubleDouble>(), gram);
      changed.push_back(used[s]);
    }
    std::ranges::sort(basis_.columns, {}, &Basis::Column::column);
    return changed;
  }

  // The factors, if they are fractions of small integers except for rounding; otherwise empty.
  static std::vector<DoubleDouble> meant(const DroppedColumn& alike, const std::vector<double>& spread) {
    const std::vector<Combination> some = guesses(alike, spread);
    if (some.empty() || some[0].times > kMostWhole) return {};
    std::vector<DoubleDouble> out(alike.factors.size());
    for (const auto& [k, factor] : some[0].terms) {
      if (std::abs(factor) > kMostWhole) return {};
      out[k] = DoubleDouble(factor) / some[0].times;
    }
    return out;
  }

  // u_j - sum_k f_k u_k, written out in x.
  void replace(const DroppedColumn& alike, std::vector<DoubleDouble> meant, const Gram& gram) {
    std::vector<DoubleDouble> factors(alike.factors.begin(), alike.factors.end());
    if (!meant.empty()) factors = std::move(meant);
    DoubleDouble constant = gram.mean[alike.column];
    std::vector<DoubleDouble> all(factors.size()); // of x
    for (const Basis::Column& each : basis_.columns) {
      const DoubleDouble f = each.column == alike.column ? DoubleDouble(-1.0) : factors[each.column];
      if (f.hi == 0) continue;
      for (const auto& [k, c] : each.terms) all[k] -= f * c;
      constant -= f * each.constant;
    }
    for (std::size_t k = 0; k < factors.size(); ++k) {
      all[k] += factors[k];
      constant -= factors[k] * gram.mean[k];
    }
    Basis::Column out{.column = alike.column, .constant = centred_ ? constant : DoubleDouble(0.0)};
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].hi != 0) out.terms.emplace_back(static_cast<Index>(k), all[k]);
    std::erase_if(basis_.columns, [&](const Basis::Column& each) { return each.column == alike.column; });
    basis_.columns.push_back(std::move(out));
  }

  Result<void> measure() {
    const auto remainders = pass(rows_, Remainders(std::make_shared<const Basis>(basis_)));
    if (!remainders) return std::unexpected(remainders.error());
    for (std::size_t s = 0; s < basis_.columns.size(); ++s) {
      Basis::Column& each = basis_.columns[s];
      double reach = size_[each.column];
      for (const auto& [k, c] : each.terms) reach += std::abs(c.hi) * size_[k];
      each.spread = remainders->spread(s, centred_);
      each.left_out = !(each.spread > kRounded * reach);
      if (each.left_out) unused_[each.column] = 1;
    }
    return {};
  }

  bool centred_;
  RowSource& rows_;
  Pool& pool_;
  const Watch& watch_;
  Basis basis_;
  std::vector<char> unused_; // constant, or left out
  std::vector<double> size_; // root of the mean square of a column as it is
  Index passes_ = 0;
};

} // namespace

Result<FoundBasis> find_basis(bool centred, const ColumnSums& sums, RowSource& rows, const Gram* first, Pool& pool,
                              const Watch& watch) {
  return Search(centred, sums, rows, pool, watch).run(first);
}

} // namespace recta
