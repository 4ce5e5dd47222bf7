// Columns centred and scaled as data beside the matrix, never as a copied matrix: with B = (A - 1 m') D, D = diag(1/s),
//   B w = A D w - 1 (m' D w)        B' r = D (A' r - m (1' r))
// so a sparse A stays sparse. The subtraction in B' r cancels if |m| is large compared with s: about log10(|m| / s)
// digits are lost, which a refinement about the means (stats/residual) restores.
#pragma once

#include "design/linear_operator/linear_operator.hpp"

namespace recta {

// x becomes (x - shift) / scale. Empty: no shift, no scale. A scale is never zero: a constant column has scale 1.
struct Standardisation {
  std::vector<double> shift, scale;
};

class StandardisedOperator final : public LinearOperator {
public:
  StandardisedOperator(LinearOperator& inner, Standardisation by) : inner_(inner), by_(std::move(by)) {}
  Index rows() const override { return inner_.rows(); }
  Index cols() const override { return inner_.cols(); }
  Result<void> apply(std::span<const double> w, std::span<double> z) override;
  Result<void> apply_transposed(std::span<const double> r, std::span<double> g) override;

private:
  LinearOperator& inner_;
  Standardisation by_;
  std::vector<double> scaled_;
};

} // namespace recta
