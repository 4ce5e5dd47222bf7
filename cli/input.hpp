// Reading a command's data with the flags given, and saying what was found.
#pragma once

#include "terminal.hpp"

namespace recta::cli {

// Shows how far it is; --time-limit, where the command has one, counts from its beginning.
Result<Dataset> read_data(const std::string& path, const Arguments& arguments, const Voice& voice);
Result<Model> load_model(const std::string& path, const Voice& voice);
// Which part of the data --holdout and --seed leave: all, the training rows or the rows held out.
enum class Part : std::uint8_t { train, held_out };
Result<Dataset> part_of(Dataset data, const Arguments& arguments, Part part);
Result<void> spare(const std::string& output, const std::vector<std::string>& inputs,
                   const std::string& flag = "--output"); // an error when one is the other
const char* type_name(ColumnType type);
std::uint64_t file_size(const std::string& path); // 0 when it is none

} // namespace recta::cli
