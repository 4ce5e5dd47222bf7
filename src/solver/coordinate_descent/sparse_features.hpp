// Compressed columns in the caller's memory. Centring never touches the zeros: with z = (x - m) / unit,
//   <z_j, r> = (sum over stored of s_i x_ij r_i - m_j sum_i s_i r_i) / unit_j.
#pragma once

#include "base/pool.hpp"
#include "solver/coordinate_descent/features.hpp"

#include <recta/matrix.hpp>

namespace recta::descent {

class SparseFeatures final : public Features {
public:
  SparseFeatures(const SparseView& x, std::span<const double> y, std::span<const double> weight,
                 const Centring& centring, Pool& pool);
  void set_residual(std::span<const Index> support, std::span<const double> t) override;
  void gradient(std::span<const Index> which, std::span<double> g) override;
  void products(std::span<const Index> ids, Index from, double* out, Index stride) override;
  std::unique_ptr<WorkingSet> working_set() override;

  const SparseView& matrix() const { return x_; }
  const std::vector<double>& share() const { return share_; }       // s
  const std::vector<double>& residual() const { return residual_; } // of set_residual(); n x k

private:
  void look(Index j, std::span<double> with_y);
  struct Sums { // over the stored numbers of a column: of s x, of s, of s x times the first target
    double values = 0, shares = 0, products = 0;
  };
  Sums sums(Index j) const;
  double square_about(Index j, double centre) const;
  void sum_weighted();

  SparseView x_;
  Pool& pool_;
  Centring centring_;
  bool alike_; // all s are equal
  Index rows() const { return x_.rows; }

  std::vector<double> share_;                   // s
  std::vector<double> y_, residual_, weighted_; // n x k: scaled targets; residual; s times it
  std::vector<double> weighted_sum_;            // k
};

} // namespace recta::descent
