#include "rows/sources.hpp"

#include "base/listening.hpp"
#include "base/numbers.hpp"
#include "design/array_source.hpp"
#include "design/compressed.hpp"
#include "design/view_source.hpp"
#include "feature/mapped_source.hpp"
#include "feature/request.hpp"
#include "rows/learn_maps.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace recta {
namespace {

std::unexpected<Error> bad_shape(std::string what, std::string_view advice) {
  return fail(ErrorCode::bad_data, "arrays", what, advice);
}

Result<void> check_shapes(const Arrays& arrays, int threads, TargetIs target = TargetIs::needed) {
  const bool sparse = arrays.sparse.start != nullptr;
  const Index rows = sparse ? arrays.sparse.rows : arrays.dense.rows;
  const Index cols = sparse ? arrays.sparse.cols : arrays.dense.cols;
  if (rows <= 0) return bad_shape("there are no rows", "give at least one");
  const bool targets = target == TargetIs::needed;
  if (targets && arrays.y.rows != rows)
    return bad_shape(fmt::format("x has {} rows and y has {}", rows, arrays.y.rows), "they must have the same number");
  if (cols < 0) return bad_shape(fmt::format("x has {} columns", cols), "give a number from zero up");
  if (targets && arrays.y.cols <= 0) return bad_shape("y has no columns", "give one column per target");
  if (targets && !arrays.y.data) return bad_shape("y has rows but no memory", "set its data");
  if (!sparse && cols > 0 && !arrays.dense.data) return bad_shape("x has rows but no memory", "set its data");
  if (!arrays.names.empty() && static_cast<Index>(arrays.names.size()) != cols)
    return bad_shape(fmt::format("{} names were given for {} columns", arrays.names.size(), cols), "name every column");
  if (sparse) return check_sparse(arrays.sparse, "arrays", threads);
  return {};
}

Outcome outcome_of(const Arrays& arrays) {
  const bool sparse = arrays.sparse.start != nullptr;
  const auto n = static_cast<std::size_t>(sparse ? arrays.sparse.rows : arrays.dense.rows);
  return {arrays.y,
          {arrays.weights, arrays.weights ? n : 0},
          {arrays.offset, arrays.offset ? n : 0},
          {arrays.cluster, arrays.cluster ? n : 0}};
}

// The weights of a table, those of all rows: views of it then see the same ones.
std::span<const double> weights_of(const Dataset& table, const feature::Binding& binding) {
  if (binding.weights < 0) return {};
  return table.columns[at(binding.weights)].values;
}

// A proof is about squares of what a fit leaves of the targets, some 30 digits down. `value(i)`: NaN if it is missing.
Result<void> check_size(std::string where, Index rows, std::span<const double> weight, const auto& value) {
  double largest = 0;
  for (Index i = 0; i < rows; ++i) {
    const double size = std::abs(value(i));
    if (size > largest && std::isfinite(size) && (weight.empty() || weight[at(i)] > 0)) largest = size;
  }
  const bool small = largest < 0x1p-332; // 1e-100
  if (largest == 0 || (!small && largest <= 0x1p505)) return {};
  return fail(ErrorCode::bad_data, std::move(where),
              fmt::format("the largest number is {}, and squares of {} are not doubles", largest,
                          small ? "the digits of numbers that small" : "such numbers"),
              fmt::format("{} the target by a power of ten", small ? "multiply" : "divide"));
}

// Targets that are numbers; classes are not measured.
bool measures_targets(const Schema& schema) {
  return schema.classes.labels.empty() && schema.labels.names.empty();
}

Result<void> check_targets(const Schema& schema, const Dataset& table, const feature::Binding& binding) {
  for (const Index target : binding.targets) {
    const Column& column = table.columns[at(target)];
    if (!measures_targets(schema) || !column.numeric()) continue;
    const auto value = [&](Index i) { return column.values[at(i)]; };
    if (auto good = check_size(table.source + ", target " + column.name, table.rows, weights_of(table, binding), value);
        !good)
      return good;
  }
  return {};
}

Result<void> check_targets(const Schema& schema, const Arrays& arrays) {
  for (Index t = 0; t < arrays.y.cols && measures_targets(schema); ++t) {
    const std::string name = at(t) < schema.targets.size() ? schema.targets[at(t)] : std::to_string(t + 1);
    const auto value = [&](Index i) { return element(arrays.y, i, t); };
    if (auto good = check_size("arrays, target " + name, arrays.y.rows, outcome_of(arrays).weight, value); !good)
      return good;
  }
  return {};
}

} // namespace

TableRows::TableRows(const Schema& schema, feature::Binding binding, const TableView& data,
                     std::shared_ptr<const feature::TextRows> texts)
    : name_(data.table().source), doublings_(doublings_of(weights_of(data.table(), binding))),
      encoder_(schema, std::move(binding)), source_(data, encoder_, std::move(texts)), scaled_(source_, doublings_) {}

Rows TableRows::rows() {
  RowSource& source = doublings_ == 0 ? static_cast<RowSource&>(source_) : scaled_;
  return {source, name_, encoder_.sparse(), false, false, nullptr, 0, doublings_};
}

Result<std::unique_ptr<TableRows>> TableRows::make(const Schema& schema, const TableView& data,
                                                   std::shared_ptr<const feature::TextRows> texts) {
  auto binding = feature::bind(schema, data.table(), feature::Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  if (auto good = check_targets(schema, data.table(), *binding); !good) return std::unexpected(good.error());
  if (!texts && !schema.texts.empty()) {
    Pool pool;
    auto counted = feature::count_texts(schema, data, pool);
    if (!counted) return std::unexpected(counted.error());
    texts = *std::move(counted);
  }
  return std::unique_ptr<TableRows>(new TableRows(schema, *std::move(binding), data, std::move(texts)));
}

TableRows::TableRows(const Schema& schema, feature::Binding binding, const Dataset& data,
                     const feature::PartOfTable& part)
    : name_(data.source), encoder_(schema, std::move(binding)), source_(data, encoder_, part), scaled_(source_, 0) {}

Result<std::unique_ptr<TableRows>> TableRows::make(const Schema& schema, const Dataset& data,
                                                   const feature::PartOfTable& part) {
  auto binding = feature::bind(schema, data, feature::Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  return std::unique_ptr<TableRows>(new TableRows(schema, *std::move(binding), data, part));
}

std::unique_ptr<ArrayRows> ArrayRows::plain(const Arrays& arrays, Index first_row) {
  auto out = std::make_unique<ArrayRows>();
  out->sparse_ = arrays.sparse.start != nullptr;
  out->arrays_ = first_row == 0 ? &arrays : nullptr;
  out->source_ = array_source(arrays, outcome_of(arrays), first_row);
  return out;
}

void ArrayRows::put_scaled(const Arrays& arrays, int doublings) {
  scaled_ = arrays;
  doublings_ = doublings;
  sparse_ = arrays.sparse.start != nullptr;
  if (doublings == 0) return;
  double_weights(outcome_of(arrays).weight, doublings, weights_);
  scaled_.weights = weights_.data();
}

Result<std::unique_ptr<ArrayRows>> ArrayRows::make(const Arrays& arrays, Index first_row, int threads) {
  if (auto good = check_shapes(arrays, threads); !good) return std::unexpected(good.error());
  return plain(arrays, first_row);
}

Result<std::unique_ptr<ArrayRows>> ArrayRows::make(const Arrays& arrays, const Schema& schema) {
  const TargetIs target = schema.targets.empty() && arrays.y.cols == 0 ? TargetIs::absent : TargetIs::needed;
  if (auto good = check_shapes(arrays, 1, target); !good) return std::unexpected(good.error());
  return make_checked(arrays, schema);
}

Result<std::unique_ptr<ArrayRows>> ArrayRows::make_checked(const Arrays& arrays, const Schema& schema) {
  if (auto good = check_targets(schema, arrays); !good) return std::unexpected(good.error());
  const int doublings = doublings_of(outcome_of(arrays).weight);
  if (schema.maps.empty() && doublings == 0) return plain(arrays, 0);
  auto out = std::make_unique<ArrayRows>();
  out->put_scaled(arrays, doublings);
  if (schema.maps.empty()) {
    out->source_ = array_source(out->scaled_, outcome_of(out->scaled_), 0);
    out->arrays_ = &out->scaled_;
    return out;
  }
  auto maps = feature::Maps::make(schema);
  if (!maps) return std::unexpected(maps.error());
  const auto reads_as_is = [](const SchemaColumn& column) {
    return !column.indicator && column.type != ColumnType::category && column.type != ColumnType::text;
  };
  if (arrays.sparse.start || arrays.dense.cols != static_cast<Index>(schema.columns.size()) ||
      !std::ranges::all_of(schema.columns, reads_as_is))
    return bad_shape("the columns are not those that the model's maps read",
                     "give a dense array with the columns of training, in their order");
  out->source_ =
      std::make_unique<feature::MappedSource>(arrays.dense, outcome_of(out->scaled_), schema, *std::move(maps));
  return out;
}

Result<Schema> checked_schema(const Arrays& arrays, const FitOptions& options, TargetIs target) {
  if (auto good = check_shapes(arrays, options.threads, target); !good) return std::unexpected(good.error());
  auto schema = mapped_schema(arrays, options);
  if (schema && target == TargetIs::absent) schema->targets.clear();
  return schema;
}

WithRows with_plain_rows(const Arrays& arrays, const Schema& schema) {
  return [&](const Schema& plain, const UseRows& use) -> Result<void> {
    MatrixView x = arrays.dense;
    std::vector<double> chosen;
    if (std::ranges::equal(plain.columns, schema.columns, {}, &SchemaColumn::name, &SchemaColumn::name)) {
      DenseSource source(x, outcome_of(arrays), 0);
      return use(source);
    }
    for (const SchemaColumn& column : plain.columns) {
      const Index j = std::ranges::find(schema.columns, column.name, &SchemaColumn::name) - schema.columns.begin();
      for (Index i = 0; i < x.rows; ++i) chosen.push_back(element(x, i, j));
    }
    x = {chosen.data(), x.rows, std::ssize(plain.columns), 1, x.rows, Scalar::float64, nullptr};
    DenseSource source(x, outcome_of(arrays), 0);
    return use(source);
  };
}

Result<Schema> mapped_schema(const Arrays& arrays, const FitOptions& options, Values* features) {
  Schema schema = schema_of(arrays, options);
  if (!feature::asks_for_maps(options)) return schema;
  if (arrays.sparse.start)
    return fail(ErrorCode::usage, "arrays", "maps make features that are not sparse", "give a dense array");
  if (auto done = feature::add_maps(schema, options, "arrays"); !done) return std::unexpected(done.error());
  for (Index j = 0; feature::maps_need_rows(schema) && j < arrays.dense.cols; ++j) {
    const auto range = feature::range_of(arrays.dense, j, outcome_of(arrays).weight);
    auto done = feature::place_knots(schema, schema.columns[static_cast<std::size_t>(j)].name, range, "arrays");
    if (!done) return std::unexpected(done.error());
  }
  Pool pool(options.threads);
  const bool one_map = schema.maps.size() == 1 && std::ranges::none_of(schema.columns, &SchemaColumn::plain);
  const bool all_rows = !arrays.weights; // rows that weigh nothing are not learned from
  Values* const wanted = one_map && all_rows ? features : nullptr;
  if (auto done = learn_maps(schema, "arrays", with_plain_rows(arrays, schema), pool, wanted); !done)
    return std::unexpected(done.error());
  return schema;
}

Result<FitOptions> array_options(const Arrays& arrays, const FitOptions& options) {
  FitOptions out = options;
  const auto name = [](std::string& given, const void* numbers, const char* member, const char* usual) -> Result<void> {
    if (numbers && given.empty()) given = usual;
    if (numbers || given.empty()) return {};
    return fail(ErrorCode::usage, "arrays", fmt::format("\"{}\" names the {} of a table, and none came", given, member),
                fmt::format("set Arrays::{}, one number per row", member));
  };
  if (auto good = name(out.weights, arrays.weights, "weights", "weight"); !good) return std::unexpected(good.error());
  if (auto good = name(out.offset, arrays.offset, "offset", "offset"); !good) return std::unexpected(good.error());
  if (auto good = name(out.cluster, arrays.cluster, "cluster", "cluster"); !good) return std::unexpected(good.error());
  if (!options.ignore.empty())
    return fail(ErrorCode::usage, "arrays",
                fmt::format("\"{}\" is to be ignored, and all columns are features", options.ignore[0]),
                "leave the column out, or fit a table");
  if (!options.text.empty())
    return fail(ErrorCode::usage, "arrays",
                fmt::format("\"{}\" holds documents, and arrays hold numbers", options.text[0].column), "fit a table");
  return out;
}

Schema schema_of(const Arrays& arrays, const FitOptions& options) {
  Schema schema;
  const Index cols = arrays.sparse.start ? arrays.sparse.cols : arrays.dense.cols;
  if (arrays.sparse.start && arrays.names.empty()) {
    schema.sparse_cols = cols;
    schema.sparse_base = 1;
  } else {
    for (Index j = 0; j < cols; ++j) {
      SchemaColumn& column = schema.columns.emplace_back();
      column.name = arrays.names.empty() ? fmt::format("x{}", j + 1) : arrays.names[static_cast<std::size_t>(j)];
    }
  }
  schema.targets = options.target;
  for (Index k = static_cast<Index>(schema.targets.size()); k < arrays.y.cols; ++k)
    schema.targets.push_back(arrays.y.cols == 1 ? "y" : fmt::format("y{}", k + 1));
  schema.weights = arrays.weights ? (options.weights.empty() ? "weight" : options.weights) : "";
  schema.offset = arrays.offset ? (options.offset.empty() ? "offset" : options.offset) : "";
  schema.cluster = arrays.cluster ? (options.cluster.empty() ? "cluster" : options.cluster) : "";
  return schema;
}

StreamRows::StreamRows(const Schema& schema, feature::Binding binding, std::unique_ptr<RowStream> stream)
    : stream_(std::move(stream)), encoder_(schema, std::move(binding)),
      source_(static_cast<BlockReader&>(*stream_), encoder_) {}

Result<std::unique_ptr<StreamRows>> StreamRows::make(const Schema& schema, std::unique_ptr<RowStream> stream) {
  auto binding = feature::bind(schema, stream->header(), feature::Need::features_and_targets);
  if (!binding) return std::unexpected(binding.error());
  auto out = std::unique_ptr<StreamRows>(new StreamRows(schema, *std::move(binding), std::move(stream)));
  if (auto begun = out->source_.rewind(); !begun) {
    out->single_pass_ = begun.error().code == ErrorCode::usage;
    if (!out->single_pass_) return std::unexpected(begun.error());
  }
  static_cast<BlockReader&>(*out->stream_).cut_blocks_of(block_rows(out->encoder_.cols()));
  return out;
}

Result<std::unique_ptr<RowStream>> open_watched(const std::string& path, const ReadOptions& options,
                                                const Clock& clock) {
  const Watch watch = clock.watch();
  const Listening listening(watch, "reading");
  return open_stream(path, options);
}

Result<KeptStream> open_kept_watched(const std::string& path, const ReadOptions& options, const Clock& clock) {
  const Watch watch = clock.watch();
  const Listening listening(watch, "reading");
  return open_kept_stream(path, options);
}

} // namespace recta
