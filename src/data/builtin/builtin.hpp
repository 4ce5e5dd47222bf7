// Data that come with the library, by name.
#pragma once

#include <recta/dataset.hpp>

#include <string_view>

namespace recta {

const BuiltinSet* find_builtin(std::string_view name); // nullptr: there is none of that name
Dataset load_builtin(std::string_view name);           // of a name that find_builtin knows

} // namespace recta
