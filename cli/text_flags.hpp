// What the flags of columns of documents mean, and what is said about the terms of a model.
#pragma once

#include "command.hpp"

#include <recta/report.hpp>

namespace recta::cli {

Result<void> text_options(const Arguments& arguments, FitOptions& options);

report::Section texts_lines(const Schema& schema); // a line per column of documents
report::Value texts_data(const Schema& schema);    // absent if there are none
bool has_unknown(const UnknownTerms& terms);
report::Sentence unknown_sentence(const UnknownTerms& terms);
report::Group unknown_data(const UnknownTerms& terms);

} // namespace recta::cli
