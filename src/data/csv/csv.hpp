// Comma-separated values and their relatives: RFC 4180 with the separators , ; tab | and runs of blanks.
#pragma once

#include "data/block_reader.hpp"
#include "data/input.hpp"

#include <recta/dataset.hpp>

namespace recta {

// The whole table. With options.format "tsv", or no format and a source named *.tsv, the separator is a tab unless
// options say otherwise.
Result<Dataset> read_csv(std::string_view bytes, const std::string& source, const ReadOptions& options);
// Reads a table from a file, of which never more than a window of text lies in memory.
Result<Dataset> read_csv(Input& input, const ReadOptions& options);

// The rows of a file block by block; takes over the input.
Result<std::unique_ptr<BlockReader>> stream_csv(std::unique_ptr<Input> input, const ReadOptions& options,
                                                Index block_rows);

// Numbers in shortest form, quotes only where needed, missing values empty. .tsv (and .tsv.gz, .tsv.zst): tabs.
Result<void> write_csv(const Dataset& data, const std::string& path);

} // namespace recta
