#include "feature/label_set.hpp"

#include "base/numbers.hpp"
#include "data/dataset.hpp"
#include "feature/classes.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::feature {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// The text of a cell; empty if it is missing.
std::string cell_text_of(const Column& column, Index i) {
  if (column.numeric() && std::isnan(column.values[at(i)])) return {};
  return label_text(column, i);
}

std::string place_text(const Dataset& data, const Column& column, Index i) {
  return fmt::format("{}, row {}, column {}", data.source, data.first_row + i + 1, column.name);
}

Error unseen_label(const LabelSet& labels, const std::string& where, const std::string& label) {
  const std::string near = nearest(label, labels.names);
  return {ErrorCode::bad_data, where, fmt::format("the label \"{}\" was not seen in training", label),
          near.empty() ? "take it out of the cell, or fit again with rows that have it"
                       : fmt::format("is it \"{}\"? Else take it out of the cell, or fit again with it", near)};
}

} // namespace

void for_each_label(std::string_view cell, std::string_view separator,
                    const std::function<void(std::string_view)>& use) {
  for (std::size_t first = 0; first <= cell.size();) {
    const std::size_t end = std::min(cell.find(separator, first), cell.size());
    if (const auto label = trimmed(cell.substr(first, end - first)); !label.empty()) use(label);
    first = end + separator.size();
  }
}

// One label too many is enough to refuse them all.
void LabelLearner::add(std::string_view label) {
  if (std::ssize(names_) <= kMostLabels) names_.emplace(label);
}

void LabelLearner::accumulate(const Column& column, std::span<const double> weights) {
  std::vector<bool> level_read(column.type == ColumnType::category ? column.levels.size() : 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!(weights[i] > 0)) continue;
    if (column.type == ColumnType::category) { // the same cell is read once
      if (column.codes[i] < 0 || level_read[at(column.codes[i])]) continue;
      level_read[at(column.codes[i])] = true;
    }
    for_each_label(cell_text_of(column, static_cast<Index>(i)), separator_,
                   [&](std::string_view label) { add(label); });
  }
}

void LabelLearner::merge(const LabelLearner& other) {
  for (const std::string& label : other.names_) add(label);
}

void LabelLearner::write(StateWriter& out) const {
  std::vector<std::string_view> sorted(names_.begin(), names_.end()); // the same bytes on every machine
  std::ranges::sort(sorted);
  out.put(std::ssize(sorted));
  for (const std::string_view label : sorted) out.put(label);
}

void LabelLearner::read(StateReader& in) {
  for (Index left = in.index(); in.good() && left > 0; --left) add(in.text());
}

Result<LabelSet> LabelLearner::finish(const std::string& source, const std::string& target) const {
  const std::string where = fmt::format("{}, column {}", source, target);
  if (names_.empty())
    return fail(ErrorCode::bad_data, where, "no row has a label", "name the column whose cells hold labels");
  if (std::ssize(names_) > kMostLabels)
    return fail(
        ErrorCode::bad_data, where, fmt::format("there are more than {} labels", kMostLabels),
        fmt::format("are they separated by something other than \"{}\"? Give it with --label-separator", separator_));
  LabelSet out{{names_.begin(), names_.end()}, separator_};
  std::ranges::sort(out.names, level_less);
  return out;
}

LabelFinder::LabelFinder(const LabelSet& labels) : labels_(&labels) {
  for (std::size_t k = 0; k < labels.names.size(); ++k) places_[labels.names[k]] = static_cast<Index>(k);
}

Result<void> LabelFinder::cell(const Dataset& data, const Column& column, Index i, bool pass_over, double* out,
                               Index stride) const {
  for (std::size_t k = 0; k < labels_->names.size(); ++k) out[static_cast<Index>(k) * stride] = 0;
  Result<void> done;
  for_each_label(cell_text_of(column, i), labels_->separator, [&](std::string_view label) {
    if (const auto known = places_.find(label); known != places_.end())
      out[known->second * stride] = 1;
    else if (!pass_over && done)
      done = std::unexpected(unseen_label(*labels_, place_text(data, column, i), std::string(label)));
  });
  return done;
}

Result<double> LabelFinder::member(const Dataset& data, const Column& column, Index i) {
  if (column.numeric()) {
    const double value = column.values[at(i)];
    if (value == 0 || value == 1 || std::isnan(value)) return value;
  } else {
    const std::string text = label_text(column, i);
    if (text.empty()) return kNaN;
    if (text == "0" || text == "false") return 0;
    if (text == "1" || text == "true") return 1;
  }
  return fail(ErrorCode::bad_data, place_text(data, column, i),
              fmt::format("\"{}\" is neither 0 nor 1", label_text(column, i)),
              "the column of a label holds 1 for rows that have it and 0 for the others");
}

std::string separator_for(const Dataset& header, const FitOptions& options) {
  if (!options.label_separator.empty()) return options.label_separator;
  return header.sparse.start.empty() && header.sparse.cols == 0 ? "|" : ",";
}

Result<void> check_label_options(const FitOptions& options) {
  const auto refused = [](const char* flag, const char* what, const char* cure) {
    return fail(ErrorCode::usage, flag, what, cure);
  };
  if (!options.label_set.empty() && !options.label_columns.empty())
    return refused("--label-set --label-columns", "labels stand in the cells of one column, or in columns of 0 and 1",
                   "give one of them");
  if (!options.target.empty()) return refused("--target", "the labels are the target", "leave it out");
  if (!options.label_separator.empty() && trimmed(options.label_separator).empty())
    return refused("--label-separator", "blanks cannot separate labels: they may stand around any of them",
                   "choose another character");
  if (!options.positive.empty())
    return refused("--positive", "it chooses between classes, and a row has any number of labels",
                   "fit the column of one label with --target");
  if (!options.class_weights.empty() || options.balanced)
    return refused("--class-weights", "classes have weights, and a row has any number of labels",
                   "move the border of a label with --label-threshold");
  if (!options.multiclass.empty() && options.multiclass != "native")
    return refused("--multiclass", "every label has a model of two classes already", "leave it out");
  return {};
}

} // namespace recta::feature
