// Weka's ARFF, dense and sparse rows. Nominal attributes become categories (levels sorted; those that no row has are
// kept, they are part of the declaration), numeric, real and integer become numbers, strings and dates become text.
// A value absent from a sparse row is 0, which for a nominal attribute means its first declared value, as in Weka.
#pragma once

#include "data/block_reader.hpp"
#include "data/input.hpp"

#include <recta/dataset.hpp>

namespace recta {

bool looks_like_arff(std::string_view sample); // the first line that is not empty or a comment begins with @relation

Result<Dataset> read_arff(const Bytes& bytes, const std::string& source, const ReadOptions& options);
inline Result<Dataset> read_arff(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  return read_arff(Bytes::borrowed(bytes), source, options);
}
Result<std::unique_ptr<BlockReader>> stream_arff(std::unique_ptr<Input> input, const ReadOptions& options,
                                                 Index block_rows);

} // namespace recta
