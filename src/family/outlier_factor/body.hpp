// The body of the local outlier factor: the training rows, and the density around each.
#pragma once

#include "family/neighbours/body.hpp"
#include "objective/neighbours/local_density.hpp"

#include <map>

namespace recta::neighbours {

class OutlierBody final : public Body, public RowMemory {
public:
  OutlierBody(std::shared_ptr<const NeighbourBody> memory, LocalDensity density)
      : memory_(std::move(memory)), density_(std::move(density)) {}

  const FitSummary& summary() const override { return memory_->summary(); }
  Index features() const override { return memory_->features(); }
  Index scores() const override { return 1; }
  std::vector<std::string> score_names() const override { return {"outlier_factor"}; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;

  Index remembered_columns() const override { return memory_->remembered_columns(); }
  Result<NeighbourList> nearest(std::span<const double> queries, const NeighbourQuery& query,
                                int threads) const override {
    return memory_->nearest(queries, query, threads);
  }

  const NeighbourBody& memory() const { return *memory_; }
  const LocalDensity& density() const { return density_; }

private:
  std::shared_ptr<const NeighbourBody> memory_;
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
