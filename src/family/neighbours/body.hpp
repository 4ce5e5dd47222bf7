// The body of nearest neighbours: the training rows themselves, and an index over them.
#pragma once

#include "base/pool.hpp"
#include "certificate/neighbours/recall.hpp"
#include "family/neighbours/settings.hpp"
#include "family/neighbours/training_rows.hpp"
#include "family/neighbours/votes.hpp"
#include "solver/neighbours/hnsw/hnsw.hpp"

#include <recta/body.hpp>
#include <recta/model.hpp>
#include <recta/neighbours.hpp>

#include <mutex>

namespace recta::neighbours {

// Errors at every k from 1 on: the share of the weight that is predicted wrongly, or the mean squared error.
struct ErrorsByK {
  std::vector<double> left_out; // of each row by the others
  std::vector<double> training; // of each row by all, itself included
  Index best() const;           // the least k of the least error left out
  bool operator==(const ErrorsByK&) const = default;
};

// An index that need not be built again, and the rows in the units of distances, if these are other ones. Only what the
// index has is there.
struct BuiltIndex {
  CheckedArray<double> points{};
  std::optional<TreeParts> tree{};
  std::optional<GraphParts> graph{};
};

// How rows are looked for, and what is made of those nearest.
struct NeighbourRule {
  Settings settings;
  IndexWord index;
  Index classes = 0, positive = 0;
};

class NeighbourBody final : public Body, public RowMemory {
public:
  NeighbourBody(TrainingRows rows, const NeighbourRule& rule, FitSummary summary, ErrorsByK errors = {},
                BuiltIndex built = {});

  const FitSummary& summary() const override { return summary_; }
  Index features() const override { return rows_.cols; }
  Index scores() const override { return classes_ == 0 ? rows_.targets : classes_ == 2 ? 1 : classes_; }
  Result<void> score(const Batch& rows, ScoresOf of, double* out) const override;
  bool own_probabilities() const override { return classes_ > 0; }
  Result<void> probability(const Batch& rows, double* out) const override;
  Result<Report> explain(const Batch& row, const Schema& schema) const override; // the neighbours that decided
  Report report(const Schema& schema) const override;
  void write(TensorWriter& out) const override;

  Index remembered_columns() const override { return rows_.cols; }
  Result<NeighbourList> nearest(std::span<const double> queries, const NeighbourQuery& query,
                                int threads) const override;

  const TrainingRows& rows() const { return rows_; }
  const Settings& settings() const { return settings_; }
  const Points& points() const { return points_; }
  IndexWord index() const { return index_; }
  const Search& search() const;          // built when it is first asked for
  void build(Pool& pool) const;          // or now
  BuiltIndex built() const;              // what a file or another body needs to do without building it
  bool index_as_built(Pool& pool) const; // whether the rows and the options give the index it has

  // Brings queries into the units of the points; an error names the first that cannot be.
  Result<void> map(std::span<double> queries, Index first_row) const;
  // One list of neighbours per mapped query: what is wanted, the radius in the distance that users see.
  // `self`: as in Search::find.
  Neighbourhoods find(std::span<const double> queries, Wanted wanted, std::span<const Index> self, Pool& pool) const;
  double target(Index row, Index t) const { return rows_.y[at(row * rows_.targets + t)]; }

  // Before it is shared: the training fit, the recall measured, and an index that need not be built again.
  void set_classes(const ClassFit& fit) { summary_.classes = fit; }
  void set_recall(const Recall& recall) { recall_ = recall; }
  void set_index(BuiltIndex built) { known_ = std::move(built); }
  const Recall& recall() const { return recall_; }
  ErrorsByK errors_by_k(Index most, Pool& pool) const;
  Result<std::vector<double>> errors_of(const TrainingRows& others, Index most,
                                        Pool& pool) const;   // of other rows, likewise
  const ErrorsByK& stated_errors() const { return errors_; } // by which k was chosen; empty: it was given
  ClassFit training_fit(Pool& pool) const;

private:
  class ErrorSums;
  // An error if a row that shares no column with the query would have to answer it.
  Result<void> check_comparable(std::span<const Neighbour> list, Index row) const;
  std::vector<double> mapped_rows() const; // in the units of distances
  template <class Answer>
  Result<void> answer(const Batch& rows, Index width, double* out, const Answer& write) const;
  template <class Answer>
  Result<void> without_neighbours(Index row, Index width, double* out, const Answer& write) const;

  TrainingRows rows_;
  Settings settings_;
  IndexWord index_;
  Index classes_, positive_;
  FitSummary summary_;
  ErrorsByK errors_;
  Recall recall_;
  mutable BuiltIndex known_;    // trees and graphs until the index is built
  CheckedArray<double> mapped_; // the rows in the units of distances, if these are other ones
  Points points_;
  mutable std::once_flag built_;
  mutable std::unique_ptr<Search> search_;
};

// Whether the metric has a distance for every row.
Result<void> check_metric(const Metric& metric, const TrainingRows& rows, const std::string& source);
// What the metric learns from the rows. `category`: as in Sample.
Result<void> learn_metric(Metric& metric, const TrainingRows& rows, std::span<const Index> category,
                          const std::string& source);
std::vector<Index> categories_of(const Schema& schema);

Result<std::shared_ptr<const Body>> read_neighbours(FieldReader& in, FitSummary summary, const Schema& schema);

} // namespace recta::neighbours
