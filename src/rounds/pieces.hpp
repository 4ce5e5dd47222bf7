// The rows of a table that stands elsewhere, as a fit sees them: columns and targets are known, a statistic of all rows
// is had by a round, and what can be read here is one piece of the table, which whoever answers the round lays open.
#pragma once

#include "design/rounds.hpp"
#include "rows/sources.hpp"

namespace recta::rounds {

class Pieces final : public RowSource {
public:
  // `sample`: rows that every machine has. Schema, sample and rounds outlive it.
  static Result<std::unique_ptr<Pieces>> make(const Schema& schema, const Dataset& sample, Rounds& rounds);

  // For a fit; `first_row`: of the part whose rows messages speak of.
  Rows as_rows(const std::string& name, Index first_row);
  Index block_rows() const { return recta::block_rows(cols()); }

  // A statistic of rows of `data`, which are a part of the whole; and of the sample.
  Result<std::string> of(const Rounds::Statistic& statistic, const Dataset& data, const feature::PartOfTable& part);
  Result<std::string> of_sample(const Rounds::Statistic& statistic);

  Index cols() const override { return sample_->rows().source.cols(); }
  Index targets() const override { return sample_->rows().source.targets(); }
  std::optional<Index> rows() const override { return {}; } // as of a stream, on every machine
  std::unique_ptr<BlockScratch> scratch() const override {
    return open_ ? open_->scratch() : std::make_unique<BlockScratch>();
  }
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override { return open_->load(scratch); }
  Result<void> rewind() override { return open_ ? open_->rewind() : Result<void>{}; }
  Rounds* rounds() override { return &rounds_; }

private:
  Pieces(const Schema& schema, std::unique_ptr<TableRows> sample, Rounds& rounds);

  const Schema& schema_;
  std::unique_ptr<TableRows> sample_;
  Rounds& rounds_;
  RowSource* open_ = nullptr;
};

} // namespace recta::rounds
