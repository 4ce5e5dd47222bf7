#include "certificate/elastic_net/uniqueness.hpp"

#include "base/factor/cholesky.hpp"
#include "design/csc/csc_columns.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

// The chosen columns and the rows that have numbers in them. A row is counted, and knows the sum of the places of its
// columns: if one is left, that is its place.
class Peeling {
public:
  Peeling(const Batch& columns, const std::vector<Index>& chosen)
      : columns_(columns), chosen_(chosen), count_(static_cast<std::size_t>(columns.rows())), places_(count_.size()),
        least_(chosen.size()), there_(chosen.size(), 1) {
    for (std::size_t s = 0; s < chosen.size(); ++s) {
      double square = 0;
      each(s, [&](std::size_t i, double value) {
        ++count_[i], places_[i] += s;
        square += value * value;
      });
      least_[s] = 1e-3 * std::sqrt(square);
    }
  }

  // Rows without a number in any of them: there a column of ones is alone.
  bool some_rows_are_empty() const {
    double empty = 0;
    for (std::size_t i = 0; i < count_.size(); ++i) empty += count_[i] == 0 && present(i) ? 1 : 0;
    return empty >= std::max(1.0, 1e-6 * static_cast<double>(count_.size()));
  }

  void run() {
    for (std::size_t i = 0; i < count_.size(); ++i)
      if (count_[i] == 1) alone_.push_back(i);
    while (!alone_.empty()) {
      const std::size_t i = alone_.back();
      alone_.pop_back();
      if (count_[i] == 1 && is_large(places_[i], i)) take_out(places_[i]);
    }
  }

  std::vector<Index> left() const {
    std::vector<Index> out;
    for (std::size_t s = 0; s < chosen_.size(); ++s)
      if (there_[s]) out.push_back(chosen_[s]);
    return out;
  }

private:
  bool present(std::size_t i) const { return columns_.weight.empty() || columns_.weight[i] > 0; }
  // Numbers that are not zero, of rows that count.
  void each(std::size_t s, const auto& visit) const {
    each_in_column(std::get<SparseView>(columns_.x), chosen_[s], [&](Index i, double value) {
      const auto row = static_cast<std::size_t>(i);
      if (value != 0 && present(row)) visit(row, value);
    });
  }
  bool is_large(std::size_t s, std::size_t row) const {
    bool large = false;
    each(s, [&](std::size_t i, double value) { large = large || (i == row && std::abs(value) >= least_[s]); });
    return large;
  }
  void take_out(std::size_t s) {
    there_[s] = 0;
    each(s, [&](std::size_t i, double) {
      places_[i] -= s;
      if (--count_[i] == 1) alone_.push_back(i);
    });
  }

  const Batch& columns_;
  const std::vector<Index>& chosen_;
  std::vector<Index> count_;
  std::vector<std::size_t> places_;
  std::vector<double> least_;
  std::vector<char> there_;
  std::vector<std::size_t> alone_;
};

} // namespace

std::vector<Index> entangled_columns(const Batch& columns, std::vector<Index> chosen, bool centred) {
  Peeling peeling(columns, chosen);
  if (centred && !peeling.some_rows_are_empty()) return chosen; // ones may be a combination of them
  peeling.run();
  return peeling.left();
}

std::vector<Dependence> dependent_columns(const std::vector<Term>& terms, const std::vector<Index>& chosen,
                                          const Products& products, Pool& pool) {
  std::vector<Index> at;
  for (const Index j : chosen)
    if (terms[j].t == 0) at.push_back(j);
  const auto size = static_cast<Index>(at.size());
  if (size < 2) return {};
  const double unit = 10 * std::max(static_cast<double>(size), 8.0) * 0x1p-53; // as for products in double
  const Cholesky<double> factor(products.among<double>(at), size, unit, &pool);
  std::vector<Dependence> dependences;
  for (Index c = 0; c < size; ++c) {
    if (factor.is_basic(c)) continue;
    Dependence& dependence = dependences.emplace_back();
    dependence.column = at[c];
    const std::vector<double> share = factor.combination(c);
    double most = 0;
    for (const double x : share) most = std::max(most, std::abs(x));
    for (Index r = 0; r < c; ++r)
      if (std::abs(share[r]) > 1e-9 * most) dependence.equals.emplace_back(at[r], share[r]);
  }
  return dependences;
}

} // namespace recta
