// The columns of a matrix in the caller's memory, any order, double or float. The columns of the working set are
// copied, centred and scaled; the others are read where they are.
#pragma once

#include "base/pool.hpp"
#include "solver/coordinate_descent/features.hpp"

#include <recta/matrix.hpp>

namespace recta::descent {

class DenseFeatures final : public Features {
public:
  DenseFeatures(const MatrixView& x, std::span<const double> y, std::span<const double> weight,
                const Centring& centring, Pool& pool);
  void set_residual(std::span<const Index> support, std::span<const double> t) override;
  void gradient(std::span<const Index> which, std::span<double> g) override;
  void products(std::span<const Index> ids, Index from, double* out, Index stride) override;

private:
  Index rows() const { return x_.rows; }
  void weigh_residual();
  MatrixView columns(Index first, Index count) const;
  void look(Index first, Index count);
  // (x - mean) root of s over unit, by column.
  void centred(Index first, Index count, const double* scale, double* out) const;

  MatrixView x_;
  Pool& pool_;
  Centring centring_;
  std::vector<double> root_;                // of s
  std::vector<double> y_;                   // n x k: root of s times the centred, scaled targets
  std::vector<double> residual_, weighted_; // n x k: root of s times the residual; s times the residual
  std::vector<double> set_;                 // columns of the working set: rows x its size
};

} // namespace recta::descent
