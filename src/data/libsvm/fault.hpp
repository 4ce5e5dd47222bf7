// Messages of the LIBSVM readers: faults with their place, and what was seen of the index base.
#pragma once

#include "data/libsvm/rows.hpp"

#include <recta/dataset.hpp>

#include <algorithm>
#include <limits>

namespace recta::libsvm {

bool row_line(std::string_view line); // neither blank nor a comment

struct FaultContext {
  const std::string& source;
  const ReadOptions& options;
};
// `text` is what was parsed and begins on line `line` of the source.
Error explain(const Outcome& out, std::string_view text, Index line, const FaultContext& context);

struct IndexRange {
  Index lowest = std::numeric_limits<Index>::max(), highest = -1;
  bool integer_labels = true;
  void add(const Outcome& out) {
    lowest = std::min(lowest, out.lowest);
    highest = std::max(highest, out.highest);
    integer_labels &= out.integer_labels;
  }
};
std::string base_note(const IndexRange& range, const ReadOptions& options);

// A few bytes can name the last of ten million columns. What each will need, whoever fits or describes them, counts as
// kNeededByColumn against the limit of memory that a file of so many bytes has, unless max_columns was raised.
inline constexpr Index kUsualColumns = Index{1} << 20; // as many as words hashed to 20 bits have; never too many
inline constexpr std::uint64_t kNeededByColumn = 512;  // names, statistics, coefficients
Result<void> check_columns(Index cols, std::size_t text, const FaultContext& context);

Result<void> check_base(const ReadOptions& options); // 0 or 1 or unset
Limits limits_of(const ReadOptions& options);        // while the base is not known, 1 is assumed and 0 allowed

} // namespace recta::libsvm
