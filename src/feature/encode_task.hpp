// Shared by the files of the encoder: one call of encode(), and the errors of a table's values.
#pragma once

#include "base/numbers.hpp"
#include "feature/encode.hpp"

namespace recta::feature {

// One call of encode(): what is read, which rows, and where they go.
struct EncodeTask {
  const Dataset& data;
  const LevelMaps& maps;
  Index first, count;
  EncodedBlock& block;
  BlockOrigin origin{};

  const Column& column(Index j) const { return data.columns[at(j)]; }
  void copy_numbers(Index j, double* out) const; // the features of a column of numbers
};

std::unexpected<Error> missing_value(const Dataset& data, Index row, const std::string& column,
                                     std::string_view advice);
std::unexpected<Error> not_finite(const Dataset& data, Index row, const std::string& column);
Index first_not_finite(const double* x, Index n); // the first element that is NaN or infinite, or n

} // namespace recta::feature
