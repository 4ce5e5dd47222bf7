// The proof of a kernel machine computes the score of every row anew, each with a bound on its rounding. Support
// vectors meet one another once, and of a row that costs nothing, the score need not be known to many digits.
#pragma once

#include "design/batch.hpp"
#include "kernel/near_sums.hpp"
#include "kernel/points.hpp"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace recta::svm {

// A row of a batch, its coefficient, and its score once it is computed.
struct KernelRow {
  Index i = 0, place = -1; // place: among the rows with a coefficient
  double beta = 0;
  double z = 0, off = 0; // the score without the intercept, and how far the exact one can be
  bool same = true;      // the model's support vector is this row
  bool free = false;     // it costs nothing, by more than any rounding: its score is not known
};

class KernelScores {
public:
  // `beta`: of the points.
  KernelScores(const kernel::Kernel& kernel, const kernel::Points& points, std::span<const double> beta, Pool& pool);

  // Whether a row without a coefficient costs nothing if its score is within `off` of z.
  using IsFree = std::function<bool(Index i, double z, double off)>;
  // Tiles of rows side by side; the numbers of a row do not depend on the others.
  void score(const Batch& batch, std::span<KernelRow> rows, const IsFree& is_free);

private:
  using Rows = std::span<KernelRow* const>;
  void each_tile(Rows rows, const std::function<void(Rows)>& use);
  kernel::Queries queries_of(const Batch& batch, Rows rows) const;
  void recall(const Batch& batch, Rows rows) const;
  void look_from_afar(const Batch& batch, Rows rows, const IsFree& is_free) const;
  void expand(const Batch& batch, Rows rows) const;
  void take(const kernel::Expansion& sum, const kernel::Queries& queries, Index query, KernelRow& row) const;

  const kernel::Kernel& kernel_;
  const kernel::Points& points_;
  std::span<const double> beta_;
  Pool& pool_;
  double mass_ = 0;                             // sum |beta|
  std::vector<kernel::Expansion> own_sums_;     // of the points; empty: they are scored as other rows are
  std::unique_ptr<kernel::NearSums> near_sums_; // null: not worth it
};

} // namespace recta::svm
