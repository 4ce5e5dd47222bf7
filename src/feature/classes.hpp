// Classes of a target that holds labels: learned from the rows once, found again ever after.
//
// A solver sees labels as numbers: for two classes -1 and 1, 1 being the positive one; for more their places 0, 1, 2,
// ... among the sorted labels. Rows of weight zero are absent: a class that only they have is none.
#pragma once

#include "base/double_double.hpp"
#include "stats/state_bytes.hpp"

#include <recta/estimator.hpp>

#include <map>
#include <span>
#include <unordered_map>

namespace recta::feature {

inline constexpr Index kMostClasses = 1000;

// The number that stands for the class at this place, and back.
double class_number(const Classes& classes, Index place);
Index class_place(const Classes& classes, double number);

// The class at this place, positive, and "not LABEL", which stands for all others. It differs from LABEL, and a row
// that has it as its own label is among the others: it cannot be mistaken for another class.
Classes against_rest(const Classes& classes, Index place);
std::string label_against_rest(const Classes& classes); // empty if no class is set against the rest

class ClassLearner {
public:
  void accumulate(const Column& column, std::span<const double> weights);
  void accumulate(const MatrixView& y, const double* weights); // labels that are numbers

  void merge(const ClassLearner& other); // rows that follow
  void write(StateWriter& out) const;
  void read(StateReader& in);

  // An error if there are fewer than two classes, or so many that the target holds no labels. `positive` names one of
  // them; if there are more than two, it is set against the rest. The classes weigh what the options say.
  Result<Classes> finish(const FitOptions& options, const std::string& source, const std::string& target) const;

private:
  struct Tally {
    DoubleDouble weight = 0.0;
    Index rows = 0; // with it, whatever their weight
  };
  void add(double value, double weight);
  void add(const std::string& label, double weight);
  Result<void> check_count(Index count, const std::string& where) const;

  std::map<double, Tally> numbers_;
  std::unordered_map<std::string, Tally> texts_;
  ColumnType type_ = ColumnType::integer;
  Index rows_ = 0; // of positive weight
};

inline constexpr Index kNoLabel = -1, kUnknownLabel = -2;

// Finds labels among classes, in a column of whatever type it was read as.
class ClassFinder {
public:
  explicit ClassFinder(const Classes& classes);

  std::vector<std::int32_t> places(const std::vector<std::string>& labels) const; // of a category's levels
  Index place(std::string_view label) const;
  Index place(double value) const;
  // The place of row i; `levels`: places() of the column's levels, if it is a category.
  Index place(const Column& column, const std::vector<std::int32_t>& levels, Index i) const;

private:
  std::unordered_map<std::string, Index> texts_;
  std::vector<std::pair<double, Index>> numbers_; // labels that are numbers, by value
  bool only_numbers_ = true;                      // are all that rows have
};

// An error that begins with `where` when there is no such class.
Result<Index> named_class(const Classes& classes, const std::string& label, const std::string& where);
// Factors of the classes, and their weights with them.
Result<void> weigh_classes(const FitOptions& options, Classes& classes);

std::string label_text(const Column& column, Index i); // as an error shows it
Error unknown_label(const Classes& classes, const std::string& where, const std::string& label);

} // namespace recta::feature
