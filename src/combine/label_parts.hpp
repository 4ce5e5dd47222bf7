// The rows of a model of label sets, and its parts fitted to them.
#pragma once

#include "combine/label_body.hpp"
#include "family/family.hpp"

namespace recta::combine {

struct LabelTable {
  Table table;
  Index labels = 0;
  std::vector<std::uint8_t> members; // rows x labels

  bool has(Index i, Index k) const { return members[static_cast<std::size_t>(i * labels + k)] != 0; }
  LabelTable some(std::span<const Index> kept) const;
  std::vector<int> constant() const; // as LabelPlan has it
};
Result<LabelTable> gathered_labels(const LabelSet& labels, const Rows& rows);

// Which labels are constant over these rows, and in which orders the others are chained, as the options say.
Result<LabelPlan> plan_of(const FitOptions& options, const Schema& schema, const LabelTable& all,
                          const std::string& source);

// The rows of the part at this step of a chain, labelled 1 and -1, with its schema.
struct LabelPart {
  Schema schema;
  Table wide; // empty if the part reads the features alone
  const Table* table = nullptr;
  std::vector<double> y{};
  std::unique_ptr<RowSource> source{};
  std::string name{};

  Rows rows(const Rows& whole) const { return {*source, name, whole.sparse, false, whole.low}; }
};
std::unique_ptr<LabelPart> label_part(const LabelPlan& plan, std::size_t chain, std::size_t step, const Schema& schema,
                                      const LabelTable& all, const std::string& source);

Result<std::vector<Model>> fit_label_parts(const Request& request, const LabelPlan& plan, const Schema& schema,
                                           const LabelTable& all, const Rows& rows, const Clock& clock);

// The thresholds of the options, one per label: NaN where none is asked for.
Result<std::vector<double>> given_thresholds(const FitOptions& options, const LabelSet& labels);
// Those of the best F1 on the rows held out, by a fit to the others; NaN for a label that either part of the rows has
// throughout or not at all. If several are equally good, the highest.
Result<std::vector<double>> chosen_thresholds(const Request& request, const Schema& schema, const LabelTable& all,
                                              const Rows& rows, const Clock& clock);

} // namespace recta::combine
