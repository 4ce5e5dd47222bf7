// From typed rows to the numbers a solver sees, by a schema that was learned before. Training and prediction go through
// this one place, so they cannot disagree.
#pragma once

#include "design/batch.hpp"
#include "feature/classes.hpp"
#include "feature/label_set.hpp"
#include "feature/map/maps.hpp"
#include "feature/schema.hpp"
#include "feature/text_columns.hpp"

namespace recta::feature {

// A column of documents and the reader of its terms.
struct BoundText {
  Index column = -1;
  text::TermReader reader;
};

// The places in one table of everything the schema names; -1 if it is not read.
struct Binding {
  std::vector<Index> columns; // one per schema column
  std::vector<Index> targets;
  Index weights = -1, offset = -1, cluster = -1;
  Maps maps;
  std::vector<BoundText> texts{}; // one per text of the schema, which outlives them
};

enum class Need : std::uint8_t { features, features_and_targets };

// Binds by name, whatever the order; columns the model does not know are left alone. Every missing one is named.
Result<Binding> bind(const Schema& schema, const Dataset& header, Need need);

// The levels that the codes of one table's categories map to: code -> level number of the schema, or one of these.
inline constexpr std::int32_t kUnseen = -2;
using LevelMaps = std::vector<std::vector<std::int32_t>>; // one per schema column; then the classes of the target

// One block of encoded rows, with the memory its Batch points into.
struct EncodedBlock {
  Values x, target, weight, offset;
  Values low;                      // low parts of x, if maps make numbers that a double cannot hold
  Values inputs;                   // of maps: columns that only they read; sparse layout: their features
  std::vector<Index> start, index; // sparse layout
  std::vector<std::uint64_t> cluster;
  text::TermScratch term_scratch;        // for documents that were not counted before
  std::vector<text::WorkerRows> counted; // their terms
  UnknownTerms unknown;                  // and how many terms the vocabularies lack
  std::vector<bool> any_known;           // rows that have terms
  std::vector<Index> terms;              // features of one row, ascending
  Values term_values;
  std::vector<std::uint8_t> absent; // rows with a missing value under Missing::drop
  std::vector<Index> completed; // Missing::neighbours: the place of every row in `numbers`, -1 if nothing is missing
  Values numbers;               // all columns of numbers of rows that lacked some, filled in
  Batch batch;
};

// The places from which a block takes its rows, beside the block itself.
struct BlockOrigin {
  const TextRows* terms = nullptr; // of documents that were counted before; none: the documents are read
  Index first = 0;                 // the place of the block among them
  const Dataset* table = nullptr;  // of a view: the columns of numbers are taken from here,
  std::span<const RowRun> runs{};  // from these rows, and only the other columns were gathered
};

// One call of encode(), for the encoder's own files.
struct EncodeTask;

class Encoder {
public:
  Encoder(const Schema& schema, Binding binding);

  const Schema& schema() const { return *schema_; }
  Index cols() const { return cols_; }
  bool sparse() const { return sparse_; }
  bool has_low() const { return !sparse_ && binding_.maps.has_low(); } // blocks carry the low parts of x
  Index targets() const {
    const bool cells = !binding_.targets.empty() && !schema_->labels.separator.empty();
    return cells ? std::ssize(schema_->labels.names) : std::ssize(binding_.targets);
  }

  LevelMaps map_levels(const Dataset& data) const;
  // The places of the columns that a view gathers for encode(), ascending: not documents, nor numbers that encode()
  // takes from the table itself.
  std::vector<Index> gathered_columns() const;
  // Rows [first, first + count) of `data`.
  Result<void> encode(const Dataset& data, const LevelMaps& maps, Index first, Index count, EncodedBlock& block,
                      const BlockOrigin& origin = {}) const;

private:
  Result<void> encode_dense(const EncodeTask& task) const;
  void complete_rows(const EncodeTask& task) const;
  Result<void> encode_sparse(const EncodeTask& task) const;
  Result<void> encode_number(const EncodeTask& task, std::size_t c, double* out, double* indicator) const;
  Result<std::int32_t> level_of(const EncodeTask& task, std::size_t c, Index i) const;
  Result<void> encode_outcome(const EncodeTask& task) const;
  Result<void> encode_number_target(const EncodeTask& task, std::size_t k, double* out) const;
  Result<void> encode_labels(const EncodeTask& task, double* out) const;
  Result<void> encode_label_set(const EncodeTask& task) const;
  Result<void> encode_weights(const EncodeTask& task) const;
  // The features of the maps of all rows, by column, after the inputs were encoded.
  Result<void> encode_maps(const EncodeTask& task, const std::vector<const double*>& inputs, double* high,
                           double* low) const;
  Result<void> sparse_maps(const EncodeTask& task, const std::vector<Values>& numbers) const;
  Result<void> encode_cluster(const EncodeTask& task) const;
  Result<void> read_texts(const EncodeTask& task) const;
  std::span<const text::TermCount> counts_of_row(const EncodeTask& task, std::size_t t, Index i) const;
  Index count_terms(const EncodeTask& task) const; // of all rows and texts
  void put_terms(const EncodeTask& task, Index i) const;
  // The terms of row i as features, and their values.
  void append_terms(const EncodeTask& task, Index i, std::vector<Index>& features, Values& values) const;
  bool sparse_as_is(const Dataset& data) const;

  const Schema* schema_;
  Binding binding_;
  ClassFinder classes_;
  LabelFinder labels_;
  std::vector<Index> first_feature_;              // the first feature of each schema column
  std::vector<std::vector<Index>> level_feature_; // the feature of each level of a category; -1 for the reference
  Index first_mapped_ = 0;                        // the first feature of the maps
  std::vector<Index> first_term_;                 // the first feature of each text
  Index cols_ = 0;
  bool sparse_ = false;
  std::vector<bool> left_out_; // sparse columns that are ignored: zeros in every row; empty: none is
};

} // namespace recta::feature
