// JSON lines: one object per line, whose keys are columns. Numbers, strings, true, false and null are cells; null, NaN
// and a key that a line does not have are missing.
//
// Lines are rewritten as rows of CSV as they are read, and its reader does the rest: types, categories, documents,
// blocks of a stream. Keys may come up on any line, so a file is read once before to learn them; what can be read only
// once, such as standard input, is held in memory. Errors have the line of the file and, if the JSON is wrong, the
// place in that line.
#pragma once

#include "data/block_reader.hpp"
#include "data/input.hpp"

#include <recta/dataset.hpp>

namespace recta {

bool looks_like_jsonl(std::string_view sample);
Result<Dataset> read_jsonl(const Bytes& bytes, const std::string& source, const ReadOptions& options);
Result<Dataset> read_jsonl_file(Input& input, const ReadOptions& options);
Result<std::unique_ptr<BlockReader>> stream_jsonl(std::unique_ptr<Input> input, const ReadOptions& options,
                                                  Index block_rows);

} // namespace recta
