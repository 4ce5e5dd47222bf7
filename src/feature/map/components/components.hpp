// Principal components: the directions of most variance of columns (x - mean) / sd, each a sum with weights that were
// learned once (family/column_cures.hpp).
//
//   components(COL, ..., COUNT)
//
// `learned`: the means, the deviations, then the weights of the first component, of the second, ...
#pragma once

#include "feature/map/maps.hpp"

namespace recta::feature {

class Components final : public Map {
public:
  static Index numbers(Index columns, Index count) { return columns * (count + 2); }

  Components(std::size_t columns, std::vector<double> learned);
  Index count() const override { return count_; }
  std::string name(Index k) const override;
  bool has_low() const override { return true; }
  MapOutcome evaluate(const MapRows& rows, double* high, double* low) const override;

private:
  std::size_t columns_;
  Index count_;
  std::vector<double> learned_;
};

} // namespace recta::feature
