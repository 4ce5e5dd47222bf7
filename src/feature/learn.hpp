// Learning a schema from rows: the levels of each category, what replaces a missing number, which columns need an
// indicator, where the knots of a map lie, the classes of a target that holds labels. Rows of weight zero and rows that
// are dropped teach nothing, since they are absent. A level that a table declares and no row has is a level all the
// same: its feature is zero in every row.
#pragma once

#include "feature/classes.hpp"
#include "feature/label_set.hpp"
#include "feature/schema.hpp"
#include "stats/exact_sum.hpp"

#include <limits>
#include <unordered_map>

namespace recta::feature {

class SchemaLearner {
public:
  // `separator`: of the labels in a cell, if the target is a column of sets.
  SchemaLearner(Schema draft, Roles roles, TargetKind kind = TargetKind::number, std::string separator = {});

  // Tables of numbers without missing values have nothing to learn: the draft is the schema.
  static bool needs_rows(const Schema& draft, TargetKind kind = TargetKind::number);
  // Otherwise columns of numbers may be absent from the rows.
  static bool reads_numbers(const Schema& draft);

  void accumulate(const Dataset& rows);
  // What was learned from other rows, which follow ours. Not with neighbours that fill values in, which are rows
  // themselves, or sets of labels (merges()).
  void merge(const SchemaLearner& other);
  static bool merges(const Schema& draft, TargetKind kind);
  std::string to_bytes() const;
  Result<void> read(std::string_view bytes); // into a learner of the same draft that has learned nothing

  std::vector<double> row_weights(const Dataset& rows) const; // that rows have in the fit; 0: they are absent
  // The options say which class is the positive one, and what classes weigh.
  Result<Schema> finish(Coding coding, const std::string& source, const FitOptions& options = {}) const;

private:
  // Sums of what is there, whose quotient is the weighted mean: exact, so that it does not depend on how the rows are
  // cut; and the range if a map asks for it.
  struct Number {
    ExactSum weight{}, sum{};
    double least = std::numeric_limits<double>::infinity(), largest = -least;
    bool missing = false, ranged = false;
  };
  enum class LevelUse : std::uint8_t { declared, absent_rows, rows }; // absent: of weight zero, or dropped
  struct Category {
    std::unordered_map<std::string, LevelUse> levels;
    bool missing = false;

    std::vector<std::string> known() const;          // sorted
    bool has_no_row(const std::string& level) const; // of those that are known
  };
  void learn_number(const Column& column, const std::vector<double>& weights, Number& number) const;
  void learn_category(const Column& column, const std::vector<double>& weights, Category& category) const;

  Schema draft_;
  Roles roles_;
  TargetKind kind_;
  ClassLearner classes_;
  LabelLearner labels_;
  std::vector<Number> numbers_;      // one per schema column, used if it holds numbers
  std::vector<Category> categories_; // likewise
  Donors donors_;                    // under Missing::neighbours
};

} // namespace recta::feature
