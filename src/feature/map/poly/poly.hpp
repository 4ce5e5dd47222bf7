// All monomials of some columns up to a degree, by degree and then in the order of the columns: x, y, x^2, x*y, y^2.
// Each is its parent times one column, in double-double: relative error at most 2 u^2 per factor.
#pragma once

#include "feature/map/expression.hpp"

#include <recta/estimator.hpp>

namespace recta::feature {

class Poly {
public:
  Poly(std::vector<std::string> columns, Index degree, PolyTerms terms);

  static constexpr Index kMost = 1'000'000; // features
  // How many there are; more than kMost reads kMost + 1. Needs no memory.
  static Index count(Index columns, Index degree, PolyTerms terms);

  Index count() const { return static_cast<Index>(monomials_.size()); }
  std::string name(Index k) const;
  // Monomials of the same columns stand together: x, x^2; y, y^2; x*y, x^2*y.
  std::vector<std::vector<Index>> kin() const;
  bool has_low() const { return degree_ > 1; }
  // `high` and `low` by column, rows.count numbers per feature.
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const;

private:
  struct Monomial {
    Index parent; // -1: 1
    std::size_t column;
  };
  std::unexpected<MapFault> too_large(const MapRows& rows, Index k, Index row) const;
  std::vector<std::size_t> factors(Index k) const; // columns, ascending, as often as they occur

  std::vector<std::string> columns_;
  Index degree_;
  std::vector<Monomial> monomials_;
};

} // namespace recta::feature
