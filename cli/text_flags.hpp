// Flags of columns of documents, and what is said about the terms of a model.
#pragma once

#include "command.hpp"
#include "json.hpp"

namespace recta::cli {

FlagGroup text_flags();
Result<void> text_options(const Arguments& arguments, FitOptions& options);

std::string texts_text(const Schema& schema);              // a line per column of documents
void texts_field(Json& json, const Schema& schema);        // "texts", if there are any
std::string unknown_terms_text(const UnknownTerms& found); // a sentence; empty if there were none
void unknown_terms_field(Json& json, const UnknownTerms& found);

} // namespace recta::cli
