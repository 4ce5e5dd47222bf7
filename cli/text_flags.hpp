// Flags of columns of documents, and what is said about the terms of a model.
#pragma once

#include "command.hpp"
#include "json.hpp"

namespace recta::cli {

FlagGroup text_flags();
Result<void> text_options(const Arguments& arguments, FitOptions& options);

report::Section texts_lines(const Schema& schema); // a line per column of documents
report::Value texts_data(const Schema& schema);    // absent if there are none
// "text": the columns of documents of a fit with all their settings, in the words of the Python package.
void text_settings_field(Json& json, const FitOptions& options);
bool has_unknown(const UnknownTerms& terms);
report::Sentence unknown_sentence(const UnknownTerms& terms);
report::Group unknown_data(const UnknownTerms& terms);

} // namespace recta::cli
