// The columns and the targets of one problem, about their means if it has an intercept, in units in which every column
// and the target have length about one: z_j = (x_j - mean_j) / unit_j with powers of two as units, so that they round
// nothing. Lengths and products are weighted: <a, b> = sum_i s_i a_i b_i, sum s = 1. There may be k targets in one
// unit, for penalties that join them; arrays over columns and targets are ordered by target.
#pragma once

#include "solver/coordinate_descent/working_set.hpp"

#include <recta/error.hpp>

#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace recta::descent {

struct Centring {
  bool features = true, target = true;
  bool operator==(const Centring&) const = default;
};

double power_of_two_near(double length); // 1 for 0

class Features {
public:
  virtual ~Features() = default;

  // Filled by the constructors.
  std::vector<double> mean, length; // of x_j; length of x_j - mean_j, 0 if the column is constant
  std::vector<double> unit, norm;   // norm: of z_j
  std::vector<double> correlation;  // <z_j, y>: p x k
  std::vector<double> target_mean;  // k
  double target_unit = 1;
  double target_square = 0; // <y, y> in units of target_unit^2, over all targets

  Index cols() const { return static_cast<Index>(unit.size()); }
  Index targets() const { return static_cast<Index>(target_mean.size()); }

  // Sets the residual to y - sum t_j z_j, computed afresh from the data; t is |support| x k.
  virtual void set_residual(std::span<const Index> support, std::span<const double> t) = 0;
  double residual_square = 0;
  double moved = std::numeric_limits<double>::infinity(); // upper bound, by the last set_residual()
  // g[j] = <z_j, residual> for every j in `which`; g is p x k.
  virtual void gradient(std::span<const Index> which, std::span<double> g) = 0;
  // Fills the columns starting at `from` of a square matrix (by column, `stride` apart) with the products of
  // ids[from..] and all of ids, and the rows starting at `from` with the same. The ids before `from` are those of the
  // last call.
  virtual void products(std::span<const Index> ids, Index from, double* out, Index stride) = 0;

  virtual std::unique_ptr<WorkingSet> working_set() { return products_set(); }
  std::unique_ptr<WorkingSet> products_set(); // a set that holds the products of its columns

protected:
  void resize(Index cols); // after the targets are known
  // Sets the length of x_j - mean_j, and its products with the scaled targets.
  void set_column(Index j, double length, std::span<const double> products);
  // Sets means, unit and square of the targets, which are stored one after the other. root: square roots of s; y: root
  // times the centred, scaled targets.
  void scale_target(std::span<const double> target, Index rows, std::span<const double> weight,
                    const Centring& centring, std::vector<double>& root, std::vector<double>& y);
};

} // namespace recta::descent
