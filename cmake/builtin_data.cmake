# generated/data/all_sets.hpp: the list of the built-in sets and their tables, src/data/builtin/sets.txt and sets/NAME.csv, as
# text within the library. Raw strings and no `.incbin`: any compiler takes them, and a compiler cache sees what they hold.
set(folder ${PROJECT_SOURCE_DIR}/src/data/builtin)
file(GLOB tables CONFIGURE_DEPENDS ${folder}/sets/*.csv)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${folder}/sets.txt ${tables})

file(READ ${folder}/sets.txt list)
set(entries "")
foreach(table IN LISTS tables)
  get_filename_component(name ${table} NAME_WE)
  file(READ ${table} text)
  string(APPEND entries "    {\"${name}\", R\"table(${text})table\"sv},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/data/all_sets.hpp CONTENT
"#pragma once

#include <string_view>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored \"-Woverlength-strings\"
namespace recta::builtin {
using namespace std::string_view_literals;

struct Table {
  std::string_view name, text;
};
inline constexpr std::string_view kList = R\"table(${list})table\"sv;
inline constexpr Table kTables[] = {
${entries}};
}
#pragma GCC diagnostic pop
" @ONLY)
