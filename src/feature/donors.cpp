#include "feature/donors.hpp"

#include "base/numbers.hpp"
#include "metric/nan_euclidean/nan_euclidean.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace recta::feature {

DonorRows::DonorRows(std::span<const double> x, Index cols, std::span<const double> weight, Index neighbours,
                     bool by_distance)
    : x_(x), weight_(weight), cols_(cols), rows_(cols > 0 ? std::ssize(x) / cols : 0), neighbours_(neighbours),
      by_distance_(by_distance) {}

void DonorRows::complete(double* row, std::span<const double> fill) const {
  const neighbours::OwnNumbers none;
  std::vector<Donor> all, donors;
  for (Index i = 0; i < rows_; ++i) {
    const double distance = neighbours::nan_euclidean::Leaf::distance(row, x_.data() + i * cols_, cols_, none);
    if (std::isfinite(distance)) all.push_back({distance, i}); // without a common column it says nothing
  }
  std::vector<double> filled(row, row + cols_);
  for (Index j = 0; j < cols_; ++j) {
    if (!std::isnan(row[j])) continue;
    donors.clear();
    for (const Donor& donor : all)
      if (!std::isnan(x_[at(donor.row * cols_ + j)])) donors.push_back(donor);
    filled[at(j)] = mean(donors, j, fill[at(j)]);
  }
  std::ranges::copy(filled, row);
}

double DonorRows::mean(std::vector<Donor>& donors, Index column, double fill) const {
  const auto weight = [&](const Donor& donor) { return weight_.empty() ? 1 : weight_[at(donor.row)]; };
  if (weight_.empty() && std::ssize(donors) > neighbours_) {
    std::ranges::nth_element(donors, donors.begin() + neighbours_);
    donors.resize(at(neighbours_));
  }
  std::ranges::sort(donors);
  const bool exact = by_distance_ && !donors.empty() && donors.front().distance == 0;
  double sum = 0, total = 0, places = 0;
  for (const Donor& donor : donors) {
    const double left = static_cast<double>(neighbours_) - places;
    if (!(left > 0) || (exact && donor.distance > 0)) break;
    const double weight_used = std::min(left, weight(donor));
    const double share =
        by_distance_ && !exact ? weight_used * (donors.front().distance / donor.distance) : weight_used;
    sum += share * x_[at(donor.row * cols_ + column)];
    total += share;
    places += weight_used;
  }
  return total > 0 ? sum / total : fill;
}

Index number_columns(const Schema& schema) {
  return std::ranges::count_if(schema.columns,
                               [](const SchemaColumn& column) { return column.type != ColumnType::category; });
}

void add_donors(const Schema& schema, std::span<const Index> columns, const Dataset& rows,
                std::span<const double> weights, Donors& donors) {
  for (Index i = 0; i < rows.rows; ++i) {
    if (!(weights[at(i)] > 0)) continue;
    for (std::size_t c = 0; c < schema.columns.size(); ++c)
      if (schema.columns[c].type != ColumnType::category)
        donors.x.push_back(rows.columns[at(columns[c])].values[at(i)]);
    donors.weight.push_back(weights[at(i)]);
    ++donors.rows;
  }
}

bool are_donors(const Schema& schema, const TableView& view) {
  if (!view.is_whole()) {
    std::vector<Index> named; // donors are copies of these columns themselves
    for (std::size_t j = 0; j < view.table().columns.size(); ++j) {
      const std::string& name = view.table().columns[j].name;
      if (name == schema.weights || std::ranges::count(schema.columns, name, &SchemaColumn::name) > 0)
        named.push_back(static_cast<Index>(j));
    }
    return are_donors(schema, take_columns(view.table(), view.places(0, view.rows()), named));
  }
  const Dataset& rows = view.table();
  std::vector<Index> columns;
  for (const SchemaColumn& column : schema.columns) columns.push_back(rows.find(column.name) - rows.columns.data());
  std::vector<double> weights(at(rows.rows), 1.0);
  if (const Column* weight_column = schema.weights.empty() ? nullptr : rows.find(schema.weights);
      weight_column != nullptr)
    std::copy_n(weight_column->values.begin(), rows.rows, weights.begin());
  Donors expected;
  add_donors(schema, columns, rows, weights, expected);
  const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
  return expected.rows == schema.donors->rows && std::ranges::equal(expected.x, schema.donors->x, same) &&
         (schema.donors->weight.empty() ? std::ranges::all_of(expected.weight, [](double one) { return one == 1; })
                                        : expected.weight == schema.donors->weight);
}

} // namespace recta::feature
