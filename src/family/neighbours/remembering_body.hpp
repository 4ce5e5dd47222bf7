// A body that scores by the rows it remembers, one score a row.
#pragma once

#include "family/neighbours/body.hpp"

namespace recta::neighbours {

class RememberingBody : public Body, public RowMemory {
public:
  explicit RememberingBody(std::shared_ptr<const NeighbourBody> memory) : memory_(std::move(memory)) {}

  const FitSummary& summary() const override { return memory_->summary(); }
  Index features() const override { return memory_->features(); }
  Index scores() const override { return 1; }
  Index remembered_columns() const override { return memory_->remembered_columns(); }
  Result<NeighbourList> nearest(std::span<const double> queries, const NeighbourQuery& query,
                                int threads) const override {
    return memory_->nearest(queries, query, threads);
  }
  const NeighbourBody& memory() const { return *memory_; }

protected:
  std::shared_ptr<const NeighbourBody> memory_;
};

} // namespace recta::neighbours
