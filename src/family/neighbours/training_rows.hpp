// The rows that a model by nearest neighbours remembers.
#pragma once

#include "base/checked_array.hpp"
#include "driver/first_pass.hpp"

namespace recta::neighbours {

// The rows that weigh anything, in their order.
struct TrainingRows {
  Index rows = 0, cols = 0, targets = 1;
  CheckedArray<double> x, y;         // by row; like the next two, perhaps in the model file
  CheckedArray<double> weight;       // empty: all one
  CheckedArray<Index> number;        // of each row in the data
  std::vector<double> centre, scale; // distances are those of (x - centre) * scale; empty: of x
};

// Classes are remembered by their places, whatever numbers the rows have for them.
Result<TrainingRows> remembered(const Rows& rows, const Classes& classes, Index count);
double as_it_came(double y, const Classes& classes); // the number of a place
double total_weight(const TrainingRows& rows);
// Distances in standard deviations: the mean and 1 / deviation of every column, weighted; a constant column keeps its
// unit.
void standardise(TrainingRows& rows);

} // namespace recta::neighbours
