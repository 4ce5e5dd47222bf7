// The rows of another source in a basis (basis.hpp), computed in double-double.
#pragma once

#include "stats/basis/basis.hpp"
#include "stats/replaced_rows.hpp"

namespace recta {

class BasisRows final : public ReplacedRows {
public:
  BasisRows(RowSource& rows, const Basis& basis) : ReplacedRows(rows), basis_(basis) {} // both must outlive this

private:
  bool replace(double* x, double* low) const override;

  const Basis& basis_;
};

} // namespace recta
