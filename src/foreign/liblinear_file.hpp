// liblinear's model file: lines of a word and its numbers, then "w" and one line per feature with the weights of every
// score (save_model of liblinear 2.4). The feature of the bias, if there is one, is the last.
#pragma once

#include "foreign/lines.hpp"

#include <recta/foreign.hpp>

namespace recta::foreign {

Result<ForeignModel> parse_liblinear(Lines& lines);
std::string liblinear_text(const ForeignModel& model);

} // namespace recta::foreign
