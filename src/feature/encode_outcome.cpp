// The values of the rows beside their features: targets, offsets, weights and clusters.
#include "base/sha256.hpp"
#include "feature/encode_task.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace recta::feature {

std::unexpected<Error> missing_value(const Dataset& data, Index row, const std::string& column,
                                     std::string_view advice) {
  return fail(ErrorCode::bad_data, fmt::format("{}, row {}, column {}", data.source, data.first_row + row + 1, column),
              "the value is missing", advice);
}

std::unexpected<Error> not_finite(const Dataset& data, Index row, const std::string& column) {
  return fail(ErrorCode::bad_data, fmt::format("{}, row {}, column {}", data.source, data.first_row + row + 1, column),
              "the value is infinite", "remove the row or correct the value");
}

Index first_not_finite(const double* x, Index n) {
  Index i = 0;
  constexpr Index kStep = 64;
  for (; i + kStep <= n; i += kStep) {
    bool odd = false;
    for (Index s = 0; s < kStep; ++s) odd |= !(x[i + s] - x[i + s] == 0);
    if (odd) break;
  }
  while (i < n && std::isfinite(x[i])) ++i;
  return i;
}

Result<void> Encoder::encode_number_target(const EncodeTask& task, std::size_t k, double* out) const {
  const Column& column = task.column(binding_.targets[k]);
  std::copy_n(column.values.data() + task.first, task.count, out);
  for (Index i = first_not_finite(out, task.count); i < task.count; i += first_not_finite(out + i, task.count - i)) {
    if (std::isinf(out[i])) return not_finite(task.data, task.first + i, column.name);
    if (schema_->missing != Missing::drop)
      return missing_value(task.data, task.first + i, column.name,
                           "a target cannot be filled in: remove the row, or fit with --missing drop");
    task.block.absent[at(i)] = 1;
    out[i] = 0;
  }
  return {};
}

// A label that training did not see may stand in a row of weight zero: such rows teach nothing.
Result<void> Encoder::encode_labels(const EncodeTask& task, double* out) const {
  const Column& column = task.column(binding_.targets[0]);
  for (Index i = 0; i < task.count; ++i) {
    const Index row = task.first + i, place = classes_.place(column, task.maps.back(), row);
    out[i] = place >= 0 ? class_number(schema_->classes, place) : 0;
    if (place >= 0) continue;
    const bool weighed = binding_.weights < 0 || task.column(binding_.weights).values[at(row)] != 0;
    if (column.numeric() && std::isinf(column.values[at(row)])) return not_finite(task.data, row, column.name);
    if (place == kNoLabel && schema_->missing != Missing::drop)
      return missing_value(task.data, row, column.name,
                           "a class cannot be filled in: remove the row, or fit with --missing drop");
    if (place == kNoLabel) task.block.absent[at(i)] = 1;
    if (place == kUnknownLabel && weighed)
      return std::unexpected(unknown_label(
          schema_->classes,
          fmt::format("{}, row {}, column {}", task.data.source, task.data.first_row + row + 1, column.name),
          label_text(column, row)));
  }
  return {};
}

// One column per label, 0 or 1.
Result<void> Encoder::encode_label_set(const EncodeTask& task) const {
  double* const out = task.block.target.data();
  const bool cells = !schema_->labels.separator.empty();
  for (std::size_t k = 0; k < binding_.targets.size(); ++k) {
    const Column& column = task.column(binding_.targets[k]);
    for (Index i = 0; i < task.count; ++i) {
      const Index row = task.first + i;
      if (cells) {
        const bool weighed = binding_.weights < 0 || task.column(binding_.weights).values[at(row)] != 0;
        if (auto done = labels_.cell(task.data, column, row, !weighed, out + i, task.count); !done) return done;
        continue;
      }
      const auto member = LabelFinder::member(task.data, column, row);
      if (!member) return std::unexpected(member.error());
      out[static_cast<Index>(k) * task.count + i] = std::isnan(*member) ? 0 : *member;
      if (!std::isnan(*member)) continue;
      if (schema_->missing != Missing::drop)
        return missing_value(
            task.data, row, column.name,
            "whether a row has a label cannot be filled in: remove the row, or fit with --missing drop");
      task.block.absent[at(i)] = 1;
    }
  }
  return {};
}

Result<void> Encoder::encode_outcome(const EncodeTask& task) const {
  EncodedBlock& block = task.block;
  block.target.resize(at(task.count * targets()));
  if (!schema_->labels.names.empty() && targets() > 0)
    if (auto done = encode_label_set(task); !done) return done;
  for (std::size_t k = 0; k < binding_.targets.size() && schema_->labels.names.empty(); ++k) {
    double* out = block.target.data() + static_cast<Index>(k) * task.count;
    auto done = schema_->classes.labels.empty() ? encode_number_target(task, k, out) : encode_labels(task, out);
    if (!done) return done;
  }
  block.batch.target = {block.target.data(), task.count, targets(), 1, task.count, Scalar::float64, nullptr};
  block.offset.clear();
  if (binding_.offset >= 0) {
    const Column& column = task.column(binding_.offset);
    block.offset.assign(column.values.begin() + task.first, column.values.begin() + task.first + task.count);
    if (const Index i = first_not_finite(block.offset.data(), task.count); i < task.count)
      return missing_value(task.data, task.first + i, column.name, "an offset must be a number in every row");
  }
  block.batch.offset = block.offset;
  return {};
}

// Rows that are dropped have weight zero, which is what absence means everywhere else.
Result<void> Encoder::encode_weights(const EncodeTask& task) const {
  EncodedBlock& block = task.block;
  block.weight.clear();
  if (binding_.weights >= 0) {
    const Column& column = task.column(binding_.weights);
    block.weight.assign(column.values.begin() + task.first, column.values.begin() + task.first + task.count);
    for (Index i = 0; i < task.count; ++i) {
      if (std::isfinite(block.weight[at(i)]) && block.weight[at(i)] >= 0) continue;
      const std::string weight_text = std::isnan(block.weight[at(i)]) ? "missing" : number_text(block.weight[at(i)]);
      return fail(
          ErrorCode::bad_data,
          fmt::format("{}, row {}, column {}", task.data.source, task.data.first_row + task.first + i + 1, column.name),
          fmt::format("the weight is {}", weight_text), "weights are numbers from zero up; zero leaves a row out");
    }
  }
  if (!schema_->classes.factor.empty() && targets() > 0) {
    if (block.weight.empty()) block.weight.assign(at(task.count), 1.0);
    const Column& column = task.column(binding_.targets[0]);
    for (Index i = 0; i < task.count; ++i)
      if (const Index place = classes_.place(column, task.maps.back(), task.first + i); place >= 0)
        block.weight[at(i)] *= schema_->classes.factor[at(place)];
  }
  if (std::find(block.absent.begin(), block.absent.end(), 1) != block.absent.end()) {
    if (block.weight.empty()) block.weight.assign(at(task.count), 1.0);
    for (Index i = 0; i < task.count; ++i)
      if (block.absent[at(i)]) block.weight[at(i)] = 0;
  }
  block.batch.weight = block.weight;
  return {};
}

// The bits of a number, or a digest of a text: the same cluster in every block of a stream.
Result<void> Encoder::encode_cluster(const EncodeTask& task) const {
  EncodedBlock& block = task.block;
  block.cluster.clear();
  block.batch.cluster = {};
  if (binding_.cluster < 0) return {};
  const Column& column = task.column(binding_.cluster);
  const auto of_text = [](const std::string& text) {
    std::uint64_t number = 0;
    const auto digest = sha256(text);
    for (std::size_t i = 0; i < 8; ++i) number = number << 8 | digest[i];
    return number;
  };
  for (Index i = 0; i < task.count; ++i) {
    const auto row = at(task.first + i);
    const bool missing = column.numeric()                      ? std::isnan(column.values[row])
                         : column.type == ColumnType::category ? column.codes[row] < 0
                                                               : column.levels[row].empty();
    const bool there = block.weight.empty() || block.weight[at(i)] > 0;
    if (missing && there)
      return missing_value(task.data, task.first + i, column.name, "every row belongs to a cluster: remove the row");
    if (missing)
      block.cluster.push_back(0);
    else if (column.numeric())
      block.cluster.push_back(std::bit_cast<std::uint64_t>(column.values[row] + 0.0)); // -0 is 0
    else
      block.cluster.push_back(
          of_text(column.levels[column.type == ColumnType::category ? at(column.codes[row]) : row]));
  }
  block.batch.cluster = block.cluster;
  return {};
}

} // namespace recta::feature
