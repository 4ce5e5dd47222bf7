// The rows of a model of label sets: gathered in memory once, or read in place for every label if they stream past or
// stand on other machines.
#pragma once

#include "combine/label_body.hpp"
#include "combine/table.hpp"

#include <memory>
#include <optional>

namespace recta::combine {

// Rows that weigh anything, counted by label.
struct LabelSums {
  Index rows = 0;
  double weight = 0;
  std::vector<Index> there{};              // rows that have the label
  std::vector<double> present{}, absent{}; // weight of the rows that have it, and of those that do not

  explicit LabelSums(Index labels = 0)
      : there(static_cast<std::size_t>(labels)), present(there.size()), absent(there.size()) {}
  std::vector<int> constant() const; // as LabelPlan has it
};

struct LabelTable {
  Table table;
  Index labels = 0;
  std::vector<std::uint8_t> members; // rows x labels

  bool has(Index i, Index k) const { return members[static_cast<std::size_t>(i * labels + k)] != 0; }
  LabelTable some(std::span<const Index> kept) const;
  LabelSums sums() const;
};

// The rows of one label, 1 and -1, with their schema.
struct LabelPart {
  Schema schema;
  Table wide; // empty if the part reads the features alone, or its rows in place
  std::vector<double> y{};
  std::unique_ptr<RowSource> source{};
  std::string name{};
  Index first_row = 0;

  Rows rows(const Rows& whole) const { return {*source, name, whole.sparse, false, whole.low, nullptr, first_row}; }
};

class LabelRows {
public:
  // Schema and rows outlive it.
  static Result<LabelRows> gathered(const Schema& schema, const Rows& rows);
  static Result<LabelRows> in_place(const Schema& schema, const Rows& rows, Pool& pool, const Watch& watch);
  LabelRows(const Schema& schema, const Rows& rows, LabelTable table);

  const Rows& rows() const { return rows_; }
  const Schema& schema() const { return schema_; }
  Index cols() const { return rows_.source.cols(); }
  const LabelSums& sums() const { return sums_; }
  const LabelTable* table() const { return table_ ? &*table_ : nullptr; } // null: they are read in place

  // The rows of the label at this step of a chain.
  std::unique_ptr<LabelPart> part(const LabelPlan& plan, std::size_t chain, std::size_t step) const;
  bool go_side_by_side(Index parts, const Pool& pool) const;
  // How well the body predicts these rows.
  Result<LabelFit> judged(const LabelBody& body, Pool& pool, const Watch& watch) const;

private:
  LabelRows(const Schema& schema, const Rows& rows) : schema_(schema), rows_(rows) {}

  const Schema& schema_;
  const Rows& rows_;
  LabelSums sums_;
  std::optional<LabelTable> table_;
};

} // namespace recta::combine
