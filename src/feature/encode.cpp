#include "feature/donors.hpp"
#include "feature/encode_task.hpp"
#include "feature/places.hpp"
#include "feature/sparse_layout.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

namespace recta::feature {
namespace {

// When predicting it is too late for the flag.
constexpr std::string_view kMissingAdvice = "fill it in, or fit with --missing drop, mean, indicator or neighbours";

std::vector<std::string> target_levels(const Column& column) {
  return column.type == ColumnType::category ? column.levels : std::vector<std::string>{};
}

// If it were left out, the answer would change without a word: the file may count its columns from another number.
std::unexpected<Error> below_base(const Dataset& data, Index row, const Schema& schema) {
  return fail(ErrorCode::bad_data, fmt::format("{}, row {}", data.source, data.first_row + row + 1),
              fmt::format("it has an index below {}, where the columns of training begin", schema.sparse_base),
              "number the columns as in the training file");
}

// A row of weight zero is absent in training, whatever it holds.
bool is_absent(const EncodeTask& task, Index weights, Index i) {
  return weights >= 0 && task.column(weights).values[at(task.first + i)] == 0;
}

double completed_number(const EncodeTask& task, const Schema& schema, std::size_t column, Index row) {
  Index before = 0, numbers = 0;
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const bool number = schema.columns[c].type != ColumnType::category;
    before += number && c < column;
    numbers += number;
  }
  return task.block.numbers[at(task.block.completed[at(row)] * numbers + before)];
}

} // namespace

Encoder::Encoder(const Schema& schema, Binding binding)
    : schema_(&schema), binding_(std::move(binding)), classes_(schema.classes), labels_(schema.labels) {
  Index full = 0; // features that are rarely zero
  for (const SchemaColumn& column : schema.columns) {
    first_feature_.push_back(cols_);
    auto& levels = level_feature_.emplace_back();
    if (column.type == ColumnType::category) {
      Index next = cols_;
      for (const std::string& level : column.levels)
        levels.push_back(!column.reference.empty() && level == column.reference ? -1 : next++);
    }
    cols_ += feature_count(column);
    ++full;
  }
  first_mapped_ = cols_;
  cols_ += binding_.maps.count();
  Index terms = 0;
  for (const TextMap& map : schema.texts) {
    first_term_.push_back(cols_ + terms);
    terms += map.features();
  }
  cols_ += terms + schema.sparse_cols;
  full += binding_.maps.count();
  sparse_ = schema.sparse_cols > 0 || keeps_sparse(terms, 0) || keeps_sparse(cols_, full);
  for (const std::string& name : schema.ignored) {
    const Index j = sparse_place(name, schema.sparse_base, schema.sparse_cols);
    if (j < 0) continue;
    left_out_.resize(at(schema.sparse_cols));
    left_out_[at(j)] = true;
  }
}

LevelMaps Encoder::map_levels(const Dataset& data) const {
  LevelMaps maps(schema_->columns.size());
  for (std::size_t c = 0; c < maps.size(); ++c) {
    const SchemaColumn& known = schema_->columns[c];
    const Column& column = data.columns[at(binding_.columns[c])];
    if (known.type != ColumnType::category || column.type != ColumnType::category) continue;
    std::unordered_map<std::string_view, std::int32_t> number;
    for (std::size_t l = 0; l < known.levels.size(); ++l) number.emplace(known.levels[l], static_cast<std::int32_t>(l));
    for (const std::string& level : column.levels) {
      const auto entry = number.find(level);
      maps[c].push_back(entry == number.end() ? kUnseen : entry->second);
    }
  }
  const bool labels = !schema_->classes.labels.empty() && !binding_.targets.empty();
  maps.push_back(labels ? classes_.places(target_levels(data.columns[at(binding_.targets[0])]))
                        : std::vector<std::int32_t>{});
  return maps;
}

std::vector<Index> Encoder::gathered_columns() const {
  std::vector<Index> out = binding_.targets;
  out.insert(out.end(), {binding_.weights, binding_.offset, binding_.cluster});
  for (std::size_t c = 0; c < schema_->columns.size(); ++c)
    if (schema_->columns[c].type == ColumnType::category || schema_->donors) out.push_back(binding_.columns[c]);
  std::erase(out, -1);
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

void EncodeTask::copy_numbers(Index j, double* out) const {
  if (!origin.table) {
    std::copy_n(column(j).values.data() + first, count, out);
    return;
  }
  copy_runs(origin.table->columns[at(j)].values.data(), origin.table->rows, origin.runs, out, count);
}

Result<void> Encoder::encode(const Dataset& data, const LevelMaps& maps, Index first, Index count, EncodedBlock& block,
                             const BlockOrigin& origin) const {
  const EncodeTask task{data, maps, first, count, block, origin};
  block.absent.assign(schema_->missing == Missing::drop ? at(count) : 0, 0);
  if (schema_->donors) complete_rows(task);
  if (auto done = encode_outcome(task); !done) return done;
  if (auto done = read_texts(task); !done) return done;
  if (auto done = sparse_ ? encode_sparse(task) : encode_dense(task); !done) return done;
  if (auto done = encode_weights(task); !done) return done;
  if (auto done = encode_cluster(task); !done) return done;
  block.batch.first_row = data.first_row + first;
  return {};
}

// Fills in the numbers that rows of the block lack, from the donors. Rows with infinities are refused later.
void Encoder::complete_rows(const EncodeTask& task) const {
  EncodedBlock& block = task.block;
  block.completed.assign(at(task.count), -1);
  block.numbers.clear();
  std::vector<const double*> columns;
  std::vector<double> fill;
  for (std::size_t c = 0; c < schema_->columns.size(); ++c) {
    if (schema_->columns[c].type == ColumnType::category) continue;
    const double* x = task.column(binding_.columns[c]).values.data() + task.first;
    columns.push_back(x);
    fill.push_back(schema_->columns[c].fill);
    for (Index i = first_not_finite(x, task.count); i < task.count;
         i += 1 + first_not_finite(x + i + 1, task.count - i - 1))
      block.completed[at(i)] = 0;
  }
  const Donors& donors = *schema_->donors;
  const DonorRows from(donors.x, std::ssize(columns), donors.weight, donors.neighbours);
  std::vector<double> row(columns.size());
  for (Index i = 0, place = 0; i < task.count; ++i) {
    if (block.completed[at(i)] < 0) continue;
    block.completed[at(i)] = place++;
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = columns[j][i];
    from.complete(row.data(), fill);
    block.numbers.insert(block.numbers.end(), row.begin(), row.end());
  }
}

// Copies one column of numbers, replacing what is missing as the schema says.
Result<void> Encoder::encode_number(const EncodeTask& task, std::size_t c, double* out, double* indicator) const {
  const SchemaColumn& known = schema_->columns[c];
  task.copy_numbers(binding_.columns[c], out);
  if (indicator) std::fill_n(indicator, task.count, 0.0);
  for (Index i = first_not_finite(out, task.count); i < task.count;
       i += 1 + first_not_finite(out + i + 1, task.count - i - 1)) {
    if (std::isinf(out[i])) return not_finite(task.data, task.first + i, known.name);
    if (schema_->missing == Missing::refuse)
      return missing_value(task.data, task.first + i, known.name, kMissingAdvice);
    if (schema_->missing == Missing::skip) continue;
    out[i] = schema_->donors ? completed_number(task, *schema_, c, i) : known.fill;
    if (schema_->missing == Missing::drop) task.block.absent[at(i)] = 1;
    if (indicator) indicator[i] = 1;
  }
  return {};
}

// The schema's level number of row i, -1 if the row is dropped, kUnseen if it has no level at all.
Result<std::int32_t> Encoder::level_of(const EncodeTask& task, std::size_t c, Index i) const {
  const SchemaColumn& known = schema_->columns[c];
  const Column& column = task.column(binding_.columns[c]);
  std::string text;
  if (column.type == ColumnType::category) {
    const std::int32_t code = column.codes[at(task.first + i)];
    if (code >= 0) {
      const std::int32_t level = task.maps[c][at(code)];
      if (level >= 0) return level;
      text = column.levels[at(code)];
    }
  } else if (column.type == ColumnType::text) {
    text = column.levels[at(task.first + i)];
  } else if (const double x = column.values[at(task.first + i)]; !std::isnan(x)) {
    text = number_text(x); // a file whose categories all look like numbers
  }
  const bool is_missing = text.empty();
  if (is_missing) {
    if (schema_->missing == Missing::refuse)
      return missing_value(task.data, task.first + i, column.name, kMissingAdvice);
    if (schema_->missing == Missing::drop) {
      task.block.absent[at(i)] = 1;
      return -1;
    }
    if (schema_->missing == Missing::skip) return kUnseen;
    text = kMissingLevel;
  }
  const auto level = std::find(known.levels.begin(), known.levels.end(), text);
  if (level != known.levels.end()) return static_cast<std::int32_t>(level - known.levels.begin());
  if (schema_->unseen == Unseen::zeros || is_absent(task, binding_.weights, i)) return kUnseen;
  const std::string near = nearest(text, known.levels);
  return fail(
      ErrorCode::bad_data,
      fmt::format("{}, row {}, column {}", task.data.source, task.data.first_row + task.first + i + 1, column.name),
      fmt::format("the category \"{}\" was not seen in training", text),
      fmt::format("{}predict or fit with --unseen zeros to let such rows have no level",
                  near.empty() ? "" : fmt::format("is it \"{}\"? ", near)));
}

Result<void> Encoder::encode_dense(const EncodeTask& task) const {
  EncodedBlock& block = task.block;
  block.x.resize(at(task.count * cols_));
  block.inputs.resize(binding_.maps.empty() ? 0 : at(task.count) * schema_->columns.size());
  std::vector<const double*> inputs(schema_->columns.size());
  for (std::size_t c = 0; c < schema_->columns.size(); ++c) {
    const SchemaColumn& known = schema_->columns[c];
    double* out = block.x.data() + first_feature_[c] * task.count;
    if (known.type != ColumnType::category) {
      double* indicator = known.indicator ? out + (known.plain ? task.count : 0) : nullptr;
      double* number = known.plain ? out : block.inputs.data() + static_cast<Index>(c) * task.count;
      if (auto done = encode_number(task, c, number, indicator); !done) return done;
      inputs[c] = number;
      continue;
    }
    std::fill_n(out, feature_count(known) * task.count, 0.0);
    for (Index i = 0; i < task.count; ++i) {
      const auto level = level_of(task, c, i);
      if (!level) return std::unexpected(level.error());
      const Index feature = *level < 0 ? -1 : level_feature_[c][at(*level)];
      if (feature >= 0) block.x[at(feature * task.count + i)] = 1;
    }
  }
  if (!first_term_.empty()) {
    std::fill_n(block.x.data() + first_term_[0] * task.count, (cols_ - first_term_[0]) * task.count, 0.0);
    for (Index i = 0; i < task.count; ++i) {
      block.terms.clear();
      block.term_values.clear();
      append_terms(task, i, block.terms, block.term_values);
      for (std::size_t t = 0; t < block.terms.size(); ++t)
        block.x[at(block.terms[t] * task.count + i)] = block.term_values[t];
    }
  }
  const bool has_low = binding_.maps.has_low();
  block.low.resize(has_low ? block.x.size() : 0);
  double* low = has_low ? block.low.data() : nullptr;
  block.batch.x = MatrixView{block.x.data(), task.count, cols_, 1, task.count, Scalar::float64, low};
  if (binding_.maps.empty()) return {};
  const Index first = first_mapped_ * task.count;
  if (low) std::fill_n(low, block.x.size(), 0.0);
  return encode_maps(task, inputs, block.x.data() + first, low ? low + first : nullptr);
}

// Rows that are absent need no feature, so the weights come first.
Result<void> Encoder::encode_maps(const EncodeTask& task, const std::vector<const double*>& inputs, double* high,
                                  double* low) const {
  if (auto done = encode_weights(task); !done) return done;
  const Values& weight = task.block.weight;
  const auto done = binding_.maps.evaluate({inputs, task.count, weight.empty() ? nullptr : weight.data()}, high, low);
  if (done) return {};
  const MapFault& fault = done.error();
  return fail(ErrorCode::bad_data,
              fmt::format("{}, row {}, column {}", task.data.source, task.data.first_row + task.first + fault.row + 1,
                          fault.column),
              fault.what, fault.advice);
}

// A sparse table whose columns are the schema's, one for one, needs no copy.
bool Encoder::sparse_as_is(const Dataset& data) const {
  return schema_->columns.empty() && schema_->texts.empty() && left_out_.empty() &&
         data.sparse.index_base == schema_->sparse_base && data.sparse.cols <= schema_->sparse_cols;
}

// Maps of rows that are kept sparse, into block.inputs. What a double cannot hold of them is let go.
Result<void> Encoder::sparse_maps(const EncodeTask& task, const std::vector<Values>& numbers) const {
  if (binding_.maps.empty()) return {};
  for (std::size_t c = 0; c < schema_->columns.size(); ++c) // which rows are dropped must be known before
    for (Index i = 0; schema_->columns[c].type == ColumnType::category && i < task.count; ++i)
      if (const auto level = level_of(task, c, i); !level) return std::unexpected(level.error());
  std::vector<const double*> inputs;
  for (const Values& column : numbers) inputs.push_back(column.data());
  EncodedBlock& block = task.block;
  block.inputs.resize(at(binding_.maps.count() * task.count));
  block.low.resize(binding_.maps.has_low() ? block.inputs.size() : 0);
  return encode_maps(task, inputs, block.inputs.data(), binding_.maps.has_low() ? block.low.data() : nullptr);
}

Result<void> Encoder::encode_sparse(const EncodeTask& task) const {
  EncodedBlock& block = task.block;
  const SparseColumns& sparse = task.data.sparse;
  if (sparse_as_is(task.data)) {
    block.batch.x =
        SparseView{task.count, cols_, sparse.start.data() + task.first, sparse.index.data(), sparse.value.data()};
    return {};
  }
  const Index shift = sparse.index_base - schema_->sparse_base;
  const Index before = cols_ - schema_->sparse_cols;
  std::vector<Values> numbers(schema_->columns.size()), indicators(schema_->columns.size());
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    const SchemaColumn& known = schema_->columns[c];
    if (known.type == ColumnType::category) continue;
    numbers[c].resize(at(task.count));
    if (known.indicator) indicators[c].resize(at(task.count));
    auto done = encode_number(task, c, numbers[c].data(), known.indicator ? indicators[c].data() : nullptr);
    if (!done) return done;
  }
  if (auto done = sparse_maps(task, numbers); !done) return done;
  block.start.assign(1, 0);
  block.index.clear();
  block.x.clear();
  const auto terms = at(count_terms(task));
  block.index.reserve(terms);
  block.x.reserve(terms);
  const auto put = [&](Index feature, double value) {
    if (value == 0) return;
    block.index.push_back(feature);
    block.x.push_back(value);
  };
  for (Index i = 0; i < task.count; ++i) {
    for (std::size_t c = 0; c < schema_->columns.size(); ++c) {
      if (!numbers[c].empty()) {
        const bool plain = schema_->columns[c].plain;
        if (plain) put(first_feature_[c], numbers[c][at(i)]);
        if (!indicators[c].empty()) put(first_feature_[c] + (plain ? 1 : 0), indicators[c][at(i)]);
        continue;
      }
      const auto level = level_of(task, c, i);
      if (!level) return std::unexpected(level.error());
      if (*level >= 0 && level_feature_[c][at(*level)] >= 0) put(level_feature_[c][at(*level)], 1);
    }
    for (Index k = 0; k < binding_.maps.count(); ++k) put(first_mapped_ + k, block.inputs[at(k * task.count + i)]);
    put_terms(task, i);
    if (sparse.cols > 0)
      for (Index s = sparse.start[at(task.first + i)]; s < sparse.start[at(task.first + i + 1)]; ++s) {
        const Index j = sparse.index[at(s)] + shift; // columns beyond those of training are left alone
        if (j < 0) return below_base(task.data, task.first + i, *schema_);
        if (j < schema_->sparse_cols && (left_out_.empty() || !left_out_[at(j)])) put(before + j, sparse.value[at(s)]);
      }
    block.start.push_back(static_cast<Index>(block.index.size()));
  }
  block.batch.x = SparseView{task.count, cols_, block.start.data(), block.index.data(), block.x.data()};
  return {};
}

} // namespace recta::feature
