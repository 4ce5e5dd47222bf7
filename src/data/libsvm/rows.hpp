// The inner loop of the LIBSVM reader: whole lines to labels, indices and values, in one pass and without allocating.
// A line's newline ends every scan, so no character needs a bounds check; the caller sees to it that one is there.
#pragma once

#include <recta/error.hpp>

#include <string_view>

namespace recta::libsvm {

// The most rows and stored numbers that lines can hold. A row is at least two bytes and a number four, so memory for
// the bound is at most eight times the text.
struct Bound {
  Index rows = 0, numbers = 0;
};
Bound bound(std::string_view lines);

// The destination of rows: memory for at least bound().
struct Sink {
  double* label;
  Index* end;   // numbers stored up to the end of each row
  Index* index; // as written, less the index base assumed
  double* value;
};

enum class Fault : std::uint8_t {
  none,
  label, // not a number
  several_labels,
  no_label,      // the row begins with index:value
  not_a_pair,    // no index:value
  value,         // not a number
  too_large,     // a number beyond the largest double
  not_ascending, // an index not above the one before
  column_limit,  // an index above the limit
  below_base     // index 0 although indices start at 1
};

struct Limits {
  Index base = 1;    // subtracted from every index
  Index lowest = 0;  // index allowed
  Index highest = 0; // index allowed
};

struct Outcome {
  Index rows = 0, numbers = 0;
  Index lowest = 0, highest = -1; // index as written; highest -1: there is none
  bool integer_labels = true;
  Fault fault = Fault::none;
  const char* at = nullptr; // of the fault
};

// `lines` is empty or ends in a newline.
Outcome parse_lines(std::string_view lines, const Limits& limits, const Sink& sink);

} // namespace recta::libsvm
