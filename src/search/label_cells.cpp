#include "search/label_cells.hpp"

#include "base/numbers.hpp"
#include "feature/label_set.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace recta::search {
namespace {

constexpr std::size_t kNamed = 5; // labels that a note names

std::string some_of(const std::vector<std::string>& names) {
  const std::span shown = std::span(names).first(std::min(names.size(), kNamed));
  return fmt::format("\"{}\"{}", fmt::join(shown, "\", \""), shown.size() < names.size() ? ", ..." : "");
}

} // namespace

LabelCells::LabelCells(const Dataset& data, const FitOptions& options, const LabelSet& labels)
    : cells_(options.label_set), labels_(labels) {
  if (cells_.empty()) return;
  for (const std::string& label : labels.names) {
    const auto is_taken = [&](const std::string& name) {
      return data.find(name) || std::ranges::find(columns_, name) != columns_.end() ||
             (name != label && std::ranges::find(labels.names, name) != labels.names.end());
    };
    std::string name = label;
    while (is_taken(name)) name += " (label)";
    columns_.push_back(std::move(name));
  }
}

const std::string& LabelCells::column(const std::string& label) const {
  const auto known = std::ranges::find(labels_.names, label);
  return known == labels_.names.end() ? label : columns_[at(known - labels_.names.begin())];
}

FitOptions LabelCells::options(FitOptions asked) const {
  if (cells_.empty()) return asked;
  asked.label_set.clear();
  asked.label_separator.clear();
  asked.label_columns = columns_;
  for (std::string& label : asked.chain) label = column(label);
  for (auto& [label, threshold] : asked.label_thresholds) label = column(label);
  return asked;
}

void LabelCells::split(Dataset& rows) const {
  if (cells_.empty()) return;
  const feature::LabelFinder finder(labels_);
  std::vector<double> members(at(rows.rows) * columns_.size()); // by label, so that the columns are slices of it
  for (Index i = 0; i < rows.rows; ++i) // labels that only rows of weight zero have are passed over, which is no error
    static_cast<void>(finder.cell(rows, *rows.find(cells_), i, true, members.data() + i, rows.rows));
  std::erase_if(rows.columns, [&](const Column& column) { return column.name == cells_; });
  for (std::size_t k = 0; k < columns_.size(); ++k) {
    Column& column = rows.columns.emplace_back();
    column.name = columns_[k];
    column.type = ColumnType::integer;
    const auto first = members.begin() + static_cast<Index>(k) * rows.rows;
    column.values.assign(first, first + rows.rows);
  }
}

std::vector<std::string> label_notes(const KnownRows& known, const Splits& splits) {
  std::vector<std::string> notes;
  const std::size_t count = known.labels.names.size();
  if (count == 0) return notes;
  std::vector<bool> untrained(count), unjudged(count);
  for (Index s = 0; s < splits.count(); ++s) {
    const Split split = splits[s];
    const auto mark_absent = [&](const std::vector<Index>& rows, std::vector<bool>& absent) {
      std::vector<bool> there(count);
      for (const Index row : rows)
        for (std::size_t k = 0; k < count; ++k)
          if (known.rows.members[at(row) * count + k] != 0) there[k] = true;
      for (std::size_t k = 0; k < count; ++k) absent[k] = absent[k] || !there[k];
    };
    mark_absent(split.train, untrained);
    if (split.held_out.size() > 1) mark_absent(split.held_out, unjudged);
  }
  const auto add = [&](const std::vector<bool>& marked, const char* what) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < count; ++k)
      if (marked[k]) names.push_back(known.labels.names[k]);
    if (names.empty()) return;
    notes.push_back(fmt::format("{} no row among those that some split {}: {}",
                                names.size() == 1 ? "1 label has" : fmt::format("{} labels have", names.size()), what,
                                some_of(names)));
  };
  add(untrained, "trains on, and never holds there");
  add(unjudged, "leaves out, where its F1 is 0");
  return notes;
}

} // namespace recta::search
