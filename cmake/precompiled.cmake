# The headers that nearly every file reads, read once. A file that
# forgets an include is found by the builds that do without: debug, tsan, fuzz and coverage.
option(RECTA_PRECOMPILE "read common headers once for all files" OFF)
set(common_headers
    <algorithm> <array> <bit> <cmath> <cstdint> <expected> <functional> <limits> <map> <memory> <numeric> <optional>
    <span> <string> <string_view> <variant> <vector> <fmt/format.h> <recta/recta.hpp>)
set(inner_headers src/stats/reduce.hpp src/design/row_source.hpp) # of the library and its tests

function(recta_precompile target) # HEADERS...
  if(RECTA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${common_headers} ${ARGN})
    recta_cacheable(${target})
    recta_sum_precompiled(${target})
  endif()
endfunction()

function(recta_precompiled_as target other) # of the same options
  if(RECTA_PRECOMPILE)
    target_precompile_headers(${target} REUSE_FROM ${other})
    recta_cacheable(${target})
  endif()
endfunction()

# What ccache needs to see through a precompiled header. It takes the header's file, which names the folder it was made in,
# for another in every copy of the sources; beside it therefore lies a sum of what it holds, which ccache takes instead
# where CCACHE_PCH_EXTSUM is set, as in scripts/build. CMake also gives clang the header's source, by its whole path, which
# the precompiled one makes superfluous.
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -Xclang -include-pch -Xclang <PCH_FILE>)
endif()

function(recta_cacheable target)
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>
                                           $<$<CXX_COMPILER_ID:Clang>:SHELL:-Xclang -fno-pch-timestamp>)
endfunction()

function(recta_sum_precompiled target)
  set(header CMakeFiles/${target}.dir/cmake_pch.hxx)
  set(folders $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
  add_custom_command(OUTPUT ${header}.pch.sum DEPFILE ${header}.d VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${CMAKE_CXX_COMPILER} -std=c++23 -w -E -P "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>"
            -MD -MT ${header}.pch.sum -MF ${header}.d -x c++ ${header} -o ${header}.text
    COMMAND ${CMAKE_COMMAND} -E sha256sum ${header}.text > ${header}.pch.sum)
  add_custom_target(${target}_precompiled_sum DEPENDS ${header}.pch.sum)
  add_dependencies(${target} ${target}_precompiled_sum)
endfunction()
