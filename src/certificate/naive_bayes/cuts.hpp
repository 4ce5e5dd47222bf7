// Shares out the columns of sparse rows among threads that count them again.
#pragma once

#include "objective/naive_bayes/layout.hpp"

namespace recta::naive_bayes {

// Parts of the columns with about the same share of what was counted, for as many threads as there may be.
std::vector<Index> cuts_of(const Layout& layout, const Counts& counts);

} // namespace recta::naive_bayes
