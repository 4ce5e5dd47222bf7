// The functions that make several features and therefore stand alone, as they are written:
//
//   poly(COL, ..., DEGREE [, terms=all|powers|interactions])
//   spline(COL, COUNT or [KNOT, ...] [, degree=3] [, outside=constant|linear|continue|error] [, bias=no|yes])
//   radial(COL, COUNT or [CENTRE, ...] [, width=NUMBER])
//   fourier(COL, PERIOD [, HARMONICS])
//   ring(COL, COL)
//   components(COL, ..., COUNT), which only a fit makes
//   nystrom([COL, ...,] COUNT [, ...]) and random_fourier([COL, ...,] COUNT [, ...]) of kernel_call.hpp
//
// Each is a folder beside this file (leaf.hpp).
#pragma once

#include "feature/map/lexer.hpp"

#include <map>
#include <optional>

namespace recta::feature {

struct Call {
  std::string word;
  std::vector<std::string> columns;
  std::vector<double> numbers; // those that are no option
  std::optional<std::vector<double>> list;
  std::map<std::string, std::string> options; // only those that were given

  std::string text() const; // canonical
  Index listed() const;     // the length of its list, or the number in its place
  std::string option(const std::string& name, const std::string& fallback) const;
  double number_option(const std::string& name, double fallback) const;
};

// Nothing when the text is an expression and no such call.
Result<std::optional<Call>> parse_call(const std::string& text);

} // namespace recta::feature
