#include "rows/class_target.hpp"

#include "feature/classes.hpp"
#include "stats/rows.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace recta {
namespace {

Result<void> check_target(const Arrays& arrays) {
  if (arrays.y.cols == 1 && arrays.y.rows == (arrays.sparse.start ? arrays.sparse.rows : arrays.dense.rows)) return {};
  return fail(ErrorCode::bad_data, "arrays",
              fmt::format("y has {} rows and {} columns, and a classifier needs one label per row", arrays.y.rows,
                          arrays.y.cols),
              "give one column of labels, as long as x");
}

// The place of row i among the labels that came with the arrays.
Result<Index> given_place(const Arrays& arrays, Index i) {
  const double y = element(arrays.y, i, 0);
  if (y >= 0 && y < static_cast<double>(arrays.classes.count()) && y == std::floor(y)) return static_cast<Index>(y);
  return fail(ErrorCode::bad_data, fmt::format("arrays, row {}", i + 1), fmt::format("y is {}", y),
              fmt::format("with labels given it is a place among them, 0 to {}", arrays.classes.count() - 1));
}

// The label that arrays give in words, as a column that ClassLearner reads.
Result<Column> label_column(const Arrays& arrays) {
  Column column;
  column.type = ColumnType::category;
  column.levels = arrays.classes.labels;
  for (Index i = 0; i < arrays.y.rows; ++i) {
    const auto place = given_place(arrays, i);
    if (!place) return std::unexpected(place.error());
    column.codes.push_back(static_cast<std::int32_t>(*place));
  }
  return column;
}

// The numbers of labels 0, 1, 2, ..., which most arrays have, without a search for each.
class SmallLabels {
public:
  // `places`: of the labels that came with the arrays, if any did.
  SmallLabels(const feature::ClassFinder& finder, const Classes& classes, const std::vector<std::int32_t>& places) {
    known_.fill(false);
    for (std::size_t label = 0; label < (places.empty() ? known_.size() : std::min(known_.size(), places.size()));
         ++label) {
      const Index place = places.empty() ? finder.place(static_cast<double>(label)) : places[label];
      known_[label] = place >= 0;
      if (place >= 0) number_[label] = feature::class_number(classes, place);
    }
  }
  const double* number(double y) const { // null: y is none of them
    if (!(y >= 0 && y < static_cast<double>(known_.size()))) return nullptr;
    const auto label = static_cast<std::size_t>(y);
    return static_cast<double>(label) == y && known_[label] ? &number_[label] : nullptr;
  }
  // Every label is the number of its class already, as with three classes 0, 1 and 2.
  bool are_numbers(const MatrixView& y, Index classes) const {
    if (y.scalar != Scalar::float64 || y.row_stride != 1 || classes > std::ssize(known_)) return false;
    for (std::size_t label = 0; label < static_cast<std::size_t>(classes); ++label)
      if (!known_[label] || number_[label] != static_cast<double>(label)) return false;
    const auto* value = static_cast<const double*>(y.data);
    const auto last = static_cast<double>(classes - 1);
    bool all = true;
    for (Index i = 0; i < y.rows; ++i) { // what is below zero or no number is compared with zero
      const double inside = std::min(std::max(0.0, value[i]), last);
      all &= static_cast<double>(static_cast<std::int32_t>(inside)) == value[i];
    }
    return all;
  }

private:
  std::array<bool, 64> known_;
  std::array<double, 64> number_;
};

} // namespace

Result<Classes> learn_classes(const Arrays& arrays, const FitOptions& options) {
  if (auto good = check_target(arrays); !good) return std::unexpected(good.error());
  const std::string target = options.target.empty() ? "y" : options.target[0];
  feature::ClassLearner learner;
  if (arrays.classes.labels.empty()) {
    learner.accumulate(arrays.y, arrays.weights);
    return learner.finish(options, "arrays", target);
  }
  const auto column = label_column(arrays);
  if (!column) return std::unexpected(column.error());
  const std::vector<double> ones(arrays.weights ? 0 : column->codes.size(), 1.0);
  learner.accumulate(*column, arrays.weights ? std::span(arrays.weights, column->codes.size()) : std::span(ones));
  auto classes = learner.finish(options, "arrays", target);
  if (classes && classes->rest.empty()) classes->type = arrays.classes.type;
  return classes;
}

Result<LabelledArrays> with_class_numbers(const Arrays& arrays, const Classes& classes) {
  if (auto good = check_target(arrays); !good) return std::unexpected(good.error());
  const feature::ClassFinder finder(classes);
  std::vector<std::int32_t> places(arrays.classes.labels.size());
  if (arrays.classes.labels == classes.labels) // an empty label, too, is one
    std::iota(places.begin(), places.end(), 0);
  else
    places = finder.places(arrays.classes.labels);
  const SmallLabels small(finder, classes, places);
  if (classes.factor.empty() && small.are_numbers(arrays.y, classes.count())) return LabelledArrays{{}, {}, arrays};
  LabelledArrays out{std::vector<double>(static_cast<std::size_t>(arrays.y.rows)), {}, arrays};
  if (!classes.factor.empty() && arrays.weights) out.weights.assign(arrays.weights, arrays.weights + arrays.y.rows);
  if (!classes.factor.empty() && !arrays.weights) out.weights.assign(out.y.size(), 1.0);
  for (Index i = 0; i < arrays.y.rows; ++i) {
    const double y = element(arrays.y, i, 0);
    if (const double* known = out.weights.empty() ? small.number(y) : nullptr) {
      out.y[static_cast<std::size_t>(i)] = *known;
      continue;
    }
    double& number = out.y[static_cast<std::size_t>(i)];
    if (!std::isfinite(y)) {
      number = y; // refused, with its row, when the rows are read
      continue;
    }
    Index place = feature::kUnknownLabel;
    if (places.empty()) {
      place = finder.place(y);
    } else {
      const auto label_place = given_place(arrays, i);
      if (!label_place) return std::unexpected(label_place.error());
      place = places[static_cast<std::size_t>(*label_place)];
    }
    if (place >= 0) number = feature::class_number(classes, place);
    if (place >= 0 && !out.weights.empty())
      out.weights[static_cast<std::size_t>(i)] *= classes.factor[static_cast<std::size_t>(place)];
    const bool weighed = !arrays.weights || arrays.weights[i] != 0;
    if (place < 0 && weighed)
      return std::unexpected(feature::unknown_label(
          classes, fmt::format("arrays, row {}", i + 1),
          places.empty() ? fmt::format("{}", y) : arrays.classes.labels[static_cast<std::size_t>(y)]));
  }
  if (!out.weights.empty()) out.arrays.weights = out.weights.data();
  out.arrays.y = MatrixView::vector(out.y.data(), arrays.y.rows);
  return out;
}

} // namespace recta
