// Pictures: the flags of commands that draw one beside their work, and the file it goes to.
#pragma once

#include "terminal.hpp"

#include <recta/plot.hpp>

namespace recta::cli {

FlagInfo plot_flag();      // --plot FILE
FlagInfo plot_kind_flag(); // --plot-kind WORD

// Before the work: an error if --plot-kind stands alone or the picture would replace what the command reads or writes.
Result<void> check_plot(const Arguments& arguments, const std::vector<std::string>& files);

Result<void> write_picture(const Result<plot::Picture>& picture, const std::string& path, const Voice& voice,
                           const std::string& flag = "--plot");
Result<void> write_pictures(const std::vector<plot::Picture>& row, const std::string& path, const Voice& voice,
                            const std::string& flag = "--plot");

} // namespace recta::cli
