// Reading a command's data with the flags given, and saying what was found.
#pragma once

#include "terminal.hpp"

#include <recta/reports.hpp>

namespace recta::cli {

// Shows how far it is; --time-limit, if the command has one, counts from its beginning.
Result<Dataset> read_data(const std::string& path, const Arguments& arguments, const Voice& voice);
// For rows that a model is to read: a column holds what it held in training, whatever its first rows look like.
enum class Use : std::uint8_t { features, all }; // all: targets and weights too
Result<ReadOptions> read_options_for(const Model& model, Use use, const Arguments& arguments);
Result<Dataset> read_data_for(const Model& model, Use use, const std::string& path, const Arguments& arguments,
                              const Voice& voice);
// The columns of a sparse table as columns of numbers that are called by their number, which maps, kernel matrices and
// pictures read; as it is where zeros written out would take more than a gigabyte.
Dataset with_named_columns(Dataset data);
// Likewise, for a model that was trained on named columns: all that it reads, those that no row stores being zero.
Dataset as_trained(Dataset data, const Schema& schema);
Result<Model> load_model(const std::string& path, const Voice& voice);
// The same, with the rule of --unseen for categories that training did not see, if there is the flag.
Result<Model> load_model_for_rows(const std::string& path, const Arguments& arguments, const Voice& voice);
// Which part of the data --holdout and --seed leave: all, the training rows or the rows held out.
Holdout holdout_of(const Arguments& arguments);
Reading reading_of(const ReadOptions& options); // the settings of the flags, for the model to remember
enum class Part : std::uint8_t { train, held_out };
Result<Dataset> part_of(Dataset data, const Arguments& arguments, Part part);
// The rows a model was trained on: those that its own --holdout left, unless flags say otherwise or there are no
// others.
Result<Dataset> training_rows(Dataset data, const Model& model, const Arguments& arguments);
Result<void> spare(const std::string& output, const std::vector<std::string>& inputs,
                   const std::string& flag = "--output"); // an error when one is the other
// What LIBSVM's reader says about where indices start, and how that note begins; empty if there is none.
inline constexpr std::string_view kIndicesNote = "indices start at ";
// How the reader's notes begin on columns that may hold something other than what they were read as.
inline constexpr std::string_view kFindingNote = "look at column ";
// Those notes, except on columns that --ignore and --id name.
std::vector<std::string> findings_of(const Dataset& header, const Arguments& arguments);
void tell_findings(const Dataset& header, const Arguments& arguments, const Voice& voice);
std::string note_of(const std::vector<std::string>& notes, std::string_view beginning);
using report::type_name;
std::uint64_t file_size(const std::string& path); // 0 when it is none

} // namespace recta::cli
