// Flags of the options that all models share, from the library's table of them (recta/options.hpp).
#pragma once

#include "command.hpp"

namespace recta::cli {

FlagInfo option_flag(std::string_view name); // by the name of its member
FlagInfo option_flag(std::string_view name, std::string_view summary,
                     std::string_view initial); // where another command words it
// The flags under a heading that this command takes, with those of the command line alone in their places.
FlagGroup option_group(Heading heading, unsigned taken_by);
Result<FitOptions> given_options(const Arguments& arguments);

} // namespace recta::cli
