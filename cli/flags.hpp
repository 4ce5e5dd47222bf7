// Flags that several commands share, and what they mean to the library.
#pragma once

#include "command.hpp"

namespace recta::cli {

FlagGroup reading_flags();
FlagGroup output_flags();
void add_length_flags(FlagGroup& group);  // of long tables: --top, --all
Index top_of(const Arguments& arguments); // --json -q -v --digits
std::vector<FlagInfo> split_flags();
FlagInfo threads_flag();
// One flag per parameter of the model; of all models if `word` is empty.
std::vector<FlagInfo> model_flags(const std::string& word);
std::vector<std::string> picture_words(); // the pictures that recta plot draws

Result<ReadOptions> read_options(const Arguments& arguments);
// The parameters given, checked against the model's own description.
Result<Params> model_params(const ModelInfo& model, const Arguments& arguments);

// The value of a flag of text; @FILE stands for what is in the file, with a newline at its end.
Result<std::string> text_or_file(const std::string& flag, const std::string& text);
// Why `text` is no value for the flag; empty when it is one.
std::string objection(const FlagInfo& flag, const std::string& text);

} // namespace recta::cli
