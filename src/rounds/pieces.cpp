#include "rounds/pieces.hpp"

namespace recta::rounds {

Pieces::Pieces(const Schema& schema, std::unique_ptr<TableRows> sample, Rounds& rounds)
    : schema_(schema), sample_(std::move(sample)), rounds_(rounds) {}

Result<std::unique_ptr<Pieces>> Pieces::make(const Schema& schema, const Dataset& sample, Rounds& rounds) {
  auto rows = TableRows::make(schema, sample);
  if (!rows) return std::unexpected(rows.error());
  return std::unique_ptr<Pieces>(new Pieces(schema, *std::move(rows), rounds));
}

Rows Pieces::as_rows(const std::string& name, Index first_row) {
  Rows out = sample_->rows();
  return {*this, name, out.sparse, false, out.low, nullptr, first_row};
}

Result<std::string> Pieces::of(const Rounds::Statistic& statistic, const Dataset& data,
                               const feature::PartOfTable& part) {
  const auto rows = TableRows::make(schema_, data, part);
  if (!rows) return std::unexpected(rows.error());
  open_ = &(*rows)->rows().source;
  auto found = statistic.here();
  open_ = nullptr;
  return found;
}

Result<std::string> Pieces::of_sample(const Rounds::Statistic& statistic) {
  open_ = &sample_->rows().source;
  auto found = statistic.here();
  open_ = nullptr;
  return found;
}

// Whoever claims blocks outside a round wants the rows themselves.
Result<std::optional<Index>> Pieces::claim(BlockScratch& scratch) {
  if (open_) return open_->claim(scratch);
  return fail(ErrorCode::usage, "an engine",
              "this model reads its rows in ways that rounds over parts of a table do not give",
              "fit it on one machine, with --stream if memory is short; for a kernel, --approximate or the map nystrom "
              "(docs/cluster.md)");
}

} // namespace recta::rounds
