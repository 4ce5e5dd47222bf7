// The body of the local outlier factor: the training rows, and the density around each.
#pragma once

#include "family/neighbours/remembering_body.hpp"
#include "objective/neighbours/local_density.hpp"

#include <map>

namespace recta::neighbours {

class OutlierBody final : public RememberingBody {
public:
  OutlierBody(std::shared_ptr<const NeighbourBody> memory, LocalDensity density)
      : RememberingBody(std::move(memory)), density_(std::move(density)) {}

  std::vector<std::string> score_names() const override { return {"outlier_factor"}; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;

  const LocalDensity& density() const { return density_; }

private:
  LocalDensity density_;
};

// Measures all training rows; none is its own neighbour.
LocalDensity local_density(const NeighbourBody& memory, Pool& pool);
// Measures single rows, from all distances and no index.
struct RowDensity {
  double reach = 0, spread = 0, factor = 0;
};
class DensityByDefinition {
public:
  explicit DensityByDefinition(const NeighbourBody& memory) : memory_(memory) {}
  RowDensity of(Index row);

private:
  const std::vector<Neighbour>& list_of(Index row);
  double reach_of(Index row);
  double spread_of_row(Index row);

  const NeighbourBody& memory_;
  std::map<Index, std::vector<Neighbour>> lists_; // of the rows asked for, and of their neighbours
};

} // namespace recta::neighbours
