// A folder of documents as a table: `text` is what a file holds, `label` the name of the folder it lies in.
#pragma once

#include <recta/dataset.hpp>

namespace recta {

// Files of the folder itself have no label. Rows are in the order of their labels and names.
Result<Dataset> read_folder(const std::string& path, const ReadOptions& options);

} // namespace recta
