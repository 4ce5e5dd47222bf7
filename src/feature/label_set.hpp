// Sets of labels: the labels in a cell, learned from the rows once and found again ever after.
//
// Blanks around a label do not belong to it, a label that a cell names twice is there once, and an empty cell, or one
// that is missing, is a row without labels. Rows of weight zero are absent: a label that only they have is none.
#pragma once

#include "stats/state_bytes.hpp"

#include <recta/estimator.hpp>

#include <functional>
#include <span>
#include <unordered_map>
#include <unordered_set>

namespace recta::feature {

inline constexpr Index kMostLabels = 10'000;

// Calls `use` for every label of a cell, in the order it names them.
void for_each_label(std::string_view cell, std::string_view separator,
                    const std::function<void(std::string_view)>& use);

class LabelLearner {
public:
  explicit LabelLearner(std::string separator) : separator_(std::move(separator)) {}
  void accumulate(const Column& column, std::span<const double> weights);
  void merge(const LabelLearner& other);
  void write(StateWriter& out) const;
  void read(StateReader& in); // into one that has learned nothing
  // Sorted; an error if there are none, or so many that the cells hold no labels.
  Result<LabelSet> finish(const std::string& source, const std::string& target) const;

private:
  void add(std::string_view label);

  std::string separator_;
  std::unordered_set<std::string> names_;
};

// What the rows of a table say about the labels of a set.
class LabelFinder {
public:
  explicit LabelFinder(const LabelSet& labels);

  // From row i of a column of cells to one number per label, 0 or 1, `stride` apart. An error names a label that
  // training did not see, unless it is to be passed over.
  Result<void> cell(const Dataset& data, const Column& column, Index i, bool pass_over, double* out,
                    Index stride) const;
  // From row i of a label's own column to 0, 1, or NaN where it is missing.
  static Result<double> member(const Dataset& data, const Column& column, Index i);

private:
  const LabelSet* labels_; // outlives this
  std::unordered_map<std::string_view, Index> places_;
};

// An error unless the options ask for a set of labels in one way, and for nothing that only classes have.
Result<void> check_label_options(const FitOptions& options);
// What separates labels in the cells of this table, if the options leave it out.
std::string separator_for(const Dataset& header, const FitOptions& options);
inline bool asks_for_labels(const FitOptions& options) {
  return !options.label_set.empty() || !options.label_columns.empty();
}

} // namespace recta::feature
