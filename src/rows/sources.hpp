// Each kind of data as rows to fit, with everything the rows point into kept alive beside them.
#pragma once

#include "data/block_reader.hpp"
#include "data/kept_input.hpp"
#include "design/scaled_weights.hpp"
#include "driver/first_pass.hpp"
#include "feature/stream_source.hpp"
#include "feature/table_source.hpp"
#include "rows/learn_maps.hpp"

namespace recta {

// A table in memory, or a view of one. What it is made of outlives it.
class TableRows {
public:
  // `texts`: the terms of the documents, if they were counted before; otherwise they are counted now, once.
  static Result<std::unique_ptr<TableRows>> make(const Schema& schema, const TableView& data,
                                                 std::shared_ptr<const feature::TextRows> texts = nullptr);
  // Rows of one part of a larger table, numbered within the whole. Documents are read whenever their rows are.
  static Result<std::unique_ptr<TableRows>> make(const Schema& schema, const Dataset& data,
                                                 const feature::PartOfTable& part);
  Rows rows();

private:
  TableRows(const Schema& schema, feature::Binding binding, const TableView& data,
            std::shared_ptr<const feature::TextRows> texts);
  TableRows(const Schema& schema, feature::Binding binding, const Dataset& data, const feature::PartOfTable& part);
  const std::string& name_;
  int doublings_ = 0; // of the weights, so that they are far from the ends of the doubles
  feature::Encoder encoder_;
  feature::TableSource source_;
  ScaledWeights scaled_;
};

// The caller's arrays, checked for shapes that fit together.
class ArrayRows {
public:
  // `threads`, here and below: those that look at the indices of sparse rows; 0: all cores.
  static Result<std::unique_ptr<ArrayRows>> make(const Arrays& arrays, Index first_row = 0, int threads = 1);
  // Makes rows with the features of the schema's maps; the schema outlives the rows.
  static Result<std::unique_ptr<ArrayRows>> make(const Arrays& arrays, const Schema& schema);
  static Result<std::unique_ptr<ArrayRows>> make_checked(const Arrays& arrays, const Schema& schema);
  Rows rows() { return {*source_, "arrays", sparse_, false, false, arrays_, 0, doublings_}; }

private:
  static std::unique_ptr<ArrayRows> plain(const Arrays& arrays, Index first_row);
  void put_scaled(const Arrays& arrays, int doublings);
  std::unique_ptr<RowSource> source_;
  bool sparse_ = false;
  const Arrays* arrays_ = nullptr; // outlives this
  int doublings_ = 0;              // of the weights, as for tables
  Arrays scaled_{};
  std::vector<double> weights_;
};

enum class TargetIs : std::uint8_t { needed, absent };

// The options with names for the numbers that come with the arrays, so that whoever looks at the names sees them. An
// error for names of columns that arrays do not have.
Result<FitOptions> array_options(const Arrays& arrays, const FitOptions& options);
Schema schema_of(const Arrays& arrays, const FitOptions& options);
// The schema with the maps of the options, whose knots are learned from the rows; and that of arrays not yet checked.
// `features`: where those of all rows may go, if they are those of one map.
Result<Schema> mapped_schema(const Arrays& arrays, const FitOptions& options, Values* features = nullptr);
// What maps of the schema that learn from rows are given of them; both outlive it.
WithRows with_plain_rows(const Arrays& arrays, const Schema& schema);
Result<Schema> checked_schema(const Arrays& arrays, const FitOptions& options, TargetIs target = TargetIs::needed);

// A file as it is read, from its beginning. The schema outlives it.
class StreamRows {
public:
  static Result<std::unique_ptr<StreamRows>> make(const Schema& schema, std::unique_ptr<RowStream> stream);
  Rows rows() { return {source_, stream_->header().source, encoder_.sparse(), single_pass_, encoder_.has_low()}; }
  std::unique_ptr<RowStream> release() { return std::move(stream_); } // ends the rows

private:
  StreamRows(const Schema& schema, feature::Binding binding, std::unique_ptr<RowStream> stream);
  std::unique_ptr<RowStream> stream_;
  feature::Encoder encoder_;
  feature::StreamSource source_;
  bool single_pass_ = false;
};

// open_stream(), which for some formats reads all of a file, or waits for standard input; and open_kept_stream().
Result<std::unique_ptr<RowStream>> open_watched(const std::string& path, const ReadOptions& options,
                                                const Clock& clock);
Result<KeptStream> open_kept_watched(const std::string& path, const ReadOptions& options, const Clock& clock);

} // namespace recta
