// NumPy's .npy (versions 1 to 3) and .npz files: numbers and booleans of any width and byte order, in C or Fortran
// order, one or two dimensions; structured arrays with named numeric fields. Object arrays hold pickled programs and
// are refused. Columns are x1 ... xp; an archive gives X, x or data, and y or target as column `y`.
#pragma once

#include "data/block_reader.hpp"
#include "data/input.hpp"

#include <recta/dataset.hpp>

namespace recta {

bool looks_like_npy(std::string_view sample);
bool looks_like_npz(std::string_view sample);

Result<Dataset> read_npy(const Bytes& bytes, const std::string& source, const ReadOptions& options);
Result<Dataset> read_npz(const Bytes& bytes, const std::string& source, const ReadOptions& options);
inline Result<Dataset> read_npy(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  return read_npy(Bytes::borrowed(bytes), source, options);
}
inline Result<Dataset> read_npz(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  return read_npz(Bytes::borrowed(bytes), source, options);
}
Result<std::unique_ptr<BlockReader>> stream_npy(std::unique_ptr<Input> input, const ReadOptions& options,
                                                Index block_rows);

// Writes one array of doubles in C order: numeric columns only, sparse ones filled up with zeros.
Result<void> write_npy(const Dataset& data, const std::string& path);

} // namespace recta
