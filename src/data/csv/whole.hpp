// A whole table from a text that passes by.
#pragma once

#include "data/csv/text_window.hpp"

#include <recta/dataset.hpp>

#include <string>

namespace recta::csv {

// `window_bytes`: of text, for all threads together; 0: as much as stays in their caches. It changes nothing but speed.
Result<Dataset> read_table(TextWindow& window, const std::string& source, const ReadOptions& options,
                           std::size_t window_bytes = 0);

} // namespace recta::csv
