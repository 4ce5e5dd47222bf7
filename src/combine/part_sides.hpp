// All rows with the sides that one part of a combined model sees: 1, -1, and no weight for rows of a class that it does
// not see. Unlike the rows of a table that is gathered first (table.hpp), these may stream past, or stand in parts on
// other machines.
#pragma once

#include "combine/code.hpp"
#include "design/row_source.hpp"

#include <recta/model.hpp>

namespace recta::combine {

class PartSides final : public RowSource {
public:
  // All of them outlive it.
  PartSides(RowSource& inner, const Classes& classes, const Code& code, Index part)
      : inner_(inner), classes_(classes), code_(code), part_(part) {}
  Index cols() const override { return inner_.cols(); }
  Index targets() const override { return 1; }
  std::optional<Index> rows() const override { return inner_.rows(); }
  std::unique_ptr<BlockScratch> scratch() const override;
  Result<std::optional<Index>> claim(BlockScratch& scratch) override;
  Result<Batch> load(BlockScratch& scratch) const override;
  Result<void> rewind() override { return inner_.rewind(); }
  Rounds* rounds() override { return inner_.rounds(); }

private:
  RowSource& inner_;
  const Classes& classes_;
  const Code& code_;
  Index part_;
};

} // namespace recta::combine
