// Features that are known only by their Gram: the rows are no longer needed. If the Gram was gathered in double-double,
// the gradient is computed in it too.
#pragma once

#include "base/double_double.hpp"
#include "solver/coordinate_descent/features.hpp"
#include "stats/gram/gram.hpp"

namespace recta::descent {

class GramFeatures final : public Features {
public:
  // Uses `targets` targets, starting at number `target`.
  GramFeatures(const Gram& gram, Index target, Index targets, const Centring& centring);
  void set_residual(std::span<const Index> support, std::span<const double> t) override;
  void gradient(std::span<const Index> which, std::span<double> g) override;
  void products(std::span<const Index> ids, Index from, double* out, Index stride) override;

private:
  DoubleDouble mean_of(Index j) const;
  DoubleDouble weight() const { return {gram_.weight, gram_.weight_low}; }
  DoubleDouble product(Index i, Index j) const; // sum over rows, about the means if they are subtracted
  DoubleDouble gradient_of(Index j, Index t) const;

  const Gram& gram_;
  Index y_; // place of the first target
  Centring centring_;
  bool extended_;
  std::vector<double> matrix_;   // p x p: products of z_i and z_j
  std::vector<double> gradient_; // p x k, of the last residual; unless extended
  std::vector<Index> support_;
  std::vector<double> t_;
};

} // namespace recta::descent
