// LIBSVM and SVMlight text: "label index:value index:value ... # comment", one row per line, zeros left out.
// The label becomes the numeric column `label`, the rest the sparse columns. Indices ascend within a row. Whether they
// start at 0 or 1 is seen over the whole file (any index 0: they start at 0), said in the notes, and settled by
// ReadOptions::index_base if the file cannot tell. If the column `label` is to be a category, a row may have several
// labels, "1,3 2:0.5", or none, " 2:0.5": the column then holds their words as they stand, and is missing without any.
#pragma once

#include "data/block_reader.hpp"
#include "data/input.hpp"

#include <recta/dataset.hpp>

namespace recta {

// The sample holds whole lines, or all bytes there are. True when its first row is "number index:value ...".
bool looks_like_libsvm(std::string_view sample);

Result<Dataset> read_libsvm(const Bytes& bytes, const std::string& source, const ReadOptions& options);
inline Result<Dataset> read_libsvm(std::string_view bytes, const std::string& source, const ReadOptions& options) {
  return read_libsvm(Bytes::borrowed(bytes), source, options);
}

// The rows of a LIBSVM file block by block; takes over the input. A file is read through once beforehand, because the
// number of columns and the first index are known only at its end; for standard input the first rows decide.
Result<std::unique_ptr<BlockReader>> stream_libsvm(std::unique_ptr<Input> input, const ReadOptions& options,
                                                   Index block_rows);

// `target` names the label column (empty: `label`). Other numeric
// columns come first, counted from the table's index base; zeros are left out. A category label is written as the
// position of its class, from 0.
Result<void> write_libsvm(const Dataset& data, const std::string& path, const std::string& target);

} // namespace recta
