// A basis in which columns are less alike. Some columns are replaced by their remainders beside earlier ones,
//
//   u_j = x_j - sum_{k < j} c_jk x_k - m_j,      u_j = x_j for all others,
//
// so that <w, x> + b = <v, u> + b' with v and b' from w and b exactly: the map is triangular with ones on its diagonal
// and has an inverse whatever the rounded numbers c and m are. Columns that agree to a few digits (x1 = x0 + 1e-10 e)
// differ in u by all of theirs.
#pragma once

#include "base/double_double.hpp"

#include <recta/error.hpp>

#include <span>
#include <utility>
#include <vector>

namespace recta {

struct Basis {
  struct Column {
    Index column = 0;                                       // j
    DoubleDouble constant = 0.0;                            // m_j
    std::vector<std::pair<Index, DoubleDouble>> terms = {}; // earlier columns, ascending, and c
    double spread = 0;                                      // root of the mean square of u_j, about its mean if centred
    bool left_out = false;                                  // its remainder is no more than rounding would leave
  };
  struct Scores {
    std::vector<DoubleDouble> w; // one number per column
    DoubleDouble b = 0.0;

    std::vector<double> weights() const; // rounded
  };

  Index cols = 0;
  std::vector<Column> columns = {}; // ascending

  bool any_left_out() const;
  bool any_kept() const;                                               // some column is replaced and not left out
  Scores into(std::span<const double> w, DoubleDouble b) const;        // from scores of x to those of u
  Scores back(std::span<const DoubleDouble> v, DoubleDouble b) const;  // from scores of u to those of x
  std::vector<double> absolute(std::span<const DoubleDouble> v) const; // sum_j |v_j| |du_j / dx_k|, for every k

  // A number u_j is computed to this share of |x_j| + sum |c_jk x_k| + |m_j|.
  double rounding() const;
};

} // namespace recta
