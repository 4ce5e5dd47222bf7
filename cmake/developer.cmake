# What a person building Recta itself expects, and what a project that embeds it does not want to inherit.
set(recta_werror "")
if(RECTA_WERROR)
  set(recta_werror -Werror)
endif()

# g++ 12 takes "text" + std::string for an overlap (its bug 105651), and behind precompiled headers warns of more of
# std::string's own code.
set(recta_quiet $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(RECTA_PRECOMPILE)
  set(recta_quiet
      "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-array-bounds;-Wno-stringop-overflow;-Wno-stringop-overread>")
endif()

if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(CCACHE ccache)
if(CCACHE AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# Editors look for compile_commands.json at the root; the first build folder configured provides it.
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(root_commands ${PROJECT_SOURCE_DIR}/compile_commands.json)
if(NOT EXISTS ${root_commands})
  file(RELATIVE_PATH commands ${PROJECT_SOURCE_DIR} ${CMAKE_BINARY_DIR}/compile_commands.json)
  file(CREATE_LINK ${commands} ${root_commands} SYMBOLIC)
endif()
