// Missing numbers as means of the nearest rows that have them (Troyanskaya and others, Missing value estimation methods
// for DNA microarrays, 2001): Missing::neighbours, and KNNImputer in Python.
//
// Rows are compared over the columns that both have, sqrt(p / c * sum of squares) over c of p columns (metric
// nan-euclidean); equal distances are in the order of the donors. A donor of weight 2 takes two of the k places. Where
// no donor has both the number and a common column, the fill is taken instead. Cost: donors times columns for every row
// with a missing number.
#pragma once

#include "data/split/table_view.hpp"

#include <recta/model.hpp>

#include <span>

namespace recta::feature {

class DonorRows {
public:
  // `x`: by row, NaN where a number is missing. `weight`: empty: all one. Both outlive this.
  DonorRows(std::span<const double> x, Index cols, std::span<const double> weight, Index neighbours,
            bool by_distance = false);

  // Replaces every NaN of a row, column j by fill[j] where no donor can say more.
  void complete(double* row, std::span<const double> fill) const;

private:
  struct Donor {
    double distance;
    Index row;
    auto operator<=>(const Donor&) const = default;
  };
  double mean(std::vector<Donor>& donors, Index column, double fill) const;

  std::span<const double> x_, weight_;
  Index cols_, rows_, neighbours_;
  bool by_distance_;
};

// How many columns of numbers a schema has, and the numbers of one row of a table in their order.
Index number_columns(const Schema& schema);

// The rows of positive weight, as donors. `columns`: those of the schema in the table.
void add_donors(const Schema& schema, std::span<const Index> columns, const Dataset& rows,
                std::span<const double> weights, Donors& donors);

// Whether the donors of the schema are these rows.
bool are_donors(const Schema& schema, const TableView& rows);

} // namespace recta::feature
