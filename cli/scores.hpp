// Scores by name and pictures of them, for recta eval.
#pragma once

#include "command.hpp"
#include "terminal.hpp"

namespace recta::cli {

FlagGroup score_flags();
std::string score_notes();

// The rows of --holdout, if asked for, that the model in this file was not trained on.
// Rows that the model was trained on would flatter it: the model file says which rows were not used.
Result<Dataset> scored_rows(Dataset data, const Model& model, const std::string& file, const Arguments& arguments);

// Before the work: an error if flags contradict each other or a picture would replace what is read.
Result<void> check_score_flags(const Arguments& arguments);

// Draws the picture, if asked for, and prints the scores, if asked for; whether it printed them.
Result<bool> run_scores(const Model& model, const Dataset& data, const Arguments& arguments, const Voice& voice);

} // namespace recta::cli
